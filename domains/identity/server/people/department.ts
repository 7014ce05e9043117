import type { Id, Instant } from '../../../../platform/contract/field.ts'
import { peopleOf, run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { type Actor, serve } from '../../../../platform/server/serve.ts'
import { department, Department, type DepartmentNode, departmentSearch } from '../../contract/department.ts'
import { ScopeBeyondOwn } from '../right/role.ts'
import { beWary } from '../signIn/sessions.ts'
import { refuseCircle } from './tree.ts'
import '../tables.ts'

const HasPeople = refusal(
  'identity.department-in-use',
  40209,
  '部门下仍有人员或下级部门，请先移走',
  'The department still has people or sub-departments: move them first',
)
const DepartmentTaken = refusal(
  'identity.department-taken',
  40210,
  '同一上级下已有同名部门，请换一个名称',
  'A department with this name already exists under the same parent: choose another name',
)
const IntoItself = refusal(
  'identity.department-into-itself',
  40211,
  '不能移动到自己的下级部门，请选择其他上级',
  'It cannot be moved below itself: choose another parent',
)
const ParksBeyondOwn = refusal(
  'identity.parks-beyond-own',
  40212,
  '管辖车场不能超出自己的数据范围；请去掉范围外的车场',
  'The car parks must be within your own data scope: leave out the others',
  403,
)
/** An organisation deeper than this is a mistake. */
const DEPTH_MAX = 12

/** Somebody whose data scope goes by department sees these departments; names of others may still stand beside a person. */
const SEEN = '((select scope_all_people()) or id::text = any ((select scope_departments())::text[]))'
export const departments = listOver(Department, 'identity.department', departmentSearch, { only: SEEN })
/** Those that are not seen are refused by the department, not by there being none. */
const rows = rowsOver(Department, 'identity.department')

export const calls = serve(department, {
  async tree({ tx }) {
    const all = await tx.selectFrom('identity.department').select(['id', 'parentId', 'name']).orderBy('sort').orderBy('name').execute()
    const people = peopleOf(tx)
    const seen = people ? all.filter(({ id }) => people.departments.includes(id)) : all
    const below = (of: typeof seen): DepartmentNode[] =>
      of.map(({ id, name }) => ({ id, name, children: below(seen.filter(({ parentId }) => parentId === id)) }))
    // The visible part may begin below the top.
    return below(seen.filter(({ parentId }) => !seen.some(({ id }) => id === parentId)))
  },
  queryPage: ({ tx, input }) => page(tx, departments, input),

  add: async ({ tx, input, actor }) => ({ id: await addDepartment(tx, actor, input) }),
  update: ({ tx, input, actor, at }) => changeDepartment(tx, actor, at, input),
  async delete({ tx, input: { id }, actor, at }) {
    beWary()
    refuseElsewhere(actor, id)
    const [[people], below] = await Promise.all([
      run<{ some: boolean }>(tx, { sql: 'select identity.department_has_people($1) as some' }, [id]),
      tx.selectFrom('identity.department').select('id').where('parentId', '=', id).limit(1).execute(),
    ])
    if (people!.some || below.length) throw HasPeople()
    await removeRow(tx, rows, await lockRow(tx, rows, { id }), at)
  },
})

interface Fields {
  name: string
  parentId?: string | null
  code?: string | null
  sort?: number
  parks?: string[]
}
/** @returns its id */
export async function addDepartment(tx: Tx, actor: Actor, fields: Fields): Promise<Id<'DepartmentId'>> {
  refuseWider(actor, fields.parks)
  refuseElsewhere(actor, fields.parentId ?? null)
  if (fields.parentId) await refuseCircle(tx, 'identity.department', { parentId: fields.parentId }, DEPTH_MAX, IntoItself)
  return (await addRow(tx, rows, { parentId: null, code: null, ...fields }).catch(taken)).id
}
/** Moved, its people and the departments below it go along, and people above it see its parks from the next call on. */
export async function changeDepartment(
  tx: Tx,
  actor: Actor,
  at: Instant,
  { id, version, ...fields }: Partial<Fields> & { id: string; version: number },
) {
  beWary()
  refuseWider(actor, fields.parks)
  refuseElsewhere(actor, id)
  if (fields.parentId !== undefined) refuseElsewhere(actor, fields.parentId)
  if (fields.parentId) await refuseCircle(tx, 'identity.department', { id, parentId: fields.parentId }, DEPTH_MAX, IntoItself)
  await setRow(tx, rows, await lockRow(tx, rows, { id, version }), fields, at).catch(taken)
}
const taken = (error: { code?: string; constraint?: string }): never => {
  throw error.code === '23505' && error.constraint === 'department_name' ? DepartmentTaken() : error
}
/** Lets a department come back from the bin with its parks only for a person who sees them. */
export async function departmentMayComeBack(tx: Tx, actor: Actor, id: string) {
  beWary()
  const back = await tx.selectFrom('identity.department').select('parks').where('id', '=', id).executeTakeFirst()
  refuseWider(actor, back?.parks)
}

function refuseWider({ scope: { parks: own } }: Actor, parks: readonly string[] = []) {
  if (own !== null && !parks.every((park) => own.includes(park))) throw ParksBeyondOwn()
}
/** Refuses a person who sees only some departments to work in any other, or at the top. */
function refuseElsewhere({ scope: { people } }: Actor, id: string | null) {
  if (people && !people.departments.includes(id ?? '')) throw ScopeBeyondOwn()
}
