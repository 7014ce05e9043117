import type { Instant } from '../../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS, msOf, startOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { SessionStatus } from '../../../parking/contract/stay.ts'
import type { Covered } from '../../../parking/server/api.ts'
import type { PlateColorCode } from '../../../../platform/contract/plate.ts'
import { Decided } from '../decided.ts'

const MINUTES = `select l.free_min_per_day as minutes from member.list l where l.enterprise_id = scope_enterprise() and l.plate_no = $1 and (l.park_code is null or l.park_code = $2)
  and ($3::smallint is null or l.plate_color is null or l.plate_color = $3) and l.free_min_per_day is not null and l.decided = ${Decided.accepted} and l.released_at is null and l.start_at <= $4 and (l.end_at is null or l.end_at > $4)
  order by l.free_min_per_day desc limit 1`
/** Minutes of that day on which it was inside before, whatever they cost. */
const USED = `select coalesce(sum(extract(epoch from least(exit_time, $4) - greatest(entry_time, $3)) / 60), 0)::int as minutes from parking.stay
  where enterprise_id = scope_enterprise() and plate_no = $1 and park_code = $2 and entry_time < $5 and exit_time > $3 and status = ${SessionStatus.left}`

/** A free car has so many minutes of each day; the first of them that it is inside. */
export async function freeMinutes(
  tx: Tx,
  { plateNo, plateColor, parkCode, from, to }: { plateNo: string; plateColor: PlateColorCode | null; parkCode: string; from: Instant; to: Instant },
): Promise<Covered[]> {
  const [free] = await run<{ minutes: number }>(tx, { sql: MINUTES }, [plateNo, parkCode, plateColor, from])
  if (!free) return []
  const first = msOf(startOf(dayOf(from)))
  const [used] = await run<{ minutes: number }>(tx, { sql: USED }, [plateNo, parkCode, instantAt(first), instantAt(first + DAY_MS), from])
  const pieces: Covered[] = []
  for (let day = first; day < msOf(to); day += DAY_MS) {
    const left = Math.max(0, free.minutes - (day === first ? used!.minutes : 0)) * MINUTE_MS
    const start = Math.max(day, msOf(from))
    const end = Math.min(start + left, day + DAY_MS, msOf(to))
    if (start < end) pieces.push({ from: instantAt(start), to: instantAt(end) })
  }
  return pieces
}
