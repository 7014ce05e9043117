import { randomUUIDv7 } from 'node:crypto'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { cityTime, msOf } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, removeRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { Verdict } from '../contract/bidder.ts'
import { Award, EarnestBack, EarnestState, enroll, EnrollState } from '../contract/enrollment.ts'
import { RentState } from '../contract/project.ts'
import { mustBeAttested, OwnWork, WhyRejected } from './bidder.ts'
import { askBack, askEarnest, dropEarnest, giveBack, isHeld, isLate, lockWithMoney } from './earnest.ts'
import { takeMoney } from './taking.ts'
import { advance } from './life.ts'
import { enrollLines, enrollments, type EnrollRow, lockEnroll, lockProject, moveEnroll, numberOf, type Person } from './row.ts'
import { Said } from '../contract/said.ts'

export const NotEnrolling = refusal(
  'rent.not-enrolling',
  42432,
  '项目不在报名时间内，报名时间见项目页',
  'The project is not open for enrolment: see the project for its dates',
  422,
)
const Twice = refusal(
  'rent.enrolled-already',
  42433,
  '该竞租人已报名此项目（{enrollNo}），请查看该报名',
  'This bidder has already enrolled for this project ({enrollNo}): see that registration',
)
const TooLate = refusal(
  'rent.withdraw-too-late',
  42434,
  '报名截止后不能放弃报名；请联系项目经办人',
  'Enrolments cannot be withdrawn after enrolment has closed: contact whoever handles the project',
  422,
)
const HasMoney = refusal(
  'rent.enrollment-has-money',
  42435,
  '已缴过保证金的报名不能删除；请先退保证金',
  'An enrolment with paid earnest money cannot be deleted: refund it first',
)
const NotOver = refusal(
  'rent.refund-too-early',
  42436,
  '报名 {enrollNo}：中标公示之前不退保证金',
  '{enrollNo}: earnest money is not refunded before the award is shown',
  422,
)
const NotTheirs = refusal(
  'rent.refund-of-winner',
  42437,
  '报名 {enrollNo} 是中标人，保证金不退',
  '{enrollNo} is the winner: its earnest money is not refunded',
  422,
)
const NothingHeld = refusal('rent.nothing-held', 42438, '报名 {enrollNo} 没有可退的保证金', '{enrollNo} has no earnest money to refund', 422)
const TooLateAgain = refusal(
  'rent.pay-again-late',
  42444,
  '重缴期限 {until} 已过，请提出中标变更',
  'The earnest money had to be paid again by {until}: request an award change',
  422,
)
const NothingToPay = refusal(
  'rent.nothing-to-pay',
  42439,
  '该报名没有待缴的保证金，请刷新列表',
  'This enrolment has no earnest money to pay: refresh the list',
)

export const calls = serve(enroll, {
  query: ({ tx, input }) => page(tx, enrollLines, input),
  apply: ({ tx, input, actor, at }) => apply(tx, input, actor, at),
  pay: phased(async ({ input: { id, payMethod, amountFen }, actor, at, write }) => {
    const { orderId } = await write((tx) => payable(tx, id, at))
    return takeMoney(write, { orderId, payMethod, amountFen, actor, at })
  }),
  async audit({ tx, input: { id, version, state, opinion }, actor, at }) {
    const found = await lockEnroll(tx, id, version)
    if (found.state !== EnrollState.waiting) throw IllegalMove({ state: found.state })
    if (found.applicantId === (actor.userId as string)) throw OwnWork()
    const decided = { opinion: opinion ?? null, auditorId: actor.userId, auditorName: actor.userName, auditedAt: at }
    if (state === Verdict.pass) {
      await mustBeAttested(tx, found.bidderId)
      return moveEnroll(tx, found, 'pass', { ...decided, bidderNo: await nextNo(tx, found.projectId) }, at)
    }
    if (!opinion) throw WhyRejected()
    const rejected = await moveEnroll(tx, found, 'reject', decided, at)
    return giveBack(tx, rejected, { why: EarnestBack.rejected, reason: Said.rejected({ why: opinion }) }, at)
  },
  async withdraw({ tx, input: { id, version, reason }, at }) {
    await because(tx, reason)
    return withdraw(tx, await lockWithMoney(tx, id, version), reason, at)
  },
  del: ({ tx, input, at }) => del(tx, input, at),
  delPost: ({ tx, input, at }) => del(tx, input, at),
  refund: ({ tx, input, actor, at }) => refund(tx, input, actor, at),
  export: exporting(enroll.export, enrollLines),
})

/** An attested bidder, once, while it is time. By nobody: the bidder does it themselves. */
export async function apply(
  tx: Tx,
  { projectId, bidderId }: { projectId: string; bidderId: string },
  by: Person | null,
  at: Instant,
): Promise<EnrollRow> {
  const project = await advance(tx, await lockProject(tx, projectId), at)
  if (project.state !== RentState.enrolling) throw NotEnrolling()
  const bidder = await mustBeAttested(tx, bidderId)
  const [there] = await run<{ enrollNo: string }>(tx, { sql: THERE }, [projectId, bidderId])
  if (there) throw Twice({ enrollNo: there.enrollNo })
  const [enrollId, enrollNo] = [randomUUIDv7(), await numberOf(tx, 'BM')]
  const { parkCode, earnestFen } = project
  const orderId = await askEarnest(tx, { enrollId, subject: Said.earnest({ project: project.name }), parkCode, earnestFen, at })
  const asked = { applicantId: by?.userId ?? null, applicantName: by?.userName ?? bidder.name, createdAt: at, updatedAt: at }
  return addRow(tx, enrollments, {
    id: enrollId,
    enrollNo,
    projectId: project.id,
    bidderId: bidder.id,
    parkCode,
    earnestFen,
    orderId: orderId,
    ...asked,
  })
}
const THERE = `select enroll_no from rent.enrollment where enterprise_id = scope_enterprise() and project_id = $1 and bidder_id = $2 and state not in (${EnrollState.rejected}, ${EnrollState.withdrawn})`

/** Whose earnest money may be paid now, first or again. @throws NothingToPay, NotEnrolling */
export async function payable(tx: Tx, id: string, at: Instant): Promise<EnrollRow> {
  const found = await lockEnroll(tx, id)
  const again = found.award === Award.won && found.earnestState === EarnestState.unpaid
  if (found.state !== EnrollState.toPay && !again) throw NothingToPay()
  if (again && isLate(found, at)) throw TooLateAgain({ until: cityTime(found.payAgainUntil!) })
  if (again) return found
  const { state, enrollTo } = await lockProject(tx, found.projectId)
  if (state !== RentState.enrolling || msOf(enrollTo) <= msOf(at)) throw NotEnrolling()
  return found
}
/** How others see a bidder: by the order in which they were found to be qualified. */
async function nextNo(tx: Tx, projectId: string): Promise<number> {
  await lockProject(tx, projectId)
  const sql = 'select coalesce(max(bidder_no), 0) + 1 as n from rent.enrollment where enterprise_id = scope_enterprise() and project_id = $1'
  return (await run<{ n: number }>(tx, { sql }, [projectId]))[0]!.n
}
/** Withdraws an enrolment before enrolment ends; a payment goes back at once. The caller holds it after its money. */
export async function withdraw(tx: Tx, found: EnrollRow, reason: string, at: Instant): Promise<EnrollRow> {
  const { state, enrollTo } = await lockProject(tx, found.projectId)
  if (state > RentState.enrolling || msOf(enrollTo) <= msOf(at)) throw TooLate()
  const gone = await moveEnroll(tx, found, 'withdraw', { reason }, at)
  if (gone.earnestState === EarnestState.unpaid) await dropEarnest(tx, gone, reason, at)
  else if (isHeld(gone)) return giveBack(tx, gone, { why: EarnestBack.withdrawn }, at)
  return gone
}

async function del(tx: Tx, { id, version }: Of<typeof enroll.del.input>, at: Instant) {
  const found = await lockWithMoney(tx, id, version)
  if (found.paidAt !== null || found.earnestState !== EarnestState.unpaid) throw HasMoney()
  if (found.state !== EnrollState.toPay && found.state !== EnrollState.withdrawn) throw IllegalMove({ state: found.state })
  await dropEarnest(tx, found, Said.deleted, at)
  await removeRow(tx, enrollments, found, at)
  return {}
}

/** One that may not go back, and none does. */
async function refund(tx: Tx, { ids, reason }: Of<typeof enroll.refund.input>, by: Person, at: Instant): Promise<void> {
  if (ids.length === 0) throw NotFound()
  for (const id of [...new Set(ids)].sort()) {
    const found = await lockEnroll(tx, id)
    const { enrollNo } = found
    const { state } = await lockProject(tx, found.projectId)
    if (found.award === Award.won && state !== RentState.failed && state !== RentState.terminated) throw NotTheirs({ enrollNo })
    if (!isHeld(found)) throw NothingHeld({ enrollNo })
    if (state < RentState.shown && found.state <= EnrollState.qualified) throw NotOver({ enrollNo })
    await askBack(tx, found, { why: EarnestBack.requested, reason, by, at })
  }
}
