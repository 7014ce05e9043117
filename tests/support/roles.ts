import type pg from 'pg'
import { run } from '../../platform/server/database.ts'
import type { TestServer } from './server.ts'

let people = 0
/** Somebody with a role of their own: these screens by their components, and of all buttons those that need one of `capabilities`. What is not named is not theirs. */
export async function someoneWho(server: TestServer, owner: pg.Client, screens: readonly string[], capabilities: readonly string[] = []) {
  const admin = await server.signIn('admin')
  const post = async (path: string, body: object) => (await server.ask(admin, 'POST', `/lbs/custom${path}`, body)).data
  const ids = async (sql: string, value: unknown) => (await owner.query<{ id: string }>(sql, [value])).rows.map(({ id }) => id)
  const username = `someone${++people}`
  const role = await post('/roleNew/roleAddNew', {
    name: username,
    dataScope: 2,
    grants: 1,
    resourceIds: await ids('select id from identity.resource where component = any ($1)', screens),
    buttonIds: await ids('select id from identity.button where capability = any ($1)', capabilities),
  })
  const made = await post('/person/add', { username, name: username, roleIds: [role.id] })
  await owner.query('update identity.person set must_change = false where id = $1', [made.id])
  return { username, password: made.password as string }
}
/** The same, signed in. */
export async function tokenOfSomeoneWho(
  server: TestServer,
  owner: pg.Client,
  screens: readonly string[],
  capabilities: readonly string[] = [],
): Promise<string> {
  const { username, password } = await someoneWho(server, owner, screens, capabilities)
  return server.signIn(username, password)
}
/** Somebody who may do everything, in these parks alone; signed in. */
export async function tokenOfParks(server: TestServer, parks: readonly string[]): Promise<string> {
  const admin = await server.signIn('admin')
  const post = async (path: string, body: object) => (await server.ask(admin, 'POST', `/lbs/custom${path}`, body)).data
  const username = `parks${++people}`
  const role = await post('/roleNew/roleAddNew', { name: username, dataScope: 6, grants: 2, parks })
  const made = await post('/person/add', { username, name: username, roleIds: [role.id] })
  const own = { sql: 'update identity.person set must_change = false where id = $1' }
  await server.house.writing(1, 'test', (tx) => run(tx, own, [made.id]))
  return server.signIn(username, made.password)
}
