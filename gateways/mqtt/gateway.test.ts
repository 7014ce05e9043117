import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { connectAsync, type IClientOptions } from 'mqtt'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { command, enrol, hashOf, laneEvent, type LaneEvent, stillWaiting } from '../../domains/device/server/api.ts'
import { run } from '../../platform/server/database.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { type Lane, lane, type LaneOptions } from './simulator.ts'

/** The acceptance ideas of the device conventions, each entered by real MQTT. Parking's part is a lane that lets in every plate that may still come in. */
let server: TestServer
let owner: pg.Pool
const heard: LaneEvent[] = []
const waiting = new Set<string>()
const open: { close(force?: boolean): Promise<void> }[] = []
const secret = 'lane-secret-for-tests'

beforeAll(async () => {
  server = await startTestServer({ role: 'gateway' })
  owner = new pg.Pool({ connectionString: server.ownerUrl })
  const secretHash = await hashOf(secret)
  await server.house.writing(1, 'test', async (tx) => {
    for (let i = 1; i <= 40; i++) await enrol(tx, { sn: sn(i), name: `Lane ${i}`, type: 1, parkCode: 'T900', gateCode: `T900-G${i}`, secretHash })
    await enrol(tx, { sn: 'GM-T1', name: 'Sensor', type: 4, secretHash, intervalSec: 45_000 })
  })
})
afterAll(
  laneEvent.answer('test', async (tx, event) => {
    if (event.parkCode !== 'T900') return
    if (event.body['breaks'] === true) throw new Error('This event breaks its listener.')
    heard.push(event)
    if (event.type === 'plate' && event.mayOpen)
      await command(tx, { sn: event.sn, method: 'gate.open', params: { reason: 'entry' }, orderId: `stay-${event.messageId}` })
  }),
)
afterAll(stillWaiting.answer('test', async (_tx, { orderId }) => waiting.has(orderId)))
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close(true)))
})
afterAll(async () => {
  await owner?.end()
  await server?.close()
})

let used = 0
const sn = (i: number) => `PG-T${String(i).padStart(3, '0')}`
const fresh = () => sn(++used)
const url = () => `mqtt://127.0.0.1:${server.mqttPort}`
async function aLane(of: Partial<LaneOptions> = {}): Promise<Lane> {
  const made = await lane({ sn: fresh(), secret, url: url(), direction: 'in', passAfterMs: null, ...of })
  open.push(made)
  return made
}
async function aClient(of: string, options: IClientOptions = {}) {
  const client = await connectAsync(url(), { clientId: `${of}x`, username: of, password: secret, reconnectPeriod: 0, ...options })
  client.on('error', () => {})
  open.push({ close: async (force) => client.endAsync(force) })
  return client
}
const rows = async (text: string, ...values: unknown[]) => (await owner.query(text, values)).rows
const messagesOf = (of: string) => rows(`select * from device.message where device_no = $1 and type = 'plate' order by received_at, id`, of)
const rejectsOf = async (of: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await rows('select reason, sum(count)::int n from device.reject where device_no = $1 group by 1', of)).map((r) => [r.reason, r.n]),
  )
const commandsOf = (of: string) => rows('select * from device.command where device_no = $1 order by created_at', of)
const until = <T>(what: () => Promise<T> | T, timeout = 8_000) => vi.waitUntil(what, { timeout, interval: 30 })
const eventTopic = (of: string) => `v1/devices/${of}/event`

test('a plate is kept, the barrier opens, and the command is sent, delivered and done', async () => {
  const gate = await aLane()
  await gate.plate({ plate: '鄂F12345', image: 'pic-1' })
  const { params, ttl } = await gate.next('gate.open')
  expect(params).toMatchObject({ reason: 'entry' })
  expect(ttl).toBe(10_000)
  await until(async () => (await commandsOf(gate.sn))[0]?.state === 3)
  const [done] = await commandsOf(gate.sn)
  expect(done).toMatchObject({ state: 3, attempt: 1, result: { code: 0, msg: 'ok' } })
  expect(heard.at(-1)).toBeDefined()
  expect(heard.find((event) => event.sn === gate.sn)).toMatchObject({
    plate: '鄂F12345',
    color: 'blue',
    image: 'pic-1',
    gateCode: expect.stringContaining('T900-G'),
    offline: false,
    mayOpen: true,
  })
})

test('a clock that was put back shuts no barrier, holds up no paid car’s next try and silences nobody', async () => {
  const gate = await aLane()
  const open = (order: string, more: object = {}) =>
    server.house.writing(1, 'test', (tx) => command(tx, { sn: gate.sn, method: 'gate.open', orderId: `${order} ${gate.sn}`, ...more }))
  const lastOpened = (ahead: string) =>
    rows(`update device.presence set last_open_at = clock_timestamp() + $2::interval where device_no = $1`, gate.sn, ahead)
  await lastOpened('10 minutes')
  await gate.plate({ plate: '鄂A00021' })
  await gate.next('gate.open')
  await lastOpened('1 day')
  await open('by hand', { tooSoon: 'refuse' })
  await gate.next('gate.open')
  // A turn that may be is no error of the clock.
  const behindThoseWhoWait = server.house.writing(1, 'test', async (tx) => {
    await run(tx, { sql: `update device.presence set last_open_at = clock_timestamp() + interval '6 seconds' where device_no = $1` }, [gate.sn])
    return command(tx, { sn: gate.sn, method: 'gate.open', orderId: `behind those who wait ${gate.sn}`, tooSoon: 'refuse' })
  })
  await expect(behindThoseWhoWait).rejects.toThrow(expect.objectContaining({ id: 'device.too-soon' }))

  waiting.add(`paid ${gate.sn}`)
  await lastOpened('-1 minute')
  gate.manners.deaf = true
  await open('paid', { persist: true, ttlMs: 60_000 })
  await rows(
    `update device.command set created_at = created_at + interval '1 hour', send_at = send_at + interval '1 hour', expires_at = expires_at + interval '1 hour' where order_id = $1`,
    `paid ${gate.sn}`,
  )
  const paid = () => rows('select state, attempt, retry_at from device.command where order_id = $1 order by attempt', `paid ${gate.sn}`)
  await until(async () => (await paid())[0].state === 5)
  await rows(`update device.command set retry_at = clock_timestamp() + interval '1 hour' where order_id = $1 and attempt = 1`, `paid ${gate.sn}`)
  gate.manners.deaf = false
  await until(async () => (await paid()).at(-1).state === 3)
  expect((await paid()).map(({ attempt }) => attempt)).toEqual([1, 2])
}, 60_000)

test('the same mid twice is one record and one opening, whichever connection brings it', async () => {
  const gate = await aLane()
  const seen = { plate: '鄂A00001', mid: 'same' }
  await gate.plate(seen)
  await gate.next('gate.open')
  await gate.plate(seen)
  const second = await aClient(gate.sn)
  await Promise.all(
    Array.from({ length: 20 }, () =>
      second.publishAsync(eventTopic(gate.sn), JSON.stringify({ type: 'plate', ts: Date.now(), direction: 'in', ...seen }), { qos: 1 }),
    ),
  )
  expect((await messagesOf(gate.sn)).filter(({ mid }) => mid === 'same')).toHaveLength(1)
  expect(await commandsOf(gate.sn)).toHaveLength(1)
})

test('a device whose count begins again after a start is heard: another car under a known mid, and the same car another time', async () => {
  const gate = await aLane()
  const opens = async (plate: string, more: object = {}) => {
    await gate.plate({ plate, mid: '7', ...more })
    await gate.next('gate.open')
    await rows(`update device.presence set last_open_at = null where device_no = $1`, gate.sn)
  }
  await opens('鄂A00031')
  await opens('鄂A00032')
  await opens('鄂A00033', { mid: '8' })
  expect((await messagesOf(gate.sn)).map(({ mid, payload }) => [mid, payload.plate])).toEqual([
    ['7', '鄂A00031'],
    ['7', '鄂A00032'],
    ['8', '鄂A00033'],
  ])
  // Told again: the picture is uploaded anew, the time is that of the telling; some keep the time and say that they were cut off.
  await gate.plate({ plate: '鄂A00032', mid: '7', image: 'pic-2' })
  await gate.plate({ plate: '鄂A00032', mid: '7', ts: Date.now() - 300_000, offline: true })
  expect(await messagesOf(gate.sn)).toHaveLength(3)
  await rows(`update device.seen set said_ms = said_ms - 86400000 where device_no = $1`, gate.sn)
  await opens('鄂A00031')
  expect(await messagesOf(gate.sn)).toHaveLength(4)
  expect(await commandsOf(gate.sn)).toHaveLength(4)
})

test('an event of three days ago stands at its own time, opens nothing and warns of nothing', async () => {
  const gate = await aLane()
  const ts = Date.now() - 3 * 86_400_000
  await gate.plate({ plate: '鄂A00002', ts, offline: true, seq: 7, mid: 'old' })
  await gate.plate({ plate: '鄂A00002', ts, offline: true, seq: 7, mid: 'told again under another id' })
  await until(() => heard.some((event) => event.mid === 'old'))
  expect(heard.filter((event) => event.sn === gate.sn)).toEqual([
    expect.objectContaining({ offline: true, mayOpen: false, seq: 7, deviceTime: new Date(ts).toISOString() }),
  ])
  expect(await commandsOf(gate.sn)).toHaveLength(0)
  expect(await rows('select * from device.warning where device_no = $1', gate.sn)).toHaveLength(0)
})

test('what several lanes tell afterwards is taken in the order of their clocks, before a live event', async () => {
  const [entry, exit] = [await aLane(), await aLane({ direction: 'out' })]
  const began = Date.now() - 3_600_000
  await exit.plate({ plate: '鄂A00003', ts: began + 60_000, offline: true, seq: 1 })
  await entry.plate({ plate: '鄂A00004', ts: began + 30_000, offline: true, seq: 2 })
  await entry.plate({ plate: '鄂A00003', ts: began, offline: true, seq: 1 })
  await exit.plate({ plate: '鄂A00004' })
  const order = heard
    .filter(({ sn }) => sn === entry.sn || sn === exit.sn)
    .map(({ plate, sn, offline }) => [plate, sn === entry.sn ? 'in' : 'out', offline])
  expect(order).toEqual([
    ['鄂A00003', 'in', true],
    ['鄂A00004', 'in', true],
    ['鄂A00003', 'out', true],
    ['鄂A00004', 'out', false],
  ])
})

test('a lane that was cut off tells everything afterwards, with its numbers', async () => {
  const gate = await aLane()
  gate.cutOff()
  for (const plate of ['鄂B00001', '鄂B00002', '鄂B00003']) await gate.plate({ plate, ts: Date.now() - 60_000 })
  await until(async () => (await rows('select online from device.presence where device_no = $1', gate.sn))[0]?.online === false)
  await gate.restore()
  await until(() => heard.filter((event) => event.sn === gate.sn).length === 3)
  expect(heard.filter((event) => event.sn === gate.sn).map(({ plate, seq }) => [plate, seq])).toEqual([
    ['鄂B00001', 1],
    ['鄂B00002', 2],
    ['鄂B00003', 3],
  ])
  expect(gate.opened).toBe(0)
})

test('device time: missing is now, plainly wrong is dated by receipt and marked, far off is warned of, numbers may be text', async () => {
  const gate = await aLane()
  const client = await aClient(gate.sn)
  const say = (body: object) =>
    client.publishAsync(eventTopic(gate.sn), JSON.stringify({ type: 'plate', direction: 'in', plate: '鄂A00005', ...body }), { qos: 1 })
  await say({ mid: 'no-ts' })
  await say({ mid: 'ahead', ts: Date.now() + 11 * 60_000 })
  await say({ mid: 'text', ts: String(Date.now()), confidence: '0.9' })
  await say({ mid: 'skewed', ts: Date.now() + 6 * 60_000 })
  await say({ mid: 'never-set', ts: 1_000 })
  await say({ mid: 'never-set, told later', ts: 2_000, offline: true, seq: 1 })
  await say({ mid: 'years-ahead', ts: 4_102_444_800_000 })
  await until(async () => (await messagesOf(gate.sn)).length === 7)
  const kept = await messagesOf(gate.sn)
  const fixed = ['ahead', 'never-set', 'never-set, told later', 'years-ahead']
  for (const { mid, device_time, received_at, clock_fixed } of kept) {
    expect(clock_fixed, mid).toBe(fixed.includes(mid))
    if (mid === 'no-ts' || clock_fixed) expect(device_time, mid).toBe(received_at)
  }
  const its = heard.filter((event) => event.sn === gate.sn)
  expect(its.filter(({ mayOpen }) => !mayOpen).map(({ mid }) => mid)).toEqual(['never-set, told later'])
  expect(await rows('select type from device.warning where device_no = $1', gate.sn)).toEqual([{ type: 2 }])
  expect(gate.warnings).toEqual([])
})

test('garbage is acknowledged, counted, logged and told to the device; the lane goes on', async () => {
  const gate = await aLane()
  const client = await aClient(gate.sn)
  const topic = eventTopic(gate.sn)
  const good = { type: 'plate', ts: Date.now(), plate: '鄂A00006', direction: 'in' }
  const bad: [string | Buffer, string][] = [
    ['{"type":"plate"', 'json'],
    ['', 'json'],
    ['[1,2]', 'json'],
    ['null', 'json'],
    [Buffer.alloc(1024 * 1024, 'x'), 'oversized'],
    [JSON.stringify({ ...good, mid: 'big', note: 'x'.repeat(9_000) }), 'oversized'],
    [Buffer.from([0x7b, 0x22, 0x70, 0x22, 0x3a, 0x22, 0xb6, 0xf5, 0x46, 0x22, 0x7d]), 'encoding'],
    [JSON.stringify(good), 'mid'],
    [JSON.stringify({ ...good, mid: 'm'.repeat(65) }), 'mid'],
    [JSON.stringify({ ...good, mid: 'f1', plate: 17 }), 'form'],
    [JSON.stringify({ ...good, mid: 'f2', ts: 'yesterday' }), 'form'],
    [JSON.stringify({ ...good, mid: 'f3', confidence: 7 }), 'form'],
    [JSON.stringify({ ...good, mid: 'f4', direction: 'up' }), 'form'],
    [JSON.stringify({ mid: 'f5', type: 'gate', state: 'melted' }), 'form'],
    [JSON.stringify({ ...good, mid: 'nul', note: 'a\0b' }), 'unstorable'],
    [JSON.stringify({ ...good, mid: 'half', note: '\ud83d' }), 'unstorable'],
  ]
  for (const [payload] of bad) await client.publishAsync(topic, payload, { qos: 1 })
  // A backslash in a text is no half of a character.
  await client.publishAsync(topic, JSON.stringify({ ...good, mid: 'after', note: 'C:\\udata\\u0000' }), { qos: 1 })
  const wanted: Record<string, number> = {}
  for (const [, reason] of bad) wanted[reason] = (wanted[reason] ?? 0) + 1
  await until(async () => Object.values(await rejectsOf(gate.sn)).reduce((sum, n) => sum + (n as number), 0) === bad.length)
  expect(await rejectsOf(gate.sn)).toEqual(wanted)
  expect((await messagesOf(gate.sn)).map(({ mid }) => mid)).toEqual(['after'])
  expect(gate.warnings.length).toBeGreaterThan(0)
  expect(client.connected).toBe(true)
})

test('a device writes and hears its own topics only', async () => {
  const [gate, other] = [await aLane(), await aLane()]
  const client = await aClient(gate.sn)
  for (const topic of [
    eventTopic(other.sn),
    `v1/devices/${other.sn}/rpc/request/${randomUUID()}`,
    `v1/devices/${gate.sn}/rpc/request/${randomUUID()}`,
    'v1/devices/x',
    'elsewhere',
    '$SYS/x',
  ])
    await client.publishAsync(
      topic,
      JSON.stringify({ type: 'plate', ts: Date.now(), mid: randomUUID(), plate: '鄂A00007', method: 'gate.open', params: {}, ttl: 10_000 }),
      { qos: 1, retain: true },
    )
  for (const filter of [`v1/devices/${other.sn}/#`, 'v1/devices/+/event', '#', `v1/devices/${gate.sn}`]) {
    await expect(client.subscribeAsync(filter, { qos: 1 })).rejects.toThrow()
  }
  await until(async () => (await rejectsOf(gate.sn))['topic'] === 10)
  expect(await messagesOf(other.sn)).toHaveLength(0)
  expect([gate.opened, other.opened, gate.requests.length, other.requests.length]).toEqual([0, 0, 0, 0])
})

test('wrong passwords, strange names and other devices’ client ids are not let in', async () => {
  const of = fresh()
  const refused = (options: IClientOptions) =>
    expect(connectAsync(url(), { username: of, password: secret, clientId: of, reconnectPeriod: 0, ...options }, false)).rejects.toThrow(
      /refused|closed/i,
    )
  await refused({ password: 'wrong' })
  await refused({ username: 'PG-NOBODY', clientId: 'PG-NOBODY' })
  await refused({ username: "x' or 1=1 --" })
  await refused({ clientId: sn(1) })
  // Ids may begin with one's own number and go on, but not as the number of another.
  const secretHash = await hashOf(secret)
  await server.house.writing(1, 'test', (tx) => enrol(tx, { sn: `${of}1`, name: 'Neighbour', type: 1, secretHash }))
  for (const clientId of [`${of}1`, `${of}1-cam`]) await refused({ clientId })
  await (await connectAsync(url(), { username: of, password: secret, clientId: `${of}-cam`, reconnectPeriod: 0 }, false)).endAsync()
  for (let i = 0; i < 10; i++) await refused({ password: `wrong ${i}` })
  await refused({}) // too many: even the right one has to wait
})

test('a device that dies is off line at once, and one that says goodbye too; the will is kept as its status', async () => {
  const gate = await aLane()
  const online = async () => (await rows('select online from device.presence where device_no = $1', gate.sn))[0].online
  await until(online)
  gate.client.options.reconnectPeriod = 0
  gate.client.stream.destroy()
  await until(async () => !(await online()))
  await until(
    async () =>
      (await rows(`select 1 from device.message where device_no = $1 and kind = 4 and payload ->> 'online' = 'false'`, gate.sn)).length === 1,
  )
  expect(await rows('select to_at, reason from device.offline where device_no = $1', gate.sn)).toEqual([{ to_at: null, reason: 1 }])
  // Half a minute is flapping and leaves no trace.
  open.push(await lane({ sn: gate.sn, secret, url: url(), direction: 'in' }))
  await until(online)
  expect(await rows('select 1 from device.offline where device_no = $1', gate.sn)).toHaveLength(0)
})

test('a command for a device that is away is queued, expires and says so; it never acts late', async () => {
  const of = fresh()
  const persistent = await aLane({ sn: of })
  await persistent.close(true)
  open.splice(open.indexOf(persistent), 1)
  await until(async () => !(await rows('select online from device.presence where device_no = $1', of))[0].online)
  await server.house.writing(1, 'test', (tx) => command(tx, { sn: of, method: 'gate.open', ttlMs: 1_200 }))
  expect((await commandsOf(of))[0].state).toBe(0)
  await until(async () => (await commandsOf(of))[0].state === 5)
  expect((await commandsOf(of))[0]).toMatchObject({ failure: 5, sent_at: null })
  const back = await aLane({ sn: of })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(back.requests).toHaveLength(0)
  // One that still has time is sent as soon as the device is back.
  await back.close(true)
  await until(async () => !(await rows('select online from device.presence where device_no = $1', of))[0].online)
  await server.house.writing(1, 'test', (tx) => command(tx, { sn: of, method: 'display.show', params: { lines: ['欢迎光临'] } }))
  const again = await aLane({ sn: of })
  await again.next('display.show')
  expect(again.display).toEqual(['欢迎光临'])
})

test('two answers to one command count once; a device that is busy or knows nothing fails it; one that is silent lets it expire', async () => {
  const gate = await aLane()
  gate.manners.stutter = true
  await server.house.writing(1, 'test', (tx) => command(tx, { sn: gate.sn, method: 'voice.play', params: { text: '请缴费五元' } }))
  await until(async () => (await commandsOf(gate.sn))[0]?.state === 3)
  gate.manners = { busy: true }
  await server.house.writing(1, 'test', (tx) => command(tx, { sn: gate.sn, method: 'gate.close' }))
  await until(async () => (await commandsOf(gate.sn))[1]?.state === 4)
  gate.manners = { deaf: true }
  await server.house.writing(1, 'test', (tx) => command(tx, { sn: gate.sn, method: 'gate.close', ttlMs: 1_000 }))
  await until(async () => (await commandsOf(gate.sn))[2]?.state === 2) // delivered, as the receipt says
  await until(async () => (await commandsOf(gate.sn))[2]?.state === 5)
  expect((await commandsOf(gate.sn)).map(({ state, failure }) => [state, failure])).toEqual([
    [3, null],
    [4, 3],
    [5, 6],
  ])
  // An answer to another device's command is none.
  const other = await aClient(fresh())
  await other.publishAsync(`v1/devices/${sn(used)}/rpc/response/${(await commandsOf(gate.sn))[2].id}`, '{"code":0}', { qos: 1 })
  expect((await commandsOf(gate.sn))[2]).toMatchObject({ state: 5, result: null })
})

test('a paid car’s barrier is told again, each time as a new command of the same order, while the car stands there, and not after it was acknowledged', async () => {
  const gate = await aLane()
  gate.manners = { deaf: true }
  waiting.add('order-1')
  const paid = { sn: gate.sn, method: 'gate.open', params: { reason: 'paid' }, orderId: 'order-1', persist: true } as const
  await server.house.writing(1, 'test', (tx) => command(tx, { ...paid, ttlMs: 500 }))
  expect(await server.house.writing(1, 'test', (tx) => command(tx, paid))).toMatchObject({ already: true })
  await until(async () => (await commandsOf(gate.sn))[0].state === 5)
  expect(await commandsOf(gate.sn)).toHaveLength(1)
  await hurry(gate.sn)
  await until(async () => (await commandsOf(gate.sn))[1]?.state === 5)
  gate.manners = {}
  await hurry(gate.sn)
  await until(async () => (await commandsOf(gate.sn))[2]?.state === 3)
  const all = await commandsOf(gate.sn)
  expect(all.map(({ attempt, state, order_id, retry_at }) => [attempt, state, order_id, retry_at])).toEqual([
    [1, 5, 'order-1', null],
    [2, 5, 'order-1', null],
    [3, 3, 'order-1', null],
  ])
  expect(new Set(gate.requests.map(({ id }) => id)).size).toBe(3)
  expect(gate.opened).toBe(1)
})

test('a paid car that has gone is not let out again; one that stays stuck raises the alarm', async () => {
  const gate = await aLane()
  gate.manners = { deaf: true }
  const persist = (orderId: string) =>
    server.house.writing(1, 'test', (tx) => command(tx, { sn: gate.sn, method: 'gate.open', orderId, persist: true, ttlMs: 200 }))
  await persist('order-gone')
  await until(async () => (await commandsOf(gate.sn))[0].state === 5)
  await hurry(gate.sn)
  await until(async () => (await commandsOf(gate.sn))[0].retry_at === null)
  expect(await commandsOf(gate.sn)).toHaveLength(1)
  waiting.add('order-stuck')
  await persist('order-stuck')
  for (let attempt = 1; attempt <= 4; attempt++) {
    await until(async () => (await commandsOf(gate.sn)).filter((row) => row.order_id === 'order-stuck' && row.state === 5).length === attempt)
    if (attempt < 4) await hurry(gate.sn)
  }
  expect(await rows('select type, subject, level, state from device.warning where device_no = $1', gate.sn)).toEqual([
    { type: 3, subject: 'order-stuck', level: 4, state: 0 },
  ])
}, 30_000)
/** The pause before the next repeat is over. */
const hurry = (of: string) => owner.query(`update device.command set retry_at = now() where device_no = $1 and retry_at is not null`, [of])

test('one opening per gate in two seconds: a person is refused, a lane waits its turn, a flood is cut off', async () => {
  const gate = await aLane()
  const tell = (tooSoon: 'wait' | 'refuse') => server.house.writing(1, 'test', (tx) => command(tx, { sn: gate.sn, method: 'gate.open', tooSoon }))
  const clicks = await Promise.allSettled(Array.from({ length: 30 }, () => tell('refuse')))
  expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const turns = await Promise.allSettled(Array.from({ length: 10 }, () => tell('wait')))
  expect(turns.every(({ status }) => status === 'fulfilled')).toBe(true) // a lane's decision is never undone by its barrier
  const states = (await commandsOf(gate.sn)).map(({ state }) => state)
  expect(states.filter((state) => state !== 6).length).toBeLessThanOrEqual(5)
  const first = await gate.next('gate.open')
  const second = await gate.next('gate.open')
  expect(second.at - first.at).toBeGreaterThan(1_500)
})

test('the sign takes four lines of sixteen characters', async () => {
  const show = (lines: unknown) => server.house.writing(1, 'test', (tx) => command(tx, { sn: sn(1), method: 'display.show', params: { lines } }))
  for (const lines of [['1', '2', '3', '4', '5'], ['一二三四五六七八九十一二三四五六七'], [], 'text', [7]])
    await expect(show(lines)).rejects.toMatchObject({ status: 422 })
  await expect(server.house.writing(1, 'test', (tx) => command(tx, { sn: 'PG-NOBODY', method: 'gate.open' }))).rejects.toMatchObject({ status: 404 })
})

test('an event that breaks its listener is kept and warned of; the next one goes on', async () => {
  const gate = await aLane()
  await gate.event({ type: 'plate', plate: '鄂A00008', breaks: true })
  await gate.plate({ plate: '鄂A00009' })
  await gate.next('gate.open')
  expect(await messagesOf(gate.sn)).toHaveLength(2)
  expect(await rows('select type from device.warning where device_no = $1', gate.sn)).toEqual([{ type: 7 }])
})

test('attributes, telemetry and status are the device’s presence; a sensor that sleeps stays on line', async () => {
  const sensor = await connectAsync(url(), { clientId: 'GM-T1', username: 'GM-T1', password: secret, reconnectPeriod: 0 })
  await sensor.publishAsync('v1/devices/GM-T1/telemetry', JSON.stringify({ ts: Date.now(), mid: '1', occupied: 1, battery: 3.58 }), { qos: 1 })
  await sensor.publishAsync('v1/devices/GM-T1/attributes', JSON.stringify({ model: 'GM-2' }), { qos: 1 })
  await sensor.publishAsync('v1/devices/GM-T1/status', JSON.stringify({ online: true, fw: '1.2.0' }), { qos: 1, retain: true })
  await sensor.endAsync()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await rows(`select online, firmware, state, attributes from device.presence where device_no = 'GM-T1'`))[0]).toMatchObject({
    online: true,
    firmware: '1.2.0',
    state: { occupied: 1, battery: 3.58 },
    attributes: { model: 'GM-2' },
  })
})

test('messages of one device keep their order, however many come at once', async () => {
  const gate = await aLane()
  await Promise.all(Array.from({ length: 60 }, (_, i) => gate.event({ type: 'count', n: i })))
  expect(heard.filter((event) => event.sn === gate.sn).map(({ body }) => body['n'])).toEqual(Array.from({ length: 60 }, (_, i) => i))
})

test('it works with Debian’s mosquitto_pub and mosquitto_sub', async () => {
  const of = fresh()
  const base = ['-h', '127.0.0.1', '-p', String(server.mqttPort), '-u', of, '-P', secret]
  const sub = spawn('mosquitto_sub', [...base, '-i', of, '-q', '1', '-c', '-v', '-C', '1', '-W', '10', '-t', `v1/devices/${of}/rpc/request/+`])
  let out = ''
  sub.stdout.on('data', (chunk) => (out += chunk))
  await until(async () => (await rows('select online from device.presence where device_no = $1', of))[0].online)
  const pub = (kind: string, body: object, ...more: string[]) =>
    promisify(execFile)('mosquitto_pub', [...base, '-i', `${of}r`, '-q', '1', '-t', `v1/devices/${of}/${kind}`, '-m', JSON.stringify(body), ...more])
  await pub(
    'status',
    { online: true },
    '-r',
    '--will-topic',
    `v1/devices/${of}/status`,
    '--will-qos',
    '1',
    '--will-retain',
    '--will-payload',
    '{"online":false}',
  )
  await pub('event', { type: 'plate', ts: Date.now(), mid: 'mosq-1', direction: 'in', plate: '鄂F12345', color: 'blue', confidence: 0.97 })
  await until(() => out.includes('gate.open'))
  const id = /rpc\/request\/(\S+)/.exec(out)![1]!
  await pub(`rpc/response/${id}`, { code: 0, msg: 'ok' })
  await until(async () => (await commandsOf(of))[0].state === 3)
  const wrong = await promisify(execFile)('mosquitto_pub', [
    '-h',
    '127.0.0.1',
    '-p',
    String(server.mqttPort),
    '-u',
    of,
    '-P',
    'wrong',
    '-i',
    of,
    '-q',
    '1',
    '-t',
    'x',
    '-m',
    'x',
  ]).catch((error) => error)
  expect(wrong.code).not.toBe(0)
})
