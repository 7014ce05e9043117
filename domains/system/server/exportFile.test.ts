import XLSX from '@e965/xlsx'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SEES_PLATES, SEES_WHOLE } from '../../../platform/contract/personal.ts'
import { someoneWho } from '../../../tests/support/roles.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'

const EXPORT = '/lbs/custom/person/export'
const PEOPLE = 5_200
/** A writer stands behind everybody else on a busy machine. */
const LONG_MS = 240_000
let server: TestServer
let owner: pg.Client
let admin: string
let auditor: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  auditor = await server.signIn('auditor')
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  await owner.query(
    `insert into identity.person (enterprise_id, username, name, staff_no, password_hash) select 1, 'many' || i, '=员工' || i, lpad(i::text, 18, '0'), 'x' from generate_series(1, ${PEOPLE}) i`,
  )
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

const mine = async (token: string) => (await server.ask(token, 'POST', '/lbs/basic/sysExport/queryPage', {})).data.records
const download = (token: string, id: string) => server.ask(token, 'GET', '/lbs/basic/sysExport/download', { id })
const ready = (token: string, id: string, state = 3) =>
  expect
    .poll(async () => (await mine(token)).find((one: { id: string }) => one.id === id)?.state, { timeout: LONG_MS / 2, interval: 300 })
    .toBe(state)

describe('calls.exports-return-file: whoever asks for nothing else gets the file, however long the list', () => {
  test.each([
    ['csv', undefined, 'csv'],
    ['xlsx', 'many', 'xlsx'],
    ['xls', 'many', 'xls'],
  ])(
    '%s',
    async (format, username, as) => {
      const { status, data, headers } = await server.ask(admin, 'GET', EXPORT, { format, ...(username && { username }) })
      expect([status, headers.get('content-disposition')]).toEqual([200, expect.stringContaining(`.${as}`)])
      if (format === 'csv') expect(data.toString('utf8').trim().split('\n').length).toBeGreaterThan(PEOPLE + 1)
      else expect(XLSX.utils.decode_range(Object.values(XLSX.read(data).Sheets)[0]!['!ref']!).e.r).toBe(PEOPLE)
      const { rows } = await owner.query('select rows, format from platform.export order by id desc limit 1')
      expect(rows[0]).toMatchObject({ format: as, rows: username ? PEOPLE : expect.any(Number) })
    },
    LONG_MS,
  )

  test(
    'one that is broken off ends, and leaves its place to the next',
    async () => {
      for (let i = 0; i < 5; i++) {
        const leave = new AbortController()
        const going = fetch(`${server.url}${EXPORT}?username=many&format=csv`, {
          headers: { authorization: `Bearer ${admin}` },
          signal: leave.signal,
        })
        await going.then((reply) => reply.body!.getReader().read()).finally(() => leave.abort())
      }
      await expect
        .poll(async () => (await server.ask(admin, 'GET', EXPORT, { username: 'many', format: 'csv' })).status, { timeout: LONG_MS / 4 })
        .toBe(200)
    },
    LONG_MS,
  )
})

test(
  'more than 5,000 rows are written in the background: told of when ready, the owner’s alone, its link good for a day',
  async () => {
    const queued = await server.ask(admin, 'GET', EXPORT, { username: 'many', format: 'xlsx', background: true })
    expect(queued).toMatchObject({ status: 200, code: 200, data: { id: expect.any(String) } })
    const { id } = queued.data
    await ready(admin, id)
    expect((await mine(admin))[0]).toMatchObject({ rowsDone: PEOPLE, rowsTotal: PEOPLE, title: '员工' })
    const file = await download(admin, id)
    const book = XLSX.read(file.data)
    const rows = XLSX.utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1, raw: false })
    expect(rows).toHaveLength(PEOPLE + 1)
    expect(rows[1]!.slice(0, 3)).toEqual(['many1', '=员工1', '000000000000000001'])
    const told = (await server.ask(admin, 'POST', '/lbs/message/messageRecord/queryMessageRecord', { readState: 0 })).data.records
    expect(told[0]).toMatchObject({ title: '导出完成：员工', link: '/index?exports' })
    expect([(await download(auditor, id)).status, (await mine(auditor)).length]).toEqual([404, 0])
    await owner.query(`update platform.export_file set link_until = now() - interval '1 second' where id = $1`, [id])
    expect((await download(admin, id)).status).toBe(410)
    expect((await server.ask(auditor, 'POST', '/lbs/basic/sysExport/renew', { id })).status).toBe(404)
    expect((await server.ask(admin, 'POST', '/lbs/basic/sysExport/renew', { id })).status).toBe(200)
    expect((await download(admin, id)).status).toBe(200)
  },
  LONG_MS,
)

test(
  'an .xls of up to 10,000 rows stays one',
  async () => {
    const { data } = await server.ask(admin, 'GET', EXPORT, { username: 'many', background: true })
    await ready(admin, data.id)
    const file = await download(admin, data.id)
    expect([...file.data.subarray(0, 4)]).toEqual([0xd0, 0xcf, 0x11, 0xe0])
    const book = XLSX.read(file.data)
    expect(XLSX.utils.decode_range(book.Sheets[book.SheetNames[0]!]!['!ref']!).e.r).toBe(PEOPLE)
  },
  LONG_MS,
)

test(
  'who may export the list no more does not get what was written before',
  async () => {
    const { data } = await server.ask(auditor, 'GET', EXPORT, { username: 'many', format: 'csv', background: true })
    await ready(auditor, data.id)
    expect((await download(auditor, data.id)).status).toBe(200)
    const { rows: held } = await owner.query(
      `delete from identity.person_role where person_id = (select id from identity.person where username = 'auditor') returning enterprise_id, person_id, role_id`,
    )
    const without = await server.signIn('auditor')
    expect(await download(without, data.id)).toMatchObject({ status: 403, code: 403 })
    expect((await server.ask(without, 'POST', '/lbs/basic/sysExport/renew', { id: data.id })).status).toBe(403)
    for (const { enterprise_id, person_id, role_id } of held)
      await owner.query('insert into identity.person_role (enterprise_id, person_id, role_id) values ($1, $2, $3)', [
        enterprise_id,
        person_id,
        role_id,
      ])
    auditor = await server.signIn('auditor')
    expect((await download(auditor, data.id)).status).toBe(200)
  },
  LONG_MS,
)

test(
  'what was written stays with whoever sees as much as then, or more; whoever sees less exports anew',
  async () => {
    const { username, password } = await someoneWho(server, owner, ['StaffScreen'], [SEES_WHOLE, SEES_PLATES])
    await owner.query(
      `with d as (insert into identity.department (enterprise_id, name, parks) values (1, '两场', '{P001,P009}') returning id)
      update identity.person set department_id = d.id from d where username = $1`,
      [username],
    )
    /** The same person, signed in, with another data scope, other parks and another sight. */
    const who = async ({ dataScope = 6, parks = ['P001', 'P009'], sight = [SEES_WHOLE, SEES_PLATES] as string[] } = {}) => {
      await owner.query('update identity.role set data_scope = $2, parks = $3 where name = $1', [username, dataScope, parks])
      await owner.query('delete from identity.role_button where role_id = (select id from identity.role where name = $1)', [username])
      await owner.query(
        `insert into identity.role_button (enterprise_id, role_id, button_id) select 1, r.id, b.id from identity.role r, identity.button b where r.name = $1 and b.capability = any ($2)`,
        [username, sight],
      )
      return server.signIn(username, password)
    }
    const asker = await who()
    const { id } = (await server.ask(asker, 'GET', EXPORT, { username: 'many', format: 'csv', background: true })).data
    await ready(asker, id)
    const asked = async (now?: Parameters<typeof who>[0]) => {
      const token = await who(now)
      return [(await download(token, id)).code, (await server.ask(token, 'POST', '/lbs/basic/sysExport/renew', { id })).code]
    }
    const [given, refused] = [
      [200, 200],
      [40146, 40146],
    ]
    expect(await asked()).toEqual(given)
    expect(await asked({ parks: ['P009', 'P001', 'P002'] })).toEqual(given)
    expect(await asked({ dataScope: 2, parks: [] })).toEqual(given)
    expect(await asked({ parks: ['P001'] })).toEqual(refused)
    expect(await asked({ parks: ['P001', 'P002'] })).toEqual(refused)
    // The department's parks are the same two, but of people it shows its own alone.
    expect(await asked({ dataScope: 4 })).toEqual(refused)
    expect(await asked({ sight: [SEES_PLATES] })).toEqual(refused)
    expect(await asked({ sight: [SEES_WHOLE] })).toEqual(refused)
    expect(await download(await who({ parks: [] }), id)).toMatchObject({ status: 403, code: 40146, message: expect.stringContaining('重新导出') })
    // Written with all parks, then with telephones covered.
    await owner.query('update platform.export_file set parks = null where id = $1', [id])
    expect(await asked()).toEqual(refused)
    expect(await asked({ dataScope: 2 })).toEqual(given)
    await owner.query(`update platform.export_file set hidden = '{phone,email,document}' where id = $1`, [id])
    expect(await asked({ dataScope: 2, sight: [SEES_PLATES] })).toEqual(given)
    expect(await asked({ dataScope: 2, sight: [] })).toEqual(refused)
  },
  LONG_MS,
)

test('what is taken back before it is written is not written', async () => {
  const { data } = await server.ask(admin, 'GET', EXPORT, { username: 'many', format: 'csv', background: true })
  await owner.query(`update platform.export_file set state = 2, finished_at = null where id = $1`, [data.id])
  expect((await server.ask(auditor, 'POST', '/lbs/basic/sysExport/cancel', { id: data.id })).status).toBe(404)
  await server.ask(admin, 'POST', '/lbs/basic/sysExport/cancel', { id: data.id })
  expect((await mine(admin)).find(({ id }: { id: string }) => id === data.id)).toMatchObject({ state: 5 })
  expect((await download(admin, data.id)).status).toBe(409)
})

test('a person has five under way at most', async () => {
  await owner.query(
    `insert into platform.export (id, enterprise_id, person_id, call, title, title_en, criteria, format) select uuidv7(), 1, id, 'x', 'x', 'x', '{}', 'csv' from identity.person, generate_series(1, 5) where username = 'auditor'`,
  )
  await owner.query(
    `insert into platform.export_file (id, enterprise_id, person_id, columns, language, format, name) select id, 1, person_id, '[]', 0, 'csv', 'x' from platform.export where call = 'x'`,
  )
  expect((await server.ask(auditor, 'GET', EXPORT, { username: 'many', background: true })).status).toBe(429)
})
