import type { Fen, Instant } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { orderOf, payCash, startPayment } from '../../settlement/server/api.ts'
import type { Person } from './row.ts'

const AnotherAmount = refusal(
  'rent.another-amount',
  42440,
  '应付金额现为 ¥{yuan}，请刷新后再收款',
  'The amount due is now ¥{yuan}: refresh, then take the payment',
)

interface Taking {
  orderId: string
  payMethod: PayMethodCode
  /** The amount that the payer was shown. */
  amountFen: Fen
  actor: Person & { enterprise: number }
  at: Instant
}
/** Cash is counted in by the person at the till; any other way is opened at its channel, outside of every transaction. */
export async function takeMoney(write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>, { orderId, payMethod, amountFen, actor, at }: Taking) {
  await write(async (tx) => {
    const { payableFen } = await orderOf(tx, orderId)
    if (payableFen !== amountFen) throw AnotherAmount({ yuan: (payableFen / 100).toFixed(2) })
    if (payMethod === PayMethod.cash) await payCash(tx, { orderId, amountFen, actor, at })
  })
  if (payMethod === PayMethod.cash) return { amountFen, payUrl: null }
  const { payUrl } = await startPayment(write, { orderId, payMethod, merchant: actor.enterprise, at })
  return { amountFen, payUrl }
}
