import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf, instantAt } from '../../../platform/contract/time.ts'
import { writing } from '../../../platform/server/database.ts'
import { exportNamed, pageOf } from '../../../platform/server/sheets/source.ts'
import { amount, report } from '../contract/amount.ts'
import { ListStatus } from '../contract/whiteBlack.ts'
import { isListedForDebt, releasePaid } from './whiteBlack.ts'
import { anOffice, aPhone, aPlate, type Office } from './testing.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

const HEAD = '姓名,手机,车牌,颜色,月卡类型,套餐,开始,结束,实收,备注'
const load = async (which: string, lines: readonly string[], fields: Record<string, string> = {}) => {
  const form = new FormData()
  form.append('file', new Blob([lines.join('\n')]), 'rows.csv')
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const answer = await fetch(`${office.server.url}/lbs/member/member/excel/${which}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${office.admin}` },
    body: form,
  })
  return (await answer.json()) as any
}
const sheetOf = (head: string, lines: readonly string[], fields = {}) => load('importMember2', [head, ...lines], fields)
const versionOf = async (id: string) => (await office.sql('select version from member.card_group where id = $1', [id]))[0]
/** Returns the text of an export. */
const file = async (which: string, asked: Record<string, string>) => {
  const address = `${office.server.url}/lbs/member/member/excel/${which}?${new URLSearchParams({ format: 'csv', ...asked })}`
  const text = await (await fetch(address, { headers: { authorization: `Bearer ${office.admin}` } })).text()
  return text
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/)
}
const members = (lines: readonly string[], fields = {}) => load('importMember2', [HEAD, ...lines], fields)

test('rows 7 and 90 overlap: both are named, nothing is written', async () => {
  const { group } = await office.aGroup()
  const twice = aPlate()
  const rows = Array.from(
    { length: 100 },
    (_, n) => `客户${n},${aPhone()},${n === 5 || n === 88 ? twice : aPlate()},,${group.name},,2026-11-01,2027-10-31,,`,
  )
  const { data } = await members(rows, { dryRun: 'true' })
  expect(data).toMatchObject({ rows: 100, bad: 2, written: false })
  expect(data.errors.map(({ row }: any) => row)).toEqual([7, 90])
  expect(data.errors[0].reason).toContain(twice)
  expect(await office.sql('select 1 from member.pass where group_id = $1', [group.id])).toEqual([])
})
test('an ugly sheet: several plates in a cell, no kind but a default, money that is not used up; once more it changes nothing', async () => {
  const { group, plan } = await office.aGroup()
  const [a, b] = [aPlate(), aPlate()]
  const row = `赵六,${aPhone()},"${a.toLowerCase()}，${b}",,无此分组,${plan.name},2026-11-01,2027-10-31,120.50,老客户`
  const done = await members([row], { groupId: group.id })
  expect(done.data).toMatchObject({ added: 1, written: true })
  const [pass] = await office.sql('select * from member.held where group_id = $1', [group.id])
  expect(pass).toMatchObject({ plates: [a, b].sort(), paidFen: 12_050 })
  expect((await members([row], { groupId: group.id })).data).toMatchObject({ added: 0, same: 1 })
  const [order] = (await office.call('/amount/queryPage', { groupId: group.id })).data.records
  expect(order).toMatchObject({ paidFen: 12_050, payMethod: 99 })
  // The money was taken before: it is still to be earned, and none of today's.
  const { parkCode } = order
  expect((await office.call('/business/todayAndTotal', { parkCode })).data).toMatchObject({ netFen: 0, totalNetFen: 12_050, deferredFen: 12_050 })
  const { earnedDays, days, schedule } = (await office.call('/amount/queryDetail', { orderNo: order.orderNo })).data
  expect([earnedDays, schedule.length, schedule.some((one: any) => one.earned)]).toEqual([0, days, false])
  expect(schedule.reduce((sum: number, one: any) => sum + one.amountFen, 0)).toBe(12_050)
})
test('rows as people write them: what is no telephone, no day or no plate is named in its row; a number in groups is the number', async () => {
  const { group } = await office.aGroup()
  const [phone, plate] = [aPhone(), aPlate()]
  const row = (more: { phone?: string; plate?: string; from?: string } = {}) =>
    `钱八,${more.phone ?? aPhone()},${more.plate ?? aPlate()},,${group.name},,${more.from ?? '2026/11/1'},2027-10-31,,`
  const wrong = [
    row({ phone: '无' }),
    row({ phone: '１３９０００１２３４５' }),
    row({ from: '十一月一日' }),
    row({ from: '２０２６－１１－０１' }),
    row({ plate: '临时' }),
  ]
  const { data } = await members([...wrong, row()], { dryRun: 'true' })
  expect(data.errors.map(({ row: at, field }: any) => [at, field])).toEqual([
    [2, 'phone'],
    [3, 'phone'],
    [4, 'startAt'],
    [5, 'startAt'],
    [6, 'plateNo'],
  ])
  const grouped = `${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}`
  expect((await members([row({ phone: grouped, plate })])).data).toMatchObject({ added: 1 })
  expect(await office.sql('select phone, plates from member.held where group_id = $1', [group.id])).toEqual([{ phone, plates: [plate] }])
})
test('a plate with a gap is one plate, several are several, however they are written', async () => {
  const { group } = await office.aGroup({ group: { maxCars: 6 } })
  const [a, b, c] = [aPlate(), aPlate(), aPlate()]
  const gap = (plate: string, at = 2) => `${plate.slice(0, at)} ${plate.slice(at)}`
  const cells = [gap(a), `${gap(b)} ${gap(c, 4)}`, `"${aPlate()}，${gap(aPlate())}"`, `${aPlate()} ${aPlate()}`, `${gap('鄂FD12345')} 使014578`]
  const { data } = await members(cells.map((cell) => `周九,${aPhone()},${cell},,${group.name},,2026-11-01,2027-10-31,,`))
  expect(data).toMatchObject({ added: 5, errors: [] })
  const held = await office.sql('select plates from member.held where group_id = $1 order by id', [group.id])
  expect(held.map(({ plates }: any) => plates.length)).toEqual([1, 2, 2, 2, 2])
  expect(held[0].plates).toEqual([a])
  expect(held[1].plates).toEqual([b, c].sort())
})
test('a sheet brings in no more than a counter would sell: cars, bays, places, what is sold, and the years', async () => {
  const made = await office.aGroup({ group: { maxCars: 2, maxMembers: 2 } })
  const inDays = (days: number): string => dayOf(instantAt(Date.now() + days * 86_400_000))
  const row = ({ cars = 1, from = '2026-11-01', to = inDays(365), seats = '' } = {}) =>
    `吴十,${aPhone()},"${Array.from({ length: cars }, aPlate).join(',')}",${made.group.name},${from},${to},${seats}`
  const load = (lines: string[], fields = {}) => sheetOf('姓名,手机,车牌,月卡类型,开始,结束,车位数', lines, fields)
  const ahead = (days: number) => row({ from: inDays(days), to: inDays(days + 30) })
  const { data: far } = await load([ahead(800), ahead(2_000), ahead(700)], { dryRun: 'true' })
  expect(far.errors).toMatchObject([2, 3].map((at) => ({ row: at, field: 'startAt', reason: expect.stringContaining('731 天') })))
  const wrong = [row({ cars: 3 }), row({ cars: 1, seats: '2' }), row({ to: '2196-12-31' })]
  const { data } = await load([...wrong, row(), row(), row()], { skipBad: 'true' })
  expect(data.errors.map(({ row: at, field }: any) => [at, field])).toEqual([
    [2, 'plateNo'],
    [3, 'seats'],
    [4, 'endAt'],
    [7, null],
  ])
  expect(data).toMatchObject({ added: 2, bad: 4 })
  expect(data.errors[3].reason).toContain('名额已满')
  expect((await load([row({ to: '2026-11-20' })])).data, 'one that is over takes no place').toMatchObject({ added: 1 })
  const { version } = await versionOf(made.group.id)
  await office.call('/config/memberGroup/disableMemberGroup', { id: made.group.id, version, status: 2, suspendAccess: false })
  expect((await load([row()], { dryRun: 'true' })).data.errors).toMatchObject([{ reason: expect.stringContaining('不在售') }])
})
test('a telephone is one number however it is written, and no other customer’s', async () => {
  const { group } = await office.aGroup()
  const phone = aPhone()
  const memberId = await office.aCustomer({ name: '郑 一', phone: `+86 ${phone.slice(0, 3)}-${phone.slice(3)}` })
  expect(await office.sql('select phone from member.customer where id = $1', [memberId])).toEqual([{ phone }])
  for (const typed of [phone, `86${phone}`, `0086${phone}`, `+86-${phone}`])
    expect(await office.call('/custom/insertMember', { name: '别人', phone: typed })).toMatchObject({ code: 41451 })
  for (const typed of [phone.slice(0, 10), `${phone}0`, '12345678901', '+8612345'])
    expect(await office.call('/custom/insertMember', { name: '别人', phone: typed }), typed).toMatchObject({ status: 422, code: 40021 })
  expect((await office.call('/custom/insertMember', { name: '单位', phone: '0710-3511111' })).code, 'a landline is a number').toBe(200)
  const row = (name: string, typed: string) => `${name},${typed},${aPlate()},,${group.name},,2026-11-01,2027-10-31,,`
  const { data } = await members([row('郑一', `+86-${phone}`), row('王二', phone), row('赵三', phone.slice(0, 10))], { skipBad: 'true' })
  expect(data).toMatchObject({ added: 1, bad: 2 })
  expect(data.errors).toMatchObject([
    { row: 3, field: 'phone', reason: expect.stringContaining('郑 一') },
    { row: 4, field: 'phone' },
  ])
  expect(await office.sql('select member_id, phone from member.held where group_id = $1', [group.id])).toEqual([{ memberId, phone }])
})
test('what is written of lists and customers is read again: nothing is another row, and nothing is lost', async () => {
  const made = await office.aGroup({ group: { maxCars: 3 } })
  const { parkCode } = await office.field()
  const [{ name: park }] = await office.sql('select name from parking.park where park_code = $1', [parkCode])
  const [white, black] = [aPlate(), aPlate()]
  const lists = [
    [
      'importWhite2',
      'exportWhite2',
      [
        '车牌,颜色,车场,开始,结束,原因,类型,每日免费时长（分钟）,持有人,手机,单位,备注',
        `${white},蓝,${park},2026-11-01 08:00:00,2096-01-01 09:30:00,公务,免费车,60,张三,13912345678,城建局,试`,
      ],
      white,
    ],
    [
      'importBlack2',
      'exportBlack2',
      ['车牌,开始,原因,处理,持有人,手机,单位,备注', `${black},2026-11-01 08:00:00,恶意欠费,${'禁止入场'},李四,13912345679,甲公司,试`],
      black,
    ],
  ] as const
  for (const [into, out, sheet, plate] of lists) {
    expect(await load(into, sheet), into).toMatchObject({ data: { added: 1, errors: [] } })
    const written = await file(out, { plateNo: plate })
    expect(await load(into, written), out).toMatchObject({ data: { same: 1, bad: 0 } })
    expect(Object.entries((await load(into, written, { dryRun: 'true' })).data.mapping).filter(([, at]) => at === -1)).toEqual([])
    await office.sql('delete from member.list where plate_no = $1', [plate])
    expect((await load(into, written)).data).toMatchObject({ added: 1 })
    expect(await file(out, { plateNo: plate }), 'as before').toEqual(written)
    await office.sql("update member.list set end_at = start_at + interval '1 hour' where plate_no = $1", [plate])
    expect((await load(into, await file(out, { plateNo: plate }))).data, 'one that is over is there too').toMatchObject({ same: 1, bad: 0 })
  }
  const memberId = await office.aCustomer({ name: '往返', phone: aPhone() })
  await office.aPass(made, { memberId, plates: [aPlate(), aPlate()], seats: 2 })
  const written = await file('exportMember2', { name: '往返' })
  const again = (await load('importMember2', written)).data
  expect(again).toMatchObject({ rows: 1, same: 1, bad: 0 })
  expect(Object.entries(again.mapping).filter(([, at]) => at === -1)).toEqual([])
})
test('a row of the black list with the reason “other” says why in its remark', async () => {
  const [silent, said] = [aPlate(), aPlate()]
  const rows = ['车牌,开始,原因,备注', `${silent},2026-11-01 08:00:00,其他,`, `${said},2026-11-01 08:00:00,其他,堵塞消防通道`]
  const { data } = await load('importBlack2', rows, { skipBad: 'true' })
  expect(data).toMatchObject({ added: 1, errors: [{ row: 2, field: 'remark', reason: '原因选「其他」时，请填写备注' }] })
})
test('a new-energy plate is green, and a list entry ends later than now', async () => {
  const { data } = await load(
    'importWhite2',
    [
      '车牌,颜色,开始,结束,原因',
      '鄂FD12377,蓝,2026-11-01,,访客',
      '鄂FD12378,绿,2026-11-01,,访客',
      `${aPlate()},,2019-01-01,2020-12-31,访客`,
      `${aPlate()},,2026-11-01,,没见过`,
      'BADPLATE,,2026-11-01,,访客',
    ],
    { skipBad: 'true' },
  )
  expect(data).toMatchObject({ added: 1, bad: 4 })
  expect(data.errors.map(({ row, field }: any) => [row, field])).toEqual([
    [2, 'plateColor'],
    [4, 'endAt'],
    [5, 'reason'],
    [6, 'plateNo'],
  ])
  const typed = { listType: 1, startAt: '2020-01-01 00:00:00', reasonType: 1 }
  expect(await office.call('/whiteAndBlack/insert', { ...typed, plateNo: '鄂FD12379', plateColor: 0 })).toMatchObject({ status: 422, code: 41496 })
  expect(await office.call('/whiteAndBlack/insert', { ...typed, plateNo: aPlate(), endAt: '2021-01-01 00:00:00' })).toMatchObject({
    status: 422,
    code: 41497,
  })
  expect(await office.call('/custom/insertMember', { name: '绿牌', phone: aPhone(), cars: [{ plateNo: '鄂FD12380', plateColor: 0 }] })).toMatchObject(
    { code: 41496 },
  )
})
test('a pass that has ended has no money left in it', async () => {
  const { group } = await office.aGroup()
  const { data } = await members([`孙七,${aPhone()},${aPlate()},,${group.name},,2025-01-01,2025-12-31,100,`], { dryRun: 'true' })
  expect(data.errors).toMatchObject([{ row: 2, reason: expect.stringContaining('过期') }])
})
test('lists by sheet: words for reasons, a park by its name, and what is on the list already', async () => {
  const plate = aPlate()
  const white = ['车牌,开始,原因,类型,持有人,车场', `${plate},2026-11-01 00:00:00,访客,白名单,张三,`]
  expect(await load('importWhite2', white)).toMatchObject({ data: { added: 1 } })
  expect((await load('importWhite2', white)).data).toMatchObject({ same: 1 })
  expect(
    (await load('importBlack2', ['车牌,开始,原因,处理', `${plate},2026-11-01 00:00:00,没见过,禁止入场`], { dryRun: 'true' })).data.errors[0].reason,
  ).toContain('逃费')
})
test('all that is wrong with a row of a list is told at once, each under its column', async () => {
  const heads = '车牌,开始,原因,车场'
  const { data } = await load('importBlack2', [heads, '临时,2026-11-01,没见过,没有这个', `${aPlate()},2026-11-01,治安,`], { dryRun: 'true' })
  expect(data).toMatchObject({ added: 1, bad: 1 })
  expect(data.errors.map(({ row, field, value }: any) => [row, field, value])).toEqual([
    [2, 'plateNo', '临时'],
    [2, 'reason', '没见过'],
    [2, 'parkName', '没有这个'],
  ])
})
test('a list whose times are days, or written as a spreadsheet does, is read as it is meant; what is no time says how to write it', async () => {
  const plates = Array.from({ length: 4 }, aPlate)
  const [days, slashes, words, clock] = plates
  const sheet = [
    '车牌,开始,结束,原因',
    `${days},2026-11-01,2096-12-31,治安`,
    `${slashes},2026/11/1,2097/1/1,治安`,
    `${words},2026年11月1日,,治安`,
    `${clock},2026/11/1 8:05,2096-12-31 09:30:00,治安`,
  ]
  expect(await load('importBlack2', sheet)).toMatchObject({ data: { added: 4, errors: [] } })
  const kept = await office.sql('select start_at, end_at from member.list where plate_no = any ($1) order by plate_no', [plates])
  const midnight = '2026-10-31T16:00:00.000Z'
  expect(kept).toEqual([
    { startAt: midnight, endAt: '2096-12-31T15:59:59.999Z' },
    { startAt: midnight, endAt: '2097-01-01T15:59:59.999Z' },
    { startAt: midnight, endAt: null },
    { startAt: '2026-11-01T00:05:00.000Z', endAt: '2096-12-31T01:30:00.000Z' },
  ])
  const wrong = ['2026-13-45', '2026-02-30', '11月1日', '2026-11-01 25:00'].map((from) => `${aPlate()},${from},,其他`)
  const { data } = await load('importBlack2', ['车牌,开始,结束,原因', ...wrong], { dryRun: 'true' })
  expect(data.errors.map(({ reason }: any) => reason)).toEqual(wrong.map(() => '「开始」应为时间，如 2026-11-01 08:00:00'))
})
test('a long list by sheet: what is wrong is named row by row, the rest is written; two sheets at once are one after the other', async () => {
  const plates = Array.from({ length: 230 }, aPlate)
  const line = (plate: string, reason = '访客', from = '2026-11-01') => `${plate},${from} 00:00:00,${reason}`
  const rows = plates.map((plate) => line(plate))
  rows[7] = line(plates[7]!, '没见过')
  const sheet = ['车牌,开始,原因', ...rows, line(plates[3]!, '访客', '2026-12-01'), line(plates[4]!)]
  const { data } = await load('importWhite2', sheet, { skipBad: 'true' })
  expect(data).toMatchObject({ added: 229, same: 1, bad: 2 })
  expect(data.errors).toMatchObject([
    { row: 9, reason: expect.stringContaining('没见过') },
    { row: 232, reason: expect.stringContaining(plates[3]!) },
  ])
  const others = Array.from({ length: 130 }, aPlate)
  const both = [others, others.toReversed()].map((some) => load('importWhite2', ['车牌,开始,原因', ...some.map((plate) => line(plate))]))
  const added = (await Promise.all(both)).map(({ data: report }) => [report.added, report.same])
  expect(added.sort()).toEqual([
    [0, 130],
    [130, 0],
  ])
})
test('reports are sums of the ledger: opening + recharged − refunded − consumed = closing, by park, month and customer alike', async () => {
  const made = await office.aGroup()
  for (const periods of [1, 2]) await office.aPass(made, { periods })
  const [ledger] = await office.sql(
    "select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.line where account = 'liability.pass'",
  )
  const cloud = (await office.call('/report/countMemberAmountInfoCloud')).data
  const form = (await office.call('/report/queryMemberReportForm', { limit: 500 })).data.records
  const detailed = (await office.call('/report/queryMemberDetailed', { limit: 500 })).data.records
  const closing = (rows: any[]) => rows.reduce((sum, row) => sum + row.closingFen, 0)
  expect(cloud.closingFen).toBe(ledger.fen)
  expect([closing(cloud.parks), closing(form), closing(detailed)]).toEqual([ledger.fen, ledger.fen, ledger.fen])
  for (const row of [cloud, ...form, ...detailed]) expect(row.openingFen + row.rechargeFen - row.refundFen - row.consumedFen).toBe(row.closingFen)
  const mine = form.find(({ groupId }: any) => groupId === made.group.id)
  const lines = (await office.call('/report/queryMemberReportDetails', { row: mine.id, figure: 1 })).data
  expect(lines.records.map(({ amountFen }: any) => amountFen).sort((a: number, b: number) => a - b)).toEqual([30_000, 60_000])
  expect((await office.call('/amount/queryStatistics', { groupId: made.group.id })).data).toMatchObject({
    orders: 2,
    paidFen: 90_000,
    refundFen: 0,
    netFen: 90_000,
  })
  expect((await office.call('/amount/recharges', {})).data.records.some(({ paidFen }: any) => paidFen === 90_000)).toBe(true)
  expect(amount.queryPage.needs).toBe(report.form.needs)
})
test('customers by whatever is theirs; figures count them', async () => {
  const made = await office.aGroup()
  const plate = aPlate()
  const phone = aPhone()
  const memberId = await office.aCustomer({ name: '寻找的人', phone })
  await office.aPass(made, { memberId, plates: [plate] })
  const gaps = [3, 7].map((at) => `${phone.slice(0, at)} ${phone.slice(at)}`).concat(`${phone.slice(0, 3)}-${phone.slice(3, 7)}-${phone.slice(7)}`)
  for (const typed of [phone, ...gaps])
    expect(await office.call('/custom/insertMember', { name: '另一人', phone: typed })).toMatchObject({ code: 41451 })
  expect(await office.call('/custom/insertMember', { name: '另一人', phone: '123' })).toMatchObject({ code: 400 })
  for (const criteria of [
    { name: '寻找' },
    { phone },
    { phone: gaps[2] },
    { plateNo: plate.slice(2) },
    { groupId: made.group.id },
    { parkCode: made.group.homePark },
  ]) {
    const { records } = (await office.call('/custom/queryPage', criteria)).data
    expect(records.map(({ id }: any) => id)).toEqual([memberId])
  }
  expect((await office.call('/custom/queryPage', { groupId: made.group.id, passStatus: 4 })).data.records).toEqual([])
  expect((await office.call('/custom/queryStatistics', { parkCode: made.group.homePark })).data).toMatchObject({ customers: 1, valid: 1, expired: 0 })
  expect((await office.call('/business/todayAndTotal', { parkCode: made.group.homePark })).data).toMatchObject({
    sold: 1,
    netFen: 30_000,
    deferredFen: 30_000,
  })
  expect((await office.call('/custom/queryMemberSeat', { memberId })).data).toMatchObject([{ plates: [plate], groupName: made.group.name }])
  expect((await office.get('/custom/detail', { id: memberId })).data).toMatchObject({ passes: 1, cars: [{ plateNo: plate }] })
})
test('a long sheet of customers is read page by page: each of them comes once', async () => {
  const made = await office.aGroup()
  for (const name of ['第一页甲', '第一页乙', '第一页丙']) await office.aCustomer({ name, phone: aPhone() })
  await office.aPass(made, { memberId: await office.aCustomer({ name: '第一页丁', phone: aPhone() }) })
  const { source } = exportNamed('member.excel.export-member')!
  const page = async (current: number) => {
    const actor = { userId: '', enterprise: 1, scope: { enterprise: 1, parks: null } }
    const at = instantAt(Date.now())
    const rows = await office.server.house.reading(1, (tx) => pageOf(source, { tx, input: { name: '第一页', current, limit: 2 }, actor, at }))
    return rows.map((row) => row['name'])
  }
  expect([await page(1), await page(2), await page(3)]).toEqual([['第一页丁', '第一页丙'], ['第一页乙', '第一页甲'], []])
})
test('a proposal is in force once a person accepts it', async () => {
  const plateNo = aPlate()
  await office.sql(
    'insert into member.list (list_type, plate_no, start_at, reason_type, action, decided, by_itself) values (2, $1, now(), 2, 1, 0, true)',
    [plateNo],
  )
  const find = async () => (await office.call('/whiteAndBlack/queryPage', { plateNo })).data.records[0]
  const proposed = await find()
  expect(proposed.status).toBe(ListStatus.proposed)
  expect((await office.call('/whiteAndBlack/decide', { id: proposed.id, version: proposed.version, accept: true })).data.status).toBe(
    ListStatus.inForce,
  )
  expect(await office.call('/whiteAndBlack/decide', { id: proposed.id, version: proposed.version + 1, accept: true })).toMatchObject({ code: 41467 })
})
test('that a payment may release a car is known to a cashier of one park, also where it is listed for another', async () => {
  const [listed, put, other] = [aPlate(), aPlate(), aPlate()]
  const sql = `insert into member.list (list_type, plate_no, park_code, start_at, reason_type, action, by_itself) values (2, $1, $2, now(), 2, 1, $3)`
  await office.sql(sql, [listed, 'P002', true])
  await office.sql(sql, [put, 'P002', false])
  const author = { userId: null, userName: 'cashier', via: 'test', requestId: '' }
  const asked = await writing(office.server.house.pool, { enterprise: 1, parks: ['P001'] }, author, async (tx) => [
    (await tx.selectFrom('member.list').select('id').where('plateNo', '=', listed).execute()).length,
    await isListedForDebt(tx, listed),
    await isListedForDebt(tx, put),
    await isListedForDebt(tx, other),
  ])
  expect(asked).toEqual([0, true, false, false])
})
test('whoever owes nothing any more leaves the black list that the system put them on', async () => {
  const plateNo = aPlate()
  const put = 'insert into member.list (list_type, plate_no, start_at, reason_type, action, by_itself) values (2, $1, now(), 2, 1, true)'
  await office.sql(put, [plateNo])
  await office.server.house.writing(1, 'test', (tx) => releasePaid(tx, plateNo, instantAt(Date.now())))
  const [found] = (await office.call('/whiteAndBlack/queryPage', { plateNo })).data.records
  expect(found).toMatchObject({ status: ListStatus.released, releasedAt: expect.any(String) })
})
test('staff of a unit with one bay: the second is a temporary car; a free car pays beyond its minutes', async () => {
  const field = await office.field()
  const [one, two, free] = [aPlate(), aPlate(), aPlate()]
  const white = (plateNo: string, more: object) =>
    office.call('/whiteAndBlack/insert', { plateNo, listType: 1, startAt: '2020-01-01 00:00:00', reasonType: 1, ...more })
  for (const plate of [one, two]) await white(plate, { whiteKind: 3, unit: '物业部' })
  await white(free, { whiteKind: 2, freeMinPerDay: 60 })
  expect(await white(aPlate(), { whiteKind: 1, freeMinPerDay: 60 })).toMatchObject({ code: 41468 })
  await office.call('/whiteAndBlack/unitQuota', { unit: '物业部', parkCode: field.parkCode, bays: 1 })
  for (const plate of [one, two, free]) await field.enters(plate, 0)
  for (const plate of [one, two, free]) await field.exits(plate, 100)
  expect(await field.stay(one)).toMatchObject({ carKindIn: 1, payableFen: 0 })
  expect(await field.stay(two)).toMatchObject({ carKindIn: 9, payableFen: 1_000 })
  expect((await field.stay(free)).payableFen).toBeLessThanOrEqual(500)
})
