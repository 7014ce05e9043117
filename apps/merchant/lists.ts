import { node } from '../driver/node.ts'
import { clock, say, type Text, yuan } from '../driver/say.ts'
import type { Day, Given, WholeDay } from './ask.ts'

/** As in the contract's `DeskState`. */
const STATES: Readonly<Record<number, Text>> = {
  1: ['待使用', 'Unused'],
  2: ['结算中', 'In payment'],
  3: ['已使用', 'Used'],
  4: ['已过期', 'Expired'],
  5: ['已撤回', 'Withdrawn'],
}
const ISSUED = 1
/** As in the contract's `BalanceKind`. */
const KINDS: Readonly<Record<number, Text>> = {
  1: ['充值', 'Recharge'],
  2: ['购券', 'Coupons bought'],
  3: ['退券', 'Coupons returned'],
  4: ['核销', 'Used coupons'],
  5: ['过期退回', 'Expired, returned'],
}
const told = (of: Readonly<Record<number, Text>>, code: number) => say(of[code] ?? ['其他', 'Other'])

export function givenPage(all: readonly Given[], busy: boolean, takeBack: (one: Given) => void): Node[] {
  if (all.length === 0) return [empty(say(['今天还没有发券', 'No coupons issued today']))]
  const row = (one: Given) =>
    node(
      'li',
      {},
      node('div', {}, node('b', { textContent: one.plateNo }), node('span', { textContent: one.name })),
      node(
        'div',
        { className: 'end' },
        node('span', { textContent: told(STATES, one.state) + (one.deductedFen === null ? '' : ` ${yuan(one.deductedFen)}`) }),
        node('small', { textContent: clock(one.issuedAt) }),
      ),
      one.state === ISSUED &&
        node('button', {
          type: 'button',
          className: 'quiet',
          disabled: busy,
          ariaLabel: `${say(['撤回', 'Withdraw'])} ${one.plateNo}`,
          textContent: say(['撤回', 'Withdraw']),
          onclick: () => takeBack(one),
        }),
    )
  return [node('ul', {}, ...all.map(row))]
}
const empty = (text: string) => node('section', {}, node('p', { className: 'aside', textContent: text }))

export function daysPage(all: readonly Day[], open: (day: string) => void): Node[] {
  if (all.length === 0) return [empty(say(['还没有对账单', 'No statements yet']))]
  const row = ({ day, closingFen, confirmedAt }: Day) =>
    node(
      'li',
      {},
      node(
        'button',
        { type: 'button', className: 'row', onclick: () => open(day) },
        node('b', { textContent: day }),
        node('span', { textContent: `${say(['期末', 'Closing'])} ${yuan(closingFen)}` }),
        node('small', { textContent: confirmedAt === null ? say(['未确认', 'Not confirmed']) : say(['已确认', 'Confirmed']) }),
      ),
    )
  return [node('ul', {}, ...all.map(row))]
}

/** Opening and every line are the closing. */
export function dayPage(of: WholeDay, back: () => void): Node[] {
  const row = (text: string, value: string, className = '') =>
    node('div', { className }, node('dt', { textContent: text }), node('dd', { textContent: value }))
  const counts = say([
    `发放 ${of.issued} · 使用 ${of.used} · 撤回 ${of.withdrawn} · 过期 ${of.expired}`,
    `Issued ${of.issued} · used ${of.used} · withdrawn ${of.withdrawn} · expired ${of.expired}`,
  ])
  const left = of.lineCount - of.lines.length
  const more = say([`另有 ${left} 笔未显示，已计入期末余额`, `${left} more not shown; included in the closing balance`])
  return [
    node(
      'section',
      {},
      node('h2', { textContent: of.day }),
      node('p', { className: 'aside', textContent: counts }),
      node(
        'dl',
        {},
        row(say(['期初余额', 'Opening balance']), yuan(of.openingFen)),
        ...of.lines.map(({ kind, amountFen, at }) => row(`${clock(at)} ${told(KINDS, kind)}`, yuan(amountFen))),
        left > 0 && row(more, '', 'aside'),
        row(say(['期末余额', 'Closing balance']), yuan(of.closingFen), 'sum'),
      ),
    ),
    node('button', { type: 'button', className: 'quiet', textContent: say(['返回', 'Back']), onclick: back }),
  ]
}
