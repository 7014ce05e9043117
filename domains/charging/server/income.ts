import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { Income, IncomeRow } from '../contract/analysis.ts'
import { BillKind, PaidBy } from '../contract/money.ts'
import { GroupBy } from '../contract/span.ts'
import { type Asked, groupOf, ratioOf, spanOf } from './span.ts'

type Sums = Of<typeof Income>
type Row = Of<typeof IncomeRow>

/** An adjustment below nothing is money given back, and not negative income; a partner's is taken off what the partner owes. */
const GIVEN_BACK = `(b.payable_fen < 0 and b.paid_by <> ${PaidBy.partner})`
const kept = (column: string) => `coalesce(sum(b.${column}) filter (where not ${GIVEN_BACK}), 0)::bigint`
/** What such an adjustment takes off what nobody had paid: it was no income. */
const UNPAID = `coalesce(sum(b.waived_fen + b.arrears_fen) filter (where ${GIVEN_BACK}), 0)`
const GROSS = 'b.elec_fen + b.service_fen + b.occupy_fen + b.adjust_fen'
/** What the bills of a group come to. `b` is the bill. */
export const SUMS = `(count(*) filter (where b.kind = ${BillKind.charge}))::int as orders, coalesce(sum(b.energy_wh), 0)::bigint as billed_wh,
  ${kept('elec_fen')} as elec_fen, ${kept('service_fen')} as service_fen, ${kept('occupy_fen')} as occupy_fen, (${kept('adjust_fen')} + ${UNPAID})::bigint as adjust_fen,
  (coalesce(sum(${GROSS}) filter (where not ${GIVEN_BACK}), 0) + ${UNPAID})::bigint as receivable_fen, ${kept('discount_fen')} as discount_fen, ${kept('captured_fen')} as paid_fen,
  coalesce(sum(b.waived_fen), 0)::bigint as waived_fen, coalesce(sum(b.arrears_fen), 0)::bigint as arrears_fen,
  coalesce(sum(case when b.payable_fen < 0 then b.payable_fen else b.partner_fen end) filter (where not ${GIVEN_BACK}), 0)::bigint as partner_fen,
  (coalesce(-sum(b.payable_fen) filter (where ${GIVEN_BACK}), 0) + ${UNPAID})::bigint as refund_fen,
  (coalesce(sum(b.captured_fen) filter (where not ${GIVEN_BACK}), 0) + coalesce(sum(b.payable_fen) filter (where ${GIVEN_BACK}), 0) - ${UNPAID})::bigint as net_fen`
const FROM = 'from charging.bill b join charging.station s on s.enterprise_id = b.enterprise_id and s.station_id = b.station_id'
const PLACES = `b.enterprise_id = scope_enterprise() and ($3::text is null or b.station_id = $3) and ($4::text is null or s.operator_id = $4)`
const STARTING = `b.final_at >= $1 and b.final_at <= $2 and ${PLACES}`

export const placesOf = ({ stationId, operatorId }: Asked) => [stationId ?? null, operatorId ?? null]
export const totalOf = async (tx: Tx, asked: Asked, from: Instant, to: Instant): Promise<Sums> =>
  (await run<Sums>(tx, { sql: `select ${SUMS} ${FROM} where ${STARTING}` }, [from, to, ...placesOf(asked)]))[0]!

/** A row for each group of the time, and beside it what the other time's had. */
export async function incomeRows(tx: Tx, asked: Asked, at: Instant): Promise<Row[]> {
  const { from, to, shift, thenFrom, thenTo } = spanOf(asked, at)
  const groups = (moment: string) => groupOf(asked.groupBy, moment, 'b.station_id')
  const [now, then] = await Promise.all([
    run<Sums & { key: string; name: string }>(
      tx,
      { sql: `select ${groups('b.final_at')} as key, min(s.station_name) as name, ${SUMS} ${FROM} where ${STARTING} group by 1 order by 1` },
      [from, to, ...placesOf(asked)],
    ),
    thenFrom
      ? run<{ key: string; receivableFen: number }>(
          tx,
          {
            sql: `select ${groups(`(b.final_at + $5::interval)`)} as key, (coalesce(sum(${GROSS}) filter (where not ${GIVEN_BACK}), 0) + ${UNPAID})::bigint as receivable_fen ${FROM} where ${STARTING} and $5::text <> '' group by 1`,
          },
          [thenFrom, thenTo, ...placesOf(asked), shift],
        )
      : [],
  ])
  const before = new Map(then.map(({ key, receivableFen }) => [key, receivableFen as Fen]))
  const isStation = asked.groupBy === GroupBy.station
  return now.map((row) => {
    const prevReceivableFen = before.get(row.key) ?? null
    return { ...row, name: isStation ? row.name : row.key, prevReceivableFen, ratio: ratioOf(row.receivableFen, prevReceivableFen) }
  })
}

type Best = { stationId: string; name: string; receivableFen: Fen; billedWh: number }
export const bestStations = (tx: Tx, asked: Asked, from: Instant, to: Instant): Promise<Best[]> =>
  run(tx, { sql: BEST }, [from, to, ...placesOf(asked)])
const BEST = `select b.station_id, min(s.station_name) as name, (coalesce(sum(${GROSS}) filter (where not ${GIVEN_BACK}), 0) + ${UNPAID})::bigint as receivable_fen, coalesce(sum(b.energy_wh), 0)::bigint as billed_wh
  ${FROM} where ${STARTING} group by 1 order by 3 desc, 1 limit 10`
