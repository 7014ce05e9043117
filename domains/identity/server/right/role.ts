import type { Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { type Actor, serve } from '../../../../platform/server/serve.ts'
import { DataScope, role, Role, type RoleDetail, RoleGrants, roleSearch } from '../../contract/role.ts'
import { type Holding, holdingOf, holdingOfRole, refuseBeyond } from './holding.ts'
import { menuOf } from './menu.ts'
import { beWary } from '../signIn/sessions.ts'
import '../tables.ts'

const RoleInUse = refusal(
  'identity.role-in-use',
  40239,
  '该角色仍有 {count} 名人员使用，请先取消这些人员的该角色',
  'Still given to {count:person|people}: take the role from them first',
)
const RoleTaken = refusal(
  'identity.role-taken',
  40240,
  '角色名称「{name}」已被使用，请换一个角色名称',
  'The role name “{name}” is already in use: choose another role name',
)
export const ScopeBeyondOwn = refusal(
  'identity.scope-beyond-own',
  40241,
  '数据范围不能超出自己的范围；请缩小范围',
  'The data scope cannot be wider than your own: choose a narrower one',
  403,
)
export const LastAdministrator = refusal(
  'identity.last-administrator',
  40242,
  '至少保留一名可登录的管理员',
  'At least one administrator who can sign in must remain',
)

const roles = listOver(Role, 'identity.role', roleSearch)
const rows = rowsOver(Role, 'identity.role', ['grants', 'dataScope', 'parks'])

export const calls = serve(role, {
  query: ({ tx, input }) => page(tx, roles, input),
  async detail({ tx, input: { id } }) {
    const found = await find(tx, roles, id)
    if (!found) throw NotFound()
    const [holders, held, holding, all] = await Promise.all([
      run<Of<typeof RoleDetail>['holders'][number]>(tx, HOLDERS, [id]),
      tx
        .selectFrom('identity.personRole')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('roleId', '=', id)
        .executeTakeFirstOrThrow(),
      holdingOfRole(tx, found),
      tx.selectFrom('identity.buttonOfMenu').select(['id', 'resourceId', 'name', 'nameEn', 'capability']).orderBy('code').execute(),
    ])
    const buttons = all.filter((one) => holding.buttons(one.id, one.capability)).map(({ capability: _, ...one }) => one)
    const holdersUnseen = held.count - holders.length
    return { ...found, holders, holdersUnseen, opens: await menuOf(tx, holding), buttons }
  },
  queryNoPage: async ({ tx }) => (await page(tx, roles, { orderByColumn: 'name', isAsc: true, queryMode: 'rows', limit: ROLES_MAX })).records,

  add: async ({ tx, input, actor }) => ({ id: await addRole(tx, actor, input) }),
  update: ({ tx, input, actor, at }) => changeRole(tx, actor, at, input),
  async del({ tx, input: { id }, actor, at }) {
    beWary()
    const found = await lockRow(tx, rows, { id })
    await refuseGrants(tx, await holdingOf(tx, actor), { grants: found.grants, ...(await chosenOf(tx, id)) })
    const { count } = await tx
      .selectFrom('identity.heldRole')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('roleId', '=', id)
      .executeTakeFirstOrThrow()
    if (count > 0) throw RoleInUse({ count })
    await removeRow(tx, rows, found, at)
  },
})
const ROLES_MAX = 1_000
/** More names than these tell nobody anything. */
const HOLDERS_MAX = 500
const HOLDERS = {
  sql: `select p.id, p.name, p.username from identity.person_role x join identity.person p on p.enterprise_id = x.enterprise_id and p.id = x.person_id
    where x.role_id = $1 order by p.name limit ${HOLDERS_MAX}`,
}

interface Fields {
  name: string
  dataScope: number
  grants?: number
  parks?: string[]
  remark?: string | null
  secondFactor?: boolean
  resourceIds?: readonly string[]
  buttonIds?: readonly string[]
}
/** @returns its id */
export async function addRole(tx: Tx, actor: Actor, { resourceIds = [], buttonIds = [], ...fields }: Fields): Promise<Id<'RoleId'>> {
  beWary()
  const holding = await holdingOf(tx, actor)
  refuseWider(actor, fields)
  await refuseGrants(tx, holding, { grants: fields.grants ?? RoleGrants.chosen, resourceIds, buttonIds })
  const { id } = await addRow(tx, rows, { remark: null, ...fields }).catch(taken(fields.name))
  await grant(tx, id, { resourceIds, buttonIds })
  return id
}

export async function changeRole(
  tx: Tx,
  actor: Actor,
  at: Instant,
  { id, version, resourceIds, buttonIds, ...fields }: Partial<Fields> & { id: string; version: number },
): Promise<void> {
  beWary()
  const holding = await holdingOf(tx, actor)
  const before = await lockRow(tx, rows, { id, version })
  // A person who lacks a right of the role may neither widen nor otherwise touch it: they could take the right from those who have more.
  const chosen = await chosenOf(tx, id)
  await refuseGrants(tx, holding, { grants: before.grants, ...chosen })
  await refuseBeyondSight(tx, id)
  refuseWider(actor, before)
  refuseWider(actor, { dataScope: fields.dataScope ?? before.dataScope, parks: fields.parks ?? before.parks })
  // If the grants change, earlier choices begin to count too.
  await refuseGrants(tx, holding, {
    grants: fields.grants ?? before.grants,
    resourceIds: resourceIds ?? chosen.resourceIds,
    buttonIds: buttonIds ?? chosen.buttonIds,
  })
  await setRow(tx, rows, before, fields, at).catch(taken(fields.name ?? ''))
  await grant(tx, id, { resourceIds, buttonIds })
  await keepAdministrator(tx)
}
const taken =
  (name: string) =>
  (error: { code?: string; constraint?: string }): never => {
    throw error.code === '23505' && error.constraint === 'role_enterprise_id_name_key' ? RoleTaken({ name }) : error
  }

/** Of the scopes that follow a department, those that a person who sees only people of their departments may give: they show no more than the department of their holder. */
const WITHIN_DEPARTMENT: readonly number[] = [DataScope.department, DataScope.self]
/** Somebody who sees chosen parks only gives no more than these; who sees some departments only gives what stays within a department. */
export function refuseWider({ scope }: Actor, { dataScope, parks = [] }: { dataScope: number; parks?: readonly string[] }) {
  const own = scope.parks
  if (scope.people) {
    if (!WITHIN_DEPARTMENT.includes(dataScope)) throw ScopeBeyondOwn()
  } else if (own !== null && (dataScope !== DataScope.parks || !parks.every((park) => own.includes(park)))) throw ScopeBeyondOwn()
}
/** A role that people hold whom one does not see reaches further than one does. */
async function refuseBeyondSight(tx: Tx, roleId: string) {
  const [held] = await run<{ beyond: boolean }>(tx, { sql: 'select identity.held_beyond($1) as beyond' }, [roleId])
  if (held!.beyond) throw ScopeBeyondOwn()
}

/** Lets a role come back from the bin with its grants only for a person who could grant them. */
export async function roleMayComeBack(tx: Tx, actor: Actor, id: string) {
  beWary()
  const back = await tx.selectFrom('identity.role').select(['grants', 'dataScope', 'parks']).where('id', '=', id).executeTakeFirst()
  if (!back) throw NotFound()
  refuseWider(actor, back)
  await refuseGrants(tx, await holdingOf(tx, actor), { grants: back.grants, ...(await chosenOf(tx, id)) })
}

interface Chosen {
  resourceIds: readonly string[]
  buttonIds: readonly string[]
}
/** Refuses to give a right that the giver lacks, whichever way it is given. */
export async function refuseGrants(tx: Tx, holding: Holding, { grants, resourceIds, buttonIds }: Chosen & { grants: number }) {
  const rows = await run<{ code: string }>(tx, { sql: GIVEN }, [grants, resourceIds, buttonIds])
  refuseBeyond(
    holding,
    rows.map(({ code }) => code),
  )
}
const GIVEN = `select code from identity.capability where ($1 = ${RoleGrants.everything} or ($1 = ${RoleGrants.viewing} and code like '%:view')) and (not platform_only or identity.runs_platform(scope_enterprise()))
  union select unnest(needs) from identity.resource where $1 = ${RoleGrants.chosen} and id = any ($2::uuid[])
  union select capability from identity.button where $1 = ${RoleGrants.chosen} and id = any ($3::uuid[])`

export const chosenOf = async (tx: Tx, roleId: string): Promise<Chosen> => {
  const [resources, buttons] = await Promise.all([
    tx.selectFrom('identity.roleResource').select('resourceId as id').where('roleId', '=', roleId).execute(),
    tx.selectFrom('identity.roleButton').select('buttonId as id').where('roleId', '=', roleId).execute(),
  ])
  return { resourceIds: resources.map(({ id }) => id), buttonIds: buttons.map(({ id }) => id) }
}

async function grant(tx: Tx, roleId: string, { resourceIds, buttonIds }: Partial<Record<keyof Chosen, readonly string[] | undefined>>) {
  if (resourceIds) {
    await tx.deleteFrom('identity.roleResource').where('roleId', '=', roleId).execute()
    if (resourceIds.length)
      await tx
        .insertInto('identity.roleResource')
        .values([...new Set(resourceIds)].map((resourceId) => ({ roleId, resourceId })))
        .execute()
  }
  if (buttonIds) {
    await tx.deleteFrom('identity.roleButton').where('roleId', '=', roleId).execute()
    if (buttonIds.length)
      await tx
        .insertInto('identity.roleButton')
        .values([...new Set(buttonIds)].map((buttonId) => ({ roleId, buttonId })))
        .execute()
  }
}

/** Whatever was changed: somebody can still sign in who may change roles and people. The enterprise's row is locked, so that two do not leave together. */
export async function keepAdministrator(tx: Tx) {
  await run(tx, { sql: 'select 1 from identity.enterprise where id = scope_enterprise() for update' }, [])
  await refuseLastAdministrator(tx)
}
/** @throws LastAdministrator */
export async function refuseLastAdministrator(tx: Tx) {
  const [left] = await run<{ some: boolean }>(tx, { sql: 'select identity.has_administrator() as some' }, [])
  if (!left!.some) throw LastAdministrator()
}
