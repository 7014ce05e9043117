import type { Day, Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { dayBy, dayOf, startOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { IllegalMove, refusal } from '../../../../platform/server/refusal.ts'
import { setRow } from '../../../../platform/server/row.ts'
import { post, reverse } from '../../../ledger/server/api.ts'
import { CheckState, DiffState, TradeKind, type Uncleared } from '../../contract/liquidation.ts'
import { RefundState } from '../../contract/refund.ts'
import { SelfApproval } from '../refund/refund.ts'
import { compareAgain, countLate, holdChannel, lockTotal, NotOver, type OfDay, recount, refuseSomeParks, type Total, totalOf, totals } from './day.ts'
import { onDebit } from '../report/onDebit.ts'

const NotEven = refusal(
  'settlement.not-even',
  40567,
  '重新核对后仍有 {openCount} 笔差异未平（{zh}），请先处理再关账',
  'After re-checking, {openCount:difference} still open ({en}). Resolve before closing the day',
  422,
)
const NoFile = refusal(
  'settlement.no-file',
  40510,
  '{checkDate} 的对账文件尚未导入，请先导入文件或向渠道获取',
  'The file for {checkDate} has not been imported: import it, or get it from the channel, first',
  422,
)
const EarlierOpen = refusal(
  'settlement.earlier-open',
  40568,
  '{checkDate} 尚未关账，请按日期先后关账',
  '{checkDate} is not closed yet: close days in date order',
  422,
)
const LaterClosed = refusal(
  'settlement.later-closed',
  40569,
  '只能反关账最近关闭的一天（{checkDate}）',
  'Only the last closed day ({checkDate}) can be reopened',
  422,
)
const BeginsHere = refusal(
  'settlement.clearing-begins',
  40557,
  '该渠道还没有关过账，{checkDate} 之前有 {count} 笔交易未对账（净额 {amount} 元，最早 {from}）：请先导入并关闭这些日期，或确认从 {checkDate} 起对账',
  'No day of this channel has been closed yet, with {count:transaction} before {checkDate} not cleared (net ¥{amount}, from {from}): import and close those days first, or confirm that clearing begins on {checkDate}',
  422,
)
const NotAsked = refusal('settlement.reopening-not-asked', 40570, '没有待复核的反关账申请', 'This day has no reopening request to review', 422)
type Person = { userId: string; userName: string }

type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
/**
 * The channel's money of the day goes from transit into the bank, less its fee, park by park; a trade that lies across days stays in transit until its own day.
 * The day is compared once more before that. If it is not even, the differences stay with the day, and the person who wanted to close it is told.
 */
export async function closeDay(write: Write, which: OfDay & { begins?: boolean | undefined }, person: Person, at: Instant): Promise<Total> {
  const total = await write((tx) => close(tx, which, person, at))
  return total.state === CheckState.closed ? total : write((tx) => refuseOpen(tx, total))
}
async function close(
  tx: Tx,
  { begins = false, ...which }: OfDay & { begins?: boolean | undefined },
  { userName }: Person,
  at: Instant,
): Promise<Total> {
  const total = await compared(tx, which, at)
  if (total.state !== CheckState.even) return total
  const before = await refuseEarlier(tx, which, begins)
  const parks = await run<{ parkCode: string; fen: number; feeFen: number }>(tx, { sql: OF_PARKS }, [which.checkDate, which.channel])
  const entries: string[] = []
  for (const { parkCode, fen, feeFen } of parks) {
    const { checkDate, channel } = which
    const posted = await post(tx, {
      bizType: 'check.closed',
      bizNo: `DZ${checkDate}-${channel}`,
      eventId: `check-closed:${total.id}:${total.version}:${parkCode}`,
      at,
      parkCode,
      business: 'clearing',
      lines: [onDebit('asset.bank', channel, fen - feeFen), onDebit('expense.channel-fee', channel, feeFen), onDebit('asset.channel', channel, -fen)],
    })
    if (posted) entries.push(posted.entryId)
  }
  return setRow(tx, totals, total, { state: CheckState.closed, closedName: userName, closedAt: at, entryIds: entries, ...before }, at)
}
/** Days are closed in their order. Money before a channel's first closed day is left as it is if its closer confirms that, which the day records. */
async function refuseEarlier(tx: Tx, which: OfDay, begins: boolean) {
  const { last, moved, earlier } = await beforeOf(tx, which)
  if (earlier) throw EarlierOpen({ checkDate: earlier })
  if (last || moved.count === 0) return {}
  if (!begins) throw BeginsHere({ ...which, count: moved.count, amount: (moved.fen / 100).toFixed(2), from: moved.from! })
  return { beforeCount: moved.count, beforeFen: moved.fen, beforeFrom: moved.from }
}
/** Returns the last closed day, the money moved after it, and the first open day since then. */
async function beforeOf(tx: Tx, which: OfDay) {
  const last = await lastClosed(tx, which)
  const moved = await movedSince(tx, which, last)
  const [open] = await run<{ checkDate: Day }>(tx, { sql: EARLIER }, [which.channel, which.checkDate])
  const [earlier] = [open?.checkDate, last && moved.from].filter((day) => !!day).toSorted()
  return { last, moved, earlier }
}
/** Returns the day that has to be closed before this one, and the money before the channel's first closed day; trades in the file of an open day are no part of that. */
export async function uncleared(tx: Tx, which: OfDay): Promise<Of<typeof Uncleared>> {
  refuseSomeParks(tx)
  const { last, moved, earlier } = await beforeOf(tx, which)
  const left = last ? NOTHING : earlier ? await movedSince(tx, { ...which, checkDate: earlier }, null) : moved
  if (!earlier) return { ...left, first: null }
  const [known] = await run<First>(tx, { sql: FIRST }, [which.channel, earlier])
  return { ...left, first: known ?? { ...NO_FILE_YET, channel: which.channel, checkDate: earlier } }
}
type Left = Omit<Of<typeof Uncleared>, 'first'>
type First = NonNullable<Of<typeof Uncleared>['first']>
const NONE = 0 as Fen
const NOTHING: Left = { count: 0, fen: NONE, from: null }
const NO_FILE_YET = { state: CheckState.awaited, chanFen: NONE, chanRefundFen: NONE }
const FIRST =
  'select check_date, channel, state, chan_fen, chan_refund_fen from settlement.check_total where enterprise_id = scope_enterprise() and channel = $1 and check_date = $2'
async function lastClosed(tx: Tx, { checkDate, channel }: OfDay): Promise<Day | null> {
  const [last] = await run<{ day: Day | null }>(tx, { sql: LAST_CLOSED }, [channel, checkDate])
  return last!.day
}
/** After the last closed day: one that nobody has looked at yet may have money all the same. */
async function movedSince(tx: Tx, { checkDate, channel }: OfDay, last: Day | null): Promise<Left> {
  const [moved] = await run<Left>(tx, { sql: MOVED }, [channel, last ? startOf(dayBy(last, 1)) : '-infinity', startOf(checkDate)])
  return moved!
}
const LAST_CLOSED = `select max(check_date) as day from settlement.check_total where enterprise_id = scope_enterprise() and channel = $1 and check_date < $2 and state = ${CheckState.closed}`
const EARLIER = `select check_date from settlement.check_total where enterprise_id = scope_enterprise() and channel = $1 and check_date < $2 and state <> ${CheckState.closed} order by 1 limit 1`
const MOVED = `select count(*)::int as count, coalesce(sum(fen), 0)::bigint as fen, (min(at) at time zone 'Asia/Shanghai')::date as "from" from (
    select p.received_fen as fen, p.paid_at as at from settlement.payment p
    where p.enterprise_id = scope_enterprise() and p.channel = $1 and p.trade_no is not null and p.paid_at >= $2::timestamptz and p.paid_at < $3
    union all select -f.amount_fen, f.finished_at from settlement.refund f join settlement.payment p on p.enterprise_id = f.enterprise_id and p.id = f.payment_id and p.channel = $1
    where f.enterprise_id = scope_enterprise() and f.state = ${RefundState.done} and f.finished_at >= $2::timestamptz and f.finished_at < $3
  ) m`

/** Compares a day at a person's request, whatever is open: later trades may have made it even. @throws NoFile */
export async function compareDay(tx: Tx, which: OfDay, at: Instant): Promise<Total> {
  const total = await compared(tx, which, at)
  if (total.state === CheckState.awaited) throw NoFile({ checkDate: which.checkDate })
  return total
}
/** Trades heard of after their day was closed are put among the differences of an open day, if that day has its file. */
export async function compareLate(tx: Tx, channel: string, at: Instant): Promise<void> {
  await holdChannel(tx, channel)
  for (const checkDate of await countLate(tx, channel))
    if ((await lockTotal(tx, { checkDate, channel })).state !== CheckState.awaited) await compareAgain(tx, { checkDate, channel }, at)
}
/** The day as both sides have it now: a trade that came, or went back, since its file did counts. */
async function compared(tx: Tx, which: OfDay, at: Instant): Promise<Total> {
  const total = await heldTotal(tx, which)
  if (total.state === CheckState.closed) throw IllegalMove({ state: total.state })
  if (which.checkDate >= dayOf(at)) throw NotOver({ checkDate: which.checkDate })
  if (total.state === CheckState.awaited) return total
  await compareAgain(tx, which, at)
  return totalOf(tx, which)
}
/** Says why a day was not closed: its open differences, the newest first. */
async function refuseOpen(tx: Tx, { checkDate, channel, state, openCount }: Total): Promise<never> {
  if (state === CheckState.awaited) throw NoFile({ checkDate })
  const open = (await run<{ number: string }>(tx, { sql: NEWEST_OPEN }, [checkDate, channel, NAMED_MAX])).map(({ number }) => number)
  const more = openCount > open.length
  throw NotEven({ openCount, zh: `${open.join('、')}${more ? ' 等' : ''}`, en: `${open.join(', ')}${more ? ', …' : ''}` })
}
const NAMED_MAX = 3
const NEWEST_OPEN = `select coalesce(trade_no, pay_no, match_key) as number from settlement.check_detail
  where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2 and diff_state <> ${DiffState.even} order by updated_at desc, id desc limit $3`
async function heldTotal(tx: Tx, which: OfDay): Promise<Total> {
  refuseSomeParks(tx)
  await holdChannel(tx, which.channel)
  await countLate(tx, which.channel)
  return totalOf(tx, which)
}
const OF_PARKS = `select park_code, sum(case kind when ${TradeKind.payment} then chan_fen else -chan_fen end)::bigint as fen, sum(fee_fen)::bigint as fee_fen
  from settlement.check_detail where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2 and in_file group by park_code order by park_code`

async function newestClosed(tx: Tx, which: OfDay): Promise<Total> {
  const total = await heldTotal(tx, which)
  if (total.state !== CheckState.closed) throw IllegalMove({ state: total.state })
  const [later] = await run<{ checkDate: string }>(tx, { sql: LATER }, [which.channel, which.checkDate])
  if (later) throw LaterClosed({ checkDate: later.checkDate })
  return total
}
const LATER = `select check_date from settlement.check_total where enterprise_id = scope_enterprise() and channel = $1 and check_date > $2 and state = ${CheckState.closed} order by check_date desc limit 1`

export async function askReopen(tx: Tx, which: OfDay, reason: string, { userId, userName }: Person, at: Instant): Promise<Total> {
  const total = await newestClosed(tx, which)
  return setRow(tx, totals, total, { reopenId: userId, reopenName: userName, reopenReason: reason }, at)
}
/** Another person than who asked; the closing's entries are reversed today. */
export async function decideReopen(tx: Tx, which: OfDay, pass: boolean, { userId }: Person, at: Instant): Promise<Total> {
  const total = await newestClosed(tx, which)
  if (!total.reopenId) throw NotAsked()
  if (total.reopenId === (userId as string)) throw SelfApproval()
  const gone = { reopenId: null, reopenName: null, reopenReason: null }
  if (!pass) return setRow(tx, totals, total, gone, at)
  const [{ entryIds }] = (await run<{ entryIds: string[] }>(
    tx,
    { sql: 'select entry_ids from settlement.check_total where enterprise_id = scope_enterprise() and id = $1' },
    [total.id],
  )) as [{ entryIds: string[] }]
  for (const entryId of entryIds)
    await reverse(tx, entryId, { bizType: 'check.reopened', bizNo: `DZ${which.checkDate}-${which.channel}`, at, memo: total.reopenReason! })
  await setRow(
    tx,
    totals,
    total,
    { ...gone, state: CheckState.even, closedName: null, closedAt: null, entryIds: [], beforeCount: null, beforeFen: null, beforeFrom: null },
    at,
  )
  await recount(tx, which, at)
  return totalOf(tx, which)
}
