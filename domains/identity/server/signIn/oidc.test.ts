import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { offerOidc } from './oidc.ts'

const CLIENT = { id: 'kerbline', secret: 'the secret of the console' }
const REDIRECT = 'http://console.example/dist/login'
const b64 = (value: string | Buffer) => Buffer.from(value).toString('base64url')

/** A provider that keeps to OpenID Connect Core 1.0 with PKCE, as small as it can be; `claims` are those of the person signed in there. */
interface Provider {
  issuer: string
  claims: Record<string, unknown>
  /** The provider's deliberate fault, if it has one. */
  wrong?: 'nonce' | 'signature' | 'audience'
  close(): void
}
async function aProvider(): Promise<Provider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<string, { challenge: string; nonce: string }>()
  const made: Provider = { issuer: '', claims: {}, close: () => server.close() }
  const idToken = (nonce: string) => {
    const now = Math.floor(Date.now() / 1000)
    const said = {
      iss: made.issuer,
      aud: made.wrong === 'audience' ? 'another' : CLIENT.id,
      exp: now + 60,
      iat: now,
      nonce: made.wrong === 'nonce' ? 'another' : nonce,
      ...made.claims,
    }
    const unsigned = `${b64(JSON.stringify({ alg: 'RS256', kid: 'one', typ: 'JWT' }))}.${b64(JSON.stringify(said))}`
    const key = made.wrong === 'signature' ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : privateKey
    return `${unsigned}.${b64(createSign('RSA-SHA256').update(unsigned).sign(key))}`
  }
  const server: Server = createServer(async (request, reply) => {
    const url = new URL(request.url!, made.issuer)
    const json = (status: number, body: object) => reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration')
      return json(200, {
        issuer: made.issuer,
        authorization_endpoint: `${made.issuer}/authorize`,
        token_endpoint: `${made.issuer}/token`,
        jwks_uri: `${made.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        code_challenge_methods_supported: ['S256'],
      })
    if (url.pathname === '/jwks') return json(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    if (url.pathname === '/authorize') {
      const { redirect_uri, state, nonce, code_challenge } = Object.fromEntries(url.searchParams) as Record<string, string>
      const code = randomBytes(16).toString('hex')
      codes.set(code, { challenge: code_challenge!, nonce: nonce! })
      return reply.writeHead(302, { location: `${redirect_uri}?${new URLSearchParams({ code, state: state! })}` }).end()
    }
    let body = ''
    for await (const part of request) body += part
    const form = new URLSearchParams(body)
    const known = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!known || known.challenge !== proof || form.get('client_secret') !== CLIENT.secret || form.get('redirect_uri') !== REDIRECT)
      return json(400, { error: 'invalid_grant' })
    return json(200, { access_token: 'unused', token_type: 'bearer', id_token: idToken(known.nonce) })
  })
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up))
  made.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return made
}

let server: TestServer
let provider: Provider
const offer = () =>
  offerOidc({
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    name: '统一认证',
    redirect: REDIRECT,
    claim: 'preferred_username',
    enterprise: 1,
  })
beforeAll(async () => {
  ;[server, provider] = await Promise.all([startTestServer(), aProvider()])
})
beforeEach(() => {
  provider.claims = { sub: 'over-there-1', preferred_username: 'Operator' }
  delete provider.wrong
  offer()
})
afterAll(async () => {
  offerOidc(undefined)
  provider.close()
  await server.close()
})

const O = '/lbs/security/oidc'
const USER = '/lbs/custom/account/getUserInfo'
/** As a browser does it: asks where to go, goes there, comes back with what it was given and its cookie. */
async function there() {
  const begun = await server.ask(null, 'POST', `${O}/begin`, {})
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
  const sent = await fetch(begun.data.url, { redirect: 'manual' })
  const back = Object.fromEntries(new URL(sent.headers.get('location')!).searchParams) as { code: string; state: string }
  return { cookie, back, url: new URL(begun.data.url) }
}
const finish = (back: object, cookie: string) => server.ask(null, 'POST', `${O}/finish`, back, { cookie })

test('is off until it is configured, and then invisible', async () => {
  offerOidc(undefined)
  expect((await server.ask(null, 'GET', `${O}/offer`)).data).toEqual({ name: null })
  expect((await server.ask(null, 'POST', `${O}/begin`, {})).status).toBe(404)
  expect((await server.ask(null, 'POST', `${O}/finish`, { code: 'x', state: 'y' })).status).toBe(404)
})

test('opens the session of the person whom the provider names; afterwards the subject is who they are', async () => {
  expect((await server.ask(null, 'GET', `${O}/offer`)).data).toEqual({ name: '统一认证' })
  const first = await there()
  expect(Object.fromEntries(first.url.searchParams)).toMatchObject({ code_challenge_method: 'S256', response_type: 'code', scope: 'openid profile' })
  const { data } = await finish(first.back, first.cookie)
  expect((await server.ask(data.access_token, 'GET', USER)).data.username).toBe('operator')
  // Their name over there becomes somebody else's here: they stay who they are.
  provider.claims = { sub: 'over-there-1', preferred_username: 'admin' }
  const second = await there()
  expect((await server.ask((await finish(second.back, second.cookie)).data.access_token, 'GET', USER)).data.username).toBe('operator')
  // And nobody else becomes them.
  provider.claims = { sub: 'over-there-2', preferred_username: 'operator' }
  const third = await there()
  expect(await finish(third.back, third.cookie)).toMatchObject({ status: 401, code: 40227 })
})

test('what came back is good once, in the browser that began, with the state that it began with', async () => {
  const used = await there()
  expect((await finish(used.back, used.cookie)).status).toBe(200)
  expect((await finish(used.back, used.cookie)).status).toBe(401)
  const mine = await there()
  const theirs = await there()
  expect((await finish(mine.back, theirs.cookie)).status).toBe(401)
  expect((await finish({ ...theirs.back, state: 'made-up' }, theirs.cookie)).status).toBe(401)
})

test.each(['nonce', 'signature', 'audience'] as const)('a token whose %s is not right opens nothing', async (wrong) => {
  provider.wrong = wrong
  const { back, cookie } = await there()
  expect((await finish(back, cookie)).status).toBe(401)
})

test('nobody is made: a stranger, a locked person and somebody of another enterprise stay outside', async () => {
  for (const [sub, preferred_username] of [
    ['s1', 'stranger'],
    ['s2', 'otheradmin'],
  ]) {
    provider.claims = { sub, preferred_username }
    const { back, cookie } = await there()
    expect(await finish(back, cookie), preferred_username).toMatchObject({ status: 401, code: 40227 })
  }
})

test('a provider that is away is said to be away, and found again', async () => {
  offerOidc({
    issuer: 'http://127.0.0.1:9',
    clientId: 'x',
    clientSecret: 'y',
    name: 'away',
    redirect: REDIRECT,
    claim: 'preferred_username',
    enterprise: 1,
  })
  expect((await server.ask(null, 'POST', `${O}/begin`, {})).status).toBe(503)
  offer()
  expect((await server.ask(null, 'POST', `${O}/begin`, {})).status).toBe(200)
})
