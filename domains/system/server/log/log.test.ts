import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { sendSheet } from '../../../../tests/support/sheets.ts'
import { enrol, hashOf, hear } from '../../../device/server/api.ts'
import type { CallNote } from '../../../../platform/server/serve.ts'
import { checkAll, sealAndCheck } from './chain.ts'
import { openOperationLog } from './operationLog.ts'

const OPERATIONS = '/lbs/business/system/selectSystemOperationLogPage'
const ROLE = '/lbs/custom/roleNew/roleAddNew'
let server: TestServer
let owner: pg.Client
let admin: string
let other: string
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  admin = await server.signIn('admin')
  other = await server.signIn('otheradmin')
})
afterAll(async () => {
  await owner.end()
  await server.close()
})
const logged = async (query: object, token = admin) => (await server.ask(token, 'POST', OPERATIONS, query)).data.records as Record<string, unknown>[]

describe('the operation log', () => {
  test('has a line for what was done, with what it changed', async () => {
    const headers = { 'x-page': '/appManage/permission/role' }
    await server.ask(admin, 'POST', ROLE, { name: '日志角色', dataScope: 2 }, headers)
    await expect.poll(() => logged({ call: 'identity.role.add' })).toHaveLength(1)
    const [line] = await logged({ call: 'identity.role.add' })
    expect(line).toMatchObject({
      authorName: '系统管理员',
      ip: '127.0.0.1',
      page: headers['x-page'],
      target: 'name=日志角色',
      outcome: 1,
      said: null,
    })
    const whole = (await server.ask(admin, 'GET', '/lbs/business/system/operationLog', { id: line!['id'] })).data
    expect(whole.changes[0]).toMatchObject({ entity: 'identity.role', event: 'insert', after: { name: '日志角色' } })
    expect((await server.ask(other, 'GET', '/lbs/business/system/operationLog', { id: line!['id'] })).status).toBe(404)
    expect(await logged({}, other)).toEqual([])
  })
  test('has a line for what was refused, with the reason in both languages, and for what was not allowed', async () => {
    await server.ask(admin, 'POST', '/lbs/basic/tSysRegion/addRegion', { code: '429999', name: '错', rank: 2, parentCode: '420000' })
    await server.ask(await server.signIn('auditor'), 'POST', ROLE, { name: 'x', dataScope: 2 })
    await expect.poll(() => logged({ outcome: [2] })).toHaveLength(2)
    const [second, first] = await logged({ outcome: [2] })
    expect(first).toMatchObject({ call: 'system.region.add', status: 422, said: '代码的后几位应为 0' })
    expect(first!['saidEn']).toMatch(/zeros/)
    expect(second).toMatchObject({ call: 'identity.role.add', authorName: '审计员', status: 403 })
  })
  test('says what changed of what all companies share', async () => {
    const { data } = await server.ask(admin, 'POST', '/lbs/basic/tDictionary/addType', { categoryEn: 'shared_thing', item: '共享', itemEn: 'Shared' })
    expect(data.categoryEn).toBe('shared_thing')
    await expect.poll(() => logged({ call: 'system.dictionary.add-type' })).toHaveLength(1)
    const [line] = await logged({ call: 'system.dictionary.add-type' })
    const { changes } = (await server.ask(admin, 'GET', '/lbs/business/system/operationLog', { id: line!['id'] })).data
    expect(changes).toMatchObject([{ entity: 'system.dictionary_type', after: { item: '共享' } }])
  })
  test('is not held up by a sign cut in half, nor by a line that cannot be kept', async () => {
    const { pool, log } = server.house
    const operations = openOperationLog(pool, log)
    const actor = { enterprise: 1, userId: 'nobody', userName: '无名' } as CallNote['actor']
    const note = { at: new Date().toISOString(), actor, ip: '127.0.0.1', page: null, status: 200, said: null, tookMs: 1, requestId: '' } as const
    for (const [call, target] of [
      ['cut', '半\ud83d'],
      ['broken\0', ''],
      ['whole', '整'],
    ])
      operations.note({ ...note, call: call!, target: target! } as CallNote)
    await operations.close()
    const lines = await logged({ authorName: '无名' })
    expect(lines.map(({ call, target }) => [call, target])).toEqual(
      expect.arrayContaining([
        ['cut', '半\ufffd'],
        ['whole', '整'],
      ]),
    )
    expect(lines).toHaveLength(2)
  })
  test('says why the database refused', async () => {
    for (const name of ['甲', '乙'])
      await server.ask(admin, 'POST', '/lbs/basic/parkInfo/add', { parkCode: 'Z001', name, pType: 1, regionCode: '420607', totalBays: 10 })
    await expect
      .poll(async () => (await logged({ call: 'parking.park.add', outcome: [2] })).map(({ said }) => said))
      .toEqual(['已存在「车场编号」相同的停车场，请改填后再保存'])
  })
  test('has no line for looking, for an import that was only tried, nor for strangers', async () => {
    const before = (await logged({})).length
    const tried = await sendSheet(server, admin, '/lbs/custom/department/import', '部门名称\n试一试\n', { dryRun: 'true' })
    expect(tried.data).toMatchObject({ added: 1, written: false })
    await server.ask(admin, 'GET', '/lbs/basic/tSysRegion/getSysRegionTree')
    await server.ask(null, 'POST', ROLE, { name: 'x', dataScope: 2 })
    await server.ask(admin, 'POST', '/lbs/basic/tDictionary/addType', { categoryEn: 'marker', item: '标记', itemEn: 'Marker' })
    await expect.poll(async () => (await logged({})).length).toBe(before + 1)
  })
  test('to carry it away is in it', async () => {
    const one = { outcome: 1, authorName: '系统管理员' }
    const sheet = async (cookie: string) =>
      (await server.ask(admin, 'GET', '/lbs/business/system/exportOperationLog', { format: 'csv' }, { cookie })).data.toString('utf8') as string
    const [chinese, english] = [await sheet('lang=zh-chs'), await sheet('lang=en')]
    expect(chinese).toContain('日志角色')
    expect(chinese).toMatch(/,新增车场,[^\n]*车场 Z001[^\n]*,被拒绝,[^\n]*已存在「车场编号」相同的停车场/)
    expect(english).toMatch(/,Added a car park,[^\n]*Car park Z001[^\n]*,Refused,/)
    expect(english.replaceAll(/日志角色|系统管理员/g, '')).not.toMatch(/新增|已存在|parking\.park\.add/)
    await expect.poll(() => logged({ call: 'system.log.operation-export' })).toMatchObject([one, one])
  })
  test('tables and columns of what changed have their words, and their fields say what is personal', async () => {
    const { data } = await server.ask(admin, 'GET', '/lbs/business/system/changeLogNouns', {})
    const noun = (table: string) => data.nouns.find((one: { table: string }) => one.table === table)
    expect(noun('identity.person')).toMatchObject({ zh: '员工', en: 'Person', columns: { staff_no: { 'x-zh': '工号', 'x-en': 'Staff number' } } })
    expect(data.everywhere).toMatchObject({ created_at: { 'x-zh': '创建时间', 'x-en': 'Created at', format: 'date-time' } })
    await owner.query(
      `insert into platform.change (enterprise_id, author_name, via, entity, row_id, event, after) values (1, 'test', 'test', 'identity.person', 'covered', 'insert', $1), (1, 'test', 'test', 'parking.park', 'covered', 'insert', $2)`,
      [{ phone: '13812345678', email: 'lisi@example.com' }, { phone: '0710-3600000' }],
    )
    const changed = (await server.ask(admin, 'POST', '/lbs/business/system/selectSystemChangeLogPage', { rowId: 'covered', orderByColumn: 'at' }))
      .data.records
    const after = (entity: string) => changed.find((one: { entity: string }) => one.entity === entity).after
    expect(after('identity.person')).toEqual({ phone: '138****5678', email: 'li***@example.com' })
    expect(after('parking.park')).toEqual({ phone: '0710-3600000' }) // a park's telephone is for everybody
  })
  test('telephone numbers and documents are covered in what changed', async () => {
    await owner.query(
      `insert into platform.change (enterprise_id, author_name, via, entity, row_id, event, after) values (1, 'test', 'test', 'test.masked', '1', 'insert', $1)`,
      [{ phone: '13812345678', contact_phone: '0710-3600000', id_card: '420607199001011234', name: '张三' }],
    )
    const { data } = await server.ask(admin, 'POST', '/lbs/business/system/selectSystemChangeLogPage', { entity: 'test.masked' })
    expect(data.records[0].after).toEqual({ phone: '138****5678', contact_phone: '071****0000', id_card: '4206****1234', name: '张三' })
  })
})

describe('nobody changes a log', () => {
  test.each(['operation_log', 'login_log', 'pda_log', 'log_seal'])('%s: the application may neither change nor delete', async (table) => {
    for (const statement of [`update system.${table} set enterprise_id = 1`, `delete from system.${table}`])
      await expect(server.house.writing(1, 'test', (tx) => tx.executeQuery({ sql: statement, parameters: [], query: {} } as never))).rejects.toThrow(
        /permission denied/,
      )
  })
})

describe('the chain', () => {
  const chain = async (log: number) =>
    ((await server.ask(admin, 'GET', '/lbs/business/system/logChains')).data as { log: number }[]).find((one) => one.log === log)
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  const check = () => server.house.writing(1, 'test', (tx) => checkAll.work({ house: server.house, tx, data: {}, at: at(0) as never }))
  const line = (daysAgo: number, username: string) =>
    owner.query(`insert into system.login_log (enterprise_id, at, username, login_type, ip, outcome) values (1, $1, $2, 1, '10.0.0.1', 1)`, [
      at(daysAgo),
      username,
    ])
  const seal = async () =>
    (await owner.query(`select system.seal_log(2::smallint, 1, ((now() at time zone 'Asia/Shanghai')::date - 1), 400) as n`)).rows[0].n

  test('seals every day up to yesterday, once, and is whole', async () => {
    for (const [ago, name] of [
      [4, 'a'],
      [2, 'b'],
      [2, 'c'],
    ] as const)
      await line(ago, name)
    expect(await seal()).toBe(4)
    expect(await seal()).toBe(0)
    await check()
    expect(await chain(2)).toMatchObject({ days: 4, lines: 3, brokenDay: null, head: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })
  const restoring = async (change: string, back: string) => {
    await owner.query(change)
    await check()
    const found = (await chain(2)) as never as { brokenDay: string | null }
    await owner.query(back)
    await check()
    expect(await chain(2)).toMatchObject({ brokenDay: null })
    return found.brokenDay
  }
  test('a line that its owner changed, added or took out shows at its day', async () => {
    const { rows } = await owner.query<{ day: string }>(
      `select to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from system.login_log where username = 'b'`,
    )
    const { day } = rows[0]!
    expect(
      await restoring(
        `update system.login_log set ip = '6.6.6.6' where username = 'b'`,
        `update system.login_log set ip = '10.0.0.1' where username = 'b'`,
      ),
    ).toBe(day)
    expect(
      await restoring(
        `insert into system.login_log (enterprise_id, at, username, login_type, ip, outcome) select 1, at, 'planted', 1, ip, 1 from system.login_log where username = 'b'`,
        `delete from system.login_log where username = 'planted'`,
      ),
    ).toBe(day)
    expect(
      await restoring(
        `create table saved as select * from system.login_log where username = 'b'; delete from system.login_log where username = 'b'`,
        `insert into system.login_log select * from saved`,
      ),
    ).toBe(day)
  })
  test('a seal made anew to fit does not fit the next one', async () => {
    await owner.query(`create table seals as select * from system.log_seal where log = 2`)
    const day = await restoring(
      `update system.login_log set ip = '6.6.6.6' where username = 'b';
       update system.log_seal s set digest = n.digest, chain = n.chain from (
         select d.day, x.digest, system.chained(p.chain, d.day, x.lines, x.digest) as chain from system.log_seal d
         join system.log_seal p on p.log = 2 and p.enterprise_id = 1 and p.day = d.day - 1, lateral system.day_digest(2::smallint, 1, d.day) x
         where d.log = 2 and d.enterprise_id = 1 and d.digest <> x.digest) n
       where s.log = 2 and s.enterprise_id = 1 and s.day = n.day`,
      `update system.login_log set ip = '10.0.0.1' where username = 'b'; delete from system.log_seal where log = 2; insert into system.log_seal select * from seals`,
    )
    expect(day).not.toBeNull()
    expect(
      await restoring(
        `delete from system.log_seal where log = 2 and day = (select min(day) + 1 from system.log_seal where log = 2)`,
        `delete from system.log_seal where log = 2; insert into system.log_seal select * from seals`,
      ),
    ).not.toBeNull()
  })
  test('a chain that its owner made anew from a changed line on fits itself, and not what was noted outside the database', async () => {
    const night = () => server.house.writing(1, 'test', (tx) => sealAndCheck.work({ house: server.house, tx, data: {}, at: at(0) as never }))
    await night()
    await night()
    const file = await readFile(path.join(server.house.config.dataDir, 'log-heads', '1.txt'), 'utf8')
    const yesterday = (await owner.query(`select to_char((now() at time zone 'Asia/Shanghai')::date - 1, 'YYYY-MM-DD') as day`)).rows[0].day as string
    expect(file.split('\n').filter((line) => line.startsWith(`2 ${yesterday} `))).toEqual([
      `2 ${yesterday} ${((await chain(2)) as never as { head: string }).head}`,
    ])
    expect(await chain(2)).toMatchObject({ brokenDay: null })
    await owner.query(`drop table seals; create table seals as select * from system.log_seal where log = 2`)
    const broken = await restoring(
      `update system.login_log set ip = '6.6.6.6' where username = 'b'; delete from system.log_seal where log = 2;
       select system.seal_log(2::smallint, 1, (now() at time zone 'Asia/Shanghai')::date - 1, 400)`,
      `update system.login_log set ip = '10.0.0.1' where username = 'b'; delete from system.log_seal where log = 2; insert into system.log_seal select * from seals`,
    )
    expect(broken).toBe(yesterday)
  })
})

describe('handhelds', () => {
  const PDA = 8
  test('what one says through the devices’ door is in its log, at its own time, its secrets covered', async () => {
    await server.house.writing(1, 'test', async (tx) => {
      await enrol(tx, {
        sn: 'PDA-0001',
        name: '手持机',
        type: PDA as never,
        parkCode: null as never,
        gateCode: null as never,
        secretHash: await hashOf('x'),
      })
    })
    const receivedMs = Date.now()
    const body = { type: 'log', level: 'error', tag: 'print', text: '打印机缺纸 token: abc123secret', tollNo: 'T008', app: '3.2.0' }
    const told = {
      sn: 'PDA-0001',
      kind: 'event',
      mid: 'm1',
      ts: receivedMs - 3_000,
      receivedMs,
      offline: false,
      seq: null,
      type: 'log',
      body,
    } as const
    for (const again of [told, told]) await server.house.writing(1, 'test', (tx) => hear(tx, again))
    const { data } = await server.ask(admin, 'POST', '/lbs/business/pda/log/query', { deviceNo: 'PDA-0001' })
    expect(data.records).toHaveLength(1)
    expect(data.records[0]).toMatchObject({ level: 3, tag: 'print', tollNo: 'T008', content: '打印机缺纸 token: ****', appVersion: '3.2.0' })
    expect((await server.ask(other, 'POST', '/lbs/business/pda/log/query', {})).data.records).toEqual([])
  })
})

test('no secret that was ever sent is in any log', async () => {
  const planted = 'Planted-secret-7731'
  await fetch(`${server.url}/lbs/security/authentication/form`, {
    method: 'POST',
    body: new URLSearchParams({ username: planted, password: planted }),
  })
  const person = { username: 'planted', name: '密', password: planted, token: planted, secret: planted }
  await server.ask(admin, 'POST', '/lbs/custom/user/add', person)
  await server.ask(
    admin,
    'POST',
    ROLE,
    { name: '角色', dataScope: 2, code: planted },
    { authorization: `Bearer ${admin}`, 'x-page': `/a?token=${planted}` },
  )
  await server.ask(planted, 'POST', ROLE, { name: '角色', dataScope: 2 })
  await expect.poll(async () => (await logged({ call: 'identity.role.add' })).length).toBeGreaterThan(2)
  for (const table of ['system.operation_log', 'system.login_log', 'system.pda_log', 'platform.change']) {
    const { rows } = await owner.query<{ line: string }>(`select t::text as line from ${table} t`)
    expect(rows.filter(({ line }) => line.includes(planted)).map(({ line }) => `${table} ${line}`)).toEqual([])
    expect(rows.filter(({ line }) => /argon2/.test(line))).toEqual([])
  }
})
