import type { Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { type attendance, CardKind, CardSource } from '../contract/attendance.ts'
import { refuseLocked } from '../../roadside/server/api.ts'
import { OnJob } from '../contract/collector.ts'
import { CellState } from '../contract/roster.ts'
import { keepLogs } from './duty.ts'
import { figure } from './figuring.ts'
import { bringWaiting } from './notice.ts'

const NotACollector = refusal(
  'staff.not-a-collector',
  41922,
  '您的账号没有关联在职收费员，不能打卡',
  'Your account is not linked to an employed collector: have it linked, then clock in again',
  422,
)
const WrongClock = refusal(
  'staff.wrong-clock',
  41923,
  '设备时间不可信，请校准手持机时间后重试',
  'The device clock is wrong: set the handheld’s time and try again',
  422,
)
const NoPlaceGiven = refusal(
  'staff.no-position',
  41924,
  '打卡须有定位，或在岗亭登录',
  'Clocking in needs your location: turn it on, or sign in at a booth',
  422,
)

type Asked = Of<typeof attendance.card.input>
/** A card may come late from a handheld that had no network, and a clock may be a little ahead. */
export const LATE_MS = 24 * 3_600_000
export const AHEAD_MS = 2 * 60_000
/** A clocking within this distance is at the place. */
export const FENCE_M = 200

interface Where {
  id: string
  personId: string
  parkCode: string
  cellId: string | null
  workDate: string | null
  nearest: string | null
  distM: number | null
  booth: boolean
}
/** Somebody says that they came, or that they go. Said again under the same number, it is the same card. */
export async function card(tx: Tx, asked: Asked, actor: Actor, at: Instant): Promise<Of<typeof attendance.card.reply>> {
  const { mid, kind, deviceTime = at, lng = null, lat = null, placeCode = null, image = null } = asked
  if (msOf(deviceTime) > msOf(at) + AHEAD_MS || msOf(deviceTime) < msOf(at) - LATE_MS) throw WrongClock()
  if ((lng === null || lat === null) && placeCode === null) throw NoPlaceGiven()
  if (lng !== null) await refuseLocked(tx, actor, deviceTime)
  const [where] = await run<Where>(tx, { sql: WHERE }, [actor.userId, deviceTime, kind, lng, lat, placeCode])
  if (!where) throw NotACollector()
  const { id, cellId, distM, nearest } = where
  const source = lng === null ? CardSource.booth : CardSource.handheld
  const inFence = source === CardSource.booth ? where.booth : distM !== null && distM <= FENCE_M
  const values = [id, where.parkCode, kind, source, deviceTime, at, lng, lat, placeCode ?? nearest, distM, inFence, image, mid]
  await run(tx, { sql: KEEP }, values)
  if (cellId) {
    const cell = { from: where.workDate!, to: where.workDate!, cellId }
    await figure(tx, cell, at)
    await keepLogs(tx, cell, at)
  }
  if (kind === CardKind.in) await bringWaiting(tx, id, where.personId, at)
  return { at: deviceTime, inFence, distM, cellId: cellId }
}
const WORKS = `(${CellState.planned}, ${CellState.swapped}, ${CellState.stoodIn})`
/** The cell whose window it falls into, the place of it that is nearest, and whether a booth is one of its places. Metres on a sphere. */
const WHERE = `select c.id, c.person_id, c.park_code, e.id as cell_id, e.work_date, n.place_code as nearest, n.dist_m, $6::text = any (coalesce(nullif(e.place_codes, '{}'), array[c.park_code])) as booth
  from staff.collector c
  left join lateral (select x.* from staff.cell x where x.enterprise_id = c.enterprise_id and x.collector_id = c.id and x.state in ${WORKS}
      and case when $3::smallint = ${CardKind.in} then $2::timestamptz >= x.start_at - x.check_in_from_min * interval '1 minute' and $2 < x.end_at
        else $2 > x.start_at and $2 <= x.end_at + x.check_out_to_min * interval '1 minute' end
      order by case when $3 = ${CardKind.in} then x.start_at end desc, case when $3 = ${CardKind.out} then x.end_at end limit 1) e on true
  left join lateral (select q.place_code, round(6371008.8 * 2 * asin(least(1, sqrt(sin(radians(q.lat - $5::float8) / 2) ^ 2 + cos(radians($5::float8)) * cos(radians(q.lat)) * sin(radians(q.lng - $4::float8) / 2) ^ 2))))::int as dist_m
      from staff.place q where q.enterprise_id = c.enterprise_id and q.lat is not null and q.place_code = any (coalesce(nullif(e.place_codes, '{}'), array[c.park_code])) and $4 is not null order by 2 limit 1) n on true
  where c.enterprise_id = scope_enterprise() and c.person_id = $1 and c.on_job = ${OnJob.employed}`
const KEEP = `insert into staff.card (collector_id, park_code, kind, source, at, received_at, lng, lat, place_code, dist_m, in_fence, image, mid)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (enterprise_id, collector_id, mid) do nothing`
