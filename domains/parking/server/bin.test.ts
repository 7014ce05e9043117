import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allKinds } from '../../../platform/server/record/kinds.ts'
import { aGround, type Ground } from './testing.ts'

let ground: Ground
let owner: pg.Client
beforeAll(async () => {
  ground = await aGround()
  owner = new pg.Client({ connectionString: ground.server.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await ground.server.close()
})
const call = (address: string, body: object) => ground.ask(ground.admin, address, body)
const inBin = async (title: string) => (await call('/basic/bin/query', { title })).data.records
const undo = (kind: string, key: string) => call('/basic/bin/undo', { kind, key })

describe('what is deleted can be brought back', () => {
  test('every kind that says so keeps its rows, by one of the two triggers', async () => {
    const { rows } = await owner.query(
      `select distinct tgrelid::regclass::text as "table" from pg_trigger where tgname in ('thrown_away', 'marked_away')`,
    )
    const binned = allKinds().flatMap(({ bin, table }) => (bin ? [table] : []))
    expect(binned.toSorted()).toEqual(rows.map(({ table }) => (table as string).replaceAll('"', '')).toSorted())
    expect(binned).toContain('parking.gate')
  })
  test('a gate, by undo; the list shows it again and the bin no longer', async () => {
    const field = await ground.field()
    const [gate] = (await call('/basic/parkGate/queryPage', { parkCode: field.parkCode, gateCode: field.inGate })).data.records
    expect((await call('/basic/parkGate/delete', { id: gate.id, version: gate.version })).code).toBe(200)
    expect(await inBin(gate.name)).toMatchObject([{ kind: 'parking.gate', rowKey: gate.id }])
    expect((await undo('parking.gate', gate.id)).code).toBe(200)
    const [back] = (await call('/basic/parkGate/queryPage', { parkCode: field.parkCode, gateCode: field.inGate })).data.records
    expect(back).toMatchObject({ id: gate.id, status: gate.status })
    expect(await inBin(gate.name)).toEqual([])
    expect((await undo('parking.gate', gate.id)).status).toBe(404)
  })
  test('a gate whose park is gone comes back after its park, not before', async () => {
    const park = (await call('/basic/parkInfo/add', { parkCode: 'B001', name: '回收停车场', pType: 1, regionCode: '420607', totalBays: 10 })).data
    const gate = (await call('/basic/parkGate/add', { parkCode: 'B001', gateCode: 'B001-G01', name: '回收入口', direction: 1 })).data
    await call('/basic/parkGate/delete', { id: gate.id, version: gate.version })
    expect((await call('/basic/parkInfo/delete', { id: park.id, version: park.version })).code).toBe(200)
    expect(await undo('parking.gate', gate.id)).toMatchObject({ status: 409 })
    expect(await inBin('回收入口')).toHaveLength(1)
    expect((await undo('parking.park', park.id)).code).toBe(200)
    expect((await undo('parking.gate', gate.id)).code).toBe(200)
  })
  test('a draft tariff with all that stands under it, as one line', async () => {
    const rule = (await call('/fee/feeRule/insert', { name: '回收费率' })).data
    expect(rule?.id, 'a draft').toBeTruthy()
    const segment = (await call('/fee/feeSegment/insert', { ruleVersionId: rule.id, name: '白天', from: '00:00', to: '24:00', dayType: 7, mode: 1 }))
      .data
    const priced = await call('/fee/feeFrequency/insert', { segmentId: segment.id, amountFen: 500 })
    expect(priced.code).toBe(200)
    expect((await ground.server.ask(ground.admin, 'DELETE', `/lbs/fee/feeRule/delete?id=${rule.id}`, {})).code).toBe(200)
    const { rows } = await owner.query(`select kind from platform.bin where at > now() - interval '1 minute' and kind like 'fee.%'`)
    expect(rows).toEqual([{ kind: 'fee.rule' }])
    expect((await undo('fee.rule', rule.id)).code).toBe(200)
    const found = (await call('/fee/feeFrequency/queryPage', { segmentId: segment.id })).data.records
    expect(found).toMatchObject([{ amountFen: 500 }])
  })
})
