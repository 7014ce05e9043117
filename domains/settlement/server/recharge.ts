import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { Recharge, recharge, RechargeKind, rechargeSearch, rechargeSheet, type RechargeSum } from '../contract/recharge.ts'
import './tables.ts'

const SUMS = ['payFen', 'bonusFen', 'refundFen', 'netFen', 'recognisedFen', 'deferredFen'] as const
const recharges = listOver(Recharge, 'settlement.rechargeLine', rechargeSearch, { sums: SUMS })
type Asked = Of<typeof recharge.statistics.input>

export const calls = serve(recharge, {
  list: ({ tx, input }) => page(tx, recharges, input),
  statistics: ({ tx, input }) => summed(tx, input),
})
export const sheetCalls = serve(rechargeSheet, {
  listExport: exporting(rechargeSheet.listExport, recharges),
  statisticsExport: exporting(rechargeSheet.statisticsExport, ({ tx, input }) => summed(tx, input)),
})

/** The purpose of a recharge; the domain that sells it tells it in the transaction that opens the order. */
export interface RechargeFacts {
  bizType: 1 | 2 | 3 | 4 | 5
  memberName?: string | null
  plates?: string | null
  groupName?: string | null
  periodFrom?: Instant | null
  periodTo?: Instant | null
}
export async function describeRecharge(
  tx: Tx,
  orderId: string,
  { bizType, memberName = null, plates = null, groupName = null, periodFrom = null, periodTo = null }: RechargeFacts,
): Promise<void> {
  await run(tx, { sql: DESCRIBE }, [orderId, bizType, memberName, plates, groupName, periodFrom, periodTo])
}
const DESCRIBE = `insert into settlement.recharge (order_id, park_code, biz_type, member_name, plates, group_name, period_from, period_to)
  select id, park_code, $2, $3, $4, $5, $6, $7 from settlement.order where enterprise_id = scope_enterprise() and id = $1
  on conflict (enterprise_id, order_id) do update set biz_type = excluded.biz_type, member_name = excluded.member_name, plates = excluded.plates, group_name = excluded.group_name,
    period_from = excluded.period_from, period_to = excluded.period_to`

/** The rows of the list, summed by day, month, park or group: under the same criteria each figure is that of the list behind it. */
async function summed(tx: Tx, input: Asked) {
  const { groupBy = 'day', current = 1, limit = 20, queryMode } = input
  if (queryMode === 'sum') return { ...(await page(tx, recharges, { ...input, queryMode: 'sum' })), records: [] }
  const { bizType = null, parkCode = null, groupName = null, payMethod = null, rechargeNo = null, paidAtFrom = null, paidAtTo = null } = input
  const values = [groupBy, bizType, parkCode, groupName, payMethod, rechargeNo, paidAtFrom, paidAtTo, limit, (current - 1) * limit]
  const rows = await run<Of<typeof RechargeSum> & { groups?: number }>(tx, { sql: SUMMED }, values)
  const total = rows[0]?.groups ?? 0
  for (const row of rows) delete row.groups
  return { records: rows as Of<typeof RechargeSum>[], total, totalExact: true }
}
const PASS_SALES = RechargeKind.newPass
const RENEWALS = RechargeKind.renewal
const BROUGHT_IN = RechargeKind.broughtIn
const SUMMED = `with lines as (
    select r.*, to_char(r.paid_at at time zone 'Asia/Shanghai', case $1::text when 'month' then 'YYYY-MM' else 'YYYY-MM-DD' end) as period from settlement.recharge_line r
    where r.enterprise_id = scope_enterprise() and ($2::smallint[] is null or r.biz_type = any ($2)) and ($3::text is null or r.park_code = $3) and ($4::text is null or r.group_name = $4)
      and ($5::smallint[] is null or r.pay_method = any ($5)) and ($6::text is null or r.recharge_no = $6) and ($7::timestamptz is null or r.paid_at >= $7) and ($8::timestamptz is null or r.paid_at <= $8)
  ), keyed as (
    select l.*, case $1::text when 'park' then l.park_code when 'group' then coalesce(l.group_name, '') else l.period end as key from lines l
  )
  select key as id, case when $1 in ('day', 'month') then min(period) end as period, case when $1 = 'park' then min(park_code) end as park_code, case when $1 = 'group' then min(group_name) end as group_name,
    (count(*) filter (where biz_type = ${PASS_SALES}))::int as new_count, (count(*) filter (where biz_type = ${RENEWALS}))::int as renew_count, (count(*) filter (where biz_type = ${BROUGHT_IN}))::int as brought_in_count,
    sum(pay_fen)::bigint as pay_fen, sum(bonus_fen)::bigint as bonus_fen, sum(refund_fen)::bigint as refund_fen, sum(net_fen)::bigint as net_fen,
    sum(recognised_fen)::bigint as recognised_fen, sum(deferred_fen)::bigint as deferred_fen, (count(*) over ())::int as groups
  from keyed group by key order by key desc limit $9 offset $10`
