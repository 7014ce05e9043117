import { type Day, type Id, type Instant, type Of, pick } from '../../../../platform/contract/field.ts'
import { impliedColor, type PlateColorCode } from '../../../../platform/contract/plate.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, MINUTE_MS } from '../../../../platform/contract/time.ts'
import { begunAt, inAllParks, parksOf, run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver } from '../../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../../platform/server/refusal.ts'
import { lockRow, onlyFields, setRow } from '../../../../platform/server/row.ts'
import { searchOf } from '../../../../platform/contract/call.ts'
import type { Covered } from '../../../parking/server/api.ts'
import { Pass, PassStatus, PassWindow, type PassConflict, type PassWindowCode } from '../../contract/pass.ts'
import { refuseColor } from '../plateColor.ts'
import { dayOfMonth } from './calendar.ts'
import { State } from './period.ts'
import '../tables.ts'

/** By day is from seven to seven. */
const DAY_FROM_MIN = 7 * 60
const DAY_TO_MIN = 19 * 60
/** The minutes of a week (Monday 00:00 = 0) that a pass is for, as the database compares them. */
const WEEK_DAYS = 7
const DAY_MIN = 24 * 60
export function weekMinutes(window: PassWindowCode): [from: number, to: number][] {
  if (window === PassWindow.always) return [[0, WEEK_DAYS * DAY_MIN]]
  if (window === PassWindow.workdays) return [[0, 5 * DAY_MIN]]
  const days = Array.from({ length: WEEK_DAYS }, (_, day) => day * DAY_MIN)
  if (window === PassWindow.day) return days.map((day) => [day + DAY_FROM_MIN, day + DAY_TO_MIN])
  return days.flatMap((day): [number, number][] => [
    [day, day + DAY_FROM_MIN],
    [day + DAY_TO_MIN, day + DAY_MIN],
  ])
}
export const hoursOf = (window: PassWindowCode) =>
  `{${weekMinutes(window)
    .map(([from, to]) => `[${from},${to})`)
    .join(',')}}`

/** When a pass is for, within a stay: its period, cut to its hours day by day. */
export function coveredBy(pass: { timeWindow: PassWindowCode; startAt: Instant; endAt: Instant }, from: Instant, to: Instant): Covered[] {
  const [first, last] = [Math.max(Date.parse(pass.startAt), Date.parse(from)), Math.min(Date.parse(pass.endAt), Date.parse(to))]
  if (first >= last) return []
  const pieces: Covered[] = []
  for (let week = weekStart(first); week < last; week += WEEK_DAYS * DAY_MS)
    for (const [fromMin, toMin] of weekMinutes(pass.timeWindow)) {
      const [start, end] = [Math.max(week + fromMin * MINUTE_MS, first), Math.min(week + toMin * MINUTE_MS, last)]
      if (start < end) pieces.push({ from: instantAt(start), to: instantAt(end) })
    }
  return pieces
}
/** Monday 00:00 of the city, at or before a moment. 1 January 1970 was a Thursday. */
function weekStart(ms: number): number {
  const day = Math.floor((ms + CITY_OFFSET_MS) / DAY_MS)
  return (day - ((day + 3) % WEEK_DAYS)) * DAY_MS - CITY_OFFSET_MS
}
export const isWithin = (pass: Parameters<typeof coveredBy>[0], at: Instant): boolean => coveredBy(pass, at, instantAt(Date.parse(at) + 1)).length > 0

export interface CarOf {
  plateNo: string
  plateColor?: PlateColorCode | null
}
export const Overlaps = refusal(
  'member.pass-overlaps',
  40030,
  '{plateNo} 在此期间已有月卡 {passNo}；请核对车牌，或续费该月卡',
  '{plateNo} already has pass {passNo} in that period: check the plate, or renew that pass',
)

const Frozen = refusal('member.pass-frozen', 41458, '月卡冻结中，恢复后再办理', 'The pass is frozen: restart it first')
const GivenBack = refusal(
  'member.pass-given-back',
  41488,
  '月卡正在退卡，不能办理；如需恢复请先驳回退卡',
  'This pass is being cancelled. Reject the cancellation first',
)
/** @throws Frozen, GivenBack */
export function refuseFrozen({ status, refunding }: Pick<Held, 'status' | 'refunding'>): void {
  if (status === PassStatus.frozen) throw refunding ? GivenBack() : Frozen()
}

const BayTaken = refusal(
  'member.bay-taken',
  41437,
  '固定车位 {seatCode} 已被其他月卡占用，请换一个车位',
  'Bay {seatCode} belongs to another pass: choose another bay',
)
/** A bay of its own is one pass's at a time, and a renewal that waits for its money keeps it. @throws BayTaken */
export async function refuseBay(
  tx: Tx,
  { id = null, parkCode, seatCode }: { id?: string | null; parkCode: string; seatCode: string | null },
  from: Instant,
  to: Instant,
): Promise<void> {
  if (seatCode === null) return
  await run(tx, { sql: LOCK }, [[`bay ${parkCode} ${seatCode}`]])
  const [other] = await run(tx, { sql: BAY }, [id, parkCode, seatCode, from, to])
  if (other) throw BayTaken({ seatCode })
}
const BAY = `select 1 from member.pass p left join member.period r on r.enterprise_id = p.enterprise_id and r.pass_id = p.id and r.state = ${State.waits}
  where p.enterprise_id = scope_enterprise() and p.id is distinct from $1::uuid and p.park_code = $2 and p.seat_code = $3 and p.state in (${PassStatus.underReview}, ${PassStatus.valid}, ${PassStatus.frozen}, ${PassStatus.toPay})
    and (tstzrange(p.start_at, p.end_at) && tstzrange($4, $5) or r.id is not null and tstzrange(r.start_at, r.end_at) && tstzrange($4, $5)) limit 1`

interface Stretch {
  passId: string
  parkCodes: readonly string[]
  timeWindow: PassWindowCode
  from: Instant
  to: Instant
  /** Waits for this order's money: it keeps the place and covers nothing. */
  heldBy?: string | null
}
/** A pass covers these cars for a stretch of time, in each of its parks. @throws Overlaps, with the pass that is in the way */
export async function coverCars(tx: Tx, { passId, parkCodes, timeWindow, from, to, heldBy = null }: Stretch, cars: readonly CarOf[]): Promise<void> {
  if (Date.parse(to) <= Date.parse(from)) return
  refuseOtherParks(tx, parkCodes)
  const hours = hoursOf(timeWindow)
  // In the order of every other caller: two at once wait for each other, and one is told.
  const plates = [...cars]
    .map((car) => ({ ...car, plateColor: car.plateColor ?? impliedColor(car.plateNo) }))
    .sort((a, b) => (a.plateNo < b.plateNo ? -1 : 1))
  await run(tx, { sql: LOCK }, [plates.map(({ plateNo }) => `pass ${plateNo}`)])
  for (const { plateNo, plateColor } of plates) {
    const [other] = await conflictsOf(tx, { parkCodes, timeWindow, from, to, cars: [{ plateNo, plateColor }] })
    if (other) throw Overlaps({ plateNo, passNo: other.passNo, id: other.id })
    const sql = `insert into member.pass_car (pass_id, park_code, plate_no, plate_color, hours, start_at, end_at, held, order_id) select $1, park, $3, $4, $5, $6, $7, $8::uuid is not null or $9, $8 from unnest($2::text[]) park`
    await run(tx, { sql }, [passId, parkCodes, plateNo, plateColor, hours, from, to, heldBy === WAITS ? null : heldBy, heldBy === WAITS])
  }
}
/** Held without an order yet: a person reviews the sale. */
export const WAITS = 'waits'
const LOCK = 'select pg_advisory_xact_lock(hashtextextended(name, scope_enterprise())) from unnest($1::text[]) name'

type Conflict = Of<typeof PassConflict> & { id: string }
/** Passes that are in the way of these cars, each named once. */
export const conflictsOf = (
  tx: Tx,
  {
    parkCodes,
    timeWindow,
    from,
    to,
    cars,
    except = null,
  }: Pick<Stretch, 'parkCodes' | 'timeWindow' | 'from' | 'to'> & { cars: readonly CarOf[]; except?: string | null },
): Promise<Conflict[]> =>
  run<Conflict>(tx, { sql: CONFLICTS }, [
    cars.map(({ plateNo }) => plateNo),
    cars.map(({ plateNo, plateColor }) => plateColor ?? impliedColor(plateNo)),
    parkCodes,
    hoursOf(timeWindow),
    from,
    to,
    except,
  ])
const CONFLICTS = `select distinct on (x.pass_id, x.plate_no) p.id, p.pass_no, x.plate_no, x.park_code, x.start_at, x.end_at
  from unnest($1::text[], $2::smallint[]) car (plate_no, plate_color)
    join member.pass_car x on x.enterprise_id = scope_enterprise() and x.plate_no = car.plate_no and (x.plate_color is null or car.plate_color is null or x.plate_color = car.plate_color)
    join member.pass p on p.enterprise_id = x.enterprise_id and p.id = x.pass_id
  where x.park_code = any ($3) and x.hours && $4::int4multirange and tstzrange(x.start_at, x.end_at) && tstzrange($5, $6) and x.pass_id is distinct from $7::uuid order by x.pass_id, x.plate_no, x.start_at`

/** Makes cars held for an order count from now on. */
export const releaseHeld = (tx: Tx, orderId: string) =>
  run(tx, { sql: 'update member.pass_car set held = false where enterprise_id = scope_enterprise() and order_id = $1' }, [orderId])
export const dropHeld = (tx: Tx, passId: string, orderId: string | null) =>
  run(
    tx,
    {
      sql: 'delete from member.pass_car where enterprise_id = scope_enterprise() and pass_id = $1 and held and order_id is not distinct from $2::uuid',
    },
    [passId, orderId],
  )
/** From a moment on nothing is covered any more; the past stays as it was. `plateNo`: of one car alone. */
export async function endCover(tx: Tx, passId: string, at: Instant, plateNo: string | null = null): Promise<void> {
  const mine = 'enterprise_id = scope_enterprise() and pass_id = $1 and ($3::text is null or plate_no = $3)'
  await run(tx, { sql: `delete from member.pass_car where ${mine} and start_at >= $2` }, [passId, at, plateNo])
  await run(tx, { sql: `update member.pass_car set end_at = $2 where ${mine} and end_at > $2` }, [passId, at, plateNo])
}
/** Returns what a pass covers from a moment on, for any of its cars: parks may differ from one stretch to the next, and a renewal may wait for its money. */
export async function stretchesOf(tx: Tx, { id, timeWindow }: Pick<PassRow, 'id' | 'timeWindow'>, at: Instant): Promise<Stretch[]> {
  const rows = await run<Omit<Stretch, 'passId' | 'timeWindow'>>(tx, { sql: STRETCHES }, [id, at])
  return rows.map((row) => ({ passId: id, timeWindow, ...row }))
}
const STRETCHES = `select greatest(start_at, $2) as "from", end_at as "to", case when held then order_id end as held_by, array_agg(distinct park_code order by park_code) as park_codes
  from member.pass_car where enterprise_id = scope_enterprise() and pass_id = $1 and end_at > $2 group by 1, 2, 3 order by 1`
/** The cars that a pass has now, or had last. */
export const carsOf = (tx: Tx, passId: string): Promise<Required<CarOf>[]> => run(tx, { sql: CARS }, [passId])
const CARS = `select distinct c.plate_no, c.plate_color from member.pass_car c where c.enterprise_id = scope_enterprise() and c.pass_id = $1
  and c.end_at = (select max(l.end_at) from member.pass_car l where l.enterprise_id = c.enterprise_id and l.pass_id = $1) order by c.plate_no`

export type Held = Of<typeof Pass>
/** A pass with what was agreed. */
export type PassRow = Held & {
  state: number
  anchorDay: number
  periods: number
  platesMonth: Day | null
  plateChanges: number
  periodUnit: 1 | 2 | 3 | 4 | 5
  periodCount: number
  validType: 1 | 2
  graceDays: number
  renewAheadDays: number | null
  refundRule: 1 | 2 | 3
}
export const passShown = onlyFields(Pass)
const held = listOver(Pass, 'member.held', searchOf(Pass, { passNo: 'equals' }, { sort: ['createdAt'] }))

/** @throws NotFound */
export async function passOf(tx: Tx, id: string): Promise<Held> {
  const found = await find(tx, held, id)
  if (!found) throw NotFound()
  return found
}
/** A pass with what was agreed, for a look. @throws NotFound */
export async function passRow(tx: Tx, id: string): Promise<PassRow> {
  const [found] = await run<PassRow>(tx, { sql: ROW }, [id])
  if (!found) throw NotFound()
  return found
}
const ROW = 'select * from member.held where enterprise_id = scope_enterprise() and id = $1'
const OtherParks = refusal(
  'member.other-parks',
  41489,
  '该月卡在其他车场也有效，请由可管理其全部车场的人员办理',
  'This pass is also good in other car parks: it needs somebody who manages all of them',
  403,
)
/** A person who changes a pass changes it in each of its parks: the rows of a park that they do not see would stay as they were. @throws OtherParks */
function refuseOtherParks(tx: Tx, parkCodes: readonly string[]): void {
  const parks = parksOf(tx)
  if (parks !== null && parkCodes.some((code) => !parks.includes(code))) throw OtherParks()
}
/** Those that it is sold for, and those that a stretch of it, or a renewal that waits, is for. */
const COVERED = 'select distinct park_code from member.pass_car where enterprise_id = scope_enterprise() and pass_id = $1 and end_at > $2'
/** The pass, held until the call is over. @throws NotFound, Stale when it is not that version any more, OtherParks */
export async function lockPass(tx: Tx, { id, version }: { id: string; version?: number | undefined }): Promise<PassRow> {
  const [locked] = await run<{ version: number }>(
    tx,
    { sql: 'select version from member.pass where enterprise_id = scope_enterprise() and id = $1 for update' },
    [id],
  )
  if (!locked) throw NotFound()
  if (version !== undefined && locked.version !== version) throw Stale({ version: locked.version, sent: version })
  const pass = await passRow(tx, id)
  const covered = await inAllParks(tx, (whole) => run<{ parkCode: string }>(whole, { sql: COVERED }, [id, begunAt(tx)]))
  refuseOtherParks(tx, [...pass.parkCodes, ...covered.map(({ parkCode }) => parkCode)])
  return pass
}
const stored = listOver(pick(Pass, 'id', 'version', 'updatedAt', 'memberId'), 'member.pass', searchOf(Pass, {}, { sort: ['createdAt'] }))
interface Changes {
  state?: number
  startAt?: Instant
  endAt?: Instant
  anchorDay?: number
  frozenAt?: Instant | null
  refunding?: boolean
  rejectedFor?: string
  remark?: string
  parkCodes?: readonly string[]
  platesMonth?: Day
  plateChanges?: number
}
/** Moves a locked pass on, with the next version. */
export async function setPass(tx: Tx, { id }: { id: string }, changes: Changes, at: Instant): Promise<Held> {
  await setRow(tx, stored, await lockRow(tx, stored, { id }), changes as object, at)
  return passOf(tx, id)
}

export interface NewPass {
  parkCode: string
  holder: string
  phone?: string
  seats?: number
  timeWindow?: PassWindowCode
  plates: readonly CarOf[]
  startAt: Instant
  /** Half-open: the midnight after its last day. */
  endAt: Instant
  kind?: { groupId: Id<'MemberGroupId'>; carFeesId: Id<'CarFeesId'> }
}
/** A pass of no price, valid at once: for what was there before the product. @throws Overlaps */
export async function addPass(tx: Tx, made: NewPass): Promise<string> {
  const { plates, holder, phone, timeWindow = PassWindow.always, parkCode, startAt, endAt, seats = 1, kind } = made
  const sql =
    'insert into member.customer (name, phone, created_at) values ($1, $2, $3) on conflict (enterprise_id, phone) where phone is not null do update set name = excluded.name returning id'
  const [customer] = await run<{ id: Id<'CustomerId'> }>(tx, { sql }, [holder, phone ?? null, startAt])
  const state = PassStatus.valid
  const { id } = await tx
    .insertInto('member.pass')
    .values({
      memberId: customer!.id,
      parkCode,
      parkCodes: [parkCode],
      seats,
      timeWindow,
      startAt,
      endAt,
      anchorDay: dayOfMonth(startAt),
      state,
      ...kind,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await coverCars(tx, { passId: id, parkCodes: [parkCode], timeWindow, from: startAt, to: endAt }, plates)
  await keepCars(tx, customer!.id, plates)
  return id
}
/** The customer's cars on record. @throws NewEnergyIsGreen */
export function keepCars(tx: Tx, memberId: string, cars: readonly CarOf[]): Promise<unknown> {
  for (const { plateNo, plateColor } of cars) refuseColor(plateNo, plateColor)
  return run(
    tx,
    {
      sql: 'insert into member.car (member_id, plate_no, plate_color) select $1, plate, color from unnest($2::text[], $3::smallint[]) c (plate, color) on conflict do nothing',
    },
    [memberId, cars.map(({ plateNo }) => plateNo), cars.map(({ plateNo, plateColor }) => plateColor ?? impliedColor(plateNo))],
  )
}
