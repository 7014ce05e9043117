import type { Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { find, listOver } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { worksOn } from '../../fee/server/api.ts'
import { KeptOrder, orderCan, orderSearch, OrderEvent, OrderState, WorkOrder } from '../contract/workOrder.ts'
import { clockOf, limitsOf, type Pause, type Works, workMinutes } from './clock.ts'
import { orderMoved } from './events.ts'
import './tables.ts'
import { SYSTEM as BY_SYSTEM } from '../../../platform/contract/said.ts'

export type Order = Of<typeof KeptOrder>
export type Shown = Of<typeof WorkOrder>
type EventCode = Of<typeof WorkOrder>['state'] extends number
  ? (typeof OrderEvent)[keyof typeof OrderEvent &
      (
        | 'create'
        | 'assign'
        | 'reassign'
        | 'start'
        | 'wait'
        | 'resume'
        | 'solve'
        | 'return'
        | 'close'
        | 'reopen'
        | 'cancel'
        | 'remind'
        | 'change'
        | 'warn'
        | 'escalate'
        | 'evaluate'
        | 'join'
      )]
  : never
export const orderTopic = topic('after-sale.order', 'after-sale:order:view')
/** The columns of a stored order: rows are written by this list. */
export const orders = listOver(KeptOrder, 'afterSale.workOrder', orderSearch)
/** As they stand this moment; those that were rated. */
export const orderLines = listOver(WorkOrder, 'afterSale.orderLine', orderSearch)
export const ratedLines = listOver(WorkOrder, 'afterSale.orderLine', orderSearch, { only: 'score is not null' })

/** The actor: a person, or nulls where the clock or a device acts. */
export interface By {
  userId: string | null
  userName: string
}
export const SYSTEM: By = { userId: null, userName: BY_SYSTEM }

/** An order, held until the transaction ends. @throws NotFound, Stale */
export const lockOrder = (tx: Tx, id: string, version?: number): Promise<Order> => lockRow(tx, orders, { id, version })
/** @throws NotFound */
export async function orderOf(tx: Tx, id: string): Promise<Shown> {
  const found = await find(tx, orderLines, id)
  if (!found) throw NotFound()
  return found
}

interface Said {
  by: By
  at: Instant
  opinion?: string | null | undefined
  images?: string | null | undefined
  /** The person it was given to. */
  whom?: string | null
}
/** One more step of a held order's story. How long it took is counted by the calendar that the order runs by. */
export async function note(
  tx: Tx,
  order: Order,
  event: EventCode,
  to: number | null,
  { by, at, opinion = null, images = null, whom = null }: Said,
): Promise<void> {
  const clock = clockOf(order.level, await worksOn(tx))
  const [last] = await run<{ at: Instant; seq: number }>(tx, { sql: LAST }, [order.id])
  const workMin = last ? workMinutes(last.at, at, clock) : 0
  const from = to === null || event === OrderEvent.create ? null : order.state
  await run(tx, { sql: STEP }, [order.id, (last?.seq ?? 0) + 1, at, event, from, to, by.userId, by.userName, whom, opinion, images, workMin])
}
const LAST = 'select at, seq from after_sale.step where enterprise_id = scope_enterprise() and order_id = $1 order by seq desc limit 1'
const STEP = `insert into after_sale.step (order_id, seq, at, event, "from", "to", who_id, who, whom, opinion, images, work_min) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

type Move = keyof typeof orderCan
/** The one way by which an order changes its state. @throws IllegalMove */
export async function moveOrder(tx: Tx, order: Order, move: Exclude<Move, 'delete'>, changes: Partial<Order>, said: Said): Promise<Order> {
  const state = orderCan[move](order.state)
  if (state === undefined) throw IllegalMove({ state: order.state, orderNo: order.orderNo })
  return setState(tx, order, state, move === 'assign' && order.assigneeId ? OrderEvent.reassign : OrderEvent[move], changes, said)
}
export async function setState(tx: Tx, order: Order, state: Order['state'], event: EventCode, changes: Partial<Order>, said: Said): Promise<Order> {
  await note(tx, order, event, state, said)
  const set = await setRow(tx, orders, order, { ...changes, state }, said.at)
  await tellOrder(tx, set)
  if (set.sourceKey) await announce(tx, orderMoved, { orderId: set.id, orderNo: set.orderNo, sourceKey: set.sourceKey, state })
  return set
}
export const tellOrder = (tx: Tx, { id, parkCode }: Pick<Order, 'id' | 'parkCode'>) =>
  tell(tx, orderTopic, { ...(parkCode && { park: parkCode }), ids: [id] })

/** How long the customer had the word since the round began. A wait that still lasts ends now. */
export async function pausesOf(tx: Tx, order: Order, now: Instant): Promise<Pause[]> {
  const steps = await run<{ at: Instant; from: number | null; to: number | null }>(tx, { sql: MOVES }, [order.id, order.countedFrom])
  const pauses: Pause[] = []
  let began: Instant | undefined
  for (const { at, from, to } of steps) {
    if (to === OrderState.waiting && from !== OrderState.waiting) began = at
    if (from === OrderState.waiting && to !== OrderState.waiting && began) {
      pauses.push({ from: began, to: at })
      began = undefined
    }
  }
  return began && msOf(now) > msOf(began) ? [...pauses, { from: began, to: now }] : pauses
}
const MOVES = `select at, "from", "to" from after_sale.step where enterprise_id = scope_enterprise() and order_id = $1 and at >= $2 and "to" is not null order by seq`

/** The time limits of the round that runs, counted anew: after a wait, or where the level is another. */
export async function limitsNow(tx: Tx, order: Order, now: Instant, level = order.level): Promise<Partial<Order>> {
  const works: Works = await worksOn(tx)
  const { respondDueAt, ...rest } = limitsOf(level, order.countedFrom, await pausesOf(tx, order, now), works)
  // A person who was told of a limit that lies ahead again is told again when it comes.
  const again = { ...(msOf(rest.warnAt) > msOf(now) && { warnedAt: null }), ...(msOf(rest.dueAt) > msOf(now) && { escalatedAt: null }) }
  return { ...rest, ...again, ...(order.respondedAt === null && { respondDueAt }) }
}
