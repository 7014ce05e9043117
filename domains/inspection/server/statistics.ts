import type { CodeOf, Day, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { run } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import type { DeviceType } from '../../device/contract/device.ts'
import { type PatrolStatistics, statistics, TOP_N } from '../contract/statistics.ts'
import { rangeOf } from './days.ts'
import { TaskState } from '../contract/task.ts'

const OnlyTen = refusal('inspection.top-n', 42020, '排行固定为前 {most} 名', 'The ranking is fixed at the top {most}', 422)
type Counted = Pick<Of<typeof PatrolStatistics>, 'due' | 'done' | 'onTime' | 'missed' | 'overdue' | 'abnormal'>
interface Failure {
  devices: number
  deviceDays: number
  faultyDays: number
  faults: number
  faultMin: number
  workMin: number
}

export const calls = serve(statistics, {
  async patrol({ tx, input, at }) {
    const { from, to, until, parkCode } = rangeOf(input, at)
    const days = await run<Counted & { day: Day }>(tx, { sql: PATROL }, [from, to, parkCode, until])
    const all = days.reduce((sum, one) => add(sum, one), NO_TASKS)
    const { due, done, onTime, missed } = all
    const rates = { patrolRate: permilleOf(done, due), onTimeRate: permilleOf(onTime, due), missRate: permilleOf(missed, due) }
    return { ...all, ...rates, days: days.map(({ day, due, done, onTime, missed }) => ({ day, due, done, onTime, missed })) }
  },
  async byType({ tx, input, at }) {
    const { from, until, parkCode } = rangeOf(input, at)
    const rows = await run<Failure & { type: CodeOf<typeof DeviceType> }>(tx, { sql: BY_TYPE }, [from, until, parkCode])
    return { ...told(total(rows)), rows: rows.map(({ type, ...one }) => ({ type, ...told(one) })) }
  },
  async byPark({ tx, input, at }) {
    const { from, until, parkCode } = rangeOf(input, at)
    const rows = await run<Failure & { parkCode: string | null; parkName: string | null }>(tx, { sql: BY_PARK }, [from, until, parkCode])
    return { ...told(total(rows)), rows: rows.map(({ parkCode, parkName, ...one }) => ({ parkCode, parkName, ...told(one) })) }
  },
  topN({ tx, input: { topN = TOP_N, ...asked }, at }) {
    if (topN !== TOP_N) throw OnlyTen({ most: TOP_N })
    const { from, until, parkCode } = rangeOf(asked, at)
    return run(tx, { sql: WORST }, [from, until, parkCode])
  },
})

const NO_TASKS: Counted = { due: 0, done: 0, onTime: 0, missed: 0, overdue: 0, abnormal: 0 }
const add = (a: Counted, b: Counted): Counted => ({
  due: a.due + b.due,
  done: a.done + b.done,
  onTime: a.onTime + b.onTime,
  missed: a.missed + b.missed,
  overdue: a.overdue + b.overdue,
  abnormal: a.abnormal + b.abnormal,
})
const total = (rows: readonly Failure[]): Failure => {
  const sum = (of: keyof Failure) => rows.reduce((all, one) => all + one[of], 0)
  return {
    devices: sum('devices'),
    deviceDays: sum('deviceDays'),
    faultyDays: sum('faultyDays'),
    faults: sum('faults'),
    faultMin: sum('faultMin'),
    workMin: sum('workMin'),
  }
}
/** Both means are by the number of faults; without one there is none. */
const told = ({ workMin, ...one }: Failure) => ({
  devices: one.devices,
  deviceDays: one.deviceDays,
  faultyDays: one.faultyDays,
  faults: one.faults,
  faultMin: one.faultMin,
  failureRate: permilleOf(one.faultyDays, one.deviceDays),
  mttrMin: one.faults === 0 ? null : Math.round(one.faultMin / one.faults),
  mtbfMin: one.faults === 0 ? null : Math.round(workMin / one.faults),
})

const ZONE = `at time zone 'Asia/Shanghai'`
/** Due is what is over or done: nobody is behind with what there is time for. */
const PATROL = `select to_char((t.plan_to - interval '1 second') ${ZONE}, 'YYYY-MM-DD') as day, count(*)::integer as due,
    (count(*) filter (where t.state = ${TaskState.done}))::integer as done, (count(*) filter (where t.state = ${TaskState.done} and t.ended_at <= t.plan_to))::integer as on_time,
    (count(*) filter (where t.state = ${TaskState.missed}))::integer as missed, (count(*) filter (where t.state = ${TaskState.overdue}))::integer as overdue,
    coalesce(sum((select count(*) from inspection.task_device k where k.enterprise_id = t.enterprise_id and k.task_id = t.id and k.abnormal)), 0)::integer as abnormal
  from inspection.task t where t.enterprise_id = scope_enterprise() and t.plan_to > $1 and t.plan_to <= $2 and t.state <> ${TaskState.cancelled} and (t.plan_to <= $4 or t.state = ${TaskState.done})
    and ($3::text is null or t.park_code = $3) group by 1 order by 1`

/** Codes of `phase`: whether a device worked in that span, was faulty or in repair, or neither. */
const Phase = { works: 1, faulty: 2 } as const
/** Spans within the days, cut at their edges. */
const SPANS = `spans as (select s.device_no, s.type, s.park_code, s.phase, greatest(s.from_at, $1) as f, least(coalesce(s.to_at, $2), $2) as t
  from inspection.use_span s where s.enterprise_id = scope_enterprise() and s.phase in (${Phase.works}, ${Phase.faulty}) and s.from_at < $2 and (s.to_at is null or s.to_at > $1) and ($3::text is null or s.park_code = $3))`
/** Each device by itself: a day on which it was at both counts once. */
const DAYS = `daterange((f ${ZONE})::date, ((t - interval '1 microsecond') ${ZONE})::date, '[]')`
const MINUTES = (phase: (typeof Phase)[keyof typeof Phase]) =>
  `floor(coalesce(sum(extract(epoch from t - f)) filter (where phase = ${phase}), 0) / 60)::integer`
const EACH = (
  key: 'type' | 'park_code',
) => `${SPANS}, each as (select ${key}, device_no, range_agg(${DAYS}) as days, coalesce(range_agg(${DAYS}) filter (where phase = ${Phase.faulty}), '{}'::datemultirange) as bad,
    (count(*) filter (where phase = ${Phase.faulty}))::integer as faults, ${MINUTES(Phase.faulty)} as fault_min, ${MINUTES(Phase.works)} as work_min from spans where f < t group by ${key}, device_no)`
const LENGTH = (of: 'days' | 'bad') => `coalesce(sum((select sum(upper(d) - lower(d)) from unnest(${of}) d)), 0)::integer`
const SUMS = `count(*)::integer as devices, ${LENGTH('days')} as device_days, ${LENGTH('bad')} as faulty_days, sum(faults)::integer as faults, sum(fault_min)::integer as fault_min, sum(work_min)::integer as work_min`
const BY_TYPE = `with ${EACH('type')} select type, ${SUMS} from each group by type order by faulty_days desc, type`
const BY_PARK = `with ${EACH('park_code')}, sums as (select park_code, ${SUMS} from each group by park_code)
  select s.*, p.name as park_name from sums s left join parking.park p on p.enterprise_id = scope_enterprise() and p.park_code = s.park_code order by s.faulty_days desc, s.park_code limit 500`
const WORST = `with ${EACH('type')}, sums as (select device_no, sum(faults)::integer as faults, sum(fault_min)::integer as fault_min from each group by device_no having sum(faults) > 0)
  select d.device_no, d.name, d.type, d.park_code, s.faults, s.fault_min from sums s join device.device d on d.enterprise_id = scope_enterprise() and d.device_no = s.device_no
  order by s.faults desc, s.fault_min desc, s.device_no limit ${TOP_N}`
