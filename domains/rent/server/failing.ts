import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { Award, EarnestBack, EnrollState } from '../contract/enrollment.ts'
import { ContractState } from '../contract/lease.ts'
import { NoticeType } from '../contract/notice.ts'
import { askBack, type Asked, askNoMore, isHeld } from './earnest.ts'
import { tellNotice } from './notices.ts'
import { enrolledIn, type EnrollRow, moveEnroll, moveProject, type Person, type ProjectRow } from './row.ts'
import { Said } from '../contract/said.ts'

const Signed = refusal('rent.signed-already', 42419, '项目已签约，请在合同中解约', 'The project is signed: end it from its lease', 409)

/** Fails a project without a winner: refunds of all earnest money are requested, and a notice is published. */
export async function fail(tx: Tx, project: ProjectRow, reason: string, at: Instant): Promise<ProjectRow> {
  const failed = await moveProject(tx, project, 'fail', { winnerId: null }, at)
  await tellNotice(tx, project, { type: NoticeType.failed, title: `流标公告：${project.name}`, content: reason, by: null, at })
  await proposeAll(tx, await enrolledIn(tx, project.id), { why: EarnestBack.failed, reason: Said.failed({ project: project.name }), at })
  return failed
}
/** By decision, at any time before it is signed. */
export async function terminate(tx: Tx, project: ProjectRow, { reason, by, at }: { reason: string; by: Person; at: Instant }): Promise<ProjectRow> {
  const [signed] = await run(
    tx,
    { sql: `select from rent.contract where enterprise_id = scope_enterprise() and project_id = $1 and state <> ${ContractState.toSign}` },
    [project.id],
  )
  if (signed) throw Signed()
  await dropDrafts(tx, project.id)
  const ended = await moveProject(tx, project, 'terminate', {}, at)
  await tellNotice(tx, project, { type: NoticeType.termination, title: `终止公告：${project.name}`, content: reason, by, at })
  for (const one of await enrolledIn(tx, project.id)) {
    if (one.state === EnrollState.toPay) await letGo(tx, one, Said.terminated, at)
    else if (isHeld(one)) await askBack(tx, one, { why: EarnestBack.terminated, reason: Said.terminatedBack({ project: project.name }), at })
    else await askNoMore(tx, one, Said.terminated)
  }
  return ended
}
/** Deletes drafted leases that both have not signed, once nobody won. */
export async function dropDrafts(tx: Tx, projectId: string): Promise<void> {
  const sql = `delete from rent.contract where enterprise_id = scope_enterprise() and project_id = $1 and state = ${ContractState.toSign}`
  await run(tx, { sql }, [projectId])
}
/** Withdraws an enrolment that was not paid in time. */
export async function letGo(tx: Tx, one: EnrollRow, reason: string, at: Instant): Promise<EnrollRow> {
  await askNoMore(tx, one, reason)
  return moveEnroll(tx, one, 'withdraw', { reason }, at)
}
/** The losers' earnest money, each once. Who has won keeps theirs where it is. */
export async function proposeAll(tx: Tx, enrolled: readonly EnrollRow[], asked: Asked): Promise<void> {
  for (const one of enrolled) if (one.award !== Award.won && isHeld(one)) await askBack(tx, one, asked)
}
