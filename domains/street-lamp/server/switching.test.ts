import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { cityTime, instantOf } from '../../../platform/contract/time.ts'
import { run } from '../../../platform/server/database.ts'
import { settle } from './command.ts'
import { switchByHand } from './switching.ts'
import { aStreet, type Street } from './testing.ts'

let street: Street
beforeAll(async () => void (street = await aStreet()))
afterAll(() => street?.close())

const SWITCH = '/streetLampWiring/batchUpdateStreetLampWiring'
const turn = (input: object, token?: string) => street.post(SWITCH, input, token)
const states = async (boxCode: string) =>
  (await street.sql('select relay, cmd_state, failure from lamp.command where box_code = $1 order by created_at, wiring_code', [boxCode])).map(
    ({ relay, cmdState, failure }) => [relay, cmdState, failure],
  )
const set = async (sn: string) => (await street.told(sn)).filter(({ method }) => method === 'lamp.set')
const circuits = (on: number, ...nos: number[]) => ({
  circuits: nos.map((circuit) => ({ circuit, on, dim: on * 100, u: 230, i: 4.5, p: on * 980, pf: 0.97 })),
})

test('on is done when the box has answered and reads back what was wanted, and not before', async () => {
  const { boxCode, sn, ids } = await street.aBox(2)
  await street.comes(sn)
  const { data } = await turn({ wiringIds: ids, relay: 1 })
  expect(data.targets.map(({ cmdState, why }: any) => [cmdState, why])).toEqual([
    [1, null],
    [1, null],
  ])
  const [one, ...more] = await set(sn)
  expect(more).toEqual([])
  expect(one!.params['circuits']).toMatchObject([
    { circuit: 1, on: 1, dim: 100 },
    { circuit: 2, on: 1, dim: 100 },
  ])
  await street.answers(sn, one!)
  expect(await states(boxCode)).toEqual([
    [1, 2, null],
    [1, 2, null],
  ])
  await street.says(sn, circuits(1, 1, 2), 1)
  expect(await states(boxCode)).toEqual([
    [1, 3, null],
    [1, 3, null],
  ])
  const shown = (await street.post('/streetLampWiring/queryStreetLampWiringStatus', { wiringIds: ids })).data[0]
  expect(shown).toMatchObject({
    online: true,
    relay: 1,
    dim: 100,
    relayWanted: 1,
    wantedBy: 2,
    lampsLit: 10,
    lossRate: 20,
    cmdState: 3,
    stale: false,
  })
})

test('of the lamps that are due to be lit so many are: circuits that are to be dark, that nobody rules or whose box is away are none of them', async () => {
  const region = { regionCode: '420606' }
  const litRate = async () => (await street.post('/streetLampWiring/summary', region)).data.litPermille
  const { sn, ids } = await street.aBox(3, region)
  const away = await street.aBox(1, region)
  await street.comes(sn)
  expect(await litRate()).toBeNull()
  await turn({ wiringIds: [...ids.slice(0, 2), ...away.ids], relay: 1 })
  await turn({ wiringIds: ids.slice(2), relay: 0 })
  await street.says(sn, circuits(1, 1, 3), 0)
  await street.says(sn, circuits(0, 2), 0)
  expect(await litRate()).toBe(500)
  await street.says(sn, { circuits: [{ circuit: 2, on: 1, dim: 100, u: 230, i: 2.2, p: 490, pf: 0.97 }] }, 0.1)
  expect(await litRate()).toBe(750)
})

test('the online rate counts boxes and says so: an offline box is one of them, however many circuits it takes with it', async () => {
  const region = { regionCode: '420607' }
  const { sn } = await street.aBox(1, region)
  await street.aBox(3, region)
  await street.comes(sn)
  expect((await street.post('/streetLampWiring/summary', region)).data).toMatchObject({ circuits: 4, boxes: 2, boxesOnline: 1, onlinePermille: 500 })
})

test('an answer without a changed read-back is a failure and an alarm, never a success', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  await street.sql(`update lamp.timer set actions = '[{"at":"12:00","relay":0,"dim":0}]' where targets[1] = $1`, [boxCode])
  await street.comes(sn)
  await street.says(sn, circuits(0, 1), -1)
  await turn({ wiringIds: ids, relay: 1 })
  await street.answers(sn, (await set(sn))[0]!)
  await street.says(sn, circuits(0, 1), 0.1)
  expect(await states(boxCode)).toEqual([[1, 2, null]])
  await street.write((tx) => settle(tx, boxCode, street.at(0.5)))
  expect(await states(boxCode)).toEqual([[1, 4, 8]])
  const alarms = (await street.post('/streetLampAlarm/query', { boxCode })).data.records
  expect(alarms).toMatchObject([{ code: 8, level: 3, state: 0, wiringCode: `${boxCode}-1` }])
})

test('off line, on at eight and off at nine, back at half past: only off is sent, and on was replaced', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  const on = (await turn({ wiringIds: ids, relay: 1 })).data
  expect(on.targets).toMatchObject([{ cmdState: 0, why: 3 }])
  await turn({ boxCodes: [boxCode], relay: 0 })
  await street.comes(sn)
  await street.says(sn, circuits(1, 1), 1)
  const sent = await set(sn)
  expect(sent.map(({ params, ttlMs }) => [params['circuits'], ttlMs])).toEqual([[[expect.objectContaining({ circuit: 1, on: 0 })], 10_000]])
  expect(await states(boxCode)).toEqual([
    [1, 6, 9],
    [0, 1, null],
  ])
})

test('a box does one thing at a time: what is wanted meanwhile waits, and then the last of it is sent', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  await street.comes(sn)
  await turn({ wiringIds: ids, relay: 1 })
  const [first] = await set(sn)
  expect((await turn({ wiringIds: ids, dim: 40 })).data.targets).toMatchObject([{ cmdState: 0, why: 4 }])
  await turn({ wiringIds: ids, dim: 60 })
  expect(await set(sn)).toEqual([])
  await street.says(sn, circuits(1, 1), 1)
  await street.answers(sn, first!, 0, 1)
  expect((await set(sn)).map(({ params }) => params['circuits'])).toMatchObject([[{ circuit: 1, on: 1, dim: 60 }]])
  expect(await states(boxCode)).toEqual([
    [1, 3, null],
    [1, 6, 9],
    [1, 1, null],
  ])
})

test('two at the same moment: one command is under way, and the other waits behind it', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  await street.comes(sn)
  const both = await Promise.all([turn({ wiringIds: ids, relay: 1 }), turn({ wiringIds: ids, dim: 30 })])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await states(boxCode)).map(([, state]) => state).sort()).toEqual([0, 1])
  expect(await set(sn)).toHaveLength(1)
})

test('a circuit that is tagged out is left alone, with the name of who has hung the tag; another takes it off only by the right to', async () => {
  const { boxCode, ids } = await street.aBox(2)
  const update = (input: object, token?: string) => street.post('/streetLampWiring/updateStreetLampWiring', input, token)
  expect((await update({ id: ids[0], version: 1, mode: 3 })).code).toBe(42210)
  expect((await update({ id: ids[0], version: 1, mode: 3, tagReason: '更换接触器' })).status).toBe(200)
  const { data } = await turn({ regionCode: '420602', relay: 1, confirm: undefined })
  const mine = data.targets.filter(({ wiringCode }: any) => wiringCode.startsWith(boxCode))
  expect(mine).toMatchObject([
    { why: 1, commandId: null, taggedName: expect.stringMatching(/./) },
    { why: 3, cmdState: 0 },
  ])
  await street.sql('update lamp.wiring set tagged_by = uuidv7() where id = $1', [ids[0]])
  expect((await update({ id: ids[0], version: 2, mode: 1 })).code).toBe(42209)
  expect((await street.post('/streetLampWiring/untag', { id: ids[0], version: 2, reason: '已完工，当班确认' })).status).toBe(200)
  const [row] = await street.sql('select mode, tagged_name from lamp.wiring where id = $1', [ids[0]])
  expect(row).toEqual({ mode: 1, taggedName: null })
})

test('what waits ends with the night, or at the time that it was to hold', async () => {
  const { boxCode, ids } = await street.aBox(2)
  await turn({ wiringIds: [ids[0]], relay: 1, untilAt: street.at(30) })
  await turn({ wiringIds: [ids[1]], relay: 1, untilAt: street.at(60 * 40) })
  await street.tick(29)
  expect((await states(boxCode)).map(([, state]) => state)).toEqual([0, 0])
  await street.tick(31)
  expect((await states(boxCode)).map(([, state]) => state)).toEqual([5, 0])
  await street.tick(60 * 24)
  expect((await states(boxCode)).map(([, state]) => state)).toEqual([5, 5])
})

test('a hand that says no time means this night: until the next event of the program, until sunrise at the latest', async () => {
  const { boxCode, ids } = await street.aBox(1)
  await street.sql(`update lamp.timer set actions = '[{"at":"sunset","relay":1,"dim":100},{"at":"22:00","relay":0,"dim":0}]' where targets[1] = $1`, [
    boxCode,
  ])
  const heldFrom = (clock: string) =>
    street.write(async (tx) => {
      const actor = { userId: randomUUID(), userName: '值班' }
      await switchByHand(tx, { wiringIds: ids as never, relay: 1 }, actor as never, instantOf(`2026-11-28T${clock}:00+08:00`)!)
      const [{ until }] = (await run<{ until: Instant }>(tx, { sql: 'select override_until as until from lamp.wiring_now where wiring_id = $1' }, [
        ids[0],
      ])) as [{ until: Instant }]
      return cityTime(until).slice(5, 16).replace('T', ' ')
    })
  expect(await heldFrom('20:00')).toBe('11-28 22:00')
  expect(await heldFrom('23:28')).toMatch(/^11-29 07:[0-2]/)
  expect(await heldFrom('03:28')).toMatch(/^11-28 07:[0-2]/)
  expect(await heldFrom('08:00')).toBe('11-28 12:00')
  expect(await heldFrom('13:00')).toMatch(/^11-28 17:[2-5]/)
})

test('what nobody may switch: without saying which, at odds with itself, for the past, or twenty-one boxes by one click', async () => {
  const { ids } = await street.aBox(1)
  expect((await turn({ relay: 1 })).code).toBe(42212)
  expect((await turn({ wiringIds: ids, regionCode: '42', relay: 1 })).code).toBe(42212)
  expect((await turn({ wiringIds: ids, relay: 1, dim: 0 })).status).toBe(400)
  expect((await turn({ wiringIds: ids })).status).toBe(400)
  expect((await turn({ wiringIds: ids, relay: 1, untilAt: street.at(-1) })).code).toBe(42215)
  for (let n = 0; n < 21; n++) await street.aBox(1, { regionCode: '429000' })
  expect((await turn({ regionCode: '4290', relay: 1 })).code).toBe(42214)
  expect((await turn({ regionCode: '4290', relay: 1, confirm: 20 })).code).toBe(42214)
  expect((await turn({ regionCode: '4290', relay: 1, confirm: 21 })).data.targets).toHaveLength(21)
})

test('a box out of use is left alone, and so is one that has no controller', async () => {
  const one = await street.aBox(1)
  const other = await street.aBox(1)
  const rows = async (code: string) => (await street.sql('select id, version from lamp.box where box_code = $1', [code]))[0]
  expect((await street.post('/streetLampBox/update', { ...(await rows(one.boxCode)), useState: 2 })).status).toBe(200)
  expect((await street.post('/streetLampBox/update', { ...(await rows(other.boxCode)), gatewayNo: null })).status).toBe(200)
  const { data } = await turn({ wiringIds: [...one.ids, ...other.ids], relay: 1 })
  expect(data.targets.map(({ why }: any) => why)).toEqual([2, 5])
})

test('when a hold is over, a circuit that is not as its program wants is told so', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  await street.comes(sn)
  const now = (await street.post('/streetLampWiring/queryStreetLampWiringStatus', { wiringIds: ids })).data[0]
  const relay = now.relayWanted === 1 ? 0 : 1
  await turn({ wiringIds: ids, relay, untilAt: street.at(10) })
  const [one] = await set(sn)
  await street.says(sn, circuits(relay, 1), 1)
  await street.answers(sn, one!, 0, 1)
  await street.tick(11)
  expect((await set(sn)).map(({ params }) => params['circuits'])).toMatchObject([[{ circuit: 1, on: 1 - relay }]])
  expect(
    (await street.sql('select source from lamp.command where box_code = $1 order by created_at', [boxCode])).map(({ source }) => source),
  ).toEqual([1, 2])
})
