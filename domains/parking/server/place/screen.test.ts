import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { tokenOfParks } from '../../../../tests/support/roles.ts'
import { Direction } from '../../contract/gate.ts'
import { CarKind } from '../../contract/stay.ts'
import { aGround, type Field, type Ground } from '../testing.ts'

let ground: Ground
let own: Field
let third: Field
beforeAll(async () => {
  ground = await aGround()
  own = await ground.field({ name: '城东' })
  third = await ground.field({ name: '城西', subType: 2, pType: 2 })
  await own.write(async (tx) => {
    for (const area of ['B1', 'B2', 'B3'])
      await run(tx, { sql: 'insert into parking.area (park_code, area_code, name, total_bays) values ($1, $2, $2, 10)' }, [own.parkCode, area])
    for (const seat of ['A1', 'A2', 'A3'])
      await run(tx, { sql: `insert into roadside.berth (park_code, area_code, seat_code, berth_no) values ($1, 'B1', $2, $2)` }, [own.parkCode, seat])
  })
})
afterAll(() => ground.server.close())

const get = async (path: string, query: object) => (await ground.ask(ground.admin, path, query, 'GET')).data
const codes = (rows: { parkCode: string }[]) => rows.map(({ parkCode }) => parkCode)

test('the map shows the layer and the parks of the operator that are asked for', async () => {
  expect(codes(await get('/business/park/screen', { moduleType: 1 }))).toEqual([own.parkCode])
  expect(codes(await get('/business/park/screen', { moduleType: 2 }))).toEqual([third.parkCode])
  expect(codes(await get('/business/park/screen', { subType: 2 }))).toEqual([third.parkCode])
  expect(codes(await get('/business/park/screen', { moduleType: 1, subType: 2 }))).toEqual([])
})
test('the map by the name of the company: its parks, or none of another', async () => {
  const [company] = await own.write((tx) => run<{ name: string }>(tx, { sql: 'select name from identity.enterprise where id = 1' }, []))
  expect(codes(await get('/business/park/screen', { custName: company!.name.slice(0, 2) }))).toEqual([own.parkCode, third.parkCode])
  expect(await get('/business/park/screen', { custName: '没有这家' })).toEqual([])
})
test('answers about parks tell the kind as ptype, and lists take the operator', async () => {
  const list = await ground.ask(ground.admin, '/basic/parkInfo/queryPage', { pType: [2], subType: [2] })
  expect(list.data.records).toMatchObject([{ parkCode: third.parkCode, pType: 2, ptype: 2, subType: 2 }])
  const choices = await ground.ask(ground.admin, '/basic/parkInfo/queryList', { subType: 1 })
  expect(choices.data).toMatchObject([{ parkCode: own.parkCode, ptype: 1 }])
})
test('areas of a park and bays come by the page', async () => {
  const areas = async (current: number) => (await get('/business/park/screen/detail', { parkCode: own.parkCode, current, limit: 2 })).areas
  expect((await areas(1)).map(({ areaCode }: { areaCode: string }) => areaCode)).toEqual(['B1', 'B2'])
  expect((await areas(2)).map(({ areaCode }: { areaCode: string }) => areaCode)).toEqual(['B3'])
  for (const path of ['/business/park/parkBayList', '/device/parkSeat/findParkSeatList']) {
    const bays = async (query: object) =>
      (await get(path, { parkCode: own.parkCode, ...query })).map(({ seatCode }: { seatCode: string }) => seatCode)
    expect([path, await bays({ current: 1, limit: 2 }), await bays({ current: 2, limit: 2 }), await bays({ seatCode: 'A2' })]).toEqual([
      path,
      ['A1', 'A2'],
      ['A3'],
      ['A2'],
    ])
  }
})
test('clauses are loaded into the law that the address names', async () => {
  const law = await ground.ask(ground.admin, '/basic/regulation/add', { title: '条例', kind: 4, effectiveOn: '2026-01-01' })
  const form = new FormData()
  form.append('file', new Blob(['章节,条号,条文\n总则,1,第一条的文字\n']), 'clauses.csv')
  const answer = await fetch(`${ground.server.url}/lbs/basic/regulation/importClause?regulationId=${law.data.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ground.admin}`, 'idempotency-key': law.data.id },
    body: form,
  })
  expect(await answer.json()).toMatchObject({ code: 200, data: { added: 1 } })
})
test('each park tells how many cars came in and left today', async () => {
  const [came, left] = [await ground.field(), await ground.field()]
  const now = Math.floor((Date.now() - Date.parse(came.at(0))) / 60_000)
  for (const field of [came, left]) await field.enters('鄂F40001', now)
  await left.exits('鄂F40001', now)
  await left.passes(now)
  const rows = (await get('/business/park/screen', {})) as { parkCode: string }[]
  const of = ({ parkCode }: Field) => rows.find((one) => one.parkCode === parkCode)
  expect(of(came)).toMatchObject({ entriesToday: 1, exitsToday: 0 })
  expect(of(left)).toMatchObject({ entriesToday: 1, exitsToday: 1 })
  expect(of(own)).toMatchObject({ entriesToday: 0, exitsToday: 0 })
})

test('what came and left last is told, the newest first, of the parks of whoever asks; no plate, and nothing that was cleared', async () => {
  const [one, two] = [await ground.field({ name: '城南' }), await ground.field({ name: '城北' })]
  const ago = (field: Field, minutes: number) => (Date.now() - Date.parse(field.at(0))) / 60_000 - minutes
  const token = await tokenOfParks(ground.server, [one.parkCode, two.parkCode])
  const told = async () => (await ground.ask(token, '/business/park/screen/lastMoves', {}, 'GET')).data
  expect(await told()).toEqual([])
  const both = ago(one, 30)
  await one.enters('鄂F40011', both)
  await one.exits('鄂F40011', both)
  await one.passes(both)
  await two.enters('鄂F40012', ago(two, 20))
  await one.enters('鄂F40013', ago(one, 10))
  const { id, entryTime } = await one.stay('鄂F40013')
  expect((await ground.ask(ground.admin, '/fee/parkRecord/clear', { parkCode: one.parkCode, reason: '已离场', ids: [id] })).code).toBe(200)
  const moves = await told()
  const [inOne, inTwo] = [one, two].map(({ parkCode }, n) => ({ parkCode, parkName: ['城南', '城北'][n], gateName: expect.stringMatching(/./) }))
  expect(moves).toMatchObject([
    { ...inOne, at: entryTime, direction: Direction.entrance, carKind: CarKind.temporary },
    { ...inTwo, direction: Direction.entrance },
    { ...inOne, at: one.at(both), direction: Direction.exit },
    { ...inOne, at: one.at(both), direction: Direction.entrance },
  ])
  expect(JSON.stringify(moves)).not.toMatch(/鄂F/)
  for (let n = 0; n < 6; n++) await two.enters(`鄂F4002${n}`, ago(two, 8 - n))
  expect((await told()).map(({ parkCode }: { parkCode: string }) => parkCode)).toEqual(Array(6).fill(two.parkCode))
})
