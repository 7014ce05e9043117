import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { CLOSES_AFTER_DAYS } from '../contract/level.ts'
import { OrderEvent, OrderState } from '../contract/workOrder.ts'
import { closeOrder } from './closing.ts'
import { lockOrder, note, type Order, SYSTEM, tellOrder } from './row.ts'
import { tellDispatchers, tellHandler, tellLeaders } from './tell.ts'
import { Said } from '../contract/said.ts'

/** Moves orders on with time, every minute. No clock runs while an order waits for the customer. */
export async function tick(tx: Tx, at: Instant): Promise<void> {
  await each(tx, NEAR, at, (one) => warn(tx, one, at))
  await each(tx, OVER, at, (one) => escalate(tx, one, at))
  await each(tx, LATE, at, (one) => tellLate(tx, one, at))
  const quietSince = instantAt(msOf(at) - CLOSES_AFTER_DAYS * DAY_MS)
  await each(tx, QUIET, quietSince, async (one) => void (await closeOrder(tx, one, SYSTEM, at, { opinion: Said.quiet({ days: CLOSES_AFTER_DAYS }) })))
}
const AT_ONCE = 200
async function each(tx: Tx, sql: string, until: Instant, work: (one: Order) => Promise<void>): Promise<void> {
  for (const { id } of await run<{ id: string }>(tx, { sql }, [until])) await work(await lockOrder(tx, id))
}
const { unassigned, assigned, working, returned, reopened, solved } = OrderState
const RUNNING = `state in (${unassigned}, ${assigned}, ${working}, ${returned}, ${reopened})`
const FROM = 'select id from after_sale.work_order where enterprise_id = scope_enterprise() and'
const NEXT = `limit ${AT_ONCE} for update skip locked`
const NEAR = `${FROM} ${RUNNING} and warn_at <= $1 and due_at > $1 and warned_at is null order by warn_at ${NEXT}`
const OVER = `${FROM} ${RUNNING} and due_at <= $1 and escalated_at is null order by due_at ${NEXT}`
const LATE = `${FROM} state in (${unassigned}, ${assigned}, ${returned}, ${reopened}) and responded_at is null and respond_due_at <= $1 and due_at > $1 and late_at is null order by respond_due_at ${NEXT}`
const QUIET = `${FROM} state = ${solved} and solved_at <= $1 order by solved_at ${NEXT}`

async function warn(tx: Tx, order: Order, at: Instant): Promise<void> {
  await run(tx, { sql: mark('warned_at') }, [order.id, at])
  await note(tx, order, OrderEvent.warn, null, { by: SYSTEM, at })
  await tellOrder(tx, order)
  await tellWhoeverHasIt(tx, order, ['工单即将超时', 'A work order is about to become overdue'], at)
}
async function escalate(tx: Tx, order: Order, at: Instant): Promise<void> {
  await run(tx, { sql: mark('escalated_at') }, [order.id, at])
  await note(tx, order, OrderEvent.escalate, null, { by: SYSTEM, at })
  await tellOrder(tx, order)
  await tellLeaders(tx, order, ['工单超时', 'A work order is overdue'], { by: null, at })
  await tellWhoeverHasIt(tx, order, ['工单已超时', 'A work order is overdue'], at)
}
async function tellLate(tx: Tx, order: Order, at: Instant): Promise<void> {
  await run(tx, { sql: mark('late_at') }, [order.id, at])
  await tellWhoeverHasIt(tx, order, ['工单超时未响应', 'A work order was not responded to in time'], at)
}
const tellWhoeverHasIt = async (tx: Tx, order: Order, title: readonly [string, string], at: Instant): Promise<void> => {
  if (order.assigneeId) await tellHandler(tx, order, title, { by: null, at })
  else await tellDispatchers(tx, order, title, { by: null, at })
}
/** Marks an order without a new version, so that a person who edits it meanwhile loses nothing. */
const mark = (column: 'warned_at' | 'escalated_at' | 'late_at') =>
  `update after_sale.work_order set ${column} = $2 where enterprise_id = scope_enterprise() and id = $1`

export const tasks = [task('after-sale.tick', ({ tx, at }) => tick(tx, at), { every: '* * * * *' })]
