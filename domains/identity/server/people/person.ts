import type { Id, Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { type Actor, phased, serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { importing } from '../../../../platform/server/sheets/importing.ts'
import { LockState, person, Person, personSearch } from '../../contract/person.ts'
import { giveRoles, refuseDepartment, refuseHigher, rolesOf, taken } from '../right/giving.ts'
import { holdingOf } from '../right/holding.ts'
import { menuOf, unseenOf } from '../right/menu.ts'
import { digestOf, hashed, matches, Mismatch, randomPassword, SamePassword } from '../signIn/password.ts'
import { personImport } from './personImport.ts'
import { keepAdministrator } from '../right/role.ts'
import { dropFactor } from '../signIn/secondFactor.ts'
import { revokeKeys } from '../signIn/apiKey.ts'
import { endSessions } from '../signIn/opening.ts'
import { beWary } from '../signIn/sessions.ts'
import '../tables.ts'
import { personHeld } from '../questions.ts'
import { tellPasswordChanged } from '../tell.ts'

const NotYourself = refusal(
  'identity.not-yourself',
  40228,
  '不能对自己进行此操作；请由其他管理员办理',
  'You cannot do this to yourself: ask another administrator',
)

const PersonHeld = refusal('identity.person-held', 40268, '{name} {zh}，不能删除', '{name} cannot be deleted: {en}')

const people = listOver(Person, 'identity.staff', personSearch)
const persons = rowsOver(Person, 'identity.person', ['username', 'passwordHash'])

export const calls = serve(person, {
  queryPage: ({ tx, input }) => page(tx, people, input),
  import: importing(person.import, personImport),
  export: exporting(person.export, people),

  async detail({ tx, input: { id }, actor: { enterprise } }) {
    const row = await find(tx, people, id)
    if (!row) throw NotFound()
    const holding = await holdingOf(tx, { userId: id, enterprise })
    const [[seen], opens, unseen] = await Promise.all([
      run<{ parks: string[] | null; departments: string[] | null }>(tx, { sql: SEEN }, [enterprise, id]),
      menuOf(tx, holding),
      unseenOf(tx, holding),
    ])
    return { ...row, ...seen!, capabilities: [...holding.capabilities], opens, unseen }
  },

  add: phased(async ({ input, actor, write }) => {
    const password = randomPassword()
    const passwordHash = await hashed(digestOf(input.username, password))
    return write(async (tx) => ({ id: await addPerson(tx, actor, input, passwordHash), username: input.username, password }))
  }),

  update: phased(async ({ input, actor, at, read, write }) => {
    const before = await read((tx) => found(tx, input.id))
    const renamed = input.username !== undefined && input.username.toLowerCase() !== before.username.toLowerCase()
    const password = renamed ? randomPassword() : null
    const passwordHash = password ? await hashed(digestOf(input.username!, password)) : undefined
    return write(async (tx) => {
      await changePerson(tx, actor, at, input, passwordHash)
      return { username: input.username ?? before.username, password }
    })
  }),

  async delete({ tx, input: { id }, actor, at }) {
    beWary()
    if (id === actor.userId) throw NotYourself()
    const { name } = await found(tx, id)
    await refuseHigher(tx, actor, id)
    const person = await lockRow(tx, persons, { id })
    for (const { answer } of await personHeld.ask(tx, { personId: id })) throw PersonHeld({ name, ...answer })
    await removeRow(tx, persons, person, at)
    await keepAdministrator(tx)
  },

  resetPassword: phased(async ({ input: { custId, newPassword, confirmPassword }, actor, at, read, write }) => {
    if (custId === actor.userId) throw NotYourself()
    if (newPassword !== confirmPassword) throw Mismatch()
    const { username, passwordHash: old } = await read(async (tx) => {
      const one = await found(tx, custId)
      await refuseHigher(tx, actor, custId)
      return one
    })
    if (newPassword && (await matches(newPassword, old))) throw SamePassword()
    const password = newPassword ? null : randomPassword()
    const passwordHash = await hashed(newPassword ?? digestOf(username, password!))
    return write(async (tx) => {
      beWary()
      const one = await lockRow(tx, persons, { id: custId })
      await setRow(tx, persons, one, { passwordHash, passwordAt: at, mustChange: true, failures: 0, lockedUntil: null }, at)
      await endSessions(tx, at, 'reset', { personId: custId })
      await revokeKeys(tx, custId, actor, at)
      await tellPasswordChanged(tx, { personId: custId, enterprise: actor.enterprise, at, by: actor.userName })
      return { password }
    })
  }),

  async resetSecondFactor({ tx, input: { custId }, actor, at }) {
    if (custId === actor.userId) throw NotYourself()
    await found(tx, custId)
    await refuseHigher(tx, actor, custId)
    if (await dropFactor(tx, custId)) await endSessions(tx, at, 'reset', { personId: custId })
  },

  async updateLock({ tx, input: { id, version, lockState }, actor, at }) {
    beWary()
    if (id === actor.userId) throw NotYourself()
    await found(tx, id)
    await refuseHigher(tx, actor, id)
    await setRow(tx, persons, await lockRow(tx, persons, { id, version }), { lockState, failures: 0, lockedUntil: null }, at)
    if (lockState === LockState.locked) {
      await endSessions(tx, at, 'locked', { personId: id })
      await revokeKeys(tx, id, actor, at)
    }
    await keepAdministrator(tx)
  },
})

const SEEN = `select identity.parks_seen($1, $2) as parks, case when identity.departments_of($1, $2) is null then null else
  array(select d.name from identity.department d where d.id = any (identity.departments_of($1, $2)) order by d.name) end as departments`

interface Fields {
  name: string
  staffNo?: string | null
  phone?: string | null
  email?: string | null
  departmentId?: string | null
  remark?: string | null
  roleIds?: readonly string[]
}
/**
 * One more person. `passwordHash` is of a password that the server made; they change it at their first sign-in.
 * @returns their id
 */
export async function addPerson(
  tx: Tx,
  actor: Actor,
  { roleIds = [], ...fields }: Fields & { username: string },
  passwordHash: string,
): Promise<Id<'PersonId'>> {
  beWary()
  await refuseDepartment(tx, actor, fields.departmentId ?? null)
  const nothing = { departmentId: null, staffNo: null, phone: null, email: null, remark: null, lockedUntil: null }
  const { id } = await addRow(tx, persons, { ...nothing, ...fields, passwordHash }).catch(taken)
  await giveRoles(tx, actor, id, [], roleIds)
  return id
}

/** Changes what is named. With a `passwordHash` the username is another one: the digest holds the name, so every session ends and the new password has to be changed. */
export async function changePerson(
  tx: Tx,
  actor: Actor,
  at: Instant,
  { id, version, roleIds, ...fields }: Partial<Fields> & { id: string; version: number; username?: string },
  passwordHash?: string,
): Promise<void> {
  beWary()
  // A person with more rights is not changed at all: their mailbox and their phone are where codes and warnings go.
  await refuseHigher(tx, actor, id)
  await refuseDepartment(tx, actor, fields.departmentId)
  const anew = passwordHash && { passwordHash, passwordAt: at, mustChange: true }
  await setRow(tx, persons, await lockRow(tx, persons, { id, version }), { ...fields, ...anew }, at).catch(taken)
  if (roleIds) await giveRoles(tx, actor, id, await rolesOf(tx, id), roleIds)
  if (passwordHash) {
    await endSessions(tx, at, 'renamed', { personId: id })
    await revokeKeys(tx, id, actor, at)
  }
  await keepAdministrator(tx)
}

async function found(tx: Tx, id: string) {
  const row = await tx.selectFrom('identity.person').select(['id', 'username', 'name', 'passwordHash']).where('id', '=', id).executeTakeFirst()
  if (!row) throw NotFound()
  return row
}
