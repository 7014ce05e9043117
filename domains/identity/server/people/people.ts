import { run, type Tx } from '../../../../platform/server/database.ts'
import type { House } from '../../../../platform/server/domain.ts'
import { DataScope, RoleGrants } from '../../contract/role.ts'
import { digestOf, hashed, randomPassword } from '../signIn/password.ts'
import '../tables.ts'

/** The enterprise that runs the platform. */
export const PLATFORM = 1
const CAUSE = 'identity.first-start'

/**
 * An installation without people gets one administrator.
 * @returns its one-time password, to be shown once and changed at the first sign-in; undefined when somebody can sign in already.
 */
export async function ensureFirstAdministrator(house: House): Promise<string | undefined> {
  if (await someoneSignsIn(house)) return undefined
  const password = randomPassword()
  const passwordHash = await hashed(digestOf('admin', password))
  await house.writing(PLATFORM, CAUSE, async (tx) => {
    await ensureEnterprise(tx, { id: PLATFORM, name: '平台运营公司', platform: true })
    const role = await ensureRole(tx, { name: '平台管理员', grants: RoleGrants.everything, dataScope: DataScope.all })
    await ensurePerson(tx, { username: 'admin', name: '系统管理员', passwordHash, role })
  })
  return password
}

const someoneSignsIn = (house: House) =>
  house.reading(PLATFORM, async (tx) => (await run<{ yes: boolean }>(tx, { sql: 'select identity.someone_signs_in() as yes' }, []))[0]!.yes)

export async function ensureEnterprise(tx: Tx, { id, name, platform = false }: { id: number; name: string; platform?: boolean }): Promise<void> {
  await tx
    .insertInto('identity.enterprise')
    .values({ id, name, platform, parentId: null, contact: null, phone: null, address: null })
    .onConflict((same) => same.column('id').doNothing())
    .execute()
}

/** By its name within the enterprise of the scope. */
export async function ensureRole(
  tx: Tx,
  role: { name: string; grants: number; dataScope: number; parks?: readonly string[]; remark?: string },
): Promise<string> {
  const { name, grants, dataScope, parks = [], remark = null } = role
  await tx
    .insertInto('identity.role')
    .values({ name, grants, dataScope, parks: [...parks], remark, builtIn: true })
    .onConflict((same) => same.columns(['enterpriseId', 'name']).doNothing())
    .execute()
  return (await tx.selectFrom('identity.role').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
}

export async function ensurePerson(
  tx: Tx,
  person: { username: string; name: string; passwordHash: string; role: string; demo?: boolean; departmentId?: string },
): Promise<void> {
  const { username, name, passwordHash, role, demo = false, departmentId = null } = person
  const known = await tx.selectFrom('identity.person').select('id').where('username', '=', username).executeTakeFirst()
  if (known) {
    if (demo) await tx.updateTable('identity.person').set({ passwordHash }).where('id', '=', known.id).execute() // the demo was started with another password
    return
  }
  const { id } = await tx
    .insertInto('identity.person')
    .values({
      username,
      name,
      passwordHash,
      demo,
      mustChange: !demo,
      departmentId,
      staffNo: null,
      phone: null,
      email: null,
      lockedUntil: null,
      remark: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('identity.personRole').values({ personId: id, roleId: role }).execute()
}
