import { plural } from '../../platform/contract/plural.ts'
import type { Bill } from './ask.ts'
import { appealForm, appealsKept } from './appeal.ts'
import { type Debt, payDebts } from './debtsAsk.ts'
import { node } from './node.ts'
import { moment, say, yuan } from './say.ts'
import { ways } from './ways.ts'
import './debts.css'

interface Doing {
  code: string
  plateNo: string
  /** Whose door shows the driver where and when. */
  company: number | null
  busy: boolean
  /** Says that it is busy, draws, and tells what went wrong. */
  run(work: () => Promise<void>): void
  draw(): void
  gone(ref: string): void
}
/** The debts that the driver does not want to pay now; and the one that the driver disputes. */
const left = new Set<string>()
let withStay = true
let appealed: string | undefined

/** Earlier debts of a car, to be paid together with the present bill or alone, or to be appealed. */
export function debts(owed: readonly Debt[], bill: Bill | undefined, doing: Doing): Node[] {
  const appealing = owed.find(({ ref }) => ref === appealed)
  const close = () => {
    appealed = undefined
    doing.draw()
  }
  if (appealing) return [appealForm(appealing, { ...doing, close })]
  return [...(owed.length > 0 ? [list(owed, bill, doing)] : []), ...appealsKept(doing)]
}

function list(owed: readonly Debt[], bill: Bill | undefined, doing: Doing): HTMLElement {
  const stay = bill && bill.dueFen > 0 && bill.orderNo !== null ? { orderNo: bill.orderNo, dueFen: bill.dueFen } : undefined
  const chosen = owed.filter(({ ref }) => !left.has(ref))
  const together = stay && withStay ? stay : undefined
  const paidFen = chosen.reduce((sum, { owedFen }) => sum + owedFen, 0) + (together?.dueFen ?? 0)
  const pay = (payMethod: number) =>
    doing.run(async () => {
      const refs = chosen.map(({ ref }) => ref)
      const { code, plateNo } = doing
      const { payUrl } = await payDebts({ code, plateNo, debts: refs, paidFen, payMethod, ...(together && { currentOrderNo: together.orderNo }) })
      if (payUrl) location.assign(payUrl)
    })
  const wide =
    owed.length > 1
      ? [`以往欠费 ${owed.length} 笔`, `${owed.length} ${plural(owed.length, 'earlier unpaid fee')}`]
      : ['以往欠费', 'Earlier unpaid fee']
  return node(
    'section',
    { className: 'debts' },
    node('h2', { textContent: say(wide as [string, string]) }),
    ...owed.map((one, i) => line(one, i, doing)),
    doing.company !== null &&
      owed.some((one) => whenOf(one) === '') &&
      node(
        'p',
        { className: 'aside' },
        say(['车场、日期和时间：登录', 'For the car park, day and time, sign in to ']),
        node('a', { href: `/my/${doing.company}`, textContent: say(['我的停车', 'My parking']) }),
      ),
    stay &&
      tick(say(['连同本次停车费一并支付', 'Pay this parking fee too']), stay.dueFen, withStay, doing.busy, (on) => {
        withStay = on
        doing.draw()
      }),
    ...ways.map(({ payMethod, text }, i) =>
      node('button', {
        type: 'button',
        className: i === 0 ? 'main' : 'second',
        disabled: doing.busy || chosen.length === 0,
        textContent: `${say(text)} ${yuan(paidFen)}`,
        onclick: () => pay(payMethod),
      }),
    ),
  )
}

/** Where and when, of the car that stands here; whoever only typed a plate is not told. */
const whenOf = ({ parkName, arrivedAt, leftAt }: Debt): string =>
  [parkName, arrivedAt && leftAt ? `${moment(arrivedAt)} – ${moment(leftAt)}` : leftAt && moment(leftAt)].filter(Boolean).join(' · ')
function line(one: Debt, i: number, doing: Doing): HTMLElement {
  const { ref, owedFen } = one
  const set = (on: boolean) => {
    if (on) left.delete(ref)
    else left.add(ref)
    doing.draw()
  }
  const appealIt = () => {
    appealed = ref
    doing.draw()
  }
  return node(
    'div',
    { className: 'debt' },
    tick(whenOf(one) || say([`欠费 ${i + 1}`, `Fee ${i + 1}`]), owedFen, !left.has(ref), doing.busy, set),
    node('button', { type: 'button', className: 'quiet', disabled: doing.busy, textContent: say(['申诉', 'Appeal']), onclick: appealIt }),
  )
}
function tick(text: string, fen: number, checked: boolean, disabled: boolean, set: (on: boolean) => void): HTMLElement {
  const box = node('input', { type: 'checkbox', checked, disabled, onchange: () => set(box.checked) })
  return node('label', {}, box, node('span', { textContent: text }), node('b', { textContent: yuan(fen) }))
}
