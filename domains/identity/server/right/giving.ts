import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import type { Actor } from '../../../../platform/server/serve.ts'
import { type Holding, holdingOf } from './holding.ts'
import { chosenOf, refuseGrants, refuseWider, ScopeBeyondOwn } from './role.ts'
import { beWary } from '../signIn/sessions.ts'
import '../tables.ts'

export const NameTaken = refusal('identity.username-taken', 40224, '用户名已被使用，请换一个', 'This username is already in use: choose another one')

export const rolesOf = async (tx: Tx, personId: string) =>
  (await tx.selectFrom('identity.personRole').select('roleId').where('personId', '=', personId).execute()).map(({ roleId }) => roleId)

/** Nobody gives or takes a role that holds more than they have themselves. */
export async function giveRoles(tx: Tx, actor: Actor, personId: string, before: readonly string[], after: readonly string[], known?: Holding) {
  const changed = [...after.filter((one) => !before.includes(one)), ...before.filter((one) => !after.includes(one))]
  const holding = changed.length > 0 ? (known ?? (await holdingOf(tx, actor))) : undefined
  for (const roleId of changed) await refuseRole(tx, actor, holding!, roleId)
  if (before.length) await tx.deleteFrom('identity.personRole').where('personId', '=', personId).execute()
  if (after.length)
    await tx
      .insertInto('identity.personRole')
      .values([...new Set(after)].map((roleId) => ({ personId, roleId })))
      .execute()
}
/** Nor touches the sign-in of somebody who has more: that would be taking it over. */
export async function refuseHigher(tx: Tx, actor: Actor, personId: string) {
  if (personId === actor.userId) return
  const holding = await holdingOf(tx, actor)
  for (const roleId of await rolesOf(tx, personId)) await refuseRole(tx, actor, holding, roleId)
}
async function refuseRole(tx: Tx, actor: Actor, holding: Holding, roleId: string) {
  const role = await tx.selectFrom('identity.role').select(['grants', 'dataScope', 'parks']).where('id', '=', roleId).executeTakeFirst()
  if (!role) throw NotFound()
  refuseWider(actor, role)
  await refuseGrants(tx, holding, { grants: role.grants, ...(await chosenOf(tx, roleId)) })
}

/**
 * A department shows its parks to its people: a person who sees chosen parks puts nobody where there are others, themselves least. One who sees some departments only puts
 * people into these and into no other, nor into none.
 */
export async function refuseDepartment(tx: Tx, actor: Actor, departmentId: string | null | undefined) {
  const { parks, people } = actor.scope
  if (departmentId !== undefined && people && !people.departments.includes(departmentId ?? '')) throw ScopeBeyondOwn()
  if (!departmentId || parks === null) return
  const shown = await run<{ park: string }>(tx, { sql: 'select unnest(identity.parks_of(scope_enterprise(), $1, 3::smallint, null)) as park' }, [
    departmentId,
  ])
  if (!shown.every(({ park }) => parks.includes(park))) throw ScopeBeyondOwn()
}

export const taken = (error: { code?: string; constraint?: string }): never => {
  throw error.code === '23505' && error.constraint === 'person_username' ? NameTaken() : error
}

/** Lets a person come back from the bin with their roles and department only for a person who could give both. */
export async function mayHaveBack(tx: Tx, actor: Actor, id: string) {
  beWary()
  await refuseHigher(tx, actor, id)
  const back = await tx.selectFrom('identity.person').select('departmentId').where('id', '=', id).executeTakeFirst()
  await refuseDepartment(tx, actor, back?.departmentId)
}
