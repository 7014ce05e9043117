import type { Instant } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'

/** Asks for the receiver of a vehicle's reminders. A domain that keeps owners or pass holders answers; the first answer counts. */
export const contactOf = question<{ plateNo: string; plateColor: PlateColorCode | null }, { name: string; address: string }>('arrears.contactOf')

/** A vehicle was reminded to the last and has not paid. */
export const blacklistProposed = event<{ plateNo: string; plateColor: PlateColorCode | null; count: number; amountFen: number }>(
  'arrears.blacklistProposed',
)

/** A car that stands at an exit and is to pay. */
export interface Waits {
  parkCode: string
  gateCode: string
  stayId: string
  orderId: string
  dueFen: number
  at: Instant
}
/** Whether somebody takes the fee before the antenna of the lane does: they call `deductNext` where they did not. */
export const paysFirst = question<Waits, true>('arrears.paysFirst')
/** Neither an account nor the antenna of the lane has paid, or there is none: a domain with another way begins it. */
export const paysLast = question<Waits, true>('arrears.paysLast')
