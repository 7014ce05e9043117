import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendSheet } from '../../../tests/support/sheets.ts'
import { aPark } from '../../parking/server/testing.ts'
import { aCrew, type Crew } from './testing.ts'

let crew: Crew
beforeAll(async () => void (crew = await aCrew()))
afterAll(() => crew.close())

test('a number, an account and a handheld are one person’s alone', async () => {
  const first = await crew.aCollector({ pdaNo: 'PDA-1' })
  const again = { tollNo: first.tollNo, name: '别人', tollType: 1, parkCode: crew.parkCode }
  expect((await crew.post('/api/staff/toll/save', again)).code).toBe(41901)
  const other = await crew.aCollector()
  const { code, message } = await crew.post('/api/staff/toll/update', { id: other.id, version: other.version, pdaNo: 'PDA-1' })
  expect([code, message]).toEqual([41902, expect.stringContaining(first.name)])
  const park = await crew.post('/api/staff/toll/save', { tollNo: 'X1', name: '无', tollType: 1, parkCode: 'NOWHERE' })
  expect(park.status).toBe(404)
})

test('calls.delete-by-id: who never worked goes; who did has left, with what lay ahead freed; an open cash shift holds them', async () => {
  const fresh = await crew.aCollector()
  expect((await crew.post(`/api/staff/toll/delete?id=${fresh.id}`)).data).toEqual({ left: false })
  const admin = (await crew.sql(`select id from identity.person where username = 'admin'`))[0].id
  const worker = await crew.aCollector({ personId: admin, pdaNo: 'PDA-2' })
  const shift = await crew.aShift('08:00', '16:00')
  await crew.plans([{ tollNo: worker.tollNo, workDate: crew.day(1), shiftId: shift.id }])
  await crew.post('/shift/open', { openingFloatFen: 0 })
  const held = await crew.post(`/api/staff/toll/delete?id=${worker.id}`)
  expect([held.code, held.message]).toEqual([41906, expect.stringContaining('BC')])
  const { version } = (await crew.sql('select version from staff.collector where id = $1', [worker.id]))[0]
  const other = (await crew.sql(`select id from identity.person where username = 'auditor'`))[0].id
  expect((await crew.post('/api/staff/toll/update', { id: worker.id, version, personId: other })).code).toBe(41906)
  await crew.sql('update settlement.shift set state = 4, closed_at = now() where person_id = $1', [admin])
  await crew.sql('update staff.collector set person_id = null where id = $1', [worker.id])
  expect((await crew.post(`/api/staff/toll/delete?id=${worker.id}`)).data).toEqual({ left: true })
  const [left] = await crew.sql('select on_job, pda_no, left_at from staff.collector where id = $1', [worker.id])
  expect(left).toMatchObject({ onJob: 2, pdaNo: null, leftAt: expect.any(String) })
  expect(await crew.cellsOf(worker.tollNo)).toEqual([])
})

test('what was taken under an account stays with the collector who took it, whoever gets the account', async () => {
  const [{ id: personId }] = await crew.sql(`select id from identity.person where username = 'admin'`)
  const [first, next] = [await crew.aCollector({ personId }), await crew.aCollector()]
  const takes = async (receivableFen: number) => {
    const order = await crew.anOrder({ parkCode: crew.parkCode, receivableFen })
    expect((await crew.post('/order/cash', { id: order.id, amountFen: receivableFen })).code).toBe(200)
    await crew.sql('update settlement.shift set state = 4, closed_at = now() where person_id = $1 and state = 0', [personId])
  }
  const gets = async (id: string, of: string | null) => {
    const [row] = await crew.sql('select id, version from staff.collector where id = $1', [id])
    expect((await crew.post('/api/staff/toll/update', { ...row, personId: of })).status).toBe(200)
  }
  const today = { workDateFrom: crew.day(0), workDateTo: crew.day(0) }
  const taken = async (tollNos: string) =>
    (await crew.get('/api/staff/toll/tollFeeStatistic2', { ...today, tollNos })).data.records.map((one: any) => one.cashFen)
  const receipts = async (tollNo: string) =>
    (await crew.get(`/api/staff/parkSchedule/pageQueryLocation/${tollNo}`)).data.records.map((one: any) => one.kind)
  await takes(300)
  await gets(first.id, null)
  await gets(next.id, personId)
  expect([await taken(first.tollNo), await taken(next.tollNo)]).toEqual([[300], []])
  expect([await receipts(first.tollNo), await receipts(next.tollNo)]).toEqual([[4], []])
  await takes(500)
  expect([await taken(first.tollNo), await taken(next.tollNo)]).toEqual([[300], [500]])
  expect([await receipts(first.tollNo), await receipts(next.tollNo)]).toEqual([[4], [4]])
  expect((await crew.post(`/api/staff/toll/delete?id=${first.id}`)).data).toEqual({ left: true })
})

test('a group has its leader among its members, keeps known places only, and goes when nobody is left in it', async () => {
  const [a, b] = [await crew.aCollector(), await crew.aCollector()]
  const group = await crew.aGroup({ leaderId: a.id, memberIds: [b.id], placeCodes: [crew.parkCode] })
  const { data } = await crew.post(`/api/staff/workGroup/workGroupDetail?id=${group.id}`)
  expect([data.members.length, data.leaderName, data.places[0].placeCode]).toEqual([2, a.name, crew.parkCode])
  const unknown = await crew.post('/api/staff/workGroup/save', { name: '空', parkCode: crew.parkCode, placeCodes: ['NONE'] })
  expect(unknown.code).toBe(41914)
  expect((await crew.post(`/api/staff/workGroup/delete?id=${group.id}`)).code).toBe(41912)
  await crew.post('/api/staff/workGroup/update', { id: group.id, version: 1, leaderId: null, memberIds: [] })
  expect((await crew.post(`/api/staff/workGroup/delete?id=${group.id}`)).status).toBe(200)
})

test('a shift’s hours follow one another within a day; once planned it is only disabled, and cells keep their copy until it is applied', async () => {
  const wrong = [
    { from: '08:00', to: '12:00' },
    { from: '11:00', to: '18:00' },
  ]
  expect((await crew.post('/api/staff/shift/save', { name: '错', segments: wrong })).status).toBe(400)
  const night = await crew.aShift('22:00', '06:00', { restMin: 30 })
  expect(night.workMin).toBe(450)
  const who = await crew.aCollector()
  await crew.plans([1, 2, 3].map((n) => ({ tollNo: who.tollNo, workDate: crew.day(n), shiftId: night.id })))
  expect((await crew.post(`/api/staff/shift/delete?id=${night.id}`)).code).toBe(41916)
  const change = { id: night.id, version: 1, segments: [{ from: '21:00', to: '05:00' }], applyFrom: crew.day(2) }
  expect((await crew.post('/api/staff/shift/update', change)).data).toEqual({ changed: 2 })
  const cells = await crew.cellsOf(who.tollNo)
  expect(cells.map(({ startAt }) => startAt)).toEqual([crew.clock(1, '22:00'), crew.clock(2, '21:00'), crew.clock(3, '21:00')])
  // The grid says the hours that each day was planned with, and they go on by that name when the shift is not offered any more.
  const { version } = (await crew.sql('select version from staff.work_shift where id = $1', [night.id]))[0]
  const twice = await crew.aShift('05:00', '06:00', {
    segments: [
      { from: '07:00', to: '11:00' },
      { from: '16:00', to: '20:00' },
    ],
  })
  await crew.plans([
    { tollNo: who.tollNo, workDate: crew.day(5), shiftId: twice.id },
    { tollNo: who.tollNo, workDate: crew.day(6), state: 5 },
  ])
  await crew.post('/api/staff/shift/update', { id: night.id, version, status: 2 })
  const asked = { workDateFrom: crew.day(1), workDateTo: crew.day(6), tollNos: [who.tollNo] }
  const [line] = (await crew.post('/api/staff/parkSchedule/scheduleQuery', asked)).data
  expect(line.cells.map(({ shiftName, segments }: any) => [shiftName, ...segments.map(({ from, to }: any) => `${from}-${to}`)])).toEqual([
    [night.name, '22:00-06:00'],
    [night.name, '21:00-05:00'],
    [night.name, '21:00-05:00'],
    [twice.name, '07:00-11:00', '16:00-20:00'],
    [expect.any(String)],
  ])
})

test('a month of 400 people with one overlap over midnight: nothing is stored, and the cell names its rival', async () => {
  const rows = Array.from({ length: 400 }, (_, n) => `('M${String(n).padStart(3, '0')}', '众${n}', 1, '${crew.parkCode}')`)
  await crew.sql(`insert into staff.collector (toll_no, name, toll_type, park_code) values ${rows.join(',')}`)
  const [day, night] = [await crew.aShift('08:00', '16:00'), await crew.aShift('22:00', '06:00')]
  const early = await crew.aShift('05:00', '09:00')
  const workDates = Array.from({ length: 31 }, (_, n) => crew.day(n + 1))
  const list: object[] = Array.from({ length: 400 }, (_, n) => ({ tollNo: `M${String(n).padStart(3, '0')}`, workDates, shiftId: day.id }))
  list[7] = { tollNo: 'M007', workDates: [crew.day(5)], shiftId: night.id }
  const broken = await crew.plans([...list, { tollNo: 'M007', workDate: crew.day(6), shiftId: early.id }])
  expect(broken).toMatchObject({ status: 200, data: { saved: 0 } })
  const [first] = broken.data.conflicts
  expect(first).toMatchObject({ tollNo: 'M007', workDate: crew.day(5), code: 1, blocks: true, with: `${crew.day(6)} ${early.name}` })
  expect(await crew.sql(`select count(*)::int as n from staff.cell_line where toll_no ^@ 'M'`)).toEqual([{ n: 0 }])
  const tried = await crew.plans(list, { dryRun: true })
  expect(tried).toMatchObject({ status: 200 })
  expect([tried.data.saved, await crew.sql(`select count(*)::int as n from staff.cell_line where toll_no ^@ 'M'`)]).toEqual([
    399 * 31 + 1,
    [{ n: 0 }],
  ])
  const whole = await crew.plans(list)
  expect(whole).toMatchObject({ status: 200, data: { saved: 399 * 31 + 1 } })
  expect(whole.data.conflicts.every(({ blocks, code }: any) => !blocks && code === 9)).toBe(true)
  const { data } = await crew.post('/api/staff/parkSchedule/scheduleQuery', { workDateFrom: crew.day(1), workDateTo: crew.day(31) })
  expect(data.find(({ tollNo }: any) => tollNo === 'M000').cells).toHaveLength(31)
})

test('leavers, disabled shifts, past days, unknown places and two on a day of rest are refused; too little rest and too long a week are said', async () => {
  const who = await crew.aCollector()
  const [day, night] = [await crew.aShift('08:00', '16:00'), await crew.aShift('22:00', '06:00')]
  const off = await crew.aShift('08:00', '16:00', { status: 2 })
  const at = (workDate: string, shiftId: string, more = {}) => ({ tollNo: who.tollNo, workDate, shiftId, ...more })
  const codes = async (...list: object[]) => (await crew.plans(list)).data.conflicts.map(({ code }: any) => code)
  expect(await codes({ tollNo: 'NOBODY', workDate: crew.day(1), shiftId: day.id })).toEqual([2])
  expect(await codes(at(crew.day(1), off.id))).toEqual([3])
  expect(await codes(at(crew.day(-1), day.id))).toEqual([4])
  expect(await codes(at(crew.day(1), day.id, { placeCodes: ['NONE'] }))).toEqual([5])
  expect(await codes(at(crew.day(1), day.id), { tollNo: who.tollNo, workDate: crew.day(1), state: 5 })).toContain(6)
  const close = await crew.plans([at(crew.day(1), night.id), at(crew.day(2), day.id)])
  expect([close.data.saved, close.data.conflicts[0].code]).toEqual([2, 8])
})

test('whose week is too long is told with how long it is, person by person', async () => {
  const people = [await crew.aCollector(), await crew.aCollector()]
  const long = await crew.aShift('08:00', '20:00')
  const monday = 7 + ((8 - new Date(crew.day(0)).getUTCDay()) % 7)
  const list = [0, 1, 2, 3].flatMap((n) => people.map(({ tollNo }) => ({ tollNo, workDate: crew.day(monday + n), shiftId: long.id })))
  const { data } = await crew.plans(list.toReversed(), { dryRun: true })
  expect(data.conflicts).toEqual(
    people.map(({ tollNo }) => ({ tollNo, workDate: crew.day(monday), code: 9, with: null, workMin: 48 * 60, blocks: false })),
  )
})

test('two who plan the same time at once: one of them stores it', async () => {
  const who = await crew.aCollector()
  const [a, b] = [await crew.aShift('08:00', '16:00'), await crew.aShift('09:00', '17:00')]
  const plan = (shiftId: string) => crew.plans([{ tollNo: who.tollNo, workDate: crew.day(3), shiftId }])
  const answers = await Promise.all([a, b, a, b].map(({ id }) => plan(id)))
  expect(await crew.cellsOf(who.tollNo)).toHaveLength(1)
  for (const one of answers.filter(({ status }) => status !== 200)) expect(one.code).toBe(41918)
  const [cell] = await crew.cellsOf(who.tollNo)
  const moved = await crew.plans([{ tollNo: who.tollNo, workDate: crew.day(4), shiftId: a.id }], { removed: [cell.id] })
  expect(moved.data.saved).toBe(2)
  expect((await crew.cellsOf(who.tollNo)).map(({ workDate }) => workDate)).toEqual([crew.day(4)])
})

test('a week is copied to the next: leavers are left out, what stands there only goes when asked', async () => {
  const group = await crew.aGroup()
  const [stays, leaves] = [await crew.aCollector({ groupId: group.id }), await crew.aCollector({ groupId: group.id })]
  const [day, late] = [await crew.aShift('08:00', '16:00'), await crew.aShift('14:00', '22:00')]
  const plan = (tollNo: string, n: number, shiftId: string) => ({ tollNo, workDate: crew.day(n), shiftId })
  await crew.plans([plan(stays.tollNo, 1, day.id), plan(stays.tollNo, 2, day.id), plan(leaves.tollNo, 1, day.id), plan(stays.tollNo, 8, late.id)])
  const copy = (more: object) =>
    crew.post(
      `/api/staff/parkSchedule/copySchedule?${new URLSearchParams({ sourceFrom: crew.day(1), sourceTo: crew.day(2), targetFrom: crew.day(8), groupId: group.id, ...more })}`,
    )
  const tried = (await copy({ dryRun: 'true' })).data
  expect([tried.copied, tried.skipped, tried.conflicts[0].code]).toEqual([2, 1, 1])
  expect(await crew.cellsOf(leaves.tollNo)).toHaveLength(1)
  await copy({})
  expect((await crew.cellsOf(stays.tollNo)).map(({ workDate, shiftId }) => [workDate, shiftId])).toContainEqual([crew.day(8), late.id])
  expect((await copy({ overwrite: 'true' })).data.copied).toBeGreaterThan(1)
  expect((await crew.cellsOf(stays.tollNo)).filter(({ workDate }) => workDate === crew.day(8)).map(({ shiftId }) => shiftId)).toEqual([day.id])
})

test('whoever copies is told of each shift that was left out, and why; days that are past are refused as a whole', async () => {
  const [stays, leaves] = [await crew.aCollector(), await crew.aCollector()]
  const shift = await crew.aShift('08:00', '16:00')
  for (const { tollNo } of [stays, leaves]) {
    await crew.plans([{ tollNo, workDate: crew.day(40), shiftId: shift.id }])
    const [{ id }] = await crew.cellsOf(tollNo)
    const past = `update staff.cell set work_date = $2, start_at = $3, end_at = $4, hours = tstzmultirange(tstzrange($3, $4)) where id = $1`
    await crew.sql(past, [id, crew.day(-40), crew.clock(-40, '08:00'), crew.clock(-40, '16:00')])
  }
  expect((await crew.post(`/api/staff/toll/delete?id=${leaves.id}`)).data).toEqual({ left: true })
  const copy = (targetFrom: number) => {
    const days = { sourceFrom: crew.day(-40), sourceTo: crew.day(-40), targetFrom: crew.day(targetFrom) }
    return crew.post(`/api/staff/parkSchedule/copySchedule?${new URLSearchParams(days)}`)
  }
  const past = await copy(-7)
  expect([past.code, past.message]).toEqual([41978, expect.stringContaining(`${crew.day(-7)} 至 ${crew.day(-7)} 已过去`)])
  const left = { tollNo: leaves.tollNo, workDate: crew.day(40), code: 2, blocks: true }
  expect((await copy(40)).data).toMatchObject({ copied: 1, skipped: 1, conflicts: [left] })
})

test('a place that a group keeps from six to ten is shown where nobody is', async () => {
  const who = await crew.aCollector()
  const place = (await crew.write((tx) => aPark(tx, { parkCode: 'T007' })), 'T007')
  const group = await crew.aGroup({ placeCodes: [place], coverFrom: '06:00', coverTo: '22:00', memberIds: [who.id] })
  const day = await crew.aShift('08:00', '16:00')
  await crew.plans([{ tollNo: who.tollNo, workDate: crew.day(20), shiftId: day.id, placeCodes: [place] }])
  const days = { workDateFrom: crew.day(20), workDateTo: crew.day(20), groupId: group.id }
  const bare = async (draft: object) => {
    const { data } = await crew.post('/api/staff/parkSchedule/uncovered', { ...days, ...draft })
    return data.map(({ from, to }: any) => [from, to])
  }
  const { data } = await crew.post('/api/staff/parkSchedule/uncovered', days)
  expect(data.map(({ from, to }: any) => [from, to])).toEqual([
    [crew.clock(20, '06:00'), crew.clock(20, '08:00')],
    [crew.clock(20, '16:00'), crew.clock(20, '22:00')],
  ])
  // An unsaved draft counts: a second shift in the afternoon, the first one removed.
  const late = await crew.aShift('14:00', '22:00')
  const list = [{ tollNo: who.tollNo, workDate: crew.day(20), shiftId: late.id, placeCodes: [place] }]
  expect(await bare({ list })).toEqual([[crew.clock(20, '06:00'), crew.clock(20, '08:00')]])
  const [{ id }] = await crew.cellsOf(who.tollNo)
  expect(await bare({ list, removed: [id] })).toEqual([[crew.clock(20, '06:00'), crew.clock(20, '14:00')]])
})

test('whoever is planned without a place keeps their own park, and no other', async () => {
  const who = await crew.aCollector()
  const other = (await crew.write((tx) => aPark(tx, { parkCode: 'T008' })), 'T008')
  const group = await crew.aGroup({ placeCodes: [crew.parkCode, other], coverFrom: '07:00', coverTo: '15:00', memberIds: [who.id] })
  const shift = await crew.aShift('07:00', '15:00')
  await crew.plans([{ tollNo: who.tollNo, workDate: crew.day(21), shiftId: shift.id, placeCodes: [] }])
  const bare = async () => {
    const asked = { workDateFrom: crew.day(21), workDateTo: crew.day(21), groupId: group.id }
    return (await crew.post('/api/staff/parkSchedule/uncovered', asked)).data.map(({ placeCode }: any) => placeCode)
  }
  expect(await bare()).toEqual([other])
  const second = await crew.aCollector()
  await crew.plans([{ tollNo: second.tollNo, workDate: crew.day(21), shiftId: shift.id, placeCodes: [other] }])
  expect(await bare()).toEqual([])
})

test('the type of collectors is read where a client put it, in the address or in the form; of both the form counts', async () => {
  const [street, park] = [await crew.aCollector({ tollType: 1 }), await crew.aCollector({ tollType: 2 })]
  const asked = async (path: string, body?: object) => (await crew.post(path, body)).data.map(({ tollNo }: any) => tollNo)
  const all = '/api/staff/toll/query'
  expect(await asked(all)).toEqual(expect.arrayContaining([street.tollNo, park.tollNo]))
  for (const found of [await asked(`${all}?tollType=1`), await asked(all, { tollType: 1 }), await asked(`${all}?tollType=2`, { tollType: 1 })]) {
    expect(found).toContain(street.tollNo)
    expect(found).not.toContain(park.tollNo)
  }
  expect((await crew.post(`${all}?tollTyp=1`)).message).toContain('tollTyp')
})

test('what stands in the address of a call that takes a body is refused by its name, and never dropped', async () => {
  const list = '/api/staff/toll/pageQuery'
  expect((await crew.post(list, {})).status).toBe(200)
  const { status, code, message } = await crew.post(`${list}?tollType=1`, {})
  expect([status, code]).toEqual([400, 400])
  expect(message).toContain('tollType 应写在请求正文中')
  // The session says who they are, wherever a client sends another id.
  expect((await crew.post(`${list}?userId=1`, {})).status).toBe(200)
})

test('a park stays while staff or a group work there', async () => {
  await crew.write((tx) => aPark(tx, { parkCode: 'T009' }))
  const remove = async () => {
    const [park] = await crew.sql(`select id, version from parking.park where park_code = 'T009'`)
    return crew.server.ask<any>(crew.admin, 'POST', '/lbs/basic/parkInfo/delete', park)
  }
  const held = { code: 40011, message: '不能删除：有在职收费员或班组' }
  const [who, group] = [await crew.aCollector({ parkCode: 'T009' }), await crew.aGroup({ parkCode: 'T009' })]
  expect(await remove()).toMatchObject(held)
  expect((await crew.post(`/api/staff/workGroup/delete?id=${group.id}`)).status).toBe(200)
  expect(await remove()).toMatchObject(held)
  expect((await crew.post('/api/staff/toll/update', { id: who.id, version: who.version, onJob: 2 })).status).toBe(200)
  expect((await remove()).code).toBe(200)
})

test('a sheet of the roster says nothing of cards on a day of rest and before a shift begins', async () => {
  const who = await crew.aCollector()
  const shift = await crew.aShift('08:00', '16:00')
  const at = (days: number, more: object) => ({ tollNo: who.tollNo, workDate: crew.day(days), ...more })
  await crew.plans([at(2, { shiftId: shift.id }), at(3, { shiftId: shift.id }), at(4, { state: 5 })])
  const past = `update staff.cell set work_date = $2, start_at = $3, end_at = $4, hours = tstzmultirange(tstzrange($3, $4)) where id = $1`
  const [{ id }] = await crew.cellsOf(who.tollNo)
  await crew.sql(past, [id, crew.day(-1), crew.clock(-1, '08:00'), crew.clock(-1, '16:00')])
  const { data } = await crew.get('/api/staff/parkSchedule/pageQueryShiftExport', { tollNo: who.tollNo, format: 'csv', isAsc: 'true' })
  const lines = String(data).trim().split(/\r?\n/).slice(1)
  expect(lines.map((line: string) => line.includes('未打卡'))).toEqual([true, false, false])
})

test('a row of a sheet of collectors is told all that is wrong with it at once', async () => {
  const holder = await crew.aCollector({ pdaNo: 'PDA-9' })
  const csv = '工号,姓名,类型,车场编号,班组,手持机编号,登录账号\nSH1,错多,车场收费员,NOWHERE,无此组,PDA-9,nobody\nSH2,对的,车场收费员,T001,,,\n'
  const { data } = await sendSheet(crew.server, crew.admin, '/lbs/business/api/staff/toll/tollImport', csv, { dryRun: 'true' })
  expect(data).toMatchObject({ rows: 2, added: 1, bad: 1 })
  expect(data.errors.map(({ row, field }: any) => [row, field])).toEqual(['parkCode', 'groupName', 'username', 'pdaNo'].map((field) => [2, field]))
  expect(data.errors[3].reason).toContain(holder.name)
})
