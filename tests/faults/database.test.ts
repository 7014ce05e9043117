import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPeople } from '../../domains/identity/server/api.ts'
import { hashOf } from '../../domains/device/server/api.ts'
import { aGate, aPark, aRule } from '../../domains/parking/server/factories.ts'
import { type Running, startServer } from '../../apps/server/server.ts'
import { lane, type Lane } from '../../gateways/mqtt/simulator.ts'
import { planFaults } from '../../platform/server/faults.ts'
import { openLog } from '../../platform/server/log.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { configFor, digestOf, PASSWORD } from '../support/server.ts'
import { tally } from '../../scripts/tally.ts'
import { openProxy, type Proxy } from '../support/proxy.ts'
import { wrongs } from './truth.ts'

/** The promise: nobody waits longer for a 503, and the server serves again so soon after the database is back. */
const TOLD_MS = 2_000
const BACK_MS = 5_000
/** Between two questions of the pulse. */
const BEAT_MS = 300
/** Longer than a device's event is tried quickly; `AWAY_MS` holds it longer. */
const AWAY_MS = Number(process.env['AWAY_MS'] ?? 4_000)
/** The server looks for the database a few times a second, and not more and more often. */
const TRIES_A_SECOND = 12
/** A disk of this size, for what people upload. */
const DISK_MB = 1
const SECRET = 'lane-secret-for-tests'
let database: TestDatabase
let proxy: Proxy
let running: Running
let url: string
let token: string
let owner: pg.Client
let entrance: Lane
const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-faults-'))

beforeAll(async () => {
  database = await testDatabase()
  const { hostname: host, port } = new URL(database.ownerUrl)
  proxy = await openProxy({ host, port: Number(port) })
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const databaseUrl = proxy.through(database.ownerUrl)
  running = await startServer({
    config: {
      port: 0,
      mqttPort: 0,
      host: '127.0.0.1',
      dataDir,
      databaseUrl,
      demo: 'none',
      demoPassword: PASSWORD,
      mqttUrl: undefined,
      role: 'all',
      rateLimit: 0,
    },
    ownerUrl: databaseUrl,
    appUrl: proxy.through(database.appUrl),
    log: openLog('fatal'),
  })
  url = running.url
  await demoPeople(running.house, PASSWORD)
  const secretHash = await hashOf(SECRET)
  await running.house.writing(1, 'test', async (tx) => {
    await aPark(tx, { parkCode: 'D001' })
    await aGate(tx, { parkCode: 'D001', gateCode: 'D001-G01', direction: 1, sn: 'PG-D001-1', secretHash })
    await aRule(tx, { parkCode: 'D001' })
  })
  token = await signIn()
  entrance = await lane({ sn: 'PG-D001-1', secret: SECRET, url: `mqtt://127.0.0.1:${running.mqttPort}`, direction: 'in', passAfterMs: null })
})
afterAll(async () => {
  await entrance?.close(true)
  await running?.close()
  await proxy?.stop()
  await owner?.end()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function signIn(): Promise<string> {
  const body = new URLSearchParams({ username: 'admin', password: digestOf('admin', PASSWORD) })
  const { access_token } = (await (await fetch(`${url}/lbs/security/authentication/form`, { method: 'POST', body })).json()) as {
    access_token: string
  }
  return access_token
}
interface Heard {
  status: number
  ms: number
  retryAfter: string | null
  message: string
}
async function ask(address: string, init: RequestInit = {}): Promise<Heard> {
  const begun = performance.now()
  const reply = await fetch(url + address, {
    signal: AbortSignal.timeout(20_000),
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })
  const { message = '' } = reply.headers.get('content-type')?.includes('json') ? ((await reply.json()) as { message?: string }) : {}
  return { status: reply.status, ms: performance.now() - begun, retryAfter: reply.headers.get('retry-after'), message }
}
const json = (body: object) => ({ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
const looks = () => ask('/lbs/basic/parkInfo/queryPage', json({}))
const writes = (parkCode: string) => ask('/lbs/basic/parkInfo/add', json({ parkCode, name: '车场', pType: 1, regionCode: '420607', totalBays: 1 }))
const signsIn = () =>
  ask('/lbs/security/authentication/form', {
    method: 'POST',
    body: new URLSearchParams({ username: 'admin', password: digestOf('admin', PASSWORD) }),
  })

/** While the way to the database is broken: everybody who asks is told so in time, the page opens, and the process lives. */
async function everybodyIsTold(made: string, forMs: number): Promise<number> {
  const answers: Heard[] = []
  for (let round = 0, until = performance.now() + forMs; round < 3 || performance.now() < until; round++) {
    if (round > 3) await pause(200)
    answers.push(...(await Promise.all([looks(), writes(`${made}${round}`), signsIn(), ask('/lbs/ready'), looks(), writes(`${made}X${round}`)])))
    const [page, lives] = await Promise.all([ask('/dist/'), ask('/lbs/health')])
    expect([lives.status, lives.ms < TOLD_MS]).toEqual([200, true])
    expect([200, 404]).toContain(page.status) // 404 only where the page has not been built
    expect(page.ms).toBeLessThan(TOLD_MS)
  }
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  expect(answers.filter(({ retryAfter }) => !(Number(retryAfter) > 0))).toEqual([])
  expect(answers.map(({ message }) => message).filter((message) => !message || /select|insert|Error|ECONN|connect/i.test(message))).toEqual([])
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  expect(slowest).toBeLessThan(TOLD_MS)
  return slowest
}
async function servesAgain(): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const [seen, made] = await Promise.all([looks(), writes(`Z${Math.floor(Math.random() * 1e9)}`)])
    if (seen.status === 200 && made.status === 200) break
    if (performance.now() - begun > BACK_MS) throw new Error(`It does not serve again: ${seen.status} ${made.status}.`)
    await pause(50)
  }
  return performance.now() - begun
}
const said = (what: string, told: number, back: number) => {
  tally({ check: `database ${what}`, numbers: { slowest503Ms: Math.round(told), servesAgainMs: Math.round(back) } })
  console.log(`database ${what}: slowest 503 after ${Math.round(told)} ms, serves again ${Math.round(back)} ms after it is back`)
}

test.each<[string, Proxy['way']]>([
  ['down', 'down'],
  ['slow, 2 s for each message', 2_000],
  ['silent', 'silent'],
])(
  'database %s: 503 within 2 s, the sign-in page opens, and it serves again within 5 s',
  async (what, way) => {
    expect((await looks()).status).toBe(200)
    const plate = `鄂A${String(10_000 + Math.floor(Math.random() * 80_000))}`
    proxy.way = way
    if (way === 'down') proxy.cutAll()
    // The lane's event waits at the gateway and has its effect afterwards, once.
    const heard = entrance.plate({ plate })
    const told = await everybodyIsTold(`${what[0]!.toUpperCase()}D`, AWAY_MS)
    const before = proxy.tries
    await pause(1_000)
    const tries = proxy.tries - before
    proxy.way = 'open'
    said(what, told, await servesAgain())
    expect(tries).toBeLessThan(TRIES_A_SECOND)
    await heard
    const { rows } = await owner.query('select status from parking.stay where plate_no = $1', [plate])
    expect(rows).toHaveLength(1)
    expect(await wrongs(owner)).toEqual([])
  },
  60_000,
)

test('cut in the middle: every writer knows whether it was done, or is told to ask again', async () => {
  const outcomes = new Map<string, number>()
  let slowest = 0
  let stop = false
  const cutting = (async () => {
    for (let times = 0; times < 8; times++) {
      await pause(120)
      proxy.cutAll()
    }
    stop = true
  })()
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; !stop; n++) {
        const { status, ms } = await writes(`C${writer}N${n}`)
        if (status === 503) slowest = Math.max(slowest, ms)
        outcomes.set(`C${writer}N${n}`, status)
      }
    }),
  )
  await cutting
  said('cut', slowest, await servesAgain())
  expect(slowest).toBeLessThan(TOLD_MS)
  expect([...new Set(outcomes.values())].filter((status) => status !== 200 && status !== 503)).toEqual([])
  const { rows } = await owner.query<{ code: string }>(`select park_code as code from parking.park where park_code ~ '^C[0-9]+N'`)
  const there = new Set(rows.map(({ code }) => code))
  expect([...outcomes].filter(([code, status]) => status === 200 && !there.has(code))).toEqual([])
}, 30_000)

test('a start waits for a database that does not answer yet, and begins with it; what the database refuses ends it at once', async () => {
  const again = (appUrl: string) =>
    startServer({ config: configFor(database.ownerUrl, { dataDir }), ownerUrl: database.ownerUrl, appUrl, log: openLog('fatal') })
  const before = proxy.tries
  proxy.way = 'silent'
  const begins = again(proxy.through(database.appUrl))
  await expect.poll(() => proxy.tries - before, { timeout: 20_000 }).toBeGreaterThan(2)
  proxy.way = 'down'
  const failed = proxy.tries
  await expect.poll(() => proxy.tries - failed, { timeout: 20_000 }).toBeGreaterThan(2)
  proxy.way = 'open'
  const second = await begins
  expect((await fetch(`${second.url}/lbs/ready`)).status).toBe(200)
  await second.close()

  const stranger = new URL(database.appUrl)
  stranger.username = 'nobody_here'
  const from = performance.now()
  await expect(again(stranger.href)).rejects.toMatchObject({ code: expect.stringMatching(/^28/) })
  expect(performance.now() - from).toBeLessThan(20_000)
}, 60_000)

test('no connection left for us: 503 in time, and it serves again', async () => {
  const limit = (most: number) => owner.query(`alter database ${owner.database} connection limit ${most}`)
  await limit(0)
  try {
    proxy.cutAll()
    await pause(300)
    const told = await everybodyIsTold('L', 0)
    await limit(-1)
    said('without a free connection', told, await servesAgain())
  } finally {
    await limit(-1)
  }
}, 30_000)

test('the connection that asks for signs of life is lost alone: nobody is told anything', async () => {
  const { rowCount } = await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pulse' and datname = current_database()`,
  )
  expect(rowCount).toBe(1)
  const heard: number[] = []
  for (const until = performance.now() + 3 * BEAT_MS; performance.now() < until; await pause(20)) heard.push((await looks()).status)
  expect(heard.length).toBeGreaterThan(3)
  expect(new Set(heard)).toEqual(new Set([200]))
}, 30_000)

test('a database that lets nobody write: whoever looks is served, whoever writes is told in time, and it writes again by itself', async () => {
  const onlyReads = (on: boolean) =>
    owner.query(`alter database ${owner.database} ${on ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'}`)
  await onlyReads(true)
  try {
    // A connection gets its rights when it begins.
    proxy.cutAll()
    await expect.poll(async () => (await looks()).status, { timeout: BACK_MS }).toBe(200)
    const answers: Heard[] = []
    for (let round = 0; round < 3; round++) {
      const [seen, ...told] = await Promise.all([looks(), writes(`RO${round}`), signsIn(), writes(`ROX${round}`)])
      expect([seen.status, (await ask('/lbs/health')).status]).toEqual([200, 200])
      answers.push(...told)
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(
      answers.filter(({ retryAfter, message }) => !(Number(retryAfter) > 0) || !message || /read-only|transaction|Error/i.test(message)),
    ).toEqual([])
    const slowest = Math.max(...answers.map(({ ms }) => ms))
    expect(slowest).toBeLessThan(TOLD_MS)
    await onlyReads(false)
    said('that lets nobody write', slowest, await servesAgain())
    expect((await owner.query(`select from parking.park where park_code like 'RO%'`)).rowCount).toBe(0)
  } finally {
    await onlyReads(false)
    // Each connection that began meanwhile may only read until it has told one writer so: they are nothing to the tests after this one.
    proxy.cutAll()
    await servesAgain()
  }
}, 30_000)

test('no room for what is uploaded: 507 in words, nothing half is left, and everything else goes on', async () => {
  const files = path.join(dataDir, 'files')
  const mounted = process.getuid?.() === 0 && mount(files)
  if (!mounted) {
    console.log('No disk of its own can be mounted here: the full disk is played.')
    planFaults(({ via }) => (via === 'system.file.upload' ? Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }) : undefined))
  }
  try {
    const { width, height } = { width: 900, height: 900 }
    const noise = Buffer.from(Uint8Array.from({ length: width * height * 3 }, () => Math.floor(Math.random() * 256)))
    const picture = await sharp(noise, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
    const upload = () => {
      const body = new FormData()
      body.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png')
      return ask('/lbs/basic/file/upload', { method: 'POST', body })
    }
    const before = (await owner.query('select count(*)::int as n from system.file')).rows[0].n as number
    const { status, message } = await upload()
    expect([status, message]).toEqual([507, expect.stringContaining('空间')])
    expect((await owner.query('select count(*)::int as n from system.file')).rows[0].n).toBe(before)
    if (mounted) expect(readdirSync(files, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())).toEqual([])
    expect([(await looks()).status, (await writes('FULL1')).status]).toEqual([200, 200])
    // Nothing of the upload that failed is open any more: what is in use cannot be unmounted.
    if (mounted) await expect.poll(() => spawnSync('umount', [files]).stderr.toString(), { timeout: 5_000 }).toBe('')
    else planFaults(undefined)
    expect((await upload()).status).toBe(200)
  } finally {
    planFaults(undefined)
    if (mounted) spawnSync('umount', ['-l', files])
  }
}, 30_000)

test('no room in the database: 507 in words, nothing of it is there, and it goes on when there is room', async () => {
  const full = () => Object.assign(new Error('could not extend file'), { code: '53100' })
  planFaults(({ via, when }) => (via === 'parking.park.add' && when === 'after' ? full() : undefined))
  const { status, message } = await writes('ROOM1').finally(() => planFaults(undefined))
  expect([status, message]).toEqual([507, expect.stringContaining('空间')])
  expect((await owner.query(`select from parking.park where park_code = 'ROOM1'`)).rowCount).toBe(0)
  expect((await writes('ROOM1')).status).toBe(200)
})

function mount(place: string): boolean {
  spawnSync('mkdir', ['-p', place])
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', place]).status === 0
}
