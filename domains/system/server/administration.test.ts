import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { DEFAULTS, settingNames, valueFault } from '../contract/configuration.ts'
import { shipHelp } from './help/shippedHelp.ts'

const AT = '/lbs/business/system'
let server: TestServer
let admin: string
let other: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  other = await server.signIn('otheradmin')
})
afterAll(() => server.close())
const post = (path: string, body: object, token = admin) => server.ask(token, 'POST', `${AT}/${path}`, body)
const get = (path: string, query: object = {}, token = admin) => server.ask(token, 'GET', `${AT}/${path}`, query)

describe('settings', () => {
  const setting = async (name: string) =>
    ((await post('selectSystemInformationConfiguration', {})).data.settings as { name: string; value: unknown; version: number }[]).find(
      (one) => one.name === name,
    )!
  const now = async (token = admin) => (await get('consoleSettings', {}, token)).data

  test('have their defaults, which are within their own bounds', async () => {
    expect(await now()).toEqual(DEFAULTS)
    expect(settingNames.flatMap((name) => valueFault(name, DEFAULTS[name]) ?? [])).toEqual([])
  })
  test('are set, changed by whoever saw the version, and set back; every company feels it at once', async () => {
    expect((await post('addSystemInformationConfiguration', { name: 'idleMinutes', value: 45, reason: '夜班' })).status).toBe(200)
    expect(await setting('idleMinutes')).toMatchObject({ value: 45, version: 1, updatedBy: '系统管理员' })
    expect((await now(other)).idleMinutes).toBe(45)
    expect((await post('addSystemInformationConfiguration', { name: 'idleMinutes', value: 50 })).status).toBe(409)
    expect((await post('updateSystemInformationConfiguration', { name: 'idleMinutes', value: 60, version: 1 })).status).toBe(200)
    expect((await post('updateSystemInformationConfiguration', { name: 'idleMinutes', value: 70, version: 1 })).status).toBe(409)
    expect((await post('resetSystemInformationConfiguration', { name: 'idleMinutes', version: 2 })).status).toBe(200)
    expect((await now()).idleMinutes).toBe(30)
  })
  test.each([
    ['idleMinutes', 4],
    ['idleMinutes', 241],
    ['idleMinutes', 5.5],
    ['idleMinutes', '30'],
    ['passwordPolicy', 3],
    ['notesShown', 1],
    ['consoleName', 'x'.repeat(21)],
    ['consoleName', 'a\u0007'],
  ])('%s takes no %s', async (name, value) => expect([400, 422]).toContain((await post('addSystemInformationConfiguration', { name, value })).status))
  test('that nobody knows, or by people of another company, are refused', async () => {
    expect((await post('addSystemInformationConfiguration', { name: 'nothing', value: 1 })).status).toBe(400)
    expect((await post('addSystemInformationConfiguration', { name: 'idleMinutes', value: 60 }, other)).status).toBe(403)
  })
})

describe('help', () => {
  const tree = async (token = admin) =>
    (await get('documentTree', {}, token)).data as { id: string; parentId: string | null; title: string; screen: string | null }[]
  const add = async (more: object) => (await post('addDocumentInfo', { title: '甲', titleEn: 'A', ...more })).data
  test('comes with the product once, and belongs to whoever runs it', async () => {
    const shipped = await tree(other)
    expect(shipped.length).toBeGreaterThan(10)
    const page = shipped.find(({ screen }) => screen === '/appManage/system/operateLog')!
    const { data } = await get('documentInfo', { id: page.id }, other)
    expect(data.content).toContain('链尾校验码')
    expect(data.contentEn).toContain('outside the database')
    const whole = (await get('documentInfo', { id: page.id })).data
    expect((await post('deleteSystemDocumentInfo', { id: page.id, version: whole.version })).status).toBe(200)
    await shipHelp(server.house)
    expect((await tree()).some(({ id }) => id === page.id)).toBe(false)
    expect(await tree()).toHaveLength(shipped.length - 1)
  })
  test('is a tree: nothing goes below itself, nothing with pages below it goes away', async () => {
    const top = await add({ title: '上' })
    const below = await add({ parentId: top.id })
    expect((await post('updateDocumentInfo', { id: top.id, version: top.version, parentId: below.id })).message).toBe(
      '不能移到自己的下级，请选择其他上级',
    )
    expect((await post('updateDocumentInfo', { id: top.id, version: top.version, parentId: top.id })).status).toBe(422)
    expect((await post('deleteSystemDocumentInfo', { id: top.id, version: top.version })).message).toBe('下面还有 1 篇文档，不能删除；请先删除或移走')
    expect((await post('addDocumentInfo', { title: 'x', titleEn: 'x', parentId: crypto.randomUUID() })).status).toBe(422)
  })
  test('calls.document-customer: names its author to the people of the platform, and to nobody else', async () => {
    const { id } = await add({ title: '署名' })
    const { custId } = (await server.ask(admin, 'GET', '/lbs/custom/account/getUserInfo')).data
    const owner = new pg.Client({ connectionString: server.ownerUrl })
    await owner.connect()
    const { rows } = await owner.query('select author_id, author_name from platform.change where row_id = $1', [id])
    await owner.end()
    expect(rows).toEqual([{ author_id: custId, author_name: '系统管理员' }])
    expect((await get('documentInfo', { id })).data.authorName).toBe('系统管理员')
    expect((await get('documentInfo', { id }, other)).data.authorName).toBeNull()
  })
  test('a draft is read by those who write only', async () => {
    const { id } = await add({ title: '草稿', state: 0 })
    expect((await get('documentInfo', { id })).status).toBe(200)
    expect((await get('documentInfo', { id }, other)).status).toBe(404)
    expect((await tree(other)).some((one) => one.id === id)).toBe(false)
    expect((await post('addDocumentInfo', { title: 'x', titleEn: 'x' }, other)).status).toBe(403)
  })
  test('holds no script', async () => {
    const { id } = await add({ content: '<p onclick="x()">好<script>alert(1)</script><a href="javascript:x()">链</a></p>' })
    expect((await get('documentInfo', { id }, other)).data.content).not.toMatch(/script|onclick/)
  })
  test('a picture and a file of it are read by every company', async () => {
    const dot = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#409EFF' } })
      .png()
      .toBuffer()
    const send = async (path: string, bytes: Uint8Array, name: string) => {
      const form = new FormData()
      form.set('file', new Blob([bytes as never]), name)
      return (await server.ask(admin, 'POST', path, form)).data as { url: string }
    }
    const own = await send('/lbs/basic/file/upload', dot, 'a.png')
    expect((await server.ask(other, 'GET', own.url)).status).toBe(404)
    const { id } = await add({ content: `<p>图<img src="${own.url}"></p>`, attachments: [{ name: 'a.png', url: own.url, bytes: dot.length }] })
    const read = (await get('documentInfo', { id }, other)).data
    expect(read.content).toContain('/lbs/business/system/documentFile?fileName=')
    expect((await server.ask(other, 'GET', read.attachments[0].url)).status).toBe(200)
    const direct = await send(`${AT}/uploadFile`, Buffer.from('%PDF-1.7 说明'), '说明.pdf')
    const got = await server.ask(other, 'GET', direct.url)
    expect(got.headers.get('content-disposition')).toMatch(/^attachment/)
    expect((await server.ask(null, 'GET', direct.url)).status).toBe(401)
  })
})

describe('release notes', () => {
  const unseen = async (token: string) =>
    ((await get('unseenUpdateInfo', {}, token)).data as { id: string; title: string }[]).map(({ title }) => title)
  const publish = async (title: string, more = {}) => {
    const { data } = await post('addSystemUpdateInfo', { release: '9.0.0', title, titleEn: title, content: '<p>新</p>', ...more })
    return (await post('updateSystemUpdateInfoState', { id: data.id, version: data.version, state: 1 })).data as { id: string; version: number }
  }
  test('published, are shown to each person once', async () => {
    const { id } = await publish('甲')
    expect([await unseen(admin), await unseen(other)]).toEqual([['甲'], ['甲']])
    expect((await post('seenUpdateInfo', { ids: [id] })).status).toBe(200)
    expect((await post('seenUpdateInfo', { ids: [id] })).status).toBe(200)
    expect([await unseen(admin), await unseen(other)]).toEqual([[], ['甲']])
    expect((await get('systemUpdateInfo', { id })).data.seen).toBe(1)
    expect((await get('publishedUpdateInfo', {}, other)).data.map(({ title }: { title: string }) => title)).toContain('甲')
  })
  test('are not shown as drafts, before their time, from before one came, withdrawn, or when switched off', async () => {
    await post('addSystemUpdateInfo', { release: '9.0.1', title: '草稿', titleEn: 'x', content: '<p>x</p>' })
    await publish('将来', { publishAt: new Date(Date.now() + 3_600_000).toISOString() })
    await publish('从前', { publishAt: '2020-01-01T00:00:00.000Z' })
    const gone = await publish('撤回的')
    await post('updateSystemUpdateInfoState', { id: gone.id, version: gone.version, state: 2 })
    expect(await unseen(admin)).toEqual([])
    await publish('乙')
    await post('addSystemInformationConfiguration', { name: 'notesShown', value: false })
    expect(await unseen(admin)).toEqual([])
    await post('resetSystemInformationConfiguration', { name: 'notesShown', version: 1 })
    expect(await unseen(admin)).toEqual(['乙'])
  })
  test('count from the day on which they are published where the draft gave none, and are shown to whoever came between', async () => {
    const { data } = await post('addSystemUpdateInfo', { release: '9.0.3', title: '丁', titleEn: 'x', content: '<p>x</p>' })
    const { data: out } = await post('updateSystemUpdateInfoState', { id: data.id, version: data.version, state: 1 })
    expect(Date.parse(out.publishAt)).toBeGreaterThan(Date.parse(data.publishAt))
    const day = '2026-01-02T00:00:00.000Z'
    const { data: planned } = await post('addSystemUpdateInfo', { release: '9.0.4', title: '戊', titleEn: 'x', content: '<p>x</p>', publishAt: day })
    const { data: kept } = await post('updateSystemUpdateInfoState', { id: planned.id, version: planned.version, state: 1 })
    expect(Date.parse(kept.publishAt)).toBe(Date.parse(day))
  })
  test('go from draft to published to withdrawn and back, and no other way', async () => {
    const { data } = await post('addSystemUpdateInfo', { release: '9.0.2', title: '丙', titleEn: 'x', content: '<p>x</p>' })
    expect((await post('updateSystemUpdateInfoState', { id: data.id, version: data.version, state: 2 })).message).toBe(
      '当前状态不能这样做，请刷新后再试',
    )
    expect((await post('addSystemUpdateInfo', { release: '9', title: 'x', titleEn: 'x', content: '<p>x</p>' }, other)).status).toBe(403)
  })
})

test('bytes that only the help names are not swept away', async () => {
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ sha256: string }>('select sha256 from system.help_file limit 1')
  await owner.query('delete from system.file')
  expect((await owner.query(`select system.referred(array[$1]) as found`, [rows[0]!.sha256])).rows).toEqual([{ found: rows[0]!.sha256 }])
  await owner.end()
})
