import type { Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { refuseLocked } from '../../roadside/server/api.ts'
import { OnJob } from '../contract/collector.ts'
import { NoteKind, type tracker } from '../contract/tracker.ts'
import { AHEAD_MS, FENCE_M, LATE_MS } from './card.ts'

const NobodysHandheld = refusal(
  'staff.nobodys-handheld',
  41960,
  '您的账号没有关联在职收费员，不能上报位置',
  'Your account is not linked to an employed collector: have it linked before reporting',
  422,
)
const NotOnDuty = refusal('staff.not-on-duty', 41961, '当时不在上班时间内，请先签到', 'You were not on duty at that time: check in first', 422)

/** Stores positions of the signed-in person, and of nobody else. Only points between check-in and check-out are kept. */
export async function keepPoints(tx: Tx, { points }: Of<typeof tracker.report.input>, { userId }: Actor, at: Instant) {
  const me = await collectorOf(tx, userId)
  const [counted] = await run<{ kept: number }>(tx, { sql: KEEP_POINTS }, [me.id, at, JSON.stringify(points), earliest(at), latest(at)])
  return { kept: counted!.kept, dropped: points.length - counted!.kept }
}
const earliest = (at: Instant) => new Date(msOf(at) - LATE_MS).toISOString()
const latest = (at: Instant) => new Date(msOf(at) + AHEAD_MS).toISOString()

export async function keepNote(tx: Tx, asked: Of<typeof tracker.note.input>, actor: Actor, at: Instant) {
  const { mid, kind, deviceTime = at, lng, lat, image = null, note = null } = asked
  if (kind === NoteKind.photo && !image) throw BadInput({ zh: '请先拍照', en: 'take a picture first' })
  if (!image && !note) throw BadInput({ zh: '请填写说明或拍照', en: 'enter a note or take a picture' })
  await refuseLocked(tx, actor, deviceTime)
  const me = await collectorOf(tx, actor.userId)
  const [where] = await run<{ inFence: boolean }>(tx, { sql: KEEP_NOTE }, [
    me.id,
    me.parkCode,
    deviceTime,
    earliest(at),
    latest(at),
    lng,
    lat,
    kind,
    image,
    note,
    mid,
    at,
  ])
  if (!where) throw NotOnDuty()
  return { at: deviceTime, inFence: where.inFence }
}

async function collectorOf(tx: Tx, userId: string): Promise<{ id: string; parkCode: string }> {
  const [me] = await run<{ id: string; parkCode: string }>(tx, { sql: ME }, [userId])
  if (!me) throw NobodysHandheld()
  return me
}
const ME = `select id, park_code from staff.collector where enterprise_id = scope_enterprise() and person_id = $1 and on_job = ${OnJob.employed}`
/** Which work it belongs to, and the place of that work that is nearest. */
const AT_WORK = `join staff.work_log w on w.enterprise_id = scope_enterprise() and w.collector_id = $1 and p.at >= date_trunc('second', w.opened_at) and p.at <= coalesce(w.out_at, w.until_at)
  join staff.cell e on e.enterprise_id = w.enterprise_id and e.id = w.cell_id
  left join lateral (select q.place_code, round(staff.metres(q.lng, q.lat, p.lng, p.lat))::int as dist_m from staff.place q
    where q.enterprise_id = w.enterprise_id and q.lat is not null and q.place_code = any (coalesce(nullif(e.place_codes, '{}'), array[w.park_code])) order by 2 limit 1) n on true`
/** A point at 0, 0 is one without a fix. Points that a handheld recorded after it was locked belong to nobody. */
const KEEP_POINTS = `with p as (select distinct on (date_trunc('second', x.at)) date_trunc('second', x.at) as at, x.lng, x.lat, x."accuracyM" as accuracy_m, x.battery
    from jsonb_to_recordset($3::jsonb) as x (at timestamptz, lng double precision, lat double precision, "accuracyM" integer, battery smallint)
    where x.at >= $4::timestamptz and x.at <= $5::timestamptz and not (x.lng = 0 and x.lat = 0) and x.at < coalesce((select l.locked_at from staff.handheld_lock l join staff.collector c on c.enterprise_id = l.enterprise_id and c.pda_no = l.device_no where c.enterprise_id = scope_enterprise() and c.id = $1), 'infinity') order by date_trunc('second', x.at), x.at desc),
  fits as materialized (select distinct on (p.at) p.*, n.dist_m from p ${AT_WORK} order by p.at),
  kept as (insert into staff.point (collector_id, at, received_at, lng, lat, accuracy_m, battery, in_fence, dist_m)
    select $1, at, $2, lng, lat, accuracy_m, battery, dist_m <= ${FENCE_M}, dist_m from fits on conflict do nothing)
  select count(*)::int as kept from fits`
/** Said again under its number it is the same one. */
const KEEP_NOTE = `with p as (select $3::timestamptz as at, $6::float8 as lng, $7::float8 as lat where $3 >= $4::timestamptz and $3 <= $5::timestamptz),
  fits as materialized (select p.at, p.lng, p.lat, n.place_code, n.dist_m, coalesce(n.dist_m <= ${FENCE_M}, false) as in_fence from p ${AT_WORK} limit 1),
  kept as (insert into staff.field_note (collector_id, park_code, kind, at, received_at, lng, lat, place_code, dist_m, in_fence, image, note, mid)
    select $1, $2, $8, at, $12, lng, lat, place_code, dist_m, in_fence, $9, $10, $11 from fits on conflict (enterprise_id, collector_id, mid) do nothing)
  select in_fence from fits`
