import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { digestOf, PASSWORD } from '../../../tests/support/server.ts'
import { hashed } from '../../identity/server/api.ts'
import { aTill, type Till } from '../../settlement/server/testing.ts'
import { tick } from './life.ts'

/** Somebody who is signed in, with the capabilities of after-sale that are named. */
export interface Person {
  id: string
  token: string
}
export interface Desk extends Till {
  sql<Row = any>(text: string, values?: readonly unknown[]): Promise<Row[]>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A call of after-sale by its address, as `who`; the administrator when left out. */
  post(path: string, input?: object, token?: string): Promise<any>
  get(path: string, input?: object, token?: string): Promise<any>
  person(name: string, capabilities: readonly string[], parks?: readonly string[]): Promise<Person>
  /** An order as it is kept. */
  order(id: string): Promise<any>
  /** Opens a new order, with changed fields. */
  opens(more?: object, token?: string): Promise<any>
  handles(id: string, event: number, more?: object, token?: string): Promise<any>
  /** An order of a handler, solved and closed so many days ago. */
  closed(handler: Person, more?: object): Promise<any>
  tick(at: Instant): Promise<void>
  /** Titles of the messages that somebody got inside the console. */
  inbox(custId: string): Promise<string[]>
}
const BASIC = '/lbs/basic'
export const ORDER = {
  title: '道闸不抬杆',
  type: 3,
  source: 1,
  level: 2,
  content: '出口道闸扫码后不抬杆',
  contact: '13900001111',
  contactName: '王先生',
  parkCode: 'P001',
}
export const STARTED = 4
export const WAITED = 5
export const RESUMED = 6
export const SOLVED = 7
export const RETURNED = 8
export const CLOSED = 9
export const REOPENED = 10
export const CANCELLED = 11

/** The real product with a park, and people of a service desk. Time passes only where the test says so. */
export async function aDesk(): Promise<Desk> {
  const till = await aTill({ role: 'web' })
  const { server, admin } = till
  await till.codeOf('P001')
  await till.codeOf('P002')
  const write: Desk['write'] = (work) => server.house.writing(1, 'test', work)
  const sql: Desk['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  const post: Desk['post'] = (path, input = {}, token = admin) => server.ask(token, 'POST', `${BASIC}${path}`, input)
  const get: Desk['get'] = (path, input = {}, token = admin) => server.ask(token, 'GET', `${BASIC}${path}`, input)
  const order: Desk['order'] = async (id) => (await sql('select * from after_sale.order_line where id = $1', [id]))[0]
  const handles: Desk['handles'] = (id, event, more = {}, token = admin) =>
    post('/workOrder/handleOrder', { id, event, opinion: '已核实', ...more }, token)
  const opens: Desk['opens'] = async (more = {}, token = admin) => (await post('/workOrder/add', { ...ORDER, ...more }, token)).data
  let made = 0
  return {
    ...till,
    sql,
    write,
    post,
    get,
    order,
    handles,
    opens,
    async person(name, capabilities, parks) {
      const username = `d${++made}-${Math.random().toString(36).slice(2, 8)}`
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
            sql: `insert into identity.role_resource (role_id, resource_id) select $1, id from identity.resource where url like '/operation/afterSale/%' and not retired`,
          },
          [role!.id],
        )
        await run(
          tx,
          { sql: `insert into identity.role_button (role_id, button_id) select $1, id from identity.button where capability = any ($2)` },
          [role!.id, capabilities.map((one) => `after-sale:${one}`)],
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
    async closed(handler, more = {}) {
      const made = await opens({ assigneeId: handler.id, ...more })
      await handles(made.id, STARTED)
      await handles(made.id, SOLVED)
      await handles(made.id, CLOSED)
      return order(made.id)
    },
    tick: (at) => write((tx) => tick(tx, at)),
    inbox: async (custId) =>
      (await sql<{ title: string }>('select title from message.record where cust_id = $1 order by created_at, id', [custId])).map(
        ({ title }) => title,
      ),
  }
}
/** A moment of the city, `2026-09-30 17:00`. */
export const city = (text: string): Instant => instantAt(Date.parse(`${text.replace(' ', 'T')}:00+08:00`))
