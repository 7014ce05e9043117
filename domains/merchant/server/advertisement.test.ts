import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepUpload, recordUpload } from '../../system/server/api.ts'
import { onSigns } from './advertisement.ts'
import { aMarket, type Market } from './testing.ts'

let town: Market
let second: string
let third: string
let code: string
beforeAll(async () => {
  town = await aMarket()
  await town.sql(`update identity.person_role p set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') limit 1)
    where p.person_id in (select id from identity.person where username in ('auditor', 'operator'))`)
  second = await town.server.signIn('auditor')
  third = await town.server.signIn('operator')
  code = await town.codeOf('P001')
})
afterAll(() => town.close())
/** One green point. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString()
const add = async (more: object = {}) =>
  (
    await town.business('/advertisement/add', {
      name: '春节优惠',
      slot: 2,
      media: '/lbs/basic/file/a?fileName=a.png',
      startAt: hours(-1),
      endAt: hours(1),
      ...more,
    })
  ).data
const update = (one: any, more: object, token?: string) =>
  town.business('/advertisement/update', { id: one.id, version: one.version, ...more }, token)
const serve = async (slot = 2) => (await town.server.ask(null, 'POST', '/lbs/business/advertisement/serve', { code, slot })).data
const on = async (more: object = {}) => (await update((await update(await add(more), { act: 1 })).data, { act: 2 }, second)).data

test('another person passes it; a new picture is looked at again', async () => {
  const draft = await add()
  expect(draft.status).toBe(0)
  expect(await update(draft, { act: 2 }, second)).toMatchObject({ code: 40010 })
  const sent = (await update(draft, { act: 1 })).data
  expect(await update(sent, { act: 2 })).toMatchObject({ code: 41750 })
  const rejected = (await update(sent, { act: 3, verdict: '图片不清' }, second)).data
  expect(rejected).toMatchObject({ status: 4, verdict: '图片不清', auditorName: expect.any(String) })
  const passed = (await update((await update(rejected, { act: 1 })).data, { act: 2 }, second)).data
  expect(passed.status).toBe(2)
  expect((await update(passed, { name: '春节大优惠' })).data.status).toBe(2)
  const [now] = (await town.business('/advertisement/find', { name: '大优惠' })).data.records
  const changed = (await update(now, { media: '/lbs/basic/file/a?fileName=b.png' })).data
  expect(changed.status).toBe(1)
  expect((await town.server.ask(town.admin, 'GET', '/lbs/business/advertisement/del', { id: changed.id })).code).toBe(40010)
  expect(await update(changed, { startAt: hours(2), endAt: hours(1) })).toMatchObject({ code: 41751 })
})

test('the words on a lane’s sign are looked at again as a picture is', async () => {
  const sign = await on({ slot: 3, name: '欢迎光临' })
  const weightier = (await update(sign, { weight: 9 })).data
  expect(weightier.status).toBe(2)
  expect((await update(weightier, { name: '谁也没看过' })).data.status).toBe(1)
  const page = await on({ name: '谁也没看过' })
  expect((await update(page, { slot: 3 })).data.status).toBe(1)
  expect((await update(await on({ slot: 3 }), { slot: 2 })).data.status).toBe(1)
})

test('whoever changed it since it was last passed does not pass it, though another changed it after', async () => {
  const draft = await add()
  const bySecond = (await update(draft, { link: 'https://mall.example/now' }, second)).data
  const byAuthor = (await update(bySecond, { weight: 3 })).data
  const sent = (await update(byAuthor, { act: 1 })).data
  expect(await update(sent, { act: 2 }, second)).toMatchObject({ code: 41750, message: '不能审核自己提交或修改过的广告；请由他人审核' })
  expect(await update(sent, { act: 3, verdict: '图片不清' }, second), 'nor rejects it').toMatchObject({ code: 41750 })
  expect(await update(sent, { act: 2 }), 'nor does who made it').toMatchObject({ code: 41750 })
  const rejected = (await update(sent, { act: 3, verdict: '图片不清' }, third)).data
  const again = (await update(rejected, { act: 1 })).data
  expect(await update(again, { act: 2 }, second), 'a rejection forgets nobody').toMatchObject({ code: 41750 })
  const passed = (await update(again, { act: 2 }, third)).data
  expect(passed).toMatchObject({ status: 2 })
  const changed = (await update(passed, { link: 'https://mall.example/later' }, third)).data
  expect(await update(changed, { act: 2 }, third)).toMatchObject({ code: 41750 })
  expect((await update(changed, { act: 2 }, second)).data, 'what was passed is nobody’s change any more').toMatchObject({ status: 2 })
})

test('it is shown within its window, by its weight, at the place whose code was scanned', async () => {
  expect(await serve(1)).toEqual([])
  const [much, little] = [await on({ slot: 1, weight: 3, name: '多' }), await on({ slot: 1, weight: 1, name: '少', regions: ['420600'] })]
  await on({ slot: 1, name: '别处', regions: ['420100'] })
  const shown: string[] = []
  for (let i = 0; i < 8; i++) shown.push((await serve(1))[0].name)
  expect(shown.filter((name) => name === '多')).toHaveLength(6)
  expect(shown.filter((name) => name === '少')).toHaveLength(2)
  const rows = (await town.business('/advertisement/find', { slot: [1] })).data.records
  expect(rows.find(({ id }: any) => id === much.id).shows).toBe(6)
  await town.sql(`update merchant.advertisement set end_at = now() - interval '1 minute', start_at = now() - interval '1 hour' where id = any($1)`, [
    [much.id, little.id],
  ])
  expect(await serve(1)).toEqual([])
  const over = (await town.business('/advertisement/find', { slot: [1], status: [3] })).data.records
  expect(over.map(({ id }: any) => id).sort()).toEqual([much.id, little.id].sort())
  expect((await town.server.ask(town.admin, 'GET', '/lbs/business/advertisement/del', { id: much.id })).status).toBe(200)
  expect((await town.server.ask(null, 'POST', '/lbs/business/advertisement/serve', { code: 'nothing', slot: 1 })).status).toBe(404)
})

test('its picture is for everybody at a scanned place while it is on, and no other file is; a sign has its name', async () => {
  const kept = await keepUpload({ name: 'wash.png', bytes: PNG })
  const media = await town.server.house.writing(1, 'test', (tx) => recordUpload(tx, kept, { author: null }))
  const one = await on({ slot: 1, name: '洗车八折', media })
  const [shown] = await serve(1)
  expect(shown).toMatchObject({ id: one.id, media: `/lbs/business/advertisement/picture?code=${code}&fileName=${kept.name}` })
  const read = (address: string) =>
    fetch(`${town.server.url}${address}`).then(async (reply) => [
      reply.status,
      reply.headers.get('content-type'),
      (await reply.arrayBuffer()).byteLength,
    ])
  expect(await read(shown.media)).toEqual([200, 'image/png', kept.bytes])
  expect((await read(shown.media.replace(kept.name, 'other.png')))[0]).toBe(404)
  expect((await read(shown.media.replace(code, 'nothing')))[0]).toBe(404)
  const sign = () => town.server.house.writing(1, 'test', (tx) => onSigns(tx, { parkCode: 'P001' }))
  expect(await sign()).toBeUndefined()
  await on({ slot: 3, name: '满五十减五' })
  expect(await sign()).toBe('满五十减五')
  await update(one, { act: 4 })
  expect((await read(shown.media))[0]).toBe(404)
})

test('a region stays until the last advertisement for it has ended', async () => {
  const basic = (path: string, body: object) => town.server.ask<any>(town.admin, 'POST', `/lbs/basic/tSysRegion${path}`, body)
  const code = '420607902'
  expect((await basic('/addRegion', { code, name: '广告区', rank: 4, parentCode: '420607' })).status).toBe(200)
  const one = await add({ regions: ['420606', code] })
  expect(await update(one, { regions: ['429999'] })).toMatchObject({ code: 40147 })
  expect(await basic('/deleteRegion', { code, version: 1 })).toMatchObject({ status: 409, message: '不能删除：有未到期的广告投放在该区划' })
  expect((await update(one, { startAt: hours(-3), endAt: hours(-2) })).status).toBe(200)
  expect((await basic('/deleteRegion', { code, version: 1 })).status).toBe(200)
})
