import type { Instant, Of } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { Refusal, refusal } from '../../../platform/server/refusal.ts'
import { PaymentState } from '../../settlement/contract/payment.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import {
  type DoorBill,
  type DoorBills,
  type DoorCharge,
  type DoorGun,
  type DoorRefund,
  DoorState,
  type DoorWords,
  PREPAY_FEN,
  PREPAY_USUAL_FEN,
} from '../contract/door.ts'
import { HoldState } from '../contract/money.ts'
import { ChargeStatus, StopReason } from '../contract/session.ts'
import type { Period } from '../contract/strategy.ts'
import { LATE } from './bill.ts'
import { type Charge, mayStart, placeOf, tableAt } from './charge.ts'
import { START_MS } from './hear.ts'
import { bothOf, isSaid } from '../../../platform/contract/said.ts'

const NotHeard = refusal(
  'charging.door-gun-away',
  41358,
  '充电桩离线，暂不能扫码启动，请换一把充电枪',
  'The pile is offline and cannot be started by QR code: use another connector',
)
const NoPriceHere = refusal(
  'charging.door-no-price',
  41359,
  '本站尚未公布电价，暂不能充电；请到其他充电站',
  'This station has not published its prices: charging is not available yet: choose another station',
)
type Words = Of<typeof DoorWords>
type Prices = Of<typeof Period>

/** A start by code asks the pile at once, so the pile must be there. @throws NotHeard */
export async function mustBeHeard(tx: Tx, connectorId: string): Promise<void> {
  if ((await run(tx, { sql: HEARD }, [connectorId])).length === 0) throw NotHeard()
}
const HEARD = `select 1 from charging.connector c join charging.pile_state p on p.enterprise_id = c.enterprise_id and p.equipment_id = c.equipment_id
  where c.enterprise_id = scope_enterprise() and c.connector_id = $1 and p.online`

/** What a driver who stands at a gun reads before they pay. */
export async function gunFor(tx: Tx, connectorId: string, at: Instant): Promise<Of<typeof DoorGun>> {
  const place = await placeOf(tx, connectorId)
  const [[facts], table] = await Promise.all([run<Facts>(tx, { sql: FACTS }, [connectorId]), tableAt(tx, place.stationId, at)])
  const { idleGraceMin = 0, occupyFenPerMin = 0, occupyCapFen = 0, quietFrom = '00:00', quietTo = '00:00', periods = [] } = table ?? {}
  const hindrance = await hindranceOf(async () => {
    await mayStart(tx, place, null, at)
    await mustBeHeard(tx, connectorId)
    if (!table) throw NoPriceHere()
  })
  return {
    ...facts!,
    connectorId,
    hindrance,
    periods: restOfDay(periods, at),
    idleGraceMin,
    occupyFenPerMin,
    occupyCapFen,
    quietFrom,
    quietTo,
    prepays: [...PREPAY_FEN],
    usualFen: PREPAY_USUAL_FEN,
  } as Of<typeof DoorGun>
}
type Facts = Pick<Of<typeof DoorGun>, 'stationName' | 'operatorName' | 'serviceTel' | 'parkNo' | 'connectorType' | 'power' | 'status'>
const FACTS = `select s.station_name, o.operator_name, s.service_tel, g.park_no, g.connector_type, g.power, g.status
  from charging.gun g join charging.station s on s.enterprise_id = g.enterprise_id and s.station_id = g.station_id
    join charging.operator o on o.enterprise_id = s.enterprise_id and o.operator_id = s.operator_id
  where g.enterprise_id = scope_enterprise() and g.connector_id = $1`
async function hindranceOf(work: () => Promise<void>): Promise<Words | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof Refusal) return { zh: error.texts[0], en: error.texts[1] }
    throw error
  }
}
const clockOf = (at: Instant) => {
  const minutes = Math.floor(((msOf(at) + CITY_OFFSET_MS) % DAY_MS) / MINUTE_MS)
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
/** From now to midnight, neighbours of one price as one. */
function restOfDay(periods: readonly Prices[], at: Instant): Prices[] {
  const now = clockOf(at)
  const rest: Prices[] = []
  for (const one of periods.filter(({ to }) => to > now)) {
    const last = rest.at(-1)
    const same = last && last.kind === one.kind && last.elecPriceE4 === one.elecPriceE4 && last.servicePriceE4 === one.servicePriceE4
    if (same) rest[rest.length - 1] = { ...last, to: one.to }
    else rest.push(one)
  }
  return rest
}

interface Around {
  stationName: string
  serviceTel: string
  gunStatus: number
  online: boolean
  holdState: number | null
  payUrl: string | null
  payBy: Instant | null
  prepaidFen: number
  capturedFen: number
  returnedFen: number
  openFen: number
}
/** What was given back of what was used is not used any more. */
const AROUND = `select s.station_name, s.service_tel, g.told as gun_status, coalesce(p.online, false) as online, h.state as hold_state, a.pay_url, a.expires_at as pay_by,
    case when h.state in (${HoldState.held}, ${HoldState.settled}, ${HoldState.released}) then h.hold_fen else 0 end as prepaid_fen, coalesce(h.captured_fen, 0) - given.fen as captured_fen,
    coalesce(h.released_fen, 0) + given.fen as returned_fen, coalesce(h.open_fen, 0) as open_fen
  from charging.gun g join charging.station s on s.enterprise_id = g.enterprise_id and s.station_id = g.station_id
    left join charging.pile_state p on p.enterprise_id = g.enterprise_id and p.equipment_id = g.equipment_id
    left join lateral (select * from charging.hold where enterprise_id = g.enterprise_id and order_no = $2 order by created_at desc limit 1) h on true
    cross join lateral (select coalesce(sum(amount_fen), 0)::bigint as fen from settlement.refund where enterprise_id = g.enterprise_id and order_id = h.settlement_id
      and state in (${RefundState.approved}, ${RefundState.sending}, ${RefundState.done}) and (applicant_id is not null or reason = '${LATE}')) given
    left join lateral (select pay_url, expires_at from settlement.payment where enterprise_id = g.enterprise_id and order_id = h.settlement_id and state = ${PaymentState.waiting} and h.state = ${HoldState.waiting}
      and expires_at > $3 order by created_at desc limit 1) a on true
  where g.enterprise_id = scope_enterprise() and g.connector_id = $1`
const aroundOf = async (tx: Tx, { connectorId, orderNo }: Charge, at: Instant | null): Promise<Around> =>
  (await run<Around>(tx, { sql: AROUND }, [connectorId, orderNo, at]))[0]!

/** A charge as its driver sees it now. */
export async function standing(tx: Tx, charge: Charge, at: Instant): Promise<Of<typeof DoorCharge>> {
  const { gunStatus, holdState, ...around } = await aroundOf(tx, charge, at)
  const {
    orderNo,
    connectorId,
    plateNo,
    startTime,
    endTime,
    energyWh,
    powerW,
    soc,
    elecFen,
    serviceFen,
    occupyFen,
    discountFen,
    costFen,
    failReason,
    acceptedAt,
  } = charge
  const state = charge.status === ChargeStatus.waiting && holdState === HoldState.waiting ? DoorState.toPay : STATES[charge.status]
  return {
    ...around,
    orderNo,
    connectorId,
    plateNo,
    startTime,
    endTime,
    energyWh,
    powerW,
    soc,
    elecFen,
    serviceFen,
    occupyFen,
    discountFen,
    costFen,
    state,
    why:
      failReason === null || (state !== DoorState.failed && state !== DoorState.cancelled)
        ? null
        : isSaid(failReason)
          ? bothOf(failReason)
          : { zh: failReason, en: 'The pile did not start' },
    plugged: gunStatus === ConnectorStatus.plugged || gunStatus === ConnectorStatus.charging,
    startBy: state === DoorState.starting && acceptedAt !== null ? instantAt(msOf(acceptedAt) + START_MS + UNPLUGGED_MS) : null,
  } as Of<typeof DoorCharge>
}
/** Who has not plugged in yet has so much longer. */
const UNPLUGGED_MS = 30_000
const STATES = {
  [ChargeStatus.waiting]: DoorState.starting,
  [ChargeStatus.starting]: DoorState.starting,
  [ChargeStatus.charging]: DoorState.charging,
  [ChargeStatus.stopping]: DoorState.stopping,
  [ChargeStatus.billing]: DoorState.billing,
  [ChargeStatus.done]: DoorState.done,
  [ChargeStatus.failed]: DoorState.failed,
  [ChargeStatus.abnormal]: DoorState.attention,
  [ChargeStatus.cancelled]: DoorState.cancelled,
  [ChargeStatus.refunding]: DoorState.done,
  [ChargeStatus.refunded]: DoorState.done,
}
/** What it cost, line by line, and where the money is. */
export async function billsFor(tx: Tx, charge: Charge): Promise<Of<typeof DoorBills>> {
  const { orderNo, connectorId, plateNo, startTime, endTime, energyWh, stopReason } = charge
  const [{ stationName, prepaidFen, capturedFen, returnedFen, openFen }, bills, refunds] = await Promise.all([
    aroundOf(tx, charge, null),
    run<Of<typeof DoorBill>>(tx, { sql: BILLS }, [orderNo]),
    run<Of<typeof DoorRefund>>(tx, { sql: REFUNDS }, [orderNo]),
  ])
  const [zh, en] = stopReason === null ? [null, null] : StopReason.entries[stopReason]
  return {
    ...{ orderNo, stationName, connectorId, plateNo, startTime, endTime, energyWh, bills, refunds, prepaidFen, capturedFen, returnedFen, openFen },
    stopped: zh === null ? null : { zh, en },
  } as Of<typeof DoorBills>
}
const BILLS = `select bill_no, kind, final_at, energy_wh, lines, elec_fen, service_fen, occupy_fen, adjust_fen, discount_fen, discount_name, payable_fen, waived_fen, arrears_fen
  from charging.bill where enterprise_id = scope_enterprise() and order_no = $1 order by final_at, id`
const REFUNDS = `select id, refund_fen as amount_fen, state, done_at from charging.recharge_refund where enterprise_id = scope_enterprise() and order_no = $1 order by applied_at, id`
