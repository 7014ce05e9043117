import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { domains } from '../../apps/server/domains.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { limitsOf } from '../../platform/server/call/limits.ts'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let owner: pg.Client
beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await owner.end()
  await server.close()
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The clock of the program is set, while it runs; that of the database stays. */
const setClock = (to: number) => void vi.useFakeTimers({ toFake: ['Date'], now: to })
const jump = (by: number) => setClock(Date.now() + by)
const USER = '/lbs/custom/account/getUserInfo'
const status = async (token: string) => (await server.ask(token, 'GET', USER)).status
/** Told to no process: as if the connection that listens were down. */
const unheard = async (text: string, values: unknown[] = []) => {
  await owner.query('set session_replication_role = replica')
  await owner.query(text, values)
  await owner.query('set session_replication_role = default')
}
const hashOf = async (token: string) => (await import('node:crypto')).createHash('sha256').update(token).digest()

describe.each([
  ['an hour forward', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['a day forward', DAY_MS],
  ['a day back', -DAY_MS],
])('the clock jumps %s', (_, by) => {
  test('who is signed in stays so, and what is over stays over', async () => {
    const [open, over] = [await server.signIn('auditor'), await server.signIn('auditor')]
    await owner.query(`update identity.session set expires_at = now() - interval '1 min' where token_hash = $1`, [await hashOf(over)])
    expect([await status(open), await status(over)]).toEqual([200, 401])
    jump(by)
    expect([await status(open), await status(over)]).toEqual([200, 401])
  })
  test('nothing that was read before is believed for longer than a moment', async () => {
    const token = await server.signIn('auditor')
    expect(await status(token)).toBe(200)
    await new Promise((done) => setImmediate(done))
    jump(by)
    await unheard(`update identity.session set ended_at = now() where token_hash = $1`, [await hashOf(token)])
    await expect.poll(() => status(token), { timeout: 15_000, interval: 500 }).toBe(401)
  })
})

test.each([-HOUR_MS, -DAY_MS, DAY_MS])('who calls is held up by no clock that is set: %i ms', (by) => {
  const limits = limitsOf(1)
  limits.person('a', { heavy: true, writes: false })
  limits.address('b')
  jump(by)
  expect(() => (limits.person('a', { heavy: true, writes: false }), limits.address('b'))).not.toThrow()
})

describe('codes of an app', () => {
  const A = '/lbs/security/authentication'
  const codeAt = (secret: string, at: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })
  test('hold for half a minute around the clock of now, over midnight and the new year; none that was used is good again', async () => {
    const token = await server.signIn('operator')
    const NEW_YEAR = Date.parse('2028-01-01T00:00:00+08:00')
    setClock(NEW_YEAR - 5_000)
    const { secret } = (await server.ask(token, 'POST', `${A}/secondFactorBegin`, { password: digestOf('operator', PASSWORD) })).data ?? {}
    expect(secret).toBeTypeOf('string')
    expect((await server.ask(token, 'POST', `${A}/secondFactorConfirm`, { code: codeAt(secret, NEW_YEAR - 5_000) })).status).toBe(200)
    const tries = (code: string) => server.ask(token, 'POST', `/lbs/security/authentication/recoveryCodes`, { code }).then(({ status }) => status)
    setClock(NEW_YEAR + 2_000)
    expect(await tries(codeAt(secret, NEW_YEAR - 5_000))).toBe(422) // used
    expect(await tries(codeAt(secret, NEW_YEAR + 95_000))).toBe(422) // of a minute and a half later
    const used = codeAt(secret, NEW_YEAR + 2_000)
    expect(await tries(used)).toBe(200)
    setClock(NEW_YEAR + 2_000 - HOUR_MS)
    expect(await tries(codeAt(secret, NEW_YEAR + 2_000 - HOUR_MS))).toBe(422) // before what was used
    setClock(NEW_YEAR + 2_000)
    expect(await tries(used)).toBe(422)
    setClock(NEW_YEAR + 2_000 + HOUR_MS)
    expect(await tries(codeAt(secret, NEW_YEAR + 2_000 + HOUR_MS))).toBe(200)
  })
})

test('a clock that is a day ahead seals no day that is still being written to', async () => {
  const seal = domains.flatMap(({ tasks = [] }) => tasks).find(({ name }) => name === 'system.log-chains')!
  const sealed = async () =>
    (await owner.query(`select to_char(max(day), 'YYYY-MM-DD') as day from system.log_seal where enterprise_id = 1 and log = 2`)).rows[0]
      .day as string
  await owner.query(
    `insert into system.login_log (enterprise_id, at, username, login_type, ip, outcome) values (1, now() - interval '3 days', 'auditor', 1, '', 1)`,
  )
  const { rows } = await owner.query(`select to_char((now() at time zone 'Asia/Shanghai')::date - 1, 'YYYY-MM-DD') as day`)
  for (const ahead of [0, HOUR_MS, DAY_MS, 2 * DAY_MS]) {
    const at = new Date(Date.now() + ahead).toISOString() as Instant
    await server.house.writing(1, seal.name, (tx) => seal.work({ house: server.house, tx, data: {}, at }))
    expect(await sealed()).toBe(rows[0].day)
  }
  await server.signIn('auditor')
  const admin = await server.signIn('admin')
  const { data } = await server.ask(admin, 'GET', '/lbs/business/system/logChains')
  expect((data as { log: number; brokenDay: string | null }[]).find(({ log }) => log === 2)!.brokenDay).toBeNull()
})
