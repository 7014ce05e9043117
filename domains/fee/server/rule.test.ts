import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { run } from '../../../platform/server/database.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import type { QuoteOf } from '../contract/quote.ts'
import { presentStay } from './api.ts'

let server: TestServer
let admin: string
let operator: string
let auditor: string
let stranger: string
beforeAll(async () => {
  server = await startTestServer()
  ;[admin, operator, auditor, stranger] = (await Promise.all(['admin', 'operator', 'auditor', 'otheradmin'].map((name) => server.signIn(name)))) as [
    string,
    string,
    string,
    string,
  ]
})
afterAll(() => server.close())

/** Returns the entries of the recycle bin, the newest first. */
const binned = async (kind: string) => (await server.ask<any>(admin, 'POST', '/lbs/basic/bin/query', { kind: [kind] })).data.records
const post = <T = any>(address: string, body: object, token = admin) => server.ask<T>(token, 'POST', `/lbs/fee${address}`, body)
const get = <T = any>(address: string, query: object, token = admin) => server.ask<T>(token, 'GET', `/lbs/fee${address}`, query)
const made = async (address: string, body: object): Promise<string> => {
  const answer = await post<{ id: string }>(address, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.data.id
}

/** Rule A of the golden vectors, in the console's tables. */
async function aRule({ name = '白天夜间', from = '20:00', ...more }: { name?: string; from?: string } & Record<string, unknown> = {}) {
  const id = await made('/feeRule/insert', { name, freeMin: 30, dayCapFen: 3000, ...more })
  const day = await made('/feeSegment/insert', { ruleVersionId: id, name: '白天', from: '08:00', to: '20:00', mode: 2 })
  await made('/feeHour/insert', { segmentId: day, unitMin: 30, unitFen: 200 })
  const night = await made('/feeSegment/insert', { ruleVersionId: id, name: '夜间', from, to: '08:00', mode: 2, capFen: 500 })
  await made('/feeHour/insert', { segmentId: night, unitMin: 60, unitFen: 100 })
  return { id, day, night }
}
const ruleOf = async (id: string) => (await get('/feeRule/detail', { id })).data
async function published(id: string, effectiveFrom = '2026-01-01 00:00:00') {
  const { rule } = await ruleOf(id)
  return post('/feeRule/publish', { id, version: rule.version, effectiveFrom })
}
const fenOf = async (ruleVersionId: string, entry: string, at: string, more: object = {}) =>
  (await post<QuoteOf>('/feeRule/calFee', { ruleVersionId, entry: `2026-${entry}`, at: `2026-${at}`, ...more })).data

describe('a rule in the console’s tables', () => {
  test('is drafted, published and prices a stay with a line for every part', async () => {
    const { id } = await aRule()
    expect(await published(id)).toMatchObject({ status: 200, data: { id, lint: [] } })
    const quote = await fenOf(id, '03-02 19:00:00', '03-03 09:00:00')
    expect(quote).toMatchObject({
      totalFen: 1300,
      payableFen: 1300,
      freeReason: null,
      ruleVersionId: id,
      ruleName: '白天夜间',
      ruleVersionNo: 1,
      validUntil: '2026-03-03T01:00:59.000Z',
    })
    expect(
      quote.lines.map(({ segment, units, unitFen, fullFen, amountFen, cappedBy }) => [segment, units, unitFen, fullFen, amountFen, cappedBy]),
    ).toEqual([
      ['白天', 2, 200, 400, 400, null],
      ['夜间', 4, 100, 400, 400, null],
      ['夜间', 8, 100, 800, 100, 1],
      ['白天', 2, 200, 400, 400, null],
    ])
    expect(quote.lines.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(1300)
    expect(await fenOf(id, '03-02 09:00:00', '03-02 09:30:00')).toMatchObject({ totalFen: 0, freeReason: 2, validUntil: '2026-03-02T01:30:59.000Z' })
    expect(await fenOf(id, '03-02 09:00:00', '03-02 12:00:00', { paidFen: 1000 })).toMatchObject({ totalFen: 1200, paidFen: 1000, payableFen: 200 })
  })

  test('cannot be published while a minute is not covered, and says which', async () => {
    const { id } = await aRule({ from: '22:30' })
    const answer = await published(id)
    expect(answer).toMatchObject({ status: 422, code: 40612, message: expect.stringContaining('20:00–22:30') })
    expect(answer.data.lint).toContainEqual(expect.objectContaining({ level: 'error', code: 'gap', minute: 1200 }))
  })

  test.each([
    [
      'two bands over one another',
      async (id: string) => {
        const twice = await made('/feeSegment/insert', { ruleVersionId: id, from: '19:00', to: '21:00', mode: 1 })
        await made('/feeFrequency/insert', { segmentId: twice, amountFen: 1 })
      },
      'overlap',
      1140,
    ],
    ['a band without a price', (id: string) => made('/feeSegment/insert', { ruleVersionId: id, from: '01:00', to: '02:00', mode: 1 }), 'price', 60],
    [
      'steps that fall',
      async (id: string) => {
        const segmentId = await made('/feeSegment/insert', { ruleVersionId: id, from: '03:00', to: '04:00', mode: 3 })
        await made('/feeStep/insert', { segmentId, upToMin: 60, totalFen: 500 })
        await made('/feeStep/insert', { segmentId, upToMin: 120, totalFen: 400 })
        await made('/feeStep/insert', { segmentId, overUnitMin: 60, overUnitFen: 100 })
      },
      'steps',
      180,
    ],
  ])('cannot be published with %s', async (_name, spoil, code, minute) => {
    const { id } = await aRule()
    await spoil(id)
    const answer = await published(id)
    expect(answer.status).toBe(422)
    expect(answer.data.lint).toContainEqual(expect.objectContaining({ code, minute }))
  })

  test('a second step up to the same length, and a second price beyond the last, are told by what is wrong with them', async () => {
    const { id } = await aRule()
    const segmentId = await made('/feeSegment/insert', { ruleVersionId: id, from: '03:00', to: '04:00', mode: 3 })
    const step = (values: object) => post('/feeStep/insert', { segmentId, ...values })
    expect((await step({ upToMin: 60, totalFen: 500 })).status).toBe(200)
    expect(await step({ upToMin: 60, totalFen: 600 })).toMatchObject({ status: 409, code: 40626, message: expect.stringContaining('60 分钟') })
    const { data: later } = await step({ upToMin: 120, totalFen: 800 })
    expect(await post('/feeStep/update', { id: later.id, version: 1, upToMin: 60 })).toMatchObject({ status: 409, code: 40626 })
    expect((await post('/feeStep/update', { id: later.id, version: 1, totalFen: 900 })).status).toBe(200)
    expect((await step({ overUnitMin: 60, overUnitFen: 100 })).status).toBe(200)
    expect(await step({ overUnitMin: 30, overUnitFen: 100 })).toMatchObject({ status: 409, code: 40627 })
  })

  test('never changes once it is published; a new version begins where the old one ends', async () => {
    const { id, day } = await aRule({ name: '版本' })
    await published(id)
    const { rule } = await ruleOf(id)
    expect(await post('/feeRule/update', { id, version: rule.version, freeMin: 0 })).toMatchObject({ status: 409, code: 40613 })
    expect(await post('/feeSegment/update', { id: day, version: 1, capFen: 1 })).toMatchObject({ status: 409, code: 40613 })
    expect(await server.ask(admin, 'DELETE', `/lbs/fee/feeRule/delete?id=${id}`)).toMatchObject({ status: 409 })
    const next = await made('/feeRule/revise', { id })
    expect(await post('/feeRule/revise', { id })).toMatchObject({ code: 40614 })
    const draft = await ruleOf(next)
    expect(draft.rule).toMatchObject({ ruleId: rule.ruleId, versionNo: 2, status: 0 })
    expect(await post('/feeRule/update', { id: next, version: draft.rule.version, freeMin: 0 })).toMatchObject({ status: 200 })
    expect(await published(next, '2026-06-01 00:00:00')).toMatchObject({ status: 200 })
    expect((await ruleOf(id)).rule).toMatchObject({ status: 1, effectiveTo: '2026-05-31T16:00:00.000Z' })
    expect((await ruleOf(next)).versions).toHaveLength(2)
    expect(await fenOf(id, '07-02 09:00:00', '07-02 09:30:00')).toMatchObject({ totalFen: 0 })
    expect(await fenOf(next, '07-02 09:00:00', '07-02 09:30:00')).toMatchObject({ totalFen: 200 })
  })

  test('a stale change is refused', async () => {
    const { id } = await aRule()
    expect(await post('/feeRule/update', { id, version: 99, freeMin: 5 })).toMatchObject({ status: 409, code: 409 })
  })

  test('its parts are listed, changed and removed while it is a draft', async () => {
    const { id, day } = await aRule()
    const { data } = await post('/feeSegment/queryPage', { ruleVersionId: id })
    expect(data.records).toHaveLength(2)
    const hours = (await post('/feeHour/queryPage', { segmentId: day })).data.records
    expect(hours).toMatchObject([{ unitMin: 30, unitFen: 200 }])
    expect(await post('/feeHour/update', { id: hours[0].id, version: 1, firstMin: 60 })).toMatchObject({ status: 422, code: 40610 })
    expect(await post('/feeHour/update', { id: hours[0].id, version: 1, firstMin: 60, firstFen: 500 })).toMatchObject({ status: 200 })
    expect(await post('/feeStep/insert', { segmentId: day, upToMin: 60 })).toMatchObject({ status: 422, code: 40611 })
    const { rule } = await ruleOf(id)
    expect(await server.ask(admin, 'DELETE', `/lbs/fee/feeHour/delete?id=${hours[0].id}`)).toMatchObject({ status: 200 })
    expect((await binned('fee.hour'))[0].title).toMatch(new RegExp(`^${rule.name} · .+`))
    expect(await server.ask(admin, 'DELETE', `/lbs/fee/feeSegment/delete?id=${day}`)).toMatchObject({ status: 200 })
    expect((await post('/feeHour/queryPage', { segmentId: day })).data.total).toBe(0)
    expect((await ruleOf(id)).lint).toContainEqual(expect.objectContaining({ code: 'gap', minute: 480 }))
    expect(await server.ask(admin, 'DELETE', `/lbs/fee/feeRule/delete?id=${id}`)).toMatchObject({ status: 200 })
    expect((await get('/feeRule/detail', { id })).status).toBe(404)
  })
})

describe('a rule document', () => {
  const file = JSON.parse(readFileSync(join(import.meta.dirname, 'published-tariffs.json'), 'utf8')) as {
    tariffs: { id: string; currency: string }[]
  }
  const tariff = (id: string) => file.tariffs.find((one) => one.id === id)!

  test('of published tariffs becomes drafts; their gaps become free hours and are named', async () => {
    const { data } = await post('/feeRule/import', { document: tariff('SZ') })
    expect(data).toHaveLength(3)
    expect(data[0].gaps).toEqual([
      { from: '00:00', to: '07:30', dayType: 1 },
      { from: '20:00', to: '24:00', dayType: 7 },
      { from: '00:00', to: '10:00', dayType: 6 },
    ])
    expect(await published(data[0].id)).toMatchObject({ status: 200 })
    // A Thursday that is a holiday, from the published calendar of 2026.
    expect(await fenOf(data[0].id, '10-01 08:00:00', '10-01 10:30:00')).toMatchObject({ totalFen: 120, holidaysUnknown: false })
    expect(await fenOf(data[0].id, '03-04 07:30:00', '03-04 20:00:00')).toMatchObject({ totalFen: 22300 })
  })

  test('in another currency can be tried but not published', async () => {
    const { data } = await post('/feeRule/import', { document: tariff('SG') })
    expect(data[0].lint).toContainEqual(expect.objectContaining({ code: 'currency', level: 'error' }))
    expect(await published(data[0].id)).toMatchObject({ status: 422 })
  })

  test('with a mistake says where it is', async () => {
    const document = { segments: [{ from: '08:00', to: '20:00', tiers: [{ unitMin: 30, price: 'two' }] }] }
    expect(await post('/feeRule/import', { document })).toMatchObject({
      status: 422,
      message: expect.stringContaining('document.segments[0].tiers[0].price'),
    })
    expect(await post('/feeRule/import', { document: 'x' })).toMatchObject({ status: 422 })
    expect(await post('/feeRule/import', { document: { schema: 1, currency: 'CNY' } })).toMatchObject({ status: 422 })
  })

  test('that names dates and weekdays holds on them before what holds in general', async () => {
    const whole = { from: '00:00', to: '24:00' }
    const document = {
      segments: [
        { ...whole, days: ['2026-03-05'], perEntry: 3 },
        { ...whole, days: ['sat', 'sun'], perEntry: 2 },
        { ...whole, perEntry: 1 },
      ],
    }
    const { data } = await post('/feeRule/import', { document })
    expect(await published(data[0].id)).toMatchObject({ status: 200 })
    const fen = async (day: string) => (await fenOf(data[0].id, `${day} 09:00:00`, `${day} 10:00:00`)).totalFen
    expect([await fen('03-04'), await fen('03-05'), await fen('03-07')]).toEqual([100, 300, 200])
  })

  test('a stay of years is a mistake in typing', async () => {
    const { data } = await post('/feeRule/import', { document: { segments: [{ from: '00:00', to: '24:00', perEntry: 1 }] } })
    await published(data[0].id)
    expect(await post('/feeRule/calFee', { ruleVersionId: data[0].id, entry: '1990-01-01 00:00:00', at: '2026-01-01 00:00:00' })).toMatchObject({
      code: 40608,
    })
  })

  test('of our own is tried without being kept', async () => {
    const own = {
      schema: 1,
      currency: 'CNY',
      seconds: 'count',
      clock: 'segment',
      bands: [{ fromMin: 0, toMin: 1440, days: { mask: 7 }, price: { by: 'visit', priceE4: 50000 } }],
    }
    const { data } = await post('/feeRule/trial', { tariff: own, entry: '2026-03-02 09:00:00', at: '2026-03-02 18:00:00' })
    expect(data).toMatchObject({ totalFen: 500, lines: [{ kind: 2, segment: '00:00–24:00', units: 1, amountFen: 500 }] })
  })
})

test('a rule of two hundred periods over a year is worked out apart, or refused: the lanes share this thread', async () => {
  const bands = Array.from({ length: 200 }, (_, i) => ({
    fromMin: i * 7,
    toMin: i === 199 ? 1440 : (i + 1) * 7,
    days: { mask: 7 },
    price: { by: 'unit', unitMin: 1, priceE4: 10_000 + i, edge: 'carry' },
  }))
  const tariff = { schema: 1, currency: 'CNY', seconds: 'count', clock: 'segment', bands }
  const before = process.threadCpuUsage()
  const long = await post('/feeRule/trial', { tariff, entry: '2025-01-01 00:00:00', at: '2026-01-20 00:00:00' })
  const { user, system } = process.threadCpuUsage(before)
  expect(long).toMatchObject({ status: 422, code: 40620 })
  // All that this thread did for it, the caller's part included: 8 s before.
  expect((user + system) / 1000).toBeLessThan(300)
  const { data } = await post('/feeRule/trial', { tariff, entry: '2026-01-01 00:00:00', at: '2026-01-03 00:00:00' })
  expect(data.lines.length).toBeGreaterThan(200)
})

test('a document as large as a call takes is imported, opened, rehearsed and refused without holding others up', async () => {
  const price = {
    by: 'tiers',
    rounding: 'ceil',
    tiers: Array.from({ length: 70 }, (_, i) => ({ toMin: i === 69 ? null : (i + 1) * 5, unitMin: 5, priceE4: 10_000 + i })),
  }
  const dates = Array.from({ length: 185 }, (_, n) => new Date(Date.UTC(2027, 0, 1) + n * 86_400_000).toISOString().slice(0, 10))
  const bands = dates.map((one) => ({ fromMin: 0, toMin: 1440, days: { dates: [one] }, price }))
  const document = {
    schema: 1,
    currency: 'CNY',
    seconds: 'count',
    clock: 'segment',
    bands: [...bands, { ...bands[0], days: { mask: 3 } }, { ...bands[0], days: { mask: 2 } }, { ...bands[0], days: { mask: 4 } }],
  }
  const held = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = process.threadCpuUsage()
    const made = await work()
    const { user, system } = process.threadCpuUsage(before)
    // With the caller's part, and what it is to send and to check half a million characters: 17 s before.
    expect((user + system) / 1000).toBeLessThan(400)
    return made
  }
  const { data } = await held(() => post('/feeRule/import', { document, name: '大文档' }))
  expect(data[0].lint).toContainEqual(expect.objectContaining({ level: 'error', code: 'overlap' }))
  const { rule } = await held(() => ruleOf(data[0].id))
  expect(await held(() => post('/feeRule/publish', { id: rule.id, version: rule.version }))).toMatchObject({ status: 422, code: 40612 })
  expect((await held(() => post('/feeRehearsal/start', { ruleVersionId: rule.id, days: 1 }))).status).toBe(422)
})

/** A park with two areas, another, and a kind of pass that is for the first. */
async function placesOf(parkCode: string): Promise<string> {
  return server.house.writing(1, 'test', async (tx) => {
    const park = `insert into parking.park (park_code, name, p_type, region_code, total_bays) values ($1, $1, 1, '420607', 20) on conflict do nothing`
    for (const code of [parkCode, 'P002', 'P009']) await run(tx, { sql: park }, [code])
    const area = `insert into parking.area (park_code, area_code, name, total_bays) values ($1, $2, $2, 10) on conflict do nothing`
    for (const areaCode of ['B1', 'B2']) await run(tx, { sql: area }, [parkCode, areaCode])
    const group = `insert into member.card_group (name, park_codes, home_park) values ($2, array[$1], $1) returning id`
    return (await run<{ id: string }>(tx, { sql: group }, [parkCode, `月卡 ${randomUUID()}`]))[0]!.id
  })
}

describe('which rule is for a stay', () => {
  test('a rule is tied to what there is, not to what somebody typed', async () => {
    const pass = await placesOf('P001')
    const { data } = await post('/feeRule/import', { document: { segments: [{ from: '00:00', to: '24:00', perEntry: 1 }] }, name: '只为关联' })
    const { rule } = await ruleOf(data[0].id)
    await published(rule.id)
    const tie = (more: object) => post('/feeAssociate/insert', { ruleId: rule.ruleId, remark: '只为关联', ...more })
    for (const nowhere of [
      { parkCode: 'NOPE99' },
      { parkCode: 'P001', areaCode: 'ZZZ' },
      { parkCode: 'P001', sectionCode: 'ZZZ' },
      { sectionCode: 'ZZZ' },
      { memberGroup: '不存在的组' },
      { parkCode: 'P002', memberGroup: pass },
    ])
      expect(await tie(nowhere), JSON.stringify(nowhere)).toMatchObject({ status: 422, code: 40625 })
    for (const carKind of [1, 5]) expect((await tie({ parkCode: 'P001', carKind })).status).toBe(400)
    expect(await tie({ parkCode: 'P001', areaCode: 'B1', memberGroup: pass, carKind: 8 })).toMatchObject({ status: 200 })
    const [made] = (await post('/feeAssociate/queryPage', { ruleId: rule.ruleId })).data.records
    const move = (change: object) => post('/feeAssociate/update', { id: made.id, version: made.version, ...change })
    expect(await move({ areaCode: 'ZZZ' })).toMatchObject({ status: 422, code: 40625 })
    expect((await move({ remark: '区域后来没有了' })).status).toBe(200)
    expect((await server.ask(admin, 'DELETE', `/lbs/fee/feeAssociate/delete?id=${made.id}`)).status).toBe(200)
    expect((await binned('fee.associate'))[0].title).toBe(`只为关联 · B1 · ${pass}`)
  })
  test('the most special tie wins, and none is refused with 40020', async () => {
    const calFee = (more: object) => post('/feeRule/calFee', { entry: '2026-03-02 09:00:00', at: '2026-03-02 10:00:00', ...more })
    expect(await calFee({ parkCode: 'P001' })).toMatchObject({ status: 422, code: 40020 })
    const flat = async (name: string, yuan: number, more: object = {}) => {
      const { data } = await post('/feeRule/import', { document: { segments: [{ from: '00:00', to: '24:00', perEntry: yuan }] }, name })
      const { rule } = await ruleOf(data[0].id)
      await post('/feeRule/update', { id: rule.id, version: rule.version, ...more })
      await published(rule.id)
      return rule.ruleId as string
    }
    const tie = (ruleId: string, more: object = {}, token = admin) => post('/feeAssociate/insert', { ruleId, ...more }, token)
    const pass = await placesOf('P001')
    await tie(await flat('默认', 1))
    await tie(await flat('车场', 2), { parkCode: 'P001' })
    await tie(await flat('区域', 3), { parkCode: 'P001', areaCode: 'B1' })
    await tie(await flat('月租组', 4), { memberGroup: pass })
    await tie(await flat('大型车', 5, { vehicleClasses: [3] }), { parkCode: 'P001' })
    const fen = async (more: object) => (await calFee(more)).data.totalFen
    expect(await fen({ parkCode: 'P009' })).toBe(100)
    expect(await fen({ parkCode: 'P001' })).toBe(200)
    expect(await fen({ parkCode: 'P001', areaCode: 'B1' })).toBe(300)
    expect(await fen({ parkCode: 'P001', areaCode: 'B1', memberGroup: pass })).toBe(400)
    expect(await fen({ parkCode: 'P001', vehicleClass: 3 })).toBe(500)
    expect(await fen({ parkCode: 'P001', vehicleClass: 1 })).toBe(200)

    const special = (await post('/feeAssociate/queryPage', { parkCode: 'P001', areaCode: 'B1' })).data.records[0]
    expect(special).toMatchObject({ ruleName: '区域', inForceNo: 1 })
    expect(await tie(special.ruleId, { parkCode: 'P001', areaCode: 'B1' })).toMatchObject({ status: 409, code: 40603 })
    expect(await post('/feeAssociate/update', { id: special.id, version: special.version, areaCode: 'B2' })).toMatchObject({ status: 200 })
    expect(await fen({ parkCode: 'P001', areaCode: 'B1' })).toBe(200)
    expect(await server.ask(admin, 'DELETE', `/lbs/fee/feeAssociate/delete?id=${special.id}`)).toMatchObject({ status: 200 })
    expect(await tie(special.ruleId, { areaCode: 'B1' })).toMatchObject({ status: 422, code: 40601 })

    // An operator of two parks sees and prices, but does not touch what holds for all.
    const mine = (await post('/feeAssociate/queryPage', {}, operator)).data.records as { parkCode: string | null }[]
    expect(mine.every(({ parkCode }) => parkCode === 'P001' || parkCode === 'P002')).toBe(true)
    expect((await tie(special.ruleId, {}, operator)).status).toBe(403)
    expect((await tie(special.ruleId, { parkCode: 'P009' }, operator)).status).toBe(403)
  })

  test('a withdrawn rule still prices the stays that kept it', async () => {
    const { id } = await aRule({ name: '停用' })
    await published(id)
    const { rule } = await ruleOf(id)
    expect(await post('/feeRule/withdraw', { id, version: rule.version, reason: '试点结束' })).toMatchObject({ status: 200 })
    expect((await ruleOf(id)).rule.status).toBe(2)
    expect(await fenOf(id, '03-02 09:00:00', '03-02 12:00:00')).toMatchObject({ totalFen: 1200 })
    expect(await post('/feeRule/withdraw', { id, version: rule.version + 1, reason: '再次' })).toMatchObject({ status: 409, code: 40010 })
  })
})

describe('days', () => {
  test('weekends and holidays have caps of their own, and a full 24 hours its price, in the tables too', async () => {
    const { id } = await aRule({ name: '周末封顶', weekendCapFen: 4500, holidayCapFen: 6000 })
    const { status, data } = await published(id)
    // At the end of a year it also says that the next one's holidays are not known.
    expect([status, data.lint.filter(({ code }: { code: string }) => code !== 'holidays')]).toEqual([200, []])
    // A Friday, a Saturday, and Labour Day.
    expect((await fenOf(id, '03-06 00:00:00', '03-07 00:00:00')).totalFen).toBe(3000)
    expect((await fenOf(id, '03-07 00:00:00', '03-08 00:00:00')).totalFen).toBe(4500)
    expect((await fenOf(id, '05-01 00:00:00', '05-02 00:00:00')).totalFen).toBe(5700)
    expect((await fenOf(id, '03-06 00:00:00', '03-08 00:00:00')).totalFen).toBe(7500)
    const { data: next } = await post('/feeRule/revise', { id })
    const { rule } = await ruleOf(next.id)
    expect(rule).toMatchObject({ weekendCapFen: 4500, holidayCapFen: 6000, wholeDayFen: null })
    // Not for days that begin with the entry.
    await post('/feeRule/update', { id: rule.id, version: rule.version, dayUnit: 2 })
    expect(await published(next.id)).toMatchObject({ status: 422, message: expect.stringContaining('自然日') })
    const again = (await ruleOf(next.id)).rule
    await post('/feeRule/update', { id: again.id, version: again.version, dayUnit: 1, wholeDayFen: 2500, freeMin: 0 })
    expect(await published(next.id, '2026-02-01 00:00:00')).toMatchObject({
      status: 200,
      data: { lint: expect.arrayContaining([expect.objectContaining({ level: 'warning', code: 'wholeDay' })]) },
    })
    expect((await fenOf(next.id, '03-06 10:00:00', '03-07 11:00:00')).totalFen).toBe(2500 + 400)
  })
  test('are the published calendar with the enterprise’s own changes', async () => {
    const year = async () => (await get('/feeHoliday/year', { year: 2026 })).data
    const before = await year()
    expect(before.known).toBe(true)
    expect(before.days).toContainEqual(expect.objectContaining({ day: '2026-10-01', kind: 1, name: '国庆节', changed: false }))
    expect(before.days).toContainEqual(expect.objectContaining({ day: '2026-10-10', kind: 2 }))
    expect(await post('/feeHoliday/save', { day: '2026-03-04', kind: 1, name: '本地活动' })).toMatchObject({ status: 200 })
    expect(await post('/feeHoliday/save', { day: '2026-03-04', kind: 1, name: '花会' })).toMatchObject({ status: 200 })
    expect((await year()).days).toContainEqual({ day: '2026-03-04', kind: 1, name: '花会', changed: true })
    const { data } = await post('/feeRule/import', {
      document: {
        segments: [
          { from: '00:00', to: '24:00', days: 'workday', perEntry: 5 },
          { from: '00:00', to: '24:00', days: 'nonworkday', perEntry: 9 },
        ],
      },
    })
    await published(data[0].id)
    expect((await fenOf(data[0].id, '03-04 09:00:00', '03-04 10:00:00')).totalFen).toBe(900)
    expect((await fenOf(data[0].id, '03-05 09:00:00', '03-05 10:00:00')).totalFen).toBe(500)
    const far = (await post<QuoteOf>('/feeRule/calFee', { ruleVersionId: data[0].id, entry: '2035-03-05 09:00:00', at: '2035-03-05 10:00:00' })).data
    expect(far).toMatchObject({ totalFen: 500, holidaysUnknown: true })
  })
})

describe('walls', () => {
  test('another enterprise sees no rule, and who only looks changes none', async () => {
    const { id } = await aRule({ name: '隔离' })
    await published(id)
    expect((await get('/feeRule/detail', { id }, stranger)).status).toBe(404)
    expect((await post('/feeRule/calFee', { ruleVersionId: id, entry: '2026-03-02 09:00:00' }, stranger)).status).toBe(404)
    expect((await get('/feeRule/detail', { id }, auditor)).status).toBe(200)
    expect((await post('/feeRule/insert', { name: 'x' }, auditor)).status).toBe(403)
    expect((await get('/feeRule/dayUnit', {})).data).toHaveLength(3)
  })

  test('what a car owes now comes from whoever keeps its stay', async () => {
    expect(await get('/carFee/query', { plateNo: '京A00001' })).toMatchObject({ status: 404 })
    const { id } = await aRule({ name: '在场' })
    await published(id)
    const entryTime = new Date(Date.now() - 26 * 3_600_000).toISOString() as Instant
    onTestFinished(
      presentStay.answer('test', async (_tx, { plateNo }) =>
        plateNo === '京A12345'
          ? { stayId: '0190c7a4-0000-7000-8000-000000000001', parkCode: 'P001', plateNo, entryTime, ruleVersionId: id, paidFen: 100 }
          : undefined,
      ),
    )
    const { data } = await get('/carFee/query', { plateNo: '京A12345' })
    expect(data).toMatchObject({ parkCode: 'P001', paidFen: 100 })
    expect(data.payableFen).toBe(data.totalFen - 100)
    expect(data.totalFen).toBeGreaterThan(2900)
  })
})
