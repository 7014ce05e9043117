import type { Instant } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { sendInner } from '../../message/server/api.ts'
import { workOrder } from '../contract/workOrder.ts'
import type { Order } from './row.ts'

type Text = readonly [zh: string, en: string]
const DEAL = '/operation/afterSale/order/deal'
const ALL = '/operation/afterSale/order/all'
const CREATE = '/operation/afterSale/order/create'
const body = ({ title, orderNo }: Order): Text => [`${orderNo} ${title}`, `${orderNo} ${title}`]

/** The actor and the time of an act: nobody is told of their own act. */
interface Done {
  by: string | null
  at: Instant
}
/** Tells the handler of the order. @returns how many people are told, as of those below */
export const tellHandler = async (tx: Tx, order: Order, title: Text, { by, at }: Done): Promise<number> =>
  order.assigneeId && order.assigneeId !== by
    ? sendInner(tx, { to: { custId: order.assigneeId }, title, body: body(order), link: `${DEAL}/${order.id}`, at })
    : 0
/** Those who give orders to people. */
export const tellDispatchers = (tx: Tx, order: Order, title: Text, { by, at }: Done) =>
  sendInner(tx, {
    to: { capability: workOrder.assign.needs, parkCode: order.parkCode, not: [by] },
    title,
    body: body(order),
    link: `${CREATE}/${order.id}`,
    at,
  })
/** The supervisors: they see all orders. */
export const tellLeaders = (tx: Tx, order: Order, title: Text, { by, at }: Done) =>
  sendInner(tx, {
    to: { capability: workOrder.delete.needs, parkCode: order.parkCode, not: [by] },
    title,
    body: body(order),
    link: `${ALL}/${order.id}`,
    at,
  })
