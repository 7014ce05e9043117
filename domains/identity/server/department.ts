import type { Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { department, Department, type DepartmentNode, departmentSearch } from '../contract/department.ts'
import { beWary } from './sessions.ts'
import './tables.ts'

const HasPeople = refusal('identity.department-in-use', 40919, '部门下仍有人员或下级部门', 'There are still people or departments below it')
const IntoItself = refusal('identity.department-into-itself', 40920, '不能移动到自己的下级部门', 'It cannot be moved below itself')
const ParksBeyondOwn = refusal(
  'identity.parks-beyond-own',
  40313,
  '管辖车场不能超出自己的数据范围',
  'The parks cannot go beyond your own data scope',
  403,
)
/** An organisation deeper than this is a mistake. */
const DEPTH_MAX = 12

const departments = listOver(Department, 'identity.department', departmentSearch)

export const calls = serve(department, {
  async tree({ tx }) {
    const rows = await tx.selectFrom('identity.department').select(['id', 'parentId', 'name']).orderBy('sort').orderBy('name').execute()
    const below = (parent: string | null): DepartmentNode[] =>
      rows.filter(({ parentId }) => parentId === parent).map(({ id, name }) => ({ id, name, children: below(id) }))
    return below(null)
  },
  queryPage: ({ tx, input }) => page(tx, departments, input),

  async add({ tx, input, actor }) {
    refuseWider(actor, input.parks)
    if (input.parentId) await refuseCircle(tx, '', input.parentId)
    return (await tx
      .insertInto('identity.department')
      .values({ parentId: null, code: null, ...input })
      .returning('id')
      .executeTakeFirstOrThrow()) as never
  },
  async update({ tx, input: { id, version, ...fields }, actor }) {
    beWary()
    refuseWider(actor, fields.parks)
    if (fields.parentId) await refuseCircle(tx, id, fields.parentId)
    const { numUpdatedRows } = await tx
      .updateTable('identity.department')
      .set((of) => ({ ...fields, version: of('version', '+', 1), updatedAt: of.fn('now') as never }))
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw Stale()
  },
  async delete({ tx, input: { id } }) {
    beWary()
    const [people, below] = await Promise.all([
      tx.selectFrom('identity.person').select('id').where('departmentId', '=', id).limit(1).execute(),
      tx.selectFrom('identity.department').select('id').where('parentId', '=', id).limit(1).execute(),
    ])
    if (people.length || below.length) throw HasPeople()
    const { numDeletedRows } = await tx.deleteFrom('identity.department').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n) throw NotFound()
  },
})

function refuseWider({ scope: { parks: own } }: Actor, parks: readonly string[] = []) {
  if (own !== null && !parks.every((park) => own.includes(park))) throw ParksBeyondOwn()
}
async function refuseCircle(tx: Tx, id: string, parentId: string) {
  let up: string | null = parentId
  for (let steps = 0; up !== null; steps++) {
    if (up === id || steps >= DEPTH_MAX) throw IntoItself()
    const parent: { parentId: string | null } | undefined = await tx
      .selectFrom('identity.department')
      .select('parentId')
      .where('id', '=', up)
      .executeTakeFirst()
    if (!parent) throw NotFound()
    up = parent.parentId
  }
}
