import type { Instant } from '../../../../platform/contract/field.ts'
import { impliedColor, normalizePlate } from '../../../../platform/contract/plate.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { lockOrders } from '../../../settlement/server/api.ts'
import { PayState, SessionStatus } from '../../contract/stay.ts'
import { decideAgain } from './again.ts'
import { correctPlate, type PlateCorrection, plateTyped } from '../stay/correction.ts'
import { endHold } from '../bill/holding.ts'
import { holdLane } from './lane.ts'
import { cancelDue } from '../bill/money.ts'
import { exitOf } from './paid.ts'
import { knownAs } from './sighting.ts'
import { lockStay, moveStay, openStaysOf, readStay, type StayRecord } from '../stay/stayMoves.ts'
import type { LaneRecord } from '../tables.ts'

/**
 * A misread plate put right. Where its car waits at an exit, the exit decides anew: by what is known of the right plate, and in the stay of the car that came in
 * under it, where the reading had begun a stay of its own.
 */
export async function putPlateRight(tx: Tx, of: PlateCorrection, at: Instant, by: string): Promise<StayRecord> {
  const lane = await heldExit(tx, of)
  if (!lane?.asked) return correctPlate(tx, of)
  const seen = await readStay(tx, of.id)
  if (seen.status !== SessionStatus.leaving) return correctPlate(tx, of)
  const inside = await cameInAs(tx, seen, of)
  await lockOrders(
    tx,
    [seen, inside].flatMap((stay) => stay?.orderId ?? []),
  )
  const wrong = await lockStay(tx, of.id, of.version)
  const right = inside ? await lockStay(tx, inside.id) : await correctPlate(tx, of)
  if (right.id !== wrong.id) {
    await because(tx, of.reason)
    if (wrong.payState === PayState.checking) await endHold(tx, wrong, by, at)
    await moveStay(tx, wrong, 'void', await cancelDue(tx, wrong, of.reason, at))
  }
  const car = { ...knownAs(lane.asked, right), receivedAt: at, live: true, gone: false }
  await decideAgain(tx, car, { by, stayId: right.id, otherPlate: true })
  return lockStay(tx, right.id)
}

/** The exit at which it waits, held, and what else is decided about the right plate; none where the barrier has been told to open already. */
async function heldExit(tx: Tx, of: PlateCorrection): Promise<LaneRecord | undefined> {
  const seen = await exitOf(tx, of)
  if (!seen) return undefined
  const { parkCode, gateCode } = seen
  await holdLane(tx, { parkCode, gateCode, plateNo: normalizePlate(of.plateNo) })
  const lane = await exitOf(tx, of)
  return lane?.openRef ? undefined : lane
}

/** The car inside under the right plate, of one that nobody saw coming in and that has paid nothing. */
async function cameInAs(tx: Tx, stay: StayRecord, { plateNo, plateColor, special }: PlateCorrection): Promise<StayRecord | undefined> {
  if (stay.entryTime !== null || stay.paidFen > 0) return undefined
  const typed = plateTyped(plateNo, special)
  const [other] = await openStaysOf(tx, stay.parkCode, { plateNo: typed, plateColor: plateColor ?? impliedColor(typed) ?? stay.plateColor })
  return other?.status === SessionStatus.present ? other : undefined
}
