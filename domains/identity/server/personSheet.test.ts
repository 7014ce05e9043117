import XLSX from '@e965/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { formOf, sendSheet } from '../../../tests/support/sheets.ts'

const IMPORT = '/lbs/custom/person/import'
const EXPORT = '/lbs/custom/person/export'
let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  await server.ask(admin, 'POST', '/lbs/custom/department/add', { name: '工程部' })
})
afterAll(() => server.close())

const send = (csv: string, fields: Record<string, string> = {}, token = admin) => sendSheet(server, token, IMPORT, csv, fields)
const named = async (username: string) => (await server.ask(admin, 'POST', '/lbs/custom/person/queryPage', { username })).data.records
/** The first sheet of a file, its cells as they are shown. */
const cellsOf = (bytes: Buffer): string[][] => {
  const book = XLSX.read(bytes, { cellFormula: true })
  const sheet = book.Sheets[book.SheetNames[0]!]!
  expect(Object.values(sheet).filter((cell) => (cell as { f?: string }).f)).toEqual([])
  return XLSX.utils.sheet_to_json(sheet, { header: 1, raw: false, defval: '' })
}

test('a dry run says what would happen and what is wrong with which row, and writes nothing', async () => {
  const csv =
    '用户名,姓名,手机号,部门,角色\nli.si,李四,13800000001,工程部,\n9bad,王五,,,\nli.liu,刘六,,无此部门,\nLI.SI,李四,,,\nno.role,赵七,,,无此角色\n'
  const { data } = await send(csv, { dryRun: 'true' })
  expect(data).toMatchObject({
    rows: 5,
    added: 1,
    changed: 0,
    same: 0,
    bad: 4,
    written: false,
    headers: ['用户名', '姓名', '手机号', '部门', '角色'],
  })
  expect(data.mapping).toMatchObject({ username: 0, name: 1, phone: 2, departmentName: 3, roles: 4, email: -1 })
  expect(data.errors.map(({ row, field }: { row: number; field: string }) => [row, field])).toEqual([
    [3, 'username'],
    [4, 'departmentName'],
    [5, 'username'],
    [6, 'roles'],
  ])
  expect(data.errors[1].reason).toContain('无此部门')
  expect(await named('li.si')).toEqual([])
})

test('a telephone and a mailbox have to be one; a change of an administrator is marked before it is done', async () => {
  const csv =
    '用户名,姓名,手机号,邮箱\nwang.qi,王七,1380013,\nwang.ba,王八,13800138000,bad-mail\nwang.jiu,王九,027-85551234,w9@example.com\nadmin,改名,,\n'
  const { data } = await send(csv, { dryRun: 'true' })
  expect(data).toMatchObject({ rows: 4, added: 1, changed: 1, bad: 2 })
  expect(data.errors.map(({ row, reason }: { row: number; reason: string }) => [row, reason.split('不')[0]])).toEqual([
    [2, '手机号「1380013」'],
    [3, '邮箱「bad-mail」'],
  ])
  expect(data.errors.map(({ field, value }: { field: string; value: string }) => [field, value])).toEqual([
    ['phone', '1380013'],
    ['email', 'bad-mail'],
  ])
  expect(data.marked).toEqual([{ row: 5, field: null, value: null, reason: '将修改管理员的资料' }])
})

test('a row that would take away the last administrator is that row’s fault, and the others are told of as well', async () => {
  const csv = '用户名,姓名,部门,角色\nnew.one,新人,工程部,\nadmin,系统管理员,,审计员\nnew.two,新人,无此部门,\n'
  const { status, data } = await send(csv, { dryRun: 'true' })
  expect(status).toBe(200)
  expect(data).toMatchObject({ rows: 3, added: 1, changed: 0, bad: 2 })
  expect(data.errors.map(({ row, field, reason }: { row: number; field: string; reason: string }) => [row, field, reason])).toEqual([
    [3, 'roles', '至少保留一名可登录的管理员'],
    [4, 'departmentName', expect.stringContaining('无此部门')],
  ])
  expect((await named('admin'))[0].roles).toMatchObject([{ name: '平台管理员' }])
})

test('a file that is no workbook under a workbook’s name is called broken, not empty', async () => {
  const form = new FormData()
  form.set('file', new Blob(['this is no workbook']), '员工.xlsx')
  expect(await server.ask(admin, 'POST', IMPORT, form)).toMatchObject({ status: 422, message: expect.stringContaining('文件无法读取') })
})

test('one bad row stops them all; left out, the others are taken; the bad ones come back with a reason and are taken once put right', async () => {
  const csv = '姓名,用户名\n甲,ren.jia\n乙,1yi\n丙,ren.bing\n'
  const refused = await send(csv)
  expect(refused).toMatchObject({ status: 422, data: { bad: 1, written: false } })
  expect(await named('ren.')).toEqual([])
  expect((await send(csv, { skipBad: 'true' })).data).toMatchObject({ added: 2, bad: 1, written: true })
  expect(await named('ren.')).toHaveLength(2)
  const bad = await send(csv, { dryRun: 'true', badRows: 'xlsx' })
  const rows = cellsOf(bad.data)
  expect(rows).toEqual([
    ['姓名', '用户名', '原因'],
    ['乙', '1yi', expect.stringContaining('用户名')],
  ])
  rows[1]![1] = 'ren.yi'
  const again = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(again, XLSX.utils.aoa_to_sheet(rows), 'Sheet1')
  const fixed = formOf('fixed.xls', XLSX.write(again, { type: 'buffer', bookType: 'biff8' }))
  expect((await server.ask(admin, 'POST', IMPORT, fixed)).data).toMatchObject({ added: 1, bad: 0 })
  expect((await send(csv.replace('1yi', 'ren.yi'))).data).toMatchObject({ added: 0, changed: 0, same: 3, written: true })
  expect(await named('ren.')).toHaveLength(3)
})

test('nobody imports a right that they lack, nor takes over whoever has more', async () => {
  await server.ask(admin, 'POST', '/lbs/custom/roleNew/roleAddNew', { name: '总管', dataScope: 1, grants: 2 })
  const clerk = await clerkWho(['identity:person:edit', 'identity:person:view'])
  const raised = await send('用户名,姓名,角色\nup.one,甲,总管\nclerk.one,文员,总管\nadmin,新名,文员\n', { dryRun: 'true' }, clerk)
  expect(raised.data).toMatchObject({ added: 0, changed: 0, bad: 3 })
  expect((await send('用户名,姓名\nup.two,乙\n', {}, clerk)).data).toMatchObject({ added: 1 })
  expect((await send('用户名,姓名\nx.y,乙\n', {}, await server.signIn('auditor'))).status).toBe(403)
})

test.each(['xls', 'xlsx', 'csv'] as const)(
  'what is exported as .%s comes back the same: leading zeros, long numbers, nothing that calculates',
  async (format) => {
    const odd = { username: `odd.${format}`, name: '=1+1', staffNo: '012345678901234567', remark: '-2+3,"a"\n@SUM(A1)', departmentName: '工程部' }
    const csv = `用户名,姓名,工号,备注,部门\n${odd.username},'=1+1,012345678901234567,"'-2+3,""a""\n@SUM(A1)",工程部\n`
    expect((await send(csv)).data).toMatchObject({ added: 1 })
    expect((await named(odd.username))[0]).toMatchObject(odd)
    const file = await server.ask(admin, 'GET', EXPORT, { username: odd.username, format })
    expect(file.headers.get('content-disposition')).toContain(`.${format}`)
    if (format === 'xls') expect([...file.data.subarray(0, 4)]).toEqual([0xd0, 0xcf, 0x11, 0xe0])
    if (format === 'csv') expect(file.data.toString('utf8')).toContain(`'=1+1,012345678901234567`)
    else expect(cellsOf(file.data)[1]!.slice(0, 3)).toEqual([odd.username, '=1+1', '012345678901234567'])
    const back = await server.ask(admin, 'POST', IMPORT, formOf(`x.${format}`, file.data))
    expect(back.data).toMatchObject({ same: 1, added: 0, changed: 0, bad: 0 })
  },
)

test('an export has the rows of the list and no others, an .xls unless asked, and stands in the log', async () => {
  const file = await server.ask(admin, 'GET', EXPORT, { username: 'odd.', columns: 'name,username' })
  expect(file.headers.get('content-type')).toBe('application/vnd.ms-excel')
  const rows = cellsOf(file.data)
  expect(rows[0]).toEqual(['姓名', '用户名'])
  expect(
    rows
      .slice(1)
      .map(([, username]) => username)
      .sort(),
  ).toEqual(['odd.csv', 'odd.xls', 'odd.xlsx'])
  const other = await server.ask(await server.signIn('otheradmin'), 'GET', EXPORT, { format: 'csv' })
  expect(other.data.toString()).not.toContain('odd.')
  const log = await server.ask(admin, 'POST', '/lbs/business/system/selectSystemChangeLogPage', { entity: 'platform.export' })
  expect(log.data.records[0]).toMatchObject({ via: 'identity.person.export', after: { rows: 3, criteria: { username: 'odd.' } } })
})

test('a template has the columns and takes what is filled in; an older one is refused', async () => {
  const template = await server.ask(admin, 'GET', '/lbs/basic/sysExport/template', { call: 'identity.person.import', format: 'xlsx' })
  const book = XLSX.read(template.data)
  const [sheet, notes] = book.SheetNames.map((name) => XLSX.utils.sheet_to_json<string[]>(book.Sheets[name]!, { header: 1 }))
  expect(sheet![0]).toEqual(['用户名 *', '姓名 *', '工号', '手机号', '邮箱', '部门', '角色', '备注'])
  expect(notes![1]!.slice(0, 2)).toEqual(['用户名', '是'])
  XLSX.utils.sheet_add_aoa(book.Sheets[book.SheetNames[0]!]!, [['from.template', '模板']], { origin: 'A2' })
  const filled = (name: string) =>
    formOf(
      't.xlsx',
      XLSX.write(
        { ...book, SheetNames: [name, 'x'], Sheets: { [name]: book.Sheets[book.SheetNames[0]!]!, x: {} } },
        { type: 'buffer', bookType: 'xlsx' },
      ),
    )
  expect((await server.ask(admin, 'POST', IMPORT, filled('v-00000000'))).message).toContain('模板已更新')
  expect((await server.ask(admin, 'POST', IMPORT, filled(book.SheetNames[0]!))).data).toMatchObject({ added: 1 })
  const stranger = await server.ask(await server.signIn('auditor'), 'GET', '/lbs/basic/sysExport/template', { call: 'identity.person.import' })
  expect(stranger.status).toBe(403)
})

/** Somebody who may do just this. */
async function clerkWho(needs: string[]): Promise<string> {
  const owner = new (await import('pg')).default.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  const buttons = (await owner.query<{ id: string }>('select id from identity.button where capability = any ($1)', [needs])).rows.map(({ id }) => id)
  const resources = (
    await owner.query<{ id: string }>('select id from identity.resource where needs && $1 and component = $2', [needs, 'StaffScreen'])
  ).rows.map(({ id }) => id)
  await owner.end()
  await server.ask(admin, 'POST', '/lbs/custom/roleNew/roleAddNew', {
    name: '文员',
    dataScope: 1,
    grants: 1,
    resourceIds: resources,
    buttonIds: buttons,
  })
  const roles = (await server.ask(admin, 'GET', '/lbs/custom/roleNew/roleQueryNewNoPage')).data as { id: string; name: string }[]
  const roleIds = roles.filter(({ name }) => name === '文员').map(({ id }) => id)
  const { data } = await server.ask(admin, 'POST', '/lbs/custom/person/add', { username: 'clerk.one', name: '文员', roleIds })
  const first = await server.signIn('clerk.one', data.password)
  const chosen = digestOf('clerk.one', PASSWORD)
  await server.ask(first, 'POST', '/lbs/custom/enterprise/resetEnterprisePassword', { newPassword: chosen, confirmPassword: chosen, type: '1' })
  return server.signIn('clerk.one')
}
