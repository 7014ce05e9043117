import { createServer, type AddressInfo } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allowOutside, resolveWith } from '../../../../platform/server/outside.ts'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { Encryption, LookUp } from '../../contract/directory.ts'
import { converse, filterFor, type Fruitless, type Way } from './ldap.ts'
import { hashed } from './password.ts'
import { aDirectory, PEOPLE, READER, type TestDirectory, type Wrong } from '../testing.ts'

let server: TestServer
let owner: pg.Client
let admin: string
const at: Record<'ldaps' | 'startTls' | 'none', TestDirectory> = {} as never
let there: TestDirectory
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  admin = await server.signIn('admin')
  for (const kind of ['ldaps', 'startTls', 'none'] as const) {
    at[kind] = await aDirectory(Encryption[kind])
    allowOutside([`127.0.0.1:${at[kind].port}`])
  }
})
beforeEach(async () => {
  await owner.query('delete from identity.directory')
  await owner.query('delete from identity.oidc_subject')
  await owner.query('delete from identity.sign_in_try')
  await owner.query('delete from identity.known_browser')
  await owner.query('update identity.person set failures = 0, locked_until = null')
  for (const one of Object.values(at))
    Object.assign(one, { wrong: undefined, people: [], heard: { binds: [], filters: [], connections: 0, clear: [] } })
  there = at.ldaps
})
afterAll(async () => {
  for (const one of Object.values(at)) one.close()
  await owner.end()
  await server.close()
})

const D = '/lbs/security/directory'
const USER = '/lbs/custom/account/getUserInfo'
const WRONG = { status: 401, code: 401, message: '用户名或密码错误，或账号已锁定；锁定 15 分钟后自动解除', data: undefined }
const settings = (more: object = {}) => ({
  ...{
    version: 0,
    inUse: true,
    name: '公司域账号',
    host: '127.0.0.1',
    port: there.port,
    encryption: Encryption.ldaps,
    ca: there.ca,
    bindDn: READER.dn,
  },
  ...{
    secret: READER.password,
    baseDn: PEOPLE,
    filter: '(uid={name})',
    usernameAttribute: 'uid',
    nameAttribute: 'displayName',
    mailAttribute: 'mail',
  },
  ...{ byName: true, ...more },
})
const save = (more: object = {}, token = admin) => server.ask(token, 'POST', `${D}/save`, settings(more))
/** The directory of that kind, in use for the first company. */
async function setUp(kind: keyof typeof at = 'ldaps', more: object = {}) {
  there = at[kind]
  const answer = await save({ encryption: Encryption[kind], ...more })
  expect(answer).toMatchObject({ status: 200 })
  return answer.data
}
const signIn = (username: string, password: string, { enterprise = 1, ...headers }: { enterprise?: number; deviceid?: string } = {}) =>
  server.ask(null, 'POST', `${D}/login`, { enterprise, username, password }, headers)
const plain = ({ status, code, message, data }: Awaited<ReturnType<typeof signIn>>) => ({ status, code, message, data: data ?? undefined })
const whoIs = async (token: string) => (await server.ask(token, 'GET', USER)).data.username
const look = async (account: string) => (await server.ask(admin, 'POST', `${D}/try`, { account })).data
async function aPersonHere(username: string, more: object = {}): Promise<string> {
  const passwordHash = await hashed(digestOf(username, PASSWORD))
  const [{ id }] = (await server.house.writing(1, 'test', (tx) =>
    tx
      .insertInto('identity.person')
      .values({ username, name: username, passwordHash, mustChange: false, ...more })
      .returning('id')
      .execute(),
  )) as [{ id: string }]
  return id
}

test('is off until it is set up, and then offered to nobody', async () => {
  expect((await server.ask(null, 'GET', `${D}/offer`)).data).toEqual([])
  expect((await signIn('operator', 'x')).status).toBe(404)
  const { version } = await setUp()
  expect((await server.ask(null, 'GET', `${D}/offer`)).data).toEqual([{ enterprise: 1, name: '公司域账号' }])
  await save({ version, inUse: false })
  expect((await server.ask(null, 'GET', `${D}/offer`)).data).toEqual([])
  expect((await signIn('operator', 'x')).status).toBe(404)
})

describe('whoever the directory knows and who is here', () => {
  test.each(['ldaps', 'startTls', 'none'] as const)('signs in with the password from over there: %s', async (kind) => {
    await setUp(kind)
    const { password } = there.person('operator')
    const { data, status } = await signIn('Operator', password)
    expect(status).toBe(200)
    expect(await whoIs(data.access_token)).toBe('operator')
    const [session] = (await owner.query('select login_type, outcome from system.login_log order by at desc limit 1')).rows
    expect(session).toEqual({ login_type: 4, outcome: 1 })
    // An encrypted password never appears on the wire; nothing at all is sent before encryption.
    expect(there.heard.clear.join('').includes(password)).toBe(kind === 'none')
  })

  test('is known by the entry from then on, whatever either is called later', async () => {
    await setUp()
    const one = there.person('operator')
    await signIn('operator', one.password)
    Object.assign(one, { dn: `uid=renamed,${PEOPLE}` })
    one.attributes['uid'] = ['admin']
    expect(await whoIs((await signIn('admin', one.password)).data.access_token)).toBe('operator')
    // And nobody else becomes them.
    const another = there.person('operator')
    expect(plain(await signIn('operator', another.password))).toEqual(WRONG)
  })

  test('comes for the first time twice at once, and is bound once', async () => {
    await setUp()
    const { password } = there.person('operator')
    const both = await Promise.all(Array.from({ length: 5 }, () => signIn('operator', password)))
    expect(both.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200))
    expect((await owner.query('select issuer from identity.oidc_subject')).rows).toEqual([{ issuer: 'ldap' }])
  })

  test('is found by what the filter says, in any script', async () => {
    await setUp('ldaps', { filter: '(|(uid={name})(displayName={name}))' })
    const { password } = there.person('operator', { attributes: { displayName: ['张三 (夜班)'] } })
    expect((await signIn('张三 (夜班)', password)).status).toBe(200)
    expect(there.heard.filters).toEqual(['(|(uid=“张三 (夜班)”)(displayName=“张三 (夜班)”))'])
  })

  test('with a second factor is asked for its code: a directory knows none', async () => {
    await aPersonHere('careful')
    await setUp()
    const { password } = there.person('careful')
    const own = await server.signIn('careful')
    const F = '/lbs/security/authentication'
    const { secret } = (await server.ask(own, 'POST', `${F}/secondFactorBegin`, { password: digestOf('careful', PASSWORD) })).data
    const code = (ahead: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })
    await server.ask(own, 'POST', `${F}/secondFactorConfirm`, { code: code(0) })
    const asked = await signIn('careful', password)
    expect(asked).toMatchObject({ status: 401, code: 40246 })
    const verified = await server.ask(null, 'POST', `${F}/secondFactorVerify`, { challenge: asked.data.challenge, code: code(1) })
    expect(await whoIs(verified.data.access_token)).toBe('careful')
  })
})

describe('everybody else is answered alike', () => {
  test('a wrong password, an unknown name, two of one name, somebody who is not here, somebody disabled', async () => {
    await aPersonHere('disabled', { lockState: 2 })
    await setUp()
    const [stranger, disabled] = [there.person('stranger'), there.person('disabled')]
    there.person('operator')
    there.person('auditor')
    there.person('auditor', { dn: `uid=auditor,ou=twice,${PEOPLE}` })
    const wrong = [
      signIn('operator', 'not this one'),
      signIn('unknown', 'x'),
      signIn('auditor', 'auditor-over-there'),
      signIn('stranger', stranger.password),
      signIn('disabled', disabled.password),
    ]
    for (const answer of wrong) expect(plain(await answer)).toEqual(WRONG)
    // For people who stay outside anyway, no password was tried on their entry.
    expect(there.heard.binds.filter(([dn]) => dn === stranger.dn || dn === disabled.dn || dn.startsWith('uid=auditor'))).toEqual([])
    // Each is asked the same: the account's own bind, and one more.
    expect(there.heard.binds).toHaveLength(2 * wrong.length)
  })

  test('nothing that is typed becomes a part of the filter', async () => {
    await setUp()
    there.person('operator')
    for (const name of ['*)(uid=*', '*', 'operator)(|(uid=*', '\\2a', 'a\u0001b', 'uid=*'])
      expect(plain(await signIn(name, 'operator-over-there')), name).toEqual(WRONG)
    expect(there.heard.filters).toEqual(['*)(uid=*', '*', 'operator)(|(uid=*', '\\2a', 'a\u0001b', 'uid=*'].map((name) => `(uid=“${name}”)`))
    expect(filterFor('(&(a={name})(b={name}))', '$&*')).toBe('(&(a=$&\\2a)(b=$&\\2a))')
  })

  test('an empty password is refused before anything is sent', async () => {
    await setUp()
    there.person('operator')
    expect((await signIn('operator', '')).status).toBe(400)
    expect(there.heard.connections).toBe(0)
  })

  test('another company’s directory signs in none of ours', async () => {
    const other = await server.signIn('otheradmin')
    expect((await save({}, other)).status).toBe(200)
    for (const name of ['admin', 'otheradmin']) there.person(name)
    expect(plain(await signIn('admin', 'admin-over-there', { enterprise: 2 }))).toEqual(WRONG)
    expect(await whoIs((await signIn('otheradmin', 'otheradmin-over-there', { enterprise: 2 })).data.access_token)).toBe('otheradmin')
    expect((await signIn('admin', 'admin-over-there')).status).toBe(404)
  })
})

describe('wrong tries', () => {
  const form = (username: string) =>
    fetch(`${server.url}/lbs/security/authentication/form`, {
      method: 'POST',
      body: new URLSearchParams({ username, password: digestOf(username, PASSWORD) }),
    }).then(({ status }) => status)
  test('count as those of the console’s own password do: five lock the person for both, and no further password goes over there', async () => {
    await setUp()
    const { dn, password } = there.person('operator')
    for (let i = 0; i < 4; i++) await signIn('operator', 'no')
    expect((await signIn('operator', password)).status).toBe(200)
    for (let i = 0; i < 5; i++) await signIn('operator', `no ${i}`)
    expect(plain(await signIn('operator', password))).toEqual(WRONG)
    expect(await form('operator')).toBe(401)
    expect(there.heard.binds.filter(([name]) => name === dn)).toHaveLength(10)
    expect((await owner.query('select outcome from system.login_log order by at desc limit 1')).rows).toEqual([{ outcome: 3 }])
  })

  test('of strangers lock nobody out of a browser that they used before', async () => {
    await setUp()
    const { password } = there.person('operator')
    const deviceid = 'a-browser-of-the-operator'
    expect((await signIn('operator', password, { deviceid })).status).toBe(200)
    for (let i = 0; i < 5; i++) await signIn('operator', 'no')
    expect((await signIn('operator', password)).status).toBe(401)
    expect((await signIn('operator', password, { deviceid })).status).toBe(200)
  })

  test('of guesses at once, the right one among them does not get in', async () => {
    await setUp()
    const { password } = there.person('operator')
    const guesses = Array.from({ length: 20 }, (_, i) => signIn('operator', `no ${i}`))
    expect((await Promise.all(guesses)).every(({ status }) => status === 401)).toBe(true)
    expect((await signIn('operator', password)).status).toBe(401)
  })
})

describe('a directory that does not behave', () => {
  const CASES: [Wrong, keyof typeof at][] = [
    ['garbage', 'ldaps'],
    ['nonsense', 'ldaps'],
    ['floods', 'ldaps'],
    ['crumbs', 'ldaps'],
    ['hangs up', 'ldaps'],
    ['hangs', 'ldaps'],
    ['garbage', 'startTls'],
    ['hangs up', 'startTls'],
    ['hangs', 'startTls'],
    ['stalls', 'startTls'],
    ['floods', 'none'],
    ['crumbs', 'none'],
  ]
  test.each(CASES)('%s (%s): it is away, soon, and everything else goes on', async (wrong, kind) => {
    await setUp(kind)
    const { password } = there.person('operator')
    there.wrong = wrong
    const began = performance.now()
    expect(await signIn('operator', password)).toMatchObject({ status: 503, code: 40256 })
    expect(performance.now() - began).toBeLessThan(wrong === 'hangs' || wrong === 'stalls' ? 6_500 : 4_000)
    // Never again in clear text what was to be encrypted, and never twice.
    expect(there.heard.connections).toBe(1)
    expect(there.heard.clear.join('').includes(password)).toBe(false)
    there.wrong = undefined
    expect((await signIn('operator', password)).status).toBe(200)
  })

  test('one that hangs is asked by so many at once and no more, keeps nobody from another, and is asked again when it answers', async () => {
    const way = (of: TestDirectory, encryption: Way['encryption']): Way => ({
      ...{ inUse: true, name: '', host: '127.0.0.1', port: of.port, encryption, ca: of.ca, bindDn: READER.dn, password: READER.password },
      ...{ baseDn: PEOPLE, filter: '(uid={name})', usernameAttribute: 'uid', nameAttribute: null, mailAttribute: null, byName: true },
    })
    const asks = (one: Way) => converse(one, ({ find }) => find('zhang.san')).catch((error: Fruitless) => error)
    const [hung, other] = [way(at.ldaps, Encryption.ldaps), way(at.none, Encryption.none)]
    for (const one of [at.ldaps, at.none]) one.person('zhang.san')
    at.ldaps.wrong = 'hangs'
    const waiting = Array.from({ length: 20 }, () => asks(hung))
    const began = performance.now()
    expect(await asks(hung)).toMatchObject({ result: LookUp.silent, message: expect.stringContaining('too many') })
    expect(await asks(other)).toMatchObject({ username: 'zhang.san' })
    expect(performance.now() - began).toBeLessThan(4_000)
    for (const one of await Promise.all(waiting)) expect(one).toMatchObject({ result: LookUp.silent, message: '' })
    at.ldaps.wrong = undefined
    expect(await asks(hung)).toMatchObject({ username: 'zhang.san' })
  }, 15_000)

  test('refers elsewhere: nobody goes there', async () => {
    let hits = 0
    const trap = createServer((socket) => (hits++, socket.destroy())).listen(0, '127.0.0.1')
    await new Promise((open) => trap.once('listening', open))
    const { port } = trap.address() as AddressInfo
    allowOutside([`127.0.0.1:${port}`])
    await setUp()
    Object.assign(there, { wrong: 'refers', elsewhere: `ldap://127.0.0.1:${port}/${PEOPLE}` })
    const { password } = there.person('operator')
    expect((await signIn('operator', password)).status).toBe(200)
    expect(plain(await signIn('unknown', 'x'))).toEqual(WRONG)
    trap.close()
    expect(hits).toBe(0)
  })
})

describe('the try says in words', () => {
  test('whom it found, and who that is here', async () => {
    await setUp()
    there.person('operator')
    there.person('stranger')
    expect(await look('operator')).toMatchObject({
      result: LookUp.found,
      dn: `uid=operator,${PEOPLE}`,
      username: 'operator',
      name: 'operator there',
      email: 'operator@example.com',
      person: 'operator',
    })
    expect(await look('stranger')).toMatchObject({ result: LookUp.found, person: null })
    expect(there.heard.binds.every(([dn]) => dn === READER.dn)).toBe(true)
  })

  test('what failed', async () => {
    const tried = async (more: object, account = 'operator') => {
      await owner.query('delete from identity.directory')
      expect((await save(more)).status).toBe(200)
      return (await look(account)).result
    }
    there.person('auditor')
    there.person('auditor')
    const free = createServer().listen(0, '127.0.0.1')
    await new Promise((open) => free.once('listening', open))
    const { port } = free.address() as AddressInfo
    await new Promise((closed) => free.close(closed))
    allowOutside([`127.0.0.1:${port}`, `localhost:${there.port}`])
    resolveWith(async (name) => (name === 'localhost' ? ['127.0.0.1'] : []))
    expect(await tried({ host: 'nowhere.example' })).toBe(LookUp.unreachable)
    expect(await tried({ port })).toBe(LookUp.unreachable)
    expect(await tried({ host: '169.254.169.254' })).toBe(LookUp.forbidden)
    expect(await tried({ ca: null })).toBe(LookUp.tls)
    expect(await tried({ ca: at.startTls.ca })).toBe(LookUp.tls)
    // The certificate is of the address, not of this name.
    expect(await tried({ host: 'localhost' })).toBe(LookUp.tls)
    // Encrypted is asked of a server that speaks in clear text.
    allowOutside([`127.0.0.1:${at.none.port}`])
    expect(await tried({ port: at.none.port })).toBe(LookUp.tls)
    expect(await tried({ port: at.startTls.port, encryption: Encryption.startTls })).toBe(LookUp.tls)
    expect(await tried({ secret: 'not the reader’s' })).toBe(LookUp.bind)
    expect(await tried({ baseDn: 'dc=elsewhere' })).toBe(LookUp.base)
    expect(await tried({})).toBe(LookUp.nobody)
    expect(await tried({}, 'auditor')).toBe(LookUp.several)
    resolveWith(undefined)
  })
})

describe('setting it up', () => {
  test('its password is written and never read: no answer, no log, no table holds it', async () => {
    const { version } = await setUp()
    const answers = [
      (await server.ask(admin, 'GET', `${D}/get`)).data,
      (await save({ version, secret: undefined, name: '改名' })).data,
      (await owner.query('select * from identity.directory')).rows,
      (await owner.query(`select before, after from platform.change where entity = 'identity.directory'`)).rows,
    ]
    expect(answers[1]).toMatchObject({ name: '改名', version: version + 1 })
    expect(JSON.stringify(answers)).not.toContain(READER.password)
    expect(JSON.stringify(answers[3])).not.toContain('secret')
    // A field that was left out stays as it was.
    there.person('operator')
    expect((await look('operator')).result).toBe(LookUp.found)
  })

  test('goes nowhere else than where whoever wrote it meant it to go', async () => {
    const { version } = await setUp()
    const moved = [
      { host: 'attacker.example' },
      { port: at.none.port },
      { encryption: Encryption.startTls },
      { ca: at.startTls.ca },
      { bindDn: 'cn=x' },
    ]
    for (const one of moved)
      expect(await save({ version, secret: undefined, ...one }), JSON.stringify(one)).toMatchObject({ status: 422, code: 40259 })
    expect(await save({ version, ...moved[2] })).toMatchObject({ status: 200 })
  })

  test('refuses what could not work, or not safely', async () => {
    expect(await save({ secret: undefined })).toMatchObject({ code: 40258 })
    expect(await save({ encryption: Encryption.none, host: 'ldap.example.com' })).toMatchObject({ code: 40260 })
    for (const filter of ['(uid={name}', '(&(uid={name})({name}=x))', 'uid={name})(x', '(uid={name}))'])
      expect(await save({ filter }), filter).toMatchObject({ code: 40261 })
    expect(await save({ ca: 'no certificate' })).toMatchObject({ code: 40262 })
    // A name that means this machine only now and then is not asked in clear text.
    allowOutside([`localhost:${at.none.port}`])
    resolveWith(async () => ['93.184.216.34'])
    expect((await save({ host: 'localhost', port: at.none.port, encryption: Encryption.none })).status).toBe(200)
    expect((await look('operator')).result).toBe(LookUp.forbidden)
    resolveWith(undefined)
  })

  test('of two at once the second is told', async () => {
    const both = await Promise.all([save({ name: 'one' }), save({ name: 'two' })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('is for administrators: whoever could sign in as everybody must be allowed to give everybody everything', async () => {
    const id = await aPersonHere('half-way')
    await owner.query(`insert into identity.role (enterprise_id, name) values (1, '目录')`)
    const button = `select b.id from identity.button b where b.capability = 'identity:directory:edit'`
    await owner.query(
      `insert into identity.role_button (enterprise_id, role_id, button_id) select 1, r.id, (${button}) from identity.role r where r.name = '目录'`,
    )
    await owner.query(
      `insert into identity.person_role (enterprise_id, person_id, role_id) select 1, $1, r.id from identity.role r where r.name = '目录'`,
      [id],
    )
    const token = await server.signIn('half-way')
    expect(await save({}, token)).toMatchObject({ status: 403, code: 40225 })
    expect((await save({}, await server.signIn('operator'))).status).toBe(403)
  })
})

describe('without linking by username', () => {
  const link = (custId: string, account: string) => server.ask(admin, 'POST', `${D}/link`, { custId, account })
  test('only those sign in whom an administrator has linked, by whatever name', async () => {
    await setUp('ldaps', { byName: false })
    const { password } = there.person('zhang.san')
    const there2 = there.person('operator')
    expect(plain(await signIn('operator', there2.password))).toEqual(WRONG)
    const { custId } = (await server.ask(await server.signIn('operator'), 'GET', USER)).data
    expect((await link(custId, 'zhang.san')).status).toBe(200)
    expect(await whoIs((await signIn('zhang.san', password)).data.access_token)).toBe('operator')
    expect((await look('zhang.san')).person).toBe('operator')
    // One link each.
    expect(await link(custId, 'operator')).toMatchObject({ code: 40264 })
    expect(await link(await aPersonHere('second'), 'zhang.san')).toMatchObject({ code: 40264 })
    expect(await link(custId, 'nobody')).toMatchObject({ code: 40263, message: '没有找到该用户' })
    const { records } = (await server.ask(admin, 'POST', `${D}/links`, {})).data
    expect(records).toMatchObject([{ id: custId, username: 'operator' }])
    expect((await server.ask(admin, 'POST', `${D}/unlink`, { id: custId })).status).toBe(200)
    expect((await server.ask(admin, 'POST', `${D}/unlink`, { id: custId })).status).toBe(404)
    expect(plain(await signIn('zhang.san', password))).toEqual(WRONG)
  })

  test('a person of another company is not found', async () => {
    await setUp()
    there.person('x')
    const { rows } = await owner.query(`select id from identity.person where username = 'otheradmin'`)
    expect((await link(rows[0].id, 'x')).status).toBe(404)
  })
})
