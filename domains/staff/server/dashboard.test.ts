import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { Attendance, CAME } from '../contract/schedule.ts'
import { WarningState } from '../contract/warning.ts'
import { shiftsNow, shiftsOn } from '../web/lists.ts'
import { figure } from './figuring.ts'
import { aCrew, type Crew } from './testing.ts'

let crew: Crew
beforeAll(async () => {
  crew = await aCrew()
}) // prettier-ignore
afterAll(() => crew.close())

/** A cell of today whose hours began and end so many minutes from now, with a card or none. */
async function aCell(from: number, to: number, { state = 1, card = false } = {}) {
  const who = await crew.aCollector()
  const shift = await crew.aShift('08:00', '16:00')
  await crew.plans([{ tollNo: who.tollNo, workDate: crew.day(1), shiftId: shift.id, placeCodes: [crew.parkCode] }])
  const [cell] = await crew.cellsOf(who.tollNo)
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const today = `update staff.cell set work_date = $2::date, state = $5, start_at = $3, end_at = $4, hours = tstzmultirange(tstzrange($3, $4)) where id = $1`
  await crew.sql(today, [cell.id, crew.day(0), at(from), at(to), state])
  if (card) {
    await crew.sql(`insert into staff.card (collector_id, park_code, kind, source, at, received_at, in_fence, mid) values ($1, $2, 1, 2, $3, $3, true, 'm')`, [who.id, crew.parkCode, at(from)])
    await crew.sql(`insert into staff.attendance (cell_id, park_code, work_date, attendance, check_in_at) values ($1, $2, $3, 1, $4)`, [cell.id, crew.parkCode, crew.day(0), at(from)])
  }
  return who
} // prettier-ignore
const figured = () => crew.write((tx) => figure(tx, { from: crew.day(-1), to: crew.day(0) }, instantAt(Date.now())))
const now = async (input: object = {}, token?: string) => (await crew.get('/api/staff/dashboard/now', input, token)).data

test('who is due, came, is at work, and who is wanting; what has not begun is not due', async () => {
  await aCell(-30, 60, { card: true })
  const missing = await aCell(-20, 60)
  await aCell(-90, -10)
  await aCell(-30, 60, { state: 2 })
  await aCell(30, 90)
  const [watched] = await crew.sql('select id from staff.collector where toll_no = $1', [missing.tollNo])
  await crew.sql('insert into staff.warning (rule, level, collector_id, park_code, start_at) values (1, 3, $1, $2, now())', [
    watched.id,
    crew.parkCode,
  ])
  const over = `insert into staff.warning (rule, level, collector_id, park_code, start_at, state, handled_at, handler_name, opinion) values (2, 3, $1, $2, now(), $3, now(), '督导', '误报')`
  await crew.sql(over, [watched.id, crew.parkCode, WarningState.mistaken])
  await figured()
  const board = await now()
  expect(board).toMatchObject({ employed: 5, due: 4, present: 1, onDuty: 1, absent: 1, leave: 1, warnings: 1 })
  expect(board.places).toMatchObject([{ placeCode: crew.parkCode, planned: 2, onDuty: 1 }])
  expect(board.missing).toMatchObject([{ tollNo: missing.tollNo, lateMin: 20 }])
  expect(await now({ parkCode: 'NONE' })).toMatchObject({ employed: 0, due: 0, warnings: 0, places: [], missing: [] })
  expect((await crew.get('/api/staff/dashboard/now', {}, crew.operator)).status).toBe(403)
})

test('each figure of attendance is as many as the list that it opens: who carded or is on leave before the shift begins is in neither', async () => {
  const before = (await now()).due
  await aCell(30, 90, { card: true })
  await aCell(30, 90, { state: 2 })
  await aCell(-30, 60, { card: true })
  await figured()
  const listed = async (address: string) => {
    const { attendance, ...asked } = Object.fromEntries(new URL(address, 'http://x').searchParams)
    return (await crew.post('/api/staff/parkSchedule/pageQueryShift', { ...asked, ...(attendance && { attendance: attendance.split(',').map(Number) }) })).data.total
  }
  const board = await now()
  expect(board.due).toBe(before + 1)
  const range = { workDateFrom: crew.day(0), workDateTo: crew.day(0) }
  const whole = (await crew.get('/api/work/statistics', range)).data
  for (const [name, attendance] of [['due', []], ['present', CAME], ['absent', [Attendance.absent]], ['leave', [Attendance.leave]]] as const) {
    const only = attendance.length > 0 ? { attendance } : {}
    expect([name, await listed(shiftsNow(board.at, only))]).toEqual([name, board[name]])
    expect([name, await listed(shiftsOn(crew.day(0), crew.day(0), whole.at, only))]).toEqual([name, whole[name]])
  }
}) // prettier-ignore
