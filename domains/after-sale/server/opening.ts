import type { CodeOf, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addRow } from '../../../platform/server/row.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { parkOf } from '../../parking/server/api.ts'
import { worksOn } from '../../fee/server/api.ts'
import type { LevelCode } from '../contract/level.ts'
import { OrderEvent, OrderState, type OrderSource, type OrderType } from '../contract/workOrder.ts'
import { refuseHandler } from './assigning.ts'
import { limitsOf } from './clock.ts'
import type { Wanted } from './events.ts'
import { type By, lockOrder, moveOrder, note, type Order, orders, SYSTEM, tellOrder } from './row.ts'
import { tellDispatchers, tellHandler } from './tell.ts'

export const ParkNeeded = refusal(
  'after-sale.park-needed',
  42101,
  '请选择车场：您只能登记所管车场的反馈与工单',
  'Choose a car park: you can record feedback and work orders for your own car parks only',
  422,
)
export const SaidWhom = refusal(
  'after-sale.no-contact',
  42102,
  '请填写联系电话或车牌，以便答复客户',
  'Enter a phone number or plate so that the customer can be answered',
  422,
)

export interface NewOrder {
  title: string
  type: CodeOf<typeof OrderType>
  source: CodeOf<typeof OrderSource>
  level: LevelCode
  content: string
  contactName?: string | null | undefined
  contact?: string | null | undefined
  plateNo?: string | null | undefined
  parkCode?: string | null | undefined
  images?: string | null | undefined
  relatedNo?: string | null | undefined
  deviceNo?: string | null | undefined
  suggestionId?: string | null
  sourceKey?: string | null
  assigneeId?: string | null | undefined
}
/** The park that is named exists and may be seen; who sees some parks only has to name one of them. @throws ParkNeeded, NotFound */
export async function refusePark(tx: Tx, parkCode: string | null | undefined, parks: readonly string[] | null): Promise<void> {
  if (parkCode) await parkOf(tx, parkCode)
  else if (parks !== null) throw ParkNeeded()
}

/** Opens an order and tells its handler, or the people who assign. */
export async function openOrder(tx: Tx, { assigneeId = null, ...given }: NewOrder, by: By, at: Instant): Promise<Order> {
  const assignee = assigneeId ? await refuseHandler(tx, assigneeId, given.parkCode ?? null) : undefined
  const limits = limitsOf(given.level, at, [], await worksOn(tx))
  const made = (await addRow(tx, orders, {
    ...given,
    ...limits,
    state: OrderState.unassigned,
    creatorId: by.userId,
    creatorName: by.userName,
    countedFrom: at,
    createdAt: at,
    updatedAt: at,
  })) as Order
  await note(tx, made, OrderEvent.create, OrderState.unassigned, { by, at })
  const opened = { by: by.userId, at }
  if (!assignee) {
    await Promise.all([tellOrder(tx, made), tellDispatchers(tx, made, ['有工单待分派', 'A work order is waiting to be assigned'], opened)])
    return made
  }
  const given_ = await moveOrder(
    tx,
    made,
    'assign',
    { assigneeId: assignee.id as Order['assigneeId'], assigneeName: assignee.name },
    { by, at, whom: assignee.name },
  )
  await tellHandler(tx, given_, ['您有新工单', 'New work order for you'], opened)
  return given_
}

/** Opens an order for a report: one for each subject, however often and from how many at once it is reported. A repeated report is noted with the open order. */
export async function report(tx: Tx, wanted: Wanted, at: Instant): Promise<{ id: string; orderNo: string; opened: boolean }> {
  await inTurn(tx, wanted.sourceKey)
  const [open] = await run<{ id: string }>(tx, { sql: OPEN }, [wanted.sourceKey, OrderState.closed, OrderState.cancelled])
  if (open) {
    const found = await lockOrder(tx, open.id)
    await note(tx, found, OrderEvent.join, null, { by: SYSTEM, at, opinion: wanted.content.slice(0, OPINION_MAX), images: wanted.images })
    await tellOrder(tx, found)
    return { id: found.id, orderNo: found.orderNo, opened: false }
  }
  const made = await openOrder(tx, wanted, SYSTEM, at)
  return { id: made.id, orderNo: made.orderNo, opened: true }
}
const OPINION_MAX = 1_000
/** Of those who bring up the same thing at once, one after the other. */
export const inTurn = (tx: Tx, sourceKey: string) => run(tx, { sql: IN_TURN }, [sourceKey])
const IN_TURN = `select pg_advisory_xact_lock(hashtextextended('after-sale ' || $1, scope_enterprise()))`
const OPEN = 'select id from after_sale.work_order where enterprise_id = scope_enterprise() and source_key = $1 and state not in ($2, $3)'
