import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find } from '../../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../../platform/server/row.ts'
import { post } from '../../../ledger/server/api.ts'
import { CheckResult, CheckState, Closing, CLOSINGS, diffCan, DiffState, type liquidation, TradeKind } from '../../contract/liquidation.ts'
import { holdPayments } from '../hold.ts'
import { onDebit } from '../report/onDebit.ts'
import { noticePayment } from '../receiving.ts'
import { SelfApproval } from '../refund/refund.ts'
import { DayClosed, type Detail, details, lockTotal, recount } from './day.ts'

const NotThatWay = refusal(
  'settlement.not-that-way',
  40563,
  '该差异不能按此方式处理，请选择列出的处理方式',
  'Choose one of the resolutions offered for this difference',
  422,
)
const NotOurs = refusal(
  'settlement.not-our-payment',
  40564,
  '渠道给出的商户单号不是本系统的支付，无法退回，请补单或记长短款',
  'The merchant order number from the channel is not a payment of ours, so it cannot be returned: add an order, or book it as a surplus or shortage',
  422,
)
const Owned = refusal(
  'settlement.difference-owned',
  40578,
  '该差异由 {name} 处理；要接过来，请先认领',
  '{name} is handling this difference; claim it first to take it over',
)
type Person = { userId: string; userName: string }
type Which = { id: string; version?: number }

/** The trade, and its day before it: a day that is being closed changes no more. */
export async function lockDetail(tx: Tx, which: Which): Promise<Detail> {
  const found = await find(tx, details, which.id)
  if (!found) throw NotFound()
  const total = await lockTotal(tx, found)
  if (total.state === CheckState.closed) throw DayClosed({ checkDate: found.checkDate })
  return lockRow(tx, details, which)
}

/** The attempt that a trade's money is for, before its day: a yes settles it. */
const holdAttempt = async (tx: Tx, id: string): Promise<void> => holdPayments(tx, await attemptsOf(tx, id))
const attemptsOf = async (tx: Tx, id: string): Promise<string[]> => (await run<{ id: string }>(tx, { sql: ATTEMPTS }, [id])).map((one) => one.id)
const ATTEMPTS = `select p.id from settlement.check_detail d join settlement.payment p on p.enterprise_id = d.enterprise_id and p.pay_no = d.pay_no and p.channel = d.channel
  where d.enterprise_id = scope_enterprise() and d.id = $1`

export async function assign(tx: Tx, which: Which, { userId, userName }: Person, at: Instant): Promise<Detail> {
  const found = await lockDetail(tx, which)
  const diffState = diffCan.claim(found.diffState)
  if (diffState === undefined) throw IllegalMove({ diffState: found.diffState })
  return setRow(tx, details, found, { diffState, ownerId: userId, ownerName: userName }, at)
}

/** Only the person who has claimed a difference handles it; an unclaimed one is open to anybody. */
export function refuseOfAnother({ ownerId, ownerName }: Detail, userId: string): void {
  if (ownerId && ownerId !== userId) throw Owned({ name: ownerName })
}

/** The owner of a difference proposes how it is settled; another person confirms it. */
export async function settle(
  tx: Tx,
  { id, version, closing, note }: Of<typeof liquidation.settle.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Detail> {
  const found = await lockDetail(tx, { id, version })
  const diffState = diffCan.settle(found.diffState)
  if (diffState === undefined) throw IllegalMove({ diffState: found.diffState })
  refuseOfAnother(found, userId)
  if (!CLOSINGS[found.result]?.includes(closing)) throw NotThatWay()
  if (closing === Closing.returned && (await attemptsOf(tx, id)).length === 0) throw NotOurs()
  const owner = found.ownerId ? {} : { ownerId: userId, ownerName: userName }
  return setRow(tx, details, found, { ...owner, diffState, closing, note, settledId: userId, settledName: userName }, at)
}

/** The person who settled it does not confirm it. The approval books it, today if its own day is closed for posting. */
export async function decide(
  tx: Tx,
  { id, version, pass, verdict }: Of<typeof liquidation.settleDecide.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Detail> {
  await holdAttempt(tx, id)
  const found = await lockDetail(tx, { id, version })
  const diffState = pass ? diffCan.confirm(found.diffState) : diffCan.giveBack(found.diffState)
  if (diffState === undefined) throw IllegalMove({ diffState: found.diffState })
  if (found.settledId === (userId as string)) throw SelfApproval()
  const note = verdict ? [found.note, verdict].filter(Boolean).join('；').slice(0, NOTE_MAX) : found.note
  if (!pass) return setRow(tx, details, found, { diffState, closing: null, settledId: null, settledName: null, note }, at)
  const entryId = await book(tx, found, at)
  const decided = await setRow(tx, details, found, { diffState, decidedName: userName, note, entryId: entryId }, at)
  await recount(tx, found, at)
  return decided
}
const NOTE_MAX = 200

async function book(tx: Tx, detail: Detail, at: Instant): Promise<string | null> {
  if (detail.closing === Closing.overShort) return overShort(tx, detail, at)
  // The channel has the money for an attempt of ours: it is heard of now, and settles its order or goes back by itself.
  const heard = await noticePayment(tx, {
    payNo: detail.payNo!,
    channel: detail.channel,
    tradeNo: detail.tradeNo!,
    amountFen: detail.chanFen!,
    paidAt: detail.chanTime!,
    at,
  })
  if (heard === 'unknown') throw NotOurs()
  return null
}

/** Books what the channel has more, or less, than we: money in transit follows the channel, and the rest is a profit or a loss that somebody explains. */
async function overShort(
  tx: Tx,
  { id, kind, channel, checkDate, parkCode, platFen, chanFen, tradeNo, note, result }: Detail,
  at: Instant,
): Promise<string | null> {
  const more = ((result === CheckResult.short ? 0 : chanFen!) - (platFen ?? 0)) * (kind === TradeKind.payment ? 1 : -1)
  const posted = await post(tx, {
    bizType: 'check.over-short',
    bizNo: tradeNo ?? id,
    about: `DZ${checkDate}-${channel}`,
    eventId: `check:${id}`,
    at,
    parkCode,
    business: 'clearing',
    ...(note && { memo: note }),
    lines: [onDebit('asset.channel', channel, more), onDebit('clearing.over-short', channel, -more)],
  })
  return posted?.entryId ?? null
}
/** Settles a surplus by the addition made of it. */
export async function added(
  tx: Tx,
  id: string,
  by: { settledId: string; settledName: string; decidedName: string; note: string },
  at: Instant,
): Promise<void> {
  const found = await lockRow(tx, details, { id })
  await setRow(tx, details, found, { ...(by as object), diffState: DiffState.even, closing: Closing.added }, at)
  await recount(tx, found, at)
}
/** The trade of a number that is still open, held. */
export async function openOver(tx: Tx, tradeNo: string): Promise<Detail | undefined> {
  const [found] = await run<{ id: string; version: number }>(tx, { sql: OVER }, [tradeNo])
  return found && lockDetail(tx, found)
}
const OVER = `select id, version from settlement.check_detail where enterprise_id = scope_enterprise() and trade_no = $1 and kind = ${TradeKind.payment} and result = ${CheckResult.over}
  and diff_state in (${DiffState.unclaimed}, ${DiffState.claimed}) limit 1`
