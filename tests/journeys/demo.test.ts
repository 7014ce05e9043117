import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOXES } from '../../city/lamps.ts'
import { CITY_DAYS } from '../../city/plan.ts'
import { DeviceUse } from '../../domains/device/contract/device.ts'
import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import { RepairState } from '../../domains/inspection/contract/repair.ts'
import { run } from '../../platform/server/database.ts'
import { ShiftState } from '../../domains/settlement/contract/shift.ts'
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
test('whoever was reminded of a debt in the demo has one, of that amount', async () => {
  const sql = `select count(*)::int as reminders, count(*) filter (where exists (select from arrears.record r
      where r.enterprise_id = m.enterprise_id and strpos(m.content, r.plate_no) > 0 and strpos(m.content, to_char(r.amount_fen / 100.0, 'FM999990.00')) > 0))::int as owed
    from message.record m where m.enterprise_id = scope_enterprise() and m.template_code = 'arrears.remind'`
  const [found] = await server.house.reading(DEMO_ENTERPRISE, (tx) => run<{ reminders: number; owed: number }>(tx, { sql }, []))
  expect(found!.reminders).toBeGreaterThan(0)
  expect(found!.owed).toBe(found!.reminders)
})

test('the demo knows of each lamp box what it used on the days of three months', async () => {
  const sql = `select box_code, count(distinct (hour at time zone 'Asia/Shanghai')::date)::int as days from lamp.energy
    where enterprise_id = scope_enterprise() and wh is not null group by 1 order by 1`
  const known = await server.house.reading(DEMO_ENTERPRISE, (tx) => run<{ boxCode: string; days: number }>(tx, { sql }, []))
  expect(known.map(({ boxCode }) => boxCode)).toEqual(BOXES.map(({ boxCode }) => boxCode))
  // The line of one was away for a day and a night.
  expect(Math.min(...known.map(({ days }) => days))).toBeGreaterThanOrEqual(CITY_DAYS - 2)
})

test('what a shift of the demo took was counted before somebody verified it', async () => {
  const { records } = (await server.ask(token, 'POST', '/lbs/business/shift/query', { state: [ShiftState.settled], limit: 100 })).data
  expect(records.length).toBeGreaterThan(0)
  for (const one of records) expect(one).toMatchObject({ countedFen: expect.any(Number), differenceFen: expect.any(Number) })
  const taken = records.find(({ countedFen, cashInFen }: { countedFen: number; cashInFen: number }) => countedFen > 0 && countedFen === cashInFen)
  const { counted } = (await server.ask(token, 'GET', '/lbs/business/shift/detail', { id: taken.id })).data
  const sum = counted.reduce((all: number, { faceFen, count }: { faceFen: number; count: number }) => all + faceFen * count, 0)
  expect(sum).toBe(taken.countedFen)
})

test('the devices of the demo on which somebody works are in repair, and no others', async () => {
  const { working, handedIn } = RepairState
  const numbers = (sql: string) => server.house.reading(DEMO_ENTERPRISE, (tx) => run<{ deviceNo: string }>(tx, { sql }, []))
  const worked = await numbers(
    `select device_no from inspection.repair where enterprise_id = scope_enterprise() and state in (${working}, ${handedIn}) order by 1`,
  )
  expect(worked.length).toBeGreaterThan(1)
  const inRepair = `select device_no from device.device where enterprise_id = scope_enterprise() and use_status = ${DeviceUse.inRepair} order by 1`
  expect(await numbers(inRepair)).toEqual(worked)
})
