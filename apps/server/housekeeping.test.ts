import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../platform/contract/field.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { domains } from './domains.ts'
import { housekeeping } from './housekeeping.ts'

let server: TestServer
let owner: pg.Client
let person: string
beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  person = (await owner.query(`select id from identity.person where username = 'auditor'`)).rows[0].id
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

/** Every job that has its hour, in both companies. */
async function aNight(): Promise<void> {
  const at = new Date().toISOString() as Instant
  for (const { name, work } of [...housekeeping, ...domains.flatMap(({ tasks = [] }) => tasks)].filter(
    ({ every }) => every && !every.startsWith('*'),
  ))
    for (const enterprise of [1, 2]) await server.house.writing(enterprise, name, (tx) => work({ tx, data: {}, at, house: server.house }))
}

/** How a row of each kind is made that many days old, and how many days it stays. */
const KEPT: Record<string, { days: number; make: string; table: string }> = {
  sessions: {
    days: 30,
    table: 'identity.session',
    make: `insert into identity.session (enterprise_id, person_id, token_hash, login_type, ip, idle, expires_at) values (1, $1, sha256($2::text::bytea), 1, 'kept', '30 min', now() - $2::int * interval '1 day')`,
  },
  browsers: {
    days: 180,
    table: 'identity.known_browser',
    make: `insert into identity.known_browser (enterprise_id, person_id, device_hash, last_at) values (1, $1, sha256($2::text::bytea), now() - $2::int * interval '1 day')`,
  },
  clicks: {
    days: 90,
    table: 'identity.click_record',
    make: `insert into identity.click_record (enterprise_id, person_id, resource_id, at) values (1, $1, gen_random_uuid(), now() - $2::int * interval '1 day')`,
  },
  strangers: {
    days: 180,
    table: 'system.login_log where enterprise_id = 0',
    make: `insert into system.login_log (enterprise_id, at, username, login_type, ip, outcome) values (0, now() - $2::int * interval '1 day', $1::text, 1, '', 2)`,
  },
  bin: {
    days: 30,
    table: 'platform.bin',
    make: `insert into platform.bin (enterprise_id, kind, row_key, title, at, author_name, content) values (1, 'system.region', $1::text, 'x', now() - $2::int * interval '1 day', 'x', '{}')`,
  },
  exports: {
    days: 7,
    table: 'platform.export_file',
    make: `with e as (insert into platform.export (enterprise_id, person_id, call, title, title_en, criteria, format) values (1, $1, 'x', 'x', 'x', '{}', 'csv') returning id)
      insert into platform.export_file (id, enterprise_id, person_id, columns, language, format, name, created_at) select id, 1, $1, '[]', 0, 'csv', 'x', now() - $2::int * interval '1 day' from e`,
  },
  keys: {
    days: 2,
    table: 'platform.idempotency',
    make: `insert into platform.idempotency (user_id, key, call, body_hash, at) values ($1::text, $2::text, 'x', 'x', now() - $2::int * interval '1 day')`,
  },
  figures: {
    days: 90,
    table: 'system.server_figure',
    make: `insert into system.server_figure (server_id, metric, at, mean, most, samples) values ($1, 1, now() - $2::int * interval '1 day', 1, 1, 1)`,
  },
}
const count = async (table: string): Promise<number> => (await owner.query(`select count(*)::int n from ${table}`)).rows[0].n

test('what nobody asks for any more is gone after a night, and nothing a day too early', async () => {
  const left = async () => new Map(await Promise.all(Object.entries(KEPT).map(async ([kind, { table }]) => [kind, await count(table)] as const)))
  const before = await left()
  for (const { days, make } of Object.values(KEPT)) for (const age of [days - 1, days + 1]) await owner.query(make, [person, age])
  await aNight()
  expect(await left()).toEqual(new Map([...before].map(([kind, n]) => [kind, n + 1])))
})

test('logs and messages stay for good, and the chain of the oldest day is still whole', async () => {
  const line = `insert into system.login_log (enterprise_id, at, person_id, username, login_type, ip, outcome) values (1, now() - interval '3 years', $1, 'auditor', 1, 'kept', 1)`
  await owner.query(line, [person])
  await owner.query(`select system.seal_log(2::smallint, 1, (now() - interval '1 day')::date, 2000)`)
  await owner.query(`insert into message.channel (enterprise_id, name, type) values (1, 'kept', 2)`)
  await owner.query(
    `insert into message.record (enterprise_id, first_channel_id, channel_id, channel_type, to_name, content, send_state, created_at)
    select 1, id, id, 2, 'kept', 'x', 2, now() - interval '3 years' from message.channel where name = 'kept'`,
  )
  await aNight()
  expect(await count(`system.login_log where ip = 'kept'`)).toBe(1)
  expect(await count(`message.record where to_name = 'kept'`)).toBe(1)
  const admin = await server.signIn('admin')
  const { data } = await server.ask(admin, 'GET', '/lbs/business/system/logChains')
  const chain = (data as { log: number; days: number; brokenDay: string | null }[]).find(({ log }) => log === 2)!
  expect(chain.days).toBeGreaterThan(3 * 364)
  expect(chain.brokenDay).toBeNull()
})
