import { run } from '../../../platform/server/database.ts'
import { aTill, type Till } from '../../settlement/server/testing.ts'

export { now } from '../../settlement/server/testing.ts'

/** The real product, with what a test of merchants says. */
export interface Market extends Till {
  custom(path: string, input: object, token?: string): Promise<any>
  business(path: string, input: object, token?: string): Promise<any>
  sql<Row = any>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** A merchant of a park of the test's, with what it has. */
  merchant(of?: { settleMode?: number; expiredBack?: boolean; balanceFen?: number; creditFen?: number; name?: string }): Promise<any>
  merchantOf(id: string): Promise<any>
  /** Returns a merchant's sums in the ledger: balance, issued coupons, debt. */
  ledgerOf(id: string): Promise<{ balance: number; coupon: number; credit: number }>
}
let made = 0
export async function aMarket(): Promise<Market> {
  const till = await aTill()
  await till.codeOf('P001')
  const sql: Market['sql'] = (text, values = []) => till.server.house.writing(1, 'test', (tx) => run(tx, { sql: text }, [...values]))
  const custom: Market['custom'] = (path, input, token = till.admin) => till.server.ask(token, 'POST', `/lbs/custom${path}`, input)
  const merchantOf: Market['merchantOf'] = async (id) =>
    (
      await sql('select *, (select count(*)::int from merchant.movement m where m.mch_id = o.id) as moves from merchant.merchant o where id = $1', [
        id,
      ])
    )[0]
  return {
    ...till,
    sql,
    custom,
    business: (path, input, token = till.admin) => till.call(token, path, input),
    merchantOf,
    async merchant({ settleMode = 1, expiredBack = true, balanceFen = 0, creditFen = 0, name = `商户 ${++made}` } = {}) {
      const { data } = await custom('/merchant/add', {
        name,
        type: 1,
        contact: '王店长',
        phone: '13900001111',
        parkCodes: ['P001'],
        settleMode,
        expiredBack,
      })
      if (balanceFen) await custom('/merchantAccount/recharge', { mchId: data.id, amountFen: balanceFen, payMethod: 4 })
      if (creditFen) await custom('/merchant/addCreditQuota', { mchId: data.id, amountFen: creditFen, reason: '试' })
      return { ...(await merchantOf(data.id)), ...data }
    },
    async ledgerOf(id) {
      const [row] = await sql(
        `select coalesce(sum(credit_fen - debit_fen) filter (where account = 'liability.merchant'), 0)::bigint as balance,
          coalesce(sum(credit_fen - debit_fen) filter (where account = 'liability.coupon'), 0)::bigint as coupon,
          coalesce(sum(debit_fen - credit_fen) filter (where account = 'asset.merchant-credit'), 0)::bigint as credit
          from ledger.balance where enterprise_id = scope_enterprise() and sub = $1`,
        [id],
      )
      return row
    },
  }
}
