import { randomUUID } from 'node:crypto'
import { hashed } from '../../domains/identity/server/signIn/password.ts'
import type { DataScope } from '../../domains/identity/contract/role.ts'
import { digestOf, PASSWORD } from '../support/server.ts'
import type { World } from './world.ts'

/** Parks that each scope shows to somebody of 总部; null is all. */
export const PARKS: Record<keyof typeof DataScope.entries, string[] | null> = {
  1: null,
  2: null,
  3: ['P001', 'P002'],
  4: ['P001'],
  5: ['P001'],
  6: ['P002'],
}
export type ScopeCode = keyof typeof PARKS

export interface ScopePeople {
  departments: Record<string, string>
  /** Of somebody of 总部 who may do everything, within that scope. */
  tokens: Map<number, string>
}
/** One company: 总部 looks after P001, 东区 below it after P002, 西区 beside it after P003. Somebody of 总部 has one role of each data scope. */
export async function scopePeople(world: World): Promise<ScopePeople> {
  const departments: Record<string, string> = {}
  const tokens = new Map<number, string>()
  const one = async (sql: string, values: unknown[]) => (await world.owner.query<{ id: string }>(`${sql} returning id`, values)).rows[0]!.id
  const department = async (name: string, parent: string | null, park: string) =>
    (departments[name] = await one('insert into identity.department (enterprise_id, name, parent_id, parks) values (1, $1, $2, $3)', [
      name,
      parent,
      [park],
    ]))
  const head = await department('总部', null, 'P001')
  await department('东区', head, 'P002')
  await department('西区', null, 'P003')
  const person = (username: string, of: string, hash: string) =>
    one('insert into identity.person (enterprise_id, department_id, username, name, password_hash, must_change) values (1, $1, $2, $3, $4, false)', [
      departments[of],
      username,
      `范围${username}`,
      hash,
    ])
  for (const name of ['总部', '东区', '西区']) await person(`in-${randomUUID().slice(0, 8)}`, name, 'x')
  for (const scope of Object.keys(PARKS).map(Number)) {
    const username = `scope-${scope}`
    const id = await person(username, '总部', await hashed(digestOf(username, PASSWORD)))
    const role = await one('insert into identity.role (enterprise_id, name, grants, data_scope, parks) values (1, $1, 2, $2, $3)', [
      username,
      scope,
      scope === 6 ? ['P002'] : [],
    ])
    await world.owner.query('insert into identity.person_role (enterprise_id, person_id, role_id) values (1, $1, $2)', [id, role])
    tokens.set(scope, await world.signIn(username))
  }
  return { departments, tokens }
}
