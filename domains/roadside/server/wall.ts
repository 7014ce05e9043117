import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { serve } from '../../../platform/server/serve.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { SessionStatus, StayPlace } from '../../parking/contract/stay.ts'
import { Occupy } from '../contract/berth.ts'
import { type RoadWall, type SectionFull, wall } from '../contract/wall.ts'

const HOURS = 24
const HOUR_MS = 3_600_000
/** More bars nobody reads from across a room. */
const SECTIONS = 12

export const calls = serve(wall, { show: ({ tx, input, at }) => flowOf(tx, input, at) })

/** How the day goes by the hour, and the fullest sections. */
export async function flowOf(tx: Tx, input: Of<typeof wall.show.input>, at: Instant): Promise<Of<typeof RoadWall>> {
  const of = [input.parkCode ?? null, input.regionCode ?? null]
  const from = startOf(dayOf(at))
  const [passed, sections] = await Promise.all([
    run<{ hour: number; arrivals: number; leaves: number }>(tx, PASSED, [...of, instantAt(msOf(from) - DAY_MS)]),
    run<Of<typeof SectionFull>>(tx, FULLEST, of),
  ])
  const now = Math.floor((msOf(at) - msOf(from)) / HOUR_MS)
  const hours = Array.from({ length: HOURS }, (_, hour) => {
    const [before, today] = [hour, HOURS + hour].map((one) => passed.find((row) => row.hour === one))
    const past = hour <= now
    return {
      hour,
      arrivals: past ? (today?.arrivals ?? 0) : null,
      leaves: past ? (today?.leaves ?? 0) : null,
      arrivalsBefore: before?.arrivals ?? 0,
    }
  })
  return { at, hours, sections }
}

const OF_PARK = `($1::text is null or p.park_code = $1) and ($2::text is null or p.region_code ^@ platform.region_prefix($2))`
/** A car stands on the street for a month at most before somebody asks; an earlier car is no arrival or leaving of these days. */
const hourly = (what: string, time: string, where: string) =>
  `select floor(extract(epoch from ${time} - $3::timestamptz) / 3600)::int as hour, ${what} from parking.stay s join parking.park p on p.enterprise_id = s.enterprise_id and p.park_code = s.park_code
    where s.enterprise_id = scope_enterprise() and s.p_type = ${StayPlace.street} and s.status <> ${SessionStatus.void} and ${time} >= $3 and s.seen_at >= $3::timestamptz - interval '31 days'
      and ${where} and ${OF_PARK} group by 1`
const PASSED = {
  sql: `select hour, sum(came)::int as arrivals, sum(gone)::int as leaves from (
    ${hourly('count(*) as came, 0 as gone', 's.entry_time', 'true')} union all ${hourly('0, count(*)', 's.exit_time', `s.status = ${SessionStatus.left}`)}) h group by hour order by hour`,
}
const FULLEST = {
  sql: `select b.park_code, min(b.park_name) as park_name, b.section_code, min(b.section_name) as name, (count(*) filter (where b.occupy <> ${Occupy.disabled}))::int as seats,
      (count(*) filter (where b.occupy = ${Occupy.occupied}))::int as occupied, (count(*) filter (where b.occupy = ${Occupy.free}))::int as free
    from roadside.berth_now b join parking.park p on p.enterprise_id = b.enterprise_id and p.park_code = b.park_code
    where b.enterprise_id = scope_enterprise() and b.p_type = ${ParkType.roadside} and b.section_code is not null and ${OF_PARK}
    group by b.park_code, b.section_code having count(*) filter (where b.occupy <> ${Occupy.disabled}) > 0
    order by (count(*) filter (where b.occupy = ${Occupy.occupied}))::float8 / (count(*) filter (where b.occupy <> ${Occupy.disabled})) desc, b.park_code, b.section_code limit ${SECTIONS}`,
}
