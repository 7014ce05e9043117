import type { Instant } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type CarAt, type Covered, kindsInside, type Standing } from '../../parking/server/api.ts'
import { BlackReason } from '../contract/whiteBlack.ts'
import { coveredBy, isWithin, passesOf, type PassOf } from './pass.ts'

interface OnList {
  listType: 1 | 2 | 3
  action: 1 | 2 | 3
  reasonType: keyof typeof BlackReason.entries
}
const LISTS = {
  sql: `select list_type, action, reason_type from member.list where enterprise_id = scope_enterprise() and plate_no = $1 and (park_code is null or park_code = $2)
    and ($3::smallint is null or plate_color is null or plate_color = $3) and released_at is null and start_at <= $4 and (end_at is null or end_at > $4) order by action`,
}

/** Who this car is to a park right now: the answer to `parking.admission`. */
export async function standingOf(tx: Tx, car: CarAt): Promise<Standing | undefined> {
  const [lists, passes] = await Promise.all([
    run<OnList>(tx, LISTS, [car.plateNo, car.parkCode, car.plateColor, car.at]),
    passesOf(tx, car, car.at, car.at),
  ])
  const black = lists.find(({ listType }) => listType === 2)
  const pass = passes.find((one) => isWithin(one, car.at))
  const [zh, en] = black ? BlackReason.entries[black.reasonType] : []
  const standing: Standing = {
    ...(lists.some(({ listType }) => listType === 3) && { special: true }),
    ...(black && { black: { action: black.action, zh: zh!, en: en! } }),
    ...(lists.some(({ listType }) => listType === 1) && { white: true }),
    ...(pass && { pass: { passId: pass.passId, allDay: pass.timeWindow === 1, full: await seatsTaken(tx, car, pass) } }),
  }
  return Object.keys(standing).length ? standing : undefined
}

/** Whom a vehicle's reminders go to: the holder of its latest pass who left a number. The answer to `arrears.contactOf`. */
export async function contactOfPass(tx: Tx, { plateNo, plateColor }: { plateNo: string; plateColor: PlateColorCode | null }) {
  const [holder] = await run<{ name: string; address: string }>(tx, { sql: HOLDER }, [plateNo, plateColor])
  return holder
}
const HOLDER = `select p.holder as name, p.phone as address from member.pass_car c join member.pass p on p.enterprise_id = c.enterprise_id and p.id = c.pass_id
  where c.enterprise_id = scope_enterprise() and c.plate_no = $1 and ($2::smallint is null or c.plate_color is null or c.plate_color = $2) and p.phone is not null order by p.end_at desc limit 1`

/** More cars than seats: the first ones inside have them. */
async function seatsTaken(tx: Tx, { parkCode, plateNo }: CarAt, { plates, seats }: PassOf): Promise<boolean> {
  if (plates.length <= seats) return false
  const inside = await kindsInside(tx, parkCode, plates)
  return inside.filter((one) => one.plateNo !== plateNo && one.carKind === PASS).length >= seats
}
const PASS = 8

interface Stayed {
  parkCode: string
  /** None: nobody knows it yet. */
  plateNo: string | null
  plateColor: PlateColorCode | null
  /** The pass on which it came in; none: it came as a temporary car. */
  passId: string | null
  from: Instant
  to: Instant
}
/**
 * Time of a stay that passes have paid for: the answer to `parking.cover`. A car that came in as a temporary one, because the seats were taken, is covered only by
 * a pass that began while it was inside.
 */
export async function coverOf(tx: Tx, stay: Stayed): Promise<Covered[] | undefined> {
  const { plateNo } = stay
  if (plateNo === null) return undefined
  const passes = await passesOf(tx, { ...stay, plateNo }, stay.from, stay.to)
  const holding = passes.filter(({ startAt }) => stay.passId !== null || Date.parse(startAt) > Date.parse(stay.from))
  return holding.length ? holding.flatMap((pass) => coveredBy(pass, stay.from, stay.to)) : undefined
}

/** Valid passes keep a park from being deleted: the answer to `parking.parkHeld`. */
export async function heldBy(tx: Tx, { parkCode }: { parkCode: string }): Promise<{ zh: string; en: string } | undefined> {
  const [pass] = await run<object>(
    tx,
    {
      sql: 'select 1 from member.pass where enterprise_id = scope_enterprise() and park_code = $1 and end_at > now() and state not in (5, 6) limit 1',
    },
    [parkCode],
  )
  return pass && { zh: '有有效月卡', en: 'passes are valid' }
}
