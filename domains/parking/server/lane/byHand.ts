import { randomUUIDv7 } from 'node:crypto'
import type { Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { command, deviceOf } from '../../../device/server/api.ts'
import { payCash } from '../../../settlement/server/api.ts'
import { Direction, FeeChoice, type gate as calls, GateAction, lacksNote, OpenReason } from '../../contract/gate.ts'
import { type DecisionId, LaneCheck, LaneOutcome, PassMode, PayState, SessionStatus } from '../../contract/stay.ts'
import { decideAgain } from './again.ts'
import { SayFee } from './exitJudge.ts'
import { asksPerson, type GateRow, holdLane, keepOpen, keptOpen, type LaneNow, laneOf, setLane, staysOpen, writeDecision } from './lane.ts'
import { billStay, lockWithOrder, oweRest } from '../bill/money.ts'
import { alsoDueOf, alsoLetOff } from '../questions.ts'
import { askedAbout, type Sighting } from './sighting.ts'
import { editStay, type StayRecord } from '../stay/stayMoves.ts'
import type { LaneRecord } from '../tables.ts'
import { LaneState } from '../../contract/laneBoard.ts'
import { Said } from '../../contract/said.ts'
import { paired } from '../../../../platform/contract/said.ts'
import { ArrearsSource } from '../../../settlement/contract/order.ts'

export const GateLocked = refusal('parking.gate-locked', 40892, '该通道已由 {by} 锁闸，请先解锁', '{by} has locked this lane: unlock it first')
export const HeldOpen = refusal(
  'parking.held-open',
  40894,
  '车场正在应急常开，不能关闸或锁闸；请先结束应急常开',
  'The car park is in emergency open: barriers cannot be closed or locked until it ends',
)
export const NoBarrier = refusal(
  'parking.no-barrier',
  40802,
  '该通道没有可控制的设备，请在「通道管理」中选择道闸',
  'This lane has no device that can be controlled: choose its barrier under “Gate management”',
  422,
)
type Asked = Of<typeof calls.openGate.input>
interface Actor {
  userId: string
  userName: string
}

/** A person moves a barrier, always with a reason. Whoever lets an unpaid car out says what becomes of its fee. */
export async function openByHand(tx: Tx, asked: Asked, actor: Actor, at: Instant): Promise<void> {
  const { gate } = await laneOf(tx, asked.gateCode)
  await holdLane(tx, gate)
  await because(tx, reasonOf(asked))
  const now = await laneOf(tx, gate.gateCode)
  const sn = await barrierAt(tx, gate)
  if (gate.lockedBy !== null && asked.action !== GateAction.close) throw GateLocked({ by: gate.lockedBy })
  if (now.park.openAllFrom && asked.action === GateAction.close) throw HeldOpen()
  if (asked.action === GateAction.close) {
    await keepOpen(tx, gate, null)
    return void (await command(tx, { sn, method: 'gate.close' }))
  }
  if (asked.action === GateAction.keepOpen && !now.park.openAllFrom) {
    const seconds = asked.seconds ?? KEPT_OPEN_S
    await keepOpen(tx, gate, instantAt(msOf(at) + seconds * 1_000))
    return void (await command(tx, keptOpen(sn, seconds)))
  }
  const car = now.lane && asksPerson(now.lane) ? askedAbout(now.lane) : null
  if (car) return letGo(tx, { ...car, receivedAt: at, live: true, gone: false }, asked.fee, actor, at)
  await letPass(tx, now, sn, asked.fee, actor, at)
}

/** The car that a lane asks about may go; at an exit its fee is settled as the person says. */
export async function letGo(tx: Tx, car: Sighting, fee: Asked['fee'], actor: Actor, at: Instant): Promise<void> {
  await decideAgain(tx, car, { by: actor.userName, fee })
  const decided = await laneOf(tx, car.gateCode)
  if (decided.lane?.outcome === LaneOutcome.toPay) await letPass(tx, decided, await barrierAt(tx, decided.gate), fee, actor, at)
}
/** @throws NoBarrier */
async function barrierAt(tx: Tx, gate: GateRow): Promise<string> {
  const sn = gate.barrierId ?? (await deviceOf(tx, gate))?.sn
  if (!sn) throw NoBarrier()
  return sn
}
const KEPT_OPEN_S = 600

interface Reason {
  reason: Asked['reason']
  fee?: Asked['fee'] | undefined
  remark?: Asked['remark'] | undefined
}
/** @throws SayNote */
export function reasonOf({ reason, fee, remark }: Reason): string {
  if (lacksNote({ reason, remark })) throw SayNote()
  return [paired(OpenReason.entries[reason]), ...(fee ? [paired(FeeChoice.entries[fee])] : []), ...(remark ? [remark] : [])].reduce((first, next) =>
    Said.also({ first, next }),
  )
}
const SayNote = refusal('parking.say-note', 40816, '原因选「其他」时，请填写说明', 'With the reason “Other”, say why in the note', 422)

/** The car that stands there, if one does, passes; one that leaves when its fee is settled as the person says. */
async function letPass(tx: Tx, now: LaneNow, sn: string, fee: Asked['fee'], actor: Actor, at: Instant): Promise<void> {
  if (now.lane?.stayId && now.lane.direction === Direction.exit && (await letOut(tx, now.lane, fee, actor, at))) return
  await openNow(tx, { ...now, lane: now.lane && settledAs(now.lane, fee) }, sn, actor, at)
}
/** The lane and the passage say what became of the fee, not that it is to be paid. */
function settledAs(lane: LaneRecord, fee: Asked['fee']): LaneRecord {
  const said = lane.dueFen > 0 && fee !== undefined ? SETTLED[fee] : undefined
  if (!said) return lane
  const checks = lane.checks.map((one) =>
    one.check === LaneCheck.fee && one.hit ? { ...one, zh: `${one.zh}，${said[0]}`, en: `${one.en}; ${said[1]}` } : one,
  )
  return { ...lane, checks }
}
const SETTLED: Partial<Record<NonNullable<Asked['fee']>, readonly [zh: string, en: string]>> = {
  [FeeChoice.free]: ['人工免费放行', 'staff let it out free'],
  [FeeChoice.arrears]: ['人工放行，记欠费', 'staff let it out, recorded as owed'],
}

/** Settles what the car that stands there is asked for as the person says, one order at a time where they take cash. True: the payment has opened the barrier already, or asks for the next. */
async function letOut(tx: Tx, lane: LaneRecord, fee: Asked['fee'], actor: Actor, at: Instant): Promise<boolean> {
  const also = await alsoDueOf(tx, lane.stayId!, lane.since ?? at)
  const stay = await lockWithOrder(tx, lane.stayId!)
  const own = stay.payState === PayState.toPay && stay.orderId ? [{ orderId: stay.orderId as string, dueFen: stay.payableFen - stay.paidFen }] : []
  const [first] = [...own, ...also]
  const by = { operatorOut: actor.userName, exitMode: PassMode.remote } as const
  if (!first) return stay.status === SessionStatus.leaving ? (await editStay(tx, stay, by), false) : false
  if (fee === undefined) throw SayFee()
  if (fee === FeeChoice.cash) {
    await editStay(tx, stay, by)
    await payCash(tx, { orderId: first.orderId, amountFen: first.dueFen, actor, at, final: true })
    return true
  }
  const settled = own.length === 0 ? {} : fee === FeeChoice.free ? await forgiven(tx, stay, at) : await oweRest(tx, stay, ArrearsSource.letOut, at)
  await editStay(tx, stay, { ...by, ...settled })
  if (also.length > 0 && fee === FeeChoice.free) await alsoLetOff.ask(tx, { stayId: stay.id, at })
  return false
}

/** The whole rest is a discount, so that what was receivable is still told. */
const forgiven = (tx: Tx, stay: StayRecord, at: Instant) =>
  billStay(
    tx,
    stay,
    stay.settledFen ? { receivableFen: stay.settledFen, discountFen: 0 } : { receivableFen: stay.receivableFen, discountFen: stay.receivableFen },
    at,
  )

async function openNow(tx: Tx, now: LaneNow, sn: string, actor: Actor, at: Instant): Promise<void> {
  const { gate, lane } = now
  const id = randomUUIDv7() as Id<DecisionId>
  const { id: commandId } = await command(
    tx,
    staysOpen(sn, now, at) ?? { sn, method: 'gate.open', params: { reason: 'manual' }, orderId: id, tooSoon: 'refuse' },
  )
  if (!lane?.plateNo) return
  const car: Sighting = {
    parkCode: gate.parkCode,
    gateCode: gate.gateCode,
    direction: (lane.direction ?? Direction.entrance) as Sighting['direction'],
    at: lane.since ?? at,
    receivedAt: at,
    plateNo: lane.plateNo,
    plateColor: lane.plateColor,
    confidence: null,
    image: lane.image,
    messageId: null,
    mode: PassMode.remote,
    offline: false,
    live: true,
    gone: false,
  }
  await Promise.all([
    writeDecision(tx, car, { id, stayId: lane.stayId, outcome: LaneOutcome.pass, checks: lane.checks, commandId, by: actor.userName }),
    setLane(tx, gate, {
      ...lane,
      state: LaneState.opening,
      outcome: LaneOutcome.pass,
      dueFen: 0 as LaneRecord['dueFen'],
      dueOrderId: null,
      decisionId: id,
      openRef: id,
      commandId,
    }),
  ])
}
