import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_ENTERPRISE } from '../domains/identity/server/api.ts'
import { run } from '../platform/server/database.ts'
import { PASSWORD, startTestServer, type TestServer } from '../tests/support/server.ts'
import { type Client, signIn } from './client.ts'
import { fillPiles, giveSecrets, pilesLeft, setUpPiles, STATIONS } from './piles.ts'
import { PARKS } from './plan.ts'
import { setUp } from './setup.ts'

let server: TestServer
let admin: Client
beforeAll(async () => {
  server = await startTestServer()
  admin = await signIn(server.url, 'admin', PASSWORD)
  await setUp(admin, PARKS.slice(0, STATIONS.length))
}, 60_000)
afterAll(() => server?.close())
const counted = (sql: string) => server.house.reading(DEMO_ENTERPRISE, (tx) => run<{ of: string; n: number }>(tx, { sql }, []))
const PILES = STATIONS.flatMap(({ points }) => points).length
/** A client that the server leaves after so many questions. */
const leaving = (after: number): Client => {
  let left = after
  return { ask: (call, input) => (left-- > 0 ? admin.ask(call, input) : Promise.reject(new Error('away'))) }
}

test('a set-up that is cut off is finished by the next one, whatever was made last', async () => {
  const nowMs = Date.now()
  const [stations, withoutAGun] = [5, 8]
  for (const after of [stations, withoutAGun, 30])
    await expect(setUpPiles(server.house, leaving(after), DEMO_ENTERPRISE, nowMs)).rejects.toThrow('away')
  await setUpPiles(server.house, admin, DEMO_ENTERPRISE, nowMs)
  const made = `select 'guns' as of, count(*)::int as n from charging.connector union all select 'in use', count(*)::int from charging.equipment where admin_status = 1
    union all select 'prices', count(*)::int from charging.station_price`
  expect(await counted(made)).toEqual([
    { of: 'guns', n: PILES },
    { of: 'in use', n: PILES },
    { of: 'prices', n: STATIONS.length },
  ])
  await setUpPiles(server.house, leaving(0), DEMO_ENTERPRISE, nowMs)
}, 60_000)

test('piles that have no secret are given one, with an old password too; a new password is good at once', async () => {
  const secrets = `select secret_hash || coalesce(' then ' || next_hash, '') as of, count(*)::int as n from charging.link group by 1`
  await giveSecrets(server.house, DEMO_ENTERPRISE, { secret: PASSWORD, isNew: false })
  const given = await counted(secrets)
  expect(given).toEqual([{ of: expect.not.stringContaining(' then '), n: PILES }])
  await giveSecrets(server.house, DEMO_ENTERPRISE, { secret: 'another', isNew: false })
  expect(await counted(secrets)).toEqual(given)
  await giveSecrets(server.house, DEMO_ENTERPRISE, { secret: 'another', isNew: true })
  expect(await counted(secrets)).toEqual([{ of: expect.not.stringMatching(`^${given[0]!.of}$| then `), n: PILES }])
})

test('charges that are cut off half way go on at each pile where they were, and are told once', async () => {
  const { house } = server
  const charges = `select connector_id as of, count(*)::int as n from charging.charge group by 1 order by 1`
  let left = 20
  const away = { ...house, writing: ((...args) => (left-- > 0 ? house.writing(...args) : Promise.reject(new Error('away')))) as typeof house.writing }
  await expect(fillPiles(away, DEMO_ENTERPRISE, Date.now())).rejects.toThrow('away')
  const begun = await counted(charges)
  expect(begun.length).toBeGreaterThan(0)
  expect(begun.length).toBeLessThan(PILES)
  await fillPiles(house, DEMO_ENTERPRISE, Date.now())
  const told = await counted(charges)
  expect(told.map(({ n }) => n)).toEqual(Array.from({ length: PILES }, (_, place) => (place % 4 === 0 ? 3 : 2)))
  await fillPiles(house, DEMO_ENTERPRISE, Date.now())
  expect(await counted(charges)).toEqual(told)
}, 60_000)

test('a register that counts more than four bytes hold keeps no pile from going on', async () => {
  await setUpPiles(server.house, admin, DEMO_ENTERPRISE, Date.now())
  const registerWh = 9_007_199_254_740_000
  const left = await server.house.writing(DEMO_ENTERPRISE, 'test', async (tx) => {
    await run(tx, { sql: ENDED }, [registerWh])
    const piles = await pilesLeft(tx)
    await run(tx, { sql: `delete from charging.charge where order_no = 'CDHIGH'` }, [])
    return piles
  })
  expect(left).toHaveLength(PILES)
  expect(left.find(({ id }) => id === 'CP002')!.registerWh).toBe(registerWh)
}, 60_000)
/** At a gun that nobody uses just now. */
const ENDED = `insert into charging.charge (order_no, start_charge_seq, park_code, station_id, equipment_id, connector_id, start_mode, status, start_time, end_time, end_wh, prices)
  select 'CDHIGH', 'CDHIGH', e.park_code, e.station_id, e.equipment_id, c.connector_id, 1, 5, now(), now(), $1::bigint, '{}' from charging.equipment e
    join charging.connector c on c.enterprise_id = e.enterprise_id and c.equipment_id = e.equipment_id where e.charge_point_id = 'CP002'`
