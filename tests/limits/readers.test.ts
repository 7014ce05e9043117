import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tally } from '../../scripts/tally.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { underAttack } from './attack.ts'
import { type Program, productOn, running } from './running.ts'

/** `READERS=500` for a crowd of each kind. */
const READERS = Number(process.env['READERS'] ?? 8)
/** The system's buffers take their part at once; a large answer then has some forty seconds. A busy machine comes on top. */
const GIVEN_UP_MS = 90_000
const A_BYTE_MS = 1_000
const LOOK_MS = 500
const EXPORT_BYTES = 64 * 1024 * 1024

let server: TestServer
let owner: pg.Client
let admin: string
let custId: string
let product: Program
let careless: Program
const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-readers-'))
beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  admin = await server.signIn('admin')
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  custId = (await owner.query(`select id from identity.person where username = 'admin'`)).rows[0].id
  product = await productOn(server.ownerUrl, dataDir)
  careless = await running('tests/limits/careless-door.ts', {}, '/')
})
afterAll(async () => {
  await careless.stop()
  await product.stop()
  await owner.end()
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const head = (address: string, more = '') => `GET ${address} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin}\r\n${more}\r\n`
const other = () =>
  fetch(`${product.url}/lbs/custom/account/getUserInfo`, { headers: { authorization: `Bearer ${admin}` } }).then((answer) => answer.text())

/** Many ask for the same and take a byte a second of it, until `over`. @returns after how long each was given up; undefined for who never was */
async function crowd(url: string, request: string, readers = READERS, over = () => false): Promise<(number | undefined)[]> {
  const port = Number(new URL(url).port)
  const begun = performance.now()
  const sockets = await Promise.all(Array.from({ length: readers }, () => asking(port, request)))
  const timer = setInterval(() => sockets.forEach((socket) => socket.read(1)), A_BYTE_MS)
  const ends = new Map<Socket, number>()
  const kept = sockets.map((socket) => ({ socket, localPort: socket.localPort! }))
  while (ends.size < readers && !over() && performance.now() - begun < GIVEN_UP_MS) {
    await pause(LOOK_MS)
    const held = heldAt(port)
    for (const { socket, localPort } of kept) if (!ends.has(socket) && !held.has(localPort)) ends.set(socket, performance.now() - begun)
  }
  clearInterval(timer)
  sockets.forEach((socket) => socket.destroy())
  return sockets.map((socket) => ends.get(socket))
}
async function asking(port: number, request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  socket.write(request)
  return socket
}
/** The other ends of the connections that a program still holds, as the kernel sees them: who reads nothing does not hear that it was hung up. */
function heldAt(port: number): Set<number> {
  const portOf = (address = '') => parseInt(address.split(':')[1] ?? '', 16)
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
  return new Set(rows.filter(([, local, , state]) => portOf(local) === port && state === ESTABLISHED).map(([, , remote]) => portOf(remote)))
}
const ESTABLISHED = '01'
const held = (givenUp: readonly (number | undefined)[]) => {
  const kept = givenUp.filter((ms) => ms === undefined).length
  return kept > 0 ? [`${kept} of ${givenUp.length} slow readers were never given up`] : []
}

/** A large file that an export has left. */
async function anExport(): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into platform.export (enterprise_id, person_id, call, title, title_en, criteria, format) values (1, $1, 'trial', '试', 'Trial', '{}', 'csv') returning id`,
    [custId],
  )
  const { id } = rows[0]!
  await owner.query(
    `insert into platform.export_file (id, enterprise_id, person_id, columns, language, format, name, state, link_until) values ($1, 1, $2, '[]', 0, 'csv', 'trial.csv', 3, now() + interval '1 hour')`,
    [id, custId],
  )
  mkdirSync(path.join(dataDir, 'exports'), { recursive: true })
  writeFileSync(path.join(dataDir, 'exports', id), Buffer.alloc(EXPORT_BYTES, 'x'))
  return id
}

test(
  'who reads a large answer or an export a byte a second is given up, and nobody else feels it; the harness sees a program that waits for them',
  async () => {
    const id = await anExport()
    const download = head(`/lbs/basic/sysExport/download?id=${id}`)
    const first = await fetch(`${product.url}/lbs/basic/sysExport/download?id=${id}`, { headers: { authorization: `Bearer ${admin}` } })
    expect((await first.arrayBuffer()).byteLength).toBe(EXPORT_BYTES)
    let over = false
    const attack = () =>
      Promise.all([crowd(product.url, head('/lbs/openapi.json').repeat(60)), crowd(product.url, download)]).finally(() => (over = true))
    const [planted, { result, wrong, grownMb, medianMs }] = await Promise.all([
      crowd(careless.url, 'GET /big HTTP/1.1\r\nhost: x\r\n\r\n', 1, () => over),
      underAttack(product.pid, other, attack),
    ])
    expect(held(planted)).toEqual(['1 of 1 slow readers were never given up'])
    expect([...result.flatMap(held), ...wrong]).toEqual([])
    const longestMs = Math.round(Math.max(...result.flat().map((ms) => ms ?? 0)))
    tally({ check: 'limits: slow readers', numbers: { readers: READERS * 2, longestMs, grownMb, medianOfOthersMs: medianMs } })
  },
  GIVEN_UP_MS * 3,
)

const TOPICS = [
  'parking.stay',
  'parking.lane',
  'parking.park',
  'settlement.order',
  'message.inner',
  'message.record',
  'message.task',
  'message.news',
  'device.status',
  'device.command',
  'device.warning',
]
/** Much of what an administrator may hear, more often than it is told. */
async function news(until: () => boolean): Promise<void> {
  const ids = Array.from({ length: 100 }, (_, i) => hash('md5', String(i)))
  while (!until()) {
    for (const t of TOPICS) await owner.query('select pg_notify($1, $2)', ['kerbline', JSON.stringify({ t, e: 1, i: ids })])
    await pause(50)
  }
}

test(
  'an open page that reads nothing of what it is told is cut off before it takes much memory',
  async () => {
    const upgrade = head(
      `/lbs/message/innerMessage/channel/${custId}`,
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n',
    )
    let over = false
    const attack = async () => {
      const talk = news(() => over)
      const ends = await crowd(product.url, upgrade)
      over = true
      await talk
      return ends
    }
    const { result, wrong, grownMb } = await underAttack(product.pid, other, attack)
    expect([...held(result), ...wrong]).toEqual([])
    tally({ check: 'limits: silent pages', numbers: { pages: READERS, longestMs: Math.round(Math.max(...result.map((ms) => ms ?? 0))), grownMb } })
  },
  GIVEN_UP_MS * 3,
)
