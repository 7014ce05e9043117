import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { hashed } from '../../identity/server/api.ts'

const MINUTE = 60_000
const FAR = '2099-12-31'
let made = 0
export const aFleetPlate = () => `鄂F${String(++made).padStart(5, '0')}`

export interface Garage {
  server: TestServer
  admin: string
  /** Another administrator: who applies does not decide. */
  deputy: string
  /** One more administrator, signed in. */
  another(username: string): Promise<string>
  post(path: string, input?: object, token?: string): Promise<any>
  sql<Row = any>(text: string, values?: readonly unknown[]): Promise<Row[]>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Minutes from when the test began. */
  at(minutes: number): Instant
  aVehicle(more?: object): Promise<any>
  aDriver(more?: object): Promise<any>
  /** Applied for by the administrator, from the first to the second minute. */
  applied(from: number, to: number, more?: object): Promise<any>
  approved(from: number, to: number, more?: object): Promise<any>
  /** Handed out at 1,000 m. */
  out(from: number, to: number, more?: object): Promise<any>
  step(of: { id: string; version: number }, state: number, more?: object, token?: string): Promise<any>
  close(): Promise<void>
}

/** The real product with a fleet in it. Time is moved by the test: nothing but it calls the ticks. */
export async function aGarage(): Promise<Garage> {
  const server = await startTestServer({ role: 'web' })
  const admin = await server.signIn('admin')
  const write: Garage['write'] = (work) => server.house.writing(1, 'test', work)
  const sql: Garage['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  const another: Garage['another'] = async (username) => {
    await sql(`insert into identity.person (enterprise_id, username, name, password_hash, must_change) values (1, $1, $1, $2, false)`, [
      username,
      await hashed(digestOf(username, PASSWORD)),
    ])
    await sql(
      `insert into identity.person_role (enterprise_id, person_id, role_id) select 1, d.id, r.role_id from identity.person d, identity.person_role r join identity.person a on a.id = r.person_id where d.username = $1 and a.username = 'admin'`,
      [username],
    )
    return server.signIn(username)
  }
  const deputy = await another('deputy')
  const post: Garage['post'] = (path, input = {}, token = admin) => server.ask(token, 'POST', `/lbs/business${path}`, input)
  const start = Date.now()
  const at: Garage['at'] = (minutes) => instantAt(Math.round(start + minutes * MINUTE))
  const brand = (await post('/vehicleBrand/addVehicleBrand', { name: '东风', model: '风神', energy: 1 })).data
  const aVehicle: Garage['aVehicle'] = async (more = {}) =>
    (
      await post('/vehicleManage/addVehicleManage', {
        vehicleNo: aFleetPlate(),
        brandId: brand.id,
        dept: '运营部',
        seats: 5,
        insuranceEnd: FAR,
        inspectEnd: FAR,
        ...more,
      })
    ).data
  const aDriver: Garage['aDriver'] = async (more = {}) =>
    (
      await post('/driverManage/addVehicleManage', {
        name: `司机${++made}`,
        phone: '13900002222',
        licenceNo: `42060119800101${String(made).padStart(4, '0')}`,
        licenceClass: 6,
        licenceEnd: FAR,
        ...more,
      })
    ).data
  const step: Garage['step'] = ({ id, version }, state, more = {}, token = admin) =>
    post('/vehicle/updateVehicleAllocating', { id, version, state, ...more }, token)
  const applied: Garage['applied'] = async (from, to, more = {}) =>
    (
      await post('/vehicle/addVehicleAllocating', {
        vehicleId: (more as any).vehicleId ?? (await aVehicle()).id,
        driverId: (more as any).driverId ?? (await aDriver()).id,
        reason: '巡检',
        planFrom: at(from),
        planTo: at(to),
        origin: '公司',
        dest: '东津',
        ...more,
      })
    ).data
  const approved: Garage['approved'] = async (from, to, more) => (await step(await applied(from, to, more), 1, {}, deputy)).data
  const out: Garage['out'] = async (from, to, more) => (await step(await approved(from, to, more), 2, { odoOut: 1_000 })).data
  return { server, admin, deputy, another, post, sql, write, at, aVehicle, aDriver, step, applied, approved, out, close: () => server.close() }
}
