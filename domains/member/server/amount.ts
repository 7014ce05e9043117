import type { Day, Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { PAGE_ROWS } from '../../../platform/contract/call.ts'
import { normalizePlate } from '../../../platform/contract/plate.ts'
import { dayOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { onlyFields } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { linesAbout } from '../../ledger/server/api.ts'
import { amount, Amount, amountSearch, type MemberRow, MovementKind, type MovementLine, report, type ReportRow } from '../contract/amount.ts'
import { dayAmount, daysOn, monthsOn } from './sold/calendar.ts'
import { type Period, State } from './sold/period.ts'
import './tables.ts'

export const amounts = listOver(Amount, 'member.payment', amountSearch, {
  sums: ['receivableFen', 'discountFen', 'paidFen', 'refundFen'],
  only: 'order_id is not null',
  through: {
    plateNo: { column: 'passId', sql: 'select distinct pass_id from member.pass_car where enterprise_id = scope_enterprise() and plate_no ilike $1' },
  },
})
const shown = onlyFields(Amount)
type Asked = Of<typeof amount.queryPage.input>

/** A plate as it is stored, however it was typed. */
const asStored = ({ plateNo, ...input }: Asked): Asked => ({ ...input, ...(plateNo && { plateNo: normalizePlate(plateNo) }) })

export const calls = serve(amount, {
  queryPage: ({ tx, input }) => page(tx, amounts, asStored(input)),
  async queryStatistics({ tx, input: typed }) {
    const input = asStored(typed)
    const [{ sums }, { total }] = await Promise.all([
      page(tx, amounts, { ...input, queryMode: 'sum' }),
      page(tx, amounts, { ...input, queryMode: 'total' }),
    ])
    const { receivableFen = 0, discountFen = 0, paidFen = 0, refundFen = 0 } = sums ?? {}
    return { orders: total, receivableFen, discountFen, paidFen, refundFen, netFen: paidFen - refundFen } as Of<typeof amount.queryStatistics.reply>
  },
  queryDetail: ({ tx, input }) => detailOf(tx, input.orderNo),
})
async function detailOf(tx: Tx, number: string): Promise<Of<typeof amount.queryDetail.reply>> {
  const [found] = await run<Of<typeof Amount> & { orderId: string }>(
    tx,
    { sql: 'select * from member.payment where enterprise_id = scope_enterprise() and order_no = $1 limit 1' },
    [number],
  )
  if (!found) throw NotFound()
  const [[period], schedule] = await Promise.all([
    run<Period>(tx, { sql: 'select * from member.period where enterprise_id = scope_enterprise() and order_id = $1' }, [found.orderId]),
    run<{ seq: number; day: Day; amountFen: Fen }>(tx, { sql: SCHEDULE }, [found.orderId]),
  ])
  const { days, earnedDays, earnedFen, orderNo } = period!
  return {
    ...shown(found),
    days,
    earnedDays,
    earnedFen: earnedFen as Fen,
    schedule: [...schedule.map((one) => ({ ...one, earned: true })), ...toCome(period!, schedule.at(-1)?.day)],
    entries: await linesAbout(tx, orderNo ?? number),
  }
}
/** The day amounts that are still to come: from the day after the last one, or from the first day of the period. */
function toCome({ state, priceFen, days, earnedDays, startAt }: Period, last: Day | undefined) {
  if (state !== State.waits && state !== State.counts) return []
  const first = last === undefined ? startAt : daysOn(startOf(last), 1)
  return Array.from({ length: days - earnedDays }, (_, n) => {
    const seq = earnedDays + n + 1
    return { seq, day: dayOf(daysOn(first, n)), amountFen: dayAmount(priceFen, days, seq) as Fen, earned: false }
  })
}
const SCHEDULE = `select e.seq, e.day::text as day, e.amount_fen from member.earning e join member.period r on r.enterprise_id = e.enterprise_id and r.id = e.period_id
  where e.enterprise_id = scope_enterprise() and r.order_id = $1 order by e.seq`

/** Whole months, from the first day of one to the first day after another; a year back when nothing is said. */
interface Months {
  monthFrom?: string | undefined
  monthTo?: string | undefined
}
function range({ monthFrom, monthTo }: Months, at: Instant): { from: Instant; to: Instant } {
  const from = monthFrom === undefined ? monthsOn(at, -11, 1) : startOf(`${monthFrom}-01` as Day)
  const to = monthsOn(startOf(`${monthTo ?? dayOf(at).slice(0, 7)}-01` as Day), 1, 1)
  return { from, to }
}
const FIGURES = `coalesce(sum(m.credit_fen - m.debit_fen) filter (where m.at < $1), 0)::bigint as opening_fen, coalesce(sum(m.credit_fen) filter (where m.kind = ${MovementKind.recharged} and m.at >= $1), 0)::bigint as recharge_fen,
  coalesce(sum(m.debit_fen) filter (where m.kind = ${MovementKind.refunded} and m.at >= $1), 0)::bigint as refund_fen, coalesce(sum(m.debit_fen) filter (where m.kind = ${MovementKind.consumed} and m.at >= $1), 0)::bigint as consumed_fen,
  coalesce(sum(m.credit_fen - m.debit_fen), 0)::bigint as closing_fen`
const FROM =
  'from member.movement m where m.enterprise_id = scope_enterprise() and m.at < $2 and ($3::text is null or m.park_code = $3) and ($4::uuid is null or m.group_id = $4)'

type Figures = Pick<Of<typeof MemberRow>, 'openingFen' | 'rechargeFen' | 'refundFen' | 'consumedFen' | 'closingFen'>
export const reports = serve(report, {
  async cloud({ tx, input, at }) {
    const { from, to } = range(input, at)
    const values = [from, to, input.parkCode ?? null, null]
    const [[whole], parks] = await Promise.all([
      run<Figures>(tx, { sql: `select ${FIGURES} ${FROM}` }, values),
      run<Figures & { parkCode: string }>(tx, { sql: `select m.park_code, ${FIGURES} ${FROM} group by m.park_code order by m.park_code` }, values),
    ])
    return { ...whole!, parks }
  },
  async detailed({ tx, input, at }) {
    const { from, to } = range(input, at)
    const { current = 1, limit = PAGE_ROWS } = input
    const sql = `select c.id, c.name as customer, c.phone, ${FIGURES} from member.movement m join member.customer c on c.enterprise_id = m.enterprise_id and c.id = m.member_id
      where m.enterprise_id = scope_enterprise() and m.at < $2 and ($3::text is null or m.park_code = $3) and ($4::uuid is null or m.group_id = $4) and ($5::text is null or c.name ^@ $5) group by c.id, c.name, c.phone order by c.name, c.id`
    const rows = await run<Of<typeof MemberRow>>(tx, { sql }, [from, to, input.parkCode ?? null, input.groupId ?? null, input.customer ?? null])
    return pageFrom(rows, input, current, limit)
  },
  form: ({ tx, input, at }) => formOf(tx, input, at),
  details: ({ tx, input, at }) => linesBehind(tx, input, at),
})
/** Few enough to be summed at once: a page of them, and the sums. */
function pageFrom<T extends object>(rows: T[], { queryMode = 'page' }: { queryMode?: string }, current: number, limit: number) {
  const records = queryMode === 'total' || queryMode === 'sum' ? [] : rows.slice((current - 1) * limit, current * limit)
  return { records, total: rows.length, totalExact: true }
}

async function formOf(tx: Tx, input: Of<typeof report.form.input>, at: Instant): Promise<Of<typeof report.form.reply>> {
  const months = input.month === undefined ? input : { monthFrom: input.month, monthTo: input.month }
  const { from, to } = range(months, at)
  const { current = 1, limit = PAGE_ROWS, isAsc = false } = input
  const rows = await run<Of<typeof ReportRow>>(tx, { sql: FORM }, [from, to, input.parkCode ?? null, input.groupId ?? null, String(isAsc) === 'true'])
  return pageFrom(rows, input, current, limit)
}
/** Every month of a park and a kind of pass that had something to carry over, whether or not it moved. */
const FORM = `with moved as (
    select to_char(m.day, 'YYYY-MM') as month, m.park_code, m.group_id, sum(m.credit_fen - m.debit_fen) as net, sum(m.credit_fen) as recharge, coalesce(sum(m.debit_fen) filter (where m.kind = ${MovementKind.refunded}), 0) as refund,
      coalesce(sum(m.debit_fen) filter (where m.kind = ${MovementKind.consumed}), 0) as consumed
    from member.movement m where m.enterprise_id = scope_enterprise() and m.at < $2 and ($3::text is null or m.park_code = $3) and ($4::uuid is null or m.group_id = $4) group by 1, 2, 3
  ), places as (select park_code, group_id, min(month) as first from moved group by 1, 2),
  months as (select to_char(d, 'YYYY-MM') as month from generate_series(($1::timestamptz at time zone 'Asia/Shanghai'), ($2::timestamptz at time zone 'Asia/Shanghai') - interval '1 day', interval '1 month') d),
  figures as (
    select x.month, p.park_code, p.group_id, coalesce((select sum(b.net) from moved b where b.park_code = p.park_code and b.group_id is not distinct from p.group_id and b.month < x.month), 0)::bigint as opening_fen,
      coalesce(v.recharge, 0)::bigint as recharge_fen, coalesce(v.refund, 0)::bigint as refund_fen, coalesce(v.consumed, 0)::bigint as consumed_fen
    from months x join places p on p.first <= x.month left join moved v on v.month = x.month and v.park_code = p.park_code and v.group_id is not distinct from p.group_id)
  select f.month || '|' || f.park_code || '|' || coalesce(f.group_id::text, '') as id, f.month, f.park_code, f.group_id, g.name as group_name, f.opening_fen, f.recharge_fen, f.refund_fen, f.consumed_fen,
    f.opening_fen + f.recharge_fen - f.refund_fen - f.consumed_fen as closing_fen
  from figures f left join member.card_group g on g.enterprise_id = scope_enterprise() and g.id = f.group_id
  where f.opening_fen <> 0 or f.recharge_fen <> 0 or f.refund_fen <> 0 or f.consumed_fen <> 0
  order by case when $5::boolean then f.month end, f.month desc, f.park_code, g.name`

/** The ledger's lines behind one figure. */
async function linesBehind(tx: Tx, input: Of<typeof report.details.input>, at: Instant): Promise<Of<typeof report.details.reply>> {
  const [month, parkOfRow, groupOfRow] = input.row?.split('|') ?? []
  const { from, to } = range(month === undefined ? input : { monthFrom: month, monthTo: month }, at)
  const { current = 1, limit = PAGE_ROWS } = input
  const values = [
    from,
    to,
    parkOfRow ?? input.parkCode ?? null,
    groupOfRow || (input.groupId ?? null),
    input.memberId ?? null,
    input.figure ?? null,
    input.dayFrom ?? null,
    input.dayTo ?? null,
  ]
  const [counted] = await run<{ n: number }>(tx, { sql: `select count(*)::int as n ${BEHIND}` }, values)
  const sql = `select m.entry_id || '-' || m.seq as id, m.at, m.day::text as day, m.park_code, c.name as customer, p.pass_no, m.kind, m.biz_no, m.about, greatest(m.credit_fen, m.debit_fen) as amount_fen ${BEHIND}
    order by m.at desc, m.entry_id desc, m.seq limit $9 offset $10`
  const records =
    input.queryMode === 'total' || input.queryMode === 'sum'
      ? []
      : await run<Of<typeof MovementLine>>(tx, { sql }, [...values, limit, (current - 1) * limit])
  return { records, total: counted!.n, totalExact: true }
}
const BEHIND = `from member.movement m left join member.pass p on p.enterprise_id = m.enterprise_id and p.id = m.pass_id left join member.customer c on c.enterprise_id = m.enterprise_id and c.id = m.member_id
  where m.enterprise_id = scope_enterprise() and m.at >= $1 and m.at < $2 and ($3::text is null or m.park_code = $3) and ($4::uuid is null or m.group_id = $4) and ($5::uuid is null or m.member_id = $5)
    and ($6::smallint is null or m.kind = $6) and ($7::date is null or m.day >= $7) and ($8::date is null or m.day <= $8)`
