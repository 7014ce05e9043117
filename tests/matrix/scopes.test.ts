import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashed } from '../../domains/identity/server/password.ts'
import { DataScope } from '../../domains/identity/contract/role.ts'
import { each, tally } from '../../scripts/tally.ts'
import { digestOf, PASSWORD } from '../support/server.ts'
import { bearer, foreignSeen } from './checks.ts'
import { type Victim, victimOf } from './inputs.ts'
import { calls, openWorld, type World } from './world.ts'

/** One company: 总部 looks after P001, 东区 below it after P002, 西区 beside it after P003. Somebody of 总部 has one role of each data scope. */
let world: World
let victim: Victim
const departments: Record<string, string> = {}
const tokens = new Map<number, string>()
/** Parks that each scope shows to somebody of 总部; null is all. */
const PARKS: Record<keyof typeof DataScope.entries, string[] | null> = {
  1: null,
  2: null,
  3: ['P001', 'P002'],
  4: ['P001'],
  5: ['P001'],
  6: ['P002'],
}
/** Of the people of this test (one in each department, and six in 总部 with a role each). */
const PEOPLE: Record<keyof typeof DataScope.entries, number> = { 1: 9, 2: 9, 3: 8, 4: 7, 5: 1, 6: 9 }

beforeAll(async () => {
  world = await openWorld()
  victim = await victimOf(world.owner, 1, 'P003')
  const one = async (sql: string, values: unknown[]) => (await world.owner.query<{ id: string }>(`${sql} returning id`, values)).rows[0]!.id
  const department = async (name: string, parent: string | null, park: string) =>
    (departments[name] = await one('insert into identity.department (enterprise_id, name, parent_id, parks) values (1, $1, $2, $3)', [name, parent, [park]])) // prettier-ignore
  const head = await department('总部', null, 'P001')
  await department('东区', head, 'P002')
  await department('西区', null, 'P003')
  const person = (username: string, of: string, hash: string) =>
    one('insert into identity.person (enterprise_id, department_id, username, name, password_hash, must_change) values (1, $1, $2, $3, $4, false)', [departments[of], username, `范围${username}`, hash]) // prettier-ignore
  for (const name of ['总部', '东区', '西区']) await person(`in-${randomUUID().slice(0, 8)}`, name, 'x')
  for (const scope of Object.keys(PARKS).map(Number)) {
    const username = `scope-${scope}`
    const id = await person(username, '总部', await hashed(digestOf(username, PASSWORD)))
    const role = await one('insert into identity.role (enterprise_id, name, grants, data_scope, parks) values (1, $1, 2, $2, $3)', [username, scope, scope === 6 ? ['P002'] : []]) // prettier-ignore
    await world.owner.query('insert into identity.person_role (enterprise_id, person_id, role_id) values (1, $1, $2)', [id, role])
    tokens.set(scope, await world.signIn(username))
  }
})
afterAll(() => world.close())

const named = (id: string) => calls.find((call) => call.id === id)!
const asked = async (scope: number, id: string, input: Record<string, unknown>) => {
  const { status, text } = await world.ask(named(id), input, bearer(tokens.get(scope)!))
  return { status, data: (JSON.parse(text) as { data: any }).data }
}
const counted = async (sql: string, parks: string[] | null) =>
  (await world.owner.query<{ n: number }>(`select count(*)::int as n from ${sql} and ($1::text[] is null or park_code = any ($1))`, [parks])).rows[0]!
    .n

const scopes = Object.keys(PARKS).map((code) => [DataScope.entries[Number(code) as 1][0], Number(code) as 1] as const)

describe.each(scopes)('%s', (_, scope) => {
  test('the list of parks and the list of stays show its parks; the counts count no others; a detail elsewhere is not there', async () => {
    const parks = PARKS[scope]
    const list = await asked(scope, 'parking.park.query-page', { limit: 500 })
    const codes = list.data.records.map(({ parkCode }: any) => parkCode)
    expect(codes).toHaveLength(await counted('parking.park where enterprise_id = 1', parks))
    if (parks) expect(codes.sort()).toEqual(parks)
    const total = await asked(scope, 'parking.record.query-page', { queryMode: 'total' })
    expect(total.data.total).toBe(await counted('parking.stay where enterprise_id = 1', parks))
    const elsewhere = await asked(scope, 'parking.screen.detail', { parkCode: 'P003' })
    expect(elsewhere.status).toBe(parks ? 404 : 200)
  })
  test('people: the list, its count, and those who are not in it are not there for any other call either', async () => {
    const { data } = await asked(scope, 'identity.person.query-page', { limit: 500 })
    const seen = data.records.filter(({ name }: any) => name.startsWith('范围'))
    expect(seen).toHaveLength(PEOPLE[scope])
    const { data: counted } = await asked(scope, 'identity.person.query-page', { queryMode: 'total' })
    expect(counted.total).toBe(data.records.length)
    const hidden = await world.owner.query<{ id: string; version: number }>(`select id, version from identity.person where department_id = $1`, [departments['西区']]) // prettier-ignore
    const [one] = hidden.rows
    const outside = PEOPLE[scope] === 9 ? 200 : 404
    expect((await asked(scope, 'identity.person.reset-password', { custId: one!.id })).status).toBe(outside)
  })
  test('no call shows or changes a row of another park', async () => {
    const parks = PARKS[scope]
    if (!parks) return
    const guarded = calls.filter(({ needs }) => needs !== 'public')
    const where = `enterprise_id = 1 and park_code not in (${parks.map((park) => `'${park}'`)})`
    expect(await foreignSeen(world, guarded, victim, tokens.get(scope)!, where)).toEqual([])
    tally({ check: `scope: ${DataScope.entries[scope][1]}`, calls: each(guarded, 2) })
  })
})

test('a department’s head works among their own: nobody is put elsewhere, no role reaches further, no department elsewhere is touched', async () => {
  tokens.set(3, await world.signIn('scope-3')) // every call was tried with the last one, signing out too
  const add = (input: object) => asked(3, 'identity.person.add', { username: `n${randomUUID().slice(0, 8)}`, name: '新人', ...input })
  expect((await add({ departmentId: departments['东区'] })).status).toBe(200)
  expect((await add({ departmentId: departments['西区'] })).status).toBe(403)
  expect((await add({})).status).toBe(403)
  const role = (dataScope: number) => asked(3, 'identity.role.add', { name: `r${randomUUID().slice(0, 8)}`, dataScope })
  expect([(await role(4)).status, (await role(5)).status, (await role(2)).status, (await role(3)).status]).toEqual([200, 200, 403, 403])
  const tree = (await asked(3, 'identity.department.tree', {})).data
  expect(tree.map(({ name, children }: any) => [name, children.map((one: any) => one.name)])).toEqual([['总部', ['东区']]])
  expect((await asked(3, 'identity.department.query-page', {})).data.total).toBe(2)
  const rename = (of: string) => asked(3, 'identity.department.update', { id: departments[of], version: 1, name: `${of}改` })
  expect([(await rename('东区')).status, (await rename('西区')).status]).toEqual([200, 403])
  expect((await asked(3, 'identity.department.add', { name: '顶层' })).status).toBe(403)
})
