import type { Of } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { page } from '../../../../platform/server/page.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { importing, type Outcome, type RowContext } from '../../../../platform/server/sheets/importing.ts'
import { departmentSheet } from '../../contract/departmentSheet.ts'
import { addDepartment, changeDepartment, departments } from './department.ts'
import { refuseUnknownParks } from './parks.ts'
import { idsByName, pathsOf } from './paths.ts'
import '../tables.ts'

const NoParent = refusal(
  'identity.import-parent',
  40213,
  '没有上级部门「{name}」，请核对名称或先新增',
  'There is no parent department “{name}”: check the name, or add it first',
  422,
)
const SeveralParents = refusal(
  'identity.import-parents',
  40266,
  '有多个部门名为「{name}」，请写路径，如 总部/工程部',
  'Several departments are named “{name}”; write the path, such as Head office/Works',
  422,
)

const Twice = refusal(
  'identity.import-twice',
  40269,
  '部门「{name}」在表中写了两次，请只保留一行',
  'Department “{name}” stands in this sheet twice: keep one row',
  422,
)

const hanging = (tx: Tx) => tx.selectFrom('identity.department').select(['id', 'parentId', 'name']).execute()

export const calls = serve(departmentSheet, {
  import: importing(departmentSheet.import, {
    prepare: async ({ tx, rows }) => twiceIn(rows, idsByName(await hanging(tx))),
    faults: ({ row: one, known }) => (known.has(one) ? [Twice({ name: one.name })] : []),
    order: parentsFirst,
    row,
    columns: {
      'identity.import-twice': 'name',
      'identity.import-parent': 'parentName',
      'identity.import-parents': 'parentName',
      'identity.department-into-itself': 'parentName',
      'identity.scope-beyond-own': 'parentName',
      'identity.parks-beyond-own': 'parks',
      'identity.import-park': 'parks',
    },
  }),
  export: exporting(departmentSheet.export, async ({ tx, input }) => {
    const [{ records }, all] = await Promise.all([page(tx, departments, input), hanging(tx)])
    const paths = pathsOf(all)
    return { records: records.map((one) => ({ ...one, parentName: one.parentId && paths.get(one.parentId) })) }
  }),
})

type Row = Of<(typeof departmentSheet)['import']['row']>
/** Of two rows of one department the second would quietly win over the first: neither is taken, whether they name their parent or write its path. */
function twiceIn(rows: readonly Row[], ids: ReadonlyMap<string, string | null>): ReadonlySet<Row> {
  const same = Map.groupBy(rows, ({ name, parentName = '' }) => JSON.stringify([name, ids.get(parentName) ?? parentName]))
  return new Set([...same.values()].filter((some) => some.length > 1).flat())
}
/** A parent that stands further below in the file comes before those that hang from it. */
export function parentsFirst(rows: readonly Row[]): Row[] {
  const named = Map.groupBy(rows, ({ name }) => name)
  const placed = new Set<Row>()
  // Each row once, and each name once: many of one name that hang from their own would be walked by each of them.
  const asked = new Set<Row | string>()
  const isFirst = (what: Row | string) => !asked.has(what) && asked.add(what)
  const parentsOf = ({ parentName }: Row): readonly Row[] => {
    const above = parentName?.split('/').at(-1)
    return above && isFirst(above) ? (named.get(above) ?? []).filter((parent) => !asked.has(parent)) : []
  }
  for (const first of rows) {
    // No call within a call: a sheet may name one above the other as often as it has rows.
    const waiting = [first]
    for (let one; (one = waiting.at(-1));) {
      const parents = isFirst(one) ? parentsOf(one) : []
      for (const parent of parents.toReversed()) waiting.push(parent)
      if (parents.length > 0) continue
      placed.add(one)
      waiting.pop()
    }
  }
  return [...placed]
}
async function row({ row: { parentName, ...fields }, ...context }: Omit<RowContext<Row, unknown>, 'known'>): Promise<Outcome> {
  // Read for each row: the parent may be the row before.
  const parentId = parentName ? idsByName(await hanging(context.tx)).get(parentName) : null
  if (parentName && !parentId) throw (parentId === null ? SeveralParents : NoParent)({ name: parentName })
  const there = await context.tx
    .selectFrom('identity.department')
    .select(['id', 'version', 'code', 'sort', 'parks'])
    .where('name', '=', fields.name)
    .where('parentId', 'is not distinct from', parentId ?? null)
    .executeTakeFirst()
  await refuseUnknownParks(context.tx, fields.parks, there?.parks)
  if (!there) {
    await addDepartment(context.tx, context.actor, { ...fields, ...(parentId && { parentId }) })
    return 'added'
  }
  const same = Object.entries(fields).every(([name, value]) => name === 'name' || String(there[name as keyof typeof there]) === String(value))
  if (same) return 'same'
  await changeDepartment(context.tx, context.actor, context.at, { id: there.id, version: there.version, ...fields })
  return 'changed'
}
