import { lasting } from '../../../../platform/contract/duration.ts'
import type { CodeOf, Fen, Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { MessageKind } from '../../../message/contract/template.ts'
import { sendInner } from '../../../message/server/api.ts'
import { heldBill, HeldState, HeldWhy } from '../../contract/heldBill.ts'
import { PayState, SessionAbnormal } from '../../contract/stay.ts'
import { yuan } from '../lane/admission.ts'
import type { AnyStay, StayChanges } from '../stay/stayMoves.ts'
import { SYSTEM } from '../../../../platform/contract/said.ts'

/** Why a bill cannot be right, and what it was worked out to. */
export interface Held {
  why: CodeOf<typeof HeldWhy>
  amountFen: number
  limitFen: number | null
  parkedMin: number
}

/** Why, in the words of a lane and of a notice. */
export function heldInWords({ why, amountFen, limitFen, parkedMin }: Held): [zh: string, en: string] {
  const [zh, en] = HeldWhy.entries[why]
  const [zhLong, enLong] = lasting(parkedMin)
  const [least, most] = limitFen === null ? ['', ''] : [` ${yuan(limitFen)} 元`, ` (¥${yuan(limitFen)})`]
  const [zhFor, enFor] = why === HeldWhy.tooLong ? [`（已停 ${zhLong}）`, ` (parked ${enLong})`] : ['', '']
  return [`${zh}${least}${zhFor}，算得 ${yuan(amountFen)} 元`, `${en}${most}${enFor}, calculated ¥${yuan(amountFen)}`]
}

/** Holds a bill for a person, who is told of it once. Returns the fields that the stay shows meanwhile. */
export async function hold(tx: Tx, stay: AnyStay, held: Held, at: Instant): Promise<StayChanges> {
  const values = [stay.parkCode, stay.id, stay.plateNo, held.why, held.amountFen, held.limitFen, held.parkedMin, at]
  const [row] = await run<{ fresh: boolean }>(tx, { sql: HOLD }, values)
  if (row!.fresh) await tellHeld(tx, stay, held, at)
  return { payState: PayState.checking, abnormalType: stay.abnormalType || SessionAbnormal.heldBill }
}
const HOLD = `insert into parking.held_bill (park_code, stay_id, plate_no, why, amount_fen, limit_fen, parked_min, held_at, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)
  on conflict (enterprise_id, stay_id) where state = ${HeldState.waiting} do update
    set plate_no = excluded.plate_no, why = excluded.why, amount_fen = excluded.amount_fen, limit_fen = excluded.limit_fen, parked_min = excluded.parked_min,
      version = held_bill.version + 1, updated_at = excluded.updated_at
  returning old.id is null as fresh`

async function tellHeld(tx: Tx, { parkCode, plateNo, seatCode }: AnyStay, held: Held, at: Instant): Promise<void> {
  const [zh, en] = heldInWords(held)
  const park = await tx.selectFrom('parking.park').select('name').where('parkCode', '=', parkCode).executeTakeFirst()
  const [where, who] = [park?.name ?? parkCode, plateNo ?? seatCode]
  await sendInner(tx, {
    to: { capability: heldBill.decide.needs as string, parkCode },
    title: [`${where}：${who} 的费用待核对`, `${where}: check the fee of ${who}`],
    body: [`${zh}；核对前不收款，请放行或更正`, `${en}; nothing is collected until you release or correct it`],
    link: `/operation/record/parking/abnormal?payState=${PayState.checking}&parkCode=${parkCode}`,
    kind: MessageKind.alarm,
    at,
  })
}

/** The car was let go while its bill waited: nothing more is asked than was paid. */
export const endHold = (tx: Tx, stay: AnyStay, by: string | null, at: Instant) =>
  run(tx, { sql: END }, [stay.id, stay.settledFen as Fen, by ?? SYSTEM, at, HeldState.letGo])
/** Ends a check because the stay is billed by another entry time: that bill may be right. */
export const endHoldAnew = (tx: Tx, stay: AnyStay, by: string | null, at: Instant) =>
  run(tx, { sql: END }, [stay.id, null, by ?? SYSTEM, at, HeldState.anew])
const END = `update parking.held_bill set state = $5, set_fen = $2, decided_by = $3, decided_at = $4, version = version + 1, updated_at = $4::timestamptz
  where enterprise_id = scope_enterprise() and stay_id = $1 and state = ${HeldState.waiting}`
