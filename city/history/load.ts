import { randomBytes } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { EtcState } from '../../domains/arrears/contract/etc.ts'
import { CarKind, PassMode, PayState, SessionAbnormal, SessionStatus, StayPlace } from '../../domains/parking/contract/stay.ts'
import { ArrearsSource, OrderStatus, OrderType } from '../../domains/settlement/contract/order.ts'
import { CHANNELS, PayMethod, PaymentState } from '../../domains/settlement/contract/payment.ts'
import { PlateColor, VehicleClass } from '../../platform/contract/plate.ts'
import { CITY_OFFSET_MS } from '../../platform/contract/time.ts'
import { feeOf } from '../fees.ts'
import { antennaOf } from '../plan.ts'
import { ETC, type Visit } from './visits.ts'

/** Where the rows of a park belong, and by which version of its rule its stays were priced. */
export interface Belongs {
  enterprise: number
  ruleVersionId: string
}
/** The person at the till on a day: cash belongs to a shift. */
export interface Till {
  shiftId: string
  personId: string
  personName: string
}

/**
 * Writes a day's visits as parking, settlement and the ledger would have written them one by one: same states, same numbers, same postings. In the caller's
 * transaction, as the owner, with triggers off: the kept sums of the ledger and the list of present cars are made from the rows afterwards.
 */
export async function loadVisits(client: pg.ClientBase, visits: readonly Visit[], of: (parkCode: string) => Belongs, till: Till): Promise<void> {
  const rows = new Map<Table, string[]>(TABLES.map((table) => [table, []]))
  const put = (table: Table, ...values: Value[]) => rows.get(table)!.push(values.map(written).join('\t'))
  for (const visit of visits) record(put, visit, of(visit.parkCode), till)
  for (const table of TABLES) {
    const lines = rows.get(table)!
    if (lines.length === 0) continue
    const copy = client.query(copyFrom(`copy ${table} (${COLUMNS[table]}) from stdin`))
    await pipeline(Readable.from([`${lines.join('\n')}\n`]), copy)
  }
}

const COLUMNS = {
  'parking.stay':
    'id, enterprise_id, park_code, plate_no, plate_color, plate_original, vehicle_class, car_kind_in, car_kind_out, entry_gate, entry_time, entry_mode, exit_gate, exit_time, exit_mode, duration_min, status, abnormal_type, pay_state, receivable_fen, discount_fen, payable_fen, paid_fen, settled_fen, order_id, rule_version_id, created_at, updated_at',
  'settlement.order':
    'id, enterprise_id, order_no, type, stay_id, plate_no, plate_color, park_code, receivable_fen, discount_fen, paid_fen, status, owed, source_type, pay_method, pay_channel, trade_no, pay_time, operator_id, operator_name, shift_id, created_at, updated_at',
  'settlement.payment':
    'id, enterprise_id, order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at, operator_id, operator_name, shift_id, created_at, updated_at',
  'arrears.etc_deduct':
    'enterprise_id, deduct_no, payment_id, order_id, stay_id, park_code, gate_code, device_no, lane_no, psam_no, card_no, plate_no, plate_color, amount_fen, fee_fen, trade_time, etc_state, matched, created_at, updated_at',
  'settlement.move': 'enterprise_id, order_id, park_code, from_status, to_status, event, at',
  'arrears.record':
    'enterprise_id, arrears_no, order_id, order_no, order_type, stay_id, park_code, p_type, plate_no, plate_color, amount_fen, source_type, arrived_at, left_at, exit_gate, dun_step, created_at, updated_at',
  'ledger.event': 'enterprise_id, event_id, entry_id, at',
  'ledger.entry': 'id, enterprise_id, at, park_code, business, biz_type, biz_no, about, event_id',
  'ledger.line': 'enterprise_id, entry_id, seq, at, park_code, business, account, sub, debit_fen, credit_fen',
} as const
type Table = keyof typeof COLUMNS
const TABLES = Object.keys(COLUMNS) as Table[]
type Value = string | number | boolean | null
const written = (value: Value) => (value === null ? '\\N' : String(value))
type Put = (table: Table, ...values: Value[]) => void

const KINDS = { temporary: CarKind.temporary, pass: CarKind.pass, free: CarKind.free } as const
const VEHICLES = {
  [PlateColor.blue]: VehicleClass.small,
  [PlateColor.yellow]: VehicleClass.large,
  [PlateColor.green]: VehicleClass.newEnergySmall,
} as const

function record(put: Put, visit: Visit, belongs: Belongs, till: Till): void {
  const { parkCode, plateNo, plateColor, entryMs, exitMs, end, receivableFen, discountFen } = visit
  const stayId = uuidAt(entryMs)
  const payableFen = receivableFen - discountFen
  const isOrder = receivableFen > 0
  const orderId = isOrder ? uuidAt(exitMs!) : null
  const paidFen = isOrder && end === 'left' ? payableFen : 0
  const payState = end === 'inside' ? PayState.nothing : end === 'unpaid' ? PayState.owed : paidFen > 0 ? PayState.paid : PayState.free
  const kind = KINDS[visit.kind]
  put(
    'parking.stay',
    stayId,
    belongs.enterprise,
    parkCode,
    plateNo,
    plateColor,
    visit.abnormal === SessionAbnormal.corrected ? misread(plateNo) : null,
    VEHICLES[plateColor],
    kind,
    exitMs === null ? null : kind,
    visit.entryGate,
    iso(entryMs),
    PassMode.camera,
    visit.exitGate,
    exitMs === null ? null : iso(exitMs),
    exitMs === null ? null : PassMode.camera,
    exitMs === null ? null : Math.floor((exitMs - entryMs) / 60_000),
    end === 'inside' ? SessionStatus.present : SessionStatus.left,
    visit.abnormal,
    payState,
    receivableFen,
    discountFen,
    payableFen,
    paidFen,
    end === 'left' ? receivableFen : 0,
    orderId,
    belongs.ruleVersionId,
    iso(entryMs),
    iso(exitMs ?? entryMs),
  )
  if (orderId) recordMoney(put, visit, { ...belongs, stayId, orderId, payableFen }, till)
}

type Ordered = Belongs & { stayId: string; orderId: string; payableFen: number }
function recordMoney(put: Put, visit: Visit, of: Ordered, till: Till): void {
  const { enterprise, stayId, orderId, payableFen } = of
  const { parkCode, plateNo, plateColor, receivableFen, discountFen, method, exitMs, payMs } = visit
  const owed = visit.end === 'unpaid'
  const at = iso(exitMs! - 60_000)
  const orderNo = numbered('TC', exitMs!)
  const paidAt = payMs === null ? null : iso(payMs)
  const cash = method === PayMethod.cash
  const payNo = `${orderNo}-1`
  const tradeNo = method === null ? null : method === ETC ? payNo : cash ? numbered('XJ', payMs!) : `${payMs}${orderId.slice(-12)}`
  const channel = method === null ? null : CHANNELS[method]
  const taken: Taken = cash ? [till.personId, till.personName, till.shiftId] : [null, null, null]
  const status = owed ? OrderStatus.arrears : method === null ? OrderStatus.free : OrderStatus.paid
  put(
    'settlement.order',
    orderId,
    enterprise,
    orderNo,
    OrderType.temporaryParking,
    stayId,
    plateNo,
    plateColor,
    parkCode,
    receivableFen,
    discountFen,
    status === OrderStatus.paid ? payableFen : 0,
    status,
    owed,
    owed ? ArrearsSource.tailgated : null,
    method,
    channel,
    tradeNo,
    paidAt,
    ...taken,
    at,
    paidAt ?? at,
  )
  const entryAt = owed ? iso(exitMs!) : paidAt!
  if (owed) recordDebt(put, visit, of, orderNo)
  if (status === OrderStatus.paid) recordPayment(put, visit, of, { payNo, channel, tradeNo, taken, at, paidAt })
  else put('settlement.move', enterprise, orderId, parkCode, OrderStatus.unpaid, status, owed ? 'leftUnpaid' : 'free', entryAt)
  const [bizType, bizNo]: [string, string] = owed
    ? ['order.unpaid', orderNo]
    : status === OrderStatus.free
      ? ['order.free', orderNo]
      : ['order.paid', payNo]
  const [account, sub]: [string, string] = owed ? ['asset.arrears', ''] : cash ? ['asset.cash', till.shiftId] : ['asset.channel', channel ?? '']
  recordEntry(put, visit, of, { at: entryAt, orderNo, bizType, bizNo, account, sub })
}

/** Reminded of long since: the ladder of a demo's past is over. */
function recordDebt(put: Put, visit: Visit, { enterprise, stayId, orderId, payableFen }: Ordered, orderNo: string): void {
  const leftAt = iso(visit.exitMs!)
  put(
    'arrears.record',
    enterprise,
    numbered('QF', visit.exitMs!),
    orderId,
    orderNo,
    OrderType.temporaryParking,
    stayId,
    visit.parkCode,
    StayPlace.park,
    visit.plateNo,
    visit.plateColor,
    payableFen,
    ArrearsSource.tailgated,
    iso(visit.entryMs),
    leftAt,
    visit.exitGate,
    5,
    leftAt,
    leftAt,
  )
}

/** The person who took cash, and the shift: nobody where a machine was paid. */
type Taken = [personId: Value, personName: Value, shiftId: Value]
interface Paid {
  payNo: string
  channel: string | null
  tradeNo: string | null
  taken: Taken
  at: string
  paidAt: string | null
}
/** The payment, and the order's way through it. */
function recordPayment(put: Put, visit: Visit, { enterprise, stayId, orderId, payableFen }: Ordered, paid: Paid): void {
  const { parkCode, method, payMs } = visit
  const { payNo, channel, tradeNo, taken, at, paidAt } = paid
  const paymentId = uuidAt(payMs!)
  if (method === ETC) recordCard(put, visit, { enterprise, stayId, orderId, paymentId, deductNo: payNo, payableFen })
  put(
    'settlement.payment',
    paymentId,
    enterprise,
    orderId,
    parkCode,
    payNo,
    method,
    channel,
    tradeNo,
    payableFen,
    payableFen,
    PaymentState.received,
    paidAt,
    ...taken,
    at,
    paidAt,
  )
  put('settlement.move', enterprise, orderId, parkCode, OrderStatus.unpaid, OrderStatus.paying, 'paying', at)
  put('settlement.move', enterprise, orderId, parkCode, OrderStatus.paying, OrderStatus.paid, 'paid', paidAt)
}

interface Posted {
  at: string
  orderNo: string
  bizType: string
  bizNo: string
  /** The account that the payable amount is booked on. */
  account: string
  sub: string
}
/** The ledger's entry for an order: income against the payment, or against the debt. */
function recordEntry(put: Put, { parkCode, receivableFen, discountFen }: Visit, { enterprise, payableFen }: Ordered, posted: Posted): void {
  const { at, orderNo, bizType, bizNo } = posted
  const entryId = uuidAt(Date.parse(at))
  put('ledger.event', enterprise, `due:${orderNo}`, entryId, at)
  put('ledger.entry', entryId, enterprise, at, parkCode, 'parking', bizType, bizNo, orderNo, `due:${orderNo}`)
  let seq = 0
  const line = (account: string, sub: string, debit: number, credit: number) =>
    debit + credit > 0 && put('ledger.line', enterprise, entryId, ++seq, at, parkCode, 'parking', account, sub, debit, credit)
  line(posted.account, posted.sub, payableFen, 0)
  line('contra.discount', '', discountFen, 0)
  line('income.parking', '', 0, receivableFen)
}

/** The antenna's deduction from the card, which the issuer has confirmed since. */
function recordCard(put: Put, { parkCode, exitGate, plateNo, plateColor, payMs }: Visit, of: Card): void {
  const { deviceNo, laneNo, psamNo } = antennaOf(exitGate!)
  const feeFen = feeOf('etc', of.payableFen)
  const cardNo = `4201${of.orderId.replaceAll(/\D/g, '').slice(-12).padStart(12, '0')}`
  put(
    'arrears.etc_deduct',
    of.enterprise,
    of.deductNo,
    of.paymentId,
    of.orderId,
    of.stayId,
    parkCode,
    exitGate,
    deviceNo,
    laneNo,
    psamNo,
    cardNo,
    plateNo,
    plateColor,
    of.payableFen,
    feeFen,
    iso(payMs!),
    EtcState.done,
    true,
    iso(payMs!),
    iso(payMs!),
  )
}
interface Card {
  enterprise: number
  stayId: string
  orderId: string
  paymentId: string
  deductNo: string
  payableFen: number
}

const iso = (ms: number) => new Date(ms).toISOString()
/** A camera takes an 8 for a B, a 0 for a D. */
const misread = (plateNo: string) => plateNo.replace(/[80D5](?=[^80D5]*$)/, (letter) => ({ '8': 'B', '0': 'D', D: '0', '5': 'S' })[letter]!)

/** Version 7, so that rows of the past sort where they belong. */
function uuidAt(ms: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
let sequence = 0
/** As `platform.business_no` makes them: prefix, city time, six digits. */
export function numbered(prefix: string, ms: number): string {
  sequence = (sequence + 1) % 1_000_000
  return `${prefix}${new Date(ms + CITY_OFFSET_MS).toISOString().replace(/\D/g, '').slice(0, 14)}${String(sequence).padStart(6, '0')}`
}
