import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStreet, type Street } from './testing.ts'

let street: Street
beforeAll(async () => {
  street = await aStreet()
})
afterAll(() => street?.close())

let numbers = 0
async function aLit(boxMore: object = {}) {
  const box = await street.aBox(2, boxMore)
  await street.comes(box.sn)
  const lampNos = Array.from({ length: 10 }, () => `D-${String(++numbers).padStart(4, '0')}`)
  for (const lampNo of lampNos)
    expect((await street.post('/streetLamp/add', { lampNo, wiringCode: `${box.boxCode}-1`, ratedPowerW: 100 })).status).toBe(200)
  return { ...box, lampNos }
}
const lamps = async (of: object) => (await street.post('/streetLamp/query', { limit: 100, orderByColumn: 'lampNo', isAsc: true, ...of })).data.records
const stateOf = async (lampNo: string) => (await lamps({ lampNo }))[0]
const circuit = async (boxCode: string, no = 1) =>
  (await street.post('/streetLampWiring/queryStreetLampWiringStatus', { boxCodes: [boxCode] })).data.find((one: any) => one.circuitNo === no)
const lit = (n: number, on = 1) => ({ circuits: [{ circuit: n, on, dim: on * 100, u: 230, i: 4, p: on * 800, pf: 0.96 }] })

test('a lamp is what its controller told last: lit, dimmed, dark, faulty; unknown before, and when its box is away', async () => {
  const { sn, boxCode, lampNos } = await aLit()
  const [a, b, c, d] = lampNos as [string, string, string, string]
  expect(await stateOf(a)).toMatchObject({ state: 5, dim: null, readAt: null, boxCode, wiringCode: `${boxCode}-1` })
  const told = [
    { lamp: a, on: 1, dim: 100, p: 98.5, hours: 4_100 },
    { lamp: b, on: 1, dim: 40 },
    { lamp: c, on: 0, dim: 80 },
    { lamp: d, on: 0, fault: 1 },
  ]
  await street.says(sn, { ...lit(1), lamps: told })
  expect(await stateOf(a)).toMatchObject({ state: 1, dim: 100, p: 98.5, lifeHours: 4_100 })
  expect(await stateOf(b)).toMatchObject({ state: 2, dim: 40, lifeHours: null })
  expect(await stateOf(c)).toMatchObject({ state: 3, dim: 0 })
  expect(await stateOf(d)).toMatchObject({ state: 4, faulty: true })
  // By day the relay is open: dark without a word, and a fault stays one.
  await street.says(sn, lit(1, 0), 1)
  expect([(await stateOf(a)).state, (await stateOf(d)).state]).toEqual([3, 4])
  await street.goes(sn)
  expect((await stateOf(a)).state).toBe(5)
})

test('older, nonsense and other boxes’ words change nothing', async () => {
  const { sn, lampNos } = await aLit()
  const other = await aLit()
  const [a] = lampNos as [string]
  await street.says(sn, { ...lit(1), lamps: [{ lamp: a, on: 1, dim: 60 }] })
  await street.says(sn, { ...lit(1), lamps: [{ lamp: a, on: 0 }] }, -5)
  await street.says(other.sn, { ...lit(1), lamps: [{ lamp: a, on: 0 }] }, 1)
  await street.says(sn, { ...lit(1), lamps: [null, 7, 'x', { lamp: 5, on: 1 }, { lamp: a }, { lamp: a, dim: 900 }, { lamp: "'; --", on: 1 }] }, 1)
  await street.says(sn, { ...lit(1), lamps: 'all' }, 1)
  expect(await stateOf(a)).toMatchObject({ state: 2, dim: 60 })
})

test('of a circuit known lamps are counted, the others follow from its power; more lamps than its data says are counted too', async () => {
  const { sn, boxCode, lampNos } = await aLit()
  await street.says(sn, lit(1))
  expect(await circuit(boxCode)).toMatchObject({ lampCount: 10, lampsLit: 8 })
  const told = lampNos.map((lamp, n) => ({ lamp, on: n < 7 ? 1 : 0, dim: 100 }))
  await street.says(sn, { ...lit(1), lamps: told.slice(0, 5) }, 1)
  expect(await circuit(boxCode)).toMatchObject({ lampsLit: 5 + 4 })
  await street.says(sn, { ...lit(1), lamps: told }, 2)
  expect(await circuit(boxCode)).toMatchObject({ lampCount: 10, lampsLit: 7 })
  await street.post('/streetLamp/add', { lampNo: `${boxCode}-X`, wiringCode: `${boxCode}-1`, ratedPowerW: 100 })
  expect(await circuit(boxCode)).toMatchObject({ lampCount: 11 })
  expect(await circuit(boxCode, 2)).toMatchObject({ lampCount: 10 })
})

test('a box has one phase or three: two are told as that, where it is added and where it is changed', async () => {
  const told = { status: 422, code: 42228, message: '相数只能是 1 或 3' }
  const terms = { boxCode: 'BX-TWO', name: '箱', lng: 112.14, lat: 32.04 }
  expect(await street.post('/streetLampBox/add', { ...terms, phaseCount: 2 })).toMatchObject(told)
  expect((await street.post('/streetLampBox/query', { boxCode: 'BX-TWO' })).data.records).toEqual([])
  expect((await street.post('/streetLampBox/add', { ...terms, phaseCount: 1 })).status).toBe(200)
  const [{ id, version }] = (await street.post('/streetLampBox/query', { boxCode: 'BX-TWO' })).data.records
  expect(await street.post('/streetLampBox/update', { id, version, phaseCount: 2 })).toMatchObject(told)
  expect((await street.post('/streetLampBox/update', { id, version, phaseCount: 3 })).status).toBe(200)
})

test('its number is its own, its circuit is there, its place is whole; a circuit with lamps stays; a lamp that moves is known by nothing of before', async () => {
  const { sn, boxCode, ids, lampNos } = await aLit()
  const [a] = lampNos as [string]
  const add = (more: object) => street.post('/streetLamp/add', { lampNo: 'D-NEW', wiringCode: `${boxCode}-1`, ratedPowerW: 100, ...more })
  expect((await add({ lampNo: a })).code).toBe(42225)
  expect((await add({ wiringCode: 'NONE' })).code).toBe(42226)
  expect((await add({ lng: 112 })).code).toBe(42227)
  const [{ version }] = await street.sql('select version from lamp.wiring where id = $1', [ids[0]])
  expect((await street.post('/streetLampWiring/deleteStreetLampWiring', { id: ids[0], version })).code).toBe(42211)
  await street.says(sn, { ...lit(1), lamps: [{ lamp: a, on: 1, dim: 100, hours: 12 }] })
  const one = await stateOf(a)
  expect((await street.post('/streetLamp/update', { id: one.id, version: one.version, wiringCode: `${boxCode}-2` })).status).toBe(200)
  expect(await stateOf(a)).toMatchObject({ state: 5, dim: null, lifeHours: 12, wiringCode: `${boxCode}-2` })
  expect((await street.post('/streetLamp/update', { id: one.id, version: one.version, poleNo: '1' })).status).toBe(409)
  const now = await stateOf(a)
  expect((await street.post('/streetLamp/delete', { id: now.id, version: now.version }, await street.server.signIn('otheradmin'))).status).toBe(404)
  expect((await street.post('/streetLamp/delete', { id: now.id, version: now.version })).status).toBe(200)
  expect(await lamps({ lampNo: a })).toEqual([])
})

test('two at once are one lamp; a sheet adds and changes', async () => {
  const { boxCode } = await street.aBox(1)
  const both = await Promise.all([1, 2].map(() => street.post('/streetLamp/add', { lampNo: 'D-ONCE', wiringCode: `${boxCode}-1`, ratedPowerW: 100 })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const form = new FormData()
  form.append('file', new Blob([`灯号,回路编号,额定功率,杆号\nD-ONCE,${boxCode}-1,150,7\nD-TWO,${boxCode}-1,90,8\n`]), 'lamps.csv')
  const answer = await fetch(`${street.server.url}/lbs/business/streetLamp/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${street.admin}` },
    body: form,
  })
  expect(await answer.json()).toMatchObject({ data: { added: 1, changed: 1 } })
  expect(await lamps({ wiringCode: `${boxCode}-1` })).toMatchObject([
    { lampNo: 'D-ONCE', ratedPowerW: 150, poleNo: '7' },
    { lampNo: 'D-TWO', ratedPowerW: 90, poleNo: '8' },
  ])
})
