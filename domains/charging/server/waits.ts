import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { recall, sendInner } from '../../message/server/api.ts'
import { order } from '../contract/order.ts'
import { WAITS, Waits } from '../contract/why.ts'
import { type Charge, moveCharge, noteCharge } from './charge.ts'
import { holdOf, releaseRest } from './hold.ts'
import { Said } from '../contract/said.ts'
import { MessageKind } from '../../message/contract/template.ts'

type Text = readonly [zh: string, en: string]
/** In the story of a charge. */
const EVENT: Partial<Record<keyof typeof WAITS, string>> = { unpriced: 'unpriced', away: 'silent' }
/** So long what was set aside for it may wait too. */
export const HELD_DAYS = 7

/** What becomes of it where nobody comes: where only its end is missing it is closed at what was read last (`sweep.ts`). */
const ELSE: Text = [`冻结的款项 ${HELD_DAYS} 天未处理将先行退回`, `money on hold for it goes back after ${HELD_DAYS} days`]
const AWAY_ELSE: Text = ['24 小时内未处理将按最后读数结算', 'after 24 hours it is billed by its last reading']

/** What cannot be billed by itself waits for a person. Whoever may close it hears of it, once for a reason. */
export async function leaveToPerson(tx: Tx, charge: Charge, why: keyof typeof WAITS, at: Instant): Promise<Charge> {
  const [zh, en] = WAITS[why]
  const note = Waits[why]
  const known = await run(tx, { sql: TOLD }, [charge.orderNo, note])
  const event = EVENT[why] ?? 'insane'
  const left = await moveCharge(tx, charge, 'lose', { event, at, note, changes: { claimed: false, finalDueAt: null } })
  if (known.length > 0) return left
  const { orderNo, connectorId, parkCode } = charge
  const [orElse, orElseEn] = why === 'away' ? AWAY_ELSE : ELSE
  await sendInner(tx, {
    to: { capability: order.calls.close.needs, parkCode },
    title: [`充电订单待人工处理：${connectorId}`, `A charging session needs attention: ${connectorId}`],
    body: [
      `订单 ${orderNo} ${zh}，不能自动结算。请核对后人工结束；${orElse}`,
      `Session ${orderNo} cannot be billed by itself: ${en}. Check it and close it by hand; ${orElseEn}`,
    ],
    link: `/recharge/chargingOrder/use/${orderNo}`,
    kind: MessageKind.reminder,
    concerns: concernsOf(orderNo),
    at,
  })
  return left
}
const concernsOf = (orderNo: string) => `charge:${orderNo}`
const TOLD = `select 1 from charging.charge_move where enterprise_id = scope_enterprise() and order_no = $1 and event in ('unpriced', 'insane', 'silent') and note = $2 limit 1`
/** It is billed: nobody needs to look any more. */
export async function looksDone(tx: Tx, { orderNo, failReason }: Charge, at: Instant): Promise<void> {
  if (failReason !== null) await recall(tx, concernsOf(orderNo), at)
}
/** Nobody came for so long: it goes on waiting, and nobody's money with it. */
export async function freeHeld(tx: Tx, charge: Charge, at: Instant): Promise<void> {
  const hold = await holdOf(tx, charge.orderNo)
  if (!hold) return
  const why = Said.held({ days: HELD_DAYS })
  await releaseRest(tx, hold, why, at)
  await noteCharge(tx, charge, 'holdReturned', at, why)
}
