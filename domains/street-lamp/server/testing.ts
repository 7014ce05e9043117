import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { answered, claim, connected, disconnected, enrol, hear, type Queued } from '../../device/server/api.ts'
import { hearOver } from './command.ts'
import { tick } from './life.ts'

const CONTROLLER = 7
let made = 0

export interface Street {
  server: TestServer
  admin: string
  post(path: string, input?: object, token?: string): Promise<any>
  sql<Row = any>(text: string, values?: readonly unknown[]): Promise<Row[]>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Minutes from now. */
  at(minutes: number): Instant
  /** A box with a controller and so many circuits of ten lamps, 1000 W each. */
  aBox(circuits?: number, more?: object): Promise<{ boxCode: string; sn: string; ids: string[] }>
  comes(sn: string): Promise<void>
  goes(sn: string): Promise<void>
  /** Returns the commands waiting for the box, which count as sent from here on. */
  told(sn: string): Promise<Queued[]>
  /** The box answers a command, and the platform hears of its end. */
  answers(sn: string, command: Queued, code?: number, minutes?: number): Promise<void>
  says(sn: string, body: object, minutes?: number, kind?: 'telemetry' | 'event'): Promise<void>
  tick(minutes: number): Promise<void>
  close(): Promise<void>
}

/** The real product, boxes that are there when a test says so. Time is moved by the test: nothing but it calls the tick. */
export async function aStreet(): Promise<Street> {
  const server = await startTestServer({ role: 'web' })
  const admin = await server.signIn('admin')
  const write: Street['write'] = (work) => server.house.writing(1, 'test', work)
  const sql: Street['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  const post: Street['post'] = (path, input = {}, token = admin) => server.ask(token, 'POST', `/lbs/business${path}`, input)
  const start = Date.now()
  const at: Street['at'] = (minutes) => instantAt(Math.round(start + minutes * 60_000))
  return {
    ...{ server, admin, post, sql, write, at },
    async aBox(circuits = 2, more = {}) {
      const boxCode = `BX${String(++made).padStart(3, '0')}`
      const sn = `SL-${boxCode}`
      await write((tx) => enrol(tx, { sn, name: boxCode, type: CONTROLLER, secretHash: 'none' }))
      await must(
        post('/streetLampBox/add', {
          boxCode,
          name: `${boxCode} 箱`,
          lng: 112.14,
          lat: 32.04,
          phaseCount: 3,
          gatewayNo: sn,
          regionCode: '420602',
          ...more,
        }),
      )
      const ids: string[] = []
      for (let n = 1; n <= circuits; n++)
        ids.push(
          (
            await must(
              post('/streetLampWiring/addStreetLampWiring', {
                wiringCode: `${boxCode}-${n}`,
                boxCode,
                name: `第${n}路`,
                circuitNo: n,
                phase: ((n - 1) % 3) + 1,
                lampCount: 10,
                ratedPowerW: 1000,
              }),
            )
          ).id,
        )
      return { boxCode, sn, ids }
    },
    comes: (sn) => write((tx) => connected(tx, sn, '127.0.0.1')),
    goes: (sn) => write((tx) => disconnected(tx, sn)),
    told: (sn) => write((tx) => claim(tx, sn)),
    async answers(sn, { id, method }, code = 0, minutes = 0) {
      await write((tx) => answered(tx, { sn, id, code }))
      await write((tx) => hearOver(tx, { commandId: id, sn, method, state: code === 0 ? 3 : 4 }, at(minutes)))
    },
    async says(sn, body, minutes = 0, kind = 'telemetry') {
      const ts = Date.parse(at(minutes))
      const type = kind === 'event' ? (body as { type: string }).type : kind
      await write((tx) => hear(tx, { sn, kind, mid: `${++made}`, ts, receivedMs: ts, offline: false, seq: null, type, body: { ...body } }))
    },
    tick: (minutes) => write((tx) => tick(tx, at(minutes))),
    close: () => server.close(),
  }
}
async function must(answer: Promise<any>): Promise<any> {
  const { status, message, data } = await answer
  if (status !== 200) throw new Error(`${status} ${message}`)
  return data
}
