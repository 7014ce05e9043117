import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'

/** Whom a vehicle's reminders go to. Whoever keeps owners or pass holders answers; the first answer counts. */
export const contactOf = question<{ plateNo: string; plateColor: PlateColorCode | null }, { name: string; address: string }>('arrears.contactOf')

/** A vehicle was reminded to the last and has not paid. */
export const blacklistProposed = event<{ plateNo: string; plateColor: PlateColorCode | null; count: number; amountFen: number }>(
  'arrears.blacklistProposed',
)
