import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { CLAUSES_MAX, Regulation, State } from '../contract/regulation.ts'
import './tables.ts'

export type RegulationRow = Of<typeof Regulation>
type RegulationId = RegulationRow['id']
export const FIELDS = Object.keys(Regulation.properties) as (keyof RegulationRow)[]
export const Settled = refusal('system.regulation-settled', 40059, '已发布的法规不能再改；请新建修订版次', 'A published regulation is settled; make a new edition') // prettier-ignore
const TooMany = refusal('system.clause-too-many', 42257, '一部法规最多 {most} 条', 'A regulation has at most {most} clauses', 422)

export async function lockRegulation(tx: Tx, id: RegulationId, version?: number): Promise<RegulationRow> {
  const found = await tx.selectFrom('system.regulation').select(FIELDS).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!found) throw NotFound()
  if (version !== undefined && found.version !== version) throw Stale({ version: found.version, title: found.title, state: found.state })
  return found as RegulationRow
}
/** Clauses change while their regulation is a draft, and one hand at a time. @throws NotFound, Settled */
export async function lockDraft(tx: Tx, id: RegulationId): Promise<RegulationRow> {
  const found = await lockRegulation(tx, id)
  if (found.state !== State.draft) throw Settled()
  return found
}
/** @throws TooMany */
export async function refuseTooMany(tx: Tx, regulationId: RegulationId, more: number): Promise<void> {
  const [found] = await run<{ n: number }>(
    tx,
    { sql: 'select count(*)::int as n from system.clause where enterprise_id = scope_enterprise() and regulation_id = $1' },
    [regulationId],
  )
  if (found!.n + more > CLAUSES_MAX) throw TooMany({ most: CLAUSES_MAX })
}
