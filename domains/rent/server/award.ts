import { type Instant, type Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf, startOf, DAY_MS } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { sendInner } from '../../message/server/api.ts'
import { AwardLine, awards, awardSearch, BiddingAct, ChangeReason, ChangeState } from '../contract/award.ts'
import { Award, EarnestBack, EarnestState, EnrollState } from '../contract/enrollment.ts'
import { ContractState } from '../contract/lease.ts'
import { NoticeType } from '../contract/notice.ts'
import { RentState } from '../contract/project.ts'
import { bidsOf, placeBid } from './bids.ts'
import { isAttested, mustBeAttested, OwnWork } from './bidder.ts'
import { periodsOf, workdaysAfter } from './days.ts'
import { askBack, askEarnest, askNoMore, forfeit, isHeld } from './earnest.ts'
import { dropDrafts, fail, proposeAll } from './failing.ts'
import { advance } from './life.ts'
import { tellNotice } from './notices.ts'
import {
  changes,
  enrolledIn,
  type EnrollRow,
  lockEnroll,
  lockProject,
  moveProject,
  type Person,
  type ProjectRow,
  setEnroll,
  setProject,
} from './row.ts'
import { Said } from '../contract/said.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

const lines = listOver(AwardLine, 'rent.awardLine', awardSearch, { sums: ['billsFen', 'paidFen', 'overdueFen'] })
const NoAmount = refusal('rent.no-bid-amount', 42460, '请填写现场报价和佐证', 'Enter the bid and attach the evidence', 422)
const NotFirst = refusal(
  'rent.not-first',
  42461,
  '只能确定第 1 名为中标人；更换中标人请在公示期提出变更',
  'Only rank 1 can be awarded; to change the winner, request a change while the award is shown',
  422,
)
const AnotherBid = refusal(
  'rent.another-bid',
  42468,
  '第 1 名的最后报价为 ¥{yuan}，请刷新后再定标',
  'The last bid of rank 1 is ¥{yuan}: refresh, then award',
  409,
)
const NotNext = refusal(
  'rent.not-next',
  42462,
  '只能改为顺位的下一名，或不再定标',
  'Only the next in rank can take over; otherwise leave it without a winner',
  422,
)
const MayWin = refusal('rent.leader-may-win', 42467, '第 1 名已通过认证，请直接定标', 'Rank 1 is verified: award it instead', 422)
const Waiting = refusal(
  'rent.change-waiting',
  42463,
  '该项目已有待确认的中标变更，请先确认或驳回',
  'This project already has an award change to be confirmed: confirm or reject it first',
)
const Proof = refusal('rent.no-evidence', 42464, '取消资格或异议成立须附佐证', 'Attach evidence to disqualify or to uphold an objection', 422)
const Drawn = refusal(
  'rent.lease-drawn',
  42465,
  '租赁合同已签署，不能变更中标；如需更换请先解除合同',
  'The lease is signed: the award can no longer be changed: end the contract first',
)
const BIDS_SHOWN = 500

export const calls = serve(awards, {
  queryEnrollProject: ({ tx, input }) => page(tx, lines, input),
  async bids({ tx, input }) {
    const records = await bidsOf(tx, input.projectId, BIDS_SHOWN)
    return { records, total: records.length, totalExact: records.length < BIDS_SHOWN }
  },
  async bidding({ tx, input: { projectId, enrollId, bidFen, act = BiddingAct.award, evidence }, actor, at }) {
    if (act === BiddingAct.award) return decide(tx, await advance(tx, await lockProject(tx, projectId), at), { enrollId, bidFen }, actor, at)
    if (bidFen === undefined || !evidence?.length) throw NoAmount()
    await advance(tx, await lockProject(tx, projectId), at)
    await placeBid(tx, { projectId, enrollId, bidFen, at, enteredBy: actor.userName, evidence })
    return lockProject(tx, projectId)
  },
  updateBidding: ({ tx, input, actor, at }) => ask(tx, input, actor, at),
  confirm: ({ tx, input, actor, at }) => confirm(tx, input, actor, at),
  export: exporting(awards.export, lines),
})

/** Returns the bidders still in the running, by rank. */
const ranked = (enrolled: readonly EnrollRow[]) =>
  enrolled.filter(({ state, bidFen, award }) => state === EnrollState.qualified && bidFen !== null && award <= Award.won)
/** Returns the first bidder of those who may win. */
async function firstAttested(tx: Tx, ofRank: readonly EnrollRow[]): Promise<EnrollRow | undefined> {
  for (const one of ofRank) if (await isAttested(tx, one.bidderId)) return one
  return undefined
}
/** By another than who handles the project: the first in rank has won, it is shown, and what the losers left goes back, but for the second's. */
interface Decided {
  enrollId: string
  /** The bid that the decider was shown. */
  bidFen: number | undefined
}
async function decide(tx: Tx, project: ProjectRow, { enrollId, bidFen }: Decided, by: Person, at: Instant): Promise<ProjectRow> {
  if (project.state !== RentState.toAward) throw IllegalMove({ state: project.state })
  if (project.makerId === (by.userId as string)) throw OwnWork()
  const enrolled = await enrolledIn(tx, project.id)
  const [first] = ranked(enrolled)
  if (first?.id !== enrollId) throw enrolled.some(({ id }) => id === enrollId) ? NotFirst() : NotFound()
  if (bidFen !== undefined && bidFen !== first.bidFen) throw AnotherBid({ yuan: (first.bidFen! / 100).toFixed(2) })
  const [waits] = await run(tx, { sql: OPEN }, [project.id])
  if (waits) throw Waiting()
  return show(tx, project, first, { by, at })
}
interface Shown {
  by: Person
  at: Instant
}
async function show(tx: Tx, project: ProjectRow, winner: EnrollRow, { by, at }: Shown): Promise<ProjectRow> {
  await mustBeAttested(tx, winner.bidderId)
  await setEnroll(tx, winner, { award: Award.won }, at)
  const { shown: shownFor, contract } = await periodsOf(tx)
  const until = await workdaysAfter(tx, at, shownFor)
  const content = `中标竞买号：${winner.bidderNo} 号；成交价（年租金）：¥${(winner.bidFen! / 100).toFixed(2)}。公示至 ${until}，如有异议请在公示期内提出。`
  await tellNotice(tx, project, { type: NoticeType.award, title: `中标公示：${project.name}`, content, by, at })
  const signBy = await workdaysAfter(tx, startOf(until), contract)
  const first = project.state === RentState.toAward
  const shown = await moveProject(tx, project, first ? 'award' : 'awardAnother', { winnerId: winner.id, publicUntil: until, signBy, reminded: 0 }, at)
  if (first) await proposeLosers(tx, shown, at)
  return shown
}
/** Proposes to return the earnest money of all but the winner and the next in rank. */
async function proposeLosers(tx: Tx, { id: projectId, name, winnerId }: ProjectRow, at: Instant): Promise<void> {
  const enrolled = await enrolledIn(tx, projectId)
  const next = await firstAttested(
    tx,
    ranked(enrolled).filter(({ id }) => id !== winnerId),
  )
  await proposeAll(
    tx,
    enrolled.filter(({ id }) => id !== next?.id),
    { why: EarnestBack.lost, reason: Said.lost({ project: name }), at },
  )
}

async function ask(tx: Tx, { projectId, enrollId, reason, evidence = [] }: Of<typeof awards.updateBidding.input>, by: Person, at: Instant) {
  const project = await advance(tx, await lockProject(tx, projectId), at)
  if (reason !== ChangeReason.gaveUp && evidence.length === 0) throw Proof()
  const from = await mayLose(tx, project)
  await refuseDrawn(tx, projectId)
  const [open] = await run(tx, { sql: OPEN }, [projectId])
  if (open) throw Waiting()
  const next = await nextOf(tx, project.id, from.id)
  if (enrollId !== undefined && enrollId !== next?.id) throw NotNext()
  const asked = { projectId: project.id, parkCode: project.parkCode, fromId: from.id, toId: enrollId ?? null, reason, evidence: json(evidence) }
  return addRow(tx, changes, { ...asked, makerId: by.userId, makerName: by.userName, createdAt: at, updatedAt: at })
}
/** Returns the winner; before an award, a leader who may not win because their attestation no longer holds. @throws IllegalMove, MayWin */
async function mayLose(tx: Tx, project: ProjectRow): Promise<EnrollRow> {
  if (project.state === RentState.shown && project.winnerId !== null) return lockEnroll(tx, project.winnerId)
  if (project.state !== RentState.toAward) throw IllegalMove({ state: project.state })
  const [first] = ranked(await enrolledIn(tx, project.id))
  if (!first) throw NotFound()
  if (await isAttested(tx, first.bidderId)) throw MayWin()
  return first
}
const nextOf = async (tx: Tx, projectId: string, fromId: string): Promise<EnrollRow | undefined> =>
  firstAttested(
    tx,
    ranked(await enrolledIn(tx, projectId)).filter(({ id }) => id !== fromId),
  )
/** A time limit has passed: the winner is proposed to have given up, once, and a person decides. Returns whether this call proposed it. */
export async function proposeGivenUp(tx: Tx, project: ProjectRow, why: string, at: Instant): Promise<boolean> {
  const [open] = await run(tx, { sql: OPEN }, [project.id])
  if (open) return false
  const next = await nextOf(tx, project.id, project.winnerId!)
  const proposed = {
    projectId: project.id,
    parkCode: project.parkCode,
    fromId: project.winnerId!,
    toId: next?.id ?? null,
    reason: ChangeReason.gaveUp,
    evidence: json([]),
  }
  await addRow(tx, changes, { ...proposed, makerName: SYSTEM, createdAt: at, updatedAt: at })
  await sendInner(tx, {
    to: { capability: awards.confirm.needs, parkCode: project.parkCode },
    at,
    link: '/rent/winTheBidding',
    urgent: true,
    title: [`${project.name}：中标变更待确认`, `${project.name}: award change to be confirmed`],
    body: [
      `${why}，系统已按放弃中标提出变更，请确认或不同意。`,
      'A time limit has passed: the winner is proposed to have given up. Agree or reject.',
    ],
  })
  return true
}
const OPEN = `select from rent.award_change where enterprise_id = scope_enterprise() and project_id = $1 and state = ${ChangeState.waiting}`
async function refuseDrawn(tx: Tx, projectId: string): Promise<void> {
  const [drawn] = await run(
    tx,
    { sql: `select from rent.contract where enterprise_id = scope_enterprise() and project_id = $1 and state <> ${ContractState.toSign}` },
    [projectId],
  )
  if (drawn) throw Drawn()
}

/** With the second person's approval the winner loses the award, by the reason with the earnest money or without, and the next is shown, or nobody. */
async function confirm(tx: Tx, { id, version, pass, opinion }: Of<typeof awards.confirm.input>, by: Person, at: Instant) {
  const found = await lockRow(tx, changes, { id, version })
  if (found.state !== ChangeState.waiting) throw IllegalMove({ state: found.state })
  if (found.makerId === (by.userId as string)) throw OwnWork()
  const project = await lockProject(tx, found.projectId)
  if (pass && (await mayLose(tx, project)).id !== found.fromId) throw IllegalMove({ state: project.state })
  if (pass) await change(tx, project, found, by, at)
  const decided = {
    state: pass ? ChangeState.confirmed : ChangeState.refused,
    checkerId: by.userId,
    checkerName: by.userName,
    decidedAt: at,
    opinion: opinion ?? null,
  }
  return setRow(tx, changes, found, decided, at)
}
async function change(
  tx: Tx,
  project: ProjectRow,
  { fromId, toId, reason }: { fromId: string; toId: string | null; reason: number },
  by: Person,
  at: Instant,
): Promise<void> {
  await refuseDrawn(tx, project.id)
  await dropDrafts(tx, project.id)
  const enrolled = await enrolledIn(tx, project.id)
  const winner = enrolled.find(({ id }) => id === fromId)!
  if (reason === ChangeReason.objection) {
    const out = await setEnroll(tx, winner, { award: Award.setAside }, at)
    if (isHeld(out)) await askBack(tx, out, { why: EarnestBack.objection, reason: Said.objection({ project: project.name }), at })
  } else await forfeit(tx, winner, reason === ChangeReason.gaveUp ? Award.gaveUp : Award.disqualified, at)
  await askNoMore(tx, winner, Said.changed)
  const open = await setProject(tx, project, { winnerId: null }, at)
  const next = enrolled.find(({ id }) => id === toId)
  if (!next) return void (await fail(tx, open, '中标人被取消后无顺位中标人', at))
  await show(tx, open, isHeld(next) ? next : await askAgain(tx, open, next, at), { by, at })
}
/** Asks for earnest money again that already went back: the bidder pays it within the company's period. */
async function askAgain(tx: Tx, project: ProjectRow, next: EnrollRow, at: Instant): Promise<EnrollRow> {
  if (next.earnestState !== EarnestState.returned) throw StillGoing({ enrollNo: next.enrollNo })
  const orderId = await askEarnest(tx, {
    enrollId: next.id,
    subject: Said.earnest({ project: project.name }),
    parkCode: project.parkCode,
    earnestFen: next.earnestFen,
    at,
  })
  const until = await workdaysAfter(tx, at, (await periodsOf(tx)).payAgain)
  return setEnroll(
    tx,
    next,
    {
      orderId,
      earnestState: EarnestState.unpaid,
      refundId: null,
      refundDue: null,
      backFor: null,
      payAgainUntil: instantAt(msOf(startOf(until)) + DAY_MS),
    },
    at,
  )
}
const StillGoing = refusal(
  'rent.refund-under-way',
  42466,
  '报名 {enrollNo} 的保证金正在退还：请先驳回该退款，或待其退完',
  'The earnest money of {enrollNo} is being refunded: reject that refund, or wait until it completes',
)
