import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_ENTERPRISE } from '../domains/identity/server/api.ts'
import { run } from '../platform/server/database.ts'
import { PASSWORD, startTestServer, type TestServer } from '../tests/support/server.ts'
import { fillChargingPast } from './chargingPast.ts'
import { signIn } from './client.ts'
import { fillPiles, setUpPiles, STATIONS } from './piles.ts'
import { PARKS } from './plan.ts'
import { setUp } from './setup.ts'

const NOW = Date.now()
const DAYS = 12
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const admin = await signIn(server.url, 'admin', PASSWORD)
  await setUp(admin, PARKS.slice(0, STATIONS.length))
  await setUpPiles(server.house, admin, DEMO_ENTERPRISE, NOW)
  await fillPiles(server.house, DEMO_ENTERPRISE, NOW)
}, 120_000)
afterAll(() => server?.close())
const read = <T>(sql: string) => server.house.reading(DEMO_ENTERPRISE, (tx) => run<T>(tx, { sql }, []))
const fill = () => fillChargingPast(server.house, DEMO_ENTERPRISE, { nowMs: NOW, days: DAYS })

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
