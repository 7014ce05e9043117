import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Console, openConsole, poll, tab, toast } from './console.ts'

/** The gallery's form over one sample, edited by this person and by others. */
const FORM = '/demo/page2?block=form'
/** The newest is the one that the block shows. */
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString()
const SAMPLES = '/lbs/business/sample'

let shown: Console
let page: Page
let token: string
let id: string
beforeAll(async () => {
  shown = await openConsole()
  token = await shown.server.signIn('admin')
  id = (await ask('add', { code: 'S-1', name: '一号机柜', kind: 1, keeper: '张伟', happenedAt: TOMORROW })).id
  page = await shown.as('admin')
})
afterAll(() => shown?.close())
beforeEach(async () => {
  await page.goto(`/dist${FORM}`)
  await button('编辑').waitFor()
})
const ask = async (call: string, body: object) => (await shown.server.ask(token, 'POST', `${SAMPLES}/${call}`, body)).data
const now = async () => (await ask('queryPage', {})).records.find((one: { id: string }) => one.id === id)
/** Somebody else saves. */
const change = async (to: object) => ask('update', { id, version: (await now()).version, ...to })
const dialog = () => page.locator('.ant-modal:visible').filter({ has: page.locator('form') })
const field = (name: string) => dialog().getByRole('textbox', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const inside = (name: string) => dialog().getByRole('button', { name: new RegExp(`^${[...name].join('\\s?')}$`) })
const open = async (mode: string) => {
  await button(mode).click()
  await dialog().waitFor()
}
const gone = () => dialog().waitFor({ state: 'detached' })
const question = () => page.getByRole('dialog').filter({ hasText: '放弃未保存的修改？' })
const giveUp = async () => {
  await inside('取消').click()
  await question().getByRole('button', { name: '放弃修改' }).click()
  await gone()
}

describe('what is typed', () => {
  test('dialog.title-by-mode dialog.opens-in-mode dialog.read-disabled: view, edit and new say what they are; what is viewed cannot be changed', async () => {
    await open('查看')
    expect(await dialog().locator('.ant-modal-title').textContent()).toBe('查看示例 · 一号机柜')
    expect(await dialog().locator('input:enabled, textarea:enabled').count()).toBe(0)
    await inside('关闭').last().click()
    await gone()
    for (const [mode, title] of [
      ['编辑', '编辑示例 · 一号机柜'],
      ['新增', '新增示例'],
    ] as const) {
      await open(mode)
      expect(await dialog().locator('.ant-modal-title').textContent()).toBe(title)
      await inside('取消').click()
      await gone()
    }
  })
  test('dialog.close-resets: giving it up asks first; then the form is as at first', async () => {
    await open('编辑')
    await field('名称').fill('没写完')
    await inside('取消').click()
    await question().getByRole('button', { name: '继续编辑' }).click()
    await question().waitFor({ state: 'detached' })
    expect(await field('名称').inputValue()).toBe('没写完')
    await page.keyboard.press('Escape')
    await question().getByRole('button', { name: '放弃修改' }).click()
    await gone()
    await open('编辑')
    expect(await field('名称').inputValue()).toBe('一号机柜')
    await inside('取消').click()
    await gone()
  })
  test('leaving the page or the browser asks; who goes on finds a draft, of which one may also not want to know', async () => {
    await open('新增')
    await field('示例编号').fill('S-2')
    await field('备注').fill('写到一半')
    expect(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(false)
    page.once('dialog', (asked) => void asked.accept())
    await page.reload()
    await page.getByRole('link', { name: '弹窗与表单 · 新增' }).waitFor()
    await open('新增')
    await dialog()
      .getByText(/有一份 .* 未保存的草稿/)
      .waitFor()
    expect(await field('示例编号').inputValue()).toBe('')
    await inside('恢复').click()
    expect(await field('示例编号').inputValue()).toBe('S-2')
    expect(await field('备注').inputValue()).toBe('写到一半')
    page.once('dialog', (asked) => void asked.accept())
    await page.reload()
    await open('新增')
    await inside('丢弃').click()
    await inside('取消').click()
    await gone()
    await open('新增')
    expect(await dialog().getByText('未保存的草稿').count()).toBe(0)
  })
  test('a tab with a half filled form asks before it is closed, and keeps the form while it is hidden', async () => {
    await open('编辑')
    await field('负责人').fill('李四')
    // A dialog covers the tabs: the keyboard's way back leaves the page.
    await page.evaluate(() => history.pushState(null, '', '/dist/index') ?? dispatchEvent(new PopStateEvent('popstate')))
    await page.locator('h1:visible', { hasText: '首页' }).waitFor()
    await tab(page, '弹窗与表单').getByTitle('关闭').click()
    await question().getByRole('button', { name: '继续编辑' }).click()
    await tab(page, '弹窗与表单').click()
    expect(await field('负责人').inputValue()).toBe('李四')
    await giveUp()
  })
})

describe('blanks', () => {
  test('are no name: what is needed is asked for; around what is typed they are cut, and alone they are none', async () => {
    await open('新增')
    await field('示例编号').fill(' S-9 ')
    await field('名称').fill(' \u3000\u200b')
    await inside('保存').click()
    await dialog().getByText('请填写名称').waitFor()
    await field('名称').fill('\u3000九号 机柜 ')
    await field('负责人').fill('  ')
    await dialog().getByRole('combobox', { name: '类别' }).click()
    await page.locator('.ant-select-item:visible', { hasText: '设备' }).click()
    await inside('保存').click()
    await gone()
    const [made] = (await ask('queryPage', { code: 'S-9' })).records
    expect(made).toMatchObject({ code: 'S-9', name: '九号 机柜', keeper: null })
  })
})

describe('a label of several lines', () => {
  const RED = { least: 150, most: 110 }
  /** Where the red of a picture is. */
  async function redIn(picture: Buffer) {
    const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const found = Array.from({ length: info.width * info.height }, (_, at) => at).filter(
      (at) => data[at * 3]! > RED.least && data[at * 3 + 1]! < RED.most && data[at * 3 + 2]! < RED.most,
    )
    return { right: Math.max(...found.map((at) => at % info.width)), bottom: Math.max(...found.map((at) => Math.floor(at / info.width))) }
  }
  test('has the star of a needed field before its first word, and room for all of its lines', async () => {
    const english = await shown.as('admin')
    await english.context().addCookies([{ name: 'lang', value: 'en', url: shown.server.url }])
    await english.goto('/dist/share/monthCard')
    await english.getByRole('button', { name: /Add$/ }).click()
    const label = english.locator('.ant-modal:visible label', { hasText: 'Free cancellation before' })
    await label.waitFor()
    const lines = await label.evaluate((node) => {
      const words = document.createRange()
      words.selectNodeContents(node)
      const box = node.getBoundingClientRect()
      return {
        high: box.height,
        of: [...words.getClientRects()].map((one) => ({ left: one.left - box.left, top: one.top - box.top, bottom: one.bottom - box.top })),
      }
    })
    expect(lines.of.length).toBeGreaterThan(1)
    for (const line of lines.of) {
      expect(line.top).toBeGreaterThanOrEqual(0)
      expect(line.bottom).toBeLessThanOrEqual(lines.high)
    }
    const star = await redIn(await label.screenshot())
    const [first] = lines.of
    expect(star.bottom).toBeLessThanOrEqual(first!.bottom)
    expect(first!.left - star.right).toBeGreaterThan(0)
    expect(first!.left - star.right).toBeLessThan(8)
    await english.close()
  })
})

describe('the keyboard', () => {
  test('is in the first field when a dialog opens, behind what stands there, and back where it was when it closes', async () => {
    await open('编辑')
    await poll(() => page.evaluate(() => document.activeElement?.closest('.ant-modal form') !== null)).toBe(true)
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).selectionStart)).toBe(
      await page.evaluate(() => (document.activeElement as HTMLInputElement).value.length),
    )
    await page.keyboard.press('Escape')
    await gone()
    await poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  })
  test('Enter in an input sends the form, once; in a list or a calendar it chooses what stands there', async () => {
    let sent = 0
    page.on('request', (request) => void (sent += request.url().endsWith('/sample/update') ? 1 : 0))
    await open('编辑')
    await field('负责人').fill('王五')
    const list = dialog().getByRole('combobox', { name: '类别' })
    await list.focus()
    await page.keyboard.press('Enter')
    await page.locator('.ant-select-dropdown:visible').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.ant-select-dropdown:visible').waitFor({ state: 'detached' })
    const day = field('发生时间')
    await day.hover()
    await dialog().locator('.ant-picker').waitFor()
    await day.click()
    const calendar = page.locator('.ant-picker-dropdown:visible')
    await calendar.waitFor()
    await page.keyboard.press('Enter')
    await page.waitForTimeout(300)
    expect(sent).toBe(0)
    await page.keyboard.press('Tab')
    await calendar.waitFor({ state: 'detached' })
    await field('名称').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await gone()
    expect(sent).toBe(1)
    expect((await now()).keeper).toBe('王五')
    page.removeAllListeners('request')
    await change({ keeper: '张伟' })
  })
})

describe('what is wrong', () => {
  test('a time that was typed is kept when its field is left, and Esc takes it back', async () => {
    await open('编辑')
    const at = field('发生时间')
    const before = await at.inputValue()
    const calendar = page.locator('.ant-picker-dropdown:visible')
    const type = async () => {
      await at.click()
      await calendar.waitFor()
      await at.fill('2026-01-02 03:04:05')
    }
    await type()
    await page.keyboard.press('Escape')
    await calendar.waitFor({ state: 'detached' })
    expect(await at.inputValue()).toBe(before)
    await type()
    await field('名称').click()
    await calendar.waitFor({ state: 'detached' })
    expect(await at.inputValue()).toBe('2026-01-02 03:04:05')
    await giveUp()
  })
  test('dialog.invalid: a field says so when it is left; saving says so, sends nothing and goes to the first wrong one', async () => {
    let sent = 0
    page.on('request', (request) => void (sent += request.url().endsWith('/sample/add') ? 1 : 0))
    await open('新增')
    await field('示例编号').fill('小写 abc')
    await field('名称').click()
    await dialog().getByText('示例编号应为大写字母、数字或连字符').waitFor()
    await field('示例编号').fill('S-3')
    await field('名称').focus()
    await page.keyboard.press('Tab')
    await dialog().getByText('请填写名称').waitFor()
    await inside('保存').click()
    await toast(page, '请检查表单是否填写完整').waitFor()
    await dialog().getByText('请填写类别').waitFor()
    await poll(() =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-required') === 'true' && document.activeElement.id.endsWith('name')),
    ).toBe(true)
    expect(await field('名称').getAttribute('aria-invalid')).toBe('true')
    expect(sent).toBe(0)
    page.removeAllListeners('request')
    await giveUp()
  })
  test('a number beyond its bounds stays as it was typed, and the field says them, for money as it is typed', async () => {
    await open('新增')
    const number = (name: string) => dialog().getByRole('spinbutton', { name })
    for (const [name, typed, kept, bounds] of [
      ['进度', '150', '150', '进度应在 0 至 100 之间'],
      ['金额', '-5', '-5.00', '金额不能小于 ¥0.00'],
    ] as const) {
      await number(name).fill(typed)
      // Not by Tab: the field behind it opens its calendar, which takes the focus once more.
      await number(name).blur()
      await dialog().getByText(bounds).waitFor()
      expect(await number(name).inputValue()).toBe(kept)
    }
    await number('进度').fill('100')
    await number('进度').blur()
    expect(await number('进度').inputValue()).toBe('100')
    await dialog().getByText('进度应在 0 至 100 之间').waitFor({ state: 'hidden' })
    await giveUp()
  })
  test('what the server refuses is said in the form, at the field it names, and what was typed stays', async () => {
    await open('新增')
    await field('示例编号').fill('S-1')
    await field('名称').fill('同号')
    await dialog().getByRole('combobox', { name: '类别' }).click()
    await page.locator('.ant-select-item-option', { hasText: '场地' }).click()
    await inside('保存').click()
    await dialog().locator('.ant-form-item', { hasText: '示例编号' }).getByText('编号 S-1 已存在，请换一个编号').waitFor()
    expect(await field('示例编号').evaluate((node) => node === document.activeElement)).toBe(true)
    expect(await field('名称').inputValue()).toBe('同号')
    await field('示例编号').fill('S-4')
    await inside('保存').click()
    await toast(page, '已新增').waitFor()
    await gone()
  })
})

describe('two people', () => {
  const line = (name: string) => dialog().locator('.merge tr').filter({ hasText: name })
  test('what another saved first is set side by side; each field is chosen, and nothing is overwritten unseen', async () => {
    await open('编辑')
    await field('名称').fill('我的名称')
    await field('负责人').fill('王芳')
    await change({ name: '别人的名称', remark: '别人写的' })
    await inside('保存').click()
    await dialog().getByText('别人刚刚改过这条记录').waitFor()
    expect((await now()).name).toBe('别人的名称')
    await line('名称').getByText('我的名称').waitFor()
    await line('名称').getByText('别人的名称').waitFor()
    // Only the other changed the remark: theirs is chosen unless one says otherwise.
    expect(await line('备注').getByRole('radio', { name: '备注 现在的' }).isChecked()).toBe(true)
    expect(await line('名称').getByRole('radio', { name: '名称 我填的' }).isChecked()).toBe(true)
    await inside('按所选保存').click()
    await toast(page, '已保存').waitFor()
    await gone()
    expect(await now()).toMatchObject({ name: '我的名称', keeper: '王芳', remark: '别人写的' })
  })
  test('theirs can be taken, and one may leave it at what stands there', async () => {
    await open('编辑')
    await field('名称').fill('我的第二个')
    await change({ name: '别人的第二个' })
    await inside('保存').click()
    await line('名称').getByRole('radio', { name: '名称 现在的' }).check()
    await inside('按所选保存').click()
    await toast(page, '已保存').waitFor()
    await gone()
    expect((await now()).name).toBe('别人的第二个')
    await open('编辑')
    await field('名称').fill('我的第三个')
    await change({ name: '别人的第三个' })
    await inside('保存').click()
    await inside('看最新的').click()
    await gone()
    await page.locator('.facts').getByText('别人的第三个').waitFor()
  })
})
