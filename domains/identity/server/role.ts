import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { role, Role, roleSearch } from '../contract/role.ts'
import { Grants, type Holding, holdingOf, refuseBeyond } from './holding.ts'
import { beWary } from './sessions.ts'
import './tables.ts'

const RoleInUse = refusal('identity.role-in-use', 40912, '该角色仍有 {count} 名人员使用', '{count} people still have this role')
const ScopeBeyondOwn = refusal('identity.scope-beyond-own', 40312, '数据范围不能超出自己的范围', 'The data scope cannot be wider than your own', 403)
export const LastAdministrator = refusal(
  'identity.last-administrator',
  40913,
  '至少保留一名可登录的管理员',
  'At least one administrator who can sign in must remain',
)

const roles = listOver(Role, 'identity.role', roleSearch)

export const calls = serve(role, {
  query: ({ tx, input }) => page(tx, roles, input),
  queryNoPage: ({ tx }) =>
    tx
      .selectFrom('identity.role')
      .select(['id', 'name', 'grants', 'dataScope', 'parks', 'builtIn', 'remark', 'createdAt', 'version'])
      .orderBy('name')
      .limit(ROLES_MAX)
      .execute() as never,

  async add({ tx, input: { resourceIds = [], buttonIds = [], ...fields }, actor }) {
    beWary()
    const holding = await holdingOf(tx, actor)
    refuseWider(actor, fields)
    await refuseGrants(tx, holding, { grants: fields.grants ?? Grants.chosen, resourceIds, buttonIds })
    const { id } = await tx
      .insertInto('identity.role')
      .values({ remark: null, ...fields })
      .returning('id')
      .executeTakeFirstOrThrow()
    await grant(tx, id, { resourceIds, buttonIds })
    return { id } as never
  },

  async update({ tx, input: { id, version, resourceIds, buttonIds, ...fields }, actor }) {
    beWary()
    const holding = await holdingOf(tx, actor)
    const before = await tx.selectFrom('identity.role').selectAll().where('id', '=', id).executeTakeFirst()
    if (!before) throw NotFound()
    // Whoever lacks what a role gives may neither widen nor otherwise touch it: they could take it from those who have more.
    await refuseGrants(tx, holding, { grants: before.grants, ...(await chosenOf(tx, id)) })
    refuseWider(actor, { dataScope: fields.dataScope ?? before.dataScope, parks: fields.parks ?? before.parks })
    await refuseGrants(tx, holding, { grants: fields.grants ?? before.grants, resourceIds: resourceIds ?? [], buttonIds: buttonIds ?? [] })
    const { numUpdatedRows } = await tx
      .updateTable('identity.role')
      .set((of) => ({ ...fields, version: of('version', '+', 1), updatedAt: of.fn('now') as never }))
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw Stale()
    await grant(tx, id, { resourceIds, buttonIds })
    await keepAdministrator(tx)
  },

  async del({ tx, input: { id }, actor }) {
    beWary()
    const found = await tx.selectFrom('identity.role').select('grants').where('id', '=', id).executeTakeFirst()
    if (!found) throw NotFound()
    await refuseGrants(tx, await holdingOf(tx, actor), { grants: found.grants, ...(await chosenOf(tx, id)) })
    const { count } = await tx.selectFrom('identity.personRole').select((of) => of.fn.countAll<number>().as('count')).where('roleId', '=', id).executeTakeFirstOrThrow() // prettier-ignore
    if (count > 0) throw RoleInUse({ count })
    await tx.deleteFrom('identity.role').where('id', '=', id).execute()
  },
})
const ROLES_MAX = 1_000

/** Somebody who sees chosen parks only gives no more than these. */
export function refuseWider({ scope }: Actor, { dataScope, parks = [] }: { dataScope: number; parks?: readonly string[] }) {
  if (scope.parks === null) return
  const own = scope.parks
  if (dataScope !== 6 || !parks.every((park) => own.includes(park))) throw ScopeBeyondOwn()
}

interface Chosen {
  resourceIds: readonly string[]
  buttonIds: readonly string[]
}
/** What a role would give has to be the giver's own, whichever way it is given. */
export async function refuseGrants(tx: Tx, holding: Holding, { grants, resourceIds, buttonIds }: Chosen & { grants: number }) {
  const rows = await run<{ code: string }>(tx, { sql: GIVEN }, [grants, resourceIds, buttonIds])
  refuseBeyond(holding, rows.map(({ code }) => code)) // prettier-ignore
}
const GIVEN = `select code from identity.capability where ($1 = 2 or ($1 = 3 and code like '%:view')) and (not platform_only or identity.runs_platform(scope_enterprise()))
  union select unnest(needs) from identity.resource where $1 = 1 and id = any ($2::uuid[])
  union select capability from identity.button where $1 = 1 and id = any ($3::uuid[])`

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
    if (resourceIds.length) await tx.insertInto('identity.roleResource').values([...new Set(resourceIds)].map((resourceId) => ({ roleId, resourceId }))).execute() // prettier-ignore
  }
  if (buttonIds) {
    await tx.deleteFrom('identity.roleButton').where('roleId', '=', roleId).execute()
    if (buttonIds.length) await tx.insertInto('identity.roleButton').values([...new Set(buttonIds)].map((buttonId) => ({ roleId, buttonId }))).execute() // prettier-ignore
  }
}

/** Whatever was changed: somebody can still sign in who may change roles and people. The enterprise's row is locked, so that two do not leave together. */
export async function keepAdministrator(tx: Tx) {
  await run(tx, { sql: 'select 1 from identity.enterprise where id = scope_enterprise() for update' }, [])
  const [left] = await run<{ some: boolean }>(
    tx,
    {
      sql: `select exists (select from identity.person p where p.enterprise_id = scope_enterprise() and p.lock_state = 1
        and identity.capabilities_of(p.enterprise_id, p.id) @> '{identity:role:edit,identity:person:edit}') as some`,
    },
    [],
  )
  if (!left!.some) throw LastAdministrator()
}
