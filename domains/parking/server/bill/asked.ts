import type { Instant } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import type { Priced } from './checking.ts'
import type { ParkRow } from '../lane/lane.ts'
import { asBefore, freeBecause } from '../lane/leaving.ts'
import type { Bill } from './money.ts'
import { priceOf } from './pricing.ts'
import { standingOf } from '../questions.ts'
import type { StayRecord } from '../stay/stayMoves.ts'

export interface AskedNow {
  /** What its rules say; none: no rule covers it. */
  priced: Priced | undefined
  /** What it may be asked: nothing more where its exit would let it out free. */
  bill: Bill | undefined
  free: ReturnType<typeof freeBecause>
}
/** What the car of a stay may be asked before it comes to an exit: by the tariff, unless that exit would let it out free. */
export async function askedAt(tx: Tx, park: ParkRow, stay: StayRecord, at: Instant): Promise<AskedNow> {
  const { parkCode, plateNo, plateColor } = stay
  const [priced, standing] = await Promise.all([priceOf(tx, park, stay, at), standingOf(tx, { parkCode, plateNo, plateColor, at })])
  const free = freeBecause({ park, stay, standing })
  return { priced, free, bill: free ? asBefore({ stay }) : priced?.bill }
}
