import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DataScope } from '../../domains/identity/contract/role.ts'
import { bearer } from './checks.ts'
import { PARKS, type ScopeCode, scopePeople } from './scopePeople.ts'
import { calls, openWorld, type World } from './world.ts'

let world: World
let departments: Record<string, string>
let tokens: Map<number, string>
/** Of the people of this test (one in each department, and six in 总部 with a role each). */
const PEOPLE: Record<ScopeCode, number> = { 1: 9, 2: 9, 3: 8, 4: 7, 5: 1, 6: 9 }

beforeAll(async () => {
  world = await openWorld()
  ;({ departments, tokens } = await scopePeople(world))
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
    const hidden = await world.owner.query<{ id: string; version: number }>(`select id, version from identity.person where department_id = $1`, [
      departments['西区'],
    ])
    const [one] = hidden.rows
    const outside = PEOPLE[scope] === 9 ? 200 : 404
    expect((await asked(scope, 'identity.person.reset-password', { custId: one!.id })).status).toBe(outside)
  })
})

test('a department’s head works among their own: nobody is put elsewhere, no role reaches further, no department elsewhere is touched', async () => {
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
