import { asSaid } from '../../../domains/share/contract/windows.ts'
import { picker } from '../picker.ts'
import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import { offerBay, type OwnBay, type OwnBays, ownBays, payOutBays, proveBay, turnBay } from './ask.ts'
import { button, choice, empty, moment, type Page, row, words } from './parts.ts'

/** As in the contract's `OfferState`, `BookingState` and `PayoutState`. */
const [WAITING, OFFERED, WITHDRAWN, PAUSED, REJECTED] = [0, 1, 2, 3, 4]
const STATES: Record<number, Text> = {
  0: ['待审核', 'Under review'],
  1: ['共享中', 'On offer'],
  2: ['已下架', 'Withdrawn'],
  3: ['已暂停', 'Paused'],
  4: ['未通过', 'Rejected'],
}
const ORDERS: Record<number, Text> = {
  0: ['待支付', 'To pay'],
  1: ['已预约', 'Booked'],
  2: ['使用中', 'In use'],
  3: ['已完成', 'Completed'],
  4: ['已取消', 'Cancelled'],
  5: ['未到', 'No-show'],
  6: ['超时', 'Overrun'],
  7: ['已退款', 'Refunded'],
}
const PAYOUTS: Record<number, Text> = {
  0: ['待审核', 'Under review'],
  1: ['待打款', 'Awaiting transfer'],
  2: ['打款中', 'Transfer in progress'],
  3: ['已到账', 'Paid'],
  4: ['打款失败', 'Failed'],
  5: ['已驳回', 'Rejected'],
}
const DAYS: readonly Text[] = [
  ['周一', 'Mon'],
  ['周二', 'Tue'],
  ['周三', 'Wed'],
  ['周四', 'Thu'],
  ['周五', 'Fri'],
  ['周六', 'Sat'],
  ['周日', 'Sun'],
]
const WORKDAYS = [1, 2, 3, 4, 5]
const PROOF_MAX = 3
const PAYOUT_MIN_FEN = 1_000
const CENTS = 100

/** The driver's own bays; undefined while the part is closed. */
let known: OwnBays | undefined
let adding: { parkCode: string; seatNo: string; days: readonly number[]; from: string; to: string } | undefined
let proof: File[] = []
/** The bay that is about to be withdrawn. */
let asked: string | undefined
let paying: { yuan: string; bank: string } | undefined

export const seesBays = (): boolean => known !== undefined
export const openBays = async (): Promise<void> => void (known = await ownBays())
export function closeBays(): void {
  ;[known, adding, asked, paying] = [undefined, undefined, undefined, undefined]
}
const doing = (page: Page, work: () => Promise<unknown>) => page.looking(async () => void (await work(), await openBays()))

export function baysPart(page: Page): Node[] {
  const { bays, parks, orders, balanceFen, payouts } = known!
  if (adding) return addForm(page, parks)
  const begin = () => (
    (adding = { parkCode: parks[0]!.parkCode, seatNo: '', days: WORKDAYS, from: '08:00', to: '18:00' }),
    (proof = []),
    page.redraw()
  )
  return [
    parks.length > 0
      ? button(['登记共享车位', 'Share a bay'], page, begin, 'main')
      : words(['暂无开放共享的车场', 'No car park is open for sharing yet'], 'aside'),
    ...(bays.length > 0
      ? bays.map((one) => bayCard(page, one))
      : [
          empty([
            '还没有共享车位。空闲时段出租，按分成入账。',
            'No shared bays yet. Rent out your bay while you are away and get a share of each booking.',
          ]),
        ]),
    (bays.length > 0 || balanceFen > 0) && money(page, balanceFen, payouts),
    orders.length > 0 &&
      node('section', {}, node('h3', { textContent: say(['我的车位订单', 'My bay orders']) }), node('ul', {}, ...orders.map(orderLine))),
    button(['返回', 'Back'], page, () => (closeBays(), page.redraw()), 'quiet'),
  ].filter((one) => one !== false)
}

/** Days that are open at the same hours are one line. */
function hoursOf(windows: OwnBay['windows']): string[] {
  const byHours = new Map<string, number[]>()
  for (const { day, from, to } of asSaid(windows)) {
    const hours = to > from ? `${from}–${to}` : say([`${from}–次日 ${to}`, `${from}–${to} next day`])
    byHours.set(hours, [...(byHours.get(hours) ?? []), day])
  }
  return [...byHours].map(
    ([hours, days]) =>
      `${days.length === DAYS.length ? say(['每天', 'Every day']) : days.map((day) => say(DAYS[day - 1]!)).join(say(['、', ', ']))} ${hours}`,
  )
}
function bayCard(page: Page, one: OwnBay): HTMLElement {
  const { id, parkName, seatNo, status, windows, splitPermille, reason, booked, pictures } = one
  const turn = (to: number, text: Text) => button(text, page, () => doing(page, () => turnBay(one, to)))
  const add = (files: File[]) => doing(page, () => sendProof(one, files))
  return node(
    'section',
    {},
    node('h2', { textContent: `${parkName} · ${seatNo}` }),
    node('p', {
      className: `told s${status === OFFERED ? 3 : status === REJECTED ? 5 : 0}`,
      textContent: say(STATES[status] ?? ['', '']) + (reason === null ? '' : ` · ${reason}`),
    }),
    node(
      'dl',
      {},
      ...hoursOf(windows).map((hours, i) => row(i === 0 ? say(['开放时段', 'Open']) : '', hours)),
      row(say(['我的分成', 'My share']), `${splitPermille / 10}%`),
      booked > 0 && row(say(['进行中的预约', 'Upcoming bookings']), String(booked)),
    ),
    status === WAITING &&
      words([`权属证明 ${pictures} 张，运营方审核后上架`, `Proof pictures: ${pictures}. Goes on offer after the operator’s review.`], 'aside'),
    status === WAITING &&
      pictures < PROOF_MAX &&
      node('label', { className: 'field' }, node('span', { textContent: say(['补充权属证明', 'Add proof pictures']) }), picker(page.busy, add)),
    asked === id
      ? node(
          'div',
          { className: 'chips' },
          words(['下架后不能恢复，需重新登记。确定下架？', 'A withdrawn bay cannot be restored; you must register it again. Withdraw it?']),
          button(['确定下架', 'Yes, withdraw'], page, () => doing(page, async () => void (await turnBay(one, WITHDRAWN), (asked = undefined)))),
          button(['保留', 'Keep it'], page, () => ((asked = undefined), page.redraw())),
        )
      : (status === OFFERED || status === PAUSED) &&
          node(
            'div',
            { className: 'chips' },
            status === OFFERED ? turn(PAUSED, ['暂停', 'Pause']) : turn(OFFERED, ['恢复', 'Resume']),
            button(['下架', 'Withdraw'], page, () => ((asked = id), page.redraw())),
          ),
  )
}
async function sendProof(bay: OwnBay, files: readonly File[]): Promise<void> {
  for (const file of files.slice(0, PROOF_MAX - bay.pictures)) await proveBay(bay, file)
}

/** The price of an hour there, and the owner's share of it. */
function bringsOf({ priceFen, splitPermille }: OwnBays['parks'][number]): Text {
  const percent = `${splitPermille / 10}%`
  if (priceFen === null) return [`您的分成 ${percent}`, `Your share: ${percent}`]
  const own = yuan(Math.floor((priceFen * splitPermille) / 1000))
  return [`每小时 ${yuan(priceFen)}，您的分成 ${percent}，即 ${own}`, `${yuan(priceFen)} an hour; your share is ${percent}, ${own}`]
}
function addForm(page: Page, parks: OwnBays['parks']): Node[] {
  const chosen = adding!
  const park = parks.find(({ parkCode }) => parkCode === chosen.parkCode)!
  const field = (name: Text, input: HTMLInputElement) => node('label', {}, node('span', { textContent: say(name) }), input)
  const clock = (name: Text, key: 'from' | 'to') => {
    const input = node('input', { type: 'time', value: chosen[key], required: true, disabled: page.busy, ariaLabel: say(name) })
    input.addEventListener('input', () => (chosen[key] = input.value))
    return field(name, input)
  }
  const seat = node('input', { value: chosen.seatNo, maxLength: 24, required: true, disabled: page.busy, ariaLabel: say(['车位号', 'Bay']) })
  seat.addEventListener('input', () => (chosen.seatNo = seat.value.trim()))
  const send = node('button', {
    type: 'submit',
    className: 'main',
    disabled: page.busy || chosen.days.length === 0,
    textContent: say(['提交审核', 'Submit for review']),
  })
  // Nothing is drawn anew: whoever ticks by keyboard stays where they are.
  const day = (text: Text, i: number) => {
    const box = node('input', { type: 'checkbox', checked: chosen.days.includes(i + 1), disabled: page.busy })
    box.addEventListener('change', () => {
      chosen.days = DAYS.map((_, of) => of + 1).filter((one) => (one === i + 1 ? box.checked : chosen.days.includes(one)))
      send.disabled = page.busy || chosen.days.length === 0
    })
    return node('label', { className: 'day' }, box, say(text))
  }
  const onsubmit = (event: Event) => {
    event.preventDefault()
    const { parkCode, seatNo, days, from, to } = chosen
    doing(page, async () => {
      const made = await offerBay({ parkCode, seatNo, windows: days.map((one) => ({ day: one, from, to })) })
      adding = undefined
      await sendProof(made, proof)
    })
  }
  return [
    node(
      'form',
      { onsubmit },
      node(
        'section',
        {},
        choice(
          page,
          ['车场', 'Car park'],
          parks.map(({ parkName }) => parkName),
          park.parkName,
          (name) => (chosen.parkCode = parks.find(({ parkName }) => parkName === name)!.parkCode),
        ),
        words(bringsOf(park), 'aside'),
        field(['车位号', 'Bay'], seat),
        node('fieldset', {}, node('legend', { textContent: say(['开放日', 'Open days']) }), node('div', { className: 'days' }, ...DAYS.map(day))),
        clock(['开始', 'From'], 'from'),
        clock(['结束', 'To'], 'to'),
        words(['结束不晚于开始的，到次日；两者相同为全天', 'An end no later than the start is on the next day; the same time is all day'], 'aside'),
        node(
          'label',
          { className: 'field' },
          node('span', { textContent: say([`权属证明（最多 ${PROOF_MAX} 张）`, `Proof of ownership (up to ${PROOF_MAX} pictures)`]) }),
          picker(page.busy, (files) => (proof = files)),
        ),
        send,
      ),
    ),
    button(['取消', 'Cancel'], page, () => ((adding = undefined), page.redraw()), 'quiet'),
  ]
}

function money(page: Page, balanceFen: number, payouts: OwnBays['payouts']): HTMLElement {
  const begin = () => ((paying = { yuan: (balanceFen / CENTS).toFixed(2), bank: '' }), page.redraw())
  return node(
    'section',
    {},
    node('h3', { textContent: say(['可提现分成', 'Available for payout']) }),
    node('p', { className: 'due', textContent: yuan(balanceFen) }),
    paying
      ? payForm(page, paying)
      : balanceFen >= PAYOUT_MIN_FEN
        ? button(['申请提现', 'Request a payout'], page, begin, 'second')
        : words([`满 ${yuan(PAYOUT_MIN_FEN)} 可提现`, `Payouts from ${yuan(PAYOUT_MIN_FEN)}`], 'aside'),
    payouts.length > 0 && node('ul', {}, ...payouts.map(payoutLine)),
  )
}
function payForm(page: Page, wanted: { yuan: string; bank: string }): HTMLElement {
  const amount = node('input', {
    value: wanted.yuan,
    inputMode: 'decimal',
    pattern: '[0-9]+([.][0-9]{1,2})?',
    required: true,
    disabled: page.busy,
    ariaLabel: say(['提现金额（元）', 'Amount (yuan)']),
  })
  amount.addEventListener('input', () => (wanted.yuan = amount.value.trim()))
  const bank = node('input', {
    value: wanted.bank,
    maxLength: 64,
    required: true,
    disabled: page.busy,
    ariaLabel: say(['收款账户', 'Bank account for payouts']),
    placeholder: say(['银行、户名和账号', 'Bank, account name and number']),
  })
  bank.addEventListener('input', () => (wanted.bank = bank.value))
  const onsubmit = (event: Event) => {
    event.preventDefault()
    doing(page, async () => void (await payOutBays(Math.round(Number(wanted.yuan) * CENTS), wanted.bank.trim()), (paying = undefined)))
  }
  return node(
    'form',
    { onsubmit },
    node('label', {}, node('span', { textContent: say(['提现金额（元）', 'Amount (yuan)']) }), amount),
    node('label', {}, node('span', { textContent: say(['收款账户', 'Bank account for payouts']) }), bank),
    words(['运营方审核后打款', 'Paid after the operator’s review'], 'aside'),
    node('button', { type: 'submit', className: 'main', disabled: page.busy, textContent: say(['提交', 'Submit']) }),
    button(['取消', 'Cancel'], page, () => ((paying = undefined), page.redraw()), 'quiet'),
  )
}
const line = (what: string, small: string, sum: string, aside: string): HTMLElement =>
  node(
    'li',
    { className: 'line' },
    node('span', {}, what, node('small', { textContent: small })),
    node('span', { className: 'sum' }, sum, node('small', { textContent: aside })),
  )
const payoutLine = ({ payoutNo, amountFen, state, verdict, failure, createdAt }: OwnBays['payouts'][number]) =>
  line(say(PAYOUTS[state] ?? ['', '']), [failure ?? verdict, payoutNo].filter(Boolean).join(' · '), yuan(amountFen), moment(createdAt))
const orderLine = ({ parkName, seatNo, startAt, endAt, state, splitFen, splitAt }: OwnBays['orders'][number]) =>
  line(
    [parkName, seatNo].filter(Boolean).join(' · '),
    `${moment(startAt)} – ${moment(endAt)}`,
    splitAt === null ? '' : `+${yuan(splitFen)}`,
    say(ORDERS[state] ?? ['', '']),
  )
