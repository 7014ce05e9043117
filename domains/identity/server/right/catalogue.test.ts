import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type MenuEntry, screen } from '../../../../platform/contract/menu.ts'
import type { Domain } from '../../../../platform/server/domain.ts'
import { run } from '../../../../platform/server/database.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { syncCatalogue } from './catalogue.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  for (const table of ['role_button', 'button', 'role_resource', 'resource']) await sql(`delete from identity.${table}`)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => server.close())

const sql = <Row>(text: string, values: readonly unknown[] = []) =>
  server.house.writing(1, 'a test', (tx) => run<Row>(tx, { sql: text }, [...values]))
const release = (...menu: MenuEntry[]) => syncCatalogue(server.house, [{ name: 'shipped', calls: [], menu } as unknown as Domain])
const at = (path: `/${string}`) => screen(path, 'Screen', ['页面', 'Screen'], [])
const placeOf = async (url: string) =>
  (
    await sql(
      `select r.level, p.url as below, r.shipped ->> 'parent' as parent from identity.resource r left join identity.resource p on p.id = r.parent_id where r.url = $1`,
      [url],
    )
  )[0]

/** Below another: as a person hangs it. */
const hang = (url: string, below: string | null) =>
  sql('update identity.resource set parent_id = (select id from identity.resource where url = $2) where url = $1', [url, below])
const own = (url: string, below: string) =>
  sql('insert into identity.resource (url, name, name_en, parent_id) select $1, $1, $1, id from identity.resource where url = $2', [url, below])
/** As if the release before had shipped them at the root. */
const shippedAtRoot = (...urls: string[]) =>
  sql(`update identity.resource set parent_id = null, shipped = shipped || '{"parent": null}' where url = any ($1)`, [urls])

test('a folder that somebody moved deep does not stop the start of a release that ships more below it: that hangs where there is room, and the log says so', async () => {
  await release(at('/appManage/one'))
  for (const level of [1, 2, 3, 4])
    await sql(`insert into identity.resource (url, name, name_en, parent_id) select $1, $1, $1, (select id from identity.resource where url = $2)`, [
      `https://own.example/${level}`,
      `https://own.example/${level - 1}`,
    ])
  await sql(
    `update identity.resource set parent_id = (select id from identity.resource where url = 'https://own.example/4') where url = '/appManage'`,
  )
  expect(await placeOf('/appManage/one')).toMatchObject({ level: 6 })
  const warn = vi.spyOn(server.house.log, 'warn')
  const next = [at('/appManage/one'), at('/appManage/organization/two')]
  await release(...next)
  expect(await placeOf('/appManage/organization')).toMatchObject({ level: 6, below: '/appManage' })
  expect(await placeOf('/appManage/organization/two')).toEqual({ level: 6, below: '/appManage', parent: '/appManage/organization' })
  expect(warn.mock.calls.map(([what]) => what)).toEqual([
    { url: '/appManage/organization/two', parent: '/appManage/organization', below: '/appManage' },
  ])
  await release(...next)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(await placeOf('/appManage/organization/two')).toMatchObject({ level: 6, below: '/appManage' })
})

test('what a release moves hangs at the root where people made it too tall for any other place', async () => {
  const [mine, other] = [at('/appManage/organization/mine'), at('/appManage/organization/other')]
  await release(mine, other)
  await shippedAtRoot('/appManage/organization/mine', '/appManage/organization/other')
  for (const level of [1, 2, 3, 4, 5])
    await own(`https://own.example/${level}`, level === 1 ? '/appManage/organization/mine' : `https://own.example/${level - 1}`)
  const warn = vi.spyOn(server.house.log, 'warn')
  await release(mine, other)
  expect(await placeOf('/appManage/organization/mine')).toEqual({ level: 1, below: null, parent: '/appManage/organization' })
  expect(await placeOf('https://own.example/5')).toMatchObject({ level: 6 })
  expect(await placeOf('/appManage/organization/other')).toMatchObject({ level: 3, below: '/appManage/organization' })
  expect(warn.mock.calls.map(([what]) => what)).toEqual([{ url: '/appManage/organization/mine', parent: '/appManage/organization', below: null }])
  await release(mine, other)
  expect(warn).toHaveBeenCalledTimes(1)
})

test('what a release moves never comes to hang below itself, nor do two below one another', async () => {
  const [one, two] = [at('/appManage/organization/one'), at('/appManage/permission/two')]
  await release(one, two)
  await shippedAtRoot('/appManage/organization/one', '/appManage/permission/two')
  await hang('/appManage/organization', '/appManage/permission/two')
  await hang('/appManage/permission', '/appManage/organization/one')
  await release(one, two)
  expect(await placeOf('/appManage/organization/one')).toMatchObject({ level: 3, below: '/appManage/organization' })
  expect(await placeOf('/appManage/permission/two')).toMatchObject({ level: 1, below: null })
  await shippedAtRoot('/appManage/permission/two')
  await release(one, two)
  expect(await placeOf('/appManage/permission')).toMatchObject({ level: 4, below: '/appManage/organization/one' })
  expect(await placeOf('/appManage/permission/two')).toMatchObject({ level: 1, below: null })
})
