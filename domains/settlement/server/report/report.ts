import { type Order, orderOf, type QueryMode } from '../../../../platform/contract/call.ts'
import type { Day, Fen, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { methodOf } from '../../contract/payment.ts'
import { type HourIncome, type Income, incomeSearch, type ParkIncome, PaymentLine, paymentSearch, report } from '../../contract/report.ts'
import { OrderType } from '../../contract/order.ts'
import '../tables.ts'

export const payments = listOver(PaymentLine, 'settlement.paymentLine', paymentSearch, {
  only: `type = ${OrderType.temporaryParking}`,
  sums: ['receivedFen', 'refundFen'],
})

export const calls = serve(report, {
  details: ({ tx, input }) => page(tx, payments, input),
  temporaryStop: ({ tx, input }) => incomePage(tx, input),
  parks: ({ tx, input }) => parksPage(tx, input),
  hours: ({ tx, input: { day, parkCode } }) => run<Of<typeof HourIncome>>(tx, { sql: HOURS }, [day, parkCode ?? null]),
  sum: ({ tx, input }) => sumOf(tx, input),
  async methods({ tx, input }) {
    const rows = await run<{ channel: string; paidFen: Fen; refundFen: Fen }>(tx, { sql: METHODS }, valuesOf(input))
    const records = rows.map(({ channel, paidFen, refundFen }) => ({
      id: channel,
      payMethod: methodOf(channel),
      paidFen,
      refundFen,
      netFen: (paidFen - refundFen) as Fen,
    }))
    return { records, total: records.length, totalExact: true }
  },
})

// Every figure is a sum over the ledger's days, so the sum by park, by day and by method are the same money.
// Money that nobody asked for (second payments, wrong amounts) stands on clearing accounts: it is neither 实收 when it comes nor 退款 when it goes.
const of = (accounts: string, sum: string) => `coalesce(sum(${sum}) filter (where d.account in (${accounts})), 0)::bigint`
/** A payment out of stored value or points counts as paid too, under the business it was spent on. */
const PURSES = `'liability.stored', 'liability.stored-bonus'`
const MONEY = `'asset.channel', 'asset.cash', ${PURSES}, 'liability.points'`
const CLEARING = `'clearing.duplicate', 'clearing.over-short'`
export const FIGURES = `coalesce(sum(d.credits) filter (where d.account = 'income.parking'), 0)::integer as orders,
  ${of(`'income.parking'`, 'd.credit_fen')} as receivable_fen,
  ${of(`'contra.discount'`, 'd.debit_fen - d.credit_fen')} as discount_fen,
  ${of(MONEY, 'd.debit_fen')} - ${of(CLEARING, 'd.credit_fen')} as paid_fen,
  ${of(`'contra.waiver', 'contra.bad-debt'`, 'd.debit_fen - d.credit_fen')} as waived_fen,
  ${of(`'asset.arrears'`, 'd.debit_fen - d.credit_fen')} as arrears_fen,
  ${of(MONEY, 'd.credit_fen')} - ${of(CLEARING, 'd.debit_fen')} as refund_fen`
const net = (where: string) => `coalesce(sum(d.debit_fen - d.credit_fen) filter (where d.account in (${MONEY}, ${CLEARING}) and ${where}), 0)::bigint`
const WAYS = `${net(`d.sub = 'wechat'`)} as wechat_fen, ${net(`d.sub = 'alipay'`)} as alipay_fen, ${net(`d.account = 'asset.cash'`)} as cash_fen,
  ${net(`d.account <> 'asset.cash' and d.sub not in ('wechat', 'alipay')`)} as other_fen`
const FROM = `from ledger.daily d where d.enterprise_id = scope_enterprise() and d.business = 'parking' and d.day between $1 and $2 and ($3::text is null or d.park_code = $3)`
/** The same figures of one day, out of the hours that the ledger keeps: some rows for each park, however many payments there were. */
const HOURS = `select f.*, f.paid_fen - f.refund_fen as net_fen from (select d.hour, d.park_code, ${FIGURES} from ledger.hourly d
  where d.enterprise_id = scope_enterprise() and d.day = $1 and d.business = 'parking' and ($2::text is null or d.park_code = $2) group by d.hour, d.park_code) f order by f.hour, f.park_code`
export const NET = 'select f.*, f.paid_fen - f.refund_fen as net_fen'
const METHODS = `select case when d.account = 'asset.cash' then 'cash' when d.account in (${PURSES}) then 'stored' when d.account = 'liability.points' then 'points' else d.sub end as channel,
    ${of(MONEY, 'd.debit_fen')} - ${of(CLEARING, 'd.credit_fen')} as paid_fen, ${of(MONEY, 'd.credit_fen')} - ${of(CLEARING, 'd.debit_fen')} as refund_fen
  ${FROM} and d.account in (${MONEY}, ${CLEARING}) group by 1 order by 2 desc`

interface Filter {
  dayFrom?: Day
  dayTo?: Day
  parkCode?: string
  current?: number
  limit?: number
  queryMode?: QueryMode
}
const valuesOf = ({ dayFrom, dayTo, parkCode }: Filter) => [dayFrom ?? '2000-01-01', dayTo ?? '9999-12-31', parkCode ?? null]

async function sumOf(tx: Tx, filter: Filter): Promise<Of<typeof report.sum.reply>> {
  const [sums] = await run<Of<typeof report.sum.reply>>(tx, { sql: `${NET} from (select ${FIGURES} ${FROM}) f` }, valuesOf(filter))
  return sums!
}

export function incomePage(tx: Tx, input: Of<typeof report.temporaryStop.input>) {
  const sorted = orderOf(input, incomeSearch).map(({ by, up }) => `${by === 'parkCode' ? 'park_code' : 'day'} ${up ? 'asc' : 'desc'}`)
  const order = `${sorted.join(', ')}, day desc, park_code`
  return pageOver<Of<typeof Income>>(
    tx,
    input,
    `select d.day || ' ' || d.park_code as id, d.day, d.park_code, ${FIGURES}`,
    'd.day, d.park_code',
    order,
  )
}
export function parksPage(tx: Tx, input: Of<typeof report.parks.input>) {
  const [{ up }] = orderOf(input, { first: 'parkCode', ascending: true }) as [Order]
  const order = `park_code ${up ? 'asc' : 'desc'}`
  return pageOver<Of<typeof ParkIncome>>(tx, input, `select d.park_code as id, d.park_code, ${FIGURES}, ${WAYS}`, 'd.park_code', order)
}

/** One row per group. Groups are days and parks, thousands at most, so they are all summed and a page of them is shown. */
async function pageOver<Row>(tx: Tx, filter: Filter, select: string, groups: string, order: string) {
  const { current = 1, limit = 20 } = filter
  if (filter.queryMode === 'sum')
    return { records: [], total: 0, totalExact: false, sums: { ...(await sumOf(tx, filter)) } as Record<string, number> }
  const sql = `${NET}, count(*) over ()::integer as groups from (${select} ${FROM} group by ${groups}) f order by ${order} limit $4 offset $5`
  const rows = await run<Row & { groups?: number }>(tx, { sql }, [...valuesOf(filter), limit, (current - 1) * limit])
  const total = rows[0]?.groups ?? 0
  for (const row of rows) delete row.groups
  return { records: rows as Row[], total, totalExact: true }
}
