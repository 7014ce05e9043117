import { dayEnd, dayStart } from '../../../platform/web/format.ts'
import { type Criteria, listAt } from '../../../platform/web/list/listAt.ts'
import { OPEN_STATES } from '../contract/workOrder.ts'

const ORDERS = '/operation/afterSale/order/all'
const cameOn = (path: string) => (first: string, last: string, criteria: Criteria) =>
  listAt(path, { createdAtFrom: dayStart(first), createdAtTo: dayEnd(last), ...criteria })
/** Orders and feedback that came within some days, both included. */
export const ordersOn = cameOn(ORDERS)
export const feedbackOn = cameOn('/operation/afterSale/feedback')
/** Orders that wait for somebody, whenever they came. */
export const openOrders = (criteria: Criteria = {}) => listAt(ORDERS, { state: OPEN_STATES, ...criteria })
