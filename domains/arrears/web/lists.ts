import { normalizePlate, isWholePlate } from '../../../platform/contract/plate.ts'
import { dayEnd, dayStart } from '../../../platform/web/format.ts'
import { type Criteria, listAt } from '../../../platform/web/list/listAt.ts'
import { ENDED } from '../contract/figures.ts'

/** The car park and the days, both included, that a figure is of; all of them where nothing is said. */
export interface EtcWithin {
  parkCode?: string | undefined
  dayFrom?: string | undefined
  dayTo?: string | undefined
}
const within = ({ parkCode, dayFrom, dayTo }: EtcWithin): Criteria => ({
  parkCode,
  tradeTimeFrom: dayFrom && dayStart(dayFrom),
  tradeTimeTo: dayTo && dayEnd(dayTo),
})
export const deductsIn = (of: EtcWithin, etcState: readonly number[] = ENDED) => listAt('/extendedBusiness/etc/deduct', { ...within(of), etcState })
export const passagesIn = (of: EtcWithin) => listAt('/extendedBusiness/etc/arrears', within(of))

/** No plate is longer, and no deduction number that short. */
const PLATE_MOST = 10
/**
 * Finds a deduction by a piece of its plate, or by its number. A person who is not shown plates finds it by a whole plate alone: with pieces, sign for sign, the answers would
 * reveal it.
 */
export function deductAsked(typed: string, seesPlates: boolean): { plateNo?: string; deductNo?: string } {
  const word = typed.trim()
  if (word === '') return {}
  return isWholePlate(normalizePlate(word)) || (seesPlates && word.length <= PLATE_MOST) ? { plateNo: word } : { deductNo: word }
}
