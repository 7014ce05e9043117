import type { Trade } from '../store.ts'
import type { AlipayContext } from './context.ts'

/** After a full refund a trade counts as closed. */
export function statusOf({ store }: Pick<AlipayContext, 'store'>, trade: Trade): string {
  if (trade.state !== 'paid') return store.isOpen(trade) ? 'WAIT_BUYER_PAY' : 'TRADE_CLOSED'
  if (trade.refundedFen >= trade.paidFen) return 'TRADE_CLOSED'
  return trade.isFinished ? 'TRADE_FINISHED' : 'TRADE_SUCCESS'
}
