import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileFiles } from '../support/hostile.ts'
import { type Console, openConsole, poll, toast } from './console.ts'

let shown: Console
let page: Page
const thrown: string[] = []
beforeAll(async () => {
  shown = await openConsole()
  page = await shown.as('admin')
  page.on('pageerror', (error) => thrown.push(error.message))
})
afterAll(() => shown?.close())
const block = async (key: string, more = '') => {
  await page.goto(`/dist/demo/page3?block=${key}${more}`)
  await page.locator(`section[data-block=${key}]`).waitFor()
}

describe('pictures and attachments', () => {
  const UPLOAD = '**/file/upload'
  const pictures = () => page.locator('.image-upload')
  const chooser = () => pictures().locator('input[type=file]')
  const taken = () => pictures().locator('[data-picture] img')
  const addresses = () => taken().evaluateAll((all) => all.map((one) => one.getAttribute('src')))
  const picture = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer()
  const put = (...files: { name: string; mimeType: string; buffer: Buffer }[]) => chooser().setInputFiles(files)
  const aPicture = async (name: string, color: string) => ({ name, mimeType: 'image/png', buffer: await picture(color) })

  test('upload.type upload.size: another kind and what is too large are not even sent', async () => {
    await block('uploads')
    await pictures().waitFor()
    let sent = 0
    page.on('request', (request) => void (sent += request.url().endsWith('/file/upload') ? 1 : 0))
    await put({ name: 'moving.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
    await toast(page, '上传图片只能是 JPG,JPEG,PNG 格式!').waitFor()
    await put({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(21 * 1024 * 1024) })
    await toast(page, '上传图片大小不能超过 20MB!').waitFor()
    expect([sent, await taken().count()]).toEqual([0, 0])
    page.removeAllListeners('request')
  })
  test('what only calls itself a picture is refused by its bytes, stays with its reason, and can be taken away', async () => {
    const all = await hostileFiles()
    const bad = [
      'a page called .jpg',
      'a drawing with scripts called .png',
      'the first bytes of a PNG before a page',
      'a flood of pixels',
      'a zip bomb called a picture',
      'nothing at all',
    ].map((what) => all.find((one) => one.what === what)!)
    expect(bad.every(Boolean)).toBe(true)
    for (const { name, bytes } of bad) {
      const answered = page.waitForResponse(UPLOAD)
      await put({ name, mimeType: name.endsWith('.png') ? 'image/png' : 'image/jpeg', buffer: bytes })
      expect((await answered).status()).toBe(422)
      const failed = pictures().locator('[data-sending=failed]')
      await failed.waitFor()
      expect((await failed.innerText()).trim()).not.toBe('')
      await failed.getByRole('button', { name: '取消' }).click()
      await failed.waitFor({ state: 'detached' })
    }
    expect(await taken().count()).toBe(0)
  })
  test('upload.preview: pictures are taken in their order, moved, enlarged and removed; an upload that fails is tried again', async () => {
    await put(await aPicture('red.png', '#C0392B'), await aPicture('green.png', '#27AE60'), await aPicture('blue.png', '#2E86C1'))
    await poll(() => taken().count()).toBe(3)
    const first = await addresses()
    await pictures().locator('[data-picture]').nth(2).getByRole('button', { name: '前移' }).click()
    await poll(addresses).toEqual([first[0], first[2], first[1]])
    expect(await pictures().locator('[data-picture]').nth(0).getByRole('button', { name: '前移' }).isDisabled()).toBe(true)
    await taken().nth(1).click({ force: true })
    await page.locator('.ant-image-preview img').first().waitFor()
    expect(await page.locator('.ant-image-preview img').first().getAttribute('src')).toBe(first[2])
    await page.keyboard.press('Escape')
    await page.locator('.ant-image-preview img').first().waitFor({ state: 'hidden' })
    await pictures().locator('[data-picture]').nth(0).getByRole('button', { name: '移除' }).click()
    await poll(addresses).toEqual([first[2], first[1]])
    await page.route(UPLOAD, (route) => route.abort('connectionrefused'))
    await put(await aPicture('late.png', '#8E44AD'))
    const failed = pictures().locator('[data-sending=failed]')
    await failed.waitFor()
    await page.unroute(UPLOAD)
    await failed.getByRole('button', { name: '重试' }).click()
    await poll(() => taken().count()).toBe(3)
  })
  test('upload.count: at most 20', async () => {
    const one = await aPicture('more.png', '#34495E')
    await put(...Array.from({ length: 18 }, (_, n) => ({ ...one, name: `more-${n}.png` })))
    await toast(page, '最多上传 20 张图片').waitFor()
    await expect.poll(() => taken().count(), { timeout: 20_000 }).toBe(20)
    expect(await page.getByRole('button', { name: /上传图片/ }).count()).toBe(0)
    expect(await chooser().isDisabled()).toBe(true)
  })
  test('attachments: known by their content, named, saved rather than shown, removed', async () => {
    const files = page.locator('.file-upload')
    const give = (name: string, buffer: Buffer) =>
      files.locator('input[type=file]').setInputFiles([{ name, mimeType: 'application/octet-stream', buffer }])
    await give('setup.exe', Buffer.from('MZ'))
    await toast(page, '不能上传「setup.exe」').waitFor()
    await give('规则.txt', Buffer.from('每小时 5 元'))
    const line = files.locator('[data-attachment]')
    await line.getByText('规则.txt').waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), line.getByText('规则.txt').click()])
    expect(file.suggestedFilename()).toBe('规则.txt')
    await give('x.pdf', Buffer.from('<script>alert(1)</script>'))
    await files.locator('[data-sending=failed]').waitFor()
    await line.getByRole('button', { name: '移除 规则.txt' }).click()
    await line.waitFor({ state: 'detached' })
  })
})

describe('formatted text', () => {
  const editor = () => page.locator('[data-rich-editor] [contenteditable=true]')
  const HOSTILE = [
    '<p onclick="window.executed=1">kept</p><script>window.executed=2</script>',
    '<img src="x" onerror="window.executed=3"><img src="https://evil.example/pixel.png">',
    '<a href="javascript:window.executed=4">link</a><a href="https://example.org/">good</a>',
    '<svg onload="window.executed=5"><circle/></svg><iframe srcdoc="<script>parent.executed=6</script>"></iframe>',
    '<style>*{display:none}</style><p style="position:fixed;inset:0">over all</p><form action="https://evil.example"><input name="password"></form>',
    '<math><mtext><table><mglyph><style><img src=x onerror="window.executed=7"></style></mglyph></table></mtext></math>',
  ]
  test('a hostile paste loses what runs, what calls home and what covers; the words and good links stay', async () => {
    await block('rich')
    await editor().click()
    await page.keyboard.press('Control+A')
    const called: string[] = []
    page.on('request', (request) => request.url().includes('evil.example') && called.push(request.url()))
    for (const html of HOSTILE)
      await editor().evaluate((node, text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', text)
        clipboardData.setData('text/plain', 'plain')
        node.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, html)
    for (const place of [editor(), page.locator('[data-shown]')]) {
      await place.getByText('kept').first().waitFor()
      const html = await place.innerHTML()
      expect(html).not.toMatch(/<script|onerror|onclick|onload|javascript:|<iframe|<svg|<style|<form|<input|position:|evil\.example/i)
      expect(await place.locator('a[href="https://example.org/"]').first().getAttribute('rel')).toContain('noopener')
    }
    expect(await page.evaluate(() => (globalThis as { executed?: number }).executed)).toBeUndefined()
    expect(called).toEqual([])
    page.removeAllListeners('request')
  })
  test('editor.rich-text limits.editor-height: is written by keyboard and by tools; what is shown is what was written', async () => {
    await editor().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Control+B')
    await page.keyboard.type('粗体')
    await page.locator('[data-shown] strong', { hasText: '粗体' }).waitFor()
    expect((await page.locator('[data-rich-editor]').boundingBox())!.height).toBeGreaterThanOrEqual(400)
    await page.locator('[data-rich-editor]').getByRole('button', { name: '无序列表' }).click()
    await page.locator('[data-shown] li', { hasText: '粗体' }).waitFor()
    await page.keyboard.press('Control+Z')
    await poll(() => page.locator('[data-shown] li').count()).toBe(0)
  })
})

describe('trees', () => {
  test('tree.filter tree.filter-optional: typing keeps what matches and marks it; a tree without a filter has no box', async () => {
    await block('trees')
    const tree = page.getByRole('tree', { name: '区划', exact: true })
    const panel = page.locator('.panel').first()
    await tree.getByText('樊城区').waitFor()
    await panel.getByLabel('名称').fill('樊')
    await tree.locator('mark', { hasText: '樊' }).waitFor()
    await tree.getByText('武昌区').waitFor({ state: 'detached' })
    expect(await tree.getByText('襄阳市').count()).toBe(1)
    await panel.getByLabel('名称').fill('没有的')
    await panel.getByText('没有匹配的项').waitFor()
    await panel.getByLabel('名称').fill('')
    expect(await page.locator('.panel', { hasText: '打开时才取' }).getByRole('textbox', { name: '名称' }).count()).toBe(0)
  })
  test('what stands on one level stands at one line, with branches or without', async () => {
    await block('trees')
    const tree = page.getByRole('tree', { name: '区划', exact: true })
    await tree.getByText('樊城区').waitFor()
    const left = async (name: string) => (await tree.locator('.ant-tree-node-content-wrapper', { hasText: name }).boundingBox())!.x
    expect(await left('仙桃市')).toBe(await left('武汉市'))
    expect(await left('襄城区')).toBeGreaterThan(await left('襄阳市'))
  })
  test('by keyboard alone: arrows walk, open and fold; Enter chooses; ticks follow their branch', async () => {
    const tree = page.getByRole('tree', { name: '区划', exact: true })
    await tree.focus()
    const stands = (name: string) => tree.locator('.ant-tree-treenode-active', { hasText: name }).waitFor()
    const walks = async (key: string, to: string) => {
      await page.keyboard.press(key)
      await stands(to)
    }
    await stands('湖北省')
    await walks('ArrowDown', '襄阳市')
    await walks('ArrowDown', '襄城区')
    await page.keyboard.press('Enter')
    await poll(() => page.locator('[data-chosen]').textContent()).not.toBe('--')
    await walks('ArrowLeft', '襄阳市')
    await page.keyboard.press('ArrowLeft')
    await tree.getByText('樊城区').waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await tree.getByText('樊城区').waitFor()
    const ticks = page.locator('.panel').nth(1)
    await ticks.locator('.ant-tree-treenode', { hasText: '襄阳市' }).locator('.ant-tree-checkbox').click()
    await poll(async () => (await page.locator('[data-checked]').textContent())!.split(', ').sort().join()).toBe('420602,420606,420607')
  })
  test('a branch is asked for when it is opened', async () => {
    const floors = page.locator('.panel').nth(2)
    await floors.locator('.ant-tree-switcher').first().click()
    await floors.getByText('A-3').waitFor()
  })
})

describe('maps', () => {
  const ready = () => page.locator('.place-map[data-map=ready]').waitFor({ timeout: 20_000 })
  test('points in view are listed, a cluster opens, a point is chosen; nothing is asked of anybody else', async () => {
    const elsewhere: string[] = []
    page.on(
      'request',
      (request) => !request.url().startsWith(shown.server.url) && !/^(blob|data):/.test(request.url()) && elsewhere.push(request.url()),
    )
    await block('map')
    await ready()
    await page.getByRole('button', { name: /列表$/ }).click()
    const panel = page.locator('.map-panel')
    await panel.getByText('共 40 个').waitFor()
    await panel.getByRole('button', { name: 'L-007' }).click()
    await poll(() => page.locator('.place-map + [data-chosen]').textContent()).toBe('选中 L7')
    await panel.getByRole('button', { name: '关闭' }).click()
    // Three stand on one spot in the middle: looked at as closely as can be, their circle opens into a list.
    const canvas = page.locator('.place-map canvas')
    const box = (await canvas.boundingBox())!
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    for (let tries = 0; tries < 12 && (await panel.count()) === 0; tries++) {
      await page.mouse.click(middle.x, middle.y)
      await panel.waitFor({ timeout: 1_500 }).catch(() => {})
    }
    await panel.getByText('共 3 个').waitFor()
    expect(elsewhere).toEqual([])
    page.removeAllListeners('request')
  })
  test('another language sets its names anew: the same map, where it stood', async () => {
    await block('map')
    await ready()
    const canvas = page.locator('.place-map canvas')
    await canvas.evaluate((one) => (one.dataset['same'] = 'yes'))
    await page.getByRole('button', { name: '放大', exact: true }).click()
    await page.getByRole('button', { name: 'English', exact: true }).click()
    await page.getByRole('button', { name: 'Zoom in', exact: true }).waitFor()
    expect(await canvas.evaluate((one) => [one.dataset['same'], one.getAttribute('aria-label')])).toEqual(['yes', 'Device locations'])
    await page.getByRole('button', { name: '中文', exact: true }).click()
  })
  test('bears 20,000 points', async () => {
    await page.goto('/dist/index')
    const begun = Date.now()
    await block('map', '&points=20000')
    await ready()
    const drawn = Date.now() - begun
    const frames = page.evaluate(
      () =>
        new Promise<number[]>((done) => {
          const gaps: number[] = []
          let last = performance.now()
          const end = last + 2_000
          const frame = (now: number) => {
            gaps.push(now - last)
            last = now
            if (now < end) requestAnimationFrame(frame)
            else done(gaps)
          }
          requestAnimationFrame(frame)
        }),
    )
    const box = (await page.locator('.place-map canvas').boundingBox())!
    await page.mouse.move(box.x + 300, box.y + 200)
    await page.mouse.down()
    for (let at = 0; at < 30; at++) await page.mouse.move(box.x + 300 + at * 8, box.y + 200 + at * 3)
    await page.mouse.up()
    const gaps = await frames
    console.log(
      `20,000 points: drawn ${drawn} ms after the page was asked for; ${Math.round(gaps.length / 2)} frames a second while panned, the longest ${Math.round(Math.max(...gaps))} ms`,
    )
    expect(drawn).toBeLessThan(20_000)
    expect(gaps.length).toBeGreaterThan(2)
  })
})

test('limits.qr-sizes qrcode.download: a code is shown at 300 and saved as a picture of 512 under its name', async () => {
  await block('qr')
  await page.getByRole('button', { name: /显示二维码/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('P001 · A-017').waitFor()
  const code = dialog.locator('figure canvas')
  expect(await code.evaluate((one) => Math.round(one.getBoundingClientRect().width))).toBe(300)
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: /下载/ }).click()])
  expect(file.suggestedFilename()).toBe('P001-A-017.png')
  const { width, height } = await sharp(await file.path()).metadata()
  expect([width, height]).toEqual([512, 512])
  expect(thrown).toEqual([])
})
