import type { Tx } from '../../../../platform/server/database.ts'
import { atEntrance } from './entrance.ts'
import { atExit } from './exit.ts'
import { laneOf } from './lane.ts'
import type { PersonSays } from './personSays.ts'
import { nextCar } from './passing.ts'
import { standingOf } from '../questions.ts'
import type { Sighting } from './sighting.ts'
import { openStaysOf } from '../stay/stayMoves.ts'
import { betweenAreas, isInner } from './transfer.ts'
import { Direction } from '../../contract/gate.ts'

/** The car that stands at a lane is decided about once more: a person has said something, or has paid. */
export async function decideAgain(tx: Tx, car: Sighting, person?: PersonSays): Promise<void> {
  const [now, open, standing] = await Promise.all([laneOf(tx, car.gateCode), openStaysOf(tx, car.parkCode, car), standingOf(tx, car)])
  // Only a person lets in at an inner gate who is not inside.
  if (isInner(now.gate) && (open.length > 0 || !person)) return betweenAreas(tx, now, car, { open }, person?.by ?? null)
  // Whoever says no more than which plate it is lets nobody in.
  if (car.direction === Direction.entrance)
    return void (await atEntrance(tx, now, car, { open, standing }, person?.otherPlate ? null : (person?.by ?? null)))
  const { behind } = await nextCar(tx, now.lane, car.plateNo, car.at)
  return atExit(tx, now, { ...car, behind }, { open, standing }, person)
}
