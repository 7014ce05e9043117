import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { preference } from '../contract/preference.ts'
import { view } from '../contract/view.ts'
import { addressOf, type Call } from '../../../platform/contract/call.ts'
import { run } from '../../../platform/server/database.ts'

let server: TestServer
let admin: string
let operator: string
let other: string
beforeAll(async () => {
  server = await startTestServer()
  ;[admin, operator, other] = (await Promise.all(['admin', 'operator', 'otheradmin'].map((name) => server.signIn(name)))) as [string, string, string]
})
afterAll(() => server?.close())
const ask = (token: string, call: Call<any, any>, input: object = {}) => server.ask(token, call.method, addressOf(call), input)
const LIST = 'parking.park.query-page'
const layout = { hidden: ['remark'], order: ['name', 'parkCode'], widths: [{ name: 'name', px: 240 }], left: ['parkCode'], right: [] }
const kept = async (token: string) => (await ask(token, preference.listMine)).data as { name: string; value: unknown }[]

describe('choices of a person', () => {
  test('are kept for that person alone, put anew, and forgotten when there is no value', async () => {
    expect((await ask(admin, preference.put, { name: `columns/${LIST}`, value: layout })).message).toBe('ok')
    expect((await ask(admin, preference.put, { name: 'size', value: 'small' })).message).toBe('ok')
    expect(await kept(admin)).toEqual([
      { name: `columns/${LIST}`, value: layout },
      { name: 'size', value: 'small' },
    ])
    expect(await kept(operator)).toEqual([])
    expect(await kept(other)).toEqual([])
    await ask(admin, preference.put, { name: 'size', value: 'default' })
    await ask(admin, preference.put, { name: `columns/${LIST}`, value: null })
    expect(await kept(admin)).toEqual([{ name: 'size', value: 'default' }])
  })

  test.each([
    ['a script in another shape', { script: '<img onerror=alert(1)>' }],
    ['a name that an object would obey', { ...layout, hidden: ['__proto__'] }],
    ['an object with names for keys', { ...layout, widths: { constructor: 1 } }],
    ['a width nobody can see', { ...layout, widths: [{ name: 'a', px: 5 }] }],
    ['one property more', { ...layout, onload: 'x' }],
    ['a list of lists', [[[[]]]]],
    ['a text of a megabyte', 'x'.repeat(1_000_000)],
  ])('%s is refused, and nothing of it is kept', async (_, value) => {
    const before = await kept(admin)
    const { status } = await ask(admin, preference.put, { name: 'planted', value })
    expect([400, 413]).toContain(status)
    expect(await kept(admin)).toEqual(before)
  })

  test('a layout of more than 32 kB is refused with a sentence', async () => {
    const name = (n: number) => `c${n}`.padEnd(64, 'x')
    const many = Array.from({ length: 100 }, (_, n) => name(n))
    const { status, message } = await ask(admin, preference.put, {
      name: 'columns/x',
      value: { hidden: many, order: many, left: many, right: many, widths: many.map((one) => ({ name: one, px: 1000 })) },
    })
    expect({ status, message }).toEqual({ status: 413, message: '这项设置太大，无法保存；请减少条件或列' })
  })

  test('at most 500 are kept', async () => {
    await server.house.writing(1, 'test', async (tx) => {
      const many = `insert into identity.preference (person_id, name, value) select p.id, 'many/' || n, '1' from identity.person p, generate_series(1, 500) n where p.username = $1`
      await run(tx, { sql: many }, ['auditor'])
    })
    const auditor = await server.signIn('auditor')
    expect((await ask(auditor, preference.put, { name: 'one.more', value: 1 })).status).toBe(409)
    expect((await ask(auditor, preference.put, { name: 'many/7', value: 2 })).message).toBe('ok')
  })
})

describe('saved views', () => {
  const criteria = [
    { name: 'name', value: '万达' },
    { name: 'sort', value: 'parkCode' },
  ]
  const add = (token: string, name: string, shared: boolean) => ask(token, view.add, { list: LIST, name, shared, criteria })
  const names = async (token: string) => ((await ask(token, view.query, { list: LIST })).data as { name: string }[]).map(({ name }) => name)

  test('a private one is its maker’s; a shared one is found by the enterprise and changed by its maker alone', async () => {
    const mine = (await add(admin, '我的', false)).data.id as string
    const ours = (await add(admin, '大家的', true)).data.id as string
    expect(await names(admin)).toEqual(expect.arrayContaining(['我的', '大家的']))
    expect(await names(operator)).toEqual(['大家的'])
    expect(await names(other)).toEqual([])
    const [found] = (await ask(operator, view.query, { list: LIST })).data as { mine: boolean; criteria: unknown; version: number }[]
    expect(found).toMatchObject({ mine: false, criteria, version: 1 })
    expect(await ask(operator, view.update, { id: ours, version: 1, name: '抢来的' })).toMatchObject({ status: 403 })
    expect(await ask(operator, view.delete, { id: ours })).toMatchObject({ status: 403 })
    expect(await ask(operator, view.delete, { id: mine })).toMatchObject({ status: 404 })
    expect(await ask(other, view.delete, { id: ours })).toMatchObject({ status: 404 })
    expect((await ask(admin, view.update, { id: ours, version: 1, shared: false })).message).toBe('ok')
    expect(await ask(admin, view.update, { id: ours, version: 1, shared: true })).toMatchObject({ status: 409, code: 409 })
    expect(await names(operator)).toEqual([])
    expect((await ask(admin, view.delete, { id: ours })).message).toBe('ok')
  })

  test('two of one name, and more than fifty, are refused with a sentence', async () => {
    await add(operator, '同名', false)
    expect(await add(operator, '同名', true)).toMatchObject({ status: 409, message: '您已有同名的视图，请换一个名称' })
    for (let n = 1; n < 50; n++) await add(operator, `视图${n}`, false)
    expect(await add(operator, '第五十一', false)).toMatchObject({ status: 409, message: '一个列表最多保存 50 个视图' })
  })
})
