import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, task } from '../../../platform/server/job/jobs.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { sendInner } from '../../message/server/api.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { HoldState } from '../contract/money.ts'
import { pileCommand, PileMethod } from '../contract/pileCommand.ts'
import { ChargeStatus, StopReason } from '../contract/session.ts'
import { costBy, finalise, lastBelieved } from './bill.ts'
import { type Charge, moveCharge } from './charge.ts'
import { askStopAgain, cancelCharge, endCharge, failStart, ON_ITS_WAY } from './hear.ts'
import { holdOf, lockWithMoney, voidHold } from './hold.ts'
import { freeHeld, HELD_DAYS, leaveToPerson } from './waits.ts'
import { Why } from '../contract/why.ts'
import { MessageKind } from '../../message/contract/template.ts'

/** What no message comes for: starts that never were, charges that were not heard of again, bills that are due. Each is a job of its own: one that fails holds up no other. */
export const sweeping = task(
  'charging.sweep',
  async ({ tx, at }) => {
    for (const one of await overdue(tx, at)) await addJob(tx, sweepingOne, one, { key: `charging.sweep:${one.orderNo}` })
  },
  { every: '* * * * *' },
)
export const sweepingOne = task<Overdue>('charging.sweep-one', ({ tx, data, at }) => sweepOne(tx, data, at))

const FROM = `select c.order_no from charging.charge c left join charging.connector_state g on g.enterprise_id = c.enterprise_id and g.connector_id = c.connector_id
  left join charging.pile_state p on p.enterprise_id = c.enterprise_id and p.equipment_id = c.equipment_id where c.enterprise_id = scope_enterprise() and ($2::text is null or c.order_no = $2)`
const RUNNING = `c.status in (${ChargeStatus.charging}, ${ChargeStatus.stopping})`
/** Accepted, and 60 seconds without a transaction; 90 where the car was not plugged in. */
const NOT_BEGUN = `${FROM} and c.status = ${ChargeStatus.starting} and c.accepted_at <= $1::timestamptz - case when g.status = ${ConnectorStatus.plugged} then interval '60 seconds' else interval '90 seconds' end`
const NOT_ANSWERED = `${FROM} and c.status = ${ChargeStatus.waiting} and c.claimed and c.updated_at <= $1::timestamptz - interval '120 seconds'`
const NOT_PAID = `${FROM} and c.status = ${ChargeStatus.waiting} and not c.claimed and c.created_at <= $1::timestamptz - interval '15 minutes'`
/** After a power cut the gun is free and its end never came; or it is on line and says nothing. */
const UNPLUGGED = `${FROM} and ${RUNNING} and g.status = ${ConnectorStatus.free} and g.status_at > c.start_time and g.status_at <= $1::timestamptz - interval '15 minutes'`
const SILENT = `${FROM} and ${RUNNING} and p.online and p.connected_at <= $1::timestamptz - interval '15 minutes' and coalesce(c.said_at, c.start_time) <= $1::timestamptz - interval '15 minutes'
  and g.status is distinct from ${ConnectorStatus.free}`
/** Its pile has not been heard of for a day: nobody knows whether it goes on. */
const AWAY = `${FROM} and ${RUNNING} and not p.online and greatest(p.last_seen_at, c.said_at, c.start_time) <= $1::timestamptz - interval '24 hours'`
/** However often: a stop is asked again within so many minutes. */
const AGAIN_MAX_MIN = 16
/** Asked to end, with no stop on its way, and it measures on: the pile refused, did not answer or did nothing. It is asked again a minute later, then after two, four, and so on. */
const NOT_STOPPED = `${FROM} and c.status in (${ChargeStatus.stopping}, ${ChargeStatus.abnormal}) and c.transaction_id is not null and c.end_time is null and c.ended_at is null and p.online and coalesce(c.said_at, c.stop_asked_at) > $1::timestamptz - interval '15 minutes'
  and not exists (select 1 from charging.pile_command where enterprise_id = scope_enterprise() and order_no = c.order_no and ${ON_ITS_WAY}) and (
  select coalesce(max(k.finished_at), c.stop_asked_at) + make_interval(mins => least(power(2, greatest(count(*) - 1, 0)), ${AGAIN_MAX_MIN})::integer) from charging.pile_command k
    where k.enterprise_id = c.enterprise_id and k.order_no = c.order_no and k.method = ${PileMethod.stop}) <= $1`
const LEFT = `${FROM} and c.status = ${ChargeStatus.abnormal} and c.end_time is null and c.updated_at <= $1::timestamptz - interval '24 hours'`
/** Its money has waited for a person for so long that it goes back. */
const HELD = `${FROM} and c.status = ${ChargeStatus.abnormal} and c.end_time is not null and exists (select from charging.hold h where h.enterprise_id = c.enterprise_id and h.order_no = c.order_no
  and h.state = ${HoldState.held} and h.hold_at <= $1::timestamptz - interval '${HELD_DAYS} days')`
const DUE = `${FROM} and c.status = ${ChargeStatus.billing} and c.final_due_at <= $1`

type Work = (tx: Tx, charge: Charge, at: Instant) => Promise<unknown>
const WORK: Record<string, { sql: string; work: Work }> = {
  notBegun: { sql: NOT_BEGUN, work: (tx, charge, at) => failStart(tx, charge, Why.notPlugged, at) },
  notAnswered: { sql: NOT_ANSWERED, work: (tx, charge, at) => failStart(tx, charge, Why.noAnswer, at) },
  notPaid: { sql: NOT_PAID, work: (tx, charge, at) => giveUp(tx, charge, at) },
  unplugged: { sql: UNPLUGGED, work: (tx, charge, at) => afterPowerCut(tx, charge, at) },
  silent: {
    sql: SILENT,
    work: (tx, charge, at) => moveCharge(tx, charge, 'lose', { event: 'silent', at, note: Why.silent, changes: { claimed: false } }),
  },
  away: { sql: AWAY, work: (tx, charge, at) => leaveToPerson(tx, charge, 'away', at) },
  notStopped: { sql: NOT_STOPPED, work: (tx, charge, at) => stopAgain(tx, charge, at) },
  left: { sql: LEFT, work: (tx, charge, at) => closeAtLast(tx, charge, StopReason.silence, at) },
  held: { sql: HELD, work: (tx, charge, at) => freeHeld(tx, charge, at) },
  due: { sql: DUE, work: (tx, charge, at) => finalise(tx, charge, at) },
}
export interface Overdue {
  orderNo: string
  what: string
}
export async function overdue(tx: Tx, at: Instant): Promise<Overdue[]> {
  const all: Overdue[] = []
  for (const [what, { sql }] of Object.entries(WORK))
    all.push(...(await run<{ orderNo: string }>(tx, { sql }, [at, null])).map(({ orderNo }) => ({ orderNo, what })))
  return all
}
/** If it still is so. */
export async function sweepOne(tx: Tx, { orderNo, what }: Overdue, at: Instant): Promise<void> {
  const charge = await lockWithMoney(tx, orderNo)
  const { sql, work } = WORK[what]!
  if ((await run(tx, { sql }, [at, orderNo])).length > 0) await work(tx, charge, at)
}

async function giveUp(tx: Tx, charge: Charge, at: Instant): Promise<void> {
  const hold = await holdOf(tx, charge.orderNo)
  if (hold?.state === HoldState.waiting) {
    const [order] = await run<{ status: number }>(
      tx,
      { sql: 'select status from settlement.order where enterprise_id = scope_enterprise() and id = $1' },
      [hold.settlementId],
    )
    if (order!.status !== OrderStatus.unpaid) return // somebody pays right now
    await voidHold(tx, hold, Why.unpaid, at)
  }
  await cancelCharge(tx, charge, Why.unpaid, at)
}

/** Whoever is on duty hears of it once. */
async function stopAgain(tx: Tx, charge: Charge, at: Instant): Promise<void> {
  const { orderNo, connectorId } = charge
  const again = await run(tx, { sql: ASKED_AGAIN }, [orderNo])
  if (!(await askStopAgain(tx, charge, 'stopAskedAgain', at)) || again.length > 0) return
  await sendInner(tx, {
    to: { capability: pileCommand.remoteStop.needs, parkCode: charge.parkCode },
    title: [`充电停止失败：${connectorId}`, `Charging will not stop: ${connectorId}`],
    body: [
      `订单 ${orderNo} 已要求停止，桩没有执行，仍在充电。系统会继续要求停止；请联系现场，必要时按急停`,
      `Session ${orderNo} was asked to stop and the pile goes on. It will be asked again; send somebody to stop it there if need be`,
    ],
    link: `/recharge/chargingOrder/use/${orderNo}`,
    kind: MessageKind.reminder,
    urgent: true,
    at,
  })
}
const ASKED_AGAIN = `select 1 from charging.charge_move where enterprise_id = scope_enterprise() and order_no = $1 and event = 'stopAskedAgain' limit 1`

/** Where the register was read after the pile came back, that is the end; else it waits for a day. */
async function afterPowerCut(tx: Tx, charge: Charge, at: Instant): Promise<void> {
  const lost = await moveCharge(tx, charge, 'lose', { event: 'powerCut', at, note: Why.powerCut, changes: { claimed: false } })
  const [boot] = await run<{ at: Instant; meterWh: number }>(
    tx,
    {
      sql: `select m.at, m.meter_wh from charging.meter_sample m join charging.pile_state p on p.enterprise_id = m.enterprise_id and p.equipment_id = $2
        where m.enterprise_id = scope_enterprise() and m.connector_id = $1 and m.meter_wh is not null and p.boot_at > $3 and m.at >= p.boot_at order by m.at limit 1`,
    },
    [charge.connectorId, charge.equipmentId, charge.startTime],
  )
  if (boot) await closeAt(tx, lost, StopReason.powerCut, boot, at)
}

/** By what is known: the last register that was believed. */
export async function closeAtLast(tx: Tx, charge: Charge, reason: 7 | 8, at: Instant): Promise<Charge> {
  const last = await lastBelieved(tx, charge)
  return closeAt(
    tx,
    charge,
    reason,
    last ? { at: instantAt(last.atMs), meterWh: last.wh } : { at: charge.startTime, meterWh: charge.startWh ?? 0 },
    at,
  )
}
/** By what a person read at the pile. What the pile said beyond it stays what the gun said and counts for this charge no more. */
export async function closeByHand(tx: Tx, charge: Charge, endWh: number, at: Instant): Promise<Charge> {
  await run(tx, { sql: BEYOND }, [charge.orderNo, charge.startWh, endWh])
  const closed = await closeAt(tx, charge, StopReason.silence, { at: charge.endTime ?? at, meterWh: endWh }, at)
  if (!(await costBy(tx, closed)).sane) throw BadRegister()
  return closed
}
const BEYOND =
  'update charging.meter_sample set order_no = null where enterprise_id = scope_enterprise() and order_no = $1 and (meter_wh < $2 or meter_wh > $3)'
const BadRegister = refusal(
  'charging.bad-register',
  41343,
  '该底度与起始底度、充电时长和额定功率不符，请核对',
  'This reading does not fit the start reading, the time and the rated power: check it',
  422,
)
const closeAt = (tx: Tx, charge: Charge, reason: 7 | 8, { at: endedAt, meterWh }: { at: Instant; meterWh: number }, at: Instant) =>
  endCharge(
    tx,
    { ...charge, stopReason: charge.stopReason ?? reason },
    {
      equipmentId: charge.equipmentId,
      transactionId: charge.transactionId ?? '',
      meterWh: Number(meterWh),
      reason,
      at: endedAt,
      receivedAt: at,
      offline: false,
      clockFixed: false,
    },
  )
