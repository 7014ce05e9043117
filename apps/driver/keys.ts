import { PROVINCES } from '../../platform/contract/plate.ts'
import { node } from './node.ts'
import { say } from './say.ts'

/** I and O are on no plate: they would be read as 1 and 0. */
const SIGNS = '1234567890QWERTYUPASDFGHJKLZXCVBNM'
const ENDINGS = '警学领港澳挂使应急'
/** The longest plate, of a new-energy car. */
export const PLATE_MAX = 8

/** The keypad below the plate: provinces first, then what may stand at the place that is next. */
export function keys(typed: string, put: (next: string) => void): HTMLElement {
  const signs = typed === '' ? PROVINCES : SIGNS
  const key = (sign: string) => node('button', { type: 'button', textContent: sign, onclick: () => put(`${typed}${sign}`.slice(0, PLATE_MAX)) })
  return node(
    'div',
    { className: 'keys', role: 'group', ariaLabel: say(['车牌键盘', 'Plate keypad']) },
    ...[...signs].map(key),
    ...(typed.length >= ENDING_FROM ? [...ENDINGS].map(key) : []),
    node('button', {
      type: 'button',
      className: 'back',
      ariaLabel: say(['删除', 'Delete']),
      textContent: '⌫',
      onclick: () => put(typed.slice(0, -1)),
    }),
  )
}
/** Words stand at the end of a plate only. */
const ENDING_FROM = 5
