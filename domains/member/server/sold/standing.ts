import { lasting } from '../../../../platform/contract/duration.ts'
import { plural } from '../../../../platform/contract/plural.ts'
import type { Instant } from '../../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { type CarAt, type Covered, kindsInside, type Standing } from '../../../parking/server/api.ts'
import { AccessStatus } from '../../contract/accessRule.ts'
import { SeatPolicy } from '../../contract/group.ts'
import { PassWindow, type PassWindowCode } from '../../contract/pass.ts'
import { BlackReason, ListType, WhiteKind, WhiteReason } from '../../contract/whiteBlack.ts'
import { barredBy, type ShortRule } from '../accessRule.ts'
import { freeMinutes } from './freeCar.ts'
import { coveredBy, isWithin } from './pass.ts'
import { bayTime } from './takeOver.ts'
import { Decided } from '../decided.ts'

interface OnList {
  listType: 1 | 2 | 3
  action: 1 | 2 | 3
  reasonType: number
  whiteKind: 1 | 2 | 3 | null
  unit: string | null
  freeMinPerDay: number | null
  /** Bays of the unit in this park; none: as many as come. */
  bays: number | null
}
const LISTS = {
  sql: `select l.list_type, l.action, l.reason_type, l.white_kind, l.unit, l.free_min_per_day, (select q.bays from member.unit_quota q where q.enterprise_id = l.enterprise_id and q.unit = l.unit and q.park_code = $2) as bays
    from member.list l where l.enterprise_id = scope_enterprise() and l.plate_no = $1 and (l.park_code is null or l.park_code = $2) and ($3::smallint is null or l.plate_color is null or l.plate_color = $3)
      and l.decided = ${Decided.accepted} and l.released_at is null and l.start_at <= $4 and (l.end_at is null or l.end_at > $4) order by l.action, l.white_kind`,
}
export interface CoverRow {
  passId: string
  passNo: string
  groupId: string | null
  groupName: string | null
  timeWindow: PassWindowCode
  startAt: Instant
  endAt: Instant
  seats: number
  seatPolicy: 1 | 2
  plates: string[]
}
/** Passes that cover a car in a park within a time, the latest first; ended ones tell which kind of pass it is. */
const COVERS = {
  sql: `select c.pass_id, p.pass_no, p.group_id, g.name as group_name, p.time_window, c.start_at, c.end_at, p.seats, coalesce(g.seat_policy, 1) as seat_policy,
      array(select distinct o.plate_no from member.pass_car o where o.enterprise_id = p.enterprise_id and o.pass_id = p.id and o.park_code = c.park_code and not o.held and o.start_at < c.end_at and o.end_at > c.start_at) as plates
    from member.pass_car c join member.pass p on p.enterprise_id = c.enterprise_id and p.id = c.pass_id left join member.card_group g on g.enterprise_id = p.enterprise_id and g.id = p.group_id
    where c.enterprise_id = scope_enterprise() and c.plate_no = $1 and c.park_code = $2 and ($3::smallint is null or c.plate_color is null or c.plate_color = $3) and not c.held
      and c.start_at <= $5 and c.end_at > $4 order by p.time_window, c.start_at desc limit 20`,
}
export const coversOf = (
  tx: Tx,
  car: { parkCode: string; plateNo: string; plateColor: PlateColorCode | null },
  from: Instant,
  to: Instant,
): Promise<CoverRow[]> => run<CoverRow>(tx, COVERS, [car.plateNo, car.parkCode, car.plateColor, from, to])
const RULES = {
  sql: `select r.id, r.name, r.gates, r.member_groups || array(select g.id from member.card_group g where g.enterprise_id = r.enterprise_id and r.id = any (g.access_rule_ids)) as member_groups,
      r.day_mask, r.time_from, r.time_to, r.date_from::text as date_from, r.date_to::text as date_to, r.odd_even, r.effect, r.priority
    from member.access_rule r where r.enterprise_id = scope_enterprise() and r.park_code = $1 and r.status = ${AccessStatus.inForce}`,
}
/** An ended pass is still known by its kind for so long: the tariff of the kind is for those whose pass has run out. */
const KNOWN_MS = 366 * 86_400_000

/** Returns the standing of a car at a park right now: the answer to `parking.admission`. Three statements, sent together. */
export async function standingOf(tx: Tx, car: CarAt): Promise<Standing | undefined> {
  const since = new Date(Date.parse(car.at) - KNOWN_MS).toISOString() as Instant
  const [lists, covers, rules] = await Promise.all([
    run<OnList>(tx, LISTS, [car.plateNo, car.parkCode, car.plateColor, car.at]),
    coversOf(tx, car, since, car.at),
    car.gateCode === undefined ? [] : run<ShortRule>(tx, RULES, [car.parkCode]),
  ])
  const known = covers.filter(({ startAt, endAt }) => Date.parse(startAt) <= Date.parse(car.at) && Date.parse(endAt) > Date.parse(car.at))
  const pass = known.find((one) => isWithin(one, car.at))
  const kind = pass ?? known[0] ?? covers.toSorted((a, b) => Date.parse(b.endAt) - Date.parse(a.endAt))[0]
  const memberGroup = kind?.groupId ?? undefined
  const black = lists.find(({ listType }) => listType === ListType.black)
  const special = lists.some(({ listType }) => listType === ListType.special)
  const white = await whiteOf(tx, car, lists)
  const rule = barredBy(rules, { gateCode: car.gateCode, plateNo: car.plateNo, memberGroup, at: car.at })
  const because = { ...(white && { white: white.words }), ...(kind && { pass: passWords(kind, pass, car.at) }) }
  const standing: Standing = {
    ...(special && { special: true }),
    ...(black && { black: { action: black.action, ...wordsOf(BlackReason.entries, black.reasonType) } }),
    ...(white?.free && { white: true }),
    ...(pass && { pass: { passId: pass.passId, allDay: pass.timeWindow === PassWindow.always, full: await seatsTaken(tx, car, pass) } }),
    ...(memberGroup && { memberGroup }),
    ...(rule && { barred: { zh: `准入规则「${rule.name}」禁止入场`, en: `Forbidden by the access rule “${rule.name}”` } }),
    ...(Object.keys(because).length > 0 && { because }),
  }
  return Object.keys(standing).length ? standing : undefined
}
const wordsOf = (entries: Record<number, readonly [string, string, ...unknown[]]>, code: number) => ({ zh: entries[code]![0], en: entries[code]![1] })
function passWords(kind: CoverRow, pass: CoverRow | undefined, at: Instant) {
  const name = kind.groupName ?? kind.passNo
  const window = PassWindow.entries[kind.timeWindow]
  if (pass) return { zh: `月卡「${name}」有效（${pass.passNo}，${window[0]}）`, en: `Valid pass “${name}” (${pass.passNo}, ${window[1]})` }
  const ended = Date.parse(kind.endAt)
  if (ended > Date.parse(at))
    return { zh: `月卡「${name}」限${window[0]}使用，现在不在时段内`, en: `Pass “${name}” is valid ${window[1].toLowerCase()} only` }
  const day = new Date(ended - 1000 + 8 * 3_600_000).toISOString().slice(0, 10)
  return { zh: `月卡「${name}」已于 ${day} 到期`, en: `Pass “${name}” expired on ${day}` }
}

/** Free by list: wholly, or as staff while the unit has a bay. A free car with minutes a day is charged for the rest, so it comes in as a temporary one. */
async function whiteOf(tx: Tx, car: CarAt, lists: readonly OnList[]): Promise<{ free: boolean; words: { zh: string; en: string } } | undefined> {
  const white = lists.filter(({ listType }) => listType === ListType.white)
  for (const entry of white) {
    const [kind, reason] = [wordsOf(WhiteKindNames, entry.whiteKind ?? WhiteKind.white), WhiteReason.entries[entry.reasonType as 1]]
    const words = {
      zh: `${kind.zh}${entry.unit ? `（${entry.unit}）` : ''}免费放行：${reason?.[0] ?? ''}`,
      en: `${kind.en}${entry.unit ? ` (${entry.unit})` : ''}, free: ${reason?.[1] ?? ''}`,
    }
    if (entry.freeMinPerDay !== null) continue
    if (entry.unit === null || entry.bays === null || !(await unitIsFull(tx, car, entry.unit, entry.bays))) return { free: true, words }
    return {
      free: false,
      words: {
        zh: `单位「${entry.unit}」的 ${entry.bays} 个车位已满，按临时车`,
        en: `All ${entry.bays} ${plural(entry.bays, 'bay')} of “${entry.unit}” are full: billed as a temporary car`,
      },
    }
  }
  const free = white.find(({ freeMinPerDay }) => freeMinPerDay !== null)
  return (
    free && {
      free: false,
      words: {
        zh: `免费车：每日 ${lasting(free.freeMinPerDay!)[0]}内免费`,
        en: `Free car: ${lasting(free.freeMinPerDay!)[1]} free per day`,
      },
    }
  )
}
const WhiteKindNames = WhiteKind.entries as Record<number, readonly [string, string, ...unknown[]]>
/** A car counts as what it came in as: one that came as a temporary car stays one. */
async function unitIsFull(tx: Tx, { parkCode, plateNo }: CarAt, unit: string, bays: number): Promise<boolean> {
  const staff = await run<{ plateNo: string }>(
    tx,
    {
      sql: `select distinct plate_no from member.list where enterprise_id = scope_enterprise() and unit = $1 and white_kind = ${WhiteKind.staff} and released_at is null and decided = ${Decided.accepted}`,
    },
    [unit],
  )
  const inside = await kindsInside(
    tx,
    parkCode,
    staff.map((one) => one.plateNo),
  )
  const itself = inside.find((one) => one.plateNo === plateNo)
  if (itself) return itself.carKind !== FREE
  return inside.filter(({ carKind }) => carKind === FREE).length >= bays
}
const FREE = 1

/** Returns the receiver of a vehicle's reminders: the holder of its latest pass who left a number. The answer to `arrears.contactOf`. */
export async function contactOfPass(tx: Tx, { plateNo, plateColor }: { plateNo: string; plateColor: PlateColorCode | null }) {
  const [holder] = await run<{ name: string; address: string }>(tx, { sql: HOLDER }, [plateNo, plateColor])
  return holder
}
const HOLDER = `select h.name, h.phone as address from member.pass_car c join member.pass p on p.enterprise_id = c.enterprise_id and p.id = c.pass_id
    join member.customer h on h.enterprise_id = p.enterprise_id and h.id = p.member_id
  where c.enterprise_id = scope_enterprise() and c.plate_no = $1 and ($2::smallint is null or c.plate_color is null or c.plate_color = $2) and h.phone is not null order by c.end_at desc limit 1`

/** More cars than seats: the first ones inside have them. */
async function seatsTaken(tx: Tx, { parkCode, plateNo }: CarAt, { plates, seats }: CoverRow): Promise<boolean> {
  if (plates.length <= seats) return false
  const inside = await kindsInside(tx, parkCode, plates)
  return inside.filter((one) => one.plateNo !== plateNo && one.carKind === PASS).length >= seats
}
const PASS = 8

export interface Stayed {
  parkCode: string
  /** Null: nobody knows it yet. */
  plateNo: string | null
  plateColor: PlateColorCode | null
  /** The pass on which it came in; none: it came as a temporary car. */
  passId: string | null
  from: Instant
  to: Instant
}
/**
 * Time of a stay that passes have paid for: the answer to `parking.cover`. A car that came in as a temporary one, because the bays were taken, is covered from when one of them
 * became free, where its kind of pass says so; a pass that began while it was inside covers it from there.
 */
export async function coverOf(tx: Tx, stay: Stayed): Promise<Covered[] | undefined> {
  const { plateNo } = stay
  if (plateNo === null) return undefined
  const [covers, free] = await Promise.all([coversOf(tx, { ...stay, plateNo }, stay.from, stay.to), freeMinutes(tx, { ...stay, plateNo })])
  const pieces = [...free]
  for (const one of covers) {
    const fromStart =
      stay.passId === null && covers.some(({ passId, startAt }) => passId === one.passId && Date.parse(startAt) <= Date.parse(stay.from))
    if (!fromStart) pieces.push(...coveredBy(one, stay.from, stay.to))
    else if (one.seatPolicy === SeatPolicy.takesOver && one.plates.length > one.seats)
      for (const { from, to } of await bayTime(tx, { ...stay, plateNo }, one)) pieces.push(...coveredBy(one, from, to))
  }
  return pieces.length ? pieces : undefined
}

/** Valid passes keep a park from being deleted: the answer to `parking.parkHeld`. */
export async function heldBy(tx: Tx, { parkCode }: { parkCode: string }): Promise<{ zh: string; en: string } | undefined> {
  const sql = 'select 1 from member.pass_car where enterprise_id = scope_enterprise() and park_code = $1 and end_at > now() limit 1'
  const [pass] = await run<object>(tx, { sql }, [parkCode])
  return pass && { zh: '有有效月卡', en: 'passes are valid' }
}
