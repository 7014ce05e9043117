import type { Instant } from '../../../platform/contract/field.ts'
import { dayOf, DAY_MS, instantAt, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { enrol } from '../../device/server/api.ts'
import { aPark } from '../../parking/server/testing.ts'
import { aTill, type Till } from '../../settlement/server/testing.ts'

let made = 0
export interface Ground extends Till {
  post(path: string, input?: object, token?: string): Promise<any>
  get(path: string, input?: object, token?: string): Promise<any>
  sql<Row = any>(text: string, values?: readonly unknown[]): Promise<Row[]>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A clock time of the city so many days from today. */
  clock(days: number, hours?: number): Instant
  /** A park on the map, with so many barriers in use; their numbers. */
  parkWith(devices: number): Promise<{ parkCode: string; devices: string[] }>
  inspector(parkCode: string, more?: object): Promise<string>
  rule(more?: object): Promise<any>
  tasksOf(ruleId: string): Promise<any[]>
}
export const ITEMS = [
  { name: '外观', type: 1 },
  { name: '电压', type: 2, min: 200, max: 240 },
]
export const AT = { lng: 112.1, lat: 32.0 }

/** The real product, and what a test of inspection needs to say. */
export async function aGround(): Promise<Ground> {
  const till = await aTill({ role: 'web' })
  const { server, admin } = till
  const write: Ground['write'] = (work) => server.house.writing(1, 'test', work)
  const sql: Ground['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  const asks =
    (method: 'GET' | 'POST') =>
    (path: string, input: object = {}, token = admin) =>
      server.ask(token, method, `/lbs/device${path}`, input)
  const [get, post] = [asks('GET'), asks('POST')]
  const today = Date.parse(startOf(dayOf(instantAt(Date.now()))))
  return {
    ...till,
    get,
    post,
    sql,
    write,
    clock: (days, hours = 0) => instantAt(today + days * DAY_MS + hours * 3_600_000),
    async parkWith(devices) {
      const parkCode = `I${String(++made).padStart(3, '0')}`
      await write((tx) => aPark(tx, { parkCode }))
      await sql('update parking.park set lng = $2, lat = $3 where park_code = $1', [parkCode, AT.lng, AT.lat])
      const numbers = Array.from({ length: devices }, (_, n) => `${parkCode}-D${n + 1}`)
      for (const sn of numbers) await write((tx) => enrol(tx, { sn, name: `道闸 ${sn}`, type: 1, parkCode, secretHash: 'none' }))
      await sql('update device.device set use_status = 1 where park_code = $1', [parkCode])
      return { parkCode, devices: numbers }
    },
    async inspector(parkCode, more = {}) {
      const tollNo = `X${String(++made).padStart(4, '0')}`
      await ok(server.ask(admin, 'POST', '/lbs/business/api/staff/toll/save', { tollNo, name: `巡检${made}`, tollType: 3, parkCode, ...more }))
      return tollNo
    },
    async rule(more = {}) {
      return (await ok(post('/patrolRules/insert', { name: `规则${++made}`, deviceTypes: [1], cycle: 1, items: ITEMS, ...more }))).data
    },
    tasksOf: (ruleId) => sql('select * from inspection.task where rule_id = $1 order by park_code, plan_from', [ruleId]),
  }
}
export async function ok<T extends { status: number; message: string }>(asked: Promise<T>): Promise<T> {
  const answer = await asked
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.message}`)
  return answer
}
