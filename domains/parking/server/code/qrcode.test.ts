import { createHmac } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import pg from 'pg'
import sharp from 'sharp'
import { run } from '../../../../platform/server/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photoOf } from '../../../../tests/support/qrPhoto.ts'
import { formOf } from '../../../../tests/support/sheets.ts'
import { aPark } from '../factories.ts'
import { textIn } from './qrPhoto.ts'
import { aGround, type Field, type Ground } from '../testing.ts'

let ground: Ground
let field: Field
beforeAll(async () => {
  ground = await aGround()
  field = await ground.field()
})
afterAll(() => ground.server.close())

const PLATE = '鄂F12345'
interface Shown {
  id: string
  code: string
  shortCode: string
  versionNo: number
  target: number
  targetCode: string
}
const codes = async (parkCode: string, token = ground.admin): Promise<Shown[]> =>
  (await ground.ask(token, '/device/qrcode/query', { parkCode })).data.records
const codeOf = async (parkCode: string, token = ground.admin) => (await codes(parkCode, token)).find(({ target }) => target === 1)!
const scan = (code: string) => ground.ask(null, '/business/order/scan', { code, plateNo: PLATE }, 'GET')
/** The setting that says where codes may lead. */
const allowed = (hosts: string) =>
  field.write((tx) =>
    run(
      tx,
      {
        sql: `insert into system.configuration (name, value, updated_by) values ('qrHosts', to_jsonb($1::text), 'test') on conflict (name) do update set value = excluded.value`,
      },
      [hosts],
    ),
  )
const change = (body: object) => ground.ask(ground.admin, '/device/qrcode/updateQrUrl', body)

test('a park and its gates have their codes from the beginning; each is its short code, its edition and a signature over both', async () => {
  const shown = await codes(field.parkCode)
  expect(shown.map(({ target }) => target).sort()).toEqual([1, 2, 2])
  const owner = new pg.Client(ground.server.ownerUrl)
  await owner.connect()
  const { rows } = await owner.query<{ key: Buffer }>('select key from parking.qr_key')
  await owner.end()
  for (const { code, shortCode, versionNo } of shown) {
    const signature = createHmac('sha256', rows[0]!.key).update(`${shortCode}.${versionNo}`).digest('base64url').slice(0, 16)
    expect(code).toBe(`${shortCode}.${versionNo}.${signature}`)
  }
})
test('the application cannot read the key', async () => {
  await expect(
    field.write((tx) =>
      tx
        .selectFrom('parking.qr_key' as never)
        .selectAll()
        .execute(),
    ),
  ).rejects.toThrow(/permission denied/)
})
test('a code shows what waits at its own place: not at the park of the same code of another company, nor at another park', async () => {
  await ground.server.house.writing(2, 'test', (tx) => aPark(tx, { parkCode: field.parkCode }))
  await field.enters(PLATE, 0)
  await field.exits(PLATE, 90)
  const [mine, theirs, other] = [
    await codeOf(field.parkCode),
    await codeOf(field.parkCode, ground.other),
    await codeOf((await ground.field()).parkCode),
  ]
  const { data: due } = await scan(mine.code)
  expect(due).toMatchObject([{ plateNo: PLATE, payableFen: 1000, parkCode: field.parkCode }])
  expect((await scan(theirs.code)).data).toEqual([])
  expect((await scan(other.code)).data).toEqual([])
  const pays = (code: string) => ground.ask(null, '/business/order/scanPay', { code, orderNo: due[0].orderNo, payMethod: 4 })
  expect([(await pays(theirs.code)).status, (await pays(other.code)).status]).toEqual([404, 404])
})
test('a forged code is refused: another edition, another signature, no code at all, and letters where numbers stand', async () => {
  const { code, shortCode, versionNo } = await codeOf(field.parkCode)
  const signature = code.split('.')[2]!
  for (const forged of [
    `${shortCode}.${versionNo + 1}.${signature}`,
    `${shortCode}.${versionNo}.${'A'.repeat(16)}`,
    field.parkCode,
    `${shortCode}.x.${signature}`,
    `${shortCode}.99999999.${signature}`,
  ])
    expect([forged, (await scan(forged)).status]).toEqual([forged, 422])
})
test('a new edition leaves what hangs outside good, until the earlier ones are revoked', async () => {
  const first = await codeOf(field.parkCode)
  expect((await change({ ids: [first.id], reissue: true })).data).toMatchObject([{ versionNo: first.versionNo + 1 }])
  const second = await codeOf(field.parkCode)
  expect([(await scan(first.code)).status, (await scan(second.code)).status]).toEqual([200, 200])
  await change({ ids: [first.id], revokeOld: true })
  const third = await codeOf(field.parkCode)
  expect([(await scan(first.code)).status, (await scan(second.code)).status, (await scan(third.code)).status]).toEqual([422, 422, 200])
})
test('an address is a path of this server or https at an allowed host; one unknown code changes none of them', async () => {
  const { id } = await codeOf(field.parkCode)
  const refused = ['https://pay.example.com/park', 'https://pay.example.com@evil.example/', 'https://pay.example.com.evil.example/']
  for (const landUrl of refused) expect([landUrl, (await change({ ids: [id], landUrl })).status]).toEqual([landUrl, 422])
  for (const landUrl of ['//evil.example/', '/\\evil.example/', 'http://pay.example.com/'])
    expect([landUrl, (await change({ ids: [id], landUrl })).status]).toEqual([landUrl, 400])
  expect((await change({ ids: [id], landUrl: '/pay?from=gate' })).data).toMatchObject([{ landUrl: '/pay?from=gate' }])
  await allowed('pay.example.com')
  for (const landUrl of refused.slice(1)) expect([landUrl, (await change({ ids: [id], landUrl })).status]).toEqual([landUrl, 422])
  expect((await change({ ids: [id], landUrl: 'javascript:alert(1)' })).status).toBe(400)
  expect((await change({ ids: [id], landUrl: 'https://pay.example.com/park' })).data).toMatchObject([{ landUrl: 'https://pay.example.com/park' }])
  const strange = '01900000-0000-7000-8000-000000000000'
  expect((await change({ ids: [id, strange], landUrl: 'https://pay.example.com/else' })).status).toBe(404)
  expect(await codeOf(field.parkCode)).toMatchObject({ landUrl: 'https://pay.example.com/park' })
})

async function uploaded(bytes: Uint8Array): Promise<string> {
  const { data } = await ground.server.ask(ground.admin, 'POST', '/lbs/basic/file/upload', formOf('code.jpg', bytes))
  return data.url
}
const savePhoto = (id: string, photo: string, token = ground.admin) => ground.ask(token, '/device/qrcode/saveQRPhoto', { id, photo })
const ADDRESS = 'https://parking.example.com/q/'

test('a photograph is kept when it shows this code as it is now; a new edition has none yet', async () => {
  const mine = await codeOf(field.parkCode)
  const photo = await uploaded(await photoOf(ADDRESS + mine.code))
  expect((await savePhoto(mine.id, photo)).data).toMatchObject({ id: mine.id, photo })
  expect(await codeOf(field.parkCode)).toMatchObject({ photo })
  expect((await change({ ids: [mine.id], reissue: true })).data).toMatchObject([{ photo: null }])
})
test('a photograph of an old edition, of a forged code, of another place, of no code or of nobody is refused, and nothing is kept', async () => {
  const mine = await codeOf(field.parkCode)
  const [before, signature] = [mine.versionNo - 1, mine.code.split('.')[2]!]
  const other = await codeOf((await ground.field()).parkCode)
  const refused: [what: string, photo: string, code: number][] = [
    ['an old edition', await uploaded(await photoOf(`${ADDRESS}${mine.shortCode}.${before}.${signature}`)), 40884],
    ['forged', await uploaded(await photoOf(`${ADDRESS}${mine.shortCode}.${mine.versionNo}.${'A'.repeat(16)}`)), 40883],
    ['another place', await uploaded(await photoOf(ADDRESS + other.code)), 40883],
    ['some other text', await uploaded(await photoOf('https://example.com/menu')), 40883],
    [
      'no code',
      await uploaded(
        await sharp({ create: { width: 300, height: 300, channels: 3, background: '#789' } })
          .jpeg()
          .toBuffer(),
      ),
      40882,
    ],
    ['no picture of ours', '/lbs/basic/sysFile/download?fileName=none.jpg', 40881],
    ['an address elsewhere', 'https://evil.example/a.jpg', 40881],
  ]
  for (const [what, photo, code] of refused) expect([what, (await savePhoto(mine.id, photo)).code]).toEqual([what, code])
  expect((await savePhoto(mine.id, refused[2]![1], ground.other)).status).toBe(404)
  expect(await codeOf(field.parkCode)).toMatchObject({ photo: null, versionNo: mine.versionNo })
})
test('a revoked code takes no photograph and leads nowhere', async () => {
  const gone = await codeOf((await ground.field()).parkCode)
  const photo = await uploaded(await photoOf(ADDRESS + gone.code))
  await field.write((tx) => run(tx, { sql: 'update parking.qrcode set status = 2 where id = $1' }, [gone.id]))
  expect((await savePhoto(gone.id, photo)).code).toBe(40885)
  expect((await opened(gone.code)).status).toBe(404)
})
test('a huge picture is read without holding the server up', async () => {
  const mine = await codeOf(field.parkCode)
  const photo = await uploaded(await photoOf(ADDRESS + mine.code, { side: 6_800 }))
  const held = monitorEventLoopDelay({ resolution: 5 })
  held.enable()
  expect((await savePhoto(mine.id, photo)).status).toBe(200)
  held.disable()
  expect(held.percentile(90) / 1e6).toBeLessThan(50)
})

const opened = (code: string) => fetch(`${ground.server.url}/q/${code}`, { redirect: 'manual' })
test('whoever opens a printed code is sent where it leads, and counted; without an address its place is named', async () => {
  const { parkCode } = await ground.field({ name: '南湖广场' })
  const { id, code } = await codeOf(parkCode)
  const named = await opened(code)
  expect([named.status, await named.text()]).toEqual([200, expect.stringContaining('南湖广场')])
  await change({ ids: [id], landUrl: 'https://pay.example.com/here?a=1' })
  const sent = await opened(code)
  expect([sent.status, sent.headers.get('location')]).toEqual([302, 'https://pay.example.com/here?a=1'])
  await allowed('else.example.com')
  expect((await opened(code)).status).toBe(200)
  expect(await codeOf(parkCode)).toMatchObject({ scans: 3 })
})
test('a forged code, and one of a revoked edition, opens a page that says so in both languages', async () => {
  const first = await codeOf(field.parkCode)
  await change({ ids: [first.id], revokeOld: true })
  for (const bad of [first.code, `${first.shortCode}.1.${'A'.repeat(16)}`, 'nothing', '%3Cscript%3E']) {
    const page = await opened(bad)
    const text = await page.text()
    expect([bad, page.status]).toEqual([bad, 404])
    expect(text).toContain('二维码无效')
    expect(text).toContain('This code is not valid')
    expect(text).not.toContain('<script')
  }
})
test('the sheets to print carry each good code of the search, its name, number and edition, and what they show is read back', async () => {
  const { parkCode } = await ground.field()
  await field.write((tx) => run(tx, { sql: `update parking.park set name = '<b>湖滨' where park_code = $1` }, [parkCode]))
  const [one, revoked] = (await codes(parkCode)).filter(({ target }) => target === 2)
  await field.write((tx) => run(tx, { sql: 'update parking.qrcode set status = 2 where id = $1' }, [revoked!.id]))
  const reply = await fetch(`${ground.server.url}/lbs/device/qrcode/parkQrCodeExport?parkCode=${parkCode}&format=print`, {
    headers: { authorization: `Bearer ${ground.admin}` },
  })
  expect(reply.headers.get('content-type')).toContain('text/html')
  const html = await reply.text()
  expect(html).toContain('&lt;b>湖滨')
  expect(html).toContain('第 1 版')
  const figures = html.match(/<figure>.*?<\/figure>/g)!
  expect(figures.length).toBe(2)
  const gate = figures.find((figure) => figure.includes(one!.targetCode))!
  const drawing = gate.match(/<svg.*<\/svg>/)![0].replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"')
  expect(await textIn(await sharp(Buffer.from(drawing)).png().toBuffer())).toBe(`${ground.server.url}/q/${one!.code}`)
})
