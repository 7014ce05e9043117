import { connect } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomFrom, type Random } from '../../city/random.ts'
import { addressOf } from '../../platform/contract/call.ts'
import { tally } from '../../scripts/tally.ts'
import { lives, spawned, until } from '../faults/child.ts'
import { calls } from '../matrix/world.ts'
import { freePort } from '../../platform/server/start/port.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'

/** `SEED=7 ... tests/limits/requests` repeats a run; `GARBAGE=200` sends more for each call. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const EACH = Number(process.env['GARBAGE'] ?? 4)
/** Half a request is answered when it is cut: within 15 s. */
const ANSWERS_MS = 15_000

const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-requests-'))
const words = { out: '', err: '' }
let database: TestDatabase
let server: ReturnType<typeof spawned>
let port: number
beforeAll(async () => {
  database = await testDatabase()
  port = await freePort()
  const env = {
    DATABASE_URL: database.ownerUrl,
    DATA_DIR: dataDir,
    DEMO: 'none',
    ROLE: 'web',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'fatal',
    PORT: String(port),
  }
  server = spawned('apps/server/main.ts', env, words)
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}/lbs/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    60_000,
    'The start of the server',
  )
})
afterAll(async () => {
  server.kill('SIGTERM')
  await until(() => !lives(server.pid!), 60_000, 'The end of the server')
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Bytes as they are, which no client library would send. What promises a body ends without it. */
function sent(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    const socket = connect(port, '127.0.0.1', () => (LEAVES.test(bytes) ? socket.end(bytes, 'latin1') : socket.write(bytes, 'latin1')))
    const late = setTimeout(() => socket.destroy(), ANSWERS_MS)
    const end = () => {
      clearTimeout(late)
      resolve(said)
    }
    socket.on('data', (part) => {
      said += part.toString('utf8')
      if (!socket.writableEnded) socket.end()
    })
    socket.on('close', end).on('error', end)
  })
}
const LEAVES = /^(content-length|transfer-encoding|expect):/m
const ODD = [
  '%',
  '%ff',
  '%zz',
  '%E0%A4%A',
  '%00',
  'foo',
  'null',
  '://',
  'http://',
  'http://[',
  'http://a:99999',
  '',
  ' ',
  ';',
  '=',
  ';;=;',
  ',',
  '"',
  '\\',
  '\xff\xfe',
  '\x80',
  '{}',
  '[]',
  '-1',
  '1e308',
  'NaN',
  '__proto__',
  'constructor',
  '../..',
  'a'.repeat(8_000),
  '\t',
  '*/*;q=',
  'bytes=9-1',
  'bytes=-',
  "' or 1=1--",
  '${jndi:ldap://x}',
]
const COOKIES = ['lang', 'token', 'kerbline', 'sso', '__proto__', '']
const HEADERS = [
  'origin',
  'host',
  'authorization',
  'referer',
  'accept',
  'accept-language',
  'accept-encoding',
  'content-type',
  'content-length',
  'transfer-encoding',
  'content-encoding',
  'expect',
  'te',
  'upgrade',
  'range',
  'if-none-match',
  'if-modified-since',
  'if-range',
  'idempotency-key',
  'x-page',
  'x-request-id',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
  'sec-fetch-site',
  'sec-purpose',
  'purpose',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
  'user-agent',
  'date',
  '__proto__',
  'constructor',
]
const ADDRESSES = [
  '/%',
  '/dist/%ff',
  '/lbs/%zz',
  '/lbs/docs/%',
  '/dist/assets/%',
  '/%00',
  '//',
  '/.',
  '/?%',
  '/lbs/health?a=%ff',
  '/lbs/openapi.json',
  '/metrics',
  '/dist/',
  '/lbs/message/innerMessage/channel/%',
  '/lbs/message/innerMessage/channel/1',
  '*',
  'x',
  'http://[',
  'http://other/lbs/health',
  `/${'a'.repeat(5_000)}`,
]
const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH']

function request(address: string, random: Random): string {
  const cookies = Array.from({ length: random.below(4) }, () => `${random.oneOf(COOKIES)}=${random.oneOf(ODD)}`)
  const others = Array.from({ length: random.below(4) }, () => {
    const name = random.oneOf(HEADERS)
    return `${name}: ${name === 'authorization' && random.chance(0.5) ? 'Bearer ' : ''}${random.oneOf(ODD)}`
  })
  const upgrade = random.chance(0.1)
    ? ['upgrade: websocket', 'connection: upgrade', 'sec-websocket-version: 13', 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==']
    : ['connection: close']
  const lines = ['host: x', ...upgrade, ...(cookies.length > 0 ? [`cookie: ${cookies.join(random.oneOf(['; ', ';', ',']))}`] : []), ...others]
  return `${random.oneOf(METHODS)} ${address} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}
/** Lists the faults of an answer; a refusal of the house's own calls is an envelope. */
function wrongIn(asked: string, said: string): string[] {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0)
  const at = `${asked.slice(0, 300)} → ${status}`
  // A client that leaves before the answer gets none.
  if (status === 0 && LEAVES.test(asked)) return []
  if (status === 0 || status >= 500) return [at]
  const body = said.slice(said.indexOf('\r\n\r\n') + 4)
  const refused = status >= 400 && status !== 417 && status !== 426 && !asked.startsWith('HEAD')
  if (refused && !/"code":\d+,"message":"[^"]+/.test(body)) return [`${at} without an envelope: ${body.slice(0, 100)}`]
  return []
}
const mustLive = () => {
  if (server.exitCode !== null || server.signalCode) throw new Error(`The server ended: ${words.err.slice(-2_000)}`)
}

test('one odd cookie, origin or address ends nothing and is no fault of the server', async () => {
  const wrong: string[] = []
  for (const [address, header] of [
    ['/%', 'cookie: lang=%'],
    ['/dist/%ff', 'cookie: lang=%'],
    ['/lbs/nowhere', 'cookie: lang=%'],
    ['/lbs/custom/account/getUserInfo', 'cookie: token=%; kerbline=%'],
    ['/lbs/security/authentication/logout', 'origin: foo'],
    ['/lbs/message/innerMessage/channel/1', 'origin: foo'],
  ] as const) {
    const asked = `GET ${address} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${header}\r\n\r\n`
    wrong.push(...wrongIn(asked, await sent(asked)))
    mustLive()
  }
  expect(wrong).toEqual([])
})

test('garbage in any header, cookie and address is answered, never with 5xx, and the process goes on', async () => {
  console.log(`requests: seed ${SEED}, ${EACH} for each of ${calls.length} calls`)
  const random = randomFrom(SEED)
  const addresses = [...calls.map((call) => addressOf(call).replaceAll(/\{\w+\}/g, '%')), ...Array.from({ length: 5 }, () => ADDRESSES).flat()]
  const wrong: string[] = []
  const asked = addresses.flatMap((address) => Array.from({ length: EACH }, () => request(address, random)))
  for (let i = 0; i < asked.length; i += AT_ONCE) {
    const some = asked.slice(i, i + AT_ONCE)
    const said = await Promise.all(some.map(sent))
    some.forEach((one, n) => wrong.push(...wrongIn(one, said[n]!)))
    mustLive()
  }
  expect(wrong).toEqual([])
  expect(words.err).not.toContain('"level":60')
  tally({ check: 'limits: garbage on sockets', seed: SEED, numbers: { requests: asked.length } })
}, 600_000)
const AT_ONCE = 16
