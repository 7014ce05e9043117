import { event } from '../../../platform/server/events.ts'
import type { OrderSource, OrderType } from '../contract/workOrder.ts'
import type { CodeOf } from '../../../platform/contract/field.ts'
import type { LevelCode } from '../contract/level.ts'

/** What has to be seen to, by whoever found it: a device, a round of inspection. */
export interface Wanted {
  /** What it is about, in the words of whoever reports: while an order of it is open, it is reported again there and opens no second one. */
  sourceKey: string
  type: CodeOf<typeof OrderType>
  source: CodeOf<typeof OrderSource>
  level: LevelCode
  title: string
  content: string
  parkCode?: string | null
  deviceNo?: string | null
  plateNo?: string | null
  images?: string | null
  contactName?: string | null
  contact?: string | null
}
/** Announced by those above who want an order and need not wait for it. */
export const orderWanted = event<Wanted>('after-sale.order-wanted')
/** How an order that was reported goes on; those above who report listen. */
export const orderMoved = event<{ orderId: string; orderNo: string; sourceKey: string; state: number }>('after-sale.order-moved')
