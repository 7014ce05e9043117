import type { Id, Instant } from '../../../../platform/contract/field.ts'
import { colorsAgree, type PlateColorCode, sameVehicle, type Vehicle } from '../../../../platform/contract/plate.ts'
import { begunAt, run, type Tx } from '../../../../platform/server/database.ts'
import { announce } from '../../../../platform/server/events.ts'
import type { List } from '../../../../platform/server/page.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, Refusal, Stale } from '../../../../platform/server/refusal.ts'
import { lockRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { SessionStatus, Stay, stayCan, type StayId, type StayRow } from '../../contract/stay.ts'
import { left, stayTopic } from '../questions.ts'
import type { StayInside } from '../tables.ts'

/** A stay with what the server alone knows of it: of a lane or of a berth. */
export type AnyStay = StayRow & StayInside
/** A stay that came through a lane: its plate was read, or it was given a token in place of one. */
export type StayRecord = AnyStay & { plateNo: string }
export type StayChanges = Partial<Omit<AnyStay, 'id' | 'status' | 'version' | 'seenAt' | 'createdAt' | 'updatedAt'>>

const INSIDE: readonly (keyof StayInside)[] = ['seenAt', 'settledFen', 'graceUntil', 'graceRestarts', 'tailing', 'clearingId', 'correctedFrom']
const COLUMNS = [...(Object.keys(Stay.properties) as (keyof StayRow)[]), ...INSIDE]
const rows = rowsOver(Stay, 'parking.stay', COLUMNS, { kept: true }) as List<AnyStay, 'parking.stay'>

/** Open stays of a vehicle in a park. A colour nobody knew agrees with any; two known ones that differ are two vehicles. */
export async function openStaysOf(tx: Tx, parkCode: string, car: Vehicle): Promise<StayRecord[]> {
  const found = await run<StayRecord>(tx, OPEN, [parkCode, car.plateNo])
  // The exact colour first: an unknown one may agree with two.
  return found
    .filter((row) => sameVehicle(row, car))
    .sort((a, b) => Number(b.plateColor === car.plateColor) - Number(a.plateColor === car.plateColor))
}
const OPEN = {
  sql: `select s.* from parking.present p join parking.stay s on s.id = p.stay_id
    where p.enterprise_id = scope_enterprise() and p.park_code = $1 and p.plate_no = $2`,
}
/** A car inside with the fields that a search by likeness shows. */
export interface Inside extends Vehicle {
  stayId: Id<StayId>
  entryTime: Instant | null
  entryImage: string | null
}
export const allInside = (tx: Tx, parkCode: string): Promise<Inside[]> =>
  run<Inside>(
    tx,
    {
      sql: `select p.stay_id, p.plate_no, p.plate_color, s.entry_time, s.entry_image from parking.present p join parking.stay s on s.id = p.stay_id
        where p.enterprise_id = scope_enterprise() and p.park_code = $1`,
    },
    [parkCode],
  )

/** One stay, held until the transaction ends. @throws NotFound, and Stale when `version` is not the row's. */
export async function lockStay<S extends AnyStay = StayRecord>(tx: Tx, id: Id<StayId>, version?: number): Promise<S> {
  return (await lockRow(tx, rows, { id, version })) as S
}

/**
 * The one way by which a stay changes its state. Its other fields change along with it.
 * @throws IllegalMove when the state does not allow it, Stale when somebody else was first.
 */
export async function moveStay<S extends AnyStay>(tx: Tx, stay: S, move: keyof typeof stayCan, changes: StayChanges = {}): Promise<S> {
  const status = stayCan[move](stay.status)
  if (status === undefined) throw IllegalMove({ status: stay.status })
  const moved = await changed(tx, stay, { ...changes, status })
  if (status === SessionStatus.left)
    await announce(tx, left, { stayId: stay.id, parkCode: stay.parkCode, plateNo: moved.plateNo, plateColor: moved.plateColor })
  return moved
}
/** Changes a stay without changing its state. */
export const editStay = <S extends AnyStay>(tx: Tx, stay: S, changes: StayChanges): Promise<S> => changed(tx, stay, changes)

async function changed<S extends AnyStay>(tx: Tx, stay: S, changes: StayChanges & { status?: StayRow['status'] }): Promise<S> {
  const [row] = await Promise.all([
    setRow(tx, rows, stay, changes as Partial<AnyStay>, begunAt(tx)),
    tell(tx, stayTopic, { park: stay.parkCode, ids: [stay.id] }),
  ])
  return row as S
}

/**
 * Does something with a stay that was read without holding it; when somebody else was first (its order was paid, a person corrected it), once more with the stay as
 * it is now, still not held. So an order is always held before its stay, as a payment does it, and the two never wait for each other.
 */
export async function withStay<T, S extends AnyStay = StayRecord>(tx: Tx, stay: S, work: (stay: S) => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await work(stay)
  } catch (error) {
    if (!(error instanceof Refusal && OVERTAKEN.includes(error.id))) throw error
    const [now] = await run<S>(tx, AS_IT_IS, [stay.id])
    if (!now || tries === 1) throw error
    // The stay as it was: its discount (a coupon) was taken once; a move that its state forbids stays forbidden.
    return withStay(tx, now, work, now.version === stay.version ? 1 : tries - 1)
  }
}
/** One stay as it is, not held: before its order is. @throws NotFound */
export async function readStay(tx: Tx, id: Id<StayId>): Promise<StayRecord> {
  const [stay] = await run<StayRecord>(tx, AS_IT_IS, [id])
  if (!stay) throw NotFound()
  return stay
}
const OVERTAKEN = [Stale().id, IllegalMove().id]
/** Each is lost to somebody who got something done; more than that on one car's stay in one moment is nobody's use. */
const TRIES = 6
const AS_IT_IS = { sql: 'select * from parking.stay where enterprise_id = scope_enterprise() and id = $1' }

/** A colour that one camera did not know is learned from another. */
export const learnedColor = (known: PlateColorCode | null, seen: PlateColorCode | null): PlateColorCode | null =>
  known === null && colorsAgree(known, seen) ? seen : known
export const minutesBetween = (from: Instant, to: Instant): number => Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 60_000))
