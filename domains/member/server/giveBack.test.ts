import { afterAll, beforeAll, expect, test } from 'vitest'
import { PassStatus } from '../contract/pass.ts'
import { anOffice, type Office } from './testing.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

const days = { plan: { periodUnit: 1, periodCount: 30, priceFen: 30_000 } }
/** Twelve of its thirty days are used, today's too, and it is renewed. */
async function used() {
  const { id } = await office.aPass(await office.aGroup(days))
  for (const [table, key] of [
    ['pass_car', 'pass_id'],
    ['pass', 'id'],
    ['period', 'pass_id'],
  ])
    await office.sql(`update member.${table} set start_at = start_at - interval '11 days', end_at = end_at - interval '11 days' where ${key} = $1`, [
      id,
    ])
  expect((await office.call('/pass/renewMany', { ids: [id], periods: 1, cash: true })).data).toMatchObject([{ refused: null }])
  return office.pass(id)
}
const ledgerOf = async (id: string) =>
  (
    await office.sql(
      "select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.line where account = 'liability.pass' and sub = $1",
      [id],
    )
  )[0].fen
/** Of the days that are not used up what was paid, and all of the renewal. Read past midnight one day more is used. */
const due = (quote: any, paidFen: number) => Math.floor((paidFen * (30 - quote.parts[0].usedDays)) / 30) + 30_000
async function paysOut({ id, version }: { id: string; version: number }) {
  const out = await office.ask(office.admin, '/business/orderRefund/payOut', { id, version })
  expect(out.code, out.message).toBe(200)
}

test('a refund of an order alone that is still open holds it: what may be rejected yet is not lost', async () => {
  const pass = await used()
  // So that the till holds what is paid out here, whatever was before.
  await office.aPass(await office.aGroup(days))
  const [{ orderId }] = await office.sql('select order_id from member.period where pass_id = $1 order by start_at limit 1', [pass.id])
  const decide = (how: string, { id, version }: any) => office.ask(office.checker, `/business/orderRefund/${how}`, { id, version, verdict: '同意' })
  const ask = (amountFen: number) => office.ask(office.admin, '/business/orderRefund/apply', { orderId, amountFen, reason: '施工补偿' })
  const quote = async () => (await office.call('/pass/quote', { act: 2, id: pass.id })).data
  const giveBack = async () => office.call('/pass/refund', { id: pass.id, version: (await office.pass(pass.id)).version, reason: '搬家' })
  const rejected = (await ask(8_000)).data
  const held = await quote()
  expect(held).toMatchObject({ refundFen: due(held, 30_000), parts: [{ paidFen: 30_000, refundingFen: 8_000 }, { refundingFen: 0 }] })
  expect(await giveBack()).toMatchObject({ status: 409, code: 41492, message: expect.stringContaining('¥80.00') })
  expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.valid, refunding: false })
  expect((await decide('reject', rejected)).code).toBe(200)
  const approved = (await decide('approve', (await ask(5_000)).data)).data
  expect(await giveBack(), 'granted, and not yet in the hand of the customer').toMatchObject({ code: 41492 })
  await paysOut(approved)
  const left = await quote()
  expect(left).toMatchObject({ refundFen: due(left, 25_000), parts: [{ paidFen: 25_000, refundingFen: 0 }, {}] })
  expect((await giveBack()).data).toMatchObject({ refunding: true })
  expect(await ask(1_000), 'nor the other way about').toMatchObject({ status: 409, code: 41493 })
  for (const one of await office.sql(
    'select r.id, r.version from settlement.refund r join member.period p on p.refund_id = r.id where p.pass_id = $1',
    [pass.id],
  ))
    await paysOut((await decide('approve', one)).data)
  expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.returned })
  expect(await ledgerOf(pass.id)).toBe(0)
})
