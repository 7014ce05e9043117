import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { post } from '../../ledger/server/api.ts'
import { ownerOf } from '../../owner/server/api.ts'
import { Payout, payout, payoutSearch, PayoutState, TransferResult, TWO_REVIEWERS_FEN } from '../contract/payout.ts'
import './tables.ts'

type Row = Of<typeof Payout>
type Person = { userId: string; userName: string }
const payouts = listOver(Payout, 'share.payout', payoutSearch, { sums: ['amountFen'] })
const TooMuch = refusal('share.payout-too-much', 41860, '可提现分成只有 ¥{left}', 'Only ¥{left} can be paid out', 422)
const Waiting = refusal(
  'share.payout-waiting',
  41861,
  '该车主已有处理中的提现 {payoutNo}，请待其完成',
  'The owner already has payout {payoutNo} under way: wait until it is done',
)
const OwnRequest = refusal(
  'share.payout-own',
  41862,
  '申请人不能审核，同一人也不能审核两次',
  'The applicant cannot review, and nobody can review twice',
  422,
)
const NoBay = refusal(
  'share.payout-no-bay',
  41864,
  '车主 {nickname} 没有共享车位，没有可提现的分成',
  '{nickname} has no shared bay and nothing to pay out',
  422,
)
const NothingSaid = refusal(
  'share.transfer-unsaid',
  41863,
  '打款成功须填写银行流水号，失败须填写原因',
  'Enter the bank reference if paid, the reason if failed',
  422,
)

export const calls = serve(payout, {
  page: ({ tx, input }) => page(tx, payouts, input),
  apply: ({ tx, input, actor, at }) => apply(tx, input, actor, at),
  audit: ({ tx, input, actor, at }) => audit(tx, input, actor, at),
  settle: ({ tx, input, actor, at }) => settle(tx, input, actor, at),
})

/** Returns the owner's balance in the ledger. */
export async function balanceOf(tx: Tx, ownerId: string): Promise<number> {
  const sql = `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where enterprise_id = scope_enterprise() and account = 'liability.share' and sub = $1`
  return Number((await run<{ fen: number }>(tx, { sql }, [ownerId]))[0]!.fen)
}

export async function apply(
  tx: Tx,
  { ownerId, amountFen, bank }: Of<typeof payout.apply.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Row> {
  const { nickname } = await ownerOf(tx, ownerId)
  await holdPayouts(tx, ownerId)
  const [owner] = await run<{ ownerName: string; parkCode: string }>(
    tx,
    {
      sql: 'select owner_name, park_code from share.offer where enterprise_id = scope_enterprise() and owner_id = $1 order by created_at desc limit 1',
    },
    [ownerId],
  )
  if (!owner) throw NoBay({ nickname })
  await refuseOpen(tx, ownerId)
  const left = await balanceOf(tx, ownerId)
  if (amountFen > left) throw TooMuch({ left: (left / 100).toFixed(2) })
  const payoutNo = (await run<{ no: string }>(tx, { sql: `select platform.business_no('TX') as no` }, []))[0]!.no
  const approvalsNeeded = amountFen >= TWO_REVIEWERS_FEN ? 2 : 1
  return addRow(tx, payouts, {
    payoutNo,
    ownerId,
    ownerName: owner.ownerName,
    parkCode: owner.parkCode,
    amountFen,
    bank,
    applicantId: userId,
    applicantName: userName,
    approvalsNeeded,
    createdAt: at,
    updatedAt: at,
  })
}
/** Payouts of one owner are asked for one after the other; facts read about the owner after this stay so. */
export async function holdPayouts(tx: Tx, ownerId: string): Promise<void> {
  await run(tx, { sql: `select pg_advisory_xact_lock(hashtextextended('share.payout ' || $1, scope_enterprise()))` }, [ownerId])
}
/** @throws Waiting while one is under way */
export async function refuseOpen(tx: Tx, ownerId: string): Promise<void> {
  const [waiting] = await run<{ payoutNo: string }>(tx, { sql: OPEN }, [ownerId])
  if (waiting) throw Waiting({ payoutNo: waiting.payoutNo })
}
const OPEN = `select payout_no from share.payout where enterprise_id = scope_enterprise() and owner_id = $1 and state in (${PayoutState.waiting}, ${PayoutState.granted}, ${PayoutState.paying})`

/** With the last yes it may be transferred; nothing has left by then. */
async function audit(tx: Tx, { id, version, pass, verdict }: Of<typeof payout.audit.input>, { userId, userName }: Person, at: Instant): Promise<Row> {
  const found = await lockRow(tx, payouts, { id, version })
  if (found.state !== PayoutState.waiting) throw IllegalMove({ state: found.state })
  if (found.applicantId === (userId as string) || found.firstApproverId === (userId as string)) throw OwnRequest()
  const who = found.firstApproverId
    ? { secondApproverId: userId, secondApproverName: userName }
    : { firstApproverId: userId, firstApproverName: userName }
  const said = { ...who, verdict: verdict ?? found.verdict }
  if (!pass) return setRow(tx, payouts, found, { ...said, state: PayoutState.rejected }, at)
  const approvals = found.approvals + 1
  if (approvals < found.approvalsNeeded) return setRow(tx, payouts, found, { ...said, approvals }, at)
  const left = await balanceOf(tx, found.ownerId)
  if (found.amountFen > left) throw TooMuch({ left: (left / 100).toFixed(2) })
  return setRow(tx, payouts, found, { ...said, approvals, state: PayoutState.granted }, at)
}

/** The bank paid: out of the owner's part, through the bank. Or it did not, and the part is the owner's to ask for again. */
async function settle(
  tx: Tx,
  { id, version, result, transferNo, failure }: Of<typeof payout.settle.input>,
  { userName }: Person,
  at: Instant,
): Promise<Row> {
  const found = await lockRow(tx, payouts, { id, version })
  if (found.state !== PayoutState.granted) throw IllegalMove({ state: found.state })
  const paid = result === TransferResult.paid
  if (!(paid ? transferNo : failure)) throw NothingSaid()
  if (!paid) return setRow(tx, payouts, found, { state: PayoutState.failed, failure: failure!, settledName: userName }, at)
  await post(tx, {
    bizType: 'share.payout',
    bizNo: found.payoutNo,
    eventId: `share-payout:${found.id}`,
    at,
    parkCode: found.parkCode,
    business: 'share',
    lines: [
      { account: 'liability.share', sub: found.ownerId, debitFen: found.amountFen },
      { account: 'asset.bank', sub: 'share', creditFen: found.amountFen },
    ],
  })
  return setRow(tx, payouts, found, { state: PayoutState.paid, paidAt: at, transferNo: transferNo!, settledName: userName }, at)
}
