import type { Instant } from '../../../platform/contract/field.ts'
import { impliedColor, type PlateColorCode } from '../../../platform/contract/plate.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, MINUTE_MS } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { Covered } from '../../parking/server/api.ts'
import type { PassWindowCode } from '../contract/pass.ts'
import './tables.ts'

/** By day is from seven to seven. */
const DAY_FROM_MIN = 7 * 60
const DAY_TO_MIN = 19 * 60
/** The minutes of a week (Monday 00:00 = 0) that a pass is for, as the database compares them. */
const WEEK_DAYS = 7
const DAY_MIN = 24 * 60
export function weekMinutes(window: PassWindowCode): [from: number, to: number][] {
  if (window === 1) return [[0, WEEK_DAYS * DAY_MIN]]
  if (window === 4) return [[0, 5 * DAY_MIN]]
  const days = Array.from({ length: WEEK_DAYS }, (_, day) => day * DAY_MIN)
  if (window === 2) return days.map((day) => [day + DAY_FROM_MIN, day + DAY_TO_MIN])
  return days.flatMap((day): [number, number][] => [[day, day + DAY_FROM_MIN], [day + DAY_TO_MIN, day + DAY_MIN]]) // prettier-ignore
}

export interface NewPass {
  parkCode: string
  holder: string
  phone?: string
  seats?: number
  timeWindow?: PassWindowCode
  plates: readonly { plateNo: string; plateColor?: PlateColorCode | null }[]
  startAt: Instant
  /** Half-open: the midnight after its last day. */
  endAt: Instant
}
/** A pass, valid at once. The database refuses (23P01) a car whose other pass overlaps. */
export async function addPass(tx: Tx, { plates, timeWindow = 1, ...pass }: NewPass): Promise<string> {
  const { id } = await tx.insertInto('member.pass').values({ ...pass, timeWindow }).returning('id').executeTakeFirstOrThrow() // prettier-ignore
  const { parkCode, startAt, endAt } = pass
  const hours = `{${weekMinutes(timeWindow).map(([from, to]) => `[${from},${to})`).join(',')}}` // prettier-ignore
  for (const { plateNo, plateColor = null } of plates)
    await tx
      .insertInto('member.passCar')
      .values({ passId: id, parkCode, plateNo, plateColor: plateColor ?? impliedColor(plateNo), hours, startAt, endAt })
      .execute()
  return id
}

/** When a pass is for, within a stay: its period, cut to its hours day by day. */
export function coveredBy(pass: { timeWindow: PassWindowCode; startAt: Instant; endAt: Instant }, from: Instant, to: Instant): Covered[] {
  const [first, last] = [Math.max(Date.parse(pass.startAt), Date.parse(from)), Math.min(Date.parse(pass.endAt), Date.parse(to))]
  if (first >= last) return []
  const pieces: Covered[] = []
  for (let week = weekStart(first); week < last; week += WEEK_DAYS * DAY_MS)
    for (const [fromMin, toMin] of weekMinutes(pass.timeWindow)) {
      const [start, end] = [Math.max(week + fromMin * MINUTE_MS, first), Math.min(week + toMin * MINUTE_MS, last)]
      if (start < end) pieces.push({ from: instantAt(start), to: instantAt(end) })
    }
  return pieces
}
/** Monday 00:00 of the city, at or before a moment. 1 January 1970 was a Thursday. */
function weekStart(ms: number): number {
  const day = Math.floor((ms + CITY_OFFSET_MS) / DAY_MS)
  return (day - ((day + 3) % WEEK_DAYS)) * DAY_MS - CITY_OFFSET_MS
}
export const isWithin = (pass: Parameters<typeof coveredBy>[0], at: Instant): boolean => coveredBy(pass, at, instantAt(Date.parse(at) + 1)).length > 0

export interface PassOf {
  passId: string
  timeWindow: PassWindowCode
  startAt: Instant
  endAt: Instant
  seats: number
  plates: string[]
}
/** Passes of a car in a park that touch a period; frozen, given back and unpaid ones give nothing. */
export const passesOf = (
  tx: Tx,
  car: { parkCode: string; plateNo: string; plateColor: PlateColorCode | null },
  from: Instant,
  to: Instant,
): Promise<PassOf[]> => run<PassOf>(tx, PASSES, [car.plateNo, car.parkCode, car.plateColor, from, to])
const PASSES = {
  sql: `select p.id as pass_id, p.time_window, p.start_at, p.end_at, p.seats, array(select plate_no from member.pass_car o where o.enterprise_id = p.enterprise_id and o.pass_id = p.id) as plates
    from member.pass_car c join member.pass p on p.enterprise_id = c.enterprise_id and p.id = c.pass_id
    where c.enterprise_id = scope_enterprise() and c.plate_no = $1 and c.park_code = $2 and ($3::smallint is null or c.plate_color is null or c.plate_color = $3)
      and c.start_at <= $5 and c.end_at > $4 and p.state = 2 order by p.time_window, p.start_at`,
}
