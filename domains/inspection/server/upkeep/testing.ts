import { run, type Tx } from '../../../../platform/server/database.ts'
import { digestOf, PASSWORD } from '../../../../tests/support/server.ts'
import { hashed } from '../../../identity/server/api.ts'
import { aTill, type Till } from '../../../settlement/server/testing.ts'

export interface Person {
  id: string
  token: string
}
export interface Workshop extends Till {
  sql<Row = any>(text: string, values?: readonly unknown[]): Promise<Row[]>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  post(path: string, input?: object, token?: string): Promise<any>
  get(path: string, input?: object, token?: string): Promise<any>
  /** Somebody who may do so much of inspection, or of devices, in these parks or in all. */
  person(name: string, capabilities: readonly string[], parks?: readonly string[]): Promise<Person>
  /** A new device in a park, in use unless told otherwise; answers with its number. */
  aDevice(more?: object): Promise<string>
  useOf(deviceNo: string): Promise<number>
  /** An inspector, with an account where it is named. */
  anInspector(personId?: string): Promise<string>
  /** Reports a fault by the call, with changed fields. */
  breaks(deviceNo: string, more?: object, token?: string): Promise<any>
  moves(id: string, to: number, more?: object, token?: string): Promise<any>
}
const some = () => Math.random().toString(36).slice(2, 8).toUpperCase()

/** The real product with two parks, its devices, and people of a workshop. */
export async function aWorkshop(): Promise<Workshop> {
  const till = await aTill({ role: 'web' })
  const { server, admin } = till
  await till.codeOf('P001')
  await till.codeOf('P002')
  const write: Workshop['write'] = (work) => server.house.writing(1, 'test', work)
  const sql: Workshop['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  const post: Workshop['post'] = (path, input = {}, token = admin) => server.ask(token, 'POST', `/lbs/device${path}`, input)
  const get: Workshop['get'] = (path, input = {}, token = admin) => server.ask(token, 'GET', `/lbs/device${path}`, input)
  return {
    ...till,
    write,
    sql,
    post,
    get,
    async person(name, capabilities, parks) {
      const username = `w-${some().toLowerCase()}`
      const hash = await hashed(digestOf(username, PASSWORD))
      const id = await write(async (tx) => {
        const [role] = await run<{ id: string }>(
          tx,
          { sql: `insert into identity.role (name, grants, data_scope, parks) values ($1, 1, $2, $3) returning id` },
          [username, parks ? 6 : 2, parks ?? []],
        )
        await run(
          tx,
          {
            sql: `insert into identity.role_resource (role_id, resource_id) select $1, id from identity.resource where url like '/operation/maintain/%' and not retired`,
          },
          [role!.id],
        )
        await run(
          tx,
          { sql: `insert into identity.role_button (role_id, button_id) select $1, id from identity.button where capability = any ($2)` },
          [role!.id, capabilities.map((one) => (one.startsWith('device:') ? one : `inspection:${one}`))],
        )
        const [person] = await run<{ id: string }>(
          tx,
          { sql: `insert into identity.person (username, name, password_hash, must_change) values ($1, $2, $3, false) returning id` },
          [username, name, hash],
        )
        await run(tx, { sql: 'insert into identity.person_role (person_id, role_id) values ($1, $2)' }, [person!.id, role!.id])
        return person!.id
      })
      return { id, token: await server.signIn(username) }
    },
    async aDevice(more = {}) {
      const deviceNo = `DEV-${some()}`
      const { status, code, message } = await post('/iotDevice/insertIotDevice', {
        deviceNo,
        name: `道闸 ${deviceNo}`,
        type: 1,
        parkCode: 'P001',
        useStatus: 1,
        ...more,
      })
      if (status !== 200) throw new Error(`${code} ${message}`)
      return deviceNo
    },
    useOf: async (deviceNo) =>
      (await sql<{ useStatus: number }>('select use_status from device.device where device_no = $1', [deviceNo]))[0]!.useStatus,
    async anInspector(personId) {
      const tollNo = `I${some()}`
      await sql(`insert into staff.collector (toll_no, name, toll_type, park_code, person_id) values ($1, '巡检员', 3, 'P001', $2)`, [
        tollNo,
        personId ?? null,
      ])
      return tollNo
    },
    breaks: (deviceNo, more = {}, token = admin) =>
      post('/inspectionRepair/insert', { deviceNo, source: 2, level: 2, desc: '抬杆后不落', ...more }, token),
    moves: (id, to, more = {}, token = admin) => post('/inspectionRepair/move', { id, to, ...more }, token),
  }
}
