import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { clausesIn, clausesOf, numberOf } from './clauseText.ts'
import { turnOfDay } from './regulation.ts'

const AT = '/lbs/basic/regulation'
let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())
const post = (path: string, body: object, token = admin) => server.ask(token, 'POST', `${AT}/${path}`, body)
const del = (path: string, id: string) => server.ask(admin, 'DELETE', `${AT}/${path}?id=${id}`)
const day = (from: number) => new Date(Date.now() + 8 * 3_600_000 + from * 86_400_000).toISOString().slice(0, 10)
const draft = async (effectiveOn: string | null = day(0), clauses = 2) => {
  const { data } = await post('add', { title: `办法 ${Math.random()}`, kind: 4, effectiveOn })
  for (let no = 1; no <= clauses; no++) await post('addClause', { regulationId: data.id, no, content: `第 ${no} 条的文字` })
  return data as { id: string; version: number; lawId: string }
}
const now = async (id: string) => (await server.ask(admin, 'GET', `${AT}/getInfo`, { id })).data
const clausesIn_ = async (regulationId: string, more = {}) =>
  (await post('getClauseList', { regulationId, ...more })).data.records as { id: string; no: number; content: string; version: number }[]

describe('the words of a law', () => {
  test.each([
    ['一', 1],
    ['十', 10],
    ['十二', 12],
    ['二十', 20],
    ['一百零五', 105],
    ['一百一十', 110],
    ['二〇', 20],
    ['１２', 12],
    ['105', 105],
    ['甲', null],
    ['', null],
  ] as const)('第%s条 is clause %s', (text, no) => expect(numberOf(text)).toBe(no))

  test('are cut at 第…条, under their chapters, without what lies before them', () => {
    const lines = [
      '办法',
      '目  录',
      '第一章 总则',
      '第一章　总则',
      '第一条　为规范停车，制定本办法。',
      '第二条 本办法适用于：',
      '（一）公共停车场；',
      '（二）道路停车。',
      '',
      '第二章 收费',
      '第三条 明码标价。',
    ]
    expect(clausesOf(lines.map((text, place) => ({ row: place + 1, text })))).toEqual([
      { row: 5, no: 1, subNo: 0, chapter: '第一章 总则', content: '为规范停车，制定本办法。', fault: null },
      { row: 6, no: 2, subNo: 0, chapter: '第一章 总则', content: '本办法适用于：\n（一）公共停车场；\n（二）道路停车。', fault: null },
      { row: 11, no: 3, subNo: 0, chapter: '第二章 收费', content: '明码标价。', fault: null },
    ])
  })

  test('of a clause that a later law inserted stand under 第三条之一, in a text and in a sheet', () => {
    const numbers = (found: readonly { no: number | null; subNo: number; fault: unknown }[]) =>
      found.map(({ no, subNo, fault }) => (fault ? null : [no, subNo]))
    const lines = ['第三条 甲', '第三条之一 乙', '第三条之十二　丙', '第三条之一 丁']
    expect(numbers(clausesOf(lines.map((text, place) => ({ row: place + 1, text }))))).toEqual([[3, 0], [3, 1], [3, 12], null])
    const rows = [
      ['条号', '条文'],
      ['第三条之一', '甲'],
      ['3-2', '乙'],
      ['三之三', '丙'],
      ['3-x', '丁'],
      ['3-0', '戊'],
    ]
    expect(numbers(clausesIn(rows.map((cells, place) => ({ row: place + 1, cells })))!)).toEqual([[3, 1], [3, 2], [3, 3], null, null])
  })

  test('of a sheet stand under their heads; what is wrong is said for each row', () => {
    const rows = [
      ['章节', '条号', '条文'],
      ['总则', '第一条', '甲'],
      ['总则', '2', '乙'],
      ['', '二', '丙'],
      ['', 'x', '丁'],
      ['', '9', ''],
    ]
    const found = clausesIn(rows.map((cells, place) => ({ row: place + 1, cells })))!
    expect(found.map(({ row, no, fault }) => [row, no, fault?.[1] ?? null])).toEqual([
      [2, 1, null],
      [3, 2, null],
      [4, 2, 'Same clause number as row 3'],
      [5, null, 'The clause number is not recognised: write 第五条, 第五条之一 or 5'],
      [6, 9, 'The clause has no text'],
    ])
    expect(clausesIn([{ row: 1, cells: ['a', 'b'] }])).toBeUndefined()
  })
})

describe('a regulation', () => {
  test('is published with its clauses, in force on its day, and settled then', async () => {
    const { id, version } = await draft(day(0), 0)
    expect((await post('updateState', { id, version, to: 1 })).message).toBe('还没有任何条款，不能发布')
    await post('addClause', { regulationId: id, no: 1, content: '甲' })
    expect((await post('addClause', { regulationId: id, no: 1, content: '乙' })).message).toBe('第 1 条已存在，请换一个条号')
    const published = await post('updateState', { id, version, to: 1 })
    expect(published.data).toMatchObject({ state: 2 })
    const [clause] = await clausesIn_(id)
    for (const refused of [
      await post('update', { id, version: published.data.version, title: '别的' }),
      await post('updateClause', { id: clause!.id, version: clause!.version, content: '改' }),
      await post('addClause', { regulationId: id, no: 2, content: '丙' }),
      await del('deleteClause', clause!.id),
      await del('delete', id),
    ])
      expect(refused).toMatchObject({ status: 409, message: '已发布的法规不能再改；请新建修订版次' })
    expect((await post('update', { id, version: published.data.version, remark: '备注可以' })).status).toBe(200)
    expect((await post('updateState', { id, version: 99, to: 4 })).status).toBe(409)
  })
  test('without a day is not published, and is never repealed before it begins', async () => {
    const { id, version } = await draft(null)
    expect((await post('updateState', { id, version, to: 1 })).message).toBe('请先填写施行日期')
    expect((await post('update', { id, version, effectiveOn: day(5), repealedOn: day(1) })).message).toBe('废止日期不能早于施行日期')
    expect((await post('updateState', { id, version, to: 4 })).message).toBe('当前状态不能这样做，请刷新后再试')
  })
  test('has editions: the next one takes over on its day', async () => {
    const first = await draft(day(-30))
    await post('updateState', { id: first.id, version: first.version, to: 1 })
    const second = (await post('newEdition', { id: first.id })).data
    expect(second).toMatchObject({ lawId: first.lawId, edition: 2, state: 0, effectiveOn: null })
    expect(await clausesIn_(second.id)).toHaveLength(2)
    expect((await post('newEdition', { id: first.id })).message).toBe('该法规已有修订草稿，请直接编辑该草稿')
    const dated = (await post('update', { id: second.id, version: second.version, effectiveOn: day(10) })).data
    expect((await post('updateState', { id: second.id, version: dated.version, to: 1 })).data).toMatchObject({ state: 1 })
    expect(await now(first.id)).toMatchObject({ state: 2, editions: [{ edition: 2 }, { edition: 1 }] })
    const morning = (from: number) =>
      server.house.writing(1, 'test', (tx) =>
        turnOfDay.work({ house: server.house, tx, data: {}, at: new Date(Date.now() + from * 86_400_000).toISOString() as never }),
      )
    await morning(9)
    expect((await now(second.id)).state).toBe(1)
    await morning(10)
    expect([(await now(first.id)).state, (await now(second.id)).state]).toEqual([3, 2])
    const inForce = await now(second.id)
    expect((await post('updateState', { id: second.id, version: inForce.version, to: 4, on: day(20) })).data).toMatchObject({
      state: 2,
      repealedOn: day(20),
    })
    await morning(20)
    expect((await now(second.id)).state).toBe(4)
  })
  test('belongs to its company', async () => {
    const { id } = await draft()
    const other = await server.signIn('otheradmin')
    expect((await post('getClauseList', { regulationId: id }, other)).data.records).toEqual([])
    expect((await post('addClause', { regulationId: id, no: 7, content: 'x' }, other)).status).toBe(404)
  })
  test('is found by words of its clauses', async () => {
    const { id } = await draft(day(0), 3)
    expect((await clausesIn_(id, { content: '2 条' })).map(({ no }) => no)).toEqual([2])
  })
})

test('an inserted clause stands behind its own, once', async () => {
  const { id } = await draft(null, 4)
  expect((await post('addClause', { regulationId: id, no: 3, subNo: 2, content: '再增补的条文' })).status).toBe(200)
  const added = await post('addClause', { regulationId: id, no: 3, subNo: 1, content: '增补的条文' })
  expect(added.status).toBe(200)
  const again = await post('addClause', { regulationId: id, no: 3, subNo: 1, content: '又一次' })
  expect([again.code, again.message]).toEqual([40139, '第 3 条之一已存在，请换一个条号'])
  const numbers = (await clausesIn_(id)).map(({ no, subNo }: any) => [no, subNo])
  expect(numbers).toEqual([
    [1, 0],
    [2, 0],
    [3, 0],
    [3, 1],
    [3, 2],
    [4, 0],
  ])
})

describe('clauses from a file', () => {
  const send = (text: string, fields: Record<string, string>, name = '条款.csv') => {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.set(key, value)
    form.set('file', new Blob([text]), name)
    return server.ask(admin, 'POST', `${AT}/importClause`, form)
  }
  const GOOD = '章节,条号,条文\n总则,第十条,甲\n总则,11,乙\n'
  test('are looked at first and then written', async () => {
    const { id } = await draft()
    expect((await send(GOOD, { regulationId: id, dryRun: 'true' })).data).toMatchObject({ written: false, added: 2, bad: 0 })
    expect(await clausesIn_(id)).toHaveLength(2)
    expect((await send(GOOD, { regulationId: id })).data).toMatchObject({ written: true, added: 2 })
    expect((await clausesIn_(id)).map(({ no }) => no)).toEqual([1, 2, 10, 11])
  })
  test('are all taken or none, unless wrong rows are to be left out', async () => {
    const { id } = await draft()
    const file = `${GOOD}总则,1,已有\n总则,看不懂,丙\n`
    expect(await send(file, { regulationId: id })).toMatchObject({ status: 422, message: '有 2 处不正确，未导入任何内容；请修改后重新导入' })
    expect(await clausesIn_(id)).toHaveLength(2)
    const looked = (await send(file, { regulationId: id, dryRun: 'true' })).data.rows as { row: number; fault: string | null }[]
    expect(looked.filter(({ fault }) => fault).map(({ row, fault }) => [row, fault])).toEqual([
      [4, '第 1 条已存在，请换一个条号'],
      [5, '无法识别条号，应为「第五条」「第五条之一」或 5'],
    ])
    expect((await send(file, { regulationId: id, skipBad: 'true' })).data).toMatchObject({ written: true, added: 2, bad: 2 })
  })
  test('of another kind, without clauses, or for a settled law are refused', async () => {
    const { id, version } = await draft()
    expect((await send('x', { regulationId: id }, 'a.pdf')).status).toBe(422)
    expect((await send('一,二\n1,2\n', { regulationId: id })).message).toBe('表格第一行应有「条文」列')
    await post('updateState', { id, version, to: 1 })
    expect((await send(GOOD, { regulationId: id })).status).toBe(409)
  })
})
