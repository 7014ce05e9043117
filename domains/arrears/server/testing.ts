import { run } from '../../../platform/server/database.ts'
import { aTill, now, type Till } from '../../settlement/server/testing.ts'

export { hearEtc } from './deduct.ts'
export { now, until } from '../../settlement/server/testing.ts'
let plates = 0
/** A plate of its own, so that no test meets another's debts. */
export const aPlate = () => `鄂A${String(++plates).padStart(5, '0')}`

export interface Collection extends Till {
  /** Calls of the business service, as the administrator unless another token is given. */
  get(path: string, input?: object, token?: string): Promise<any>
  post(path: string, input: object, token?: string): Promise<any>
  /** Debts of one vehicle, oldest first. */
  debts(plateNo: string, amounts: readonly number[], more?: { parkCode?: string; at?: string }): Promise<any[]>
  fileOf(order: { id: string }): Promise<any>
  /** Returns the receivable by the ledger, and the debts by the files. They are the same, always. */
  owed(): Promise<{ ledger: number; files: number }>
  sql<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
}

/** The real product with a real channel, and what a test of collecting needs to say. */
export async function aCollection(differs: Parameters<typeof aTill>[0] = {}): Promise<Collection> {
  const till = await aTill(differs)
  const sql: Collection['sql'] = (text, values = []) => till.server.house.writing(1, 'test', (tx) => run(tx, { sql: text }, [...values]))
  const get: Collection['get'] = (path, input = {}, token = till.admin) => till.server.ask(token, 'GET', `/lbs/business${path}`, input)
  const fileOf: Collection['fileOf'] = async ({ id }) => {
    const [row] = await sql<{ id: string }>('select id from arrears.record where order_id = $1', [id])
    return (await get('/escape/escapeDetail', { id: row!.id })).data
  }
  return {
    ...till,
    sql,
    get,
    fileOf,
    post: (path, input, token = till.admin) => till.call(token, path, input),
    async debts(plateNo, amounts, { parkCode = 'P001', at } = {}) {
      const made = []
      for (const [place, receivableFen] of amounts.entries()) {
        const order = await till.anOrder({
          receivableFen,
          plateNo,
          parkCode,
          owed: true,
          at: (at ?? new Date(Date.now() - (amounts.length - place) * 60_000).toISOString()) as never,
        })
        made.push(await fileOf(order))
      }
      return made
    },
    async owed() {
      const [row] = await sql<{ ledger: number; files: number }>(`select
        (select coalesce(sum(debit_fen - credit_fen), 0)::bigint from ledger.balance where enterprise_id = scope_enterprise() and account = 'asset.arrears') as ledger,
        (select coalesce(sum(owed_fen), 0)::bigint from arrears.file) as files`)
      return row!
    },
  }
}
export const moment = now
