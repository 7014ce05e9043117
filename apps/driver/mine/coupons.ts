import { plural } from '../../../platform/contract/plural.ts'
import { node } from '../node.ts'
import { lasting, say, type Text, yuan } from '../say.ts'
import { type Car, claimGift, type Coupon, type Gift, type Points, scanCode } from './ask.ts'
import { button, choice, empty, lastDay, moment, type Page, row, sentence, words } from './parts.ts'
import { pointsCard } from './points.ts'

/** As in the contracts' `CouponType` and `CouponState`. */
const [AMOUNT, TIME, DISCOUNT, BOOK] = [1, 2, 3, 5]
const STATES: Record<number, Text> = { 1: ['可用', 'Usable'], 2: ['结算中', 'In payment'], 3: ['已使用', 'Used'], 4: ['已过期', 'Expired'] }
const USABLE = 1
/** As in the contract's `VerifyState`. */
const VERIFIED = 1
const WHOLE = 1000

/** The coupon that is about to be taken, and for which car. */
let taking: { id: string; plateNo: string } | undefined

interface Known {
  coupons: readonly Coupon[]
  points: Points
  gifts: readonly Gift[]
  cars: readonly Car[]
}
export function couponsPart(page: Page, { coupons, points, gifts, cars }: Known): Node[] {
  const own = cars.filter(({ verifyState }) => verifyState === VERIFIED).map(({ plateNo }) => plateNo)
  return [
    ...scanned(page, cars),
    ...gifts.map((one) => giftCard(page, one, own)),
    ...(coupons.length > 0 ? coupons.map(card) : [empty(['没有优惠券', 'No coupons'])]),
    pointsCard(page, points),
  ]
}

/** The effect of a coupon, as a driver would say it. */
function worth({ type, value }: Pick<Coupon, 'type' | 'value'>): string {
  if (type === AMOUNT) return say([`减 ${yuan(value)}`, `${yuan(value)} off`])
  if (type === TIME) return say([`减 ${lasting(value)}`, `${lasting(value)} off`])
  if (type === DISCOUNT) return say([`${value / 100} 折`, `${(WHOLE - value) / 10}% off`])
  if (type === BOOK) return say([`免费停车 ${value} 次`, `Free parking ${value} ${plural(value, 'time')}`])
  return say(['免费停车', 'Free parking'])
}
/** As in the contract's `VerifyState`: not for a plate that was turned down. */
const REJECTED = 2
/** A merchant's code that brought the driver here, until it is used. */
let code = new URLSearchParams(location.search).get('coupon') ?? undefined
let codePlate: string | undefined
let thanks: { name: string; plateNo: string } | undefined
function scanned(page: Page, cars: readonly Car[]): Node[] {
  if (thanks)
    return [
      node(
        'section',
        { role: 'status' },
        words([`已领取「${thanks.name}」，用于 ${thanks.plateNo}`, `“${thanks.name}” claimed for ${thanks.plateNo}`]),
      ),
    ]
  if (code === undefined) return []
  const plates = cars.filter(({ verifyState }) => verifyState !== REJECTED).map(({ plateNo }) => plateNo)
  const plateNo = codePlate ?? plates[0]
  const forget = () => {
    code = undefined
    history.replaceState(null, '', location.pathname + location.hash)
  }
  const take = (plate: string) => page.doing(async () => void ((thanks = await scanCode(code!, plate)), forget()))
  return [
    node(
      'section',
      {},
      node('h2', { textContent: say(['商户赠券', 'Coupon from the merchant']) }),
      ...(plateNo === undefined
        ? [words(['请先在「车辆」中绑定车牌', 'Add your plate under “Cars” first'], 'aside')]
        : [
            plates.length > 1
              ? choice(page, ['为哪辆车领取', 'For which car'], plates, plateNo, (one) => (codePlate = one))
              : words([plateNo, plateNo], 'aside'),
            button(['领取', 'Claim'], page, () => take(plateNo), 'main'),
          ]),
      button(['不领取', 'Not now'], page, () => (forget(), page.redraw()), 'quiet'),
    ),
  ]
}
function giftCard(page: Page, one: Gift, plates: readonly string[]): HTMLElement {
  const { id, name, stock, thresholdFen, maxDiscountFen, parkNames } = one
  const chosen = taking?.id === id ? taking.plateNo : undefined
  const begin = () => ((taking = { id, plateNo: plates[0]! }), page.redraw())
  const take = (plateNo: string) => page.doing(async () => void (await claimGift(id, plateNo), (taking = undefined)))
  return node(
    'section',
    {},
    node('h2', { textContent: worth(one) }),
    node('p', { className: 'told s0', textContent: `${name} · ${say([`可领取，剩 ${stock} 张`, `Available, ${stock} left`])}` }),
    node(
      'dl',
      {},
      sentence(say(['适用车场', 'Car parks']), parkNames.length > 0 ? parkNames.join(say(['、', ', '])) : say(['全部车场', 'All car parks'])),
      thresholdFen > 0 && row(say(['满额可用', 'Minimum']), yuan(thresholdFen)),
      maxDiscountFen !== null && row(say(['最多减', 'Maximum']), yuan(maxDiscountFen)),
    ),
    ...(chosen === undefined
      ? [
          plates.length > 0
            ? button(['领取', 'Claim'], page, plates.length > 1 ? begin : () => take(plates[0]!), 'second')
            : words(['车牌认证通过后可领取', 'Verify your plate to claim it'], 'aside'),
        ]
      : [
          choice(page, ['为哪辆车领取', 'For which car'], plates, chosen, (plateNo) => (taking = { id, plateNo })),
          button(['领取', 'Claim'], page, () => take(chosen), 'main'),
          button(['取消', 'Cancel'], page, () => ((taking = undefined), page.redraw()), 'quiet'),
        ]),
  )
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
      row(say(['适用车辆', 'Car']), plateNo),
      node(
        'div',
        {},
        node('dt', { textContent: say(['适用车场', 'Car parks']) }),
        node('dd', {
          className: 'places',
          textContent: parkNames.length > 0 ? parkNames.join(say(['、', ', '])) : say(['全部车场', 'All car parks']),
        }),
      ),
      row(say(['有效期', 'Valid']), `${moment(validFrom).slice(0, 10)} – ${lastDay(validTo)}`),
      timeFrom !== null && row(say(['可用时段', 'Hours']), `${timeFrom} – ${timeTo}`),
      thresholdFen > 0 && row(say(['满额可用', 'Minimum']), yuan(thresholdFen)),
      maxDiscountFen !== null && row(say(['最多减', 'Maximum']), yuan(maxDiscountFen)),
    ),
  )
}
