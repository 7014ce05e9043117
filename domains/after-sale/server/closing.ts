import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf } from '../../../platform/contract/time.ts'
import { enterpriseOf, run, type Tx } from '../../../platform/server/database.ts'
import { worksOn } from '../../fee/server/api.ts'
import { InterviewTarget, InterviewWay, PLAN_DAYS, InterviewResult } from '../contract/interview.ts'
import { Level } from '../contract/level.ts'
import { OrderType } from '../contract/workOrder.ts'
import { afterDays } from './clock.ts'
import { type By, moveOrder, type Order } from './row.ts'
import { sendToCustomer } from '../../message/server/api.ts'

/** The template that asks a customer to rate; `{{path}}` is the link behind the company's own address. */
const TEMPLATE = 'after-sale.rate'
/** Of what nobody has to ask about, one in ten is asked about. */
const ONE_IN = 10

export const hashOfLink = (code: string) => createHash('sha256').update(code).digest('hex')
/** Samples one order in ten by its id: the same ones on every call. */
const isSampled = (id: string) => createHash('sha256').update(id).digest().readUInt32BE() % ONE_IN === 0
const alwaysAsked = ({ type, level }: Order) => type === OrderType.complaint || level >= Level.high

/** The customer has what they wanted, or said nothing for long: the order is closed, they are asked to rate it, and some are asked by a person. */
export async function closeOrder(
  tx: Tx,
  order: Order,
  by: By,
  at: Instant,
  said: { opinion?: string | null | undefined; images?: string | null | undefined } = {},
): Promise<Order> {
  const invited = await invite(tx, order)
  const closed = await moveOrder(tx, order, 'close', { closedAt: at, ...(invited && { invitedAt: at }) }, { by, at, ...said })
  if (alwaysAsked(order) || isSampled(order.id)) await planInterview(tx, InterviewTarget.order, order, at)
  return closed
}

/** The subject of the message that asks for a rating. */
export const ratingOf = (orderId: string) => `after-sale.rate ${orderId}`
/** A link that only the customer gets. Once rated it asks nobody again. */
async function invite(tx: Tx, order: Order): Promise<boolean> {
  if ((await run(tx, { sql: RATED }, [order.id])).length > 0) return false
  const code = `${enterpriseOf(tx)}-${randomBytes(24).toString('base64url')}`
  const vars = { no: order.orderNo, title: order.title, path: `/evaluate/${code}` }
  const sent = await sendToCustomer(tx, {
    template: TEMPLATE,
    phone: order.contact,
    name: order.contactName,
    vars,
    dedupe: `rate:${order.id}:${order.reopens}`,
    concerns: ratingOf(order.id),
  })
  if (sent) await run(tx, { sql: LINK }, [order.id, hashOfLink(code)])
  return sent
}
const RATED = 'select 1 from after_sale.evaluation where enterprise_id = scope_enterprise() and order_id = $1'
const LINK = 'update after_sale.work_order set link_hash = $2 where enterprise_id = scope_enterprise() and id = $1'

/** The next working day, and three days on at the latest. One that waits already is enough. */
export async function planInterview(tx: Tx, type: number, { id, parkCode }: { id: string; parkCode: string | null }, at: Instant): Promise<void> {
  const next = msOf(afterDays(at, 1, await worksOn(tx)))
  const planAt = instantAt(Math.min(next, msOf(at) + PLAN_DAYS * DAY_MS))
  await run(tx, { sql: PLAN }, [type, id, parkCode, InterviewWay.telephone, planAt, at])
}
const PLAN = `insert into after_sale.interview (target_type, target_id, park_code, way, plan_at, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)
  on conflict (enterprise_id, target_type, target_id) where result = ${InterviewResult.waiting} do nothing`
export const planSampled = async (tx: Tx, type: number, of: { id: string; parkCode: string | null }, always: boolean, at: Instant): Promise<void> => {
  if (always || isSampled(of.id)) await planInterview(tx, type, of, at)
}
