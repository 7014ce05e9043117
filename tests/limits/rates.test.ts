import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ADDRESS, AT_ONCE, ENTERPRISE, HEAVY, limitsOf, PERSON, SCAN, WALL } from '../../platform/server/call/limits.ts'
import { type Refusal, TooMany } from '../../platform/server/refusal.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { tally } from '../../scripts/tally.ts'

/** A hundredth of what is usual, so that a test can reach it. */
const FACTOR = 0.01
let server: TestServer
let tokens: Record<'admin' | 'auditor', string>
beforeAll(async () => {
  server = await startTestServer({ role: 'web', rateLimit: FACTOR })
  tokens = { admin: await server.signIn('admin'), auditor: await server.signIn('auditor') }
})
afterAll(() => server.close())
const asks = (token: string | null, times: number, address: string, method: 'GET' | 'POST' = 'GET') =>
  Promise.all(Array.from({ length: times }, () => server.ask(token, method, address, method === 'GET' ? undefined : {})))
const count = (answers: { status: number }[], status: number) => answers.filter((one) => one.status === status).length

test('whoever calls too often is told to wait, and nobody else waits with them', async () => {
  const burst = PERSON.burst * FACTOR
  const answers = await asks(tokens.admin, burst * 3, '/lbs/custom/account/getUserInfo')
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 429)).toEqual([])
  expect(count(answers, 200)).toBeGreaterThanOrEqual(burst)
  expect(count(answers, 429)).toBeGreaterThan(burst)
  const refused = answers.find(({ status }) => status === 429)!
  expect([refused.code, refused.headers.get('retry-after'), refused.message]).toEqual([429, '2', '操作过于频繁，请稍后再试'])
  expect((await server.ask(tokens.auditor, 'GET', '/lbs/custom/account/getUserInfo')).status).toBe(200)
  await expect.poll(async () => (await server.ask(tokens.admin, 'GET', '/lbs/custom/account/getUserInfo')).status, { timeout: 20_000 }).toBe(200)
  tally({ check: 'limits: rates', numbers: { calls: burst * 3, refused: count(answers, 429) } })
})

test('a program that calls too often keeps the person whose key it has from nothing, and what is looked at holds up nothing that is done', async () => {
  const person = await server.signIn('otheradmin')
  const key = { name: '对账程序', capabilities: ['identity:role:view'], days: 1 }
  const { data } = await server.ask(person, 'POST', '/lbs/security/apiKey/add', key)
  const looks = (token: string) => asks(token, PERSON.burst * FACTOR * 2, '/lbs/custom/account/getUserInfo')
  expect(count(await looks(data.key), 429)).toBeGreaterThan(0)
  expect((await server.ask(person, 'GET', '/lbs/custom/account/getUserInfo')).status).toBe(200)
  expect(count(await looks(person), 429)).toBeGreaterThan(0)
  expect((await server.ask(person, 'POST', '/lbs/security/apiKey/revoke', { id: data.id })).status).toBe(200)
})

test('an address without a session is held back too: public calls, and tries with a wrong token, before the body is read', async () => {
  const burst = ADDRESS.burst * FACTOR
  const [first, ...rest] = await asks('x'.repeat(43), burst * 4, '/lbs/custom/account/getUserInfo')
  expect([401, 429]).toContain(first!.status)
  expect(count(rest, 429)).toBeGreaterThan(burst)
  const open = await asks(null, 10, '/lbs/business/order/scan')
  expect(count(open, 429)).toBeGreaterThan(0)
  expect((await server.ask(tokens.auditor, 'GET', '/lbs/custom/account/getUserInfo')).status).toBe(200)
})

test('whoever guesses plates at a printed code is held back long before an address is', async () => {
  const fresh = await startTestServer({ role: 'web', rateLimit: FACTOR })
  onTestFinished(() => fresh.close())
  const guesses = (ADDRESS.burst * FACTOR) / 2
  const scanned = (plateNo: string) => fresh.ask(null, 'GET', '/lbs/business/order/scan', { code: 'NOWHERE', plateNo })
  const answers = await Promise.all(Array.from({ length: guesses }, (_, n) => scanned(`鄂F${10_000 + n}`)))
  expect(guesses - count(answers, 429)).toBeGreaterThanOrEqual(SCAN.burst * FACTOR)
  // The bucket refills meanwhile by one in five seconds.
  expect(count(answers, 429)).toBeGreaterThan(guesses / 2)
})

test('the usual rates: a console never meets them, one program cannot take them all, and buckets fill again', () => {
  let now = 0
  const tried = (limits: ReturnType<typeof limitsOf>, times: number, who: string, heavy = false) => {
    let passed = 0
    for (let i = 0; i < times; i++)
      try {
        limits.person(who, { heavy, writes: false })
        passed++
      } catch (error) {
        expect((error as Refusal).status).toBe(429)
      }
    return passed
  }
  const limits = limitsOf(1, () => now)
  expect(tried(limits, PERSON.burst + 500, 'a')).toBe(PERSON.burst)
  expect(tried(limits, 10, 'b')).toBe(10)
  now += 1_000
  expect(tried(limits, PERSON.burst, 'a')).toBe(PERSON.perSecond)
  expect(tried(limits, HEAVY.burst + 10, 'c', true)).toBe(HEAVY.burst)
  expect(tried(limits, 10, 'c')).toBe(10) // what costs little still passes
  expect(() => limits.person('a', { heavy: false, writes: true })).not.toThrow() // and so does what is done
  expect(tried(limitsOf(0), 100_000, 'd', true)).toBe(100_000)
})

test('the people of one enterprise together take no more than its share, and no other enterprise pays for it', () => {
  const limits = limitsOf(1, () => 0)
  for (let i = 0; i < ENTERPRISE.burst; i++) limits.enterprise(1)
  expect(() => limits.enterprise(1)).toThrow(TooMany())
  expect(() => limits.enterprise(2)).not.toThrow()
  // A wall's link is known to whoever stands before it.
  for (let i = 0; i < WALL.burst; i++) limits.wall('link')
  expect(() => limits.wall('link')).toThrow(TooMany())
  expect(() => limits.enterprise(2)).not.toThrow()
})

test('one person has five calls running, the others wait their turn; nobody else waits, and too many that wait are told to come again', async () => {
  const { inTurn } = limitsOf(1)
  const ends: (() => void)[] = []
  const begun: number[] = []
  const call = (n: number) => inTurn('a', false, () => (begun.push(n), new Promise<number>((resolve) => ends.push(() => resolve(n)))))
  const waiting = 200
  const calls = Array.from({ length: AT_ONCE + waiting }, (_, n) => call(n))
  await expect(call(-1)).rejects.toThrow(TooMany())
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(await inTurn('b', false, async () => 'b')).toBe('b')
  expect(await inTurn('a', true, async () => 'a barrier')).toBe('a barrier')
  // One that fails gives its place on as well.
  await expect(inTurn('c', false, () => Promise.reject(new Error('of its own')))).rejects.toThrow('of its own')
  for (let n = 0; n < calls.length; n++) {
    ends[n]!()
    expect(await calls[n]).toBe(n)
    expect(begun).toHaveLength(Math.min(AT_ONCE + n + 1, calls.length))
  }
  expect(await inTurn('a', false, async () => 'again')).toBe('again')
})
