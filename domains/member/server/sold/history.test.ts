import { afterAll, beforeAll, expect, test } from 'vitest'
import { HistoryKind } from '../../contract/customer.ts'
import { anOffice, aPlate, type Office } from '../testing.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

test('a customer’s history has what was paid, paused and changed, the newest first; an order that waits is none of it', async () => {
  const made = await office.aGroup()
  const [before, after] = [aPlate(), aPlate()]
  const pass = await office.aPass(made, { plates: [before] })
  const lines = async () => (await office.get('/custom/history', { id: pass.memberId })).data as any[]
  const [sold] = (await lines()).filter(({ kind }) => kind === HistoryKind.sold)
  expect(sold).toMatchObject({
    passNo: pass.passNo,
    groupName: made.group.name,
    plates: [before],
    fromAt: pass.startAt,
    toAt: pass.endAt,
    amountFen: 30_000,
    payMethod: 4,
    byName: expect.any(String),
    orderNo: expect.any(String),
  })
  const waiting = await office.call('/pass/renewMany', { ids: [pass.id], periods: 1, cash: false })
  expect(waiting.data).toMatchObject([{ refused: null }])
  expect((await lines()).map(({ kind }) => kind)).not.toContain(HistoryKind.renewed)
  await office.call('/pass/pay', { id: pass.id, payMethod: 4 })
  const version = async () => ({ id: pass.id, version: (await office.pass(pass.id)).version })
  await office.call('/custom/stopMemberSeat', { ...(await version()), reason: '出国', bank: true })
  await office.call('/custom/startMemberSeat', await version())
  const [car] = await office.sql('select id, version from member.car where member_id = $1', [pass.memberId])
  expect((await office.call('/custom/updateMemberCarId', { ...car, plateNo: after })).code).toBe(200)
  const all = await lines()
  expect(all.map(({ kind }) => kind)).toEqual([
    HistoryKind.plateChanged,
    HistoryKind.restarted,
    HistoryKind.frozen,
    HistoryKind.renewed,
    ...[HistoryKind.sold, HistoryKind.carAdded].toSorted((a, b) => all.findIndex(({ kind }) => kind === a) - all.findIndex(({ kind }) => kind === b)),
  ])
  expect(all[0]).toMatchObject({ plates: [before], newPlateNo: after })
  await office.call('/pass/renewMany', { ids: [pass.id], periods: 1, cash: true })
  const receipts = (await lines()).filter(({ kind }) => kind === HistoryKind.renewed || kind === HistoryKind.sold)
  expect(receipts.map(({ plates }) => plates)).toEqual([[after], [before], [before]])
  expect(all.find(({ kind }) => kind === HistoryKind.frozen)).toMatchObject({ reason: '出国', byName: expect.any(String) })
})
