import type { Instant } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { Refusal } from '../../../platform/server/refusal.ts'
import { send, sendInner } from '../../message/server/api.ts'
import { workOrder } from '../contract/workOrder.ts'
import type { Order } from './row.ts'

type Text = readonly [zh: string, en: string]
const DEAL = '/operation/afterSale/order/deal'
const ALL = '/operation/afterSale/order/all'
const CREATE = '/operation/afterSale/order/create'
const body = ({ title, orderNo }: Order): Text => [`${orderNo} ${title}`, `${orderNo} ${title}`]

/** Whoever has the order. */
export const tellHandler = async (tx: Tx, order: Order, title: Text, at: Instant): Promise<void> => {
  if (order.assigneeId) await sendInner(tx, { to: { custId: order.assigneeId }, title, body: body(order), link: `${DEAL}/${order.id}`, at })
}
/** Those who give orders to people. */
export const tellDispatchers = (tx: Tx, order: Order, title: Text, at: Instant) =>
  sendInner(tx, { to: { capability: workOrder.assign.needs }, title, body: body(order), link: `${CREATE}/${order.id}`, at })
/** The supervisors: they see all orders. */
export const tellLeaders = (tx: Tx, order: Order, title: Text, at: Instant) =>
  sendInner(tx, { to: { capability: workOrder.delete.needs }, title, body: body(order), link: `${ALL}/${order.id}`, at })

/** The company's own words to a customer, by the channel of its template. False where there is no such template, or no way to send it: nothing fails for that. */
export async function tellCustomer(
  tx: Tx,
  {
    template,
    phone,
    name,
    vars,
    dedupe,
  }: { template: string; phone: string | null; name: string | null; vars: Record<string, string>; dedupe: string },
): Promise<boolean> {
  if (!phone) return false
  try {
    return (await send(tx, { template, to: { address: phone, name: name ?? '客户' }, vars, dedupe })) > 0
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
