import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someoneWho } from '../../../tests/support/roles.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { runDue } from '../../../platform/server/sheets/scheduled.ts'
import { cityTime, instantAt } from '../../../platform/contract/time.ts'

const BASE = '/lbs/basic/scheduledExport'
const CALL = 'identity.person.export'
const PATIENCE_MS = 60_000
let server: TestServer
let owner: pg.Client
let admin: string
let operator: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  operator = await server.signIn('operator')
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

/** Half a day from now. */
const TIME = cityTime(instantAt(Date.now() + 12 * 3_600_000)).slice(11, 16)
const post = (token: string, verb: string, body: object) => server.ask(token, 'POST', `${BASE}/${verb}`, body)
const plan = (more: object = {}) => ({
  call: CALL,
  criteria: { username: 'oper' },
  name: '早报',
  rhythm: 1,
  timeOfDay: TIME,
  format: 'csv',
  ...more,
})
const add = async (token: string, more: object = {}) => (await post(token, 'add', plan(more))).data
const one = async (token: string, id: string) =>
  (await post(token, 'queryPage', { limit: 100 })).data.records.find((row: { id: string }) => row.id === id)
/** Due and done an hour from now: nothing of it is there for the minute's own job, and what is planned for half a day from now is not due then either. */
const HOUR_MS = 3_600_000
const due = (id: string) => owner.query(`update platform.scheduled_export set next_at = now() + interval '59 minutes' where id = $1`, [id])
const tick = () => server.house.writing(1, 'test', (tx) => runDue(tx, instantAt(Date.now() + HOUR_MS)))
const runs = async (token: string, id: string) => (await server.ask(token, 'GET', `${BASE}/runs`, { id })).data
const titles = async (token: string) =>
  (await server.ask(token, 'POST', '/lbs/message/messageRecord/queryMessageRecord', {})).data.records.map(({ title }: { title: string }) => title)

test(
  'a list is written at its time, with its filter and its columns, once, and its owner is told',
  async () => {
    const made = await add(admin, { columns: ['name', 'username'] })
    expect(made).toMatchObject({ state: 1, title: '员工', day: null })
    await due(made.id)
    await Promise.all([tick(), tick()])
    await tick()
    const [run, ...more] = await runs(admin, made.id)
    expect([run.exportId, more]).toEqual([expect.any(String), []])
    expect(Date.parse((await one(admin, made.id)).nextAt)).toBeGreaterThan(Date.now())
    const get = () => server.ask(admin, 'GET', '/lbs/basic/sysExport/download', { id: run.exportId })
    await expect.poll(async () => (await get()).status, { timeout: PATIENCE_MS }).toBe(200)
    const lines = (await get()).data
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/)
    expect(lines[0]).toBe('姓名,用户名')
    expect(lines.slice(1).every((line: string) => line.split(',')[1]!.startsWith('oper')) && lines.length > 1).toBe(true)
    await expect.poll(() => titles(admin), { timeout: PATIENCE_MS }).toContain('导出完成：员工（早报）')
  },
  PATIENCE_MS * 2,
)

test(
  'where the enterprise has a template for it, it is told by that channel too, with the way to the page and without the file; an export that somebody waits for is not',
  async () => {
    const message = async (method: 'POST' | 'PUT', path: string, body: object) => {
      const answer = await server.ask(admin, method, `/lbs/message/${path}`, body)
      expect(answer.status, answer.message).toBe(200)
      return answer.data
    }
    await message('POST', 'messageChannel/insert', {
      name: '邮件',
      type: 5,
      host: 'mail.example',
      port: 25,
      tls: true,
      sender: 'a@mail.example',
      account: 'notice',
      secret: 'right-password',
    })
    const vars = ['list', 'rows', 'link'].map((name) => ({ name, label: name, sample: '1' }))
    const texts = { title: '{{list}}', content: '{{rows}} 行 {{link}}', vars }
    const template = await message('POST', 'messageTemplate/insert', {
      code: 'export.scheduled',
      name: '定时导出',
      kind: 1,
      channelType: 5,
      ...texts,
    })
    await message('PUT', 'messageTemplate/update', { id: template.id, version: template.version, state: 1 })
    await owner.query(`update identity.person set email = 'admin@mail.example' where username = 'admin'`)
    const mailed = async () => (await owner.query('select title, content, third from message.record where channel_type = 5')).rows
    await server.ask(admin, 'GET', '/lbs/custom/person/export', { format: 'csv', background: 'true' })
    const made = await add(admin, { name: '邮件报' })
    await due(made.id)
    await tick()
    await expect
      .poll(mailed, { timeout: PATIENCE_MS })
      .toEqual([{ title: '员工（邮件报）', content: expect.stringMatching(/^\d+ 行 \/dist\/index\?exports$/), third: expect.anything() }])
    await expect.poll(() => titles(admin), { timeout: PATIENCE_MS }).toContain('导出完成：员工（邮件报）')
  },
  PATIENCE_MS * 2,
)

test('its filter is changed after it was made, by the rules of the list; those of one list are found', async () => {
  const { id, version } = await add(admin, { name: '换筛选' })
  const kept = async () => (await owner.query('select criteria from platform.scheduled_export where id = $1', [id])).rows[0].criteria
  expect((await post(admin, 'update', { id, version, criteria: { username: 'admin' } })).status).toBe(200)
  expect(await kept()).toEqual({ username: 'admin' })
  expect((await post(admin, 'update', { id, version: version + 1, criteria: { nothing: 1 } })).status).toBe(400)
  expect((await post(admin, 'update', { id, version: version + 1, name: '改名' })).data.name).toBe('改名')
  expect(await kept()).toEqual({ username: 'admin' })
  const names = async (call: string) => (await post(admin, 'queryPage', { call, limit: 100 })).data.records.map(({ name }: { name: string }) => name)
  expect(await names(CALL)).toContain('改名')
  expect(await names('parking.gate.export')).toEqual([])
})

test(
  'what it wrote while its owner saw more is theirs no more; the next run writes what they see now',
  async () => {
    const { username, password } = await someoneWho(server, owner, ['StaffScreen'])
    const before = await server.signIn(username, password)
    const { id } = await add(before)
    const written = async (token: string) => {
      await due(id)
      await tick()
      return (await runs(token, id))[0].exportId
    }
    const get = (token: string, exportId: string) => server.ask(token, 'GET', '/lbs/basic/sysExport/download', { id: exportId })
    const first = await written(before)
    await expect.poll(async () => (await get(before, first)).status, { timeout: PATIENCE_MS }).toBe(200)
    await owner.query(`update identity.role set data_scope = 6, parks = '{P001}' where name = $1`, [username])
    const now = await server.signIn(username, password)
    expect(await get(now, first)).toMatchObject({ status: 403, code: 40146 })
    const second = await written(now)
    await expect.poll(async () => (await get(now, second)).status, { timeout: PATIENCE_MS }).toBe(200)
  },
  PATIENCE_MS * 2,
)

test('it is its owner’s alone, and only for whoever may export the list', async () => {
  const { id, version } = await add(admin)
  expect(await one(operator, id)).toBeUndefined()
  for (const verb of ['pause', 'resume', 'delete']) expect([verb, (await post(operator, verb, { id, version })).status]).toEqual([verb, 404])
  expect((await post(operator, 'update', { id, version, name: 'x' })).status).toBe(404)
  expect((await server.ask(operator, 'GET', `${BASE}/runs`, { id })).status).toBe(404)
  expect((await post(operator, 'add', plan())).status).toBe(403)
  expect((await post(admin, 'add', plan({ call: 'identity.person.query-page' }))).status).toBe(404)
})

test('what its filter may not say is refused when it is made', async () => {
  expect((await post(admin, 'add', plan({ criteria: { nobody: 1 } }))).status).toBe(400)
  expect((await post(admin, 'add', plan({ columns: ['password_hash'] }))).status).toBe(400)
  expect((await post(admin, 'add', plan({ rhythm: 2 }))).code).toBe(40018)
  expect((await post(admin, 'add', plan({ rhythm: 2, day: 8 }))).code).toBe(40018)
  expect((await post(admin, 'add', plan({ moving: 'username' }))).code).toBe(40019)
  expect((await post(admin, 'add', plan({ timeOfDay: '24:00' }))).status).toBe(400)
})

test('a range that moves along holds the days before the run', async () => {
  const { id } = await add(admin, { call: 'parking.record.export', criteria: {}, moving: 'entryTime' })
  await due(id)
  await tick()
  const { rows } = await owner.query(
    'select criteria from platform.export e join platform.scheduled_run r on r.export_id = e.id where r.scheduled_id = $1',
    [id],
  )
  const { entryTimeFrom, entryTimeTo } = rows[0].criteria
  expect(Date.parse(entryTimeTo) - Date.parse(entryTimeFrom)).toBe(86_400_000 - 1)
  expect(Date.now() - Date.parse(entryTimeTo)).toBeLessThan(86_400_000)
})

test('the heads of times name the hours of the city', async () => {
  const sheet = await server.ask(admin, 'GET', '/lbs/fee/parkRecord/export', { format: 'csv' })
  expect(sheet.data.toString('utf8').split('\n')[0]).toMatch(/时间\(UTC\+8\)/)
})

test('paused it waits; resumed it goes on; thrown away it comes back to its owner alone', async () => {
  const made = await add(admin, { name: '周报', rhythm: 2, day: 1 })
  const paused = (await post(admin, 'pause', { id: made.id, version: made.version })).data
  expect(paused).toMatchObject({ state: 2 })
  await due(made.id)
  await tick()
  expect(await runs(admin, made.id)).toEqual([])
  const { rows } = await owner.query('select version from platform.scheduled_export where id = $1', [made.id])
  const resumed = (await post(admin, 'resume', { id: made.id, version: rows[0].version })).data
  expect([resumed.state, Date.parse(resumed.nextAt) > Date.now()]).toEqual([1, true])
  expect((await post(admin, 'delete', { id: made.id, version: made.version })).status).toBe(409)
  expect((await post(admin, 'delete', { id: made.id, version: resumed.version })).status).toBe(200)
  const back = (token: string) => server.ask(token, 'POST', '/lbs/basic/bin/undo', { kind: 'platform.scheduled_export', key: made.id })
  expect((await back(operator)).status).toBe(404)
  expect((await back(admin)).status).toBe(200)
  expect(await one(admin, made.id)).toMatchObject({ name: '周报', state: 1 })
})

test('twenty are enough, two at once find one place', async () => {
  const auditor = await server.signIn('auditor')
  const left = 20 - 1
  for (let i = 0; i < left; i++) await add(auditor, { name: `n${i}` })
  const codes = await Promise.all([1, 2, 3].map(async () => (await post(auditor, 'add', plan())).code))
  expect(codes.sort()).toEqual([200, 40017, 40017])
})

test(
  'it stops with a message when the right is gone, and when the account is',
  async () => {
    const { rows } = await owner.query(`select id from identity.person where username = 'admin'`)
    const person = await owner.query(`select id from identity.person where username = 'auditor'`)
    await owner.query(`delete from platform.scheduled_export where person_id = $1`, [person.rows[0].id])
    const auditor = await server.signIn('auditor')
    const [first, second] = [await add(auditor, { name: '权' }), await add(auditor, { name: '号' })]
    const held = await owner.query('delete from identity.person_role where person_id = $1 returning *', [person.rows[0].id])
    await due(first.id)
    await tick()
    const stopped = await owner.query('select state, stopped_by from platform.scheduled_export where id = $1', [first.id])
    expect(stopped.rows[0]).toEqual({ state: 3, stopped_by: 1 })
    expect(held.rows.length).toBeGreaterThan(0)
    await expect
      .poll(async () => (await owner.query(`select count(*)::int n from message.record where title = '定时导出已停止：权'`)).rows[0].n, {
        timeout: PATIENCE_MS,
      })
      .toBeGreaterThan(0)
    await owner.query('update identity.person set lock_state = 2 where id = $1', [person.rows[0].id])
    await due(second.id)
    await tick()
    expect((await owner.query('select state, stopped_by from platform.scheduled_export where id = $1', [second.id])).rows[0]).toEqual({
      state: 3,
      stopped_by: 2,
    })
    await expect.poll(() => titles(admin), { timeout: PATIENCE_MS }).toContain('定时导出已停止：号')
    expect(rows.length).toBe(1)
  },
  PATIENCE_MS * 2,
)
