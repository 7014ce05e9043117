import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, type Tx } from '../../../platform/server/database.ts'
import { instantAt, MINUTE_MS } from '../../../platform/contract/time.ts'
import { until } from '../../settlement/server/testing.ts'
import { cellHeld } from './cellRow.ts'
import { countLogs } from './counting.ts'
import { inTurn, keepLogs } from './duty.ts'
import { figure } from './figuring.ts'
import { aCellNow, aCrew, type Crew } from './testing.ts'
import { watchStaff } from './watching.ts'

let crew: Crew
beforeAll(async () => void (crew = await aCrew()))
afterAll(() => crew.close())
const now = (minutes = 0) => instantAt(Date.now() + minutes * MINUTE_MS)
const today = () => ({ from: crew.day(-1), to: crew.day(1) })

/** The first locks a row, another waits for it meanwhile, and the first goes on to the next row. */
async function meeting(first: (tx: Tx) => Promise<unknown>, other: (tx: Tx) => Promise<unknown>, next: (tx: Tx) => Promise<unknown>) {
  let meets: Promise<unknown> | undefined
  await crew.write(async (tx) => {
    await first(tx)
    meets = crew.write(other)
    meets.catch(() => undefined)
    await until(waiting, (n) => n > 0)
    await next(tx)
  })
  await meets
}
const waiting = async () => (await crew.sql(WAITING))[0].n
const WAITING = `select count(*)::int as n from pg_locks l join pg_stat_activity a on a.pid = l.pid where a.datname = current_database() and not l.granted`
/** Two cells at work, by their ids; the later one lies before the other in its table. */
async function twoCells({ card = false } = {}) {
  const people = [await aCellNow(crew, -90, 90, { card }), await aCellNow(crew, -90, 90, { card })]
  const cells = await crew.sql<{ id: string }>('select id from staff.cell where collector_id = any ($1) order by id', [people.map(({ id }) => id)])
  const [first, second] = cells as [{ id: string }, { id: string }]
  await crew.sql('update staff.cell set updated_at = now() where id = $1', [first.id])
  return [first.id, second.id] as const
}
const figured = async (ids: readonly string[]) => (await crew.sql('select attendance from staff.attendance where cell_id = any ($1)', [ids])).length

test('a round over many cells and whoever decides of two of them come to their attendance in one order', async () => {
  const [first, second] = await twoCells()
  const one = (cellId: string) => (tx: Tx) => figure(tx, { ...today(), cellId }, now())
  await meeting(one(first), (tx) => figure(tx, today(), now()), one(second))
  expect(await figured([first, second])).toBe(2)
})

test('a cell is held before its attendance, by a round as by whoever decides of it', async () => {
  const ids = await twoCells()
  const [, second] = ids
  await meeting(
    (tx) => cellHeld(tx, second),
    (tx) => figure(tx, today(), now()),
    (tx) => figure(tx, { ...today(), cellId: second }, now()),
  )
  expect(await figured(ids)).toBe(2)
})

test('rounds over the logs go one behind the other, whichever begins', async () => {
  const ids = await twoCells({ card: true })
  await crew.write((tx) => keepLogs(tx, today(), now()))
  const logs = await crew.sql<{ id: string }>('select id from staff.work_log where cell_id = any ($1) order by id', [ids])
  const [first, second] = logs as [{ id: string }, { id: string }]
  const touch = (id: string) => (tx: Tx) => run(tx, { sql: 'update staff.work_log set created_at = opened_at where id = $1' }, [id])
  const later = now(600)
  const filling = async (tx: Tx) => {
    await inTurn(tx)
    await touch(second.id)(tx)
  }
  for (const other of [(tx: Tx) => watchStaff(tx, later), (tx: Tx) => countLogs(tx, later), (tx: Tx) => keepLogs(tx, today(), later)])
    await meeting(filling, other, touch(first.id))
  expect(await crew.sql('select distinct state from staff.work_log where id = any ($1)', [[first.id, second.id]])).toEqual([{ state: 1 }])
})
