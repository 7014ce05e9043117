import { plural } from '../../../platform/contract/plural.ts'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { sendInner } from '../../message/server/api.ts'
import { holdersOf, seesPark } from '../../identity/server/api.ts'
import { type Assigned, orderCan, OrderState, workOrder } from '../contract/workOrder.ts'
import { limitsNow, moveOrder, type By, lockOrder, type Order } from './row.ts'
import { tellHandler } from './tell.ts'

export const NotAHandler = refusal(
  'after-sale.not-a-handler',
  42103,
  '该人员没有处理工单的权限或已停用，请另选处理人',
  'This person may not handle work orders or is disabled: choose another handler',
  422,
)
export const OutOfSight = refusal(
  'after-sale.out-of-sight',
  42104,
  '{name} 看不到该工单所在车场，请另选处理人',
  '{name} has no access to the car park of this work order: choose another handler',
  422,
)

export const handlersOf = (tx: Tx) => holdersOf(tx, workOrder.handle.needs)
/** Returns the handler, who has to be able to see and to handle the order. @throws NotAHandler, OutOfSight */
export async function refuseHandler(tx: Tx, id: string, parkCode: string | null): Promise<{ id: string; name: string }> {
  const found = (await handlersOf(tx)).find((one) => one.id === id)
  if (!found) throw NotAHandler()
  if (!(await seesPark(tx, id, parkCode))) throw OutOfSight({ name: found.name })
  return found
}

type Outcome = Of<typeof Assigned>
interface Giving {
  ids: readonly string[]
  assigneeId: string
  opinion?: string | undefined
}
/** To one person, each order with its own outcome. They are held in one order of keys, so that two who assign the same ones come one after the other. @throws NotAHandler */
export async function assignAll(tx: Tx, { ids, assigneeId, opinion }: Giving, by: By, at: Instant): Promise<Outcome[]> {
  const person = (await handlersOf(tx)).find((one) => one.id === assigneeId)
  if (!person) throw NotAHandler()
  const wanted = [...new Set(ids)].sort()
  const rows = new Map((await run<Pick<Order, 'id'>>(tx, { sql: HOLD }, [wanted])).map((row) => [row.id as string, row]))
  const sights = new Map<string | null, boolean>()
  const sees = async (parkCode: string | null) => {
    if (!sights.has(parkCode)) sights.set(parkCode, await seesPark(tx, person.id, parkCode))
    return sights.get(parkCode)!
  }
  const outcomes = new Map<string, Outcome>()
  const given: Order[] = []
  for (const id of wanted)
    outcomes.set(
      id,
      rows.has(id)
        ? await assignOne(tx, await lockOrder(tx, id), { person, opinion, by, at, sees, given })
        : said(id, null, false, ['工单不存在或不可见', 'The work order does not exist or is out of your scope']),
    )
  if (person.id !== by.userId) await tellGiven(tx, given, person.id, at)
  return ids.map((id) => outcomes.get(id)!)
}
/** One message, however many orders it is about. */
async function tellGiven(tx: Tx, given: readonly Order[], custId: string, at: Instant): Promise<void> {
  const [first] = given
  if (!first) return
  if (given.length === 1) return void (await tellHandler(tx, first, ['您有新工单', 'New work order for you'], { by: null, at }))
  const title = [`您有 ${given.length} 个新工单`, `You have ${given.length} ${plural(given.length, 'new work order')}`] as const
  await sendInner(tx, { to: { custId }, title, link: '/operation/afterSale/order/deal', at })
}
const HOLD = 'select id from after_sale.work_order where enterprise_id = scope_enterprise() and id = any ($1) order by id for update'

interface One {
  person: { id: string; name: string }
  opinion: string | undefined
  by: By
  at: Instant
  sees: (parkCode: string | null) => Promise<boolean>
  /** Where it is noted down when it was given. */
  given: Order[]
}
async function assignOne(tx: Tx, order: Order, { person, opinion, by, at, sees, given }: One): Promise<Outcome> {
  const { id, orderNo } = order
  if (orderCan.assign(order.state) === undefined)
    return said(id, orderNo, false, [
      `状态为「${OrderState.entries[order.state][0]}」，不能分派`,
      `It is ${OrderState.entries[order.state][1].toLowerCase()}: it cannot be assigned`,
    ])
  if (order.assigneeId === (person.id as string) && order.state !== OrderState.returned && order.state !== OrderState.reopened)
    return said(id, orderNo, false, [`已由 ${person.name} 处理`, `Already assigned to ${person.name}`])
  if (!(await sees(order.parkCode)))
    return said(id, orderNo, false, [`${person.name} 看不到该工单所在车场`, `${person.name} has no access to its car park`])
  // A new handler ends the wait for the customer: its time so far is added to the limits.
  const limits = order.state === OrderState.waiting ? await limitsNow(tx, order, at) : {}
  const was = order.assigneeName
  given.push(
    await moveOrder(
      tx,
      order,
      'assign',
      { ...limits, assigneeId: person.id as Order['assigneeId'], assigneeName: person.name },
      { by, at, opinion, whom: was && was !== person.name ? `${was} → ${person.name}` : person.name },
    ),
  )
  return said(id, orderNo, true, [`已分派给 ${person.name}`, `Assigned to ${person.name}`])
}
const said = (id: string, orderNo: string | null, done: boolean, [zh, en]: readonly [string, string]): Outcome => ({
  id: id as Outcome['id'],
  orderNo,
  done,
  zh,
  en,
})
