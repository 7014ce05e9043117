import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import type { Tariff } from '../../../fee/contract/tariff.ts'
import { PayState } from '../../contract/stay.ts'
import { aRule, FIVE_AN_HOUR, reads } from '../factories.ts'
import { cover } from '../questions.ts'
import { afterMidnight, aGround, aTower, type Field, type Ground } from '../testing.ts'

/** Areas within a park: one stay that goes from one into another, each with its own rule or with the park's. */
let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.server.close())

const list = (of: object, token = ground.admin, path = 'queryPage') => ground.ask(token, `/fee/parkRecord/${path}`, of, 'GET')
const record = (path: string, body: object, token = ground.admin) => ground.ask(token, `/fee/parkRecord/${path}`, body)
const reason = '监控核实'

/** The tower's own rule is 5 yuan for half an hour; none: the park's. */
const BY_HALF_HOURS: Tariff = {
  schema: 1,
  currency: 'CNY',
  seconds: 'drop',
  bands: [{ fromMin: 0, toMin: 1440, days: { mask: 7 }, price: { by: 'unit', unitMin: 30, priceE4: 50_000, edge: 'carry' } }],
  clock: 'stay',
}
async function withTower(tariff: Tariff | null = BY_HALF_HOURS): Promise<Field> {
  const field = await ground.field()
  await aTower(field)
  if (tariff) await field.write((tx) => aRule(tx, { parkCode: field.parkCode, areaCode: 'B', tariff }))
  return field
}
test('an inner gate moves the car within its stay, each area by its own rule', async () => {
  const field = await withTower()
  await field.enters('鄂F48001', 0)
  expect(await field.stay('鄂F48001')).toMatchObject({ areaCode: 'A' })
  await field.write((tx) => reads(tx, { sn: `PG-${field.parkCode}-3`, at: field.at(60), plate: '鄂F48001' }))
  expect(await field.stay('鄂F48001')).toMatchObject({ status: 1, areaCode: 'B' })
  expect(await field.told(`PG-${field.parkCode}-3`)).toContainEqual(expect.objectContaining({ method: 'gate.open' }))
  await field.exits('鄂F48001', 120)
  expect(await field.stay('鄂F48001')).toMatchObject({ status: 2, payableFen: 500 + 1000 })
  const { data } = await list({ id: (await field.stay('鄂F48001')).id }, ground.admin, 'story')
  expect(data.segments.map(({ areaCode }: any) => areaCode)).toEqual(['A', 'B'])
})
test('an inner gate for both ways leads back, too; locked or disabled it moves nobody before a person has opened', async () => {
  const field = await withTower()
  const [gateCode, sn, plate] = [`${field.parkCode}-G03`, `PG-${field.parkCode}-3`, '鄂F48021']
  const set = (values: object) => field.write((tx) => tx.updateTable('parking.gate').set(values).where('gateCode', '=', gateCode).execute())
  const seen = (minutes: number, direction: 'in' | 'out') => field.write((tx) => reads(tx, { sn, at: field.at(minutes), plate, direction }))
  const area = async () => (await field.stay(plate)).areaCode
  const opened = async () => (await field.told(sn)).filter(({ method }) => method === 'gate.open').length
  const move = (action: number) => ground.ask(ground.admin, '/device/gateOperation/openGateToPark', { gateCode, action, reason: 2 })
  await set({ direction: 3 })
  await field.enters(plate, 0)
  await seen(60, 'in')
  expect([await area(), await opened()]).toEqual(['B', 1])
  await seen(90, 'out')
  expect([await area(), await opened()]).toEqual(['A', 1])
  expect((await move(4)).status).toBe(200)
  await seen(100, 'in')
  expect([await area(), await opened()]).toEqual(['A', 0])
  expect(await field.lane(gateCode)).toMatchObject({ outcome: 3, plateNo: plate, checks: [{ zh: '通道已锁闸，人工处理' }] })
  expect((await move(5)).status).toBe(200)
  expect([await area(), await opened()]).toEqual(['B', 1])
  await set({ status: 2 })
  await seen(120, 'out')
  expect([await area(), await opened()]).toEqual(['B', 0])
  expect((await move(1)).status).toBe(200)
  expect([await area(), await opened()]).toEqual(['A', 1])
  expect(await field.stays(plate)).toMatchObject([{ status: 1 }])
})
/** Through the inner gates at these minutes, into the tower and out of it by turns. */
const passes = async (field: Field, plate: string, ...minutes: number[]) => {
  for (const [i, at] of minutes.entries())
    await field.write((tx) => reads(tx, { sn: `PG-${field.parkCode}-${i % 2 ? 4 : 3}`, at: field.at(at), plate }))
}
const costs = async (field: Field, plate: string, until: number) => {
  await field.exits(plate, until)
  const { id, payState, payableFen } = await field.stay(plate)
  const quote = (await list({ id }, ground.admin, 'story')).data.quote
  const added = quote.lines.reduce((sum: number, { amountFen }: any) => sum + amountFen, 0)
  expect([payState, quote.totalFen, added]).toEqual([PayState.toPay, payableFen, payableFen])
  return payableFen / 100
}
test('where one rule holds for both areas the stay is one: its free minutes, its caps and its kept version are not begun anew', async () => {
  const field = await withTower(null)
  for (const plate of ['鄂F48101', '鄂F48102', '鄂F48103']) await field.enters(plate, 0)
  await passes(field, '鄂F48101', 15, 30, 45, 60, 75, 90, 105, 120)
  expect(await costs(field, '鄂F48101', 135)).toBe(15)
  await passes(field, '鄂F48102', 600)
  await field.write((tx) =>
    run(tx, { sql: 'update fee.rule set status = 2 where rule_id in (select rule_id from fee.associate where park_code = $1)' }, [field.parkCode]),
  )
  expect(await costs(field, '鄂F48102', 1200)).toBe(25)
  await passes(field, '鄂F48103', 600)
  expect(await costs(field, '鄂F48103', 1500)).toBe(30)
})
test('where an area has a rule of its own each goes on from piece to piece: caps once, free minutes to the first alone', async () => {
  const capped: Tariff = {
    ...FIVE_AN_HOUR,
    bands: [{ ...FIVE_AN_HOUR.bands![0]!, price: { by: 'unit', unitMin: 60, priceE4: 10_000, edge: 'carry' } }],
    cycle: { kind: 'rolling', capsE4: [50_000], edge: 'goOn' },
  }
  const field = await withTower(capped)
  for (const plate of ['鄂F48201', '鄂F48202', '鄂F48203', '鄂F48204']) await field.enters(plate, 0)
  await passes(field, '鄂F48201', 60)
  expect(await costs(field, '鄂F48201', 70)).toBe(5 + 1)
  await passes(field, '鄂F48202', 240, 300, 540, 900)
  expect(await costs(field, '鄂F48202', 1200)).toBe(25 + 5)
  await passes(field, '鄂F48203', 10)
  expect(await costs(field, '鄂F48203', 130)).toBe(0 + 2)
  await passes(field, '鄂F48204', 60)
  const { id, version } = await field.stay('鄂F48204')
  expect(await record('correctTimes', { id, version, entryTime: field.at(-60), reason })).toMatchObject({ code: 200 })
  expect(await costs(field, '鄂F48204', 120)).toBe(10 + 1)
})
test('a pass that began and ended inside covers its time in each area, and stands in the lines once', async () => {
  const field = await withTower()
  const begin = afterMidnight(field, 180) // midnight would cut a line
  const at = (minutes: number) => field.at(begin + minutes)
  onTestFinished(cover.answer('stay.test', async () => [{ from: at(30), to: at(90) }]))
  await field.enters('鄂F48301', begin)
  await passes(field, '鄂F48301', begin + 60)
  expect(await costs(field, '鄂F48301', begin + 180)).toBe(5 + 15)
  const { lines } = (await list({ id: (await field.stay('鄂F48301')).id }, ground.admin, 'story')).data.quote
  expect(lines.map(({ kind, from, to }: any) => [kind, from, to])).toEqual(
    [
      [1, 0, 30],
      [9, 30, 60],
      [9, 60, 90],
      [1, 90, 180],
    ].map(([kind, from, to]) => [kind, at(from!), at(to!)]),
  )
})
test('areas count their own cars and those of the areas inside of them', async () => {
  const field = await withTower()
  await field.enters('鄂F48011', 0)
  await field.enters('鄂F48012', 0)
  await field.write((tx) => reads(tx, { sn: `PG-${field.parkCode}-3`, at: field.at(60), plate: '鄂F48012' }))
  const { data } = await ground.ask(ground.admin, '/basic/parkRegion/queryPage', { parkCode: field.parkCode })
  expect(data.records.map(({ areaCode, presentCount, remainingBays }: any) => [areaCode, presentCount, remainingBays])).toEqual([
    ['A', 2, 48],
    ['B', 1, 19],
  ])
  const [, tower] = data.records
  expect(await ground.ask(ground.admin, '/basic/parkRegion/delete', { id: tower.id, version: tower.version })).toMatchObject({ code: 40801 })
})
