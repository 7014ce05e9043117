import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'

let server: TestServer
let owner: pg.Client
let admin: string
/** Three people with one role: they may change roles and people, and see one park. Whatever they do together, they stay within what they began with. */
const tokens: string[] = []
const ids: string[] = []
const PARKS = ['P001', 'P002', 'P003']
let resources: { id: string }[]
let buttons: { id: string; capability: string }[]
let began: Set<string>

const C = '/lbs/custom'
const post = (token: string, path: string, body: object = {}) => server.ask(token, 'POST', C + path, body)
const rows = async <R extends object>(sql: string, values: unknown[] = []) => (await owner.query<R>(sql, values)).rows

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  resources = await rows('select id from identity.resource where not retired')
  buttons = await rows('select id, capability from identity.button where not retired')
  const held = ['identity:role:edit', 'identity:person:edit', 'identity:person:lock', 'identity:department:edit']
  const urls = ['/appManage/permission/roles', '/appManage/organization/staff', '/appManage/organization/department']
  const opened = await rows<{ id: string }>('select id from identity.resource where url = any ($1)', [urls])
  const { data: role } = await post(admin, '/roleNew/roleAddNew', {
    name: '下放的管理',
    dataScope: 6,
    parks: ['P001'],
    resourceIds: opened.map(({ id }) => id),
    buttonIds: buttons.filter(({ capability }) => held.includes(capability)).map(({ id }) => id),
  })
  for (const username of ['one', 'two', 'three']) {
    const { data } = await post(admin, '/person/add', { username: `deputy-${username}`, name: username, roleIds: [role.id] })
    await owner.query('update identity.person set must_change = false where id = $1', [data.id])
    ids.push(data.id)
    tokens.push(await server.signIn(`deputy-${username}`, data.password))
  }
  began = new Set((await rows<{ codes: string[] }>('select identity.capabilities_of(1, $1) as codes', [ids[0]]))[0]!.codes)
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

/** One thing that one of the three tries: numbers choose among what there is at that moment. */
interface Try {
  who: number
  what: 'role' | 'change role' | 'give' | 'new person' | 'department' | 'lock' | 'delete role'
  one: number
  other: number
  grants: number
  scope: number
}
const aTry = fc.record<Try>({
  who: fc.nat({ max: 2 }),
  what: fc.constantFrom('role', 'change role', 'give', 'new person', 'department', 'lock', 'delete role'),
  one: fc.nat({ max: 10_000 }),
  other: fc.nat({ max: 10_000 }),
  grants: fc.integer({ min: 1, max: 3 }),
  scope: fc.integer({ min: 1, max: 6 }),
})

let made = 0
async function tried({ who, what, one, other, grants, scope }: Try): Promise<number> {
  const token = tokens[who]!
  const pick = <T>(all: readonly T[], by: number) => all[by % all.length]!
  const roles = await rows<{ id: string; version: number }>('select id, version from identity.role where enterprise_id = 1 order by id')
  const people = await rows<{ id: string; version: number }>('select id, version from identity.person where enterprise_id = 1 order by id')
  const chosen = {
    resourceIds: [pick(resources, one).id],
    buttonIds: [pick(buttons, other).id],
    parks: PARKS.slice(0, 1 + (one % 3)),
    dataScope: scope,
    grants,
  }
  const name = `n${++made}`
  const send = () => {
    switch (what) {
      case 'role':
        return post(token, '/roleNew/roleAddNew', { name, ...chosen })
      case 'change role':
        return post(token, '/roleNew/roleUpdateNew', { ...pick(roles, one), ...(other % 2 ? { grants, dataScope: scope } : chosen) })
      case 'give':
        return post(token, '/person/update', { ...pick(people, one), roleIds: [pick(roles, other).id, pick(roles, one).id] })
      case 'new person':
        return post(token, '/person/add', { username: `made-${name}`, name, roleIds: [pick(roles, other).id] })
      case 'department':
        return post(token, '/department/add', { name, parks: PARKS.slice(one % 3) })
      case 'lock':
        return post(token, '/person/updateLock', { ...pick(people, one), lockState: 2 })
      case 'delete role':
        return server.ask(token, 'POST', `${C}/roleNew/roleDelNew?id=${pick(roles, one).id}`)
    }
  }
  return (await send()).status
}

test('whatever deputies do together, in any order: nobody of theirs gets more than they began with, and an administrator stays', async () => {
  const before = await rows<{ codes: string[]; id: string }>(
    "select id, identity.capabilities_of(1, id) as codes from identity.person where username in ('admin', 'operator', 'auditor') order by id",
  )
  let granted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(aTry, { minLength: 12, maxLength: 25 }), async (tries) => {
      for (const one of tries) {
        const status = await tried(one)
        expect(status, JSON.stringify(one)).toBeLessThan(500)
        if (status === 200) granted++
      }
      const theirs = await rows<{ username: string; codes: string[]; parks: string[] | null }>(
        `select username, identity.capabilities_of(1, id) as codes, identity.parks_seen(1, id) as parks from identity.person
          where enterprise_id = 1 and username not in ('admin', 'operator', 'auditor')`,
      )
      for (const { username, codes, parks } of theirs) {
        expect([username, codes.filter((code) => !began.has(code))]).toEqual([username, []])
        expect([username, parks?.filter((park) => park !== 'P001') ?? null]).toEqual([username, []])
      }
      // Nor have they taken anything from those who had more.
      const after = await rows<{ codes: string[]; id: string }>(
        "select id, identity.capabilities_of(1, id) as codes from identity.person where username in ('admin', 'operator', 'auditor') and lock_state = 1 order by id",
      )
      expect(after).toEqual(before)
    }),
    { numRuns: Number(process.env['RUNS'] ?? 4) },
  )
  expect(granted).toBeGreaterThan(0)
})
