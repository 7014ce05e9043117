import { sql } from 'kysely'
import type { Id, Of } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { rowsOver, setRow } from '../../../../platform/server/row.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import type { Actor } from '../../../../platform/server/serve.ts'
import { faultsOf, type Outcome, type RowContext } from '../../../../platform/server/sheets/importing.ts'
import { Person, type person } from '../../contract/person.ts'
import { RoleGrants } from '../../contract/role.ts'
import { giveRoles, refuseDepartment, refuseHigher, taken } from '../right/giving.ts'
import { type Holding, holdingOf } from '../right/holding.ts'
import { noPassword } from '../signIn/password.ts'
import { byName, idsByName } from './paths.ts'
import { keepAdministrator, refuseLastAdministrator } from '../right/role.ts'
import { beWary } from '../signIn/sessions.ts'
import '../tables.ts'

const NoDepartment = refusal(
  'identity.import-department',
  40229,
  '没有部门「{name}」，或有多个同名部门，请写上级，如 总部/工程部',
  'No department is named “{name}”, or several are; write its path, such as Head office/Works',
  422,
)
const NoRole = refusal(
  'identity.import-role',
  40230,
  '没有角色「{name}」，或有多个同名角色；请核对名称',
  'No role is named “{name}”, or several are: check the name',
  422,
)

const BadPhone = refusal(
  'identity.import-phone',
  40254,
  '手机号「{phone}」不正确：手机 11 位，固话加区号，境外以 + 开头',
  '“{phone}” is not a valid phone number: 11 digits for mobiles, an area code for landlines, + for numbers abroad',
  422,
)
const BadMail = refusal(
  'identity.import-mail',
  40255,
  '邮箱「{email}」不正确，应如 name@example.com',
  '“{email}” is not a valid e-mail address, such as name@example.com',
  422,
)
const PHONE = /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8}|\+\d[\d -]{6,17})$/
const MAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/

type Row = Of<(typeof person)['import']['row']>
interface There {
  id: Id<'PersonId'>
  version: number
  username: string
  name: string
  staffNo: string | null
  phone: string | null
  email: string | null
  departmentId: string | null
  remark: string | null
  roles: string[]
}
const CHANGES_ADMINISTRATOR = ['将修改管理员的资料', 'Changes an administrator'] as const
interface Known {
  /** Roles that grant everything. */
  whole: ReadonlySet<string>
  holding: Holding
  departments: ReadonlyMap<string, string | null>
  roles: ReadonlyMap<string, string | null>
  there: ReadonlyMap<string, There>
}

/** A row of people by the rules of adding and changing one: the same rights, the same refusals. */
export const personImport = {
  prepare,
  together,
  faults: ({ row, known }: { row: Row; known: Known }) => {
    const there = known.there.get(row.username.toLowerCase())
    return faultsOf(
      () => refuseUnreachable({ ...row, email: null }, there),
      () => refuseUnreachable({ ...row, phone: null }, there),
      () => wantedOf(row, known),
      ...(row.roles ?? []).map((name) => () => known.roles.get(name) ?? lacking(name)),
    )
  },
  finish: ({ tx }: { tx: Tx }) => keepAdministrator(tx),
  columns: {
    'identity.import-department': 'departmentName',
    'identity.import-role': 'roles',
    'identity.import-phone': 'phone',
    'identity.import-mail': 'email',
    'identity.last-administrator': 'roles',
  },
} as const

async function prepare({ tx, rows, actor }: { tx: Tx; rows: readonly Row[]; actor: Actor }): Promise<Known> {
  beWary()
  const names = rows.map(({ username }) => username.toLowerCase())
  const [holding, departments, roles, there] = await Promise.all([
    holdingOf(tx, actor),
    tx.selectFrom('identity.department').select(['id', 'parentId', 'name']).execute(),
    tx.selectFrom('identity.role').select(['id', 'name', 'grants']).execute(),
    tx
      .selectFrom('identity.staff')
      .select(['id', 'version', 'username', 'name', 'staffNo', 'phone', 'email', 'departmentId', 'remark', 'roles'])
      .where('enterpriseId', '=', actor.enterprise)
      .where(sql<boolean>`lower(username) = any (${names})`)
      .execute(),
  ])
  return {
    holding,
    departments: idsByName(departments),
    whole: new Set(roles.filter(({ grants }) => grants === RoleGrants.everything).map(({ id }) => id)),
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
    if (isPlain) refuseUnreachable(one)
    if (isPlain) plain.push(newPerson(wantedOf(one, known)))
    outcomes.push(isPlain ? 'added' : await row({ ...context, row: one }))
  }
  for (const departmentId of new Set(plain.map((one) => one.departmentId))) await refuseDepartment(tx, actor, departmentId)
  if (plain.length > 0) await tx.insertInto('identity.person').values(plain).execute().catch(taken)
  return outcomes
}

const persons = rowsOver(Person, 'identity.person')
async function row({ tx, row: one, known, actor, at }: RowContext<Row, Known>): Promise<Outcome> {
  const roleIds = one.roles?.map((name) => known.roles.get(name) ?? lacking(name))
  const wanted = wantedOf(one, known)
  const { departmentId } = wanted
  const there = known.there.get(one.username.toLowerCase())
  if (!there) refuseUnreachable(wanted)
  if (!there) return added(tx, wanted, roleIds, known, actor)
  const { username: _, ...changes } = wanted
  const same = Object.entries(changes).every(([name, value]) => there[name as keyof There] === value)
  const sameRoles = !roleIds || sorted(roleIds) === sorted(there.roles)
  if (same && sameRoles) return 'same'
  refuseUnreachable(changes, there)
  if (!sameRoles) await refuseHigher(tx, actor, there.id)
  await refuseDepartment(tx, actor, departmentId)
  await setRow(tx, persons, there, changes, at)
  if (!sameRoles) await giveRoles(tx, actor, there.id, there.roles, roleIds, known.holding)
  // Said of the row that takes the last one away, not of the sheet as a whole.
  if (!sameRoles && there.roles.some((id) => known.whole.has(id))) await refuseLastAdministrator(tx)
  return there.roles.some((id) => known.whole.has(id)) ? { changed: CHANGES_ADMINISTRATOR } : 'changed'
}

/** Refuses a phone or a mailbox that is new and malformed; an old one may stay as it is. */
function refuseUnreachable({ phone, email }: { phone?: string | null; email?: string | null }, there?: There): void {
  if (phone && phone !== there?.phone && !PHONE.test(phone)) throw BadPhone({ phone })
  if (email && email !== there?.email && !MAIL.test(email)) throw BadMail({ email })
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
