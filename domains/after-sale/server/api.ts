/**
 * All of after-sale that domains above may call. `report(tx, wanted, at)` opens an order for what a device or a round found, and answers with its number; the same `sourceKey`
 * joins the order that
 * is open. Where a record of one's own sees to it, `followOrder(tx, id, standing, told)` takes the order along and ends it. A caller that need not wait announces
 * `orderWanted`, which does the same in a job; a domain that follows the order listens to `orderMoved`. For callers with a clock of their own: `openOrder` and `handleOrder`
 * are the calls' own steps, `tick(tx, at)` what time does.
 */
export { orderMoved, orderWanted, type Wanted } from './events.ts'
export { tick } from './life.ts'
export { openOrder, report } from './opening.ts'
export { followOrder, type Standing } from './following.ts'
export { handleOrder } from './handling.ts'
