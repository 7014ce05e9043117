import type { TradeState } from '../provider.ts'
import { type Fields, NotUnderstood } from './fields.ts'
import { fenIn } from './trades.ts'

/** One debit for a stay. */
export interface ParkingTrade extends TradeState {
  payNo: string
  /** WeChat paid the merchant, and the driver owes WeChat: the merchant has its money. */
  advanced: boolean
  /** Of an advanced one: the driver has paid WeChat since. */
  repaid: boolean
}
/** WeChat's own example notices say `FAIL`, `ACCEPT` and `PAY_BACK` where its tables say `PAY_FAIL`, `ACCEPTED` and `SUCCESS`. */
const STATES = new Map<string, TradeState['state']>([
  ['SUCCESS', 'paid'],
  ['PAY_BACK', 'paid'],
  ['REFUND', 'paid'],
  ['ACCEPTED', 'unpaid'],
  ['ACCEPT', 'unpaid'],
  ['PAY_FAIL', 'closed'],
  ['FAIL', 'closed'],
])

/** @throws NotUnderstood; also where the event and the state contradict each other */
export function parkingTradeIn(fields: Fields, isFailure = false): ParkingTrade {
  const state = STATES.get(fields.text('trade_state'))
  if (!state || (isFailure && state !== 'closed')) throw new NotUnderstood('a trade_state that is not known')
  const trade = {
    state,
    payNo: fields.text('out_trade_no'),
    advanced: state === 'paid' && fields.textOr('bank_type', '') === 'BPA',
    repaid: fields.textOr('user_repaid', '') === 'Y',
  }
  if (state !== 'paid') return trade
  return { ...trade, tradeNo: fields.text('transaction_id'), amountFen: fenIn(fields), paidAt: fields.moment('success_time') }
}
