import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { codeFault } from '../contract/region.ts'
import { syncClosedLists } from './dictionary/closedLists.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

describe('dictionaries', () => {
  const BASIC = '/lbs/basic/tDictionary'
  const list = async (categoryEn?: string) => (await server.ask(admin, 'GET', `${BASIC}/list`, { categoryEn })).data
  const add = (entry: object) => server.ask(admin, 'POST', `${BASIC}/add`, entry)
  const del = (id: string, token = admin) => server.ask(token, 'DELETE', `${BASIC}/delete?id=${id}`)
  const sunny = { categoryEn: 'weather', ival: 1, cval: '晴', itemEn: 'Sunny' }
  beforeAll(async () => {
    await server.ask(admin, 'POST', `${BASIC}/addType`, { categoryEn: 'weather', item: '天气', itemEn: 'Weather' })
  })

  test('data.dictionary-entry, calls.dictionary-list, dictionary.unknown: answers several categories, an unknown one with its sentence', async () => {
    const [state, none] = await list('read_state,no_such')
    expect(state.systemDictionaryVOList).toContainEqual({
      ...{ categoryEn: 'read_state', item: '阅读状态', ival: 0, cval: '未读', itemEn: 'Unread', tone: 'warning', status: 1, fixed: true },
    })
    expect(none).toMatchObject({ item: '未配置字典类型', systemDictionaryVOList: [] })
  })
  test('an entry is added, changed by whoever saw its version, and deleted', async () => {
    const made = (await add(sunny)).data
    expect(made).toMatchObject({ item: '天气', status: 1, fixed: false, version: 1 })
    expect((await add({ ...sunny, ival: 2 })).message).toBe('该类型下已有相同的编码或名称，请换一个')
    expect((await add({ ...sunny, cval: '阴' })).status).toBe(409)
    const changed = await server.ask(admin, 'POST', `${BASIC}/update`, { id: made.id, version: 1, cval: '晴朗', status: 2 })
    expect(changed.data).toMatchObject({ cval: '晴朗', status: 2, version: 2 })
    expect(await server.ask(admin, 'POST', `${BASIC}/update`, { id: made.id, version: 1, cval: '雨' })).toMatchObject({
      status: 409,
      data: { version: 2, sent: 1 },
    })
    expect((await list('weather'))[0].systemDictionaryVOList).toMatchObject([{ cval: '晴朗', status: 2 }])
    expect((await del(made.id)).status).toBe(200)
    expect((await del(made.id)).status).toBe(404)
  })
  test('the program’s own lists are there to be read and by nobody to be changed', async () => {
    const rows = (await server.ask(admin, 'POST', `${BASIC}/select`, { categoryEn: 'read_state' })).data.records
    expect(rows.map(({ cval }: { cval: string }) => cval)).toEqual(['未读', '已读'])
    // How the list is ordered is its own business.
    expect(rows[0]).not.toHaveProperty('place')
    for (const refused of [
      await server.ask(admin, 'POST', `${BASIC}/update`, { id: rows[0].id, version: rows[0].version, cval: '别的' }),
      await del(rows[0].id),
      await add({ ...sunny, categoryEn: 'read_state', ival: 7 }),
    ])
      expect(refused).toMatchObject({ status: 409, message: '系统内置字典由程序决定，不能修改；可另建字典类型' })
    const tree = (await server.ask(admin, 'GET', `${BASIC}/tree`)).data as { categoryEn: string; fixed: boolean; systemDictionaryVOList: [] }[]
    expect(tree.find(({ categoryEn }) => categoryEn === 'read_state')).toMatchObject({ fixed: true, systemDictionaryVOList: [{}, {}] })
    expect(tree.find(({ categoryEn }) => categoryEn === 'weather')).toMatchObject({ fixed: false })
  })
  test('what a person had set up under a code of the program gives way at the next start', async () => {
    await server.house.writing(1, 'test', (tx) =>
      tx
        .updateTable('system.dictionaryRow')
        .set({ cval: '别的', fixed: false })
        .where('categoryEn', '=', 'read_state')
        .where('ival', '=', 0)
        .execute(),
    )
    await syncClosedLists(server.house)
    expect((await list('read_state'))[0].systemDictionaryVOList[0]).toMatchObject({ cval: '未读', fixed: true })
  })
  test('a name that is taken is said before it is sent', async () => {
    const { id } = (await add({ ...sunny, ival: 5, cval: '雪', itemEn: 'Snow' })).data
    const taken = async (query: object) => (await server.ask(admin, 'GET', `${BASIC}/checkName`, query)).data.taken
    expect([await taken({ categoryEn: 'weather' }), await taken({ categoryEn: 'no_such' })]).toEqual([true, false])
    expect([await taken({ categoryEn: 'weather', cval: '雪' }), await taken({ categoryEn: 'weather', cval: '雪', id })]).toEqual([true, false])
  })
  test('a type with entries stays; an empty one goes', async () => {
    const type = (await server.ask(admin, 'POST', `${BASIC}/addType`, { categoryEn: 'mood', item: '心情', itemEn: 'Mood' })).data
    const { id } = (await add({ categoryEn: 'mood', ival: 1, cval: '好', itemEn: 'Good' })).data
    const gone = () => server.ask(admin, 'DELETE', `${BASIC}/deleteType?id=${type.id}`)
    expect(await gone()).toMatchObject({ status: 409, message: '该类型下还有 1 个字典项，请先删除' })
    await del(id)
    expect((await gone()).status).toBe(200)
  })
  test('a change is told to the open pages of every enterprise', async () => {
    const heard: string[] = []
    const token = await server.signIn('otheradmin')
    const { custId } = (await server.ask(token, 'GET', '/lbs/custom/account/getUserInfo')).data
    const other = new WebSocket(`${server.url.replace('http', 'ws')}/lbs/message/innerMessage/channel/${custId}`, {
      headers: { authorization: `Bearer ${token}` },
    } as never)
    other.addEventListener('message', ({ data }) => heard.push(String(data)))
    await new Promise((opened) => other.addEventListener('open', opened))
    await add({ ...sunny, ival: 9, cval: '雾', itemEn: 'Fog' })
    await expect.poll(() => heard.join()).toContain('"topic":"system.dictionary","ids":["weather"]')
    other.close()
  })
  test('another company reads dictionaries and changes none', async () => {
    const other = await server.signIn('otheradmin')
    expect((await server.ask(other, 'POST', `${BASIC}/add`, sunny)).status).toBe(403)
    expect((await server.ask(other, 'GET', `${BASIC}/list`, { categoryEn: 'weather' })).data[0].item).toBe('天气')
  })
  test('takes no thousands at once', async () => {
    expect((await server.ask(admin, 'GET', `${BASIC}/list`, { categoryEn: Array(300).fill('x').join(',') })).status).toBe(400)
  })
})

describe('files', () => {
  const upload = (bytes: Uint8Array, name = 'car.jpg', type = 'image/jpeg', token = admin, only?: 'picture') => {
    const form = new FormData()
    if (only) form.set('only', only)
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
      expect(await upload(bytes, 'car.jpg', 'image/jpeg', admin, 'picture')).toMatchObject({
        status: 422,
        message: '上传图片只能是 JPG,JPEG,PNG 格式!',
      })
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

describe('regions', () => {
  const BASIC = '/lbs/basic/tSysRegion'
  const add = (row: object) => server.ask(admin, 'POST', `${BASIC}/addRegion`, row)
  const del = (code: string, version = 1) => server.ask(admin, 'POST', `${BASIC}/deleteRegion`, { code, version })

  test('data.region-tree: are a tree: the province with its 14 parts and 103 counties', async () => {
    const [province] = (await server.ask(admin, 'GET', `${BASIC}/getSysRegionTree`)).data
    expect(province).toMatchObject({ code: '420000', name: '湖北省' })
    const parts = province.children as { name: string; children: { name: string }[] }[]
    expect(parts).toHaveLength(14)
    expect(parts.flatMap(({ children }) => children)).toHaveLength(103)
    expect(parts.find(({ name }) => name === '襄阳市')!.children.map(({ name }) => name)).toContain('襄州区')
  })
  test('every code that is shipped is a code of its level below its parent', async () => {
    const rows = await server.house.reading(1, (tx) => tx.selectFrom('system.region').selectAll().execute())
    expect(rows.flatMap(({ code, rank, parentCode }) => codeFault(code, rank, parentCode) ?? [])).toEqual([])
  })
  test('are found by code and name', async () => {
    const found = async (body: object) => (await server.ask(admin, 'POST', `${BASIC}/selectByIdAndName`, body)).data
    expect((await found({ name: '襄州' })).records).toMatchObject([{ code: '420607', parentCode: '420600', rank: 3 }])
    expect((await found({ code: '4206', rank: [3] })).total).toBe(9)
    expect((await found({ parentCode: '420600' })).total).toBe(9)
    expect((await server.ask(admin, 'POST', `${BASIC}/selectRankList`, {})).data).toHaveLength(5)
  })
  test('are added below what exists, under a code that fits, once', async () => {
    const street = { code: '420607001', name: '张湾街道', nameEn: 'Zhangwan', rank: 4, parentCode: '420607' }
    expect((await add(street)).data).toMatchObject(street)
    expect((await add(street)).message).toBe('区划代码 420607001 已存在，请核对代码')
    expect((await add({ ...street, code: '420608002' })).message).toContain('应以上级的 420607 开头')
    expect((await add({ ...street, code: '4206070' })).status).toBe(422)
    expect((await add({ ...street, code: '420607003', parentCode: '420600' })).status).toBe(422)
    expect((await add({ code: '130000', name: '河北省', rank: 1 })).status).toBe(200)
    expect((await del('130000')).status).toBe(200)
  })
  test('stay while something lies below them or a park of any company in them', async () => {
    expect((await del('420607')).message).toBe('下面还有 1 个区划，不能删除；请先删除下级区划')
    expect((await del('420607001')).status).toBe(200)
    const other = await server.signIn('otheradmin')
    const park = { parkCode: 'Q001', name: '外企车场', pType: 1, regionCode: '420624', totalBays: 10 }
    expect((await server.ask(other, 'POST', '/lbs/basic/parkInfo/add', park)).status).toBe(200)
    expect(await del('420624')).toMatchObject({ status: 409, message: '不能删除：有车场位于该区划' })
    expect((await del('420625', 9)).status).toBe(409)
  })
})
