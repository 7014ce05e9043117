import { node } from '../node.ts'
import { moment, say, type Text, yuan } from '../say.ts'
import { ways } from '../ways.ts'

export { moment } from '../say.ts'
/** The last day of what ends at the midnight after it. */
export const lastDay = (endAt: string): string => moment(new Date(Date.parse(endAt) - 1000).toISOString()).slice(0, 10)

/** The state and actions that every part of the page needs: whether work is under way, how to act, how to redraw. */
export interface Page {
  busy: boolean
  /** Does something and looks at everything again; what went wrong is said. */
  doing(work: () => Promise<unknown>): void
  /** Does something that changes nothing else of what is shown. */
  looking(work: () => Promise<unknown>): void
  redraw(): void
}
export const words = (text: Text, className = '') => node('p', { className, textContent: say(text) })
export const button = (text: Text | string, page: Page, onclick: () => void, className = '') =>
  node('button', { type: 'button', className, disabled: page.busy, textContent: typeof text === 'string' ? text : say(text), onclick })
export const row = (name: string, value: string, className = '') =>
  node('div', { className }, node('dt', { textContent: name }), node('dd', { textContent: value }))
/** A sentence where the others have a figure: it goes on in the next line. */
export const sentence = (name: string, text: string, className = '') =>
  node('div', { className }, node('dt', { textContent: name }), node('dd', { className: 'places', textContent: text }))
export const empty = (text: Text) => node('section', { className: 'empty' }, words(text, 'aside'))

/** One button for each way of paying that is at hand here; where there is an address, the telephone goes there. */
export const payButtons = (page: Page, fen: number, start: (payMethod: number) => Promise<{ payUrl: string | null }>): Node[] =>
  ways.map(({ payMethod, text }, i) =>
    button(
      `${say(text)} ${yuan(fen)}`,
      page,
      () =>
        page.doing(async () => {
          const { payUrl } = await start(payMethod)
          if (payUrl) location.assign(payUrl)
        }),
      i === 0 ? 'main' : 'second',
    ),
  )

export const moreOrLess = (page: Page, name: Text, shown: string, value: number, most: number, put: (next: number) => void): HTMLElement => {
  const step = (by: number, sign: string, does: Text) => {
    const made = button(sign, page, () => put(value + by))
    made.ariaLabel = say(does)
    made.disabled ||= value + by < 1 || value + by > most
    return made
  }
  return node(
    'div',
    { className: 'stepper', role: 'group', ariaLabel: say(name) },
    node('span', { textContent: say(name) }),
    step(-1, '−', ['减少', 'Less']),
    node('b', { textContent: shown }),
    step(1, '+', ['增加', 'More']),
  )
}

/** One of several, each a line to press. */
export function choice(page: Page, name: Text, among: readonly string[], chosen: string, put: (one: string) => void): HTMLElement {
  const radio = (one: string) =>
    node(
      'label',
      { className: 'amount' },
      node('input', { type: 'radio', name: name[1], checked: one === chosen, disabled: page.busy, onchange: () => (put(one), page.redraw()) }),
      node('b', { textContent: one }),
    )
  return node('fieldset', {}, node('legend', { textContent: say(name) }), ...among.map(radio))
}
