import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { demoPeople } from '../../identity/server/api.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  await demoPeople(server.house, PASSWORD)
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

describe('dictionaries', () => {
  const list = async (categoryEn?: string) => (await server.ask(admin, 'GET', '/lbs/basic/tDictionary/list', { categoryEn })).data
  test('answers several categories, an unknown one with its sentence', async () => {
    const [state, none] = await list('read_state,no_such')
    expect(state.systemDictionaryVOList).toContainEqual({
      categoryEn: 'read_state',
      item: '阅读状态',
      ival: 0,
      cval: '未读',
      itemEn: 'Unread',
      tone: 'warning',
      fixed: true,
    })
    expect(none).toMatchObject({ item: '未配置字典类型', systemDictionaryVOList: [] })
  })
  test('rows of people stand beside the code’s own, and never over them', async () => {
    await server.house.writing(1, 'test', (tx) =>
      tx
        .insertInto('system.dictionaryRow')
        .values([
          { categoryEn: 'weather', item: '天气', categoryNameEn: 'Weather', ival: 1, cval: '晴', itemEn: 'Sunny', tone: null },
          { categoryEn: 'read_state', item: '阅读状态', categoryNameEn: 'Read state', ival: 0, cval: '别的', itemEn: 'Other', tone: null },
        ])
        .execute(),
    )
    const [weather, state] = await list('weather,read_state')
    expect(weather.systemDictionaryVOList).toMatchObject([{ ival: 1, cval: '晴', fixed: false }])
    expect(state.systemDictionaryVOList.map(({ cval }: { cval: string }) => cval)).toEqual(['未读', '已读'])
  })
  test('takes no thousands at once', async () => {
    expect((await server.ask(admin, 'GET', '/lbs/basic/tDictionary/list', { categoryEn: Array(300).fill('x').join(',') })).status).toBe(400)
  })
})

describe('files', () => {
  const upload = (bytes: Uint8Array, name = 'car.jpg', type = 'image/jpeg', token = admin) => {
    const form = new FormData()
    form.set('file', new Blob([bytes as never], { type }), name)
    return server.ask(token, 'POST', '/lbs/basic/file/upload', form)
  }
  const picture = () =>
    sharp({ create: { width: 40, height: 20, channels: 3, background: '#409EFF' } })
      .jpeg()
      .toBuffer()

  test('a picture comes back by its name, to its own enterprise only', async () => {
    const { data } = await upload(await picture(), '入口.jpg')
    const got = await server.ask(admin, 'GET', data.url)
    expect(got.headers.get('content-type')).toBe('image/jpeg')
    expect(got.headers.get('content-disposition')).toContain("filename*=UTF-8''%E5%85%A5%E5%8F%A3.jpg")
    expect((await sharp(got.data).metadata()).width).toBe(40)
    const other = await server.signIn('otheradmin')
    expect((await server.ask(other, 'GET', data.url)).status).toBe(404)
    expect((await server.ask(null, 'GET', data.url)).status).toBe(401)
  })
  test('what is no picture is refused, whatever it is called', async () => {
    for (const bytes of [Buffer.from('<svg onload=alert(1)>'), Buffer.from('<script>'), Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])])
      expect(await upload(bytes)).toMatchObject({ status: 422, message: '只能上传 JPG、PNG 格式的图片' })
  })
  test('what stands behind a picture is not kept', async () => {
    const { data } = await upload(Buffer.concat([await picture(), Buffer.from('<script>alert(1)</script>')]))
    expect((await server.ask(admin, 'GET', data.url)).data.includes('script')).toBe(false)
  })
  test('a name is never a path', async () => {
    for (const fileName of ['../../../etc/passwd', '/etc/passwd', '..%2f..%2fetc%2fpasswd', 'C:\\x', '.', 'a\u0000.jpg'])
      expect([400, 404]).toContain((await server.ask(admin, 'GET', '/lbs/basic/sysFile/download', { fileName })).status)
  })
})

test('regions are a tree', async () => {
  const [province] = (await server.ask(admin, 'GET', '/lbs/basic/tSysRegion/getSysRegionTree')).data
  expect(province.children[0].children.map(({ name }: { name: string }) => name)).toContain('襄州区')
})

test('signing in and changing something leave a line each', async () => {
  await server.ask(admin, 'POST', '/lbs/custom/roleNew/roleAddNew', { name: '日志角色', dataScope: 2 })
  const logins = (await server.ask(admin, 'POST', '/lbs/business/system/selectSystemLoginLogPage', { username: 'admin' })).data.records
  expect(logins[0]).toMatchObject({ outcome: 1, ip: '127.0.0.1' })
  const changes = (
    await server.ask(admin, 'POST', '/lbs/business/system/selectSystemOperationLogPage', { entity: 'identity.role', via: 'identity.role.add' })
  ).data.records
  expect(changes[0]).toMatchObject({ authorName: '系统管理员', event: 'insert', after: { name: '日志角色' } })
  const one = await server.ask(admin, 'GET', '/lbs/business/system/operationLog', { id: changes[0].id })
  expect(one.data).toEqual(changes[0])
  const other = await server.signIn('otheradmin')
  const theirs = (await server.ask(other, 'POST', '/lbs/business/system/selectSystemOperationLogPage', {})).data.records as { authorName: string }[]
  expect((await server.ask(other, 'GET', '/lbs/business/system/operationLog', { id: changes[0].id })).status).toBe(404)
  expect(theirs.every(({ authorName }) => authorName !== '系统管理员')).toBe(true)
})

test('no secret is ever in the audit stream', async () => {
  const rows = await server.house.reading(1, (tx) => tx.selectFrom('system.operation').selectAll().where('entity', '=', 'identity.person').execute())
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toMatch(/argon2|password_hash/)
})
