import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { listOver } from '../../../../platform/server/page.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { lockRow } from '../../../../platform/server/row.ts'
import { CLAUSES_MAX, Regulation, regulationSearch, State } from '../../contract/regulation.ts'
import '../tables.ts'

export type RegulationRow = Of<typeof Regulation>
type RegulationId = RegulationRow['id']
export const FIELDS = Object.keys(Regulation.properties) as (keyof RegulationRow)[]
export const Settled = refusal(
  'system.regulation-settled',
  40140,
  '已发布的法规不能再改；请新建修订版次',
  'A published law cannot be changed: create a new edition',
)
const TooMany = refusal('system.clause-too-many', 40141, '一部法规最多 {most} 条', 'A law can have at most {most} clauses', 422)

export const regulations = listOver(Regulation, 'system.regulation', regulationSearch)

/** @throws NotFound, Stale */
export const lockRegulation = (tx: Tx, id: RegulationId, version?: number): Promise<RegulationRow> => lockRow(tx, regulations, { id, version })
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
