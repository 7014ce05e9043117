import { run, type Tx } from '../../../platform/server/database.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS, startOf } from '../../../platform/contract/time.ts'
import { aPark } from '../../parking/server/testing.ts'
import { aTill, type Till } from '../../settlement/server/testing.ts'

let made = 0
export interface Crew extends Till {
  parkCode: string
  post(path: string, input?: object, token?: string): Promise<any>
  get(path: string, input?: object, token?: string): Promise<any>
  sql<Row = any>(text: string, values?: readonly unknown[]): Promise<Row[]>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The day so many days from today. */
  day(days: number): string
  /** A clock time of the city on that day. */
  clock(days: number, time: string): Instant
  aCollector(more?: object): Promise<any>
  aShift(from: string, to: string, more?: object): Promise<any>
  aGroup(more?: object): Promise<any>
  plans(list: object[], more?: object): Promise<any>
  cellsOf(tollNo: string): Promise<any[]>
}

/** The real product with a park, and what a test of toll staff needs to say. */
export async function aCrew(): Promise<Crew> {
  const till = await aTill({ role: 'web' })
  const { server, admin } = till
  const write: Crew['write'] = (work) => server.house.writing(1, 'test', work)
  const sql: Crew['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  const post: Crew['post'] = (path, input = {}, token = admin) => server.ask(token, 'POST', `/lbs/business${path}`, input)
  const get: Crew['get'] = (path, input = {}, token = admin) => server.ask(token, 'GET', `/lbs/business${path}`, input)
  const parkCode = 'T001'
  await write((tx) => aPark(tx, { parkCode }))
  const today = Date.parse(startOf(dayOf(instantAt(Date.now()))))
  const day: Crew['day'] = (days) => dayOf(instantAt(today + days * DAY_MS))
  const clock: Crew['clock'] = (days, time) => instantAt(today + days * DAY_MS + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * MINUTE_MS)
  return {
    ...till,
    parkCode,
    post,
    get,
    sql,
    write,
    day,
    clock,
    async aCollector(more = {}) {
      const tollNo = `T${String(++made).padStart(4, '0')}`
      await ok(post('/api/staff/toll/save', { tollNo, name: `收费员${made}`, tollType: 2, parkCode, ...more }))
      return (await sql('select * from staff.collector where toll_no = $1', [(more as { tollNo?: string }).tollNo ?? tollNo]))[0]
    },
    async aShift(from, to, more = {}) {
      const name = `班${++made}`
      await ok(post('/api/staff/shift/save', { name, segments: [{ from, to }], ...more }))
      return (await sql('select * from staff.work_shift where name = $1', [name]))[0]
    },
    async aGroup(more = {}) {
      const name = `组${++made}`
      await ok(post('/api/staff/workGroup/save', { name, parkCode, ...more }))
      return (await sql('select * from staff.work_group where name = $1', [name]))[0]
    },
    plans: (list, more = {}) => post('/api/staff/parkSchedule/saveOrUpdateList', { list, ...more }),
    cellsOf: (tollNo) => sql('select * from staff.cell_line where toll_no = $1 order by work_date, start_at', [tollNo]),
  }
}
async function ok(asked: Promise<{ status: number; message: string }>): Promise<void> {
  const { status, message } = await asked
  if (status !== 200) throw new Error(message)
}

export interface CellOf {
  state?: number
  card?: boolean
}
/** A cell of today whose hours began and end so many minutes from now, with a card or none. */
export async function aCellNow(crew: Crew, from: number, to: number, { state = 1, card = false }: CellOf = {}) {
  const who = await crew.aCollector()
  const shift = await crew.aShift('08:00', '16:00')
  await crew.plans([{ tollNo: who.tollNo, workDate: crew.day(1), shiftId: shift.id, placeCodes: [crew.parkCode] }])
  const [cell] = await crew.cellsOf(who.tollNo)
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const today = `update staff.cell set work_date = $2::date, state = $5, start_at = $3, end_at = $4, hours = tstzmultirange(tstzrange($3, $4)) where id = $1`
  await crew.sql(today, [cell.id, crew.day(0), at(from), at(to), state])
  if (card) {
    await crew.sql(
      `insert into staff.card (collector_id, park_code, kind, source, at, received_at, in_fence, mid) values ($1, $2, 1, 2, $3, $3, true, 'm')`,
      [who.id, crew.parkCode, at(from)],
    )
    await crew.sql(`insert into staff.attendance (cell_id, park_code, work_date, attendance, check_in_at) values ($1, $2, $3, 1, $4)`, [
      cell.id,
      crew.parkCode,
      crew.day(0),
      at(from),
    ])
  }
  return who
}
