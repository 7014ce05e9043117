import { randomUUIDv7 } from 'node:crypto'
import type { CodeOf, Id, Instant } from '../../../../platform/contract/field.ts'
import {
  isPlate,
  isSpecialPlate,
  normalizePlate,
  impliedColor,
  type PlateColorCode,
  type Vehicle,
  vehicleClassOf,
} from '../../../../platform/contract/plate.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { IllegalMove, NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { OrderStatus } from '../../../settlement/contract/order.ts'
import { lockOrders, nameOrder, orderOf, ordersOfStay, unaskedOf } from '../../../settlement/server/api.ts'
import type { FeeChoice } from '../../contract/gate.ts'
import {
  Handling,
  mayVoid,
  PassMode,
  PayState,
  SessionAbnormal,
  SessionStatus,
  stayCan,
  StayPlace,
  type StayId,
  type StayRow,
} from '../../contract/stay.ts'
import { yuan } from '../lane/admission.ts'
import { insertStay, type NewStay, rightOf, tellEntered } from '../lane/entrance.ts'
import { endHold } from '../bill/holding.ts'
import { feeGoneFor, goneFor, NO_FEE } from '../bill/goneFor.ts'
import { holdLane } from '../lane/lane.ts'
import { cancelDue, lockWithOrder } from '../bill/money.ts'
import { clearLane } from '../lane/passing.ts'
import { frozenOfOther, frozenRule } from '../bill/pricing.ts'
import { berthDecided, standingOf } from '../questions.ts'
import { chainOf } from './story.ts'
import type { LaneRecord } from '../tables.ts'
import { editStay, lockStay, minutesBetween, moveStay, openStaysOf, readStay, type AnyStay, type StayChanges, type StayRecord } from './stayMoves.ts'
import { RuleBind } from '../../contract/park.ts'

export const NoPlate = refusal(
  'parking.no-plate',
  40806,
  '车牌「{plateNo}」不是有效车牌；特殊车牌请勾选「特殊车牌」',
  '“{plateNo}” is not a valid plate; tick “Special plate” if it is one',
  422,
)
/** Where a form has no box for special plates. */
export const NotAPlate = refusal('parking.not-a-plate', 40893, '「{plateNo}」不是有效车牌，请核对', '“{plateNo}” is not a valid plate: check it', 422)
export const AlreadyInside = refusal(
  'parking.already-inside',
  40807,
  '车辆 {plateNo} 已在场内，请先处理它的在场记录',
  '{plateNo} is already inside: resolve its open stay first',
)
export const WrongTimes = refusal(
  'parking.wrong-times',
  40808,
  '时间不正确：入场不得晚于离场或现在',
  'The times are not valid: the entry cannot be after the exit or in the future',
  422,
)
export const NothingToRestore = refusal(
  'parking.nothing-to-restore',
  40809,
  '该记录没有入场时间，不能恢复在场；请先补录入场时间',
  'This record has no entry time and cannot be restored as present: add its entry time first',
)
const MayGo = refusal(
  'parking.may-go',
  40864,
  '该车已缴费或正在放行，不能作废：请放行；错收的费用请在订单中退款',
  'This car has paid or is being let out, so its record cannot be void: let it go, and refund from its order what was taken in error',
)
const PaidOn = refusal(
  'parking.paid-on',
  40865,
  '该记录已收 {left} 元未退，不能作废：请先在订单中全额退款，退款到账后再作废',
  '¥{left} was paid on this record and has not gone back, so it cannot be void: refund it from its order first, and void the record once the refund is done',
)
const PayingOn = refusal(
  'parking.paying-on',
  40866,
  '该记录的订单正在支付，不能作废：请等支付结束（最多 5 分钟）；已付成的先退款，再作废',
  'Somebody is paying for this record just now, so it cannot be void: wait for the payment to end (5 minutes at most); if it succeeds, refund it first',
)

const BerthTaken = refusal(
  'parking.berth-taken',
  40861,
  '泊位「{seatCode}」现停着 {plateNo}，不能恢复在场；该车已驶离的，请确认离场',
  'Berth “{seatCode}” is occupied by {plateNo}, so this stay cannot be restored: if its car has left, confirm the exit',
)

const OfStreet = refusal(
  'parking.of-street',
  40862,
  '路内停车以取证为准，请在「路内停车记录」或「路内在停车辆」处理：车牌不符用修正车牌，时间不符用拆分或合并',
  'A roadside stay follows its evidence. Under “Roadside parking records” or “Cars on berths”, use Correct plate for a wrong plate, Split or Merge for wrong times',
  422,
)
/** A street stay has its evidence and the source of its plate kept with it: it is corrected where these are kept. */
function refuseStreet({ pType }: StayRecord): void {
  if (pType === StayPlace.street) throw OfStreet()
}

/** Replaces a finished record, which never changes: it is voided, and a new one stands in its place (`correctedFrom`). */
export async function replaceFinal<S extends AnyStay>(tx: Tx, stay: S, changes: StayChanges & { status?: StayRow['status'] }): Promise<S> {
  await moveStay(tx, stay, 'void')
  const { version: _, createdAt: __, updatedAt: ___, seenAt: ____, ...kept } = stay
  const id = randomUUIDv7() as Id<StayId>
  await insertStay(tx, { ...kept, ...changes, id, correctedFrom: stay.id } as NewStay)
  return lockStay<S>(tx, id)
}
const put = (tx: Tx, stay: StayRecord, changes: StayChanges): Promise<StayRecord> =>
  stay.status === SessionStatus.left ? replaceFinal(tx, stay, changes) : editStay(tx, stay, changes)

/** The stay that a voided one was corrected to, however often; the same stay when it was not. */
export async function currentOf(tx: Tx, id: Id<StayId>): Promise<StayRecord> {
  let stay = await lockStay(tx, id)
  while (stay.status === SessionStatus.void) {
    const [next] = await run<{ id: Id<StayId> }>(
      tx,
      { sql: 'select id from parking.stay where enterprise_id = scope_enterprise() and corrected_from = $1' },
      [stay.id],
    )
    if (!next) return stay
    stay = await lockStay(tx, next.id)
  }
  return stay
}

/** A plate as a person typed it, in the form in which it is kept. @throws NoPlate, and NotAPlate where it may be a special one already */
export function plateTyped(typed: string, special = false): string {
  const plateNo = normalizePlate(typed)
  if (!(special ? isSpecialPlate(plateNo) : isPlate(plateNo))) throw (special ? NotAPlate : NoPlate)({ plateNo })
  return plateNo
}

/** The same of a car that is nothing special. @throws NotAPlate */
export function ordinaryPlate(typed: string): string {
  const plateNo = normalizePlate(typed)
  if (!isPlate(plateNo)) throw NotAPlate({ plateNo })
  return plateNo
}

export interface PlateCorrection {
  id: Id<StayId>
  version: number
  plateNo: string
  plateColor?: PlateColorCode
  special?: boolean
  reason: string
}
/** Its order follows, and with it what is owed: it is asked of the right vehicle. The order is held before the stay, as a payment does it. */
export async function correctPlate(tx: Tx, { id, version, special, reason, ...typed }: PlateCorrection): Promise<StayRecord> {
  const plateNo = plateTyped(typed.plateNo, special)
  await because(tx, reason)
  const stay = await lockWithOrder(tx, id, version)
  refuseStreet(stay)
  const plateColor = typed.plateColor ?? impliedColor(plateNo) ?? stay.plateColor
  await refuseDouble(tx, stay, { plateNo, plateColor })
  if (stay.orderId) await nameOrder(tx, stay.orderId, { plateNo, plateColor })
  const right = await put(tx, stay, {
    plateNo,
    plateColor,
    vehicleClass: vehicleClassOf(plateNo, plateColor),
    ...(await asAnother(tx, stay, { plateNo, plateColor })),
    plateOriginal: stay.plateOriginal ?? stay.plateNo,
    abnormalType: stay.abnormalType || 4,
  })
  if (standsSince(stay)) await tellEntered(tx, right)
  return right
}
const standsSince = ({ entryTime, status }: StayRecord) => entryTime !== null && status !== SessionStatus.left
/** Returns the rule and the right by which the other car stands there since the entry. The charge of a finished stay is kept. */
async function asAnother(tx: Tx, stay: StayRecord, car: Vehicle): Promise<StayChanges> {
  if (stay.entryTime === null || stay.status === SessionStatus.left) return {}
  const { parkCode, entryTime: at } = stay
  return { ruleVersionId: await frozenOfOther(tx, stay, car), ...rightOf(await standingOf(tx, { parkCode, ...car, at })) }
}
async function refuseDouble(tx: Tx, stay: StayRecord, car: Vehicle): Promise<void> {
  if (stay.status !== SessionStatus.present && stay.status !== SessionStatus.leaving) return
  const others = await openStaysOf(tx, stay.parkCode, car)
  if (others.some(({ id }) => id !== stay.id)) throw AlreadyInside({ plateNo: car.plateNo })
}

export interface TimeCorrection {
  id: Id<StayId>
  version: number
  entryTime?: Instant
  exitTime?: Instant
  reason: string
}
/** Corrects times only: charges and payments stay as they are. */
export async function correctTimes(tx: Tx, { id, version, reason, ...times }: TimeCorrection, now: Instant): Promise<StayRecord> {
  await because(tx, reason)
  const stay = await lockStay(tx, id, version)
  refuseStreet(stay)
  const entryTime = times.entryTime ?? stay.entryTime
  const exitTime = stay.exitTime === null ? null : (times.exitTime ?? stay.exitTime)
  refuseTimes(entryTime, exitTime ?? now, now)
  return put(tx, stay, { entryTime, exitTime, durationMin: exitTime && entryTime ? minutesBetween(entryTime, exitTime) : stay.durationMin })
}
function refuseTimes(entry: Instant | null, exit: Instant, now: Instant): void {
  const [from, to, latest] = [entry ?? exit, exit, now].map(Date.parse) as [number, number, number]
  if (from > to || to > latest) throw WrongTimes()
}

interface Actor {
  userId: string
  userName: string
}
export interface Handled {
  id: Id<StayId>
  version: number
  handling: CodeOf<typeof Handling>
  exitTime?: Instant
  fee?: CodeOf<typeof FeeChoice>
  reason: string
}
/** A stay that waits for a person: it left, it is still inside, or it never was. */
export async function handleAbnormal(tx: Tx, { id, version, handling, reason, ...said }: Handled, at: Instant, actor: Actor): Promise<StayRecord> {
  const by = actor.userName
  await because(tx, reason)
  if (handling === Handling.void) return voidStay(tx, { id, version, reason }, at, by)
  const stay = await lockWithOrder(tx, id, version)
  if (handling === Handling.restore) {
    if (!stay.entryTime) throw NothingToRestore()
    await refuseTaken(tx, stay)
    await refuseDouble(tx, { ...stay, status: SessionStatus.present }, stay)
    return moveStay(tx, stay, 'restore', { ...OUT_AGAIN, abnormalType: stay.abnormalType })
  }
  const exitTime = said.exitTime ?? stay.exitTime ?? (await nextOnBerth(tx, stay)) ?? at
  const backwards = stay.abnormalType === SessionAbnormal.inverted
  if (!backwards || said.exitTime) refuseTimes(stay.entryTime, exitTime, at)
  const durationMin = stay.entryTime ? minutesBetween(stay.entryTime, exitTime) : 0
  const gone = { exitTime, durationMin, exitMode: stay.exitMode ?? PassMode.entered, operatorOut: by }
  if (stay.pType !== StayPlace.street) {
    if (stayCan.confirmExit(stay.status) === undefined) throw IllegalMove({ status: stay.status })
    // Of a clock that ran backwards nothing can be worked out until somebody says when it left.
    const bill = backwards && !said.exitTime ? NO_FEE : await feeGoneFor(tx, stay, exitTime, said.fee)
    return goneFor(tx, stay, gone, { bill, fee: said.fee, reason, actor, at })
  }
  // No barrier held it: its fee is worked out now, and owed.
  await moveStay(tx, stay, 'confirmExit', gone)
  await berthDecided.ask(tx, { stayId: id, at })
  return lockStay(tx, id)
}
/** A berth holds one car. @throws BerthTaken while another stands on that of this stay */
async function refuseTaken(tx: Tx, { id, parkCode, seatCode }: StayRecord): Promise<void> {
  if (seatCode === null) return
  const [other] = await run<{ plateNo: string | null }>(tx, { sql: ON_BERTH }, [parkCode, seatCode, id])
  if (other) throw BerthTaken({ seatCode, plateNo: other.plateNo ?? '—' })
}
const ON_BERTH =
  'select plate_no from parking.present where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and stay_id <> $3 limit 1'
/** Returns when the next car came to the berth: by then this one had gone. */
async function nextOnBerth(tx: Tx, { parkCode, seatCode, entryTime }: StayRecord): Promise<Instant | null> {
  if (seatCode === null || entryTime === null) return null
  const [next] = await run<{ entryTime: Instant }>(tx, { sql: NEXT_ON_BERTH }, [parkCode, seatCode, entryTime])
  return next?.entryTime ?? null
}
const NEXT_ON_BERTH = `select entry_time from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and seen_at > $3 and status <> ${SessionStatus.void}
  order by seen_at limit 1`
/** One that stands at an exit is forgotten by its lane, too. Lane and order are held before it, as an event and a payment do. */
async function voidStay(tx: Tx, { id, version, reason }: Pick<Handled, 'id' | 'version' | 'reason'>, at: Instant, by: string): Promise<StayRecord> {
  const seen = await readStay(tx, id)
  const atExit = seen.status === SessionStatus.leaving && seen.exitGate !== null
  if (atExit) await holdLane(tx, { ...seen, gateCode: seen.exitGate! })
  await lockOrders(tx, seen.orderId ? [seen.orderId] : [])
  const stay = await lockStay(tx, id, version)
  const lanes = atExit ? await run<VoidedAt>(tx, { sql: LANES_OF }, [id]) : []
  if (stay.status === SessionStatus.leaving && stay.entryTime === null && (stay.paidFen > 0 || lanes.some(({ openRef }) => openRef !== null)))
    throw MayGo()
  if (!mayVoid(stay)) throw IllegalMove({ status: stay.status })
  await refuseMoney(tx, stay)
  if (stay.payState === PayState.checking) await endHold(tx, stay, by, at)
  const gone = await moveStay(tx, stay, 'void', await cancelDue(tx, stay, reason, at))
  for (const lane of lanes) await clearLane(tx, lane)
  return gone
}
/** Money that was paid for a record, or comes for it just now, is somebody's: it goes back before the record is void. */
async function refuseMoney(tx: Tx, stay: StayRecord): Promise<void> {
  const ids = [stay.id, ...(await chainOf(tx, stay))]
  const of = await Promise.all(ids.map((id) => ordersOfStay(tx, id)))
  // Money that another record was paid stands under its own orders; the newest of them is named by this record.
  const orders = of.flat()
  if (stay.orderId && !orders.some(({ id }) => id === stay.orderId)) orders.push(await orderOf(tx, stay.orderId))
  if (orders.some(({ status }) => status === OrderStatus.paying)) throw PayingOn()
  const unasked = await Promise.all(ids.map((id) => unaskedOf(tx, id)))
  const back = orders.reduce((sum, { refundFen }) => sum + refundFen, 0)
  const left = Math.max(0, stay.paidFen - back) + unasked.reduce((sum, { unaskedFen, backFen }) => sum + unaskedFen - backFen, 0)
  if (left > 0) throw PaidOn({ left: yuan(left) })
}
type VoidedAt = Pick<LaneRecord, 'parkCode' | 'gateCode' | 'openRef'>
const LANES_OF = 'select park_code, gate_code, open_ref from parking.lane where enterprise_id = scope_enterprise() and stay_id = $1'
/** Clears what a stay knows of its exit, when its car is inside again. */
export const OUT_AGAIN = {
  exitGate: null,
  exitTime: null,
  exitImage: null,
  exitMode: null,
  durationMin: null,
  carKindOut: null,
  operatorOut: null,
  tailing: false,
} as const

export interface Supplement {
  parkCode: string
  plateNo: string
  plateColor?: PlateColorCode
  entryTime: Instant
  entryGate?: string
  special?: boolean
  reason: string
}
/** A car that came in unseen (补录). Its fee rule is the one that was in force when it came. */
export async function supplement(
  tx: Tx,
  { parkCode, entryTime, entryGate, special, reason, ...typed }: Supplement,
  at: Instant,
  by: string,
): Promise<StayRecord> {
  const plateNo = plateTyped(typed.plateNo, special)
  const car = { plateNo, plateColor: typed.plateColor ?? impliedColor(plateNo) }
  refuseTimes(entryTime, at, at)
  await because(tx, reason)
  const [park, gate, open, standing] = await Promise.all([
    tx.selectFrom('parking.park').select(['parkCode', 'ruleBind']).where('parkCode', '=', parkCode).executeTakeFirst(),
    entryGate
      ? tx.selectFrom('parking.gate').select(['areaTo']).where('parkCode', '=', parkCode).where('gateCode', '=', entryGate).executeTakeFirst()
      : undefined,
    openStaysOf(tx, parkCode, car),
    standingOf(tx, { parkCode, ...car, at: entryTime }),
  ])
  if (!park || (entryGate && !gate)) throw NotFound()
  if (open.length) throw AlreadyInside({ plateNo })
  const id = randomUUIDv7() as Id<StayId>
  await insertStay(tx, {
    id,
    parkCode,
    areaCode: gate?.areaTo ?? null,
    ...car,
    vehicleClass: vehicleClassOf(plateNo, car.plateColor),
    ...rightOf(standing),
    entryGate: entryGate ?? null,
    entryTime,
    entryMode: PassMode.entered,
    operatorIn: by,
    ruleVersionId:
      park.ruleBind === RuleBind.entry
        ? await frozenRule(tx, park, gate?.areaTo ?? null, { ...car, at: entryTime, memberGroup: standing.memberGroup })
        : null,
    remark: reason,
  })
  return lockStay(tx, id)
}
