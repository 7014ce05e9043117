import { afterAll, beforeAll, expect, test } from 'vitest'
import { aYard, type Yard } from '../../charging/server/testing.ts'
import { WallScreen } from '../contract/wall.ts'

let yard: Yard
let guns: { equipmentId: string; connectorId: string }[]
let admin: string
beforeAll(async () => {
  yard = await aYard()
  admin = await yard.server.signIn('admin')
  guns = await yard.guns(4)
  for (const [n, status] of [3, 255, 0].entries())
    await yard.sql('update charging.connector_state set status = $2 where connector_id = $1', [guns[n]!.connectorId, status])
})
afterAll(() => yard?.close())

const get = async (path: string) => (await yard.server.ask(admin, 'GET', `/lbs/charging${path}`)).data
const link = async (more: object = {}) =>
  (
    await yard.server.ask(admin, 'POST', '/lbs/business/wallLink/add', {
      name: '充电屏',
      screens: [WallScreen.charging],
      rotateSec: 30,
      days: 30,
      ...more,
    })
  ).data.token
const shown = async (token: string) => (await yard.server.ask(token, 'GET', '/lbs/business/wall/snapshot')).data
async function charged(orderNo: string, gun: number, plateNo: string, wh: number) {
  const { equipmentId, connectorId } = guns[gun]!
  await yard.sql(
    `insert into charging.charge (order_no, start_charge_seq, park_code, station_id, equipment_id, connector_id, start_mode, plate_no, status, start_time, end_time, energy_wh, elec_fen, service_fen, prices)
      values ($1, $1, 'P001', 'ST001', $2, $3, 1, $4, 5, date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai', now(), $5, 600, 400, '{}')`,
    [orderNo, equipmentId, connectorId, plateNo, wh],
  )
  await yard.sql(
    `insert into charging.bill (bill_no, order_no, park_code, station_id, kind, final_at, energy_wh, elec_fen, service_fen, payable_fen, captured_fen, paid_by, lines) values ('ZD' || $1, $1, 'P001', 'ST001', 1, now(), $2, 600, 400, 1000, 1000, 1, '[]')`,
    [orderNo, wh],
  )
}

test('the charging wall shows the figures of the console: guns by state, energy, cars, power by hour, stations, use of time', async () => {
  await charged('CD1', 0, '鄂F12345', 24_000)
  await charged('CD2', 3, '鄂F67890', 12_000)
  // Use grows while it is looked at: the wall's is of a moment between two of the console.
  const earlier = await get('/data/chargeTime')
  const { charging, parks, street, money } = await shown(await link())
  expect([parks, street, money]).toEqual([null, null, null])
  const [order, time, car] = await Promise.all([get('/data/chargeOrder'), get('/data/chargeTime'), get('/data/chargeCar')])
  expect(charging.figures).toEqual({
    ...{ connectors: 4, free: 1, charging: 1, faulty: 1, offline: 1 },
    ...{ wh: 36_000, cars: 2, timeUse: expect.toSatisfy((use: number) => [earlier.timeUse, time.timeUse].includes(use)) },
  })
  expect([order.today.wh, car.cars]).toEqual([36_000, 2])
  expect(charging.hours).toHaveLength(24)
  const drawn = charging.hours.map(({ powerW }: any) => powerW)
  const past = drawn.filter((one: number | null) => one !== null)
  expect(past.reduce((sum: number, one: number) => sum + one, 0)).toBe(36_000)
  expect(drawn.slice(past.length)).toEqual(Array(24 - past.length).fill(null))
  expect(charging.best).toEqual([{ stationId: 'ST001', name: '东门充电站', wh: 36_000 }])
  expect(charging.used).toEqual([{ stationId: 'ST001', name: '东门充电站', timeUse: charging.figures.timeUse }])
  expect(charging.spots).toMatchObject([{ name: '东门充电站', free: 1, total: 4 }])
  expect(JSON.stringify(charging)).not.toMatch(/Fen"|plate|price/)
})

test('it shows amounts where its link says so, and of a region without stations nothing', async () => {
  const { receivableFen, netFen } = (await get('/data/chargeOrder')).today
  expect(receivableFen).toBe(2_000)
  expect((await shown(await link({ money: true }))).money.charging).toEqual({ receivableFen, netFen })
  const away = await shown(await link({ money: true, regionCode: '420624' }))
  expect(away.charging).toMatchObject({ figures: { connectors: 0, wh: 0, cars: 0, timeUse: null }, best: [], used: [], spots: [] })
  expect(away.money.charging).toEqual({ receivableFen: 0, netFen: 0 })
})
