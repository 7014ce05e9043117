import type { Fen, Instant } from '../../../../platform/contract/field.ts'
import { OrderType } from '../../contract/order.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
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
  (
    await run<Takings>(tx, { sql: `${NET} from (select ${FIGURES} from (${LINES} union all ${WHOLE_HOURS}) d) f` }, [
      from,
      to,
      ...wholeHours(from, to),
    ])
  )[0]!
/** The full hours of the time, which the ledger keeps as sums; only what is before and after them is added up line by line. */
function wholeHours(from: Instant, to: Instant): [from: Instant, to: Instant] {
  const begin = Math.ceil(msOf(from) / HOUR_MS) * HOUR_MS
  const end = Math.max(begin, Math.floor(msOf(to) / HOUR_MS) * HOUR_MS)
  // Less than an hour: its lines alone.
  return begin < end ? [instantAt(begin), instantAt(end)] : [to, to]
}
const HOUR_MS = 3_600_000
// Named, because the lines are found by account and time.
const ACCOUNTS = `'income.parking', 'contra.discount', 'contra.waiver', 'contra.bad-debt', 'asset.arrears', 'asset.channel', 'asset.cash', 'liability.stored', 'liability.stored-bonus', 'liability.points', 'clearing.duplicate', 'clearing.over-short'`
const LINES = `select account, debit_fen, credit_fen, (debit_fen > 0)::int as debits, (credit_fen > 0)::int as credits from ledger.line
  where enterprise_id = scope_enterprise() and business = 'parking' and ((at >= $1 and at < least($3::timestamptz, $2)) or (at >= $4::timestamptz and at < $2)) and account = any (array[${ACCOUNTS}])`
const WHOLE_HOURS = `select account, debit_fen, credit_fen, debits, credits from ledger.hourly where enterprise_id = scope_enterprise() and business = 'parking'
  and day between ($3::timestamptz at time zone 'Asia/Shanghai')::date and ($4::timestamptz at time zone 'Asia/Shanghai')::date
  and (day + hour * interval '1 hour') at time zone 'Asia/Shanghai' >= $3 and (day + hour * interval '1 hour') at time zone 'Asia/Shanghai' < $4 and account = any (array[${ACCOUNTS}])`

/** Orders made in the time that are, or were, in arrears: the debt, and how much of it has been paid since. */
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
