import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import { pay, payWithPoints, type Points } from './ask.ts'
import { button, type Page } from './parts.ts'
import { plural } from '../../../platform/contract/plural.ts'

/** As in the contract's `PayMethod`. */
const POINTS = 11
const WHOLE = 1000

/** A parking fee that is due. */
interface Due {
  orderNo: string
  parkCode: string
  fen: number
}
/** Of which bill points pay a part. */
let chosen: string | undefined

/** How many points may pay of a fee; what is set apart for it already is what it is paid with. */
function mostOf({ usable, laid, parks }: Points, { orderNo, parkCode, fen }: Due): number {
  const apart = laid.find((one) => one.orderNo === orderNo)
  const park = parks.find((one) => one.parkCode === parkCode && one.spend)
  return apart?.points ?? Math.min(usable, Math.floor((fen * (park?.capPermille ?? 0)) / WHOLE))
}

export interface Using {
  /** The part that points pay, in fen. */
  fen: number
  start: (payMethod: number) => Promise<{ payUrl: string | null }>
  /** The choice, and what pays where points are enough for all. */
  parts: Node[]
}
export function usingPoints(page: Page, points: Points, due: Due): Using {
  const most = mostOf(points, due)
  const fen = chosen === due.orderNo ? most : 0
  const text: Text = [`使用 ${most} 积分，抵 ${yuan(most)}`, `Use ${most} ${plural(most, 'point')}, saves ${yuan(most)}`]
  const onchange = () => ((chosen = fen > 0 ? undefined : due.orderNo), page.redraw())
  const box = () => node('input', { type: 'checkbox', checked: fen > 0, disabled: page.busy, ariaLabel: say(text), onchange })
  const start = (payMethod: number) => (fen > 0 ? payWithPoints(due.orderNo, fen, payMethod) : pay(due.orderNo, payMethod))
  return {
    fen,
    start,
    parts: [
      ...(most > 0 ? [node('label', { className: 'switch' }, say(text), box())] : []),
      ...(fen > 0 && fen === due.fen ? [button(['用积分支付', 'Pay with points'], page, () => page.doing(() => start(POINTS)), 'main')] : []),
    ],
  }
}
