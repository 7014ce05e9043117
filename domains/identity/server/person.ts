import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { type Actor, phased, serve } from '../../../platform/server/serve.ts'
import { person, Person, personSearch } from '../contract/person.ts'
import { holdingOf } from './holding.ts'
import { digestOf, hashed, randomPassword } from './password.ts'
import { chosenOf, keepAdministrator, refuseGrants, refuseWider } from './role.ts'
import { endSessions } from './session.ts'
import { beWary } from './sessions.ts'
import './tables.ts'

const NameTaken = refusal('identity.username-taken', 40914, '用户名已被使用', 'This username is taken')
const NotYourself = refusal('identity.not-yourself', 40915, '不能对自己进行此操作', 'You cannot do this to yourself')

const people = listOver(Person, 'identity.staff', personSearch)

export const calls = serve(person, {
  queryPage: ({ tx, input }) => page(tx, people, input),

  add: phased(async ({ input: { roleIds = [], ...fields }, actor, write }) => {
    const password = randomPassword()
    const passwordHash = await hashed(digestOf(fields.username, password))
    return write(async (tx) => {
      beWary()
      await refuseDepartment(tx, actor, fields.departmentId)
      const { id } = await tx
        .insertInto('identity.person')
        .values({ departmentId: null, staffNo: null, phone: null, email: null, remark: null, lockedUntil: null, ...fields, passwordHash })
        .returning('id')
        .executeTakeFirstOrThrow()
        .catch(taken)
      await giveRoles(tx, actor, id, [], roleIds)
      return { id, username: fields.username, password } as never
    })
  }),

  update: phased(async ({ input: { id, version, roleIds, ...fields }, actor, at, read, write }) => {
    const before = await read((tx) => found(tx, id))
    const renamed = fields.username !== undefined && fields.username.toLowerCase() !== before.username.toLowerCase()
    const password = renamed ? randomPassword() : null
    const passwordHash = password ? await hashed(digestOf(fields.username!, password)) : undefined
    await write(async (tx) => {
      beWary()
      if (roleIds || renamed) await refuseHigher(tx, actor, id)
      await refuseDepartment(tx, actor, fields.departmentId)
      const { numUpdatedRows } = await tx
        .updateTable('identity.person')
        .set((of) => ({
          ...fields,
          ...(passwordHash && { passwordHash, passwordAt: at, mustChange: true }),
          version: of('version', '+', 1),
          updatedAt: at, // prettier-ignore
        }))
        .where('id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst()
        .catch(taken)
      if (numUpdatedRows === 0n) throw Stale()
      if (roleIds) await giveRoles(tx, actor, id, await rolesOf(tx, id), roleIds)
      if (renamed) await endSessions(tx, at, 'renamed', { personId: id })
      await keepAdministrator(tx)
    })
    return { username: fields.username ?? before.username, password }
  }),

  async delete({ tx, input: { id }, actor }) {
    beWary()
    if (id === actor.userId) throw NotYourself()
    await found(tx, id)
    await refuseHigher(tx, actor, id)
    await tx.deleteFrom('identity.person').where('id', '=', id).execute()
    await keepAdministrator(tx)
  },

  resetPassword: phased(async ({ input: { custId }, actor, at, read, write }) => {
    if (custId === actor.userId) throw NotYourself()
    const { username } = await read(async (tx) => {
      const one = await found(tx, custId)
      await refuseHigher(tx, actor, custId)
      return one
    })
    const password = randomPassword()
    const passwordHash = await hashed(digestOf(username, password))
    await write(async (tx) => {
      beWary()
      await tx
        .updateTable('identity.person')
        .set((of) => ({
          passwordHash,
          passwordAt: at,
          mustChange: true,
          failures: 0,
          lockedUntil: null,
          version: of('version', '+', 1),
          updatedAt: at,
        }))
        .where('id', '=', custId)
        .execute()
      await endSessions(tx, at, 'reset', { personId: custId })
    })
    return { password }
  }),

  async updateLock({ tx, input: { id, version, lockState }, actor, at }) {
    beWary()
    if (id === actor.userId) throw NotYourself()
    await found(tx, id)
    await refuseHigher(tx, actor, id)
    const { numUpdatedRows } = await tx
      .updateTable('identity.person')
      .set((of) => ({ lockState, failures: 0, lockedUntil: null, version: of('version', '+', 1), updatedAt: at }))
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw Stale()
    if (lockState === 2) await endSessions(tx, at, 'locked', { personId: id })
    await keepAdministrator(tx)
  },
})

async function found(tx: Tx, id: string) {
  const row = await tx.selectFrom('identity.person').select(['id', 'username']).where('id', '=', id).executeTakeFirst()
  if (!row) throw NotFound()
  return row
}
const rolesOf = async (tx: Tx, personId: string) =>
  (await tx.selectFrom('identity.personRole').select('roleId').where('personId', '=', personId).execute()).map(({ roleId }) => roleId)

/** Nobody gives or takes a role that holds more than they have themselves. */
async function giveRoles(tx: Tx, actor: Actor, personId: string, before: readonly string[], after: readonly string[]) {
  const holding = await holdingOf(tx, actor)
  const changed = [...after.filter((one) => !before.includes(one)), ...before.filter((one) => !after.includes(one))]
  for (const roleId of changed) await refuseRole(tx, actor, holding, roleId)
  if (before.length) await tx.deleteFrom('identity.personRole').where('personId', '=', personId).execute()
  if (after.length) await tx.insertInto('identity.personRole').values([...new Set(after)].map((roleId) => ({ personId, roleId }))).execute() // prettier-ignore
}
/** Nor touches the sign-in of somebody who has more: that would be taking it over. */
async function refuseHigher(tx: Tx, actor: Actor, personId: string) {
  if (personId === actor.userId) return
  const holding = await holdingOf(tx, actor)
  for (const roleId of await rolesOf(tx, personId)) await refuseRole(tx, actor, holding, roleId)
}
async function refuseRole(tx: Tx, actor: Actor, holding: Awaited<ReturnType<typeof holdingOf>>, roleId: string) {
  const role = await tx.selectFrom('identity.role').select(['grants', 'dataScope', 'parks']).where('id', '=', roleId).executeTakeFirst()
  if (!role) throw NotFound()
  refuseWider(actor, role)
  await refuseGrants(tx, holding, { grants: role.grants, ...(await chosenOf(tx, roleId)) })
}

/** A department shows its parks to its people: whoever sees chosen parks puts nobody where there are others, themselves least. */
async function refuseDepartment(tx: Tx, actor: Actor, departmentId: string | null | undefined) {
  if (!departmentId || actor.scope.parks === null) return
  const parks = await run<{ park: string }>(tx, { sql: 'select unnest(identity.parks_of(scope_enterprise(), $1, 3::smallint, null)) as park' }, [
    departmentId,
  ])
  refuseWider(actor, { dataScope: 6, parks: parks.map(({ park }) => park) })
}

const taken = (error: { code?: string; constraint?: string }): never => {
  throw error.code === '23505' && error.constraint === 'person_username' ? NameTaken() : error
}
