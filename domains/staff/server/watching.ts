import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { OPEN_STATES } from '../../after-sale/contract/workOrder.ts'
import { sendInner } from '../../message/server/api.ts'
import { SessionStatus } from '../../parking/contract/stay.ts'
import { ConfirmState } from '../../roadside/contract/roadStay.ts'
import { OnJob, TollType } from '../contract/collector.ts'
import { CellState } from '../contract/roster.ts'
import { WarningState, WorkRule } from '../contract/workWarning.ts'
import { LogState } from '../contract/workLog.ts'
import { countLogs } from './counting.ts'
import { inTurn, keepLogs, moveOn } from './duty.ts'
import { figure } from './figuring.ts'

/** Runs the checks that time triggers: work that ends, logs that are late, and warnings for leaders. */
export async function watchStaff(tx: Tx, at: Instant, backDays = 1): Promise<void> {
  const around = { from: dayOf(instantAt(msOf(at) - backDays * DAY_MS)), to: dayOf(at) }
  await inTurn(tx)
  await figure(tx, around, at)
  await keepLogs(tx, around, at)
  await moveOn(tx, at)
  for (const sql of [ENDED, AGAIN]) await run(tx, { sql }, [at])
  const opened = await run<Opened>(tx, { sql: OPENED }, [at])
  const cameTo = await run<Opened>(tx, { sql: CAME_TO }, [at, around.from])
  for (const one of [...opened, ...cameTo]) await tellLeader(tx, one, at)
}
export const tasks = [
  task('staff.watch', ({ tx, at }) => watchStaff(tx, at), { every: '* * * * *' }),
  task('staff.count', ({ tx, at }) => countLogs(tx, at), { every: '*/5 * * * *' }),
  task('staff.forget', async ({ tx, at }) => void (await run(tx, { sql: 'select staff.forget_points($1)' }, [at])), { every: '42 18 * * *' }),
]

interface Opened {
  rule: number
  name: string
  tollNo: string
  /** Null, where the list alone tells of it. */
  leader: string | null
}
/** Tells the leader; of a leader's own warning, the list is enough. */
async function tellLeader(tx: Tx, { rule, name, tollNo, leader }: Opened, at: Instant): Promise<void> {
  if (!leader) return
  const [zh, en] = WorkRule.entries[rule as 1]
  await sendInner(tx, {
    to: { custId: leader },
    title: [`工作预警：${name} ${zh}`, `Work warning: ${name}, ${en.toLowerCase()}`],
    body: [`${name}（${tollNo}）${zh}，请核实处理`, `${name} (${tollNo}): ${en.toLowerCase()}. Please check and handle it.`],
    link: '/assetManage/person/alarm/record',
    at,
  })
}

/** People at work now, with their last position and the limits of the rules. */
const HOURS_BACK = 4
const AT_WORK = `rules as materialized (select * from staff.warning_rule_line where enterprise_id = scope_enterprise() and enabled),
  work as materialized (select w.enterprise_id, w.id, w.collector_id, w.cell_id, w.park_code, w.opened_at, c.toll_type, c.person_id, c.pda_no, coalesce(nullif(e.place_codes, '{}'), array[w.park_code]) as places, p.at, p.lng, p.lat, p.in_fence, p.received_at
    from staff.work_log w join staff.collector c on c.enterprise_id = w.enterprise_id and c.id = w.collector_id join staff.cell e on e.enterprise_id = w.enterprise_id and e.id = w.cell_id
    left join lateral (select p.* from staff.point p where p.enterprise_id = w.enterprise_id and p.collector_id = w.collector_id and p.at >= w.opened_at - interval '1 second' and p.at <= $1::timestamptz order by p.at desc limit 1) p on true
    where w.enterprise_id = scope_enterprise() and w.state = ${LogState.running} and w.until_at >= $1 and w.opened_at <= $1)`
/** Out of place since the first position behind the last good one. */
const AWAY = `select r.rule, w.collector_id, w.cell_id, w.park_code, w.places[1] as place_code, w.lng, w.lat, o.since as start_at from rules r, work w
  cross join lateral (select min(p.at) as since from staff.point p where p.enterprise_id = w.enterprise_id and p.collector_id = w.collector_id and not p.in_fence
    and p.at > greatest(w.opened_at, w.at - interval '${HOURS_BACK} hours', (select max(g.at) from staff.point g where g.enterprise_id = w.enterprise_id and g.collector_id = w.collector_id and g.in_fence and g.at >= w.opened_at and g.at <= w.at))) o
  where r.rule = ${WorkRule.away} and w.in_fence = false and w.at - o.since > r.threshold_min * interval '1 minute'`
/** All positions of that time lie close to the newest. A collector in a booth stands still by duty. */
const STILL = `select r.rule, w.collector_id, w.cell_id, w.park_code, w.places[1], w.lng, w.lat, w.at - r.threshold_min * interval '1 minute' from rules r, work w
  where r.rule = ${WorkRule.still} and w.toll_type <> ${TollType.park} and w.at > $1::timestamptz - interval '5 minutes'
    and exists (select from staff.point p where p.enterprise_id = w.enterprise_id and p.collector_id = w.collector_id and p.at >= w.opened_at and p.at <= w.at - r.threshold_min * interval '1 minute' and p.at > w.at - r.threshold_min * interval '1 minute' - interval '5 minutes'
      and staff.metres(p.lng, p.lat, w.lng, w.lat) <= r.dist_m)
    and not exists (select from staff.point p where p.enterprise_id = w.enterprise_id and p.collector_id = w.collector_id and p.at > w.at - r.threshold_min * interval '1 minute' and p.at <= w.at and staff.metres(p.lng, p.lat, w.lng, w.lat) > r.dist_m)`
/** Close to so many others in each third of that time, by where they were on the whole in it. */
const GATHERED = `select r.rule, w.collector_id, w.cell_id, w.park_code, w.places[1], w.lng, w.lat, $1::timestamptz - r.threshold_min * interval '1 minute' from rules r, work w
  where r.rule = ${WorkRule.gathered} and (select count(*) from (select b.collector_id from thirds a join thirds b on b.third = a.third and b.collector_id <> a.collector_id and abs(b.lat - a.lat) < r.dist_m / 100000.0 and staff.metres(a.lng, a.lat, b.lng, b.lat) <= r.dist_m
    where a.collector_id = w.collector_id group by b.collector_id having count(*) = 3) near) >= r.people - 1`
const THIRDS = `thirds as materialized (select w.collector_id, width_bucket(extract(epoch from p.at), extract(epoch from $1::timestamptz - r.threshold_min * interval '1 minute'), extract(epoch from $1::timestamptz) + 1, 3) as third, avg(p.lng) as lng, avg(p.lat) as lat
    from rules r, work w join staff.point p on p.enterprise_id = w.enterprise_id and p.collector_id = w.collector_id where r.rule = ${WorkRule.gathered} and r.threshold_min > 0 and p.at > $1 - r.threshold_min * interval '1 minute' and p.at <= $1 and p.at >= w.opened_at group by 1, 2)`
const NO_CARD = `select r.rule, e.collector_id, e.id, e.park_code, (coalesce(nullif(e.place_codes, '{}'), array[e.park_code]))[1], null::float8, null::float8, e.start_at from rules r, staff.cell e join staff.collector c on c.enterprise_id = e.enterprise_id and c.id = e.collector_id
  where r.rule = ${WorkRule.noCard} and e.enterprise_id = scope_enterprise() and e.work_date between ($1::timestamptz - interval '1 day')::date and ($1 + interval '1 day')::date and e.shift_id is not null and e.state <> ${CellState.leave} and c.on_job = ${OnJob.employed}
    and e.start_at + r.threshold_min * interval '1 minute' < $1 and e.end_at > $1 and not exists (select from staff.work_log w where w.enterprise_id = e.enterprise_id and w.cell_id = e.id)`
/** For people with a handheld: no report arrived, by its time of receipt and not by its own clock. */
const OFFLINE = `select r.rule, w.collector_id, w.cell_id, w.park_code, w.places[1], w.lng, w.lat, greatest(w.received_at, w.opened_at) from rules r, work w
  where r.rule = ${WorkRule.offline} and w.pda_no is not null and greatest(w.received_at, w.opened_at) < $1::timestamptz - r.threshold_min * interval '1 minute'`
/** Cars on their streets that nobody has confirmed, and orders of customers that are theirs and overdue. */
const UNHANDLED = `select r.rule, w.collector_id, w.cell_id, w.park_code, w.places[1], w.lng, w.lat, least(s.since, o.since) from rules r, work w
  left join lateral (select min(y.seen_at) as since from parking.stay y join roadside.visit t on t.enterprise_id = y.enterprise_id and t.stay_id = y.id
    where y.enterprise_id = w.enterprise_id and y.park_code in (select q.park_code from staff.place q where q.enterprise_id = w.enterprise_id and q.place_code = any (w.places)) and (y.park_code = any (w.places) or y.section_code = any (w.places))
      and y.status in (${SessionStatus.present}, ${SessionStatus.leaving}) and y.seen_at >= w.opened_at and y.seen_at < $1::timestamptz - r.threshold_min * interval '1 minute' and t.confirm_state = ${ConfirmState.unconfirmed}) s on true
  left join lateral (select min(o.due_at) as since from after_sale.work_order o where o.enterprise_id = w.enterprise_id and o.assignee_id = w.person_id and o.state in (${OPEN_STATES.join(', ')}) and o.due_at < $1::timestamptz - r.threshold_min * interval '1 minute') o on true
  where r.rule = ${WorkRule.unhandled} and (s.since is not null or o.since is not null)`
const FOUND = `with ${AT_WORK}, ${THIRDS}, found as materialized (${[AWAY, STILL, GATHERED, NO_CARD, OFFLINE, UNHANDLED].join(' union all ')})`
const TOLD = `join staff.collector c on c.enterprise_id = scope_enterprise() and c.id = n.collector_id join rules r on r.rule = n.rule
  left join staff.work_group g on g.enterprise_id = c.enterprise_id and g.id = c.group_id left join staff.collector l on l.enterprise_id = g.enterprise_id and l.id = g.leader_id and l.id <> c.id`
const SAYING = `select n.rule, c.name, c.toll_no, case when r.notify then l.person_id end as leader from`
/** A warning whose condition no longer holds ends at the time of this check. */
const ENDED = `${FOUND} update staff.warning x set end_at = greatest(x.start_at, $1::timestamptz), version = x.version + 1, updated_at = $1
  where x.enterprise_id = scope_enterprise() and x.end_at is null and not exists (select from found f where f.rule = x.rule and f.collector_id = x.collector_id)`
/** A warning so soon after the last one continues it; nobody is told again. After a handled one it is another. */
const AGAIN = `${FOUND}, once_more as (select distinct on (x.rule, x.collector_id) x.id from found f join rules r on r.rule = f.rule join staff.warning x on x.enterprise_id = scope_enterprise() and x.collector_id = f.collector_id and x.rule = f.rule
    where x.end_at > $1::timestamptz - r.silence_min * interval '1 minute' and x.state = ${WarningState.open} and not exists (select from staff.warning o where o.enterprise_id = x.enterprise_id and o.rule = x.rule and o.collector_id = x.collector_id and o.end_at is null)
    order by x.rule, x.collector_id, x.end_at desc)
  update staff.warning x set end_at = null, times = x.times + 1, version = x.version + 1, updated_at = $1 from once_more o where x.enterprise_id = scope_enterprise() and x.id = o.id`
const OPENED = `${FOUND}, made as (insert into staff.warning (rule, level, collector_id, park_code, cell_id, place_code, lng, lat, start_at, created_at, updated_at)
    select f.rule, r.level, f.collector_id, f.park_code, f.cell_id, f.place_code, f.lng, f.lat, f.start_at, $1, $1 from found f join rules r on r.rule = f.rule
    where not exists (select from staff.warning x where x.enterprise_id = scope_enterprise() and x.rule = f.rule and x.collector_id = f.collector_id and (x.end_at is null or x.end_at > $1::timestamptz - r.silence_min * interval '1 minute'))
    on conflict do nothing returning rule, collector_id)
  ${SAYING} made n ${TOLD}`
/** Warnings from attendance: late once somebody is there, early once the time for a last clocking is over. Given once. */
const CAME_TO = `with rules as materialized (select * from staff.warning_rule_line where enterprise_id = scope_enterprise() and enabled),
  came as (select e.*, a.check_in_at, a.check_out_at, a.late_min, a.early_min from staff.cell e join staff.attendance a on a.enterprise_id = e.enterprise_id and a.cell_id = e.id
    where e.enterprise_id = scope_enterprise() and e.work_date >= $2::date and e.start_at <= $1::timestamptz and a.check_in_at is not null),
  found as (select r.rule, r.level, e.collector_id, e.id as cell_id, e.park_code, (coalesce(nullif(e.place_codes, '{}'), array[e.park_code]))[1] as place_code, e.start_at, e.check_in_at as end_at from came e, rules r where r.rule = ${WorkRule.late} and e.late_min > r.threshold_min
    union all select r.rule, r.level, e.collector_id, e.id, e.park_code, (coalesce(nullif(e.place_codes, '{}'), array[e.park_code]))[1], e.end_at - e.early_min * interval '1 minute', e.end_at from came e, rules r where r.rule = ${WorkRule.early} and e.early_min > r.threshold_min),
  made as (insert into staff.warning (rule, level, collector_id, park_code, cell_id, place_code, start_at, end_at, created_at, updated_at)
    select rule, level, collector_id, park_code, cell_id, place_code, start_at, greatest(start_at, end_at), $1, $1 from found on conflict do nothing returning rule, collector_id)
  ${SAYING} made n ${TOLD}`
