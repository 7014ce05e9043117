import { node } from './node.ts'
import { clock, lasting, moment, say, yuan } from './say.ts'
import { ways } from './ways.ts'
import type { Bill } from './ask.ts'

/** As in the contract's `DriverState`. */
const [TO_PAY, PAYING, FREE, LEAVE, , CHECKING] = [1, 2, 3, 4, 5, 6]

interface Doing {
  busy: boolean
  /** The part of the fee that points pay, in fen. */
  pointsFen?: number
  pay(orderNo: string, payMethod: number): void
  again(): void
}
/** The bill of a car with its reasons, and the driver's actions on it. */
export const bill = (of: Bill, doing: Doing): HTMLElement =>
  node(
    'section',
    { className: 'bill' },
    node('h2', { textContent: of.plateNo }),
    of.since !== null && of.parkedMin !== null && node('p', { className: 'aside', textContent: sinceWhen(of.since, of.parkedMin) }),
    node('p', { className: `told s${of.state}`, role: 'status', textContent: stateOf(of) }),
    of.dueFen > 0 && node('p', { className: 'due', textContent: yuan(of.dueFen - (doing.pointsFen ?? 0)) }),
    of.goodUntil !== null &&
      node('p', { className: 'aside', textContent: say([`金额有效至 ${clock(of.goodUntil)}`, `Valid until ${clock(of.goodUntil)}`]) }),
    of.unaskedFen > 0 && node('p', { className: 'aside', textContent: unasked(of) }),
    of.helpPhone !== null && node('p', {}, say(['值班电话 ', 'Attendant: ']), node('a', { href: `tel:${of.helpPhone}`, textContent: of.helpPhone })),
    lines(of, doing.pointsFen ?? 0),
    ...acts(of, doing),
  )

const sinceWhen = (since: string, minutes: number) =>
  say([`${moment(since)} 入场，已停 ${lasting(minutes)}`, `Entered ${moment(since)}, parked for ${lasting(minutes)}`])

function stateOf({ state, leaveBy }: Bill): string {
  if (state === TO_PAY) return say(['待缴费', 'To pay'])
  if (state === PAYING) return say(['正在等待支付结果', 'Waiting for the payment result'])
  if (state === FREE) return say(['目前无需缴费，可直接离场', 'Nothing to pay: you may leave'])
  if (state === LEAVE && leaveBy) return say([`已缴费，请在 ${clock(leaveBy)} 前离场`, `Paid: leave by ${clock(leaveBy)}`])
  if (state === CHECKING)
    return say([
      '费用正在核对，请先不要付款；稍后刷新本页，或联系值班人员',
      'We are checking your fee, so please don’t pay yet. Refresh in a minute or ask the attendant',
    ])
  return say(['请联系值班人员', 'Ask the attendant'])
}

/** Money beyond what was asked: what becomes of it. */
function unasked({ unaskedFen, backFen }: Bill): string {
  const back = yuan(backFen)
  const [zh, en] =
    backFen === unaskedFen
      ? ['已退回', 'has been returned']
      : backFen > 0
        ? [`将退回，已退 ${back}`, `will be returned, ${back} of it so far`]
        : ['将退回', 'will be returned']
  return say([`另收到的 ${yuan(unaskedFen)} 不抵停车费，${zh}`, `Another ${yuan(unaskedFen)} did not count towards the fee and ${en}`])
}

function lines({ lines: parts, discountFen, paidFen, dueFen, ruleName }: Bill, pointsFen: number): HTMLElement | false {
  if (parts.length === 0) return false
  const row = (text: string, fen: number, className = '') =>
    node('div', { className }, node('dt', { textContent: text }), node('dd', { textContent: yuan(fen) }))
  return node(
    'dl',
    {},
    ...parts.map(({ zh, en, amountFen }) => row(say([zh, en]), amountFen)),
    discountFen > 0 && row(say(['优惠', 'Discount']), -discountFen),
    paidFen > 0 && row(say(['已付', 'Paid']), -paidFen),
    pointsFen > 0 && row(say(['积分抵扣', 'Paid with points']), -pointsFen),
    dueFen > 0 && row(say(['待付', 'To pay']), dueFen - pointsFen, 'sum'),
    ruleName !== null && node('div', { className: 'aside' }, node('dt', { textContent: say([`收费规则：${ruleName}`, `Fee rule: ${ruleName}`]) })),
  )
}

function acts({ dueFen, orderNo, state }: Bill, { busy, pointsFen = 0, pay, again }: Doing): Node[] {
  const look = node('button', { type: 'button', className: 'quiet', disabled: busy, textContent: say(['刷新', 'Refresh']), onclick: again })
  if (dueFen === 0 || orderNo === null) return state === FREE || state === CHECKING ? [look] : []
  if (pointsFen === dueFen) return [look]
  const buttons = ways.map(({ payMethod, text }, i) =>
    node('button', {
      type: 'button',
      className: i === 0 ? 'main' : 'second',
      disabled: busy,
      textContent: `${say(text)} ${yuan(dueFen - pointsFen)}`,
      onclick: () => pay(orderNo, payMethod),
    }),
  )
  return [...buttons, look]
}
