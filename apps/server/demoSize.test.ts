import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PARKS, SMALL_PARKS } from '../../city/plan.ts'
import { aPark } from '../../domains/parking/server/testing.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { sizeOf } from './demoSize.ts'

let server: TestServer
let owner: pg.Client
let said: string[] = []
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
})
beforeEach(() => {
  said = []
})
afterAll(async () => {
  await owner?.end()
  await server?.close()
})
type Size = 'small' | 'city' | 'none'
const asked = (demo: Size) => sizeOf({ ...server.house, config: { ...server.house.config, demo } }, (line) => said.push(line))
/** As data is that was begun before its size was kept: nobody but the owner of the database takes that back. */
const forgotten = () => owner.query(`delete from platform.setting where name = 'demo.size'`)

test('what was begun in one size keeps it, and a start that is asked for another says so in one sentence', async () => {
  expect(await asked('small')).toBe('small')
  expect(await asked('small')).toBe('small')
  expect(said).toEqual([])
  expect(await asked('city')).toBe('small')
  expect(said).toEqual([expect.stringContaining('DEMO=small and stays so; for DEMO=city')])
})

test('a start without a demo fills nothing of one that an earlier start has begun, and a later one goes on with it', async () => {
  expect(await asked('none')).toBe('none')
  expect(said).toEqual([expect.stringContaining('begun with DEMO=small; with DEMO=none nothing more')])
  expect(await asked('small')).toBe('small')
})

test('data from before its size was kept tells it by its parks and its people', async () => {
  await forgotten()
  expect(await asked('city')).toBe('city')
  await forgotten()
  await server.house.writing(1, 'test', (tx) => aPark(tx, { parkCode: PARKS[SMALL_PARKS - 1]!.parkCode }))
  expect(await asked('city')).toBe('small')
  await forgotten()
  await server.house.writing(1, 'test', (tx) => aPark(tx, { parkCode: PARKS[SMALL_PARKS]!.parkCode }))
  expect(await asked('small')).toBe('city')
  await forgotten()
  await owner.query('set session_replication_role = replica')
  await owner.query('update identity.person set demo = false')
  expect(await asked('city')).toBe('none')
  expect(said.map((line) => /DEMO=\w+ and stays so; for DEMO=\w+/.exec(line)?.[0])).toEqual([
    'DEMO=small and stays so; for DEMO=city',
    'DEMO=city and stays so; for DEMO=small',
    'DEMO=none and stays so; for DEMO=city',
  ])
})
