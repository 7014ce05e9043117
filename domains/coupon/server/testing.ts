import { run } from '../../../platform/server/database.ts'
import { aGround, type Field, type Ground } from '../../parking/server/testing.ts'

export interface Shop {
  ground: Ground
  field: Field
  /** Calls of the coupon service, of custom and of business, as the administrator. */
  call(path: string, input: object, token?: string): Promise<any>
  custom(path: string, input: object): Promise<any>
  business(path: string, input: object, method?: 'GET' | 'POST', token?: string): Promise<any>
  sql<Row = any>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  template(of?: object): Promise<any>
  merchant(of?: { settleMode?: number; expiredBack?: boolean; balanceFen?: number; creditFen?: number }): Promise<{ id: string }>
  merchantOf(id: string): Promise<any>
  /** Coupons of a template that a merchant has bought. */
  sale(mchId: string, template: any, of?: { priceFen?: number; qty?: number }): Promise<any>
  send(input: object): Promise<any>
  coupons(plate: string): Promise<any[]>
  /** A car that has stood for so long, before the exit. */
  leaves(plate: string, minutes: number): Promise<any>
  ledgerOf(mchId: string): Promise<{ balance: number; coupon: number; credit: number }>
  replay(): Promise<boolean>
  aPlate(): string
  close(): Promise<void>
}
let made = 0
/** A park with an entrance and an exit, 5 yuan an hour, and those who give coupons for it. */
export async function aShop(): Promise<Shop> {
  const ground = await aGround()
  const field = await ground.field()
  const call: Shop['call'] = (path, input, token = ground.admin) => ground.ask(token, `/coupon${path}`, input)
  const custom: Shop['custom'] = (path, input) => ground.ask(ground.admin, `/custom${path}`, input)
  const business: Shop['business'] = (path, input, method = 'POST', token = ground.admin) => ground.ask(token, `/business${path}`, input, method)
  const sql: Shop['sql'] = (text, values = []) => field.write((tx) => run(tx, { sql: text }, [...values]))
  const merchantOf: Shop['merchantOf'] = async (id) => (await sql('select * from merchant.merchant where id = $1', [id]))[0]
  return {
    ground,
    field,
    call,
    custom,
    business,
    sql,
    merchantOf,
    template: async (of = {}) =>
      (
        await call('/couponsTemplateInfo/insert', {
          name: `券 ${++made}`,
          type: 1,
          value: 300,
          validType: 2,
          validDays: 30,
          totalQty: 1000,
          status: 1,
          ...of,
        })
      ).data,
    async merchant({ settleMode = 1, expiredBack = true, balanceFen = 0, creditFen = 0 } = {}) {
      const { data } = await custom('/merchant/add', {
        name: `商户 ${++made}`,
        type: 1,
        contact: '王店长',
        phone: '13900001111',
        parkCodes: [field.parkCode],
        settleMode,
        expiredBack,
      })
      if (balanceFen) await custom('/merchantAccount/recharge', { mchId: data.id, amountFen: balanceFen, payMethod: 4 })
      if (creditFen) await custom('/merchant/addCreditQuota', { mchId: data.id, amountFen: creditFen, reason: '试' })
      return data
    },
    async sale(mchId, template, { priceFen = 200, qty = 10 } = {}) {
      const { data: article } = await call('/couponsGoodsinfo/insert', { templateId: template.id, name: template.name, priceFen, qty })
      const { settleMode } = await merchantOf(mchId)
      return (await call('/couponSoldRecord/buyCoupons', { mchId, goodId: article.id, qty, payableFen: settleMode === 1 ? priceFen * qty : 0 })).data
    },
    send: (input) => call('/coupon/sendToCar', { reason: '消费满百', ...input }),
    coupons: (plate) => sql('select * from coupon.coupon where plate_no = $1 order by id', [plate]),
    async leaves(plate, minutes) {
      await field.enters(plate, 0)
      await field.exits(plate, minutes)
      return (await field.orders(await field.stay(plate)))[0]
    },
    ledgerOf: async (id) =>
      (
        await sql(
          `select coalesce(sum(credit_fen - debit_fen) filter (where account = 'liability.merchant'), 0)::bigint as balance,
        coalesce(sum(credit_fen - debit_fen) filter (where account = 'liability.coupon'), 0)::bigint as coupon,
        coalesce(sum(debit_fen - credit_fen) filter (where account = 'asset.merchant-credit'), 0)::bigint as credit
        from ledger.balance where enterprise_id = scope_enterprise() and sub = $1`,
          [id],
        )
      )[0],
    replay: async () => (await business('/ledger/replay/check', {}, 'GET')).data.right,
    aPlate: () => `鄂D${String(++made).padStart(5, '0')}`,
    close: () => ground.server.close(),
  }
}
