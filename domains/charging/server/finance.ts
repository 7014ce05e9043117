import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { type BillSums, finance, type FinanceRow } from '../contract/finance.ts'
import { Bill, billSearch } from '../contract/money.ts'
import { placesOf, SUMS } from './income.ts'
import { type Asked, pageOfRows, spanOf, withTimes } from './span.ts'
import './tables.ts'

const bills = listOver(Bill, 'charging.bill', billSearch)

export const calls = serve(finance, {
  async queryFinance({ tx, input, at }) {
    const rows = await financeRows(tx, input, at)
    return { ...pageOfRows(rows, input), sums: sumsOfRows(rows) }
  },
  queryFinanceExport: exporting(finance.queryFinanceExport, async ({ tx, input, at }) =>
    pageOfRows(await financeRows(tx, withTimes(input as Partial<Asked>, at), at), input as { current?: number; limit?: number }),
  ),
  queryChargeOrder: ({ tx, input }) => page(tx, bills, input),
  queryChargeOrderSum: ({ tx, input }) => sumsOf(tx, input),
  queryChargeOrderExport: exporting(finance.queryChargeOrderExport, bills),
})

const SUMMED = [
  'inFen',
  'capturedFen',
  'releasedFen',
  'receivableFen',
  'discountFen',
  'paidFen',
  'waivedFen',
  'arrearsFen',
  'partnerFen',
  'refundFen',
] as const
/** Of all days and stations, not of the page. What stands at the end is that of the newest day. */
function sumsOfRows(rows: readonly Of<typeof FinanceRow>[]): Record<string, number> {
  const sum = (of: readonly Of<typeof FinanceRow>[], name: (typeof SUMMED)[number] | 'closeFen') => of.reduce((all, one) => all + one[name], 0)
  const newest = rows.filter(({ day }) => day === rows[0]!.day)
  return { ...Object.fromEntries(SUMMED.map((name) => [name, sum(rows, name)])), closeFen: sum(newest, 'closeFen') }
}

type Filter = Of<typeof finance.queryChargeOrderSum.input>
async function sumsOf(tx: Tx, { billNo, orderNo, kind, finalAtFrom, finalAtTo, stationId, parkCode }: Filter): Promise<Of<typeof BillSums>> {
  const values = [billNo, orderNo, kind?.length ? kind : undefined, finalAtFrom, finalAtTo, stationId, parkCode].map((one) => one ?? null)
  return (await run<Of<typeof BillSums>>(tx, { sql: BILL_SUMS }, values))[0]!
}
const BILL_SUMS = `select count(*)::int as count, ${SUMS} from charging.bill b where b.enterprise_id = scope_enterprise() and ($1::text is null or b.bill_no = $1) and ($2::text is null or b.order_no = $2)
  and ($3::int[] is null or b.kind = any($3)) and ($4::timestamptz is null or b.final_at >= $4) and ($5::timestamptz is null or b.final_at <= $5)
  and ($6::text is null or b.station_id = $6) and ($7::text is null or b.park_code = $7)`

/** Prepaid money as the ledger has it, by the day of the entry and the station of the charge; the bills of the same day beside it. The newest day first. */
export async function financeRows(tx: Tx, asked: Asked, at: Instant): Promise<Of<typeof FinanceRow>[]> {
  const { from, to } = spanOf(asked, at)
  const rows = await run<Of<typeof FinanceRow>>(tx, { sql: FINANCE }, [dayOf(from), dayOf(to), ...placesOf(asked)])
  return rows
}
const PREPAID = 'liability.charge-prepaid'
/** What becomes a debt passes through the prepaid account within one bill: it is no money that came, and none that was captured. What a bill gives back was captured before, and came but once. */
const FINANCE = `with stations as (
    select s.station_id, s.station_name from charging.station s where s.enterprise_id = scope_enterprise() and ($3::text is null or s.station_id = $3) and ($4::text is null or s.operator_id = $4)),
  moved as (
    select c.station_id, l.day, sum(l.credit_fen) filter (where e.biz_type <> 'charge.billed') as came, sum(l.debit_fen - l.credit_fen) filter (where e.biz_type = 'charge.billed') as captured, sum(l.debit_fen) filter (where e.biz_type <> 'charge.billed') as released,
      coalesce(sum(l.credit_fen) filter (where e.biz_type = 'order.unpaid'), 0) as owed
    from ledger.line l join ledger.entry e on e.enterprise_id = l.enterprise_id and e.id = l.entry_id and e.at = l.at
      join charging.charge c on c.enterprise_id = l.enterprise_id and c.order_no = l.sub
    where l.enterprise_id = scope_enterprise() and l.account = '${PREPAID}' and l.day <= $2::date group by 1, 2),
  billed as (
    select b.station_id, (b.final_at at time zone 'Asia/Shanghai')::date as day, ${SUMS} from charging.bill b
    where b.enterprise_id = scope_enterprise() and (b.final_at at time zone 'Asia/Shanghai')::date <= $2::date group by 1, 2),
  days as (
    select s.station_id, s.station_name, d.day::date as day from stations s cross join generate_series($1::date, $2::date, interval '1 day') d (day)),
  before as (
    select station_id, sum(coalesce(came, 0) - coalesce(captured, 0) - coalesce(released, 0)) as stood from moved where day < $1::date group by 1),
  lines as (
    select d.day, d.station_id, d.station_name as name, coalesce(o.stood, 0) as stood, coalesce(m.came, 0) - coalesce(m.owed, 0) as came, coalesce(m.captured, 0) - coalesce(m.owed, 0) as captured,
      coalesce(m.released, 0) as released, b.receivable_fen, b.discount_fen, b.paid_fen, b.waived_fen, b.arrears_fen, b.partner_fen, b.refund_fen, m.day is not null or b.day is not null as busy
    from days d left join moved m on m.station_id = d.station_id and m.day = d.day left join billed b on b.station_id = d.station_id and b.day = d.day left join before o on o.station_id = d.station_id),
  standing as (select l.*, stood + sum(came - captured - released) over (partition by station_id order by day) as closes from lines l)
  select day, station_id, name, (closes - came + captured + released)::bigint as open_fen, came::bigint as in_fen, captured::bigint as captured_fen, released::bigint as released_fen, closes::bigint as close_fen,
    coalesce(receivable_fen, 0)::bigint as receivable_fen, coalesce(discount_fen, 0)::bigint as discount_fen, coalesce(paid_fen, 0)::bigint as paid_fen, coalesce(waived_fen, 0)::bigint as waived_fen,
    coalesce(arrears_fen, 0)::bigint as arrears_fen, coalesce(partner_fen, 0)::bigint as partner_fen, coalesce(refund_fen, 0)::bigint as refund_fen
  from standing where busy or closes <> 0 order by day desc, station_id`
