import { afterAll, beforeAll, expect, test } from 'vitest'
import { PassStatus } from '../../contract/pass.ts'
import { anOffice, type Office } from '../testing.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

test('whoever gave a pass back by mistake takes that back, and it goes on with every day that it had', async () => {
  const pass = await office.aPass(await office.aGroup(), { periods: 2 })
  const { data: given } = await office.call('/pass/refund', { id: pass.id, version: pass.version, reason: '搬家' })
  expect(given).toMatchObject({ status: PassStatus.frozen, refunding: true })
  const again = { id: pass.id, version: given.version }
  expect(await office.call('/pass/withdrawRefund', again, office.checker)).toMatchObject({ code: 40517 })
  expect(await office.call('/pass/withdrawRefund', { id: pass.id, version: pass.version })).toMatchObject({ code: 409 })
  expect((await office.call('/pass/withdrawRefund', again)).data).toMatchObject({ status: PassStatus.valid, refunding: false, endAt: pass.endAt })
  const kept = await office.pass(pass.id)
  expect((await office.call('/pass/withdrawRefund', { id: pass.id, version: kept.version })).code).toBe(40010)
  const [{ refundingFen }] = await office.sql('select sum(refunding_fen)::int as refunding_fen from settlement.order where credited_to = $1', [
    pass.id,
  ])
  expect(refundingFen).toBe(0)
  expect((await office.call('/pass/refund', { id: pass.id, version: kept.version, reason: '搬家' })).data).toMatchObject({ refunding: true })
})
