import { afterAll, beforeAll, expect, test } from 'vitest'
import { domains } from '../../apps/server/domains.ts'
import { addressOf, type Call } from '../../platform/contract/call.ts'
import { aGround, type Field, type Ground } from '../../domains/parking/server/testing.ts'

let ground: Ground
let field: Field
/** One car paid and left, and its plate was put right afterwards; one left owing; one backed out of the entrance and is void; one is inside. */
beforeAll(async () => {
  ground = await aGround()
  field = await ground.field()
  await field.enters('鄂F65021', 0)
  await field.exits('鄂F65021', 90)
  await field.pays(await field.stay('鄂F65021'), 91)
  await field.passes(92)
  await change('correctPlate', '鄂F65021', { plateNo: '鄂F65026' })
  await field.enters('鄂F20001', 100)
  await field.exits('鄂F20001', 230)
  await field.passes(231, { cause: 'manual' })
  await field.enters('鄂F30001', 240)
  await field.passes(241, { sn: field.inSn, passed: false })
  await field.enters('鄂F40001', 310)
})
afterAll(() => ground.server.close())
async function change(what: string, plate: string, body: object) {
  const { id, version } = await field.stay(plate)
  await ground.ask(ground.admin, `/fee/parkRecord/${what}`, { id, version, reason: '试', ...body })
}

type Row = Record<string, number>
const asks = (call: Call<any, any>, input: object) => ground.server.ask<any>(ground.admin, call.method, addressOf(call), input)
const isMoney = (name: string) => name.endsWith('Fen')
/** Every call that answers with a page of rows that have an amount. */
const lists = domains
  .flatMap(({ calls }) => calls.map(({ call }) => call as Call<any, any>))
  .filter(({ reply }) => Object.keys((reply as any)?.properties?.records?.items?.properties ?? {}).some(isMoney))

test('what a list with money sums is what its rows add up to, whatever was voided or corrected', async () => {
  const summed: string[] = []
  for (const call of lists) {
    const [rows, sum] = await Promise.all([asks(call, { limit: 200, queryMode: 'rows' }), asks(call, { queryMode: 'sum' })])
    if (rows.status === 400 || !sum.data?.sums) continue
    const records = rows.data.records as Row[]
    const added = Object.fromEntries(Object.keys(sum.data.sums).map((name) => [name, records.reduce((all, row) => all + row[name]!, 0)]))
    expect([call.id, sum.data.sums]).toEqual([call.id, added])
    summed.push(call.id)
  }
  expect(summed).toContain('parking.record.query-page')
  expect(summed.length).toBeGreaterThanOrEqual(7)
})

test('the lists of stays, charges, orders and payments, the income report and the ledger tell the same money', async () => {
  const { parkCode } = field
  const sumOf = async (id: string) =>
    (
      await asks(
        lists.find((call) => call.id === id)!,
        { parkCode, queryMode: 'sum' },
      )
    ).data.sums as Row
  const [stays, charges, orders, payments, income] = await Promise.all(
    [
      'parking.record.query-page',
      'parking.screen.charge-record',
      'settlement.order.list',
      'settlement.report.temporary-stop-details',
      'settlement.report.temporary-stop',
    ].map(sumOf),
  )
  const booked = { receivableFen: income!['receivableFen'], paidFen: income!['paidFen'] }
  expect(booked).toEqual({ receivableFen: 2500, paidFen: 1000 })
  expect(stays).toMatchObject(booked)
  expect(charges).toMatchObject(booked)
  expect(orders!['paidFen']).toBe(1000)
  expect(payments!['receivedFen']).toBe(1000)
})

test('void stays are listed when they are asked for, and in no count or sum otherwise', async () => {
  const call = lists.find(({ id }) => id === 'parking.record.query-page')!
  const { parkCode } = field
  const [all, voided, both] = await Promise.all([
    asks(call, { parkCode }),
    asks(call, { parkCode, status: [9] }),
    asks(call, { parkCode, status: [3, 9] }),
  ])
  expect(all.data).toMatchObject({ total: 3 })
  expect(voided.data.records.map(({ plateNo }: { plateNo: string }) => plateNo).sort()).toEqual(['鄂F30001', '鄂F65021'])
  expect(both.data).toMatchObject({ total: 4 })
})
