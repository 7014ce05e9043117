import { plural } from '../../../platform/contract/plural.ts'
import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import { type Article, articles, cancelExchange, checkIn, type Exchange, exchange, exchanges, payExchange, type Points } from './ask.ts'
import { button, empty, lastDay, moment, moreOrLess, type Page, payButtons, row, sentence, words } from './parts.ts'

/** As in the contracts' `DetailKind` and `PointsOrderState`. */
const KINDS: Record<number, Text> = {
  1: ['获得', 'Earned'],
  2: ['使用', 'Spent'],
  3: ['过期', 'Expired'],
  4: ['收回', 'Deducted after a refund'],
  5: ['退回', 'Returned'],
  6: ['合并', 'Merged'],
}
const STATES: Record<number, Text> = {
  0: ['待支付', 'To pay'],
  1: ['待领取', 'To collect'],
  2: ['已领取', 'Collected'],
  3: ['已取消', 'Cancelled'],
  4: ['已退回', 'Returned'],
}
const [TO_PAY, TO_COLLECT] = [0, 1]

/** The goods for points and past exchanges; undefined while they are closed. */
let goods: { articles: Article[]; exchanges: Exchange[] } | undefined
export const seesGoods = () => goods !== undefined
export const closeGoods = () => (goods = taking = undefined)
async function openGoods(): Promise<void> {
  const [shown, own] = await Promise.all([articles(), exchanges()])
  goods = { articles: shown, exchanges: own }
}
/** With all the rest: what was just exchanged, or paid at the channel. */
export const refreshGoods = async () => void (goods && (await openGoods()))

export function goodsPart(page: Page, { usable }: Points): Node[] {
  const { articles: shown, exchanges: own } = goods!
  return [
    button(['返回', 'Back'], page, () => (closeGoods(), page.redraw()), 'quiet'),
    node(
      'section',
      {},
      node('h3', { textContent: say(['可用积分', 'Usable points']) }),
      node('p', { className: 'due', textContent: String(usable) }),
    ),
    ...(shown.length > 0 ? shown.map((one) => articleCard(page, one, usable)) : [empty(['暂无可兑换的商品', 'Nothing to exchange points for yet'])]),
    ...(own.length > 0 ? [node('h3', { textContent: say(['我的兑换', 'My exchanges']) }), ...own.map((one) => exchangeCard(page, one))] : []),
  ]
}

const pointsText = (n: number): Text => [`${n} 积分`, `${n} ${plural(n, 'point')}`]

export const pointsCard = (page: Page, { balance, debt, usable, checkIn: today, batches, parks, details }: Points): HTMLElement =>
  node(
    'section',
    {},
    node('h3', { textContent: say(['积分', 'Points']) }),
    node('p', { className: 'due', textContent: String(balance) }),
    (usable !== balance || debt > 0 || batches.length + parks.length > 0) &&
      node(
        'dl',
        {},
        usable !== balance && row(say(['可用', 'Usable']), String(usable)),
        debt > 0 && row(say(['待扣积分', 'Points owed']), String(debt)),
        ...batches.map(({ points, expireAt }) => row(say([`${lastDay(expireAt)} 到期`, `Valid to ${lastDay(expireAt)}`]), String(points))),
        ...parks.map(({ parkName, earn, spend, capPermille }) =>
          row(
            parkName,
            [earn && say(['可获得', 'earned']), spend && say([`可抵 ${capPermille / 10}%`, `up to ${capPermille / 10}% of a fee`])]
              .filter(Boolean)
              .join(say(['、', ', '])),
          ),
        ),
      ),
    today !== null &&
      (today.done
        ? words(['今天已签到', 'Checked in today'], 'aside')
        : button([`签到得 ${today.points} 积分`, `Check in for ${pointsText(today.points)[1]}`], page, () => page.doing(checkIn), 'main')),
    button(['积分兑换', 'Exchange points'], page, () => page.looking(openGoods), 'second'),
    details.length > 0 && node('ul', {}, ...details.map(line)),
  )
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

/** The article that is about to be taken, and how many of it. */
let taking: { id: string; qty: number } | undefined
const price = (points: number, cashFen: number): string =>
  say(pointsText(points)) + (cashFen > 0 ? say([` 加 ${yuan(cashFen)}`, ` and ${yuan(cashFen)}`]) : '')

function articleCard(page: Page, one: Article, usable: number): HTMLElement {
  const { id, name, image, pointsPrice, cashFen, stock, perUserLimit, remark, most } = one
  const left = stock > 0 ? say([`剩 ${stock} 件`, `${stock} left`]) : say(['已兑完', 'None left'])
  return node(
    'section',
    {},
    node('h2', { textContent: name }),
    image !== null && node('div', { className: 'pictures' }, ...image.split(',').map((src) => node('img', { src, alt: '' }))),
    node('p', {
      className: 'told s0',
      textContent: [
        price(pointsPrice, cashFen),
        left,
        perUserLimit !== null && say([`每人限兑 ${perUserLimit} 件`, `limit ${perUserLimit} per person`]),
      ]
        .filter(Boolean)
        .join(' · '),
    }),
    remark !== null && words([remark, remark], 'aside'),
    ...(taking?.id === id && most > 0
      ? takeParts(page, { ...one, most: Math.min(most, Math.floor(usable / pointsPrice)) }, taking.qty)
      : [offer(page, one, usable)]),
  )
}
function offer(page: Page, { id, pointsPrice, stock, most }: Article, usable: number): Node | false {
  if (most === 0) return stock > 0 && words(['已达每人限兑数量', 'You have reached the limit'], 'aside')
  if (usable < pointsPrice)
    return words([`还差 ${pointsPrice - usable} 积分`, `${pointsPrice - usable} more ${plural(pointsPrice - usable, 'point')} needed`], 'aside')
  return button(['兑换', 'Exchange'], page, () => ((taking = { id, qty: 1 }), page.redraw()), 'second')
}
function takeParts(page: Page, { id, pointsPrice, cashFen, most }: Article, qty: number): Node[] {
  const wanted = { goodId: id, qty, points: pointsPrice * qty, cashFen: cashFen * qty }
  const take = async (payMethod?: number) => {
    const made = await exchange({ ...wanted, ...(payMethod !== undefined && { payMethod }) }).catch(async (error: Error) => {
      // It may be exchanged and waiting to be paid, where no channel answered.
      await refreshGoods()
      throw error
    })
    taking = undefined
    return made
  }
  return [
    ...(most > 1 ? [moreOrLess(page, ['数量', 'Quantity'], String(qty), qty, most, (next) => ((taking = { id, qty: next }), page.redraw()))] : []),
    ...(wanted.cashFen > 0
      ? [
          words([`扣 ${price(wanted.points, 0)}，另付：`, `Takes ${price(wanted.points, 0)}, and to pay:`], 'aside'),
          ...payButtons(page, wanted.cashFen, take),
        ]
      : [button([`用 ${wanted.points} 积分兑换`, `Exchange ${pointsText(wanted.points)[1]}`], page, () => page.doing(() => take()), 'main')]),
    button(['取消', 'Cancel'], page, () => ((taking = undefined), page.redraw()), 'quiet'),
  ]
}

function exchangeCard(page: Page, one: Exchange): HTMLElement {
  const { id, orderNo, goodName, qty, points, cashFen, state, reason, at, payUntil, endedAt } = one
  return node(
    'section',
    {},
    node('h2', { textContent: `${goodName} ×${qty}` }),
    node('p', { className: `told s${state === TO_COLLECT ? 3 : state === TO_PAY ? 5 : 0}`, textContent: say(STATES[state] ?? ['其他', 'Other']) }),
    node(
      'dl',
      {},
      row(say(['兑换单号', 'Number']), orderNo),
      row(say(['价格', 'Price']), price(points, cashFen)),
      row(say(['兑换时间', 'Exchanged']), moment(at)),
      state === TO_PAY && payUntil !== null && row(say(['支付截止', 'Pay by']), moment(payUntil)),
      endedAt !== null && row(say(['完结时间', 'Ended']), moment(endedAt)),
      reason !== null && sentence(say(['原因', 'Reason']), reason),
    ),
    ...(state === TO_COLLECT ? [words(['请到服务台凭兑换单号领取', 'Collect it at the service desk with this number'], 'aside')] : []),
    ...(state === TO_PAY
      ? [
          ...payButtons(page, cashFen, (payMethod) => payExchange(id, payMethod)),
          button(['取消兑换', 'Cancel the exchange'], page, () => page.doing(() => cancelExchange(one)), 'quiet'),
        ]
      : []),
  )
}
