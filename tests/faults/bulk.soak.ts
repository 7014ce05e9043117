import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomFrom } from '../../city/random.ts'
import { type Client, signIn, stranger } from '../../city/client.ts'
import { type RunningChannel, startChannel } from '../../city/pay/server.ts'
import { qrcode, QrTarget } from '../../domains/parking/contract/qrcode.ts'
import { refund, RefundState } from '../../domains/settlement/contract/refund.ts'
import { PayMethod } from '../../domains/settlement/contract/payment.ts'
import { scan } from '../../domains/settlement/contract/scan.ts'
import type { Fen } from '../../platform/contract/field.ts'
import { DEMO_PORTS } from '../../platform/server/start/config.ts'
import { tally } from '../../scripts/tally.ts'
import { digestOf, PASSWORD } from '../support/server.ts'
import { type App, appIn, familyOf, lives, until } from './child.ts'
import { SEED } from './seed.ts'
import { wrongs } from './truth.ts'
import { openOrders } from './writes.ts'

/** Long work, struck in its middle: app and database are gone at one blow. */
const ROUNDS = Number(process.env['CRASHES'] ?? 2)
const IMPORT_ROWS = Number(process.env['IMPORT_ROWS'] ?? 5_000)
/** More than are written to a file at once. */
const EXPORT_ROWS = 6_000
const REFUNDS = 20
const SOON_AFTER_MS = 2_000
const SLOW_MS = 120_000
const GONE_MS = 5_000
const LIMIT_MS = ROUNDS * 300_000
const EXPORT_READY = 3

const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-bulk-'))
chmodSync(dataDir, 0o755) // PostgreSQL runs as another user than root
const random = randomFrom(SEED)
let app: App
let channel: RunningChannel
let admin: Client
let operator: Client
let token: string
let client: pg.Client | undefined

beforeAll(async () => {
  const secret = 'a secret of the channel, long enough for tests'
  app = await appIn(dataDir, { DEMO: 'small', DEMO_PASSWORD: PASSWORD, PAY_SANDBOX_SECRET: secret })
  // The channel is somebody else's: it lives on.
  channel = await startChannel({ secret, port: Number(new URL(app.url).port) + DEMO_PORTS.pay })
  await app.start()
  admin = await signIn(app.url, 'admin', PASSWORD)
  operator = await signIn(app.url, 'operator', PASSWORD)
  const body = new URLSearchParams({ username: 'admin', password: digestOf('admin', PASSWORD) })
  token = ((await (await fetch(`${app.url}/lbs/security/authentication/form`, { method: 'POST', body })).json()) as { access_token: string })
    .access_token
}, 300_000)
afterAll(async () => {
  await client?.end().catch(() => {})
  const child = app?.child()
  if (child && child.exitCode === null) {
    const family = familyOf(child.pid!)
    child.kill('SIGTERM')
    await until(() => !family.some(lives), 30_000, 'The end of the server')
  }
  await channel?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}, 60_000)

const asks = (address: string, init: RequestInit = {}) =>
  fetch(`${app.url}/lbs${address}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
const json = (body: object): RequestInit => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
/** A connection that was killed with its database is of no use any more. */
async function rows<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
  await client?.end().catch(() => {})
  client = new pg.Client({ connectionString: app.ownerUrl() })
  client.on('error', () => {})
  await client.connect()
  return (await client.query<Row>(sql, values)).rows
}
async function pullThePlug(): Promise<void> {
  await pause(random.below(SOON_AFTER_MS))
  const family = familyOf(app.child().pid!)
  for (const one of family) if (lives(one)) process.kill(one, 'SIGKILL')
  await until(() => !family.some(lives), GONE_MS, 'The end of everything')
  await app.start()
}
async function nothingIsWrong() {
  await rows('select 1', [])
  expect(await wrongs(client!)).toEqual([])
}

test(
  'in the middle of an import: all of it is there or nothing, and sent again it is there once',
  async () => {
    let whole = 0
    for (let round = 0; round < ROUNDS; round++) {
      const prefix = `蒙${'ABCDEFGHJKLMNPQRSTUV'[round % 20]}`
      const lines = Array.from(
        { length: IMPORT_ROWS },
        (_, n) => `${prefix}${String(n).padStart(5, '0')},2026-01-01 00:00:00,公务,2036-01-01 00:00:00,持有人,迁移`,
      )
      const send = async () => {
        const body = new FormData()
        body.set('file', new Blob([['车牌,开始,原因,结束,持有人,备注', ...lines].join('\n')]), 'list.csv')
        return (await asks('/member/member/excel/importWhite2', { method: 'POST', body })).status
      }
      const there = async () => (await rows<{ n: number }>('select count(*)::int as n from member.list where plate_no ^@ $1', [prefix]))[0]!.n
      const sending = send().catch(() => 0)
      await pullThePlug()
      const [told, found] = [await sending, await there()]
      expect([0, IMPORT_ROWS]).toContain(found)
      if (told === 200) expect(found).toBe(IMPORT_ROWS)
      whole += found === IMPORT_ROWS ? 1 : 0
      expect(await send()).toBe(200)
      expect(await there()).toBe(IMPORT_ROWS)
    }
    console.log(`an import of ${IMPORT_ROWS} rows: ${whole} of ${ROUNDS} were whole before the blow`)
    tally({ check: 'crash: in an import', seed: SEED, numbers: { rounds: ROUNDS, rows: IMPORT_ROWS, whole } })
    await nothingIsWrong()
  },
  LIMIT_MS,
)

test(
  'while a long list is written to a file: it is written all the same, whole and once',
  async () => {
    await rows(
      `insert into identity.person (enterprise_id, username, name, password_hash) select 1, 'many' || i, '员工' || i, 'x' from generate_series(1, $1::int) i on conflict do nothing`,
      [EXPORT_ROWS],
    )
    for (let round = 0; round < ROUNDS; round++) {
      const { data } = (await (await asks('/custom/person/export?username=many&format=csv&background=true')).json()) as { data: { id: string } }
      await pullThePlug()
      const mine = async () => {
        const reply = (await (await asks('/basic/sysExport/queryPage', json({}))).json()) as { data: { records: { id: string; state: number }[] } }
        return reply.data.records.filter(({ id }) => id === data.id)
      }
      await until(async () => (await mine())[0]?.state === EXPORT_READY, SLOW_MS, 'The file')
      const text = await (await asks(`/basic/sysExport/download?id=${data.id}`)).text()
      const names = text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0])
      expect([names.length, new Set(names).size]).toEqual([EXPORT_ROWS, EXPORT_ROWS])
    }
    tally({ check: 'crash: in an export', seed: SEED, numbers: { rounds: ROUNDS, rows: EXPORT_ROWS } })
  },
  LIMIT_MS,
)

test(
  'while refunds are on their way to the channel: each arrives, once',
  async () => {
    const { records } = await admin.ask(qrcode.query, { parkCode: 'P001', target: [QrTarget.park] })
    const { code } = records[0]!
    for (let round = 0; round < ROUNDS; round++) {
      const orders = await openOrders(app.ownerUrl(), REFUNDS)
      const ids = orders.map(({ id }) => id)
      for (const { orderNo } of await rows<{ orderNo: string }>(`select order_no as "orderNo" from settlement.order where id = any ($1)`, [ids])) {
        const { payNo } = await stranger(app.url).ask(scan.pay, { code, orderNo, payMethod: PayMethod.wechat })
        expect((await fetch(`${channel.url}/pay`, json({ payNo }))).status).toBe(200)
      }
      const paid = () => rows(`select from settlement.order where id = any ($1) and paid_fen = payable_fen`, [ids])
      await until(async () => (await paid()).length === REFUNDS, SLOW_MS, 'The money')
      const before = channel.channel.counts.refundedFen
      const asked = await Promise.all(
        orders.map(({ id, payableFen }) => operator.ask(refund.apply, { orderId: id as never, amountFen: payableFen as Fen, reason: '停电' })),
      )
      const approving = Promise.allSettled(asked.map(({ id, version }) => admin.ask(refund.approve, { id, version })))
      await pullThePlug()
      await approving
      const left = await rows<{ id: string; version: number }>(`select id, version from settlement.refund where order_id = any ($1) and state = $2`, [
        ids,
        RefundState.waiting,
      ])
      for (const one of left) await admin.ask(refund.approve, one as never)
      const done = () => rows(`select from settlement.refund where order_id = any ($1) and state = $2`, [ids, RefundState.done])
      await until(async () => (await done()).length === REFUNDS, SLOW_MS, 'The last refund')
      // A refund that is sent a second time would come by now.
      await pause(SOON_AFTER_MS)
      expect(channel.channel.counts.refundedFen - before).toBe(orders.reduce((sum, { payableFen }) => sum + payableFen, 0))
    }
    tally({ check: 'crash: in refunds', seed: SEED, numbers: { rounds: ROUNDS, refunds: REFUNDS } })
    await nothingIsWrong()
  },
  LIMIT_MS,
)
