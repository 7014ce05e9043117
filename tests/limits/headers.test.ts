import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf } from '../../platform/contract/call.ts'
import { bearer } from '../matrix/checks.ts'
import { inputFor, victimOf } from '../matrix/inputs.ts'
import { calls, openWorld, type World } from '../matrix/world.ts'
import { each, tally } from '../../scripts/tally.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** On every answer, whatever it is. */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
const FILE_POLICY = `${DATA_POLICY}; sandbox`
/** The only page with inline styles: the API document's reader, whose library sets them. It shows nobody's data. */
const DOCS = '/lbs/docs'

interface Seen {
  address: string
  status: number
  headers: Headers
}
const see = async (address: string, init: RequestInit = {}): Promise<Seen> => {
  const { status, headers, body } = await fetch(world.url + address, { redirect: 'manual', ...init })
  await body?.cancel()
  return { address, status, headers }
}
/** Lists the faults of the headers. */
function wrongIn({ address, status, headers }: Seen, data: boolean): string[] {
  const at = `${address} ${status}`
  const wrong = Object.entries(ALWAYS)
    .filter(([name, value]) => headers.get(name) !== value)
    .map(([name]) => `${at}: ${name} is ${headers.get(name)}`)
  const policy = headers.get('content-security-policy') ?? ''
  if (!policy.includes("frame-ancestors 'none'")) wrong.push(`${at}: it may be framed`)
  if (policy.includes('unsafe-eval') || /script-src[^;]*unsafe-inline/.test(policy) || !/default-src '(none|self)'/.test(policy))
    wrong.push(`${at}: the policy is ${policy}`)
  if (policy.includes('unsafe-inline') && !address.startsWith(DOCS)) wrong.push(`${at}: inline styles are allowed`)
  if (data && (policy !== (headers.has('content-disposition') ? FILE_POLICY : DATA_POLICY) || !headers.get('cache-control')?.includes('no-store')))
    wrong.push(`${at}: ${policy} ${headers.get('cache-control')}`)
  if (headers.has('x-powered-by') || headers.has('server')) wrong.push(`${at}: it says what it is made of`)
  if (!/^[0-9a-f-]{36}$/.test(headers.get('x-request-id') ?? '')) wrong.push(`${at}: no request id`)
  return wrong
}

test('every call answers with the same strict headers, whether it does something, refuses, or is asked by nobody', async () => {
  const victim = await victimOf(world.owner, 1, 'P003')
  const wrong: string[] = []
  for (const call of calls.filter(({ writes }) => !writes)) {
    const address = addressOf(call).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inputFor(call, victim)[name])))
    for (const headers of [{}, bearer(world.tokens.nobody), bearer(world.tokens.admin)])
      wrong.push(...wrongIn(await see(address, { method: call.method, headers }), true))
    wrong.push(
      ...wrongIn(
        await see(address, { method: 'POST', headers: { ...bearer(world.tokens.admin), 'content-type': 'application/json' }, body: '{' }),
        true,
      ),
    )
  }
  for (const call of calls.filter(({ writes }) => writes)) wrong.push(...wrongIn(await see(addressOf(call), { method: call.method }), true))
  expect(wrong).toEqual([])
  tally({ check: 'headers', calls: each(calls, 1) })
})

test('so do the page, its files, the API document and its reader, redirects, the unknown and the malformed', async () => {
  const assets = path.resolve(import.meta.dirname, '../../dist/assets')
  const built = existsSync(assets)
  const files = built
    ? readdirSync(assets)
        .slice(0, 3)
        .map((name) => `/dist/assets/${name}`)
    : []
  const others = [
    '/',
    '/dist',
    ...(built ? ['/dist/', '/dist/login', '/dist/somewhere'] : []),
    ...files,
    '/favicon.ico',
    DOCS,
    `${DOCS}/start.js`,
    `${DOCS}/assets/swagger-ui.css`,
    '/lbs/openapi.json',
    '/lbs/health',
    '/lbs/ready',
    '/metrics',
    '/nowhere',
    '/dist/assets/nowhere.js',
    '/lbs/message/innerMessage/channel/x',
    '/%zz',
    '/lbs/../../etc/passwd',
  ]
  const wrong = (await Promise.all(others.map((address) => see(address)))).flatMap((seen) => wrongIn(seen, false))
  expect(wrong).toEqual([])
  if (!built) return
  const page = await see('/dist/login')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'/)
})
