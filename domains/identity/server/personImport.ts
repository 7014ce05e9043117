import { sql } from 'kysely'
import type { Of } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import type { Outcome, RowContext } from '../../../platform/server/sheets/importing.ts'
import type { person } from '../contract/person.ts'
import { giveRoles, refuseDepartment, refuseHigher, taken } from './giving.ts'
import { type Holding, holdingOf } from './holding.ts'
import { noPassword } from './password.ts'
import { byName, idsByName } from './paths.ts'
import { keepAdministrator } from './role.ts'
import { beWary } from './sessions.ts'
import './tables.ts'

const NoDepartment = refusal(
  'identity.import-department',
  42214,
  '没有部门「{name}」，或有多个同名部门，请写上级，如 总部/工程部',
  'There is no department “{name}”, or several; write its path, such as Head office/Works',
  422,
)
const NoRole = refusal('identity.import-role', 42215, '没有角色「{name}」，或有多个同名角色', 'There is no role “{name}”, or several', 422) // prettier-ignore

type Row = Of<(typeof person)['import']['row']>
interface There {
  id: string
  username: string
  name: string
  staffNo: string | null
  phone: string | null
  email: string | null
  departmentId: string | null
  remark: string | null
  roles: string[]
}
interface Known {
  holding: Holding
  departments: ReadonlyMap<string, string | null>
  roles: ReadonlyMap<string, string | null>
  there: ReadonlyMap<string, There>
}

/** A row of people by the rules of adding and changing one: the same rights, the same refusals. */
export const personImport = { prepare, row, together, finish: ({ tx }: { tx: Tx }) => keepAdministrator(tx) }

async function prepare({ tx, rows, actor }: { tx: Tx; rows: readonly Row[]; actor: Actor }): Promise<Known> {
  beWary()
  const names = rows.map(({ username }) => username.toLowerCase())
  const [holding, departments, roles, there] = await Promise.all([
    holdingOf(tx, actor),
    tx.selectFrom('identity.department').select(['id', 'parentId', 'name']).execute(),
    tx.selectFrom('identity.role').select(['id', 'name']).execute(),
    tx
      .selectFrom('identity.staff')
      .select(['id', 'username', 'name', 'staffNo', 'phone', 'email', 'departmentId', 'remark', 'roles'])
      .where('enterpriseId', '=', actor.enterprise)
      .where(sql<boolean>`lower(username) = any (${names})`)
      .execute(),
  ])
  return {
    holding,
    departments: idsByName(departments),
    roles: byName(roles.map(({ id, name }) => [name, id] as const)),
    there: new Map(there.map((one) => [one.username.toLowerCase(), { ...one, roles: one.roles.map(({ id }: { id: string }) => id) } as There])),
  }
}

/** Those who are new and get no role go into the table by one statement. */
async function together({ rows, ...context }: Omit<RowContext<Row, Known>, 'row'> & { rows: readonly Row[] }): Promise<Outcome[]> {
  const { tx, known, actor } = context
  const plain: NewPerson[] = []
  const outcomes: Outcome[] = []
  for (const one of rows) {
    const isPlain = !one.roles && !known.there.has(one.username.toLowerCase())
    if (isPlain) plain.push(newPerson(wantedOf(one, known)))
    outcomes.push(isPlain ? 'added' : await row({ ...context, row: one }))
  }
  for (const departmentId of new Set(plain.map((one) => one.departmentId))) await refuseDepartment(tx, actor, departmentId)
  if (plain.length > 0) await tx.insertInto('identity.person').values(plain).execute().catch(taken)
  return outcomes
}

async function row({ tx, row: one, known, actor }: RowContext<Row, Known>): Promise<Outcome> {
  const roleIds = one.roles?.map((name) => known.roles.get(name) ?? lacking(name))
  const wanted = wantedOf(one, known)
  const { departmentId } = wanted
  const there = known.there.get(one.username.toLowerCase())
  if (!there) return added(tx, wanted, roleIds, known, actor)
  const { username: _, ...changes } = wanted
  const same = Object.entries(changes).every(([name, value]) => there[name as keyof There] === value)
  const sameRoles = !roleIds || sorted(roleIds) === sorted(there.roles)
  if (same && sameRoles) return 'same'
  if (!sameRoles) await refuseHigher(tx, actor, there.id)
  await refuseDepartment(tx, actor, departmentId)
  await tx
    .updateTable('identity.person')
    .set((of) => ({ ...changes, version: of('version', '+', 1), updatedAt: of.fn('now') as never }))
    .where('id', '=', there.id)
    .execute()
  if (!sameRoles) await giveRoles(tx, actor, there.id, there.roles, roleIds, known.holding)
  return 'changed'
}
const lacking = (name: string): never => {
  throw NoRole({ name })
}
const sorted = (ids: readonly string[]) => [...new Set(ids)].sort().join()

function wantedOf({ departmentName, roles: _, ...fields }: Row, known: Known) {
  const departmentId = departmentName ? known.departments.get(departmentName) : undefined
  if (departmentName && !departmentId) throw NoDepartment({ name: departmentName })
  return { ...fields, ...(departmentId && { departmentId }) }
}
const EMPTY = { departmentId: null, staffNo: null, phone: null, email: null, remark: null, lockedUntil: null }
const newPerson = (fields: ReturnType<typeof wantedOf>) => ({ ...EMPTY, ...fields, passwordHash: noPassword() })
type NewPerson = ReturnType<typeof newPerson>

async function added(tx: Tx, fields: ReturnType<typeof wantedOf>, roleIds: string[] | undefined, known: Known, actor: Actor): Promise<Outcome> {
  await refuseDepartment(tx, actor, fields.departmentId ?? null)
  const { id } = await tx.insertInto('identity.person').values(newPerson(fields)).returning('id').executeTakeFirstOrThrow().catch(taken)
  if (roleIds?.length) await giveRoles(tx, actor, id, [], roleIds, known.holding)
  return 'added'
}
