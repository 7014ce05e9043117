import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Console, openConsole } from './console.ts'

const MERCHANTS = '/businessCenter/merchant/account'
/** One of them has a name that a sheet would read as a formula. */
const NAMES = ['=1+1 便利店', '东门超市', '西门书店']

let shown: Console
let page: Page
beforeAll(async () => {
  shown = await openConsole()
  const admin = await shown.server.signIn('admin')
  const add = async (address: string, body: object) => expect((await shown.server.ask(admin, 'POST', `/lbs/${address}`, body)).message).toBe('ok')
  await add('basic/parkInfo/add', { parkCode: 'P010', name: '东门车场', pType: 1, regionCode: '420606', totalBays: 100 })
  for (const name of NAMES)
    await add('custom/merchant/add', { name, type: 1, contact: '张三', phone: '13812345678', settleMode: 1, parkCodes: ['P010'] })
  page = await shown.as('admin')
})
afterAll(() => shown?.close())
const row = (name: string, at = page) => at.locator('.ant-table-row:visible', { hasText: name })

test('passwords that are made for many are a sheet that is offered once, and not lost by a slip of the hand', async () => {
  await page.goto(`/dist${MERCHANTS}`)
  for (const name of NAMES.slice(0, 2)) await row(name).getByRole('checkbox').check()
  await page.getByRole('button', { name: '重置密码', exact: true }).first().click()
  const dialog = page.getByRole('dialog').filter({ hasText: '重置密码' })
  await dialog.getByText('完成后请下载一次性密码表，仅此一次').waitFor()
  await dialog.getByRole('button', { name: '重置密码 2 条' }).click()
  await dialog.getByText('2 / 2，成功 2，失败 0').waitFor()
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  const question = page.locator('.ant-modal-confirm:visible', { hasText: '还没有下载，关闭后不再提供' })
  await question.getByRole('button', { name: '返回下载' }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '下载 2 条' }).click()])
  const [heads, ...lines] = (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').split('\r\n')
  expect([file.suggestedFilename(), heads]).toEqual(['商户一次性密码.csv', '"登录名","商户名称","一次性密码"'])
  const cells = lines.map((line) => line.slice(1, -1).split('","'))
  expect(cells.map(([, name]) => name).toSorted()).toEqual([`'${NAMES[0]}`, NAMES[1]].toSorted())
  expect(new Set(cells.map(([, , password]) => password)).size).toBe(2)
  expect(cells.every(([login, , password]) => login && password && password.length >= 8)).toBe(true)
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  await dialog.waitFor({ state: 'detached' })
})

test('people who are new get their passwords together, and each signs in with that of the sheet', async () => {
  const admin = await shown.server.signIn('admin')
  const people = [
    ['bulk.jia', '甲同事'],
    ['bulk.yi', '乙同事'],
  ] as const
  for (const [username, name] of people)
    expect((await shown.server.ask(admin, 'POST', '/lbs/custom/person/add', { username, name, roleIds: [] })).message).toBe('ok')
  await page.goto('/dist/appManage/organization/staff?username=bulk.')
  for (const [, name] of people) await row(name).getByRole('checkbox').check()
  await page.locator('.list-bar').getByRole('button', { name: '重置密码', exact: true }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: '重置密码' })
  await dialog.getByText('完成后请下载一次性密码表，仅此一次').waitFor()
  await dialog.getByRole('button', { name: '重置密码 2 条' }).click()
  await dialog.getByText('2 / 2，成功 2，失败 0').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '下载 2 条' }).click()])
  const [heads, ...lines] = (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').split('\r\n')
  expect([file.suggestedFilename(), heads]).toEqual(['一次性密码.csv', '"用户名","姓名","一次性密码"'])
  const cells = lines.map((line) => line.slice(1, -1).split('","'))
  expect(cells.map(([username, name]) => [username, name]).toSorted()).toEqual(people)
  for (const [username, , password] of cells) expect(await shown.server.signIn(username!, password!)).toEqual(expect.any(String))
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  await dialog.waitFor({ state: 'detached' })
})

test('a list that stands as cards on a telephone is a table still to whoever hears it: each cell says its head and its value', async () => {
  const small = await shown.as('admin', { viewport: { width: 390, height: 844 } })
  await small.goto(`/dist${MERCHANTS}`)
  const card = row(NAMES[2]!, small)
  await card.waitFor()
  expect(await card.evaluate((one) => getComputedStyle(one).display)).toBe('flex')
  const roles = await card.evaluate((one) =>
    [one, one.parentElement!, one.closest('table')!, ...one.children].map((part) => part.getAttribute('role')),
  )
  expect(roles.slice(0, 3)).toEqual(['row', 'rowgroup', 'table'])
  expect(new Set(roles.slice(3))).toEqual(new Set(['cell']))
  const session = await small.context().newCDPSession(small)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: { role?: { value: string }; name?: { value: string } }[] }
  const heard = nodes.flatMap(({ role, name }) => (role?.value === 'cell' || role?.value === 'gridcell' ? [name?.value ?? ''] : []))
  expect(heard).toContainEqual(expect.stringMatching(/^余额.*0\.00/))
})
