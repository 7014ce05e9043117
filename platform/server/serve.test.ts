import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { call, paged, pageOf, searchOf } from '../contract/call.ts'
import { among, dictionary, entity, id, instant, message, nothing, orNone, pick, text, upload, whole } from '../contract/field.ts'
import { sentences } from '../contract/said.ts'
import { answerErrors } from './call/answer.ts'
import { openPool } from './database.ts'
import type { House } from './domain.ts'
import { listOver, page } from './page.ts'
import { refusal, Stale } from './refusal.ts'
import { fileOf } from './call/fileReply.ts'
import { type Actor, phased, register, serve } from './serve.ts'

declare module './database.ts' {
  interface Tables {
    'trial.note': { id?: string; enterpriseId?: number; title: string; kind: number; at: string; version?: number }
  }
}
const Kind = dictionary('trial_kind', ['种类', 'Kind'], { 1: ['甲', 'One'], 2: ['乙', 'Two'] })
const Note = entity({
  id: id<'NoteId'>(),
  title: text('标题', 'Title', { max: 20 }),
  kind: among('种类', 'Kind', Kind),
  at: instant('时间', 'Time'),
  version: whole('版本', 'Version'),
})
const search = searchOf(Note, { title: 'equals', kind: 'among', at: 'between' }, { sort: ['at'] })
const note = {
  query: call('trial.note.query', { service: 'basic', get: '/note/query', needs: 'trial:note:view', query: paged(search), reply: pageOf(Note) }),
  add: call('trial.note.add', {
    service: 'basic',
    post: '/note/add',
    writes: true,
    does: ['试', 'Tried'],
    needs: 'trial:note:edit',
    body: pick(Note, 'title', 'kind', 'at'),
    reply: pick(Note, 'id'),
  }),
  rename: call('trial.note.rename', {
    service: 'basic',
    get: '/note/rename',
    writes: true,
    does: ['试', 'Tried'],
    needs: 'trial:note:edit',
    query: pick(Note, 'id', 'title', 'version'),
    reply: nothing,
  }),
  forgot: call('trial.note.forgot', { service: 'basic', post: '/note/forgot', needs: 'trial:note:edit', body: pick(Note, 'title'), reply: nothing }),
  wait: call('trial.note.wait', {
    service: 'basic',
    post: '/note/wait',
    writes: true,
    does: ['试', 'Tried'],
    needs: 'public',
    body: message({}, { title: orNone(text('标题', 'Title')) }),
    reply: text('标题', 'Title'),
  }),
  refuse: call('trial.note.refuse', { service: 'basic', post: '/note/refuse', needs: 'signed-in', body: message({}), reply: nothing }),
  broken: call('trial.note.broken', { service: 'basic', post: '/note/broken', needs: 'signed-in', body: message({}), reply: nothing }),
  upload: call('trial.note.upload', {
    service: 'basic',
    post: '/note/upload',
    needs: 'signed-in',
    multipart: message({ file: upload('文件', 'File') }),
    reply: whole('长度', 'Length'),
  }),
  file: call('trial.note.file', {
    service: 'basic',
    get: '/note/file/{name}',
    needs: 'signed-in',
    query: message({ name: text('名', 'Name') }),
    file: true,
    reply: nothing,
  }),
}
const TooLate = refusal('trial.too-late', 40999, '已过 {hour} 点', 'It is past {hour}', 422)
const notes = listOver(Note, 'trial.note', search)
const calls = serve(note, {
  query: ({ tx, input }) => page(tx, notes, input),
  add: ({ tx, input }) => tx.insertInto('trial.note').values(input).returning('id').executeTakeFirstOrThrow() as never,
  async rename({ tx, input: { id, title, version } }) {
    const { numUpdatedRows } = await tx
      .updateTable('trial.note')
      .set({ title, version: version + 1 })
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst()
    if (!numUpdatedRows) throw Stale()
  },
  forgot: async ({ tx, input }) => void (await tx.updateTable('trial.note').set(input).execute()),
  wait: phased(async ({ write, request }) => {
    await write((tx) => tx.selectFrom('trial.note').select('id').execute())
    return request.language
  }),
  refuse: async () => {
    throw TooLate({ hour: 8 })
  },
  broken: async () => {
    throw new Error('select secret from somewhere')
  },
  upload: async ({ input }) => input.file.bytes.length,
  file: async ({ input }) => fileOf({ name: `${input.name}.txt`, type: 'text/plain', body: 'x' }),
})

let database: TestDatabase
let pool: pg.Pool
let app: FastifyInstance
let owner: pg.Client
const everyone: Record<string, Actor> = {
  editor: {
    userId: 'e',
    userName: 'Eve',
    enterprise: 1,
    may: new Set(['trial:note:view', 'trial:note:edit']),
    scope: { enterprise: 1, parks: null },
    sessionId: 's1',
    bound: false,
  },
  reader: {
    userId: 'r',
    userName: 'Rea',
    enterprise: 1,
    may: new Set(['trial:note:view']),
    scope: { enterprise: 1, parks: null },
    sessionId: 's2',
    bound: false,
  },
}
beforeAll(async () => {
  database = await testDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(`create schema trial; select platform.opened('trial');
    create table trial.note (id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), title text not null unique, kind smallint not null, at timestamptz not null, version integer not null default 1);
    select platform.scoped('trial.note');`)
  pool = openPool(database.appUrl, 4)
  app = Fastify()
  answerErrors(app)
  await app.register(formbody)
  await app.register(multipart)
  register(app, { pool } as House, { actorOf: async (token) => everyone[token ?? ''] }, calls)
})
afterAll(async () => {
  await app.close()
  await pool.end()
  await owner.end()
  await database.drop()
})

async function ask(who: string, method: 'GET' | 'POST', path: string, body?: object | string, headers: Record<string, string> = {}) {
  const reply = await app.inject({
    method,
    url: `/lbs/basic/note${path}`,
    ...(body !== undefined && { payload: body as object }),
    headers: { authorization: `Bearer ${who}`, ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...headers },
  })
  return {
    status: reply.statusCode,
    headers: reply.headers,
    ...(reply.headers['content-type']?.includes('json')
      ? (reply.json() as { code: number; message: string; data: any })
      : { code: 0, message: '', data: reply.body }),
  }
}
const aNote = (title: string) => ({ title, kind: 1, at: '2026-03-02 09:00:00' })

test('what the platform wrote into a row is answered in the language of whoever asks', async () => {
  const { moved } = sentences('trial-note', { moved: ['已移至"{place}"', 'Moved to "{place}"'] })
  await owner.query('insert into trial.note (enterprise_id, title, kind, at) values (1, $1, 2, now())', [moved({ place: '3 号' })])
  const titles = async (lang: string) =>
    (await ask('reader', 'GET', '/query?kind=2', undefined, { cookie: `lang=${lang}` })).data.records.map(({ title }: { title: string }) => title)
  expect([await titles('en'), await titles('zh')]).toEqual([['Moved to "3 号"'], ['已移至"3 号"']])
  await owner.query('delete from trial.note')
})

test('what is refused, or given up, after a call was answered is no error for anybody; what nobody foresaw is one', async () => {
  const said: [level: string, message: string][] = []
  const slow = Fastify({ loggerInstance: logInto(said), handlerTimeout: 20 })
  answerErrors(slow)
  const ends: (() => void)[] = []
  const late = { refuse: note.refuse, broken: note.broken }
  const over = () => new Promise<void>((resolve) => ends.push(resolve))
  const lateCalls = serve(late, {
    refuse: async () => {
      await over()
      throw TooLate({ hour: 8 })
    },
    broken: async () => {
      await over()
      throw new Error('of its own')
    },
  })
  register(slow, { pool } as House, { actorOf: async () => everyone['editor']! }, lateCalls)
  for (const path of ['refuse', 'broken'])
    expect((await slow.inject({ method: 'POST', url: `/lbs/basic/note/${path}`, payload: {} })).statusCode).toBe(500)
  await expect.poll(() => ends.length).toBe(2)
  said.length = 0
  for (const end of ends) end()
  await expect.poll(() => said.length).toBe(2)
  expect(said.toSorted()).toEqual([
    ['debug', 'A call that had been answered was given up.'],
    ['error', 'A call failed after it had been answered.'],
  ])
  await slow.close()
})
/** Collects each logged message with its level. */
function logInto(said: [string, string][]): FastifyBaseLogger {
  const at = (level: string) => (first: unknown, message?: string) => void said.push([level, message ?? String(first)])
  const log = {
    level: 'debug',
    child: () => log,
    silent: () => {},
    ...Object.fromEntries(['fatal', 'error', 'warn', 'info', 'debug', 'trace'].map((level) => [level, at(level)])),
  }
  return log as unknown as FastifyBaseLogger
}

test('a stranger is refused before the body is read; a person without the capability too', async () => {
  expect(await ask('', 'POST', '/add', '{broken', { 'content-type': 'application/json' })).toMatchObject({ status: 401, code: 401 })
  expect(await ask('reader', 'POST', '/add', aNote('x'))).toMatchObject({ status: 403, code: 403 })
})

test('input is checked against the contract, and the sentence names the field in the language asked for', async () => {
  expect((await ask('editor', 'POST', '/add', { title: 'x', kind: 3, at: '2026-03-02 09:00:00' })).message).toContain('「种类」只能是')
  expect((await ask('editor', 'POST', '/add', { title: 'x', kind: 1 }, { cookie: 'lang=en' })).message).toContain('“Time” is missing')
  expect((await ask('editor', 'POST', '/add', { ...aNote('x'), constructor: 1 })).status).toBe(400)
  expect((await ask('editor', 'POST', '/add', { ...aNote('x'), kind: '1' })).status).toBe(400)
  expect((await ask('editor', 'POST', '/add', { ...aNote('x'), at: '2026-02-30 09:00:00' })).status).toBe(400)
  expect((await ask('editor', 'POST', '/add', { ...aNote('a\u0000b') })).status).toBe(400)
  for (const query of [
    '?limit=0',
    '?limit=501',
    '?limit=1.5',
    '?current=x',
    '?orderByColumn=constructor',
    '?orderByColumn=title',
    '?kind=1&kind=2',
    '?kind=9',
    '?nothing=1',
    '?isAsc=maybe',
    '?isAsc=true,maybe',
    '?orderByColumn=at,title',
    '?orderByColumn=at,',
    '?orderByColumn=at,at,at,at',
  ])
    expect([query, (await ask('editor', 'GET', `/query${query}`)).status]).toEqual([query, 400])
  for (const query of ['?orderByColumn=at', '?orderByColumn=at&isAsc=true', '?orderByColumn=at,at&isAsc=true,false'])
    expect([query, (await ask('editor', 'GET', `/query${query}`)).status]).toEqual([query, 200])
})

test('city time becomes an instant; names of the caller are stripped; a retried write has one effect', async () => {
  const body = { ...aNote('once'), userId: 'someone', operName: 'else' }
  const key = { 'idempotency-key': 'k1' }
  const first = await ask('editor', 'POST', '/add', body, key)
  expect(first.status).toBe(200)
  expect((await ask('editor', 'POST', '/add', body, key)).data).toEqual(first.data)
  expect((await ask('editor', 'POST', '/add', { ...body, kind: 2 }, key)).code).toBe(40901)
  const twins = await Promise.all(Array.from({ length: 6 }, () => ask('editor', 'POST', '/add', aNote('twin'), { 'idempotency-key': 'k2' })))
  expect(new Set(twins.filter(({ status }) => status === 200).map(({ data }) => data.id)).size).toBe(1)
  for (const { status, code } of twins) expect([200, 409]).toContain(status === 409 && code !== 40902 ? code : status)
  const { data } = await ask('reader', 'GET', '/query?title=once&atFrom=20260302085959&atTo=2026-03-02 09:00:00&kind=1,2')
  expect(data.records).toMatchObject([{ title: 'once', at: '2026-03-02T01:00:00.000Z' }])
})

test('a key is free again when the first try failed', async () => {
  const key = { 'idempotency-key': 'k3' }
  expect((await ask('editor', 'POST', '/add', aNote('once'), key)).status).toBe(409)
  expect((await ask('editor', 'POST', '/add', aNote('free again'), key)).status).toBe(200)
})

test('a stale version, a rule, a bug: true statuses, no inner text', async () => {
  const [row] = (await ask('reader', 'GET', '/query?title=once')).data.records
  expect((await ask('editor', 'GET', `/rename?id=${row.id}&title=${encodeURIComponent('一次')}&version=1`)).status).toBe(200)
  expect(await ask('editor', 'GET', `/rename?id=${row.id}&title=again&version=1`)).toMatchObject({ status: 409, message: '数据已被他人修改，请刷新' })
  expect((await ask('editor', 'GET', `/rename?id=1&title=again&version=1`)).status).toBe(400)
  expect(await ask('reader', 'POST', '/refuse', {})).toMatchObject({ status: 422, code: 40999, message: '已过 8 点', data: { hour: 8 } })
  const broken = await ask('reader', 'POST', '/broken', {})
  expect([broken.status, broken.message.includes('secret')]).toEqual([500, false])
})

test('a call that writes and does not say so is refused by the database', async () => {
  expect((await ask('editor', 'POST', '/forgot', { title: 'x' })).status).toBeGreaterThanOrEqual(500)
})

test('a page elsewhere, or a browser ahead of time, cannot fire a writing GET', async () => {
  const path = `/rename?id=${crypto.randomUUID()}&title=x&version=1`
  expect((await ask('editor', 'GET', path, undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await ask('editor', 'GET', path, undefined, { 'sec-purpose': 'prefetch' })).status).toBe(403)
  expect((await ask('editor', 'GET', path, undefined, { origin: 'https://elsewhere.example' })).status).toBe(403)
  expect((await ask('editor', 'GET', path, undefined, { 'sec-fetch-site': 'same-origin' })).status).toBe(409)
})

test('phases, files up and down, unknown addresses', async () => {
  expect((await ask('', 'POST', '/wait', {}, { cookie: 'lang=en' })).data).toBe('en')
  const form = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n12345\r\n--b--\r\n'
  expect((await ask('reader', 'POST', '/upload', form, { 'content-type': 'multipart/form-data; boundary=b' })).data).toBe(5)
  expect((await ask('reader', 'POST', '/upload', {})).status).toBe(400)
  const file = await ask('reader', 'GET', `/file/${encodeURIComponent('记录')}`)
  expect([file.data, file.headers['content-disposition']]).toEqual([
    'x',
    `attachment; filename="__.txt"; filename*=UTF-8''${encodeURIComponent('记录')}.txt`,
  ])
  expect((await ask('reader', 'GET', '/nowhere')).status).toBe(404)
})

test('the database is away: 503 with a sentence and when to try again, and it works again after', async () => {
  await owner.query(`alter database ${new URL(database.appUrl).pathname.slice(1)} connection limit 0`)
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
  const away = await ask('reader', 'GET', '/query')
  await owner.query(`alter database ${new URL(database.appUrl).pathname.slice(1)} connection limit -1`)
  expect([away.status, away.headers['retry-after']]).toEqual([503, '2'])
  await expect.poll(async () => (await ask('reader', 'GET', '/query')).status, { timeout: 5_000 }).toBe(200)
})
