import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { formOf, sendSheet } from '../../../../tests/support/sheets.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

test('regions: a county and its township in one file; a code that breaks the standard is a bad row; what is exported comes back unchanged', async () => {
  const at = '/lbs/basic/tSysRegion/importRegion'
  const csv = '区划代码,名称,级别,上级代码\n420699,新区,县级,420600\n420699001,新城镇,乡级,420699\n420698,错级,乡级,420600\n'
  const refused = await sendSheet(server, admin, at, csv)
  expect(refused).toMatchObject({ status: 422, data: { added: 2, bad: 1 } })
  expect((await sendSheet(server, admin, at, csv, { skipBad: 'true' })).data).toMatchObject({ added: 2, bad: 1, written: true })
  const file = await server.ask(admin, 'GET', '/lbs/basic/tSysRegion/exportRegion', { code: '4206', format: 'xlsx' })
  const { data } = await server.ask(admin, 'POST', at, formOf('r.xlsx', file.data))
  expect(data).toMatchObject({ added: 0, changed: 0, bad: 0 })
  expect(data.same).toBeGreaterThan(10)
  expect((await sendSheet(server, await server.signIn('otheradmin'), at, csv)).status).toBe(403)
  expect((await server.ask(admin, 'GET', '/lbs/basic/tSysRegion/exportRegionTemplate')).headers.get('content-type')).toBe('application/vnd.ms-excel')
})
