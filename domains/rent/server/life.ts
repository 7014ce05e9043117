import type { Instant } from '../../../platform/contract/field.ts'
import { dayOf, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { setRow, lockRow } from '../../../platform/server/row.ts'
import { EarnestBack, EarnestState, EnrollState } from '../contract/enrollment.ts'
import { contractCan, ContractState } from '../contract/lease.ts'
import { ProjectType, RentState } from '../contract/project.ts'
import { isAttested } from './bidder.ts'
import { isOver } from './bids.ts'
import { giveBack } from './earnest.ts'
import { dropDrafts, fail, letGo } from './failing.ts'
import { contracts, enrolledIn, type EnrollRow, moveEnroll, moveProject, type ProjectRow, renewalOf, setEnroll } from './row.ts'
import { carryDeposits, returnDeposits } from './bills.ts'
import { Said } from '../contract/said.ts'

/** A held project, as far as time has taken it. */
export async function advance(tx: Tx, project: ProjectRow, at: Instant): Promise<ProjectRow> {
  const next = await step(tx, project, at)
  return next ? advance(tx, next, at) : project
}
const come = (when: Instant, at: Instant): boolean => msOf(when) <= msOf(at)
async function step(tx: Tx, project: ProjectRow, at: Instant): Promise<ProjectRow | undefined> {
  const { state, enrollFrom, enrollTo, bidFrom, endsAt } = project
  if (state === RentState.announced && come(enrollFrom, at)) return moveProject(tx, project, 'enrol', {}, at)
  if (state === RentState.enrolling && come(enrollTo, at)) return close(tx, project, at)
  if (state === RentState.closed && come(bidFrom, at)) return open(tx, project, at)
  if (state === RentState.bidding && isOver(endsAt, at)) return end(tx, project, at)
  if (state === RentState.signed || state === RentState.running) return live(tx, project, at)
  return undefined
}
/** Closes enrolment; bidders who have not paid by then are out. */
async function close(tx: Tx, project: ProjectRow, at: Instant): Promise<ProjectRow> {
  for (const one of await enrolledIn(tx, project.id)) if (one.state === EnrollState.toPay) await letGo(tx, one, Said.notPaid, at)
  return moveProject(tx, project, 'close', {}, at)
}
/** Opens bidding to the qualified bidders, whose earnest money stays until it is over. A fixed price goes to the bidder who paid first. */
async function open(tx: Tx, project: ProjectRow, at: Instant): Promise<ProjectRow> {
  const enrolled = await enrolledIn(tx, project.id)
  for (const one of enrolled.filter(({ state }) => state === EnrollState.waiting)) {
    const out = await moveEnroll(tx, one, 'reject', { opinion: Said.notReviewed }, at)
    await giveBack(tx, out, { why: EarnestBack.unreviewed }, at)
  }
  const qualified: EnrollRow[] = []
  for (const one of enrolled.filter(({ state }) => state === EnrollState.qualified))
    if (await isAttested(tx, one.bidderId)) qualified.push(one)
    else await giveBack(tx, await moveEnroll(tx, one, 'withdraw', { reason: Said.notVerified }, at), { why: EarnestBack.unverified }, at)
  qualified.sort((a, b) => msOf(a.paidAt!) - msOf(b.paidAt!) || (a.id < b.id ? -1 : 1))
  const fixed = project.type === ProjectType.fixed
  for (const [i, one] of qualified.entries())
    await setEnroll(tx, one, { earnestState: EarnestState.frozen, ...(fixed && { bidFen: project.baseFen, bidSeq: i + 1, bidAt: one.paidAt }) }, at)
  const needed = fixed ? 1 : project.minBidders
  if (qualified.length < needed) return fail(tx, project, `合格竞租人 ${qualified.length} 人，少于 ${needed} 人`, at)
  return moveProject(tx, project, fixed ? 'toAward' : 'bid', fixed ? { currentFen: project.baseFen } : {}, at)
}
/** Bidding is over; sealed bids wait for two who open them. */
export async function end(tx: Tx, project: ProjectRow, at: Instant): Promise<ProjectRow | undefined> {
  const { currentFen, reserveFen, type, openedAt } = project
  if (type === ProjectType.sealed && openedAt === null && (await run(tx, { sql: SEALED }, [project.id])).length > 0) return undefined
  if (currentFen === null) return fail(tx, project, openedAt === null ? '无人出价' : '没有有效的密封报价', at)
  if (reserveFen !== null && currentFen < reserveFen) return fail(tx, project, '最高报价未达到保留价', at)
  return moveProject(tx, project, 'toAward', {}, at)
}
const SEALED = 'select from rent.sealed where enterprise_id = scope_enterprise() and project_id = $1 limit 1'
/** A lease begins on its first day and is over after its last; where it was renewed, the next takes its place and its deposit. */
async function live(tx: Tx, project: ProjectRow, at: Instant): Promise<ProjectRow | undefined> {
  const [of] = await run<{ id: string }>(tx, { sql: LEASE }, [project.id])
  if (!of) return undefined
  const lease = await lockRow(tx, contracts, { id: of.id })
  const today = dayOf(at)
  if (project.state === RentState.signed) return lease.fromDay <= today ? moveProject(tx, project, 'run', {}, at) : undefined
  if (lease.toDay >= today) return undefined
  await setRow(tx, contracts, lease, { state: contractCan.expire(lease.state)! }, at)
  const renewal = await renewalOf(tx, lease.id)
  if (renewal?.state === ContractState.inForce) {
    await carryDeposits(tx, renewal, at)
    return project
  }
  await dropDrafts(tx, project.id)
  await returnDeposits(tx, lease.id, Said.expired, at)
  return moveProject(tx, project, 'finish', {}, at)
}
const LEASE = `select id from rent.contract where enterprise_id = scope_enterprise() and project_id = $1 and state = ${ContractState.inForce} order by from_day limit 1`
