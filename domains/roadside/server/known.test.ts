import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { domains } from '../../../apps/server/domains.ts'
import { SEES_PLATES } from '../../../platform/contract/personal.ts'
import { run } from '../../../platform/server/database.ts'
import { tokenOfSomeoneWho } from '../../../tests/support/roles.ts'
import { settleGone } from './leaving.ts'
import { aStreet, type Field, type Street } from './testing.ts'

const PLATE = '鄂F20001'
const SCREENS = ['RoadRecordScreen', 'RoadPresentScreen', 'BerthScreen', 'ArrearsScreen']
let street: Street
let field: Field
let camera: string
let clerk: string
let guard: string
beforeAll(async () => {
  street = await aStreet()
  const owner = new pg.Client({ connectionString: street.server.ownerUrl })
  await owner.connect()
  clerk = await tokenOfSomeoneWho(street.server, owner, SCREENS)
  guard = await tokenOfSomeoneWho(street.server, owner, SCREENS, [SEES_PLATES])
  await owner.end()
  field = await street.field({ berths: 2 })
  const [seat] = field.berths
  camera = await field.camera(...field.berths)
  await field.says(camera, 'occupied', 0, { berth: seat!, plate: PLATE, confidence: 0.99 })
  await field.says(camera, 'vacant', 90, { berth: seat!, plate: PLATE, confidence: 0.99 })
  await street.write((tx) => settleGone(tx, field.at(100)))
})
afterAll(() => street.close())

const about = async (words: string, who?: string) => {
  const answer = who
    ? await street.server.ask<any>(who, 'POST', '/lbs/basic/record/known', { words })
    : await street.ask('/basic/record/known', { words })
  expect(answer.status).toBe(200)
  return Object.fromEntries(answer.data.groups.map(({ source, facts }: any) => [source, facts])) as Record<string, any[]>
}

test('a plate, an order number, a berth and a device each tell all that has to do with them', async () => {
  const of = await about('鄂F·20001')
  expect(Object.keys(of).sort()).toEqual(['arrears.record', 'roadside.stay', 'settlement.order'])
  expect([of['settlement.order']![0].amountFen, of['arrears.record']![0].amountFen]).toEqual([1000, 1000])
  expect(of['arrears.record']![0].path).toMatch(/^\/userCenter\/arrearage\/record\/.+/)

  const byOrder = await about(of['settlement.order']![0].title.toLowerCase())
  expect(Object.keys(byOrder).sort()).toEqual(['arrears.record', 'roadside.stay', 'settlement.order'])
  expect(byOrder['roadside.stay']![0].key).toBe(of['roadside.stay']![0].key)
  expect((await about(of['arrears.record']![0].title))['arrears.record']).toHaveLength(1)

  const berth = await about(field.berths[0]!)
  expect(Object.keys(berth).sort()).toEqual(['roadside.berth', 'roadside.binding', 'roadside.stay'])
  const device = await about(camera)
  expect(Object.keys(device)).toEqual(expect.arrayContaining(['device.device', 'roadside.binding']))
  expect(device['roadside.binding']).toHaveLength(2)
})

test('each kind of record asks for the right to its list, and for the company', async () => {
  expect(Object.keys(await about(PLATE, guard)).sort()).toEqual(['arrears.record', 'roadside.stay'])
  expect(await about(PLATE, await street.server.signIn('otheradmin'))).toEqual({})
  expect((await street.server.ask(null as never, 'POST', '/lbs/basic/record/known', { words: PLATE })).status).toBe(401)
})

test('whoever is not shown plates is shown none, and finds one only by the whole of it', async () => {
  expect(JSON.stringify(await about(field.berths[0]!, guard))).toContain(PLATE)
  expect(JSON.stringify(await about(field.berths[0]!, clerk))).not.toContain('20001')
  expect(await about('鄂F2000', clerk)).toEqual({})
  expect(await about('20001', guard)).toEqual({})
})

test('a debt of the street shows what the street saw of its stay, and says what is missing', async () => {
  const { 'arrears.record': files } = await about(PLATE)
  const look = async () => (await street.get('/business/escape/escapeDetail', { id: files![0].key })).data
  const lacking = await look()
  expect([lacking.evidence, lacking.exceptionType, lacking.collectableFen]).toEqual([[], 1, 0])
  expect(lacking.why.checks.filter((one: any) => one.bars).map(({ check }: any) => check)).toEqual([2])
  const { stayId } = lacking
  for (const kind of [1, 3]) {
    const { version } = (await street.get('/business/roadStay/story', { id: stayId })).data.stay
    const seen = { kind, at: field.at(kind === 1 ? 1 : 89), image: '/lbs/basic/file?fileName=a.jpg', showsBerth: true, showsPlate: true }
    expect((await street.ask('/business/roadStay/addEvidence', { id: stayId, version, ...seen })).status).toBe(200)
  }
  const whole = await look()
  expect(whole.evidence.map(({ kind }: any) => kind)).toEqual([1, 3])
  const { version } = whole
  if (whole.exceptionType !== 0) await street.ask('/business/escape/recordRelease', { id: whole.id, version, reason: '证据已补齐' })
  expect(await look()).toMatchObject({ exceptionType: 0, collectableFen: 1000 })
  expect((await look()).why.checks.filter((one: any) => one.bars)).toEqual([])
})

test('nothing is found by what is no number, and by nothing too long', async () => {
  for (const words of ["x' or 1=1 --", '%%%%', '鄂', '\u0000\u0000', 'A'.repeat(65)])
    expect([200, 422, 400]).toContain((await street.ask('/basic/record/known', { words })).status)
  expect(await about("x' or '1'='1")).toEqual({})
})

test('every kind of record is found by an index', async () => {
  const tables = new Set<string>()
  for (const { known = [] } of domains)
    for (const { name, by } of known)
      for (const [kind, { sql }] of Object.entries(by)) {
        const plan = await street.server.house.reading(1, async (tx) => {
          await run(tx, { sql: 'set local enable_seqscan = off' }, [])
          return run<Record<string, string>>(tx, { sql: `explain ${sql.replaceAll('$1', "'鄂F20001'").replaceAll('$2', '21')}` }, [])
        })
        const text = plan.flatMap((row) => Object.values(row)).join('\n')
        expect(text, `${name} by ${kind}`).not.toMatch(/Seq Scan on (?!park\b|gate\b|section\b)/)
        tables.add(name)
      }
  expect(tables.size).toBeGreaterThan(15)
})
