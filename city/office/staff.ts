import { attendance, CardKind, CardSource } from '../../domains/staff/contract/attendance.ts'
import { toll, TollType } from '../../domains/staff/contract/collector.ts'
import { LeaveKind, RequestState, RequestType } from '../../domains/staff/contract/request.ts'
import { CellState, schedule } from '../../domains/staff/contract/roster.ts'
import { workGroup } from '../../domains/staff/contract/workGroup.ts'
import { workShift } from '../../domains/staff/contract/workShift.ts'
import { CashFace, shift } from '../../domains/settlement/contract/shift.ts'
import type { Day, Fen } from '../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt } from '../../platform/contract/time.ts'
import { run } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'
import { CARRIED } from '../carried.ts'
import type { Client } from '../client.ts'

const NAMES = ['周国强', '吴秀兰', '郑建军', '王桂英', '冯志刚', '陈玉梅', '褚卫东', '卫春燕', '蒋海涛', '沈丽华', '韩立新', '杨雪梅']
const FIRST_NO = 8
const WEEKS = 2
const PAST_DAYS = 28
/** Of every so many workdays somebody comes late, or not at all. */
const LATE_OF = 11
const ABSENT_OF = 37

/** A dozen collectors in three groups, two weeks that were worked and two that are planned. What was worked is planned ahead like the rest, and moved back. */
export async function addStaff(house: House, enterprise: number, client: Client, parkCodes: readonly string[], nowMs: number): Promise<void> {
  const day = (days: number) => dayOf(instantAt(nowMs + days * DAY_MS)) as Day
  for (const [name, from, to, color] of [
    ['早班', '07:00', '15:00', '#1677ff'],
    ['晚班', '15:00', '23:00', '#d46b08'],
    ['夜班', '23:00', '07:00', '#531dab'],
  ] as const)
    await client.ask(workShift.save, { name, segments: [{ from, to }], restMin: 30, color })
  const shifts = await client.ask(workShift.pick, {})
  const shiftOf = (name: string) => shifts.find((one) => one.name === name)!.id
  const people = NAMES.map((name, n) => ({
    name,
    tollNo: `T${String(FIRST_NO + n).padStart(3, '0')}`,
    parkCode: parkCodes[Math.floor(n / 4) % parkCodes.length]!,
  }))
  const carried = new Map<string, string>(CARRIED.map(([sn, , tollNo]) => [tollNo, sn]))
  for (const [n, one] of people.entries()) {
    const pdaNo = carried.get(one.tollNo)
    await client.ask(toll.save, {
      ...one,
      tollType: n === 0 ? TollType.supervisor : n % 5 === 4 ? TollType.inspector : TollType.park,
      phone: `160071012${String(10 + n)}`,
      ...(pdaNo && { pdaNo }),
    })
  }
  const known = await client.ask(toll.pick, {})
  for (const [n, parkCode] of [...new Set(people.map((one) => one.parkCode))].entries()) {
    const members = known.filter((one) => one.parkCode === parkCode)
    await client.ask(workGroup.save, {
      name: `${'甲乙丙'[n]!}班组`,
      parkCode,
      leaderId: members[0]!.id,
      memberIds: members.map(({ id }) => id),
      placeCodes: [parkCode],
      coverFrom: '07:00',
      coverTo: '23:00',
    })
  }
  const cells = (first: number) =>
    people.flatMap(({ tollNo, parkCode }, n) =>
      Array.from({ length: WEEKS * 7 }, (_, d) => {
        // Four on, one off, and nobody's early shift follows their late one.
        const turn = (d + n) % 5
        const workDate = day(first + d)
        return turn === 4
          ? { tollNo, workDate, state: CellState.rest }
          : { tollNo, workDate, shiftId: shiftOf(['早班', '晚班', '夜班'][n % 3]!), placeCodes: [parkCode] }
      }),
    )
  await client.ask(schedule.save, { list: cells(1) } as never)
  await client.ask(schedule.save, { list: cells(1 + PAST_DAYS - WEEKS * 7) } as never)
  await house.writing(enterprise, 'demo', async (tx) => {
    await run(tx, { sql: BACK }, [day(1 + PAST_DAYS - WEEKS * 7), PAST_DAYS])
    await run(tx, { sql: CAME }, [instantAt(nowMs)])
    await run(tx, { sql: WENT }, [instantAt(nowMs)])
    await run(tx, { sql: ASKED }, [day(1), instantAt(nowMs)])
    await run(tx, { sql: ON_LEAVE }, [instantAt(nowMs)])
  })
  await client.ask(attendance.task, { workDateFrom: day(-WEEKS * 7), workDateTo: day(0) })
  await tills(client)
}
/** Three times at the till: one that waits to be verified, one with money wanting, one that runs. */
async function tills(client: Client): Promise<void> {
  for (const [openingFloatFen, wantingFen, reason] of [
    [20_000, 0, '硬币不足一角部分未点'],
    [10_000, 1_500, '找零少收，待核对'],
    [20_000, undefined, undefined],
  ] as const) {
    const { id, version, expectedFen } = await client.ask(shift.open, { openingFloatFen: openingFloatFen as Fen })
    if (wantingFen === undefined) continue
    const fen = Math.max((expectedFen ?? 0) - wantingFen, 0)
    const counted = [
      { faceFen: CashFace.y1, count: Math.floor(fen / CashFace.y1) },
      { faceFen: CashFace.j1, count: Math.floor((fen % CashFace.y1) / CashFace.j1) },
    ]
    await client.ask(shift.close, { id, version, counted: counted.filter(({ count }) => count > 0), reason })
  }
}
const BACK = `update staff.cell set work_date = work_date - $2::int, start_at = start_at - make_interval(days => $2), end_at = end_at - make_interval(days => $2),
  hours = case when shift_id is null then hours else tstzmultirange(tstzrange(start_at - make_interval(days => $2), end_at - make_interval(days => $2))) end where enterprise_id = scope_enterprise() and work_date >= $1`
const DAY_OF = `(e.work_date - date '2026-01-01' + ascii(right(c.toll_no, 1)) * 7)`
const KEPT = `insert into staff.card (collector_id, park_code, kind, source, at, received_at, lng, lat, place_code, dist_m, in_fence, mid)`
const FROM = `from staff.cell e join staff.collector c on c.enterprise_id = e.enterprise_id and c.id = e.collector_id left join staff.place q on q.enterprise_id = e.enterprise_id and q.place_code = e.park_code
  where e.enterprise_id = scope_enterprise() and e.shift_id is not null and ${DAY_OF} % ${ABSENT_OF} <> 0`
/** A few minutes before the shift, some a quarter of an hour behind its beginning. */
const CAME = `${KEPT} select e.collector_id, e.park_code, ${CardKind.in}, ${CardSource.handheld}, t.at, t.at, q.lng, q.lat, e.park_code, ${DAY_OF} % 60, true, e.id || '-in' ${FROM.replace(
  ' where',
  ` cross join lateral
  (select e.start_at + (case when ${DAY_OF} % ${LATE_OF} = 0 then 14 else -3 - ${DAY_OF} % 9 end) * interval '1 minute' as at) t where`,
)} and t.at <= $1`
const WENT = `${KEPT} select e.collector_id, e.park_code, ${CardKind.out}, ${CardSource.handheld}, t.at, t.at, q.lng, q.lat, e.park_code, ${DAY_OF} % 60, true, e.id || '-out' ${FROM.replace(
  ' where',
  ` cross join lateral
  (select e.end_at + (2 + ${DAY_OF} % 7) * interval '1 minute' as at) t where`,
)} and t.at <= $1`
/** Requests for the days ahead: some to be decided, one waiting for the partner, one refused, one granted. */
const ASKED = `insert into staff.request (park_code, type, leave_kind, applicant_id, cell_id, to_collector_id, reason, state, asked_by_id, opinion, decided_id, decided_name, decided_at, created_at, updated_at)
  select e.park_code, w.type, w.leave_kind, e.collector_id, e.id, case when w.type = ${RequestType.standIn} then o.id end, w.reason, w.state, uuidv7(), w.opinion,
    case when w.opinion is not null then uuidv7() end, case when w.opinion is not null then '周国强' end, case when w.opinion is not null then $2::timestamptz end, $2, $2
  from (values (1, ${RequestType.leave}, ${LeaveKind.annual}, '回老家办事', ${RequestState.open}, null), (2, ${RequestType.leave}, ${LeaveKind.personal}, '孩子家长会', ${RequestState.granted}, '同意'),
      (3, ${RequestType.standIn}, null::int, '家中装修验收', ${RequestState.partner}, null), (4, ${RequestType.leave}, ${LeaveKind.personal}, '同学聚会', ${RequestState.rejected}, '当日人手不足'),
      (5, ${RequestType.leave}, ${LeaveKind.sick}, '复查', ${RequestState.open}, null)) w (n, type, leave_kind, reason, state, opinion)
  join (select c.id, row_number() over (order by c.toll_no) as n from staff.collector c where c.enterprise_id = scope_enterprise()) c on c.n = w.n + 1
  join lateral (select x.* from staff.cell x where x.enterprise_id = scope_enterprise() and x.collector_id = c.id and x.work_date > $1 and x.shift_id is not null order by x.work_date offset w.n limit 1) e on true
  join lateral (select y.id from staff.collector y where y.enterprise_id = scope_enterprise() and y.park_code = e.park_code and y.id <> e.collector_id order by y.toll_no desc limit 1) o on true`
const ON_LEAVE = `update staff.cell e set state = ${CellState.leave}, version = e.version + 1, updated_at = $1 from staff.request r
  where e.enterprise_id = scope_enterprise() and r.enterprise_id = e.enterprise_id and r.cell_id = e.id and r.state = ${RequestState.granted} and r.type = ${RequestType.leave}`
