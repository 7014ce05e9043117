import { afterAll, beforeAll, expect, test } from 'vitest'
import { StartMode } from '../../charging/contract/session.ts'
import { askStart } from '../../charging/server/api.ts'
import { aYard, driversOf, now, type Yard } from '../../charging/server/testing.ts'
import { aGarage, type Garage } from '../../owner/server/testing.ts'

let yard: Yard
let garage: Garage
beforeAll(async () => {
  yard = await aYard()
  garage = await aGarage(yard)
  const days = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString()
  await garage.business('/pointsAccount/setParks', { parks: [{ parkCode: 'P001', earn: true, spend: false, capPermille: 0 }] })
  await garage.business('/pointsRule/add', { name: '充电得积分', event: 2, ratio: 10, startAt: days(-1), endAt: days(30) })
})
afterAll(() => yard.close())

test('a charge earns points for whoever started it, whatever plate they gave; else for the owner of the car', async () => {
  const { pay } = driversOf(() => yard)
  const [driver, owner] = [await garage.anOwner('李明'), await garage.anOwner('王芳')]
  const { plateNo } = await garage.aCar(owner.ownerId)
  const starts = async (prepayFen: number, more: { ownerId?: string }) => {
    const { connectorId } = await yard.aGun()
    const wish = { connectorId, startMode: StartMode.scan, pays: 'prepaid', prepayFen, plateNo, plateColor: 0, at: now(), ...more } as const
    const { hold } = await yard.write((tx) => askStart(tx, wish))
    await pay(hold!.settlementId!, prepayFen)
  }
  await starts(5_000, { ownerId: driver.ownerId })
  await starts(3_000, {})
  const accounts = await garage.sql('select phone, name, balance from coupon.points_account order by balance')
  expect(accounts).toEqual([
    { phone: owner.phone, name: '王芳', balance: 300 },
    { phone: driver.phone, name: '李明', balance: 500 },
  ])
  expect((await yard.replay()).right).toBe(true)
})
