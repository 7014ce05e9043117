import type { Tx } from '../../../../platform/server/database.ts'
import type { Known } from './entrance.ts'
import { askWhose, carryOut } from './exitCarryOut.ts'
import { findStay } from './exitFind.ts'
import { judge, judgeGone } from './exitJudge.ts'
import { leftThen } from './exitKeep.ts'
import { price, priceThen } from './exitPrice.ts'
import { asItWas, type LaneNow, type ParkRow } from './lane.ts'
import type { PersonSays } from './personSays.ts'
import type { Sighting } from './sighting.ts'
import { type StayRecord, withStay } from '../stay/stayMoves.ts'

/**
 * A car stands before an exit, in four steps: which stay it is in, what is due for it, whether the barrier opens and why, and that carried out. Each hands on what it
 * found. Where no stay can be chosen a person is asked whose car it is. Somebody who was first (its order was paid just now) has it priced once more.
 */
export async function atExit(tx: Tx, now: LaneNow, car: Sighting, known: Known, person?: PersonSays): Promise<void> {
  const found = await findStay(tx, now, car, known, person)
  if ('asks' in found) return askWhose(tx, now, car, found)
  await withStay(tx, found.stay, async (stay) => {
    const due = await price(tx, now, car, { ...found, stay }, person)
    const judged = judge(now, car, due, person)
    await carryOut(tx, now, car, judged, person)
  })
}

/** Its entry was told after its exit: it left then, and owes since then what it would have been asked. One that no rule covers stays with a person. */
export async function leaveAfterwards(tx: Tx, parkNow: ParkRow, stay: StayRecord): Promise<void> {
  const at = stay.exitTime!
  const park = await asItWas(tx, parkNow, at)
  const leave = judgeGone(park, at, await priceThen(tx, park, stay, at))
  await leftThen(tx, stay, leave, at)
}
