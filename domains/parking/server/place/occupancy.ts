import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { Occupancy, Park } from '../../contract/park.ts'
import { CarKind, SessionStatus } from '../../contract/stay.ts'
import { held } from '../questions.ts'

/** The number of cars inside: the one source of every count and of the free bays, on every screen. */
export interface Inside {
  parkCode: string
  present: number
  passes: number
  /** Standing at an exit, paid or not. */
  leaving: number
  /** Kept for cars that have not come yet. */
  held: number
}
type Counted = Omit<Inside, 'held'>
const NOBODY = { present: 0, passes: 0, leaving: 0 }
export const insideOf = async (tx: Tx, parkCodes: readonly string[]): Promise<Map<string, Inside>> => {
  const [rows, kept] = await Promise.all([run<Counted>(tx, INSIDE, [parkCodes]), keptOf(tx, parkCodes)])
  const found = new Map(rows.map((row) => [row.parkCode, { ...row, held: kept.get(row.parkCode) ?? 0 }]))
  for (const [parkCode, held] of kept) if (!found.has(parkCode)) found.set(parkCode, { parkCode, ...NOBODY, held })
  return found
}
/** The same of one park, asked with every car that comes: a list of parks would be planned anew each time. */
export const insidePark = async (tx: Tx, parkCode: string): Promise<Inside> => {
  const [[row], kept] = await Promise.all([run<Counted>(tx, INSIDE_ONE, [parkCode]), keptOf(tx, [parkCode])])
  return { ...row!, held: kept.get(parkCode) ?? 0 }
}
const keptOf = async (tx: Tx, parkCodes: readonly string[]): Promise<Map<string, number>> =>
  new Map((await held.ask(tx, { parkCodes })).flatMap(({ answer }) => answer).map((one) => [one.parkCode, one.held]))
const COUNTS = `count(*)::int as present, (count(*) filter (where car_kind = ${CarKind.pass}))::int as passes, (count(*) filter (where status = ${SessionStatus.leaving}))::int as leaving
    from parking.present where enterprise_id = scope_enterprise()`
const INSIDE = { sql: `select park_code, ${COUNTS} and park_code = any($1) group by park_code` }
const INSIDE_ONE = { sql: `select $1::text as park_code, ${COUNTS} and park_code = $1::text` }
/** The same by area of one park; cars outside any area are under `null`. */
export const insideAreas = async (tx: Tx, parkCode: string): Promise<Map<string | null, number>> => {
  const rows = await run<{ areaCode: string | null; present: number }>(
    tx,
    {
      sql: `select area_code, count(*)::int as present from parking.present where enterprise_id = scope_enterprise() and park_code = $1 group by area_code`,
    },
    [parkCode],
  )
  return new Map(rows.map(({ areaCode, present }) => [areaCode, present]))
}

export type Bays = Pick<Of<typeof Park>, 'parkCode' | 'totalBays' | 'countPassInAvail' | 'remainderOffset'>
/** Bays less counted cars and kept places, with a person's correction; below zero when more cars are inside than there are bays. */
export const roomIn = ({ totalBays, countPassInAvail, remainderOffset }: Bays, inside: Inside | undefined): number =>
  totalBays + remainderOffset - (inside ? inside.present + inside.held - (countPassInAvail ? 0 : inside.passes) : 0)
/** Returns the occupancy for signs and lists; the free bays are never below 0 nor above the total. */
export const occupancyOf = (park: Bays, inside: Inside | undefined): Of<typeof Occupancy> => ({
  presentCount: inside?.present ?? 0,
  remainingBays: Math.min(Math.max(roomIn(park, inside), 0), park.totalBays),
})

/** Which of these plates are inside, and as what they came in. */
export const kindsInside = (tx: Tx, parkCode: string, plates: readonly string[]): Promise<{ plateNo: string; carKind: number }[]> =>
  run(
    tx,
    { sql: 'select plate_no, car_kind from parking.present where enterprise_id = scope_enterprise() and park_code = $1 and plate_no = any($2)' },
    [parkCode, plates],
  )
