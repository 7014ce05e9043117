import { afterAll, beforeAll, expect, test } from 'vitest'
import { RechargeKind } from '../../settlement/contract/recharge.ts'
import { aGarage, aPhone, aPlate, type Garage } from './testing.ts'

let garage: Garage
beforeAll(async () => {
  garage = await aGarage()
})
afterAll(() => garage.close())

const report = async (query: object) => (await garage.server.ask(garage.admin, 'GET', '/lbs/fee/report/recharge', query)).data.records

test('money on a card is told apart from money in an account, each with whose it is', async () => {
  const plateNo = aPlate()
  await garage.business('/rechargeParkCard/add', { holder: '王芳', phone: aPhone(), plates: [plateNo], payFen: 5_000, payMethod: 4 })
  const { ownerId } = await garage.anOwner('李雷')
  await garage.recharge(ownerId, 3_000)
  expect(await report({ bizType: [RechargeKind.parkCard] })).toMatchObject([{ memberName: '王芳', plates: plateNo, payFen: 5_000 }])
  expect(await report({ bizType: [RechargeKind.stored] })).toMatchObject([{ memberName: '李雷', plates: null, payFen: 3_000 }])
})
