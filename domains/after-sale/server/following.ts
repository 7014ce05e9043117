import type { Id, Instant } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { OPEN_STATES, OrderEvent, OrderState } from '../contract/workOrder.ts'
import { closeOrder } from './closing.ts'
import { type By, lockOrder, moveOrder, type Order, setState, SYSTEM } from './row.ts'

/** How the matter stands where it is seen to. */
export type Standing = { is: 'waiting' } | { is: 'inHand'; who: Who } | { is: 'over'; who: Who | undefined; opinion: string }
interface Who {
  id: Id<'PersonId'>
  name: string
}
interface Told {
  by: string
  at: Instant
}
const isOpen = ({ state }: Order) => OPEN_STATES.some((one) => one === state)

/**
 * The matter of an order is seen to by a record of its own, a repair: the order goes along, so that nobody is reminded of work in hand, and ends with it. The person who
 * accepted the repair confirmed
 * it: nobody is asked once more. An order closed or cancelled by hand stays so.
 */
export async function followOrder(tx: Tx, id: string, standing: Standing, { by, at }: Told): Promise<void> {
  const order = await lockOrder(tx, id)
  const said = { by: { ...SYSTEM, userName: by }, at }
  if (standing.is === 'over') return end(tx, order, standing, said)
  if (!isOpen(order)) return
  if (standing.is === 'waiting') {
    if (order.assigneeId === null) return
    await setState(tx, order, OrderState.returned, OrderEvent.return, { assigneeId: null, assigneeName: null }, said)
    return
  }
  const { who } = standing
  if (order.state === OrderState.working && order.assigneeId === who.id) return
  await setState(tx, order, OrderState.working, OrderEvent.start, { ...of(who), respondedAt: order.respondedAt ?? at }, { ...said, whom: who.name })
}

const of = ({ id, name }: Who) => ({ assigneeId: id, assigneeName: name })
/** An order that nobody ever had in hand, a device that was scrapped at once, is cancelled. */
async function end(tx: Tx, order: Order, { who, opinion }: Extract<Standing, { is: 'over' }>, said: { by: By; at: Instant }): Promise<void> {
  const { by, at } = said
  const told = { ...said, opinion }
  const had = order.assigneeId === null ? who && of(who) : {}
  if (isOpen(order) && !had) return void (await setState(tx, order, OrderState.cancelled, OrderEvent.cancel, {}, told))
  const solved = isOpen(order) ? await setState(tx, order, OrderState.solved, OrderEvent.solve, { solvedAt: at, ...had }, told) : order
  if (solved.state !== OrderState.solved) return
  if (solved.contact) await closeOrder(tx, solved, by, at)
  else await moveOrder(tx, solved, 'close', { closedAt: at }, said)
}
