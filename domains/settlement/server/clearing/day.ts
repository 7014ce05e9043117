import type { Day, Instant, Of } from '../../../../platform/contract/field.ts'
import { dayBy, dayOf, startOf } from '../../../../platform/contract/time.ts'
import { parksOf, run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver } from '../../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import {
  AdditionState,
  CheckDetail,
  CheckState,
  CheckTotal,
  detailSearch,
  DiffState,
  totalSearch,
  TradeKind,
  CheckResult,
} from '../../contract/liquidation.ts'
import type { ChannelFile, ChannelTrade } from './files.ts'
import { BESIDE, COMPARE, COUNT_LATE, COUNTED_ON, ENDED } from './matching.ts'
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
const CountedOn = refusal(
  'settlement.file-counted-on',
  40559,
  '相邻日的账已采用 {checkDate} 原文件中的流水号 {tradeNo}，新文件须同样列出，否则不能替换',
  'Transaction {tradeNo} from the current {checkDate} file has settled an adjacent day. A replacement file must contain it too',
)
const AllParks = refusal(
  'settlement.clearing-all-parks',
  40577,
  '渠道对账涉及全部车场，请由有全部车场权限的人员办理',
  'Clearing covers all car parks: it must be done by somebody who may see all car parks',
  403,
)
export const NotOver = refusal(
  'settlement.day-not-over',
  40576,
  '{checkDate} 尚未结束，次日起才能导入当日对账文件或关账',
  '{checkDate} is not over yet: its file can be imported, and the day closed, from the next day on',
  422,
)
const OfAnotherDay = refusal(
  'settlement.file-of-another-day',
  40558,
  '文件中没有 {checkDate} 的交易，请核对日期',
  'The file has no transactions of {checkDate}: please check the date',
  422,
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
  'openFen',
] as const
export const totals = listOver(CheckTotal, 'settlement.checkTotal', totalSearch, { sums: SUMS })
/** Sums of a day: payments less refunds, and of the channel the trades in the file of that day. */
const SIGN = `case kind when ${TradeKind.refund} then -1 else 1 end`
export const details = listOver(CheckDetail, 'settlement.checkDetail', detailSearch, {
  sums: ['platFen', 'chanFen', 'feeFen', 'diffFen'],
  sumOf: { platFen: `plat_fen * ${SIGN}`, chanFen: `case when in_file then chan_fen * ${SIGN} end`, feeFen: 'case when in_file then fee_fen end' },
})
export interface OfDay {
  checkDate: Day
  channel: string
}

/** The day of a channel, held; made where there is none yet. */
export async function lockTotal(tx: Tx, { checkDate, channel }: OfDay): Promise<Total> {
  await run(tx, { sql: MADE }, [checkDate, channel])
  const [held] = await run<{ id: string }>(
    tx,
    { sql: 'select id from settlement.check_total where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2 for update' },
    [checkDate, channel],
  )
  return (await find(tx, totals, held!.id))!
}
const MADE = 'insert into settlement.check_total (check_date, channel) values ($1, $2) on conflict do nothing'
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
  /**
   * Trades that the file speaks of, where it is one of several of its day (each issuer of ETC cards sends its own): trades of others stay, and new trades of a closed day go to
   * the open one.
   */
  named?: readonly string[]
  /** Trades that the file says were never charged, or disputes, and when: if the channel told of the charge before, it now takes it back. */
  denied?: ReadonlyMap<string, Instant>
  at: Instant
}
/**
 * Where the trades of one file of several go: its day or, once that is closed, the first after the last one that is. Money comes no earlier than `from`: closed days stay as
 * they were.
 */
export async function openDay(tx: Tx, { checkDate, channel }: OfDay): Promise<{ checkDate: Day; from: Instant }> {
  const [open] = await run<{ checkDate: Day; afterClosed: boolean }>(tx, { sql: OPEN }, [channel, checkDate])
  const { checkDate: day, afterClosed } = open!
  return { checkDate: day, from: startOf(afterClosed ? day : dayBy(day, -1)) }
}
const OPEN = `with closed as (select check_date from settlement.check_total where enterprise_id = scope_enterprise() and channel = $1 and state = ${CheckState.closed}),
    open as (select case when $2::date in (table closed) then (select max(check_date) + 1 from closed) else $2::date end as check_date)
  select check_date, check_date - 1 in (table closed) as after_closed from open`
/**
 * A trade that a file denies. `takenBack`: its newest record, on another day or counted on from its own, is a charge, so the clearing takes it back. `stands`: an adjoining day
 * was closed with
 * the record of its own day, or somebody has settled by it, so that record stays. Any other denied trade of its own day is dropped.
 */
interface Denied extends Pick<ChannelTrade, 'tradeNo' | 'amountFen'> {
  takenBack: boolean
  stands: boolean
}
const deniedOf = async (tx: Tx, { channel, checkDate }: OfDay, denied: ReadonlyMap<string, Instant> = new Map()): Promise<Denied[]> =>
  denied.size === 0 ? [] : run<Denied>(tx, { sql: DENIED }, [channel, checkDate, [...denied.keys()]])
/** Day by day, for a trade's number is found by its day. */
const DENIED = `with days as materialized (select check_date from settlement.check_total where enterprise_id = scope_enterprise() and channel = $1 and check_date <> $2),
    counted as materialized (select * from (${COUNTED_ON}) c where kind = ${TradeKind.payment} and trade_no = any ($3)),
    told as (select t.* from days d cross join lateral (select check_date, kind, trade_no, amount_fen from settlement.channel_trade
        where enterprise_id = scope_enterprise() and check_date = d.check_date and channel = $1 and kind in (${TradeKind.payment}, ${TradeKind.refund}) and trade_no = any ($3)) t
      union select $2, kind, trade_no, amount_fen from counted),
    newest as (select distinct on (trade_no) * from told order by trade_no, check_date desc, kind desc)
  select trade_no, amount_fen, kind = ${TradeKind.payment} as taken_back, trade_no in (select trade_no from counted) as stands from newest order by trade_no`
/** Returns the trades of a file that no closed day, from the file's own day on, has told in the same way. */
async function newsOf(tx: Tx, { checkDate, channel }: OfDay, file: ChannelFile): Promise<ChannelFile> {
  const news: ChannelTrade[] = []
  for (let from = 0; from < file.trades.length; from += AT_ONCE) {
    const trades = file.trades.slice(from, from + AT_ONCE)
    const told = await run<{ place: number }>(tx, { sql: TOLD }, [
      channel,
      checkDate,
      trades.map((one) => one.kind),
      trades.map((one) => one.tradeNo),
      trades.map((one) => one.amountFen),
      trades.map((one) => one.feeFen),
    ])
    const known = new Set(told.map(({ place }) => place - 1))
    news.push(...trades.filter((_, place) => !known.has(place)))
  }
  return { ...file, trades: news }
}
const TOLD = `select n.place::int as place from unnest($3::smallint[], $4::text[], $5::bigint[], $6::bigint[]) with ordinality n (kind, trade_no, fen, fee, place)
    join settlement.channel_trade t on t.kind = n.kind and t.trade_no = n.trade_no and t.amount_fen = n.fen and t.fee_fen = n.fee
    join settlement.check_total c on c.enterprise_id = t.enterprise_id and c.check_date = t.check_date and c.channel = t.channel and c.state = ${CheckState.closed}
  where t.enterprise_id = scope_enterprise() and t.channel = $1 and t.check_date >= $2`
/** Imports of a channel, and closing one of its days, wait for one another: a trade compared with a day that is being closed would be cleared a second time. */
export const holdChannel = (tx: Tx, channel: string) =>
  run(tx, { sql: `select pg_advisory_xact_lock(hashtextextended('settlement.check ' || $1, scope_enterprise()))` }, [channel])
/** Money that was heard of when its day was closed is missed on the first open day, which there is from then on. The channel is held. */
export async function countLate(tx: Tx, channel: string): Promise<Day[]> {
  const days = (await run<{ day: Day }>(tx, { sql: COUNT_LATE }, [channel])).map(({ day }) => day)
  for (const day of days) await run(tx, { sql: MADE }, [day, channel])
  return days
}
/** A person who sees only some parks would find the money of all others missing, and would close a day with their own alone. */
export function refuseSomeParks(tx: Tx): void {
  if (parksOf(tx) !== null) throw AllParks()
}
/** Replaces the known trades of a day by the channel's file, and compares again the days that share a trade with it. The same bytes again change nothing. */
export async function takeFile(tx: Tx, incoming: Incoming): Promise<Total> {
  const { checkDate, channel, file, fileName, importedName, mchId, named, denied, at } = incoming
  const which = { checkDate, channel }
  refuseSomeParks(tx)
  // One of several may come while its day still runs, and with rows that another day's file was late for.
  if (!named && checkDate >= dayOf(at)) throw NotOver({ checkDate })
  if (!named && file.trades.length > 0 && !file.trades.some((one) => dayOf(one.at) === checkDate)) throw OfAnotherDay({ checkDate })
  await run(tx, { sql: OF_ALL }, [IMPORT_MS])
  await holdChannel(tx, channel)
  // Its day is open from here on: trades compared with it are not late.
  const total = await lockTotal(tx, which)
  await countLate(tx, channel)
  const [known] = await run<{ same: boolean | null; handled: boolean }>(tx, { sql: KNOWN }, [total.id, file.digest])
  if (known!.same) return total
  if (total.state === CheckState.closed) {
    if (!named) throw DayClosed({ checkDate })
    return takeFile(tx, { ...incoming, checkDate: (await openDay(tx, which)).checkDate, file: await newsOf(tx, which, file) })
  }
  if (known!.handled && !named) throw OtherFile({ checkDate })
  const replaces = known!.same !== null
  const denials = await deniedOf(tx, which, denied)
  const stand = denials.flatMap(({ tradeNo, stands }) => (stands ? tradeNo : []))
  if (replaces) await refuseLess(tx, which, file, { named, stand })
  const beside = new Set(replaces ? await besideOf(tx, which) : [])
  if (replaces) await run(tx, { sql: FORGET }, [checkDate, channel, named ?? null, stand])
  const back = denials
    .filter(({ takenBack }) => takenBack)
    .map((one) => ({ ...one, kind: TradeKind.refund, number: one.tradeNo, feeFen: 0, at: denied!.get(one.tradeNo)! }))
  const trades = [...file.trades, ...back]
  for (let from = 0; from < trades.length; from += AT_ONCE) await take(tx, which, trades.slice(from, from + AT_ONCE))
  await run(tx, { sql: NAMED }, [total.id, file.digest, fileName, importedName, mchId, at])
  for (const day of await besideOf(tx, which)) beside.add(day)
  await compareWith(tx, which, beside, at)
  return totalOf(tx, which)
}
async function compareWith(tx: Tx, { checkDate, channel }: OfDay, beside: ReadonlySet<Day>, at: Instant): Promise<void> {
  const days = [checkDate, ...beside]
  const compare = async () => {
    for (const day of days) await run(tx, { sql: COMPARE }, [channel, day, ...span(day), at])
  }
  const before = await endedOn(tx, channel, beside)
  await compare()
  // The days beside are held from here on only: until then somebody may have settled a trade of theirs that the file tells of.
  await run(tx, { sql: HELD }, [channel, days])
  if ((await endedOn(tx, channel, beside)) !== before) await compare()
  for (const day of days) await recount(tx, { checkDate: day, channel }, at)
}
/** Money may have come, or gone back, since the file did: a day that has one, and is not closed, is compared once more, and with it the days that it shares a trade with. */
export async function compareAgain(tx: Tx, which: OfDay, at: Instant): Promise<void> {
  await run(tx, { sql: OF_ALL }, [IMPORT_MS])
  await compareWith(tx, which, new Set(await besideOf(tx, which)), at)
}
/** A hundred thousand trades are no call's usual statement, and their table has grown since it was last counted: a plan that looks for each trade by itself would take for ever. */
const OF_ALL = `select set_config('statement_timeout', $1, true), set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)`
const IMPORT_MS = '60000'
/** The rows of one statement take a few milliseconds; then others have their turn. */
const AT_ONCE = 1_000
const take = (tx: Tx, { checkDate, channel }: OfDay, trades: readonly ChannelTrade[]) =>
  run(tx, { sql: TAKE }, [
    checkDate,
    channel,
    trades.map((one) => one.kind),
    trades.map((one) => one.tradeNo),
    trades.map((one) => one.number),
    trades.map((one) => one.amountFen),
    trades.map((one) => one.feeFen),
    trades.map((one) => one.at),
  ])
const endedOn = async (tx: Tx, channel: string, days: ReadonlySet<Day>) =>
  (await run<{ ended: string | null }>(tx, { sql: ENDED }, [channel, [...days]]))[0]!.ended
/**
 * Refuses a file that lacks a trade that an adjoining day was closed with or somebody has settled: the whole file of a day has to tell of it, and one of several files may not
 * tell it differently.
 */
async function refuseLess(
  tx: Tx,
  { checkDate, channel }: OfDay,
  { trades }: ChannelFile,
  { named, stand }: { named: readonly string[] | undefined; stand: readonly string[] },
): Promise<void> {
  const countedOn = await run<Pick<ChannelTrade, 'kind' | 'tradeNo' | 'amountFen'>>(tx, { sql: COUNTED_ON }, [channel, checkDate])
  if (countedOn.length === 0) return
  const toldAs = ({ kind, tradeNo, amountFen }: (typeof countedOn)[number]) => `${kind} ${amountFen} ${tradeNo}`
  const numbers = new Set(countedOn.map(({ tradeNo }) => tradeNo))
  const told = new Set(trades.filter(({ tradeNo }) => numbers.has(tradeNo)).map(toldAs))
  const [spoken, kept] = [named && new Set(named), new Set(stand)]
  const stays = (one: (typeof countedOn)[number]) => told.has(toldAs(one)) || (one.kind === TradeKind.payment && kept.has(one.tradeNo))
  const gone = countedOn.find((one) => (!spoken || spoken.has(one.tradeNo)) && !stays(one))
  if (gone) throw CountedOn({ checkDate, tradeNo: gone.tradeNo })
}
const besideOf = async (tx: Tx, { checkDate, channel }: OfDay) =>
  (await run<{ checkDate: Day }>(tx, { sql: BESIDE }, [channel, checkDate, ...span(checkDate)])).map((one) => one.checkDate)
const FORGET = `delete from settlement.channel_trade where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2 and ($3::text[] is null or trade_no = any ($3)) and not (kind = ${TradeKind.payment} and trade_no = any ($4))`
const KNOWN = `select t.digest = $2 as same, t.digest is not null and exists (select from settlement.check_detail d where d.enterprise_id = t.enterprise_id and d.check_date = t.check_date and d.channel = t.channel
    and (d.owner_id is not null or d.settled_id is not null or exists (select from settlement.addition a where a.enterprise_id = d.enterprise_id and a.detail_id = d.id and a.state <> ${AdditionState.rejected}))) as handled
  from settlement.check_total t where t.enterprise_id = scope_enterprise() and t.id = $1`
const TAKE = `insert into settlement.channel_trade (check_date, channel, kind, trade_no, number, amount_fen, fee_fen, at)
  select $1, $2, t.kind, t.trade_no, t.number, t.fen, t.fee, t.at from unnest($3::smallint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::timestamptz[]) t (kind, trade_no, number, fen, fee, at)`
const NAMED = `update settlement.check_total set digest = $2, file_name = $3, imported_name = $4, mch_id = $5, imported_at = $6 where enterprise_id = scope_enterprise() and id = $1`

const HELD =
  'select id from settlement.check_total where enterprise_id = scope_enterprise() and channel = $1 and check_date = any ($2::date[]) order by check_date for update'
const span = (day: Day) => [startOf(dayBy(day, -1)), startOf(dayBy(day, 2))]

/** The figures of a day from its trades. */
export async function recount(tx: Tx, { checkDate, channel }: OfDay, at: Instant): Promise<void> {
  await run(tx, { sql: RECOUNT }, [checkDate, channel, startOf(checkDate), startOf(dayBy(checkDate, 1)), at])
}
const PAID =
  'from settlement.payment where enterprise_id = scope_enterprise() and channel = $2 and trade_no is not null and paid_at >= $3 and paid_at < $4'
const RECOUNT = `with d as (
    select count(*) filter (where plat_fen is not null) as plat_count, sum(plat_fen) filter (where kind = ${TradeKind.payment}) as plat_fen, sum(plat_fen) filter (where kind = ${TradeKind.refund}) as plat_refund_fen,
      count(*) filter (where in_file) as chan_count, sum(chan_fen) filter (where in_file and kind = ${TradeKind.payment}) as chan_fen, sum(chan_fen) filter (where in_file and kind = ${TradeKind.refund}) as chan_refund_fen,
      sum(fee_fen) filter (where in_file) as fee_fen, count(*) filter (where result <> ${CheckResult.same}) as diff_count,
      sum(diff_fen) as diff_fen, count(*) filter (where diff_state <> ${DiffState.even}) as open_count, sum(diff_fen) filter (where diff_state <> ${DiffState.even}) as open_fen
    from settlement.check_detail where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2
  )
  update settlement.check_total t set plat_count = case when t.digest is null then (select count(*) ${PAID}) else d.plat_count end, plat_fen = coalesce(case when t.digest is null then (select sum(received_fen) ${PAID}) else d.plat_fen end, 0),
    plat_refund_fen = coalesce(d.plat_refund_fen, 0), chan_count = d.chan_count, chan_fen = coalesce(d.chan_fen, 0), chan_refund_fen = coalesce(d.chan_refund_fen, 0), fee_fen = coalesce(d.fee_fen, 0),
    diff_count = d.diff_count, diff_fen = coalesce(d.diff_fen, 0), open_count = d.open_count, open_fen = coalesce(d.open_fen, 0),
    state = case when t.digest is null then ${CheckState.awaited} when d.open_count > 0 then ${CheckState.differs} else ${CheckState.even} end, version = t.version + 1, updated_at = $5
  from d where t.enterprise_id = scope_enterprise() and t.check_date = $1 and t.channel = $2`
