import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { aGround, type Field, type Ground } from '../../parking/server/testing.ts'
import { addPass, addToList } from './api.ts'
import { coveredBy } from './sold/pass.ts'
import { standingOf } from './sold/standing.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

const always = { startAt: '2020-01-01T00:00:00.000Z' as Instant }
const passFor = (field: Field, plates: string[], of: Partial<Parameters<typeof addPass>[1]> = {}) =>
  field.write((tx) =>
    addPass(tx, {
      parkCode: field.parkCode,
      holder: '张三',
      plates: plates.map((plateNo) => ({ plateNo })),
      ...always,
      endAt: '2030-01-01T00:00:00.000Z' as Instant,
      ...of,
    }),
  )
const list = (body: object, path = 'insert') => ground.ask(ground.admin, `/member/member/whiteAndBlack/${path}`, body)

describe('lists at the lane', () => {
  test('white passes free, black is refused, special passes everything', async () => {
    const field = await ground.field({ entryArrears: 1 })
    const on = (plateNo: string, listType: 1 | 2 | 3) => field.write((tx) => addToList(tx, { plateNo, listType, reasonType: 1, ...always }))
    await on('鄂F20001', 1)
    await on('鄂F20002', 2)
    await on('鄂F20003', 3)
    await on('鄂F20003', 2)
    for (const plate of ['鄂F20001', '鄂F20002', '鄂F20003']) await field.enters(plate, 0)
    expect(await field.stay('鄂F20001')).toMatchObject({ carKindIn: 1 })
    expect(await field.stays('鄂F20002')).toEqual([])
    expect(await field.stay('鄂F20003')).toMatchObject({ carKindIn: 5 })
    await field.exits('鄂F20001', 300)
    expect(await field.stay('鄂F20001')).toMatchObject({ status: 2, carKindOut: 1, payState: 3, payableFen: 0 })
  })
  test('an entry that has ended, was released or is for another park is not seen', async () => {
    const field = await ground.field()
    const black = { listType: 2 as const, reasonType: 1, ...always }
    await field.write((tx) => addToList(tx, { ...black, plateNo: '鄂F20011', endAt: '2020-02-01T00:00:00.000Z' as Instant }))
    await field.write((tx) => addToList(tx, { ...black, plateNo: '鄂F20012', parkCodes: ['ELSEWHERE'] }))
    const { data } = await list({ listType: 2, plateNo: '鄂F20013', startAt: always.startAt, reasonType: 1 })
    const [entry] = data.entries
    expect((await list({ id: entry.id, version: entry.version }, 'delete')).code).toBe(200)
    for (const plate of ['鄂F20011', '鄂F20012', '鄂F20013']) {
      await field.enters(plate, 0)
      expect(await field.stay(plate)).toMatchObject({ status: 1, carKindIn: 9 })
    }
    const found = await list({ plateNo: '鄂f2001' }, 'queryPage')
    expect(found.data.records.map(({ plateNo, status }: any) => [plateNo, status]).sort()).toEqual([
      ['鄂F20011', 3],
      ['鄂F20012', 1],
      ['鄂F20013', 4],
    ])
  })
  test('the same car, list, park and time is refused; black beside white is said; an end can be moved', async () => {
    const body = {
      listType: 1,
      plateNo: '鄂F20021',
      parkCodes: ['P001'],
      startAt: '2026-01-01 00:00:00',
      endAt: '2097-01-01 00:00:00',
      reasonType: 1,
    }
    const { data } = await list(body)
    expect(await list({ ...body, startAt: '2096-12-31 00:00:00', endAt: '2098-01-01 00:00:00' })).toMatchObject({ code: 41401, status: 409 })
    expect(await list({ ...body, parkCodes: [] })).toMatchObject({ code: 41401 })
    expect((await list({ ...body, startAt: '2097-01-01 00:00:00', endAt: '2098-01-01 00:00:00' })).code).toBe(200)
    expect((await list({ ...body, listType: 2 })).data.warning).toBeNull()
    expect((await list({ ...body, plateNo: '鄂F20022', listType: 2 })).code).toBe(200)
    expect((await list({ ...body, plateNo: '鄂F20022' })).data.warning).toMatch('黑名单')
    const holder = (await ground.ask(ground.admin, '/member/member/custom/insertMember', { name: '李四', phone: '13900009988' })).data.id
    const onPass = { memberId: holder, plateNo: '鄂F20022' }
    const inEnglish = { cookie: 'lang=en' }
    const added = await ground.server.ask(ground.admin, 'POST', '/lbs/member/member/custom/insertMemberCarId', onPass, inEnglish)
    expect(added.data.warning).toBe('On the black list: 鄂F20022')
    const [{ id, version }] = data.entries
    expect(await list({ id, version, endAt: '2096-06-01 00:00:00' }, 'defer')).toMatchObject({ data: { endAt: '2096-05-31T16:00:00.000Z' } })
    expect(await list({ id, version, endAt: null }, 'defer')).toMatchObject({ status: 409 })
    expect(await list({ ...body, plateNo: '京A1234' })).toMatchObject({ code: 40806 })
  })
  test('a black entry for another reason than those of the list says why, when it is added and when it is changed', async () => {
    const body = { listType: 2, plateNo: '鄂F20024', startAt: '2026-01-01 00:00:00', reasonType: 5 }
    for (const remark of [undefined, '  ']) expect((await list({ ...body, remark })).status).toBeGreaterThanOrEqual(400)
    expect(await list(body)).toMatchObject({ code: 41403, message: '原因选「其他」时，请填写备注' })
    const [{ id, version }] = (await list({ ...body, remark: '堵塞消防通道' })).data.entries
    const [theft] = (await list({ ...body, plateNo: '鄂F20025', reasonType: 4 })).data.entries
    expect(await list({ id: theft.id, version: theft.version, reasonType: 5 }, 'update')).toMatchObject({ code: 41403, status: 422 })
    expect(await list({ id, version, action: 3 }, 'update')).toMatchObject({ data: { action: 3, remark: '堵塞消防通道' } })
    const [known] = (await list({ ...body, plateNo: '鄂F20027', reasonType: 4, remark: '见通报' })).data.entries
    expect(await list({ id: known.id, version: known.version, reasonType: 5 }, 'update')).toMatchObject({ data: { reasonType: 5, remark: '见通报' } })
    expect((await list({ ...body, plateNo: '鄂F20026', listType: 1, reasonType: 4 })).code).toBe(200)
  })
  test('an entry that is moved meets no other one, whether that holds in its park or in all of them', async () => {
    const body = { listType: 1, plateNo: '鄂F20023', startAt: '2026-01-01 00:00:00', reasonType: 1 }
    const [{ id, version }] = (await list({ ...body, parkCodes: ['P001'], endAt: '2097-01-01 00:00:00' })).data.entries
    expect((await list({ ...body, startAt: '2097-06-01 00:00:00', endAt: '2098-01-01 00:00:00' })).code).toBe(200)
    for (const path of ['defer', 'update']) expect(await list({ id, version, endAt: '2097-07-01 00:00:00' }, path)).toMatchObject({ code: 41401 })
    expect((await list({ id, version, remark: '物业' }, 'update')).data).toMatchObject({ remark: '物业', endAt: '2096-12-31T16:00:00.000Z' })
    expect((await list({ id, version: version + 1, endAt: '2097-06-01 00:00:00' }, 'defer')).data).toMatchObject({
      endAt: '2097-05-31T16:00:00.000Z',
    })
  })
  test('an operator of two parks changes theirs and sees, but does not change, what holds in all', async () => {
    const custom = async (path: string, body: object) => (await ground.ask(ground.admin, `/custom${path}`, body)).data
    const role = await custom('/roleNew/roleAddNew', { name: '两个车场', dataScope: 6, grants: 2, parks: ['P001', 'P002'] })
    const made = await custom('/person/add', { username: 'twoparks', name: '某人', roleIds: [role.id] })
    await ground.server.house.writing(1, 'a test', (tx) =>
      tx.updateTable('identity.person').set({ mustChange: false }).where('id', '=', made.id).execute(),
    )
    const token = await ground.server.signIn('twoparks', made.password)
    const ask = (body: object, path = 'insert') => ground.ask(token, `/member/member/whiteAndBlack/${path}`, body)
    const body = { listType: 1, plateNo: '鄂F20031', startAt: '2026-01-01 00:00:00', reasonType: 1 }
    const mine = await ask({ ...body, parkCodes: ['P002'] })
    expect(mine.status).toBe(200)
    expect((await ask({ ...body, parkCodes: ['P009'] })).status).toBe(403)
    expect((await ask({ ...body, plateNo: '鄂F20032' })).status).toBe(403)
  })
})

describe('passes', () => {
  test('a pass admits to a full park and covers the whole stay', async () => {
    const field = await ground.field({ totalBays: 0 })
    const passId = await passFor(field, ['鄂F30001'])
    await field.enters('鄂F30001', 0)
    expect(await field.stay('鄂F30001')).toMatchObject({ carKindIn: 8, passId })
    await field.exits('鄂F30001', 300)
    expect(await field.stay('鄂F30001')).toMatchObject({ status: 2, payableFen: 0, carKindOut: 8 })
  })
  test('a pass that ends during the stay: the time after it is charged', async () => {
    const field = await ground.field()
    await passFor(field, ['鄂F30002'], { endAt: field.at(100) })
    await field.enters('鄂F30002', 0)
    await field.exits('鄂F30002', 120)
    expect(await field.stay('鄂F30002')).toMatchObject({ payableFen: 500 })
  })
  test('after a pass that has ended the free minutes are not given once more', async () => {
    const field = await ground.field()
    await passFor(field, ['鄂F30012'], { endAt: field.at(100) })
    await field.enters('鄂F30012', 0)
    await field.exits('鄂F30012', 110)
    expect(await field.stay('鄂F30012')).toMatchObject({ payableFen: 500 })
  })
  test('two cars, one seat: the first is the pass’s, the second is a temporary one', async () => {
    const field = await ground.field()
    await passFor(field, ['鄂F30003', '鄂F30004'])
    await field.enters('鄂F30003', 0)
    await field.enters('鄂F30004', 1)
    expect(await field.stay('鄂F30004')).toMatchObject({ carKindIn: 9, passId: null })
    for (const [plate, payableFen] of [
      ['鄂F30003', 0],
      ['鄂F30004', 1000],
    ] as const) {
      await field.exits(plate, 100)
      expect(await field.stay(plate)).toMatchObject({ payableFen })
    }
  })
  test('a lane says why a pass does not count: it is outside its hours, or it has run out', async () => {
    const field = await ground.field()
    await passFor(field, ['鄂F30006'], { timeWindow: 2 })
    await passFor(field, ['鄂F30007'], { endAt: '2026-03-01T16:00:00.000Z' as Instant })
    const why = async (plateNo: string) => {
      const car = { plateNo, plateColor: null, parkCode: field.parkCode, at: '2026-03-06T13:00:00.000Z' as Instant }
      return (await field.write((tx) => standingOf(tx, car as never)))!.because!.pass
    }
    expect(await why('鄂F30006')).toEqual({
      zh: expect.stringMatching(/^月卡「.+」限日间使用，现在不在时段内$/),
      en: expect.stringMatching(/valid by day only$/),
    })
    expect(await why('鄂F30007')).toEqual({
      zh: expect.stringMatching(/^月卡「.+」已于 2026-03-01 到期$/),
      en: expect.stringMatching(/expired on 2026-03-01$/),
    })
  })
  test('a second pass of the same car and park is refused, unless one is for the day and one for the night', async () => {
    const field = await ground.field()
    await passFor(field, ['鄂F30005'], { timeWindow: 2 })
    await passFor(field, ['鄂F30005'], { timeWindow: 3 })
    await expect(passFor(field, ['鄂F30005'], { timeWindow: 4 })).rejects.toMatchObject({ code: 40030 })
  })
  test.each([
    [1, [['2026-03-06T10:00:00.000Z', '2026-03-07T02:00:00.000Z']]],
    [
      2,
      [
        ['2026-03-06T10:00:00.000Z', '2026-03-06T11:00:00.000Z'],
        ['2026-03-06T23:00:00.000Z', '2026-03-07T02:00:00.000Z'],
      ],
    ],
    [
      3,
      [
        ['2026-03-06T11:00:00.000Z', '2026-03-06T16:00:00.000Z'],
        ['2026-03-06T16:00:00.000Z', '2026-03-06T23:00:00.000Z'],
      ],
    ],
    [4, [['2026-03-06T10:00:00.000Z', '2026-03-06T16:00:00.000Z']]],
  ] as const)('hours %i of a stay from Friday evening to Saturday morning', (timeWindow, pieces) => {
    const pass = { timeWindow, ...always, endAt: '2030-01-01T00:00:00.000Z' as Instant }
    expect(coveredBy(pass, '2026-03-06T10:00:00.000Z' as Instant, '2026-03-07T02:00:00.000Z' as Instant)).toEqual(
      pieces.map(([from, to]) => ({ from, to })),
    )
  })
})
