import { afterAll, beforeAll, expect, test } from 'vitest'
import { RechargeKind } from '../../settlement/contract/recharge.ts'
import { AmountKind } from '../contract/amount.ts'
import { anOffice, aPlate, type Office } from './testing.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

const report = async (name: string, query: object) => (await office.ask(office.admin, `/fee/report/${name}`, query, 'GET')).data

test('what was sold of a pass is told by the report of what was taken ahead: new or renewed, whose, for which cars, how long', async () => {
  const made = await office.aGroup()
  const plates = [aPlate(), aPlate()].sort()
  const memberId = await office.aCustomer({ name: '王建国' })
  const pass = await office.aPass(made, { memberId, plates })
  expect((await office.call('/pass/renewMany', { ids: [pass.id], periods: 1 })).code).toBe(200)
  const [renewal] = await office.sql('select id, payable_fen, status from settlement.order where credited_to = $1 order by created_at desc limit 1', [
    pass.id,
  ])
  if (renewal.status === 0) await office.ask(office.admin, '/business/order/cash', { id: renewal.id, amountFen: renewal.payableFen })
  const renewed = await office.pass(pass.id)
  const of = { groupName: made.group.name }
  const { records } = await report('recharge', of)
  const told = { memberName: '王建国', plates: plates.join(','), groupName: made.group.name, parkCode: pass.parkCode }
  expect(records.map((row: any) => row.bizType)).toEqual([RechargeKind.renewal, RechargeKind.newPass])
  expect(records[0]).toMatchObject({ ...told, periodFrom: pass.endAt, periodTo: renewed.endAt })
  expect(records[1]).toMatchObject({ ...told, periodFrom: pass.startAt, periodTo: pass.endAt })
  expect((await report('recharge', { ...of, bizType: [RechargeKind.renewal] })).records).toHaveLength(1)
  // Sold before midnight and renewed behind it they are two rows of a day.
  for (const groupBy of ['day', 'month', 'park', 'group']) {
    const rows: any[] = (await report('rechargeStatistics', { ...of, groupBy })).records
    const summed = (field: string) => rows.reduce((sum, row) => sum + row[field], 0)
    expect(['newCount', 'renewCount', 'payFen'].map(summed), groupBy).toEqual([1, 1, 60_000])
  }
  expect((await report('rechargeStatistics', { ...of, groupBy: 'group' })).records[0].groupName).toBe(made.group.name)
})

test('a pass that a sheet brings in is neither new nor renewed: it has a kind of its own, and every count says the same', async () => {
  const [made, plate] = [await office.aGroup(), aPlate()]
  await office.aPass(made)
  const form = new FormData()
  const rows = ['姓名,手机,车牌,月卡类型,开始,结束,实收', `周七,13712340001,${plate},${made.group.name},2026-11-01,2027-10-31,1200`]
  form.append('file', new Blob([rows.join('\n')]), 'rows.csv')
  const sent = await fetch(`${office.server.url}/lbs/member/member/excel/importMember2`, {
    method: 'POST',
    headers: { authorization: `Bearer ${office.admin}` },
    body: form,
  })
  expect(((await sent.json()) as any).data).toMatchObject({ added: 1, errors: [] })
  const of = { groupName: made.group.name }
  const ofKind = async (kind: number) => (await report('recharge', { ...of, bizType: [kind] })).records
  const [broughtIn] = await ofKind(RechargeKind.broughtIn)
  expect(broughtIn).toMatchObject({ memberName: '周七', plates: plate, payFen: 120_000 })
  expect((await report('recharge', of)).total).toBe(2)
  const payments = async (kind: number) => (await office.call('/amount/queryPage', { groupId: made.group.id, kind: [kind] })).data.total
  const counts = await Promise.all([AmountKind.opened, AmountKind.renewed, AmountKind.broughtIn].map(payments))
  expect(counts).toEqual([1, 0, 1])
  for (const groupBy of ['day', 'month', 'park', 'group']) {
    const summed = (field: string) => rowsOf.reduce((sum, row) => sum + row[field], 0)
    const rowsOf: any[] = (await report('rechargeStatistics', { ...of, groupBy })).records
    expect(['newCount', 'renewCount', 'broughtInCount'].map(summed), groupBy).toEqual(counts)
    expect(summed('payFen'), groupBy).toBe(150_000)
  }
})
