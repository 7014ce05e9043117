import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import type { Coupon, Points } from './ask.ts'
import { empty, moment, row } from './parts.ts'

/** As in the contracts' `CouponType`, `CouponState` and `DetailKind`. */
const [AMOUNT, TIME, DISCOUNT] = [1, 2, 3]
const STATES: Record<number, Text> = { 1: ['可用', 'Usable'], 2: ['结算中', 'On an open bill'], 3: ['已使用', 'Used'], 4: ['已过期', 'Expired'] }
const KINDS: Record<number, Text> = { 1: ['获得', 'Earned'], 2: ['使用', 'Spent'], 3: ['过期', 'Expired'], 4: ['收回', 'Taken back'], 5: ['退回', 'Given back'] } // prettier-ignore
const USABLE = 1
const WHOLE = 1000

export function couponsPart({ coupons, points }: { coupons: readonly Coupon[]; points: Points }): Node[] {
  return [...(coupons.length > 0 ? coupons.map(card) : [empty(['没有优惠券', 'No coupons'])]), pointsCard(points)]
}

/** What a coupon does, as its driver would say it. */
function worth({ type, value }: Coupon): string {
  if (type === AMOUNT) return say([`减 ${yuan(value)}`, `${yuan(value)} off`])
  if (type === TIME) return say([`减 ${value} 分钟`, `${value} min off`])
  if (type === DISCOUNT) return say([`${value / 100} 折`, `${(WHOLE - value) / 10}% off`])
  return say(['免费停车', 'Free parking'])
}
function card(one: Coupon): HTMLElement {
  const { name, plateNo, state, validFrom, validTo, thresholdFen, maxDiscountFen, timeFrom, timeTo, parkNames } = one
  return node(
    'section',
    {},
    node('h2', { textContent: worth(one) }),
    node('p', { className: `told s${state === USABLE ? 3 : 0}`, textContent: `${name} · ${say(STATES[state] ?? ['其他', 'Other'])}` }),
    node(
      'dl',
      {},
      row(say(['适用车辆', 'For']), plateNo),
      node('div', {}, node('dt', { textContent: say(['适用车场', 'Where']) }), node('dd', { className: 'places', textContent: parkNames.length > 0 ? parkNames.join(say(['、', ', '])) : say(['全部车场', 'Every car park']) })),
      row(say(['有效期', 'Valid']), `${moment(validFrom).slice(0, 10)} – ${moment(validTo).slice(0, 10)}`),
      timeFrom !== null && row(say(['可用时段', 'Hours']), `${timeFrom} – ${timeTo}`),
      thresholdFen > 0 && row(say(['满额可用', 'From']), yuan(thresholdFen)),
      maxDiscountFen !== null && row(say(['最多减', 'At most']), yuan(maxDiscountFen)),
    ),
  ) // prettier-ignore
}

const pointsCard = ({ balance, debt, expiring, parks, details }: Points): HTMLElement =>
  node(
    'section',
    {},
    node('h3', { textContent: say(['积分', 'Points']) }),
    node('p', { className: 'due', textContent: String(balance) }),
    (expiring > 0 || debt > 0 || parks.length > 0) && node(
      'dl',
      {},
      expiring > 0 && row(say(['30 日内到期', 'Expire within 30 days']), String(expiring)),
      debt > 0 && row(say(['待抵扣', 'Owed']), String(debt)),
      ...parks.map(({ parkName, earn, spend, capPermille }) => row(parkName, [earn && say(['可获得', 'earned']), spend && say([`可抵 ${capPermille / 10}%`, `pays ${capPermille / 10}%`])].filter(Boolean).join(say(['、', ', '])))),
    ),
    details.length > 0 && node('ul', {}, ...details.map(line)),
  ) // prettier-ignore
const line = ({ kind, points, balanceAfter, memo, at }: Points['details'][number]): HTMLElement =>
  node(
    'li',
    { className: 'line' },
    node('span', {}, say(KINDS[kind] ?? ['其他', 'Other']), node('small', { textContent: [memo, moment(at)].filter(Boolean).join(' · ') })),
    node(
      'span',
      { className: 'sum' },
      `${points > 0 ? '+' : ''}${points}`,
      node('small', { textContent: say([`余额 ${balanceAfter}`, `Balance ${balanceAfter}`]) }),
    ),
  )
