import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoCity } from '../support/demo.ts'
import { PASSWORD, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  const city = await demoCity()
  server = await startTestServer({ demo: 'small', role: 'web', dataDir: city.dataDir }, city)
  token = await server.signIn('admin', PASSWORD)
})
afterAll(() => server.close())

test('the demo shows what customers brought up beside the work orders that repairs have opened', async () => {
  const rowsOf = async (path: string) =>
    (await server.ask(token, 'POST', `/lbs/basic/${path}`, {})).data.records as { state: number; createdName?: string }[]
  const states = (rows: { state: number }[]) => [...new Set(rows.map(({ state }) => state))].sort()
  expect(states(await rowsOf('sysSuggest/selectList'))).toEqual([0, 1, 2, 3, 4])
  expect(states(await rowsOf('SysCaseSolution/selectList'))).toEqual([0, 1])
  expect((await rowsOf('workOrder/selectList')).length).toBeGreaterThan(15)
})
