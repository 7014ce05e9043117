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
  /** The fee by the park's rules; undefined where no rule covers the stay. */
  priced: Priced | undefined
  /** The bill to ask: nothing more where the exit would let the car out free. */
  bill: Bill | undefined
  free: ReturnType<typeof freeBecause>
}
/** Returns what a stay's car may be asked before it comes to an exit: the tariff's fee, unless that exit would let the car out free. */
export async function askedAt(tx: Tx, park: ParkRow, stay: StayRecord, at: Instant): Promise<AskedNow> {
  const { parkCode, plateNo, plateColor } = stay
  const [priced, standing] = await Promise.all([priceOf(tx, park, stay, at), standingOf(tx, { parkCode, plateNo, plateColor, at })])
  const free = freeBecause({ park, stay, standing })
  return { priced, free, bill: free ? asBefore({ stay }) : priced?.bill }
}
