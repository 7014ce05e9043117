import { afterAll, beforeAll, expect, test } from 'vitest'
import { expire } from './request.ts'
import { aCrew, type Crew } from './testing.ts'

let crew: Crew
let asker: string
let partner: string
let boss: string
let ids: { admin: string; operator: string }
beforeAll(async () => {
  crew = await aCrew()
  const people = await crew.sql<{ id: string; username: string }>(
    `select id, username from identity.person where username in ('admin', 'operator', 'auditor')`,
  )
  const idOf = (name: string) => people.find(({ username }) => username === name)!.id
  ids = { admin: idOf('admin'), operator: idOf('operator') }
  await crew.sql(`insert into identity.role (name, grants, data_scope) values ('asks', 2, 1) on conflict do nothing`)
  for (const name of ['operator', 'auditor'])
    await crew.sql(
      `insert into identity.person_role (person_id, role_id) select $1, id from identity.role where name = 'asks' on conflict do nothing`,
      [idOf(name)],
    )
  ;[asker, partner, boss] = [crew.admin, await crew.server.signIn('operator'), await crew.server.signIn('auditor')]
})
afterAll(() => crew.close())

/** Two collectors, the first of them the administrator, the second the operator; nobody else holds their accounts any more. */
async function two() {
  await crew.sql('update staff.collector set person_id = null where person_id is not null')
  return [await crew.aCollector({ personId: ids.admin }), await crew.aCollector({ personId: ids.operator })]
}
const ask = (input: object, token = asker) => crew.post('/api/staff/request/apply', { reason: '家中有事', ...input }, token)
const of = async (cellId: string) =>
  (await crew.sql('select id, version, state from staff.request where cell_id = $1 order by created_at desc limit 1', [cellId]))[0]
const decide = async (cellId: string, pass: boolean, token: string) => {
  const { id, version } = await of(cellId)
  return crew.post('/api/staff/request/decide', { id, version, pass }, token)
}
async function cellFor(who: any, days: number, from = '08:00', to = '16:00') {
  const shift = await crew.aShift(from, to)
  await crew.plans([{ tollNo: who.tollNo, workDate: crew.day(days), shiftId: shift.id }])
  return (await crew.cellsOf(who.tollNo)).find(({ workDate }) => workDate === crew.day(days))
}

test('leave is decided by another, and changes cell and roster at once', async () => {
  const [me] = await two()
  const cell = await cellFor(me, 2)
  expect((await ask({ type: 1, cellId: cell.id })).status).toBe(200)
  expect((await ask({ type: 1, cellId: cell.id })).code).toBe(41952)
  expect((await decide(cell.id, true, asker)).code).toBe(41955)
  const removed = await crew.plans([], { removed: [cell.id] })
  expect(removed.code).toBe(41921)
  await crew.sql('update staff.collector set person_id = null where person_id = $1', [ids.operator])
  expect((await decide(cell.id, true, partner)).status).toBe(200)
  expect((await crew.cellsOf(me.tollNo))[0].state).toBe(2)
  expect((await decide(cell.id, true, partner)).status).toBe(409)
})

test('the roster says of which shifts somebody has asked and nobody has decided, on either side of a swap', async () => {
  const [me, other] = await two()
  const [asked, free, theirs] = [await cellFor(me, 2), await cellFor(me, 3), await cellFor(other, 2)]
  const range = { workDateFrom: crew.day(2), workDateTo: crew.day(3), tollNos: [me.tollNo, other.tollNo] }
  const requested = async () => {
    const { data } = await crew.post('/api/staff/parkSchedule/scheduleQuery', range)
    return data.flatMap(({ cells }: any) => cells).flatMap((one: any) => (one.requested ? one.id : []))
  }
  expect(await requested()).toEqual([])
  expect((await ask({ type: 2, cellId: asked.id, toTollNo: other.tollNo, toCellId: theirs.id })).status).toBe(200)
  expect((await requested()).sort()).toEqual([asked.id, theirs.id].sort())
  const [{ requestNo }] = await crew.sql('select request_no from staff.request where cell_id = $1', [asked.id])
  const { data } = await crew.post('/api/staff/parkSchedule/scheduleQuery', range)
  const said = data.flatMap(({ cells }: any) => cells).map((one: any) => [one.id, one.requestNo, one.plannedMin])
  expect(said.sort()).toEqual(
    [
      [asked.id, requestNo, 480],
      [free.id, null, 480],
      [theirs.id, requestNo, 480],
    ].sort(),
  )
  expect((await crew.plans([], { removed: [theirs.id] })).code).toBe(41921)
  const { id, version } = await of(asked.id)
  expect((await crew.post('/api/staff/request/withdraw', { id, version }, asker)).status).toBe(200)
  expect(await requested()).toEqual([])
  expect((await crew.plans([], { removed: [free.id, theirs.id] })).status).toBe(200)
})

test('a swap whose partner is on leave by then is refused, and both cells stay', async () => {
  const [me, other] = await two()
  const [mine, theirs] = [await cellFor(me, 4), await cellFor(other, 5)]
  expect((await ask({ type: 2, cellId: mine.id, toTollNo: other.tollNo, toCellId: mine.id })).code).toBe(41953)
  await ask({ type: 2, cellId: mine.id, toTollNo: other.tollNo, toCellId: theirs.id })
  const { id, version } = await of(mine.id)
  expect((await crew.post('/api/staff/request/respond', { id, version, accept: true }, asker)).code).toBe(41954)
  expect((await crew.post('/api/staff/request/respond', { id, version, accept: true }, partner)).status).toBe(200)
  await crew.sql('update staff.cell set state = 2 where id = $1', [theirs.id])
  const refused = await decide(mine.id, true, boss)
  expect([refused.code, refused.message]).toEqual([41959, expect.stringContaining('对方')])
  expect([(await crew.cellsOf(me.tollNo))[0].id, (await crew.cellsOf(other.tollNo))[0].id, (await of(mine.id)).state]).toEqual([
    mine.id,
    theirs.id,
    1,
  ])
  await crew.sql('update staff.cell set state = 1 where id = $1', [theirs.id])
  expect((await decide(mine.id, true, boss)).status).toBe(200)
  expect([(await crew.cellsOf(me.tollNo))[0], (await crew.cellsOf(other.tollNo))[0]]).toMatchObject([
    { id: theirs.id, state: 3 },
    { id: mine.id, state: 3 },
  ])
})

test('who stands in would work twice at once: refused, and nothing changes hands', async () => {
  const [me, other] = await two()
  const [mine] = [await cellFor(me, 6), await cellFor(other, 6, '10:00', '18:00')]
  await ask({ type: 3, cellId: mine.id, toTollNo: other.tollNo })
  const { id, version } = await of(mine.id)
  await crew.post('/api/staff/request/respond', { id, version, accept: true }, partner)
  expect((await decide(mine.id, true, boss)).code).toBe(41967)
  expect((await crew.cellsOf(me.tollNo))[0]).toMatchObject({ id: mine.id, state: 1 })
})

test('a card afterwards counts, in its window and three times a month; what has begun is not changed else', async () => {
  const [me] = await two()
  const begun: any[] = []
  for (const [n, days] of [20, 21, 22, 23].entries()) {
    const cell = await cellFor(me, days, '00:00', '00:30')
    await crew.sql(
      `update staff.cell set work_date = $2::date, start_at = $3, end_at = $4, hours = tstzmultirange(tstzrange($3, $4)) where id = $1`,
      [cell.id, crew.day(0), crew.clock(-1, `0${n + 1}:00`), crew.clock(-1, `0${n + 1}:30`)],
    )
    begun.push(cell)
  }
  const card = (cell: any, time: string) => ask({ type: 4, cellId: cell.id, cardKind: 1, cardTime: crew.clock(-1, time) })
  expect((await ask({ type: 1, cellId: begun[0].id })).code).toBe(41957)
  expect((await card(begun[0], '03:00')).code).toBe(41956)
  expect((await card(begun[0], '01:00')).status).toBe(200)
  expect((await card(begun[1], '02:00')).status).toBe(200)
  expect((await card(begun[2], '03:00')).status).toBe(200)
  expect((await card(begun[3], '04:00')).code).toBe(41951)
  await crew.sql('update staff.collector set person_id = null where person_id is not null')
  expect((await decide(begun[0].id, true, partner)).status).toBe(200)
  const [done] = await crew.sql('select attendance, check_in_at from staff.attendance where cell_id = $1', [begun[0].id])
  expect(done).toMatchObject({ checkInAt: crew.clock(-1, '01:00') })
})

test('what nobody decided before it began has run out', async () => {
  const [me] = await two()
  const cell = await cellFor(me, 9)
  await ask({ type: 1, cellId: cell.id })
  await crew.write((tx) => expire(tx, crew.clock(9, '07:59')))
  expect((await of(cell.id)).state).toBe(1)
  await crew.write((tx) => expire(tx, crew.clock(9, '08:00')))
  expect((await of(cell.id)).state).toBe(5)
})

test('a leader decides for the group, and for no leader', async () => {
  const [leader, member] = await two()
  await crew.aGroup({ leaderId: leader.id, memberIds: [member.id] })
  const [theirs, own] = [await cellFor(member, 12), await cellFor(leader, 12)]
  await ask({ type: 1, cellId: theirs.id }, partner)
  await ask({ type: 1, cellId: own.id })
  const stranger = await crew.aCollector()
  await crew.sql('update staff.collector set person_id = null where person_id = $1', [ids.operator])
  await crew.sql('update staff.collector set person_id = $1 where id = $2', [ids.operator, stranger.id])
  expect((await decide(theirs.id, true, partner)).code).toBe(41955)
  expect((await decide(own.id, true, partner)).code).toBe(41955)
  expect((await decide(theirs.id, true, asker)).status).toBe(200)
  await crew.sql('update staff.collector set toll_type = 5 where id = $1', [stranger.id])
  expect((await decide(own.id, true, partner)).status).toBe(200)
})

test('a swap with somebody who is on leave at that time is refused; who stands in on a day of rest rests no more', async () => {
  const [me, other] = await two()
  const [mine, theirs] = [await cellFor(me, 14), await cellFor(other, 15)]
  const away = await cellFor(other, 14, '12:00', '20:00')
  await crew.sql('update staff.cell set state = 2 where id = $1', [away.id])
  const agreed = async (input: object, cellId: string) => {
    await ask({ ...input, cellId, toTollNo: other.tollNo })
    const { id, version } = await of(cellId)
    expect((await crew.post('/api/staff/request/respond', { id, version, accept: true }, partner)).status).toBe(200)
  }
  await agreed({ type: 2, toCellId: theirs.id }, mine.id)
  const alone = await cellFor(me, 16)
  await crew.plans([{ tollNo: other.tollNo, workDate: crew.day(16), state: 5 }])
  await agreed({ type: 3 }, alone.id)
  expect((await decide(mine.id, true, boss)).code).toBe(41959)
  expect((await crew.cellsOf(me.tollNo))[0]).toMatchObject({ id: mine.id, state: 1 })
  expect((await decide(alone.id, true, boss)).status).toBe(200)
  const of16 = (await crew.cellsOf(other.tollNo)).filter(({ workDate }) => workDate === crew.day(16))
  expect(of16).toMatchObject([{ id: alone.id, state: 4 }])
})

test('collectors see what concerns them; others see all; the table holds that nobody decides their own', async () => {
  const [me, other] = await two()
  const mine = await cellFor(me, 18)
  await ask({ type: 1, cellId: mine.id })
  const asked = async (token: string) => (await crew.post('/api/staff/request/pageQuery', { tollNo: me.tollNo }, token)).data.records
  expect(await asked(asker)).toMatchObject([{ cellId: mine.id, tollNo: me.tollNo, shiftName: mine.shiftName }])
  expect(await asked(partner)).toEqual([])
  await crew.sql('update staff.collector set toll_type = 5 where id = $1', [other.id])
  expect(await asked(partner)).toHaveLength(1)
  const alone = `update staff.request set state = 2, decided_id = asked_by_id where cell_id = $1`
  await expect(crew.sql(alone, [mine.id])).rejects.toThrow('decided_by_another')
  const { id, version } = await of(mine.id)
  expect((await crew.post('/api/staff/request/withdraw', { id, version }, partner)).code).toBe(41950)
  expect((await crew.post('/api/staff/request/withdraw', { id, version })).status).toBe(200)
})

test('of two cards asked for at once the second is counted with the first; a time ahead is no card', async () => {
  const [me] = await two()
  const begun: any[] = []
  for (const [n, days] of [30, 31, 32, 33, 34].entries()) {
    const cell = await cellFor(me, days, '00:00', '00:30')
    await crew.sql(
      `update staff.cell set work_date = $2::date, start_at = $3, end_at = $4, hours = tstzmultirange(tstzrange($3, $4)) where id = $1`,
      [cell.id, crew.day(0), crew.clock(n === 4 ? 1 : -1, `0${n + 1}:00`), crew.clock(n === 4 ? 1 : -1, `0${n + 1}:30`)],
    )
    begun.push(cell)
  }
  const card = (n: number) => ask({ type: 4, cellId: begun[n].id, cardKind: 1, cardTime: crew.clock(n === 4 ? 1 : -1, `0${n + 1}:00`) })
  expect((await card(4)).code).toBe(41956)
  const answers = await Promise.all([card(0), card(1), card(2), card(3)])
  expect(answers.map(({ code }) => code).sort()).toEqual([200, 200, 200, 41951])
})

test('whoever manages the roster asks for a collector who rang in: it is the collector’s, decided by somebody else, and in the log as done for them', async () => {
  const [who, other] = [await crew.aCollector(), await crew.aCollector()]
  await crew.sql('update staff.collector set person_id = null where person_id is not null')
  const cell = await cellFor(who, 24)
  const askFor = (input: object, token?: string) => crew.post('/api/staff/request/applyFor', { reason: '来电请假', type: 1, ...input }, token)
  expect((await askFor({ tollNo: other.tollNo, cellId: cell.id })).code).toBe(41979)
  expect((await askFor({ tollNo: 'NOBODY', cellId: cell.id })).code).toBe(41979)
  expect((await askFor({ tollNo: who.tollNo, cellId: cell.id })).status).toBe(200)
  const [line] = (await crew.post('/api/staff/request/pageQuery', { tollNo: who.tollNo })).data.records
  expect(line).toMatchObject({ cellId: cell.id, tollNo: who.tollNo, state: 1, askedById: ids.admin })
  const found = (await crew.post('/api/staff/request/pageQuery', { requestNo: line.requestNo })).data.records
  expect(found.map(({ id }: any) => id)).toEqual([line.id])
  expect((await decide(cell.id, true, asker)).code).toBe(41955)
  expect((await decide(cell.id, true, boss)).status).toBe(200)
  expect((await crew.cellsOf(who.tollNo))[0].state).toBe(2)
  const again = await cellFor(who, 25)
  await askFor({ tollNo: who.tollNo, cellId: again.id })
  const { id, version } = await of(again.id)
  expect((await crew.post('/api/staff/request/withdraw', { id, version }, partner)).code).toBe(41950)
  expect((await crew.post('/api/staff/request/withdraw', { id, version })).status).toBe(200)
})

test('whoever refuses a request says why', async () => {
  const [me] = await two()
  const cell = await cellFor(me, 26)
  await ask({ type: 1, cellId: cell.id })
  const { id, version } = await of(cell.id)
  const reject = (opinion?: string) =>
    crew.post('/api/staff/request/decide', { id, version, pass: false, ...(opinion !== undefined && { opinion }) }, boss)
  expect((await reject()).code).toBe(41980)
  expect((await reject('  ')).status).not.toBe(200)
  expect((await reject('当日无人替班')).status).toBe(200)
})
