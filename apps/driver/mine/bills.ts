import { bill as parkedBill } from '../bill.ts'
import { node } from '../node.ts'
import { lasting, say, type Text, yuan } from '../say.ts'
import {
  type Bill,
  billOf,
  type Bills,
  type Car,
  type Charge,
  type Objections,
  objectionsTo,
  type Parked,
  pay,
  type Points,
  repay,
  type Weighed,
} from './ask.ts'
import { forgetObjection, objectionsPart } from './objection.ts'
import { button, empty, moment, type Page, payButtons, row, sentence, words } from './parts.ts'
import { usingPoints } from './usingPoints.ts'
import { plural } from '../../../platform/contract/plural.ts'

/** As in the contracts' `OrderType`, `OrderStatus` and `PayMethod`. */
const TYPES: Record<number, Text> = {
  1: ['停车费', 'Parking'],
  2: ['补缴', 'Arrears'],
  3: ['月卡', 'Pass'],
  4: ['余额充值', 'Top-up'],
  5: ['充电', 'Charging'],
  6: ['停车预约', 'Reservation'],
  7: ['共享车位', 'Shared bay'],
}
const STATES: Record<number, Text> = {
  0: ['待支付', 'To pay'],
  1: ['支付中', 'Payment pending'],
  2: ['已支付', 'Paid'],
  3: ['免费', 'Free'],
  6: ['部分退款', 'Partly refunded'],
  7: ['已退款', 'Refunded'],
  8: ['已减免', 'Waived'],
}
const STORED = 3
/** As in the contract's `VerifyState`. */
const VERIFIED = 1
const PARKING = 1
const OTHER: Text = ['其他', 'Other']
const KWH = 1000
const MINUTE_MS = 60_000

type Order = Bills['past'][number]
/** The bill that is open: how it adds up, and what was said against it. */
let opened: { bill: Bill; objections: Objections } | undefined

export function billsPart(
  page: Page,
  {
    parked,
    weighed,
    bills,
    charges,
    storedFen,
    points,
    cars,
  }: { parked: Parked[]; weighed: Weighed[][]; bills: Bills; charges: Charge[]; storedFen: number; points: Points; cars: readonly Car[] },
): Node[] {
  const { debts, open, past } = bills
  // Other orders of a parked car (a shared bay's overrun) stand with it; then it is paid neither from the balance nor with points.
  const beside = (orderNo: string | null) => open.some((one) => one.orderNo === orderNo)
  return [
    ...parked.map((one, i) => parkedNow(page, one, weighed[i] ?? [], beside(one.orderNo) ? { storedFen: 0 } : { storedFen, points })),
    debts.length > 0 && debtsOf(page, debts),
    ...open.filter(({ orderNo }) => !parked.some((one) => one.orderNo === orderNo)).map((one) => toPay(page, one, points)),
    parked.length + debts.length + open.length === 0 && empty(['没有待支付的账单', 'Nothing to pay']),
    !cars.some(({ verifyState }) => verifyState === VERIFIED) && toBind(cars.length > 0),
    past.length > 0 && node('section', {}, heading(['历史账单', 'Past bills']), node('ul', {}, ...past.map((one) => earlier(page, one)))),
    charges.length > 0 && node('section', {}, heading(['充电订单', 'Charging sessions']), node('ul', {}, ...charges.map(chargeLine))),
  ].filter((part) => part !== false)
}
/** Bills are those of verified cars: whoever has none is told why there is nothing to see, and where that changes. */
const toBind = (waits: boolean) =>
  node(
    'section',
    {},
    words(
      waits
        ? ['车辆通过认证后，这里显示它的停车账单和历史记录。', 'Once your car is verified, its bills and past stays appear here.']
        : ['绑定车牌并通过认证后，这里显示它的停车账单和历史记录。', 'Add your plate and have it verified to see its bills and past stays here.'],
      'aside',
    ),
    node('a', { href: '#cars', textContent: say(waits ? ['查看认证进度', 'See how the review stands'] : ['去绑定车牌', 'Add a plate']) }),
  )
const heading = (text: Text) => node('h3', { textContent: say(text) })

function parkedNow(page: Page, one: Parked, coupons: readonly Weighed[], { storedFen, points }: { storedFen: number; points?: Points }): HTMLElement {
  const { orderNo, parkCode, dueFen } = one
  const using = points && orderNo !== null && dueFen > 0 ? usingPoints(page, points, { orderNo, parkCode, fen: dueFen }) : undefined
  const leftFen = dueFen - (using?.fen ?? 0)
  const shown = parkedBill(one, {
    busy: page.busy,
    pointsFen: using?.fen ?? 0,
    pay: (_, payMethod) =>
      page.doing(async () => {
        const { payUrl } = await (using?.start(payMethod) ?? pay(orderNo!, payMethod))
        if (payUrl) location.assign(payUrl)
      }),
    again: () => page.doing(async () => {}),
  })
  shown.querySelector('h2')!.after(words([`${one.parkName} · ${moment(one.since)} 入场`, `${one.parkName} · entered ${moment(one.since)}`], 'aside'))
  if (coupons.length > 0) shown.querySelector('dl')?.after(couponsOf(coupons))
  if (using) shown.querySelector('button')?.before(...using.parts)
  if (using && leftFen > 0 && storedFen >= leftFen)
    shown.append(
      button([`余额支付 ${yuan(leftFen)}`, `Pay ${yuan(leftFen)} from balance`], page, () => page.doing(() => using.start(STORED)), 'second'),
    )
  return shown
}

/** As in the contract's `Verdict`. */
const WHY: Record<number, Text> = {
  1: ['已选用', 'Chosen'],
  2: ['优惠更少', 'Smaller discount'],
  3: ['不可叠加', 'Does not stack'],
  4: ['未达门槛', 'Below the minimum'],
  5: ['本场不适用', 'Not valid at this car park'],
  6: ['车型不适用', 'Not for this vehicle'],
  7: ['不在使用时段', 'Outside its hours'],
  8: ['未到有效期', 'Not valid yet'],
  9: ['已用于其他账单', 'Used on another bill'],
  10: ['当前无费用', 'Nothing to pay now'],
}
/** The bill takes the best by itself; beside it stands what there is else, and why it is not taken. */
const couponsOf = (coupons: readonly Weighed[]): HTMLElement =>
  node(
    'details',
    {},
    node('summary', { textContent: say([`优惠券 ${coupons.length} 张`, `${coupons.length} ${plural(coupons.length, 'coupon')}`]) }),
    node(
      'dl',
      {},
      ...coupons.map(({ name, verdict, aloneFen, togetherFen }) =>
        row(`${name} · ${say(WHY[verdict] ?? OTHER)}`, yuan(-(togetherFen || aloneFen)), togetherFen > 0 ? '' : 'aside'),
      ),
    ),
  )

function debtsOf(page: Page, debts: Bills['debts']): HTMLElement {
  const all = debts.reduce((sum, { owedFen }) => sum + owedFen, 0)
  const line = (one: Bills['debts'][number]) =>
    node(
      'div',
      {},
      node(
        'dt',
        {},
        `${one.plateNo ?? ''} ${one.parkName ?? ''}`,
        node('small', { textContent: one.leftAt ? moment(one.leftAt) : say(TYPES[one.orderType] ?? OTHER) }),
      ),
      node('dd', { textContent: yuan(one.owedFen) }),
    )
  // Debts of one vehicle are one payment.
  const plates = [...new Set(debts.map(({ plateNo }) => plateNo))]
  return node(
    'section',
    { className: 'owed' },
    heading(['欠费待补缴', 'Arrears to pay']),
    node('p', { className: 'due', textContent: yuan(all) }),
    node('dl', {}, ...debts.map(line)),
    ...plates.flatMap((plateNo) => {
      const own = debts.filter((one) => one.plateNo === plateNo)
      const fen = own.reduce((sum, { owedFen }) => sum + owedFen, 0)
      return [
        plates.length > 1 && words([`${plateNo} 共 ${own.length} 笔`, `${plateNo}: ${own.length} ${plural(own.length, 'fee')}`], 'aside'),
        ...payButtons(page, fen, (way) =>
          repay(
            own.map(({ id }) => id),
            fen,
            way,
          ),
        ),
      ]
    }),
  )
}

const titleOf = ({ type, parkName }: Order) => [say(TYPES[type] ?? OTHER), parkName].filter(Boolean).join(' · ')
function toPay(page: Page, one: Order, points: Points): HTMLElement {
  const using = one.type === PARKING ? usingPoints(page, points, { ...one, fen: one.payableFen }) : undefined
  const leftFen = one.payableFen - (using?.fen ?? 0)
  return node(
    'section',
    {},
    heading(['待支付', 'To pay']),
    words([titleOf(one), titleOf(one)]),
    node('p', { className: 'due', textContent: yuan(leftFen) }),
    node('p', { className: 'aside', textContent: [one.plateNo, moment(one.createdAt)].filter(Boolean).join(' · ') }),
    ...(using?.parts ?? []),
    ...(leftFen > 0 ? payButtons(page, leftFen, using?.start ?? ((way) => pay(one.orderNo, way))) : []),
  )
}

function earlier(page: Page, one: Order): HTMLElement {
  const { orderNo } = one
  const isOpen = opened?.bill.orderNo === orderNo
  const open = async () => {
    const [bill, objections] = await Promise.all([billOf(orderNo), objectionsTo(orderNo)])
    opened = { bill, objections }
  }
  const toggle = () => {
    forgetObjection()
    if (!isOpen) return page.doing(open)
    opened = undefined
    page.redraw()
  }
  const head = node(
    'button',
    { type: 'button', className: 'line', ariaExpanded: String(isOpen), disabled: page.busy, onclick: toggle },
    node('span', {}, titleOf(one), node('small', { textContent: [one.plateNo, moment(one.payTime ?? one.createdAt)].filter(Boolean).join(' · ') })),
    node('span', { className: 'sum' }, yuan(one.paidFen), node('small', { textContent: say(STATES[one.status] ?? OTHER) })),
  )
  if (!isOpen || !opened) return node('li', {}, head)
  const { bill, objections } = opened
  return node(
    'li',
    {},
    head,
    whyOf(bill),
    objectionsPart(page, orderNo, objections, (now) => (opened = { bill, objections: now })),
  )
}
/** How a bill adds up, line by line. */
const whyOf = ({ arrivedAt, leftAt, lines, receivableFen, discountFen, paidFen, pointsFen, refundFen, ruleName, orderNo }: Bill): HTMLElement =>
  node(
    'dl',
    {},
    arrivedAt !== null && row(say(['入场', 'Entered']), moment(arrivedAt), 'aside'),
    leftAt !== null && row(say(['离场', 'Left']), moment(leftAt), 'aside'),
    arrivedAt !== null &&
      leftAt !== null &&
      row(say(['停放', 'Parked']), lasting(Math.floor((Date.parse(leftAt) - Date.parse(arrivedAt)) / MINUTE_MS)), 'aside'),
    ...lines.map(({ zh, en, amountFen }) => row(say([zh, en]), yuan(amountFen))),
    row(say(['停车费', 'Fee']), yuan(receivableFen)),
    discountFen > 0 && row(say(['优惠', 'Discount']), yuan(-discountFen)),
    row(say(['实付', 'Paid']), yuan(paidFen), 'sum'),
    pointsFen > 0 && row(say(['其中积分抵扣', 'Paid with points']), yuan(pointsFen), 'aside'),
    refundFen > 0 && row(say(['已退', 'Refunded']), yuan(refundFen)),
    ruleName !== null && sentence(say(['收费规则', 'Fee rule']), ruleName, 'aside'),
    row(say(['订单号', 'Order']), orderNo, 'aside'),
  )
const chargeLine = ({ stationName, startTime, energyWh, costFen, plateNo }: Charge): HTMLElement =>
  node(
    'li',
    { className: 'line' },
    node('span', {}, stationName, node('small', { textContent: [plateNo, moment(startTime)].filter(Boolean).join(' · ') })),
    node(
      'span',
      { className: 'sum' },
      yuan(costFen),
      node('small', { textContent: say([`${(energyWh / KWH).toFixed(2)} 度`, `${(energyWh / KWH).toFixed(2)} kWh`]) }),
    ),
  )
