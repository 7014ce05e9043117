import type { Day, Instant, Of } from '../../../../platform/contract/field.ts'
import { startOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver } from '../../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import {
  AdditionState,
  CheckDetail,
  CheckResult,
  CheckState,
  CheckTotal,
  Closing,
  detailSearch,
  DiffState,
  totalSearch,
  TradeKind,
} from '../../contract/liquidation.ts'
import { PaymentState } from '../../contract/payment.ts'
import { RefundState } from '../../contract/refund.ts'
import type { ChannelFile } from './files.ts'
import { dayBy, matched, type Ours, type Theirs } from './matching.ts'
import '../tables.ts'

export type Total = Of<typeof CheckTotal>
export type Detail = Of<typeof CheckDetail>
export const DayClosed = refusal(
  'settlement.day-closed',
  40561,
  '{checkDate} 已关账，只读；更正记入今天',
  '{checkDate} is closed and read-only: corrections are posted today',
)
const OtherFile = refusal(
  'settlement.other-file',
  40562,
  '{checkDate} 已导入另一份文件，且差异已有人处理，不能替换',
  'Another file for {checkDate} has been imported and its differences are being handled, so it cannot be replaced',
)
const SUMS = [
  'platCount',
  'platFen',
  'platRefundFen',
  'chanCount',
  'chanFen',
  'chanRefundFen',
  'feeFen',
  'diffCount',
  'diffFen',
  'openCount',
] as const
export const totals = listOver(CheckTotal, 'settlement.checkTotal', totalSearch, { sums: SUMS })
/** Summed as its day is: what came less what went back, and of the channel what stands in the file of that day. */
const SIGN = `case kind when ${TradeKind.refund} then -1 else 1 end`
export const details = listOver(CheckDetail, 'settlement.checkDetail', detailSearch, {
  sums: ['platFen', 'chanFen', 'feeFen'],
  sumOf: { platFen: `plat_fen * ${SIGN}`, chanFen: `case when in_file then chan_fen * ${SIGN} end`, feeFen: 'case when in_file then fee_fen end' },
})
export interface OfDay {
  checkDate: Day
  channel: string
}

/** The day of a channel, held; made where there is none yet. */
export async function lockTotal(tx: Tx, { checkDate, channel }: OfDay): Promise<Total> {
  await run(tx, { sql: 'insert into settlement.check_total (check_date, channel) values ($1, $2) on conflict do nothing' }, [checkDate, channel])
  const [held] = await run<{ id: string }>(
    tx,
    { sql: 'select id from settlement.check_total where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2 for update' },
    [checkDate, channel],
  )
  return (await find(tx, totals, held!.id))!
}
/** @throws NotFound where nothing is known of that day. */
export async function totalOf(tx: Tx, { checkDate, channel }: OfDay): Promise<Total> {
  const [known] = await run(
    tx,
    { sql: 'select id from settlement.check_total where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2' },
    [checkDate, channel],
  )
  if (!known) throw NotFound()
  return lockTotal(tx, { checkDate, channel })
}

interface Incoming extends OfDay {
  file: ChannelFile
  fileName: string
  importedName: string
  mchId: string
  /** Trades that the file speaks of, where it is one of several of its day (each issuer of ETC cards sends its own): what was told of others stays. */
  named?: readonly string[]
  at: Instant
}
/** The channel's file takes the place of what was known of its day, and the days that look into it are compared anew. The same bytes again change nothing. */
export async function takeFile(tx: Tx, { checkDate, channel, file, fileName, importedName, mchId, named, at }: Incoming): Promise<Total> {
  await run(tx, { sql: `select pg_advisory_xact_lock(hashtextextended('settlement.check ' || $1, scope_enterprise()))` }, [channel])
  const total = await lockTotal(tx, { checkDate, channel })
  const [known] = await run<{ same: boolean | null; handled: boolean }>(tx, { sql: KNOWN }, [total.id, file.digest])
  if (known!.same) return total
  if (total.state === CheckState.closed) throw DayClosed({ checkDate })
  if (known!.handled && !named) throw OtherFile({ checkDate })
  await run(tx, { sql: FORGET }, [checkDate, channel, named ?? null])
  const { trades } = file
  await run(tx, { sql: TAKE }, [
    checkDate, channel, trades.map((one) => one.kind), trades.map((one) => one.tradeNo), trades.map((one) => one.number), trades.map((one) => one.amountFen), trades.map((one) => one.feeFen), trades.map((one) => one.at),
  ]) // prettier-ignore
  await run(tx, { sql: NAMED }, [total.id, file.digest, fileName, importedName, mchId, at])
  for (const days of [0, -1, 1, -2, 2]) await compare(tx, { checkDate: dayBy(checkDate, days), channel }, at)
  return totalOf(tx, { checkDate, channel })
}
const FORGET =
  'delete from settlement.channel_trade where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2 and ($3::text[] is null or trade_no = any ($3))'
const KNOWN = `select t.digest = $2 as same, t.digest is not null and exists (select from settlement.check_detail d where d.enterprise_id = t.enterprise_id and d.check_date = t.check_date and d.channel = t.channel
    and (d.owner_id is not null or d.diff_state = ${DiffState.toReview})) as handled
  from settlement.check_total t where t.enterprise_id = scope_enterprise() and t.id = $1`
const TAKE = `insert into settlement.channel_trade (check_date, channel, kind, trade_no, number, amount_fen, fee_fen, at)
  select $1, $2, t.kind, t.trade_no, t.number, t.fen, t.fee, t.at from unnest($3::smallint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::timestamptz[]) t (kind, trade_no, number, fen, fee, at)`
const NAMED = `update settlement.check_total set digest = $2, file_name = $3, imported_name = $4, mch_id = $5, imported_at = $6 where enterprise_id = scope_enterprise() and id = $1`

/** Compares a day whose file is there and which is not closed. What a person has settled stays; the rest is what the two sides say now. */
export async function compare(tx: Tx, which: OfDay, at: Instant): Promise<void> {
  const [day] = await run<{ id: string; has: boolean; state: number }>(tx, { sql: OPEN }, [which.checkDate, which.channel])
  if (!day || day.state === CheckState.closed) return
  if (day.has) {
    const found = matched(which.checkDate, await oursOf(tx, which), await theirsOf(tx, which), await attemptsOf(tx, which))
    await run(tx, { sql: CLEAR }, [which.checkDate, which.channel])
    await run(tx, { sql: KEEP }, [which.checkDate, which.channel, JSON.stringify(found), at])
  }
  await recount(tx, which, at)
}
const OPEN =
  'select id, digest is not null as has, state from settlement.check_total where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2 for update'
const CLEAR = `delete from settlement.check_detail d where d.enterprise_id = scope_enterprise() and d.check_date = $1 and d.channel = $2 and d.settled_id is null
  and (d.diff_state = ${DiffState.unclaimed} or (d.diff_state = ${DiffState.even} and d.closing is distinct from ${Closing.added}))`
const KEEP = `insert into settlement.check_detail as d (check_date, channel, kind, match_key, order_id, order_no, pay_no, trade_no, park_code, plat_fen, chan_fen, fee_fen, in_file, plat_time, chan_time, result, diff_state, closing, created_at, updated_at)
  select $1, $2, f.kind, f.key, f.order_id, f.order_no, f.pay_no, f.trade_no, f.park_code, f.plat_fen, f.chan_fen, f.fee_fen, f.in_file, f.plat_time, f.chan_time, f.result, f.diff_state, f.closing, $4, $4
  from jsonb_to_recordset($3::jsonb) f (kind smallint, key text, order_id uuid, order_no text, pay_no text, trade_no text, park_code text, plat_fen bigint, chan_fen bigint, fee_fen bigint, in_file boolean,
    plat_time timestamptz, chan_time timestamptz, result smallint, diff_state smallint, closing smallint)
  on conflict (enterprise_id, check_date, channel, kind, match_key) do update set result = excluded.result, order_id = excluded.order_id, order_no = excluded.order_no, park_code = excluded.park_code, plat_fen = excluded.plat_fen,
    chan_fen = excluded.chan_fen, fee_fen = excluded.fee_fen, in_file = excluded.in_file, plat_time = excluded.plat_time, chan_time = excluded.chan_time,
    diff_state = case when excluded.diff_state = ${DiffState.even} then excluded.diff_state else d.diff_state end, closing = excluded.closing, version = d.version + 1, updated_at = $4
    where d.diff_state = ${DiffState.claimed}`

const span = (day: Day) => [startOf(dayBy(day, -1)), startOf(dayBy(day, 2))]
/** What we have of the day and of those beside it: payments that came, whatever they were for, and refunds that went. */
const oursOf = (tx: Tx, { checkDate, channel }: OfDay) => run<Ours>(tx, { sql: OURS }, [channel, ...span(checkDate)])
const OURS = `select ${TradeKind.payment}::smallint as kind, p.order_id, o.order_no, p.pay_no, p.trade_no, p.pay_no as number, p.park_code, p.received_fen as fen, p.paid_at as at
  from settlement.payment p join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id
  where p.enterprise_id = scope_enterprise() and p.channel = $1 and p.trade_no is not null and p.paid_at >= $2 and p.paid_at < $3
    and not exists (select from settlement.addition a where a.enterprise_id = p.enterprise_id and a.channel = p.channel and a.trade_no = p.trade_no and a.state = ${AdditionState.added})
  union all
  select ${TradeKind.refund}::smallint, f.order_id, o.order_no, p.pay_no, coalesce(f.channel_refund_no, f.refund_no), f.refund_no, f.park_code, f.amount_fen, f.finished_at
  from settlement.refund f join settlement.payment p on p.enterprise_id = f.enterprise_id and p.id = f.payment_id join settlement.order o on o.enterprise_id = f.enterprise_id and o.id = f.order_id
  where f.enterprise_id = scope_enterprise() and p.channel = $1 and f.state = ${RefundState.done} and f.finished_at >= $2 and f.finished_at < $3`
/** What the channel tells of the day and of those beside it; and where it tells of a trade of the day two days off too, that as well: of a payment between the two only one is across days. */
const theirsOf = (tx: Tx, { checkDate, channel }: OfDay) => run<Theirs>(tx, { sql: THEIRS }, [channel, checkDate])
const THEIRS = `select t.check_date, t.kind, t.trade_no, t.number, t.amount_fen as fen, t.fee_fen, t.at from settlement.channel_trade t
  where t.enterprise_id = scope_enterprise() and t.channel = $1 and t.check_date between $2::date - 1 and $2::date + 1
  union all
  select t.check_date, t.kind, t.trade_no, t.number, t.amount_fen, t.fee_fen, t.at from settlement.channel_trade d
    join settlement.channel_trade t on t.enterprise_id = d.enterprise_id and t.channel = d.channel and t.kind = d.kind and t.trade_no = d.trade_no and t.check_date in ($2::date - 2, $2::date + 2)
  where d.enterprise_id = scope_enterprise() and d.channel = $1 and d.check_date = $2`
/** Attempts of ours that the channel's file names and that have no money here. */
const attemptsOf = (tx: Tx, { checkDate, channel }: OfDay) =>
  run<{ payNo: string; orderId: string; orderNo: string; parkCode: string }>(tx, { sql: ATTEMPTS }, [channel, checkDate])
const ATTEMPTS = `select p.pay_no, p.order_id, o.order_no, p.park_code from settlement.channel_trade t join settlement.payment p on p.enterprise_id = t.enterprise_id and p.pay_no = t.number and p.channel = t.channel and p.trade_no is null
    and p.state <> ${PaymentState.received} join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id
  where t.enterprise_id = scope_enterprise() and t.channel = $1 and t.check_date = $2 and t.kind = ${TradeKind.payment}`

/** The figures of a day from its trades. */
export async function recount(tx: Tx, { checkDate, channel }: OfDay, at: Instant): Promise<void> {
  await run(tx, { sql: RECOUNT }, [checkDate, channel, startOf(checkDate), startOf(dayBy(checkDate, 1)), at])
}
const RECOUNT = `with d as (
    select count(*) filter (where plat_fen is not null) as plat_count, sum(plat_fen) filter (where kind = ${TradeKind.payment}) as plat_fen, sum(plat_fen) filter (where kind = ${TradeKind.refund}) as plat_refund_fen,
      count(*) filter (where in_file) as chan_count, sum(chan_fen) filter (where in_file and kind = ${TradeKind.payment}) as chan_fen, sum(chan_fen) filter (where in_file and kind = ${TradeKind.refund}) as chan_refund_fen,
      sum(fee_fen) filter (where in_file) as fee_fen, count(*) filter (where result <> 1) as diff_count,
      sum(abs(case when in_file or result = ${CheckResult.amount} then coalesce(chan_fen, 0) else 0 end - coalesce(plat_fen, 0))) filter (where result <> 1) as diff_fen, count(*) filter (where diff_state <> ${DiffState.even}) as open_count
    from settlement.check_detail where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2
  ), p as (
    select count(*) as plat_count, sum(received_fen) as plat_fen from settlement.payment where enterprise_id = scope_enterprise() and channel = $2 and trade_no is not null and paid_at >= $3 and paid_at < $4
  )
  update settlement.check_total t set plat_count = case when t.digest is null then p.plat_count else d.plat_count end, plat_fen = coalesce(case when t.digest is null then p.plat_fen else d.plat_fen end, 0),
    plat_refund_fen = coalesce(d.plat_refund_fen, 0), chan_count = d.chan_count, chan_fen = coalesce(d.chan_fen, 0), chan_refund_fen = coalesce(d.chan_refund_fen, 0), fee_fen = coalesce(d.fee_fen, 0),
    diff_count = d.diff_count, diff_fen = coalesce(d.diff_fen, 0), open_count = d.open_count,
    state = case when t.digest is null then ${CheckState.awaited} when d.open_count > 0 then ${CheckState.differs} else ${CheckState.even} end, version = t.version + 1, updated_at = $5
  from d, p where t.enterprise_id = scope_enterprise() and t.check_date = $1 and t.channel = $2`
