import { node } from '../driver/node.ts'
import { say, yuan } from '../driver/say.ts'
import { ways } from '../driver/ways.ts'
import { alarm } from './signIn.ts'

const USUAL_FEN = [10_000, 20_000, 50_000, 100_000, 200_000, 500_000]
const FEN = 100
const LEAST_FEN = 100
const MOST_FEN = 5_000_000

export interface Recharging {
  usedFen: number
  amountFen: number
  busy: boolean
  trouble: string
  choose(fen: number): void
  pay(payMethod: number): void
  back(): void
}
/** How much, then by which app: the page of the channel follows, and the balance when it is paid. */
export function rechargePage({ usedFen, amountFen, busy, trouble, choose, pay, back }: Recharging): Node[] {
  const own = node('input', {
    type: 'text',
    inputMode: 'decimal',
    value: USUAL_FEN.includes(amountFen) ? '' : String(amountFen / FEN),
    placeholder: say(['其他金额（元）', 'Other amount (yuan)']),
    ariaLabel: say(['其他金额（元）', 'Other amount (yuan)']),
  })
  own.addEventListener('change', () => {
    const fen = Math.round(Number(own.value) * FEN)
    if (Number.isFinite(fen) && fen >= LEAST_FEN && fen <= MOST_FEN) choose(fen)
    else own.focus()
  })
  const one = (fen: number) =>
    node('button', {
      type: 'button',
      className: 'second',
      ariaPressed: String(fen === amountFen),
      textContent: yuan(fen),
      onclick: () => choose(fen),
    })
  return [
    node(
      'section',
      {},
      node('h2', { textContent: say(['充值', 'Recharge']) }),
      usedFen > 0 &&
        node('p', {
          className: 'aside',
          textContent: say([`先归还已用授信 ${yuan(usedFen)}，余下计入余额`, `Used credit of ${yuan(usedFen)} is repaid first; the rest is balance`]),
        }),
      node('div', { className: 'recharge-amounts', role: 'group', ariaLabel: say(['充值金额', 'Amount']) }, ...USUAL_FEN.map(one)),
      own,
      alarm(trouble),
      ...ways.map(({ payMethod, text }, at) =>
        node('button', {
          type: 'button',
          className: at === 0 ? 'main' : 'second',
          disabled: busy,
          textContent: `${say(text)} ${yuan(amountFen)}`,
          onclick: () => pay(payMethod),
        }),
      ),
    ),
    node('button', { type: 'button', className: 'quiet', textContent: say(['返回', 'Back']), onclick: back }),
  ]
}
