import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { OrderType } from '../contract/order.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { FIGURES, NET } from './report.ts'

/** Temporary parking as the ledger has it between two instants, the first included: the sums of the income report, cut at a time of day. */
export interface Takings {
  orders: number
  receivableFen: Fen
  discountFen: Fen
  paidFen: Fen
  waivedFen: Fen
  arrearsFen: Fen
  refundFen: Fen
  netFen: Fen
}
export const takingsBetween = async (tx: Tx, from: Instant, to: Instant): Promise<Takings> =>
  (await run<Takings>(tx, { sql: `${NET} from (select ${FIGURES} from (${LINES}) d) f` }, [from, to]))[0]!
// Named, because the lines are found by account and time.
const ACCOUNTS = `'income.parking', 'contra.discount', 'contra.waiver', 'asset.arrears', 'asset.channel', 'asset.cash', 'liability.stored', 'liability.stored-bonus', 'liability.points', 'clearing.duplicate', 'clearing.over-short'`
const LINES = `select account, debit_fen, credit_fen, (debit_fen > 0)::int as debits, (credit_fen > 0)::int as credits from ledger.line
  where enterprise_id = scope_enterprise() and business = 'parking' and at >= $1 and at < $2 and account = any (array[${ACCOUNTS}])`

/** Orders made in the time that are, or were, in arrears: what was owed, and what of it has been paid since. */
export const escapesBetween = async (tx: Tx, from: Instant, to: Instant): Promise<{ orders: number; owedFen: Fen; repaidFen: Fen }> =>
  (
    await run<{ orders: number; owedFen: Fen; repaidFen: Fen }>(
      tx,
      {
        sql: `select count(*)::int as orders, coalesce(sum(payable_fen), 0)::bigint as owed_fen, coalesce(sum(paid_fen), 0)::bigint as repaid_fen
          from settlement.order where enterprise_id = scope_enterprise() and owed and type = ${OrderType.temporaryParking} and created_at >= $1 and created_at < $2`,
      },
      [from, to],
    )
  )[0]!
