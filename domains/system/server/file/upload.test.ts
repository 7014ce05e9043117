import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { hostileFiles, zip } from '../../../../tests/support/hostile.ts'
import { keepBytes } from './store.ts'
import { sweepFiles } from './sweep.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const upload = (bytes: Uint8Array, name: string, { only, headers }: { only?: 'picture'; headers?: Record<string, string> } = {}) => {
  const form = new FormData()
  if (only) form.set('only', only)
  form.set('file', new Blob([bytes as never]), name)
  return server.ask(admin, 'POST', '/lbs/basic/file/upload', form, headers)
}
const picture = (background: string) =>
  sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer()
const store = () => path.join(server.house.config.dataDir, 'files')
const stored = () => (existsSync(store()) ? readdirSync(store(), { recursive: true, withFileTypes: true }).filter((one) => one.isFile()) : [])

test.each([
  ['规程.pdf', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
  ['清单.csv', Buffer.from('﻿编号,名称\n1,甲'), 'text/csv; charset=utf-8'],
  ['清单.txt', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), 'text/plain; charset=utf-8'],
  ['旧表.XLS', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0]), 'application/vnd.ms-excel'],
  [
    '说明.docx',
    zip([
      ['[Content_Types].xml', '<Types/>'],
      ['word/document.xml', '<w/>'],
    ]),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
])('calls.upload: %s is kept as it is and handed out to be saved, in a document of no origin', async (name, bytes, type) => {
  const { data, status } = await upload(bytes, name)
  expect(status).toBe(200)
  const got = await server.ask(admin, 'GET', data.url)
  expect(got.data).toEqual(bytes)
  expect(got.headers.get('content-type')).toBe(type)
  expect(got.headers.get('content-disposition')).toContain(`attachment; filename="`)
  expect(got.headers.get('content-disposition')).toContain(encodeURIComponent(name))
  expect(got.headers.get('content-security-policy')).toContain('sandbox')
  expect((await upload(bytes, name, { only: 'picture' })).message).toBe('上传图片只能是 JPG,JPEG,PNG 格式!')
})

test('a picture keeps of its remarks which way is up, and nothing else: not where it was taken, not by what', async () => {
  const taken = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#409EFF' } })
    .jpeg()
    .withExif({ IFD0: { Make: 'Camera & Sons' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '32/1 5/1 13/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect(taken.toString('latin1')).toContain('Camera & Sons')
  const { data } = await upload(taken, 'x.jpg')
  const kept = (await server.ask(admin, 'GET', data.url)).data as Buffer
  const [before, after] = [await sharp(taken).metadata(), await sharp(kept).metadata()]
  expect([after.orientation, after.width, after.height]).toEqual([6, 30, 20])
  expect(kept.toString('latin1')).not.toContain('Camera & Sons')
  expect(after.exif!.length).toBeLessThan(before.exif!.length)
  expect(after.exif!.includes(Buffer.from([0x25, 0x88]))).toBe(false) // the pointer to the place
})

test('what the name says must be what the bytes say', async () => {
  const pdf = Buffer.from('%PDF-1.7\n')
  for (const name of ['x.docx', 'x.html', 'x.svg', 'x.exe', 'x', 'pdf', 'x.pdf.html', 'constructor', 'x.constructor'])
    expect(await upload(pdf, name), name).toMatchObject({ status: 422, code: 40144 })
  expect((await upload(Buffer.alloc(20 * 1024 * 1024 + 1, 65), 'x.txt')).message).toBe('上传文件大小不能超过 20MB!')
})

test('of sixty hostile files nothing is kept that a browser would take for anything but a picture or a download', async () => {
  const all = await hostileFiles()
  expect(all.length).toBeGreaterThanOrEqual(60)
  for (const { what, name, bytes } of all) {
    const { status, data } = await upload(bytes, name)
    expect([200, 400, 422], `${what}: ${status}`).toContain(status)
    if (status !== 200) continue
    const got = await server.ask(admin, 'GET', data.url)
    const type = got.headers.get('content-type') ?? ''
    const disposition = got.headers.get('content-disposition') ?? ''
    if (type.startsWith('image/')) expect(got.data.toString('latin1'), what).not.toContain('<script')
    else expect(disposition, what).toMatch(/^attachment/)
    expect(type, what).toMatch(/^(image\/(png|jpeg)|application\/pdf|text\/(plain|csv); charset=utf-8)$/)
    expect(got.headers.get('x-content-type-options'), what).toBe('nosniff')
  }
})

test('an upload that is tried again with its key is one file', async () => {
  const headers = { 'idempotency-key': 'one-picture-1' }
  const bytes = await picture('#0E9F9A')
  const [first, second] = [await upload(bytes, 'a.png', { headers }), await upload(bytes, 'a.png', { headers })]
  expect(second.data).toEqual(first.data)
  expect((await upload(await picture('#5B6BD6'), 'a.png', { headers })).status).toBe(409)
})

test('bytes without a row are gone after a day, those with one stay, whoever it belongs to', async () => {
  const { data: mine } = await upload(await picture('#111111'), 'a.png')
  const other = await server.signIn('otheradmin')
  const form = new FormData()
  form.set('file', new Blob([(await picture('#222222')) as never]), 'b.png')
  const { data: theirs } = await server.ask(other, 'POST', '/lbs/basic/file/upload', form)
  const lost = await keepBytes(Buffer.from('written, and then the row failed'))
  const fresh = await keepBytes(Buffer.from('written this moment'))
  const placeOf = (sha256: string) => path.join(store(), sha256.slice(0, 2), sha256)
  const before = Date.now() / 1000 - 2 * 86_400
  for (const { parentPath, name } of stored()) if (name !== fresh) utimesSync(path.join(parentPath, name), before, before)

  await server.house.writing(2, 'test', (tx) => sweepFiles.work({ house: server.house, tx, data: {}, at: new Date().toISOString() as never }))
  expect(existsSync(placeOf(lost))).toBe(true)
  await server.house.writing(1, 'test', (tx) => sweepFiles.work({ house: server.house, tx, data: {}, at: new Date().toISOString() as never }))
  expect(existsSync(placeOf(lost))).toBe(false)
  expect(existsSync(placeOf(fresh))).toBe(true)
  expect((await server.ask(admin, 'GET', mine.url)).status).toBe(200)
  expect((await server.ask(other, 'GET', theirs.url)).status).toBe(200)
  expect(await readFile(placeOf(fresh), 'utf8')).toBe('written this moment')
})
