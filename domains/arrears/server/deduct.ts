import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { command, type LaneEvent } from '../../device/server/api.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { begin, endAttempt, freshen, noticePayment, orderOf } from '../../settlement/server/api.ts'
import { EtcStatus } from '../../device/contract/etc.ts'
import { EtcFailCode, EtcState } from '../contract/etc.ts'
import { ExceptionType } from '../contract/file.ts'
import { paysFirst, paysLast, type Waits } from './questions.ts'
import { PaymentState } from '../../settlement/contract/payment.ts'
import './tables.ts'

const ETC = 6
/** An antenna that has not answered by then is asked what became of it. */
const SILENT_MS = 10_000
const TRIES_MAX = 3
const ROUND_MAX = 200

/** The answer to `parking.exitWaits`: the driver's own account pays first, where there is one; then the antenna; a fee that neither pays is debited as the driver has agreed. */
export async function waitsAt(tx: Tx, waits: Waits): Promise<true | undefined> {
  return (await paysFirst.ask(tx, waits)).length > 0 ? true : takeAt(tx, waits)
}
/** Tries the antenna after the first way of paying has failed, if the car is still there and still owes something. */
export async function deductNext(tx: Tx, waits: Waits): Promise<void> {
  await freshen(tx, waits.orderId, waits.at)
  const { status } = await orderOf(tx, waits.orderId)
  if (status === OrderStatus.unpaid && (await stands(tx, waits))) await takeAt(tx, waits)
}
const takeAt = async (tx: Tx, waits: Waits): Promise<true | undefined> => (await deductAt(tx, waits)) ?? (await paysLast.ask(tx, waits))[0]?.answer
const stands = async (tx: Tx, { gateCode, stayId }: Pick<Waits, 'gateCode' | 'stayId'>) => (await run(tx, STANDS, [gateCode, stayId])).length > 0
const STANDS = { sql: 'select from parking.lane where enterprise_id = scope_enterprise() and gate_code = $1 and stay_id = $2' }
/** The antenna of the lane takes the fee. One order is tried once; if that fails, it is paid otherwise. */
export async function deductAt(tx: Tx, { parkCode, gateCode, stayId, orderId, at }: Waits): Promise<true | undefined> {
  const [antenna] = await run<{ deviceNo: string; laneNo: string; psamNo: string }>(tx, { sql: ANTENNA }, [parkCode, gateCode, orderId])
  if (!antenna) return undefined
  const { order, attempt } = await begin(tx, orderId, ETC, at)
  const { deviceNo, laneNo, psamNo } = antenna
  const values = [
    attempt.payNo,
    attempt.id,
    orderId,
    stayId,
    parkCode,
    gateCode,
    deviceNo,
    laneNo,
    psamNo,
    order.plateNo,
    order.plateColor,
    attempt.amountFen,
    at,
  ]
  await run(tx, { sql: BEGIN }, values)
  await command(tx, { sn: deviceNo, method: 'etc.deduct', params: { deductNo: attempt.payNo, amountFen: attempt.amountFen } })
  return true
}
const ANTENNA = `select device_no, lane_no, psam_no from device.etc_status where enterprise_id = scope_enterprise() and park_code = $1 and gate_code = $2 and status = ${EtcStatus.online}
  and not exists (select from arrears.etc_deduct d where d.enterprise_id = scope_enterprise() and d.order_id = $3) limit 1`
const BEGIN = `insert into arrears.etc_deduct (deduct_no, payment_id, order_id, stay_id, park_code, gate_code, device_no, lane_no, psam_no, plate_no, plate_color, amount_fen, trade_time, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $13)`

export interface Deduct {
  id: string
  deductNo: string
  paymentId: string
  orderId: string
  psamNo: string
  psamSeq: number | null
  amountFen: number
  etcState: number
}
const DEDUCT = 'id, deduct_no, payment_id, order_id, psam_no, psam_seq, amount_fen, etc_state'
export async function lockDeduct(tx: Tx, deductNo: string): Promise<Deduct | undefined> {
  const sql = `select ${DEDUCT} from arrears.etc_deduct where enterprise_id = scope_enterprise() and deduct_no = $1 for update`
  return (await run<Deduct>(tx, { sql }, [deductNo]))[0]
}

/** The answer to `device.laneEvent`: an antenna's report of a deduction. Told twice, or after the issuer has spoken, it changes nothing. */
export async function hearEtc(tx: Tx, { type, sn, body, deviceTime, receivedAt }: LaneEvent): Promise<void> {
  if (type !== 'etc' || typeof body['deductNo'] !== 'string') return
  const deduct = await lockDeduct(tx, body['deductNo'])
  if (!deduct || deduct.etcState === EtcState.done || deduct.etcState === EtcState.failed) return
  const [own] = await run(tx, { sql: 'select 1 from arrears.etc_deduct where id = $1 and device_no = $2' }, [deduct.id, sn])
  if (!own) return
  const seq = Number.isInteger(body['psamSeq']) && (body['psamSeq'] as number) >= 0 ? (body['psamSeq'] as number) : null
  const card = typeof body['cardNo'] === 'string' ? body['cardNo'].slice(0, 32) : null
  await run(tx, { sql: READ }, [deduct.id, seq, card, deviceTime])
  if (body['result'] === 'ok') return succeed(tx, { ...deduct, psamSeq: seq ?? deduct.psamSeq }, deviceTime, receivedAt)
  if (body['result'] === 'fail') {
    await fail(tx, deduct, codeOf(body['failCode']), receivedAt)
    return takeLast(tx, deduct, receivedAt)
  }
  await setState(tx, deduct, EtcState.unknown, null, receivedAt)
}
/** The car may stand there still. */
async function takeLast(tx: Tx, { id, amountFen: dueFen }: Deduct, at: Instant): Promise<void> {
  const [where] = await run<Omit<Waits, 'dueFen' | 'at'>>(tx, { sql: WHERE }, [id])
  if (where?.stayId && (await stands(tx, where))) await paysLast.ask(tx, { ...where, dueFen, at })
}
const WHERE = 'select park_code, gate_code, stay_id, order_id from arrears.etc_deduct where enterprise_id = scope_enterprise() and id = $1'
const READ = `update arrears.etc_deduct set psam_seq = coalesce($2, psam_seq), card_no = coalesce($3, card_no), trade_time = $4 where enterprise_id = scope_enterprise() and id = $1`
const codeOf = (code: unknown): number => (typeof code === 'number' && code in EtcFailCode.entries ? code : EtcFailCode.silent)

/** Returns the trade number by the counter of the card's terminal, as the issuer has it too. */
export const tradeNoOf = ({ deductNo, psamNo, psamSeq }: Pick<Deduct, 'deductNo' | 'psamNo' | 'psamSeq'>): string =>
  psamSeq === null ? deductNo : `${psamNo}-${psamSeq}`
/** The money is the issuer's to pay: the order, or the debt that it has become, is settled; where it was paid otherwise, this leg goes back by itself. */
export async function succeed(tx: Tx, deduct: Deduct, paidAt: Instant, at: Instant): Promise<void> {
  await setState(tx, deduct, EtcState.done, null, at)
  await noticePayment(tx, { payNo: deduct.deductNo, channel: 'etc', tradeNo: tradeNoOf(deduct), amountFen: deduct.amountFen, paidAt, at })
  await known(tx, deduct, at)
}
export async function fail(tx: Tx, deduct: Deduct, failCode: number, at: Instant): Promise<void> {
  await setState(tx, deduct, EtcState.failed, failCode, at)
  await endAttempt(tx, deduct.paymentId, PaymentState.failed, at)
  await known(tx, deduct, at)
}
const setState = (tx: Tx, { id }: Deduct, state: number, failCode: number | null, at: Instant) => run(tx, { sql: SET }, [id, state, failCode, at])
const SET = `update arrears.etc_deduct set etc_state = $2, fail_code = $3, version = version + 1, updated_at = $4 where enterprise_id = scope_enterprise() and id = $1`
/** A debt that waited for this result may be asked for, if it is one still. */
const known = (tx: Tx, { orderId }: Deduct, at: Instant) => run(tx, { sql: KNOWN }, [orderId, at])
const KNOWN = `update arrears.record set exception_type = ${ExceptionType.none}, missing = null, version = version + 1, updated_at = $2
  where enterprise_id = scope_enterprise() and order_id = $1 and exception_type = ${ExceptionType.etcUnknown}`

/** Once a minute: antennas that did not answer, or do not know, are asked up to three times; then the issuer's file will say. */
export async function askAgain(tx: Tx, at: Instant): Promise<void> {
  const silent = await run<Deduct & { deviceNo: string }>(tx, { sql: ASK }, [instantAt(msOf(at) - SILENT_MS), at])
  for (const { deviceNo, deductNo } of silent) await command(tx, { sn: deviceNo, method: 'etc.query', params: { deductNo } })
}
const ASK = `update arrears.etc_deduct set etc_state = ${EtcState.unknown}, tries = tries + 1, updated_at = $2 where enterprise_id = scope_enterprise() and id = any (array (
    select id from arrears.etc_deduct where enterprise_id = scope_enterprise() and etc_state in (${EtcState.running}, ${EtcState.unknown}) and tries < ${TRIES_MAX} and updated_at < $1
    order by updated_at limit ${ROUND_MAX} for update skip locked)) returning ${DEDUCT}, device_no`

/** Gives up the deductions of an antenna that is out of service: a person handles them now. */
export async function giveUp(tx: Tx, deviceNo: string, at: Instant): Promise<void> {
  const running = await run<Deduct>(tx, { sql: GIVE_UP }, [deviceNo, at])
  for (const { paymentId } of running) await endAttempt(tx, paymentId, PaymentState.closed, at)
}
const GIVE_UP = `update arrears.etc_deduct set etc_state = ${EtcState.manual}, version = version + 1, updated_at = $2
  where enterprise_id = scope_enterprise() and device_no = $1 and etc_state in (${EtcState.waiting}, ${EtcState.running}) returning ${DEDUCT}`

export const etcTasks = [task('arrears.etc-ask', ({ tx, at }) => askAgain(tx, at), { every: '* * * * *' })]
