import XLSX from '@e965/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { formOf } from '../../../tests/support/sheets.ts'

/** Sheets that were not made for us: titles, near names, merged heads, errors. */
const IMPORT = '/lbs/custom/person/import'
let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const bookOf = (rows: unknown[][], change: (sheet: XLSX.WorkSheet) => void = () => {}): Buffer => {
  const book = XLSX.utils.book_new()
  const sheet = XLSX.utils.aoa_to_sheet(rows)
  change(sheet)
  XLSX.utils.book_append_sheet(book, sheet, 'Sheet1')
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
}
const send = (file: Buffer, fields: Record<string, string> = {}) =>
  server.ask(admin, 'POST', IMPORT, formOf('人员.xlsx', file, fields)) as Promise<{ code: number; data: any }>
const look = (file: Buffer, fields: Record<string, string> = {}) => send(file, { dryRun: 'true', ...fields })
const named = async (username: string) => (await server.ask(admin, 'POST', '/lbs/custom/person/queryPage', { username })).data.records

test('a title above the heads is no head; near names are guesses that are confirmed before anything is written', async () => {
  const file = bookOf([['收费员花名册'], [], ['登录账号', '员工姓名', '手机号码', '职工号'], ['hua.yi', '花一', '13900001001', '007']], (sheet) => {
    sheet['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 3 } }]
  })
  const { data } = await look(file)
  expect(data).toMatchObject({ rows: 1, added: 1, headRow: 3, headers: ['登录账号', '员工姓名', '手机号码', '职工号'] })
  expect(data.top.map(({ row }: { row: number }) => row)).toEqual([1, 3, 4])
  expect([...data.guessed].sort()).toEqual(['name', 'phone', 'staffNo', 'username'])
  // A guess that nobody confirmed is none.
  expect(await send(file)).toMatchObject({ code: 40008, message: '缺少必填列：用户名、姓名' })
  expect(await named('hua.yi')).toEqual([])
  const mapping = JSON.stringify(data.mapping)
  expect((await look(file, { mapping })).data).toMatchObject({ added: 1, guessed: [] })
  expect((await send(file, { mapping })).data).toMatchObject({ added: 1, written: true })
  expect(await named('hua.yi')).toMatchObject([{ name: '花一', phone: '13900001001', staffNo: '007' }])
})

test('whoever knows better says the row of the heads; one that is not there is refused', async () => {
  const file = bookOf([
    ['用户名', '姓名'],
    ['用户名', '姓名'],
    ['ye.yi', '叶一'],
  ])
  expect((await look(file)).data).toMatchObject({ headRow: 1, rows: 2 })
  expect((await look(file, { headRow: '2' })).data).toMatchObject({ headRow: 2, rows: 1, added: 1, bad: 0 })
  expect(await look(file, { headRow: '9' })).toMatchObject({ code: 400 })
})

test('a cell that is an error is told in its row and column, and never becomes a name', async () => {
  const file = bookOf(
    [
      ['用户名', '姓名', '备注'],
      ['cuo.yi', '', '好'],
      ['cuo.er', '错二', ''],
      ['cuo.san', '错三', '#N/A 是一句话'],
    ],
    (sheet) => {
      sheet.B2 = { t: 'e', v: 0x2a, w: '#N/A' }
      sheet.C3 = { t: 'e', v: 0x07, w: '#DIV/0!', f: '1/0' }
    },
  )
  const { data } = await look(file)
  expect(data).toMatchObject({ added: 1, bad: 2 })
  expect(data.errors.map(({ row, field, value }: any) => [row, field, value])).toEqual([
    [2, 'name', '#N/A'],
    [3, 'remark', '#DIV/0!'],
  ])
  expect(data.errors[0].reason).toContain('错误值 #N/A')
})

test('all that is wrong with a row is told at once, each under its column, with the form that is wanted; the file of bad rows has it all', async () => {
  const file = bookOf([
    ['用户名', '姓名', '手机号', '邮箱', '部门'],
    ['9坏', '', '1', 'x', ''],
    ['duo.yi', '多一', '1', 'x', '没有'],
  ])
  const { data } = await look(file)
  expect(data).toMatchObject({ rows: 2, bad: 2 })
  expect(data.errors.map(({ row, field }: any) => [row, field])).toEqual([
    [2, 'name'],
    [2, 'username'],
    [3, 'phone'],
    [3, 'email'],
    [3, 'departmentName'],
  ])
  expect(data.errors[1].reason).toBe('「用户名」应为3 至 32 个字母、数字、点、下划线或连字符，以字母开头')
  const bad = (await look(file, { badRows: 'csv' })) as any
  const [, first, second] = String(bad.data).split('\r\n')
  expect(first).toContain('缺少「姓名」；「用户名」应为')
  expect(second).toMatch(/手机号「1」.*；.*邮箱「x」.*；.*没有部门「没有」/)
})
