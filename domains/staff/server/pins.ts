import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { parksOf, run, type Tx } from '../../../platform/server/database.ts'
import { CardSource } from '../contract/attendance.ts'
import type { Pin, workLog } from '../contract/workLog.ts'
import { PinKind } from '../contract/workLog.ts'
import { GAP_MIN } from '../contract/tracker.ts'

/** Returns the pins on the map of a day: clockings and reports, money where the handheld was at that moment, incidents that collectors reported, warnings. */
export async function pinsOf(tx: Tx, { workDate, tollNos, parkCode }: Of<typeof workLog.pins.input>, at: Instant): Promise<Of<typeof Pin>[]> {
  const from = startOf(workDate)
  const to = instantAt(Math.min(msOf(from) + DAY_MS, msOf(at)))
  return run(tx, { sql: PINS }, [from, to, tollNos?.length ? tollNos : null, parkCode ?? null, parksOf(tx), workDate])
}
/** A map of more tells nobody anything: the newest. */
const PINS_MAX = 2_000
const PINS = `with who as (select c.* from staff.collector c where c.enterprise_id = scope_enterprise() and ($3::text[] is null or c.toll_no = any ($3)) and ($4::text is null or c.park_code = $4) and ($5::text[] is null or c.park_code = any ($5))),
  pins as (
    select case when k.source = ${CardSource.granted} then ${PinKind.granted} else k.kind end::int as kind, k.at, c.toll_no, c.name, k.lng, k.lat, null::text as biz_no, null::text as text
      from who c join staff.card k on k.enterprise_id = c.enterprise_id and k.collector_id = c.id and k.at >= $1 and k.at < $2 where k.lng is not null
    union all select n.kind, n.at, c.toll_no, c.name, n.lng, n.lat, null, n.note
      from who c join staff.field_note n on n.enterprise_id = c.enterprise_id and n.collector_id = c.id and n.at >= $1 and n.at < $2
    union all select ${PinKind.money}, p.paid_at, c.toll_no, c.name, q.lng, q.lat, p.pay_no, null
      from who c join settlement.shift s on s.enterprise_id = c.enterprise_id and s.person_id = c.person_id and s.opened_at < $2 and coalesce(s.closed_at, $2) >= $1::timestamptz - interval '1 day'
      join settlement.payment p on p.enterprise_id = s.enterprise_id and p.shift_id = s.id and p.received_fen > 0 and p.paid_at >= $1 and p.paid_at < $2
      cross join lateral (select o.lng, o.lat from staff.point o where o.enterprise_id = c.enterprise_id and o.collector_id = c.id and o.at <= p.paid_at and o.at > p.paid_at - interval '${GAP_MIN} minutes' order by o.at desc limit 1) q
    union all select ${PinKind.incident}, (i ->> 'at')::timestamptz, c.toll_no, c.name, (i ->> 'lng')::float8, (i ->> 'lat')::float8, null, i ->> 'text'
      from who c join staff.work_log w on w.enterprise_id = c.enterprise_id and w.collector_id = c.id and w.work_date between $6::date - 1 and $6, jsonb_array_elements(w.incidents) i where i ? 'lng' and (i ->> 'at')::timestamptz >= $1 and (i ->> 'at')::timestamptz < $2
    union all select ${PinKind.warning}, x.start_at, c.toll_no, c.name, x.lng, x.lat, x.id::text, x.rule::text
      from who c join staff.warning x on x.enterprise_id = c.enterprise_id and x.collector_id = c.id and x.start_at >= $1 and x.start_at < $2 where x.lng is not null)
  select * from pins order by at desc limit ${PINS_MAX}`
