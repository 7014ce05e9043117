import XLSX from '@e965/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BadCell } from '../../../platform/contract/sheet.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { formOf, sendSheet } from '../../../tests/support/sheets.ts'
import { aPark } from '../../parking/server/testing.ts'

let server: TestServer
let admin: string
let other: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  other = await server.signIn('otheradmin')
})
afterAll(() => server.close())

const rowsOf = (bytes: Buffer) => {
  const book = XLSX.read(bytes)
  return XLSX.utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1, raw: false, defval: '' })
}

test('departments: a parent may stand in the row above; the exported sheet comes back unchanged; a name that several have is asked for with its path', async () => {
  const at = '/lbs/custom/department/import'
  const csv = '部门名称,上级部门,部门编码,排序\n甲区,,A,1\n工程,甲区,A1,2\n乙区,,B,3\n工程,乙区,B1,4\n一班,乙区/工程,B11,5\n'
  expect((await sendSheet(server, admin, at, csv)).data).toMatchObject({ added: 5, bad: 0 })
  const file = await server.ask(admin, 'GET', '/lbs/custom/department/export', { format: 'xls' })
  expect(rowsOf(file.data).find(([name]) => name === '一班')).toEqual(['一班', '乙区/工程', 'B11', '5', '', expect.any(String)])
  expect((await server.ask(admin, 'POST', at, formOf('d.xls', file.data))).data).toMatchObject({ added: 0, changed: 0, bad: 0 })
  const { data } = await sendSheet(server, admin, at, '部门名称,上级部门\n二班,工程\n三班,没有\n', { dryRun: 'true' })
  expect(data.errors).toMatchObject([
    { row: 2, field: 'parentName', value: '工程', reason: expect.stringContaining('有多个部门名为「工程」') },
    { row: 3, field: 'parentName', value: '没有', reason: '没有上级部门「没有」，请核对名称或先新增' },
  ])
  const worse = await sendSheet(server, admin, at, '部门名称,上级部门,排序,管辖车场\n,甲区,,\n四班,甲区,第一,\n五班,甲区,,p 1\n', { dryRun: 'true' })
  expect(worse.data.errors.map(({ row, field, value }: BadCell) => [row, field, value])).toEqual([
    [2, 'name', ''],
    [3, 'sort', '第一'],
    [4, 'parks', 'p 1'],
  ])
  expect((await sendSheet(server, admin, at, '部门名称,上级部门,部门编码\n一班,乙区/工程,C\n')).data).toMatchObject({ changed: 1 })
})

test('departments: a parent may stand below, and one that is written twice is told in both rows', async () => {
  const at = '/lbs/custom/department/import'
  const below = '部门名称,上级部门,部门编码\n下组,中组,D3\n中组,上部,D2\n上部,,D1\n'
  expect((await sendSheet(server, admin, at, below)).data).toMatchObject({ added: 3, bad: 0 })
  expect((await sendSheet(server, admin, at, below)).data).toMatchObject({ same: 3 })
  const twice = '部门名称,上级部门,部门编码\n客服部,,D4\n运营部,,D6\n客服部,,D5\n客服部,运营部,D7\n'
  const { data } = await sendSheet(server, admin, at, twice, { dryRun: 'true' })
  expect(data).toMatchObject({ added: 2, bad: 2 })
  expect(data.errors.map(({ row, field }: BadCell) => [row, field])).toEqual([
    [2, 'name'],
    [4, 'name'],
  ])
  const byPath = '部门名称,上级部门,部门编码\n装卸班,下组,D8\n装卸班,上部/中组/下组,D9\n装卸班,中组,D10\n'
  const told = (await sendSheet(server, admin, at, byPath, { dryRun: 'true' })).data
  expect(told).toMatchObject({ added: 1, bad: 2 })
  expect(told.errors.map(({ row, field }: BadCell) => [row, field])).toEqual([
    [2, 'name'],
    [3, 'name'],
  ])
  // Each under the other: neither is there, and neither is waited for.
  const ring = '部门名称,上级部门\n甲环,乙环\n乙环,甲环\n'
  expect((await sendSheet(server, admin, at, ring, { dryRun: 'true' })).data).toMatchObject({ added: 0, bad: 2 })
})

test('a park that does not exist is refused, in its column, with its code; one that a row has already stays', async () => {
  await server.house.writing(1, 'a test', (tx) => aPark(tx, { parkCode: 'P001' }))
  for (const [at, csv] of [
    ['/lbs/custom/department/import', '部门名称,管辖车场\n片区部,'],
    ['/lbs/custom/roleNew/importRoleList', '角色名称,数据范围,授权方式,指定车场\n片区员,指定车场,逐项选择,'],
  ] as const) {
    const { data } = await sendSheet(server, admin, at, `${csv}"P001,P999"\n`)
    expect(data).toMatchObject({ added: 0, bad: 1, errors: [{ row: 2, field: 'parks', reason: '没有车场「P999」，或您不管理它；请核对编号' }] })
    expect((await sendSheet(server, admin, at, `${csv}P001\n`)).data).toMatchObject({ added: 1, bad: 0 })
    await server.house.writing(1, 'a test', (tx) => tx.updateTable('parking.park').set({ deleted: true }).where('parkCode', '=', 'P001').execute())
    expect((await sendSheet(server, admin, at, `${csv}P001\n`)).data).toMatchObject({ same: 1, bad: 0 })
    await server.house.writing(1, 'a test', (tx) => tx.updateTable('parking.park').set({ deleted: false }).where('parkCode', '=', 'P001').execute())
  }
})

test('departments: whoever sees some of them takes these away and no others', async () => {
  const post = async (path: string, body: object) => (await server.ask(admin, 'POST', `/lbs/custom${path}`, body)).data
  const upper = (await post('/department/add', { name: '东区' })).id
  await post('/department/add', { name: '东一组', parentId: upper })
  await post('/department/add', { name: '西区' })
  for (const [dataScope, seen] of [
    [3, ['东一组', '东区']],
    [4, ['东区']],
    [5, []],
  ] as const) {
    const role = await post('/roleNew/roleAddNew', { name: `部门范围${dataScope}`, dataScope, grants: 2 })
    const made = await post('/person/add', { username: `scope${dataScope}`, name: '某人', departmentId: upper, roleIds: [role.id] })
    await server.house.writing(1, 'a test', (tx) => tx.updateTable('identity.person').set({ mustChange: false }).where('id', '=', made.id).execute())
    const token = await server.signIn(`scope${dataScope}`, made.password)
    const file = await server.ask(token, 'GET', '/lbs/custom/department/export', { format: 'xls' })
    expect(
      rowsOf(file.data)
        .slice(1)
        .map(([name]) => name)
        .sort(),
      String(dataScope),
    ).toEqual(seen)
  }
})

test('enterprises: only who runs the platform; known by their name', async () => {
  const at = '/lbs/custom/enterprise/import'
  const csv = '企业名称,上级企业,联系人,状态\n新区停车,,王,停用\n新区充电,新区停车,李,\n'
  expect((await sendSheet(server, other, at, csv)).status).toBe(403)
  expect((await sendSheet(server, admin, at, csv)).data).toMatchObject({ added: 2 })
  expect((await sendSheet(server, admin, at, csv)).data).toMatchObject({ added: 0, same: 2 })
  const file = await server.ask(admin, 'GET', '/lbs/custom/enterprise/export', { format: 'csv', name: '新区' })
  expect(file.data.toString()).toContain('新区充电,新区停车,李,,,启用')
  expect(file.data.toString()).toContain('停用')
})

test('roles: what a role gives has to be the importer’s own, and a name that is there is changed and not doubled', async () => {
  const at = '/lbs/custom/roleNew/importRoleList'
  const csv = '角色名称,数据范围,授权方式,菜单,按钮\n前台,本企业,逐项选择,/appManage/organization/staff,/appManage/organization/staff:lock\n'
  expect((await sendSheet(server, admin, at, csv)).data).toMatchObject({ added: 1 })
  expect((await sendSheet(server, admin, at, csv)).data).toMatchObject({ same: 1 })
  const roles = (await server.ask(admin, 'GET', '/lbs/custom/roleNew/roleQueryNewNoPage')).data as { id: string; name: string }[]
  const held = (await server.ask(admin, 'GET', '/lbs/custom/resource/queryRoleTree', { roleId: roles.find(({ name }) => name === '前台')!.id })).data
  expect(held.buttonIds).toHaveLength(1)
  // Menus of the platform are there for everybody, and still nobody else’s to grant.
  const wide = '角色名称,数据范围,菜单\n企业管理,本企业,/appManage/organization/enterprise\n没有的,本企业,/no/where\n'
  const { data } = await sendSheet(server, other, at, wide, { dryRun: 'true' })
  expect(data).toMatchObject({ added: 0, bad: 2 })
  expect(data.errors[1]).toMatchObject({ row: 3, field: 'menus', value: '/no/where', reason: '没有菜单「/no/where」，请核对名称' })
  const bad = '角色名称,数据范围,按钮\n甲,全世界,\n乙,本企业,/appManage/organization/staff:fly\n,本企业,\n'
  const said = (await sendSheet(server, admin, at, bad, { dryRun: 'true' })).data.errors
  expect(said.map(({ row, field, value }: BadCell) => [row, field, value])).toEqual([
    [2, 'dataScope', '全世界'],
    [3, 'buttons', '/appManage/organization/staff:fly'],
    [4, 'name', ''],
  ])
  // A folder stands for every screen in it, as its tick does on the page; a name for its entry.
  const folders = '角色名称,数据范围,菜单\n客服,本企业,/operation/afterSale\n看台,本企业,员工管理\n'
  expect((await sendSheet(server, admin, at, folders)).data).toMatchObject({ added: 2 })
  const opens = async (name: string) => {
    const roles = (await server.ask(admin, 'GET', '/lbs/custom/roleNew/roleQueryNewNoPage')).data as { id: string; name: string }[]
    const found = await server.ask(admin, 'GET', '/lbs/custom/roleNew/roleDetail', { id: roles.find((one) => one.name === name)!.id })
    const urls = (nodes: { url: string; children: never[] }[]): string[] => nodes.flatMap(({ url, children }) => [url, ...urls(children)])
    return urls(found.data.opens)
  }
  expect(await opens('客服')).toEqual(expect.arrayContaining(['/operation/afterSale/dashboard', '/operation/afterSale/order/deal']))
  expect(await opens('看台')).toContain('/appManage/organization/staff')
  const template = await server.ask(admin, 'GET', '/lbs/custom/roleNew/exportRoleTemplate')
  expect(rowsOf(template.data)[0]).toEqual(['角色名称 *', '数据范围 *', '授权方式', '指定车场', '菜单', '按钮', '备注'])
})

test('menu entries: known by their address; a capability that the importer lacks is not handed out', async () => {
  const at = '/lbs/custom/resource/importResourceList'
  const csv =
    '地址,名称,英文名称,上级地址,隐藏,权限\nhttps://wiki.example/a,知识库,Wiki,/appManage,否,\nhttps://x.example/b,越权,Beyond,,,charging:pile:fly\n'
  expect((await sendSheet(server, admin, at, csv, { dryRun: 'true' })).data).toMatchObject({ added: 1, bad: 1 })
  expect((await sendSheet(server, admin, at, csv, { skipBad: 'true' })).data).toMatchObject({ added: 1, bad: 1, written: true })
  expect((await sendSheet(server, admin, at, csv.replace('知识库', '手册'), { skipBad: 'true' })).data).toMatchObject({ changed: 1 })
  expect((await sendSheet(server, other, at, csv)).status).toBe(403)
})
