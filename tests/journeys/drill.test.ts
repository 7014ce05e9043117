import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameInHour, wentOutHour } from '../../domains/parking/web/api/hours.ts'
import { TRAFFIC } from '../../domains/parking/contract/figures.ts'
import type { Figure, Listed } from '../../platform/contract/figure.ts'
import { cityDay } from '../../platform/web/format.ts'
import { listAt } from '../../platform/web/list/listAt.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
let server: TestServer
let admin: string
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
let state = seed
const random = () => (state = (state * 48_271 + 11) % 2_147_483_647) / 2_147_483_647

beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  admin = await server.signIn('admin')
  await server.house.writing(1, 'test', async (tx) => {
    await tx
      .insertInto('parking.park')
      .values({ parkCode: 'P001', name: 'P001', pType: 1, regionCode: '420607', totalBays: 100 } as never)
      .execute()
    const rows = Array.from({ length: 400 }, (_, n) => stay(n))
    await tx
      .insertInto('parking.stay')
      .values(rows as never)
      .execute()
  })
})
afterAll(() => server.close())

/** Some stay of the last two days: still in, gone or void, without ever lying in time to come. */
function stay(n: number) {
  const now = Date.now()
  const entry = now - Math.floor(random() * 2 * DAY_MS)
  const exit = Math.min(now, entry + Math.floor(random() * 3 * HOUR_MS))
  const status = [1, 3, 3, 9][Math.floor(random() * 4)]!
  const at = (ms: number) => new Date(Math.floor(ms / 1000) * 1000).toISOString()
  return {
    ...{
      parkCode: 'P001',
      plateNo: `鄂F${10_000 + n}`,
      plateColor: Math.floor(random() * 5),
      vehicleClass: 1,
      carKindIn: 9,
      entryTime: at(entry),
      entryMode: 1,
      status,
    },
    exitTime: status === 3 ? at(exit) : null,
    exitMode: status === 3 ? 1 : null,
    durationMin: status === 3 ? 0 : null,
  }
}

/** How many rows the list has that an address opens. */
async function listed(address: string): Promise<number> {
  const filter = Object.fromEntries(new URL(address, 'http://x').searchParams)
  const { data } = await server.ask(admin, 'GET', '/lbs/fee/parkRecord/queryPage', { ...filter, queryMode: 'total' })
  return data.total
}

test('each figure of the first page’s chart is as many as the list that it opens, and so are those of its tiles', async () => {
  const ask = async (path: string) => (await server.ask(admin, 'GET', `/lbs/business/home/${path}`)).data
  const hours = await ask('selectParkFlowData')
  const today = cityDay()
  const before = cityDay(new Date(Date.now() - DAY_MS))
  let looked = 0
  for (let n = 0; n < 200; n++) {
    const hour = hours[Math.floor(random() * hours.length)]
    const [figure, address] = (
      [
        [hour.entered, cameInHour(today, hour.hour)],
        [hour.left, wentOutHour(today, hour.hour)],
        [hour.enteredBefore, cameInHour(before, hour.hour)],
        [hour.leftBefore, wentOutHour(before, hour.hour)],
      ] as const
    )[n % 4]!
    // An hour to come has no figure; the one that is running goes on while it is looked at.
    expect(await listed(address), `${address}, seed ${seed}`).toBe(figure ?? 0)
    looked += figure ?? 0
  }
  expect(looked).toBeGreaterThan(0)
  const figures = await ask('realParkStatistical')
  const listOf = ({ opens }: Figure<Listed>) => listAt(opens.path, opens.filter({ from: today, to: today }))
  expect(await listed(listOf(TRAFFIC.entered))).toBe(figures.entered.today)
  expect(await listed(listOf(TRAFFIC.left))).toBe(figures.left.today)
})
