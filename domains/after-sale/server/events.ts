import { event } from '../../../platform/server/events.ts'
import type { OrderSource, OrderType } from '../contract/workOrder.ts'
import type { CodeOf } from '../../../platform/contract/field.ts'
import type { LevelCode } from '../contract/level.ts'

/** A problem that a device or a round of inspection reports for a person to see to. */
export interface Wanted {
  /** The subject, in the reporter's words: while an order of it is open, a repeated report is noted there and opens no second one. */
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
