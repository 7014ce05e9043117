import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Case, caseCan, caseSearch, CaseState, standardCase } from '../contract/case.ts'
import { type By, lockOrder } from './row.ts'
import './tables.ts'

const NotPublished = refusal(
  'after-sale.case-not-published',
  42120,
  '该案例未发布，不能引用',
  'This case is not published: publish it before using it',
  422,
)
const UsedCase = refusal(
  'after-sale.case-used',
  42121,
  '该案例已被引用 {used} 次，不能删除，请改为下架',
  'This case has been used {used:time} and cannot be deleted: withdraw it instead',
)
const SameTitle = refusal(
  'after-sale.case-title',
  42122,
  '已有标题相同的案例，请改标题或编辑那一篇',
  'A case with this title already exists: change the title, or edit that one',
)

export const cases = listOver(Case, 'afterSale.case', caseSearch)
type Row = Of<typeof Case>

export const calls = serve(standardCase, {
  query: ({ tx, input }) => page(tx, cases, input),
  async one({ tx, input }) {
    const found = await find(tx, cases, input.id)
    if (!found) throw NotFound()
    return found
  },
  async add({ tx, input, actor, at }) {
    await refuseTitle(tx, input.title)
    return addRow(tx, cases, { ...input, authorName: actor.userName, createdAt: at, updatedAt: at })
  },
  async update({ tx, input: { id, version, ...fields }, at }) {
    const found = await lockRow(tx, cases, { id, version })
    if (fields.state !== undefined) refuseMove(found, fields.state)
    if (fields.title !== undefined && fields.title !== found.title) await refuseTitle(tx, fields.title)
    return setRow(tx, cases, found, fields, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, cases, input)
    if (found.used > 0) throw UsedCase({ used: found.used })
    await removeRow(tx, cases, found, at)
  },
  async use({ tx, input, actor, at }) {
    await lockOrder(tx, input.orderId)
    return useCase(tx, { ...input, by: actor, at })
  },
})

/** Refuses a move that is not allowed: a draft is published, a published case is withdrawn, a withdrawn one published again; nothing becomes a draft again. */
function refuseMove({ state }: Row, to: Row['state']): void {
  if (state === to) return
  const next = to === CaseState.published ? caseCan.publish(state) : to === CaseState.off ? caseCan.withdraw(state) : caseCan.redraft(state)
  if (next !== to) throw IllegalMove({ state })
}
/** Two who write the same title at once come one after the other. */
async function refuseTitle(tx: Tx, title: string): Promise<void> {
  await run(tx, { sql: IN_TURN }, [title])
  if ((await run(tx, { sql: SAME }, [title])).length > 0) throw SameTitle()
}
const IN_TURN = `select pg_advisory_xact_lock(hashtextextended('after-sale case ' || $1, scope_enterprise()))`
const SAME = 'select 1 from after_sale.case where enterprise_id = scope_enterprise() and title = $1'

/** Records that a case solved the order, once for each order. The caller holds the order. @throws NotPublished, NotFound */
export async function useCase(tx: Tx, { caseId, orderId, by, at }: { caseId: string; orderId: string; by: By; at: Instant }): Promise<Row> {
  const found = await lockRow(tx, cases, { id: caseId })
  if (found.state !== CaseState.published) throw NotPublished()
  const used = await run(tx, { sql: USE }, [caseId, orderId, at, by.userName])
  if (used.length === 0) return found
  return setRow(tx, cases, found, { used: found.used + 1, lastUsedAt: at }, at)
}
const USE = 'insert into after_sale.case_use (case_id, order_id, at, who) values ($1, $2, $3, $4) on conflict do nothing returning case_id'
/** Returns the cases that solved an order. */
export const casesOf = (tx: Tx, orderId: string): Promise<Pick<Row, 'id' | 'title'>[]> => run(tx, { sql: OF_ORDER }, [orderId])
const OF_ORDER = `select c.id, c.title from after_sale.case_use u join after_sale.case c on c.enterprise_id = u.enterprise_id and c.id = u.case_id
  where u.enterprise_id = scope_enterprise() and u.order_id = $1 order by u.at limit 20`
