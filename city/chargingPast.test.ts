import { afterAll, beforeAll, expect, test } from 'vitest'
import { platform } from '../domains/charging/contract/platform.ts'
import { statement, StatementState } from '../domains/charging/contract/statement.ts'
import { DEMO_ENTERPRISE } from '../domains/identity/server/api.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS } from '../platform/contract/time.ts'
import { run } from '../platform/server/database.ts'
import { refusal } from '../platform/server/refusal.ts'
import { PASSWORD, startTestServer, type TestServer } from '../tests/support/server.ts'
import { addAroundCharging, PARTNER } from './charging.ts'
import { fillChargingPast } from './chargingPast.ts'
import { type Client, signIn } from './client.ts'
import { settleMonths } from './partners.ts'
import { fillPartner, fillPiles, registerAt, setUpPiles, STATIONS, unlessTaken } from './piles.ts'
import { PARKS } from './plan.ts'
import { setUp } from './setup.ts'

const NOW = Date.now()
const DAYS = 12
const ALL_DAYS: readonly string[] = Array.from({ length: DAYS - 3 }, (_, n) => dayOf(instantAt(NOW - (DAYS - n) * DAY_MS)))
let server: TestServer
let admin: Client
beforeAll(async () => {
  server = await startTestServer()
  admin = await signIn(server.url, 'admin', PASSWORD)
  await setUp(admin, PARKS.slice(0, STATIONS.length))
  await setUpPiles(server.house, admin, DEMO_ENTERPRISE, NOW)
  await fillPiles(server.house, DEMO_ENTERPRISE, NOW)
}, 120_000)
afterAll(() => server?.close())
const read = <T>(sql: string) => server.house.reading(DEMO_ENTERPRISE, (tx) => run<T>(tx, { sql }, []))
const fill = (house = server.house) => fillChargingPast(house, DEMO_ENTERPRISE, { nowMs: NOW, days: DAYS })
/** Days of the past on which somebody charged. */
const daysTold = async () =>
  (await read<{ day: string }>(`select distinct (start_time at time zone 'Asia/Shanghai')::date::text as day from charging.charge order by 1`))
    .map(({ day }) => day)
    .filter((day) => ALL_DAYS.includes(day))

test('a day that cannot be told is told of in the log and keeps none of the others; the next start tells it', async () => {
  const { house } = server
  const warned: string[] = []
  let nth = 0
  const away = {
    ...house,
    log: { ...house.log, warn: (_: unknown, text: string) => void warned.push(text) } as typeof house.log,
    writing: ((...args) => (++nth === 2 ? Promise.reject(new Error('away')) : house.writing(...args))) as typeof house.writing,
  }
  await expect(fill(away)).rejects.toThrow(`The charging sessions of 1 of ${DAYS - 3} days were not told`)
  const bad = dayOf(instantAt(NOW - (DAYS - 1) * DAY_MS))
  expect(warned).toEqual([`The charging sessions of ${bad} were not told.`])
  expect(await daysTold()).toEqual(ALL_DAYS.filter((day) => day !== bad))
  await fill()
  expect(await daysTold()).toEqual(ALL_DAYS)
}, 120_000)

test('registers only go up: of two who came to one gun, also on one day, the second begins where the first has ended or higher', async () => {
  const down = `select connector_id, start_time from (select connector_id, start_time, start_wh, lag(end_wh) over (partition by connector_id order by start_time) as before from charging.charge
    where start_wh is not null) c where start_wh < before`
  expect(await read(down)).toEqual([])
  const evening = NOW - 30 * DAY_MS
  expect(registerAt(evening) - registerAt(evening - 130 * MINUTE_MS)).toBeGreaterThan(50_000)
})

test('only a gun that is taken is left out: any other refusal is told', async () => {
  const refused = (id: string) => unlessTaken(Promise.reject(refusal(id, 1, '否', 'no')()))
  expect([await unlessTaken(Promise.resolve()), await refused('charging.gun-taken'), await refused('charging.gun-taken-meanwhile')]).toEqual([
    true,
    false,
    false,
  ])
  await expect(refused('charging.partner-credit')).rejects.toThrow('no')
})

test('the past of charging is whole to the fen: what was paid in advance is used or given back, and the ledger agrees; filled again it stays', async () => {
  await fill()
  const [sum] = await read<Record<string, number>>(
    `select count(*)::int as charges, count(*) filter (where c.status <> 5)::int as unfinished, count(distinct (c.start_time at time zone 'Asia/Shanghai')::date)::int as days,
      coalesce(sum(h.hold_fen), 0)::int as held, coalesce(sum(h.captured_fen + h.released_fen), 0)::int as ended
    from charging.charge c left join charging.hold h on h.enterprise_id = c.enterprise_id and h.order_no = c.order_no where c.start_time < now() - interval '4 days'`,
  )
  expect(sum).toMatchObject({ unfinished: 0, ended: sum!['held'] })
  expect(sum!['charges']).toBeGreaterThan(DAYS * 2)
  expect(sum!['days']).toBeGreaterThan(DAYS - 6)
  expect(await read(`select from settlement.refund where state <> 3 and applied_at < now() - interval '4 days'`)).toEqual([])
  expect(await read('select * from ledger.replay() limit 3')).toEqual([])
  await fill()
  const [again] = await read<{ n: number }>(`select count(*)::int as n from charging.charge where start_time < now() - interval '4 days'`)
  expect(again!.n).toBe(sum!['charges'])
}, 120_000)

test('a partner’s drivers came for months: each month that is over has its statement, the newest waits to be sent, those before it are out', async () => {
  await addAroundCharging(admin, NOW)
  const { id: platformId } = (await admin.ask(platform.getTableList, { operatorId: PARTNER })).records[0]!
  const { all } = await fillPartner(server.house, DEMO_ENTERPRISE, { platformId, partnerOperatorId: PARTNER }, NOW)
  await settleMonths(server.house, admin, DEMO_ENTERPRISE, { platformId, nowMs: NOW, from: all[0]!.at })
  const { records } = await admin.ask(statement.query, { platformId, limit: 10 })
  const [newest, ...before] = records.toSorted((a, b) => b.month.localeCompare(a.month))
  expect(newest!.month < dayOf(instantAt(NOW)).slice(0, 7)).toBe(true)
  expect(newest!.state).toBe(StatementState.draft)
  expect(before.length).toBeGreaterThan(0)
  expect(before.map(({ state }) => state)).toEqual(before.map(() => StatementState.sent))
  for (const { month, orders, netFen } of records) expect([month, orders > 0, netFen > 0]).toEqual([month, true, true])
}, 120_000)
