import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { WarningState } from '../contract/workWarning.ts'
import { figure } from './figuring.ts'
import { aCellNow, aCrew, type CellOf, type Crew } from './testing.ts'

let crew: Crew
beforeAll(async () => {
  crew = await aCrew()
})
afterAll(() => crew.close())

const aCell = (from: number, to: number, how: CellOf = {}) => aCellNow(crew, from, to, how)
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
