import { json } from '../../../platform/server/row.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Id, Instant } from '../../../platform/contract/field.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { PayState, SessionStatus, type StayId } from '../../parking/contract/stay.ts'
import { type AnyStay, cancelDue, insertStay, moveStay } from '../../parking/server/api.ts'

import { revoke } from '../../settlement/server/api.ts'
import { ConfirmState } from '../contract/roadStay.ts'
import { holdPlace } from './binding.ts'
import { besideOpen, placeOfStay, settle, vacate } from './leaving.ts'
import type { Place } from './place.ts'
import { weigh } from './seen.ts'
import { lockRoadStay, visitOf } from './visit.ts'

const PaidFor = refusal(
  'roadside.paid-for',
  41112,
  '该停车记录已有支付，不能拆分或合并；请先退款',
  'This stay has been paid and cannot be split or merged: refund it first',
)
const NotInside = refusal('roadside.split-outside', 41113, '拆分时间须在驶入与驶离之间', 'The split time must be between arrival and departure', 422)
const NotTwo = refusal(
  'roadside.not-two',
  41114,
  '请选择同一泊位前后相邻的两条记录，间隔不超过 60 分钟',
  'Choose two consecutive stays on the same berth, at most 60 minutes apart',
  422,
)

const SpansAnother = refusal(
  'roadside.spans-another',
  41143,
  '期间该泊位还停过 {plateNo}，不能拆分或合并：请先确认这条记录的驶离',
  '{plateNo} stood on this berth meanwhile: confirm the departure of this stay first, then split or merge',
)

const GAP_MOST_MS = 60 * 60_000
interface Wanted {
  actor: { userId: string; userName: string }
  at: Instant
  reason: string
}

/** One record that was two cars: voided, and each gets its own, charged anew. */
export async function split(
  tx: Tx,
  { id, version, splitAt }: { id: Id<StayId>; version: number; splitAt: Instant },
  { actor, at, reason }: Wanted,
): Promise<AnyStay[]> {
  const place = await held(tx, id)
  const stay = await lockRoadStay(tx, id, version)
  const end = stay.exitTime ?? at
  if (!(Date.parse(stay.entryTime!) < Date.parse(splitAt) && Date.parse(splitAt) < Date.parse(end))) throw NotInside()
  await refuseSpanning(tx, stay, { from: stay.entryTime!, until: stay.exitTime, ids: [stay.id] })
  await because(tx, reason)
  await voided(tx, stay, { actor, at, reason })
  return besideOpen(tx, place, async () => {
    const first = await remade(tx, stay, { entryTime: stay.entryTime!, of: [stay.id], confirmState: ConfirmState.split })
    const moved = await evidenceTo(tx, first.id, [stay.id], splitAt)
    const gone = await settle(tx, await vacate(tx, place, first, splitAt), splitAt)
    const second = await remade(tx, stay, { entryTime: splitAt, of: [stay.id], confirmState: ConfirmState.split })
    await evidenceTo(tx, second.id, [stay.id], null)
    const rest = stay.exitTime === null ? second : await settle(tx, await vacate(tx, place, second, stay.exitTime), stay.exitTime)
    await Promise.all([moved && weigh(tx, first.id), weigh(tx, second.id)])
    return [gone, rest]
  })
}

/** Two records that were one car: voided, and one takes their place, charged anew from the first arrival to the last leaving. */
export async function merge(tx: Tx, ids: readonly Id<StayId>[], { actor, at, reason }: Wanted): Promise<AnyStay> {
  if (ids.length !== 2 || ids[0] === ids[1]) throw NotTwo()
  const place = await held(tx, ids[0]!)
  const both = [await lockRoadStay(tx, ids[0]!), await lockRoadStay(tx, ids[1]!)].sort((a, b) => Date.parse(a.entryTime!) - Date.parse(b.entryTime!))
  const [first, last] = both as [AnyStay, AnyStay]
  const isOver = (stay: AnyStay) => stay.status === SessionStatus.void
  if (first.seatCode !== last.seatCode || first.parkCode !== last.parkCode || both.some(isOver)) throw NotTwo()
  const gap = Date.parse(last.entryTime!) - Date.parse(first.exitTime ?? last.entryTime!)
  if (first.exitTime === null || gap > GAP_MOST_MS || gap < 0 || (await between(tx, first, last))) throw NotTwo()
  await refuseSpanning(tx, first, { from: first.entryTime!, until: last.exitTime, ids: [first.id, last.id] })
  await because(tx, reason)
  await voided(tx, first, { actor, at, reason })
  await voided(tx, last, { actor, at, reason })
  return besideOpen(tx, place, async () => {
    const named = first.plateNo === null ? last : first
    const one = await remade(tx, named, { entryTime: first.entryTime!, of: [first.id, last.id], confirmState: ConfirmState.merged })
    await evidenceTo(tx, one.id, [first.id, last.id], null)
    await weigh(tx, one.id)
    return last.exitTime === null ? one : settle(tx, await vacate(tx, place, one, last.exitTime), last.exitTime)
  })
}

/** The berth is held before anything of it is read. */
async function held(tx: Tx, id: Id<StayId>): Promise<Place> {
  const place = await placeOfStay(tx, await lockedSeat(tx, id))
  await holdPlace(tx, place)
  return place
}
const lockedSeat = async (tx: Tx, id: Id<StayId>): Promise<AnyStay> => {
  const [found] = await run<AnyStay>(
    tx,
    { sql: 'select * from parking.stay where enterprise_id = scope_enterprise() and id = $1 and seat_code is not null' },
    [id],
  )
  return found ?? lockRoadStay(tx, id)
}

async function between(tx: Tx, first: AnyStay, last: AnyStay): Promise<boolean> {
  const rows = await run(tx, BETWEEN, [first.parkCode, first.seatCode, first.entryTime, last.entryTime, [first.id, last.id]])
  return rows.length > 0
}
const BETWEEN = {
  sql: `select 1 from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and seen_at between $3 and $4 and id <> all($5::uuid[]) and status <> ${SessionStatus.void} limit 1`,
}

/** Made anew it would stand there while another car did. @throws SpansAnother */
async function refuseSpanning(
  tx: Tx,
  { parkCode, seatCode }: AnyStay,
  { from, until, ids }: { from: Instant; until: Instant | null; ids: Id<StayId>[] },
): Promise<void> {
  const [other] = await run<{ plateNo: string | null }>(tx, SPANNED, [parkCode, seatCode, from, until, ids])
  if (other) throw SpansAnother({ plateNo: other.plateNo ?? '--' })
}
const SPANNED = {
  sql: `select plate_no from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and id <> all($5::uuid[])
    and status in (${SessionStatus.present}, ${SessionStatus.leaving}, ${SessionStatus.left}) and seen_at < coalesce($4::timestamptz, 'infinity') and coalesce(exit_time, 'infinity') > $3 order by seen_at, id limit 1`,
}

/** Whatever was asked for it is asked no more. @throws PaidFor when money came for it */
async function voided(tx: Tx, stay: AnyStay, { actor, at, reason }: Wanted): Promise<void> {
  if (stay.paidFen > 0 || stay.settledFen > 0 || stay.payState === PayState.paid) throw PaidFor()
  if (stay.payState === PayState.owed && stay.orderId) {
    await revoke(tx, stay.orderId, { reason, at, actor })
    // The order has told its stay that nothing is asked any more.
    return void (await moveStay(tx, await lockRoadStay(tx, stay.id), 'void'))
  }
  await moveStay(tx, stay, 'void', await cancelDue(tx, stay, reason, at))
}

async function remade(
  tx: Tx,
  from: AnyStay,
  { entryTime, of, confirmState }: { entryTime: Instant; of: Id<StayId>[]; confirmState: 2 | 3 },
): Promise<AnyStay> {
  const {
    parkCode,
    pType,
    sectionCode,
    seatCode,
    plateNo,
    plateColor,
    plateOriginal,
    vehicleClass,
    carKindIn,
    entryImage,
    entryMode,
    ruleVersionId,
    passId,
    operatorIn,
    remark,
  } = from
  const id = randomUUIDv7() as Id<StayId>
  await insertStay(tx, {
    id,
    parkCode,
    pType,
    sectionCode,
    seatCode,
    plateNo,
    plateColor,
    plateOriginal,
    vehicleClass,
    carKindIn,
    entryTime,
    entryImage,
    entryMode,
    ruleVersionId,
    passId,
    operatorIn,
    remark,
  })
  const { detector, tollNo, plateSource, plateConfidence } = await visitOf(tx, from.id)
  await tx
    .insertInto('roadside.visit')
    .values({ stayId: id, parkCode, detector, tollNo, plateSource, plateConfidence, confirmState, cameOf: json(of) })
    .execute()
  await run(
    tx,
    { sql: 'update roadside.visit set became = became || to_jsonb($1::text) where enterprise_id = scope_enterprise() and stay_id = any($2::uuid[])' },
    [id, of],
  )
  return lockRoadStay(tx, id)
}

/** Moves evidence to the stay that it shows; of a split, the evidence before the moment. */
async function evidenceTo(tx: Tx, to: Id<StayId>, from: readonly Id<StayId>[], before: Instant | null): Promise<number> {
  const rows = await run(tx, MOVE, [to, from, before])
  return rows.length
}
const MOVE = {
  sql: `update roadside.evidence set stay_id = $1 where enterprise_id = scope_enterprise() and stay_id = any($2::uuid[]) and ($3::timestamptz is null or at < $3) returning id`,
}
