import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { Detector } from '../contract/berth.ts'
import { IllegalSource, type IllegalStop, IllegalType } from '../contract/illegalStop.ts'
import { EvidenceKind } from '../contract/roadStay.ts'
import type { Place } from './place.ts'
import { illegalTopic } from './questions.ts'
import type { Seen } from './seen.ts'

export type Illegal = Of<typeof IllegalStop>
export type Caught = Pick<Illegal, 'parkCode' | 'type' | 'source' | 'plateNo' | 'plateColor' | 'place'> &
  Partial<Pick<Illegal, 'sectionCode' | 'seatCode' | 'deviceNo' | 'holdMin' | 'remark' | 'confidence'>> & {
    at: Instant
    images: Illegal['images']
    /** The person who reports it, if one does: a person who added to a record does not review it. */
    filedBy: string | null
  }

/** The same car at the same place is one record for so long. */
const AGAIN = '2 hours'
/**
 * A car where it may not stop. Seen again at the same place it is the same stop, seen once more; a decided one stays decided. A device's addition is no
 * change that its reviewer would have to read again.
 */
export async function caught(tx: Tx, one: Caught): Promise<Pick<Illegal, 'id'>> {
  const key = `illegal ${one.parkCode} ${one.place} ${one.plateNo ?? one.seatCode ?? ''}`
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [key])
  const images = JSON.stringify(one.images)
  const [again] = await run<Pick<Illegal, 'id'>>(tx, COUNT_UP, [
    one.plateNo,
    one.place,
    one.parkCode,
    one.at,
    images,
    one.filedBy,
    one.confidence ?? null,
    one.seatCode ?? null,
    one.plateColor,
  ])
  const found =
    again ??
    (
      await run<Pick<Illegal, 'id'>>(tx, CATCH, [
        one.parkCode,
        one.type,
        one.source,
        one.plateNo,
        one.plateColor,
        one.sectionCode ?? null,
        one.seatCode ?? null,
        one.place,
        one.deviceNo ?? null,
        one.at,
        images,
        one.holdMin ?? HOLD_MIN,
        one.filedBy,
        one.remark ?? null,
        one.confidence ?? null,
      ])
    )[0]!
  await tell(tx, illegalTopic, { park: one.parkCode, ids: [found.id] })
  return found
}
const HOLD_MIN = 3
/** Of one arrival at a berth, devices tell within so long, in whichever order: one of them reads the plate. */
const NAMED_WITHIN = '10 minutes'
/** The number of its first pictures to keep, and of its last: they show how long it stood. */
const PICTURES_EACH = 10
/** A device tells one sighting in several messages, the picture behind. */
const SAME_SIGHT = '3 seconds'
const OF_PLACE = 'enterprise_id = scope_enterprise() and park_code = $3 and place = $2'
const SAME_STOP = `last_at >= $4::timestamptz - interval '${AGAIN}' and first_at <= $4::timestamptz + interval '${AGAIN}'`
const SAME_ARRIVAL = `last_at >= $4::timestamptz - interval '${NAMED_WITHIN}' and first_at <= $4::timestamptz + interval '${NAMED_WITHIN}'`
/** Seen empty in between, the berth has another car by then. */
const EMPTIED = `select from roadside.evidence e where e.enterprise_id = s.enterprise_id and e.park_code = s.park_code and e.seat_code = s.seat_code and e.kind = ${EvidenceKind.leave}
  and e.at between least(s.last_at, $4::timestamptz) and greatest(s.first_at, $4::timestamptz)`
const COUNT_UP = {
  sql: `update roadside.illegal_stop set count = count + case when $6::text is null and $4::timestamptz between last_at - interval '${SAME_SIGHT}' and last_at + interval '${SAME_SIGHT}' then 0 else 1 end, last_at = greatest(last_at, $4::timestamptz), first_at = least(first_at, $4::timestamptz), version = version + case when $6::text is null then 0 else 1 end, updated_at = $4,
      confidence = greatest(confidence, $7::smallint),
      images = (select coalesce(jsonb_agg(one order by first), '[]') from (select one, row_number() over taken as first, row_number() over (order by at desc, n desc) as last
          from (select distinct on (one) one, (one ->> 'at')::timestamptz as at, n from jsonb_array_elements(images || $5::jsonb) with ordinality as e (one, n) order by one, n) as each
          window taken as (order by at, n)) as kept where first <= ${PICTURES_EACH} or last <= ${PICTURES_EACH}),
      filed_by = case when $6::text is null or $6 = any(filed_by) then filed_by else filed_by || $6::text end,
      plate_no = coalesce(plate_no, $1), plate_color = coalesce(plate_color, $9::smallint)
    where id = (select id from (
        select id, false as unnamed, last_at from roadside.illegal_stop where ${OF_PLACE} and plate_no = $1 and ${SAME_STOP}
        union all select id, true, last_at from roadside.illegal_stop s where ${OF_PLACE} and seat_code = $8 and (plate_no is null or $1::text is null) and ${SAME_ARRIVAL} and not exists (${EMPTIED})) as known
      order by unnamed, last_at desc limit 1) returning id`,
}
const CATCH = {
  sql: `insert into roadside.illegal_stop (illegal_no, park_code, type, source, plate_no, plate_color, section_code, seat_code, place, device_no, first_at, last_at, images, hold_min, filed_by, remark, confidence)
    values (platform.business_no('WT'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11::jsonb, $12, array_remove(array[$13::text], null), $14, $15) returning id`,
}

const SOURCES: Partial<Record<Seen['detector'], Illegal['source']>> = {
  [Detector.patrol]: IllegalSource.patrol,
  [Detector.handheld]: IllegalSource.person,
}
/** A car came to a berth that is out of use: there is nothing to be paid there, and nowhere to stop. */
export const stoppedWhereClosed = (tx: Tx, { parkCode, sectionCode, seatCode, sectionName, berthNo }: Place, seen: Seen) =>
  caught(tx, {
    ...{ parkCode, sectionCode, seatCode },
    type: IllegalType.noStopping,
    source: SOURCES[seen.detector] ?? IllegalSource.highPole,
    plateNo: seen.plateNo,
    plateColor: seen.plateColor,
    place: `${sectionName} ${berthNo}`,
    deviceNo: seen.deviceNo,
    confidence: seen.confidence,
    at: seen.at,
    images: seen.image ? [{ image: seen.image, at: seen.at, showsPlate: seen.showsPlate, showsPlace: seen.showsBerth }] : [],
    filedBy: seen.by,
  })
