import type { Fen, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { NoRule } from '../../fee/server/api.ts'
import { PayState, SessionStatus, type StayId } from '../../parking/contract/stay.ts'
import { type AnyStay, billStay, editStay } from '../../parking/server/api.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { orderOf, payCash } from '../../settlement/server/api.ts'
import type { Receipt, roadStay } from '../contract/roadStay.ts'
import { refuseLocked } from './handheld.ts'
import { billAt, placeOfStay } from './leaving.ts'
import { BeingChecked, NothingDue, receive, type Received } from './receipt.ts'

const AmountMoved = refusal(
  'roadside.amount-moved',
  41116,
  '应付已变为 {due} 元，请按新金额收取',
  'The amount due has changed to ¥{due}: collect the new amount',
)

/** A stay that is still to be paid at its berth, read without holding it: its order is held first, as a payment does it. */
async function openStay(tx: Tx, id: Id<StayId>, version: number): Promise<AnyStay> {
  const [stay] = await run<AnyStay>(
    tx,
    { sql: 'select * from parking.stay where enterprise_id = scope_enterprise() and id = $1 and seat_code is not null' },
    [id],
  )
  if (!stay) throw NotFound()
  if (stay.version !== version) throw Stale({ version: stay.version, sent: version })
  if (stay.status !== SessionStatus.present && stay.status !== SessionStatus.leaving) throw IllegalMove({ status: stay.status })
  return stay
}

export interface Billed {
  stay: AnyStay
  orderId: NonNullable<AnyStay['orderId']> | null
  orderNo: string | null
  dueFen: number
}
/** Brings the order of a stay in line with what it would cost if the car left now. */
export async function bill(tx: Tx, id: Id<StayId>, version: number, at: Instant): Promise<Billed> {
  const stay = await openStay(tx, id, version)
  const due = await billAt(tx, await placeOfStay(tx, stay), stay, stay.exitTime ?? at)
  if (!due) throw NoRule()
  const billed = await editStay(tx, stay, await billStay(tx, stay, due, at))
  if (billed.payState !== PayState.toPay) return { stay: billed, orderId: null, orderNo: null, dueFen: 0 }
  const order = await orderOf(tx, billed.orderId!)
  return { stay: billed, orderId: billed.orderId, orderNo: order.orderNo, dueFen: order.payableFen - order.paidFen }
}

/** Takes cash for a collector; it belongs to their shift. Off line it pays what was due then (`receive`). @throws AmountMoved when it is not what is due now */
export async function collect(
  tx: Tx,
  { id, version, amountFen, deviceTime }: Of<typeof roadStay.collect.input>,
  actor: Actor,
  at: Instant,
): Promise<Of<typeof Receipt>> {
  await refuseLocked(tx, actor, deviceTime ?? at)
  const { orderNo, shiftId, overFen } = deviceTime
    ? await receive(tx, { id, amountFen, deviceTime }, actor, at)
    : await takeNow(tx, { id, version, amountFen }, actor, at)
  return { orderNo, amountFen, overFen, payMethod: PayMethod.cash, shiftId, at }
}

async function takeNow(tx: Tx, { id, version, amountFen }: Of<typeof roadStay.collect.input>, actor: Actor, at: Instant): Promise<Received> {
  const { stay, orderId, dueFen } = await bill(tx, id, version, at)
  if (stay.payState === PayState.checking) throw BeingChecked()
  if (!orderId) throw NothingDue()
  if (dueFen !== amountFen) throw AmountMoved({ due: (dueFen / 100).toFixed(2) })
  const { orderNo, shiftId } = await payCash(tx, { orderId, amountFen, actor, at })
  return { orderNo, shiftId: shiftId!, overFen: 0 as Fen }
}
