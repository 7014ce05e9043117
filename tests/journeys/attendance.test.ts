import { afterAll, beforeAll, expect, test } from 'vitest'
import { Attendance, CAME } from '../../domains/staff/contract/roster.ts'
import { figure } from '../../domains/staff/server/figuring.ts'
import { aCellNow, aCrew, type CellOf, type Crew } from '../../domains/staff/server/testing.ts'
import { shiftsNow, shiftsOn } from '../../domains/staff/web/lists.ts'
import { instantAt } from '../../platform/contract/time.ts'

let crew: Crew
beforeAll(async () => {
  crew = await aCrew()
})
afterAll(() => crew.close())

const aCell = (from: number, to: number, how: CellOf = {}) => aCellNow(crew, from, to, how)
const figured = () => crew.write((tx) => figure(tx, { from: crew.day(-1), to: crew.day(0) }, instantAt(Date.now())))
const now = async () => (await crew.get('/api/staff/dashboard/now', {})).data

test('each figure of attendance is as many as the list that it opens: who carded or is on leave before the shift begins is in neither', async () => {
  const before = (await now()).due
  await aCell(30, 90, { card: true })
  await aCell(30, 90, { state: 2 })
  await aCell(-30, 60, { card: true })
  await figured()
  const listed = async (address: string) => {
    const { attendance, ...asked } = Object.fromEntries(new URL(address, 'http://x').searchParams)
    return (
      await crew.post('/api/staff/parkSchedule/pageQueryShift', { ...asked, ...(attendance && { attendance: attendance.split(',').map(Number) }) })
    ).data.total
  }
  const board = await now()
  expect(board.due).toBe(before + 1)
  const range = { workDateFrom: crew.day(0), workDateTo: crew.day(0) }
  const whole = (await crew.get('/api/work/statistics', range)).data
  for (const [name, attendance] of [
    ['due', []],
    ['present', CAME],
    ['absent', [Attendance.absent]],
    ['leave', [Attendance.leave]],
  ] as const) {
    const only = attendance.length > 0 ? { attendance } : {}
    expect([name, await listed(shiftsNow(board.at, only))]).toEqual([name, board[name]])
    expect([name, await listed(shiftsOn(crew.day(0), crew.day(0), whole.at, only))]).toEqual([name, whole[name]])
  }
})
