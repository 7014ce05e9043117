import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove } from '../../../platform/server/refusal.ts'
import { json, lockRow, setRow } from '../../../platform/server/row.ts'
import { AwardChange } from '../contract/award.ts'
import { Bidder, bidderSearch } from '../contract/bidder.ts'
import { enrollCan, EnrollLine, Enrollment, enrollSearch } from '../contract/enrollment.ts'
import { Bill, Contract, ContractLine, contractSearch, ContractState } from '../contract/lease.ts'
import { RentNotice } from '../contract/notice.ts'
import { Project, projectCan, projectSearch } from '../contract/project.ts'
import { SealPart, Sealed } from '../contract/seal.ts'
import './tables.ts'

export type BidderRow = Of<typeof Bidder>
export type ProjectRow = Of<typeof Project>
export type EnrollRow = Of<typeof Enrollment>
export type ContractRow = Of<typeof Contract>
export type BillRow = Of<typeof Bill>
export type NoticeRow = Of<typeof RentNotice>
/** The acting person; nulls where the clock acts. */
export interface Person {
  userId: string
  userName: string
}
const UNSEARCHED = { operators: {}, sort: ['id'] as const, first: 'id', ascending: true, schema: {} }

export const bidders = listOver(Bidder, 'rent.bidder', bidderSearch)
export const projects = listOver(Project, 'rent.project', projectSearch, { sums: ['earnestFen'] })
export const notices = listOver(RentNotice, 'rent.notice', UNSEARCHED)
export const enrollments = listOver(Enrollment, 'rent.enrollment', UNSEARCHED)
export const enrollLines = listOver(EnrollLine, 'rent.enrollLine', enrollSearch, { sums: ['earnestFen'] })
export const changes = listOver(AwardChange, 'rent.awardChange', UNSEARCHED)
export const contracts = listOver(Contract, 'rent.contract', UNSEARCHED)
export const contractLines = listOver(ContractLine, 'rent.contractLine', contractSearch)
export const sealParts = listOver(SealPart, 'rent.sealPart', UNSEARCHED)
export const sealedBids = listOver(Sealed, 'rent.sealed', UNSEARCHED)
export const bills = listOver(Bill, 'rent.bill', UNSEARCHED)

/** Open pages look at a project and its bids again. */
export const projectTopic = topic('rent.project', 'rent:project:view')

export const numberOf = async (tx: Tx, prefix: string): Promise<string> =>
  (await run<{ no: string }>(tx, { sql: 'select platform.business_no($1) as no' }, [prefix]))[0]!.no

export const lockProject = (tx: Tx, id: string, version?: number): Promise<ProjectRow> => lockRow(tx, projects, { id, version })
/** Locks an enrolment after its project, as a payment and the clock do: two in opposite orders would wait for each other. */
export async function lockEnroll(tx: Tx, id: string, version?: number): Promise<EnrollRow> {
  const [of] = await run<{ projectId: string }>(tx, { sql: PROJECT_OF }, [id])
  if (of) await lockProject(tx, of.projectId)
  return lockRow(tx, enrollments, { id, version })
}
/** Behind its project too. */
export async function lockContract(tx: Tx, id: string, version?: number): Promise<ContractRow> {
  const [of] = await run<{ projectId: string }>(tx, { sql: PROJECT_OF_LEASE }, [id])
  if (of) await lockProject(tx, of.projectId)
  return lockRow(tx, contracts, { id, version })
}
/** Returns the renewal that follows a lease, if there is one, locked; the caller holds its project. */
export async function renewalOf(tx: Tx, id: string): Promise<ContractRow | undefined> {
  const [of] = await run<{ id: string }>(tx, { sql: RENEWAL_OF }, [id])
  return of && lockRow(tx, contracts, of)
}
const RENEWAL_OF = `select id from rent.contract where enterprise_id = scope_enterprise() and renews_id = $1 and state <> ${ContractState.ended}`
const PROJECT_OF_LEASE = 'select project_id from rent.contract where enterprise_id = scope_enterprise() and id = $1'
const PROJECT_OF = 'select project_id from rent.enrollment where enterprise_id = scope_enterprise() and id = $1'

/** Columns of a project that only the procedure sets. */
type ProjectSet = Partial<ProjectRow> & { reminded?: number; leaderId?: string | null }
export async function setProject(tx: Tx, found: ProjectRow, set: ProjectSet, at: Instant): Promise<ProjectRow> {
  const next = await setRow(tx, projects, found, { ...set, ...(set.files && { files: json(set.files) }) }, at)
  await tell(tx, projectTopic, { park: found.parkCode, ids: [found.id] })
  return next
}
/** The one way by which a project changes its state. @throws IllegalMove */
export async function moveProject(tx: Tx, found: ProjectRow, move: keyof typeof projectCan, set: ProjectSet, at: Instant): Promise<ProjectRow> {
  const state = projectCan[move](found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  return setProject(tx, found, { ...set, state }, at)
}
export const setEnroll = (tx: Tx, found: EnrollRow, set: object, at: Instant): Promise<EnrollRow> => setRow(tx, enrollments, found, set, at)
/** The one way by which an enrolment changes its state. @throws IllegalMove */
export async function moveEnroll(tx: Tx, found: EnrollRow, move: keyof typeof enrollCan, set: object, at: Instant): Promise<EnrollRow> {
  const state = enrollCan[move](found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  return setEnroll(tx, found, { ...set, state }, at)
}
/** The enrolments of a project, held, in the order of their rank where they have one. */
export async function enrolledIn(tx: Tx, projectId: string): Promise<EnrollRow[]> {
  const ids = await run<{ id: string }>(tx, { sql: OF_PROJECT }, [projectId])
  const rows: EnrollRow[] = []
  for (const { id } of ids) rows.push(await lockEnroll(tx, id))
  return rows
}
const OF_PROJECT = `select id from rent.enrollment where enterprise_id = scope_enterprise() and project_id = $1 order by bid_fen desc nulls last, bid_seq, created_at, id`
