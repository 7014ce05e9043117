import { Ecc, QrCode } from '@rc-component/qrcode/es/libs/qrcodegen.js'
import { node } from '../driver/node.ts'
import { clock, say } from '../driver/say.ts'
import type { Code } from './ask.ts'

const QUIET = 4
const SVG = 'http://www.w3.org/2000/svg'

/** The code of one coupon: the guest scans it with their own telephone. */
export function codePage({ path, name, expiresAt }: Code, again: () => void, back: () => void): Node[] {
  const over = Date.parse(expiresAt) <= Date.now()
  return [
    node(
      'section',
      { className: 'code' },
      node('h2', { textContent: name }),
      over ? node('p', { role: 'alert', textContent: say(['二维码已过期', 'The code has expired']) }) : drawn(new URL(path, location.origin).href),
      !over &&
        node('p', {
          className: 'aside',
          textContent: say([
            `请顾客扫码领取，${clock(expiresAt)} 前有效，只能用一次`,
            `Ask your customer to scan this code. It works once, until ${clock(expiresAt)}`,
          ]),
        }),
      node('button', { type: 'button', className: 'second', textContent: say(['换一个二维码', 'New code']), onclick: again }),
      node('button', { type: 'button', className: 'quiet', textContent: say(['返回', 'Back']), onclick: back }),
    ),
  ]
}
function drawn(text: string): SVGElement {
  const modules = QrCode.encodeText(text, Ecc.MEDIUM).getModules()
  const size = modules.length + QUIET * 2
  const picture = document.createElementNS(SVG, 'svg')
  for (const [name, value] of Object.entries({
    viewBox: `0 0 ${size} ${size}`,
    role: 'img',
    'aria-label': say(['领券二维码', 'Coupon code']),
    'shape-rendering': 'crispEdges',
  }))
    picture.setAttribute(name, value)
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join(''))
  picture.append(path)
  return picture
}
