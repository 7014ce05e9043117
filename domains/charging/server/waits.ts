import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { recall, sendInner } from '../../message/server/api.ts'
import { order } from '../contract/order.ts'
import { type Charge, moveCharge, noteCharge } from './charge.ts'
import { holdOf, releaseRest } from './hold.ts'

type Text = readonly [zh: string, en: string]
const WHY = {
  unpriced: ['开始时充电站没有在用的价格表', 'the station had no price in force when it began'],
  noEnd: ['缺少结束电表底度', 'its end reading is missing'],
  noBase: ['起始底度不可信，电量未知', 'its start reading cannot be trusted, so that the energy is not known'],
  tooMuch: ['电量超过额定功率可能值', 'its energy is more than the gun can give'],
} as const satisfies Record<string, Text>
/** So long what was set aside for it may wait too. */
export const HELD_DAYS = 7

/** What cannot be billed by itself waits for a person. Whoever may close it hears of it, once for a reason. */
export async function leaveToPerson(tx: Tx, charge: Charge, why: keyof typeof WHY, at: Instant): Promise<Charge> {
  const [note, noteEn] = WHY[why]
  const known = await run(tx, { sql: TOLD }, [charge.orderNo, note])
  const event = why === 'unpriced' ? why : 'insane'
  const left = await moveCharge(tx, charge, 'lose', { event, at, note, changes: { finalDueAt: null, failReason: note } })
  if (known.length > 0) return left
  const { orderNo, connectorId, parkCode } = charge
  await sendInner(tx, {
    to: { capability: order.calls.close.needs, parkCode },
    title: [`充电订单待人工处理：${connectorId}`, `A charge needs attention: ${connectorId}`],
    body: [
      `订单 ${orderNo} ${note}，不能自动结算。请核对后人工结束；暂扣的款项 ${HELD_DAYS} 天未处理将先行退回`,
      `Charge ${orderNo} cannot be billed by itself: ${noteEn}. Check it and close it by hand; money set aside for it goes back after ${HELD_DAYS} days`,
    ],
    link: `/recharge/chargingOrder/use/${orderNo}`,
    kind: 3,
    concerns: concernsOf(orderNo),
    at,
  })
  return left
}
const concernsOf = (orderNo: string) => `charge:${orderNo}`
const TOLD = `select 1 from charging.charge_move where enterprise_id = scope_enterprise() and order_no = $1 and event in ('unpriced', 'insane') and note = $2 limit 1`
/** It is billed: nobody needs to look any more. */
export async function looksDone(tx: Tx, { orderNo, failReason }: Charge, at: Instant): Promise<void> {
  if (failReason !== null) await recall(tx, concernsOf(orderNo), at)
}
/** Nobody came for so long: it goes on waiting, and nobody's money with it. */
export async function freeHeld(tx: Tx, charge: Charge, at: Instant): Promise<void> {
  const hold = await holdOf(tx, charge.orderNo)
  if (!hold) return
  const why = `${HELD_DAYS} 天未处理，款项先行退回`
  await releaseRest(tx, hold, why, at)
  await noteCharge(tx, charge, 'holdReturned', at, why)
}
