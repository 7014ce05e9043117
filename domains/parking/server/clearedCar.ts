import type { Id } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { ClearedCar, clearedCar, clearedCarSearch } from '../contract/clearedCar.ts'
import type { StayId } from '../contract/stay.ts'
import './tables.ts'

const cars = listOver(ClearedCar, 'parking.clearedCar', clearedCarSearch, { sums: ['dueFen'] })

export const calls = serve(clearedCar, {
  query: ({ tx, input }) => page(tx, cars, input),
})

/** A car that a clearing is about, with what it would have to pay if it left now. */
export interface CarToClear {
  stayId: Id<StayId>
  dueFen: number
  /** Its exit would let it out free. */
  free: boolean
  unpriced: boolean
}
/** The cars that a clearing asked for. */
export const carsAsked = async (tx: Tx, clearingId: string): Promise<Id<StayId>[]> =>
  (await run<{ stayId: Id<StayId> }>(tx, ASKED, [clearingId])).map(({ stayId }) => stayId)
const ASKED = { sql: 'select stay_id from parking.clearing_car where enterprise_id = scope_enterprise() and clearing_id = $1' }

/** Of a clearing that is made, those that it lets go take the place of those that were asked for. */
export async function keepCars(tx: Tx, { id, parkCode }: { id: string; parkCode: string }, those: readonly CarToClear[]): Promise<void> {
  await run(tx, FORGET, [id])
  await run(tx, KEEP, [id, parkCode, those.map(({ stayId }) => stayId), those.map(({ dueFen }) => dueFen), those.map(({ unpriced }) => unpriced)])
}
const FORGET = { sql: 'delete from parking.clearing_car where enterprise_id = scope_enterprise() and clearing_id = $1' }
const KEEP = {
  sql: `insert into parking.clearing_car (clearing_id, park_code, stay_id, due_fen, unpriced)
    select $1::uuid, $2::text, c.stay_id, c.due_fen, c.unpriced from unnest($3::uuid[], $4::bigint[], $5::boolean[]) c (stay_id, due_fen, unpriced)`,
}
