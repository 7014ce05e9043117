import type { Instant, Of } from '../../../platform/contract/field.ts'
import { isPlate, normalizePlate } from '../../../platform/contract/plate.ts'
import { DAY_MS, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { type DrawnPoint, RawPoint, rawSearch, track, TRACK_DAYS_MAX, TRACK_POINTS_MAX, TrackEvent, type Trip, Trust } from '../contract/track.ts'
import { MOVING_FROM } from './moving.ts'
import { cameBy, type Standing } from './odometer.ts'
import './tables.ts'

const raw = listOver(RawPoint, 'fleet.trackLine', rawSearch, { key: 'deviceTime' })
const WhichTrack = refusal('fleet.which-track', 42330, '请选择一辆车（完整车牌）和起止时间', 'Choose one vehicle (full plate) and a time range', 422)
const TooLong = refusal(
  'fleet.track-too-long',
  42331,
  '起止时间最长 {days} 天，且结束晚于开始',
  'The range can be {days:day} at most, and must end after it starts',
  422,
)
type Asked = Of<typeof track.query.input>
type Point = Of<typeof DrawnPoint>
type Stretch = Of<typeof Trip>

export const calls = serve(track, {
  async query({ tx, input: { current = 1, limit = 20, ...asked } }) {
    const rows = await run<Point>(tx, DRAWN, await spanOf(tx, asked))
    return { records: rows.slice((current - 1) * limit, current * limit), total: rows.length, totalExact: true }
  },
  async trips({ tx, input: { current = 1, limit = 20, ...asked } }) {
    const points = await run<Point>(tx, DRAWN, await spanOf(tx, asked))
    const all = tripsOf(points)
    return { records: all.slice((current - 1) * limit, current * limit), total: all.length, totalExact: true }
  },
  export: exporting(track.export, {
    choose: ({ timeFrom, timeTo, vehicleId, vehicleNo, ...asked }) => {
      refuseSpan({ timeFrom, timeTo, vehicleId, vehicleNo })
      const which = vehicleId ? { vehicleId } : { vehicleNo: normalizePlate(vehicleNo!) }
      return { list: raw, input: { ...asked, ...which, deviceTimeFrom: timeFrom, deviceTimeTo: timeTo } }
    },
  }),
})

function refuseSpan({ vehicleId, vehicleNo, timeFrom, timeTo }: Omit<Asked, 'current' | 'limit'>): { timeFrom: Instant; timeTo: Instant } {
  if (!timeFrom || !timeTo || !(vehicleId || (vehicleNo && isPlate(normalizePlate(vehicleNo))))) throw WhichTrack()
  const long = msOf(timeTo) - msOf(timeFrom)
  if (!(long > 0 && long <= TRACK_DAYS_MAX * DAY_MS)) throw TooLong({ days: TRACK_DAYS_MAX })
  return { timeFrom, timeTo }
}
/** Returns the statement's values: one vehicle and a time. @throws when it names none */
async function spanOf(tx: Tx, asked: Omit<Asked, 'current' | 'limit'>): Promise<unknown[]> {
  const { timeFrom, timeTo } = refuseSpan(asked)
  const vehicleNo = asked.vehicleNo ? normalizePlate(asked.vehicleNo) : null
  const [found] = await run<{ id: string }>(
    tx,
    { sql: 'select id from fleet.vehicle where enterprise_id = scope_enterprise() and (id = $1 or ($1::uuid is null and vehicle_no = $2))' },
    [asked.vehicleId ?? null, vehicleNo],
  )
  if (!found) throw NotFound()
  return [found.id, timeFrom, timeTo]
}

/** Room for what happened on the way. */
const THINNED = Math.floor(TRACK_POINTS_MAX * 0.8)
/** Thinned where the rows lie: a month of a terminal that speaks every ten seconds is a quarter of a million points. */
const DRAWN = {
  sql: `with p as (select device_time, lng, lat, speed, heading, acc, mileage_m, alarm_bits, trust, row_number() over w as n, count(*) over () as of_all, lag(acc) over w as acc_before, lag(alarm_bits) over w as alarm_before
      from fleet.position where enterprise_id = scope_enterprise() and vehicle_id = $1 and device_time >= $2 and device_time <= $3 and trust = ${Trust.good} window w as (order by device_time)),
    e as (select *, case when alarm_bits <> 0 and alarm_bits is distinct from coalesce(alarm_before, 0) then ${TrackEvent.alarm} when acc and acc_before = false then ${TrackEvent.ignitionOn} when not acc and acc_before then ${TrackEvent.ignitionOff} end as event from p)
    select v.vehicle_no, e.device_time, e.lng, e.lat, e.speed, e.heading, e.acc, e.mileage_m, e.alarm_bits, e.trust, e.event from e join fleet.vehicle v on v.enterprise_id = scope_enterprise() and v.id = $1
    where e.event is not null or e.n % greatest(1, ceil(e.of_all / ${THINNED}::numeric))::bigint = 1 % greatest(1, ceil(e.of_all / ${THINNED}::numeric))::bigint or e.n = e.of_all order by e.device_time limit ${TRACK_POINTS_MAX}`,
}

/** Standing for longer ends a trip. */
const STOP_MS = 5 * MINUTE_MS
/** Stretches of driving: the ignition on or faster than a walk, until it stood for five minutes. */
export function tripsOf(points: readonly Point[]): Stretch[] {
  const trips: { first: Point; last: Point; distanceM: number; standing: Standing; topSpeed: number }[] = []
  let before: Point | undefined
  for (const point of points) {
    if (point.speed > MOVING_FROM) {
      const open = trips.at(-1)
      const goesOn = open && msOf(point.deviceTime) - msOf(open.last.deviceTime) <= STOP_MS
      if (goesOn) {
        const { came, standing } = cameBy(open.last, point, open.standing)
        open.distanceM += came
        open.standing = standing
        open.last = point
        open.topSpeed = Math.max(open.topSpeed, point.speed)
      } else {
        const first = before && msOf(point.deviceTime) - msOf(before.deviceTime) <= STOP_MS ? before : point
        const { came, standing } = cameBy(first, point, null)
        trips.push({ first, last: point, distanceM: came, standing, topSpeed: point.speed })
      }
    }
    before = point
  }
  return trips.map(({ first, last, distanceM, topSpeed }, at): Stretch => {
    const next = trips[at + 1]
    return {
      fromAt: first.deviceTime,
      toAt: last.deviceTime,
      fromLng: first.lng,
      fromLat: first.lat,
      toLng: last.lng,
      toLat: last.lat,
      topSpeed,
      distanceM,
      stoodMin: next ? Math.round((msOf(next.first.deviceTime) - msOf(last.deviceTime)) / MINUTE_MS) : null,
    }
  })
}
