import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { housekeeping } from '../../../apps/server/housekeeping.ts'
import { began, ended, meterSaid } from './api.ts'
import { forgetSamples } from './samples.ts'
import { aYard, now, type Yard } from './testing.ts'

let yard: Yard
let owner: pg.Client
beforeAll(async () => {
  yard = await aYard()
  owner = new pg.Client({ connectionString: yard.server.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await yard.close()
})
const month = (back: number) => {
  const at = new Date(Date.parse(now()))
  return `meter_sample_${new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1)).toISOString().slice(0, 7).replace('-', '')}`
}
const aMonth = (name: string) =>
  owner.query(
    `create table charging.meter_sample_${name} partition of charging.meter_sample for values from ('${name.slice(0, 4)}-${name.slice(4)}-01') to ('${name.slice(0, 4)}-${name.slice(4)}-28')`,
  )
const exists = async (name: string) =>
  (await owner.query('select to_regclass($1) is not null as there', [`charging.${name}`])).rows[0].there as boolean

it('lies in the month in which it was measured, and three months ahead stand ready', async () => {
  const { connectorId } = await yard.aGun()
  await yard.sql(`insert into charging.meter_sample (connector_id, park_code, at, received_at, power_w) values ($1, 'P001', $2, $2, 1)`, [
    connectorId,
    now(),
  ])
  const { rows } = await owner.query('select tableoid::regclass::text as name from charging.meter_sample where connector_id = $1', [connectorId])
  expect(rows).toEqual([{ name: `charging.${month(0)}` }])
  expect(await exists(month(-3))).toBe(true)
})

it('is a curve of five minutes after thirteen months, and its charge shows it still', async () => {
  const gun = await yard.aGun()
  const idTag = await yard.aCard({ kind: 3 })
  const at = (second: number) => instantAt(Date.parse('2024-03-05T02:00:00.000Z') + second * 1000)
  const { orderNo, transactionId } = await yard.write((tx) =>
    began(tx, { connectorId: gun.connectorId, transactionId: null, idTag, meterWh: 1_000, at: at(0), receivedAt: at(0), offline: false }),
  )
  for (let second = 30; second <= 5_400; second += 30)
    await yard.write((tx) =>
      meterSaid(tx, {
        connectorId: gun.connectorId,
        transactionId,
        samples: [{ at: at(second), meterWh: 1_000 + second, powerW: second < 300 ? 2_000 : 4_000, soc: 20 + Math.floor(second / 100) }],
        receivedAt: at(second),
      }),
    )
  await yard.write((tx) =>
    ended(tx, { equipmentId: gun.equipmentId, transactionId, meterWh: 6_500, reason: 0, at: at(5_500), receivedAt: at(5_500), offline: false }),
  )
  const story = async () =>
    (await yard.server.ask(yard.admin, 'POST', '/lbs/charging/pc/charge/recordDetail', { orderNo })).data as { samples: any[]; lines: any[] }
  const before = await story()
  expect(before.samples).toHaveLength(180)
  const { rows: hours } = await owner.query(`select count(distinct date_trunc('hour', at))::int n from charging.meter_sample where order_no = $1`, [
    orderNo,
  ])
  expect(hours[0].n).toBe(2)
  let nights = 0
  for (; (await owner.query(`select from charging.meter_sample where order_no = $1`, [orderNo])).rowCount; nights++)
    await yard.write((tx) => forgetSamples.work({ house: yard.server.house, tx, data: {}, at: now() }))
  expect(nights).toBe(2)
  const after = await story()
  expect(after.samples.map(({ at, meterWh, powerW, soc }) => ({ at, meterWh, powerW, soc })).slice(0, 2)).toEqual([
    { at: at(270), meterWh: 1_270, powerW: 2_000, soc: 22 },
    { at: at(570), meterWh: 1_570, powerW: 4_000, soc: 25 },
  ])
  expect(after.lines).toEqual(before.lines)
})

it('keeps what is not yet thirteen months old, and months that hold something', async () => {
  const { connectorId } = await yard.aGun()
  const sample = `insert into charging.meter_sample (connector_id, park_code, at, received_at, power_w) values ($1, 'P001', $2::timestamptz - $3::interval, $2, 1)`
  for (const age of ['13 months -2 hours', '13 months 2 hours']) await yard.sql(sample, [connectorId, now(), age])
  await yard.write((tx) => forgetSamples.work({ house: yard.server.house, tx, data: {}, at: now() }))
  const left = await yard.sql<{ n: number }>('select count(*)::int n from charging.meter_sample where connector_id = $1', [connectorId])
  expect(left).toEqual([{ n: 1 }])
})

it('a month goes when its time is over and it is empty, and no other', async () => {
  const [old, used, young] = ['202001', '202002', month(12).slice(-6)]
  for (const name of [old, used]) await aMonth(name)
  await owner.query(`select platform.ensure_months(12, 3)`)
  const { connectorId } = await yard.aGun()
  await yard.sql(`insert into charging.meter_sample (connector_id, park_code, at, received_at) values ($1, 'P001', '2020-02-05', '2020-02-05')`, [
    connectorId,
  ])
  const months = housekeeping.find(({ name }) => name === 'platform.months')!
  await yard.write((tx) => months.work({ house: yard.server.house, tx, data: {}, at: now() }))
  const left = []
  for (const name of [old, used, young]) left.push(await exists(`meter_sample_${name}`))
  expect(left).toEqual([false, true, true])
})
