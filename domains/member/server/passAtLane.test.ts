import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayOf, instantAt, startOf } from '../../../platform/contract/time.ts'
import { PassWindow } from '../contract/pass.ts'
import { daysOn } from './sold/calendar.ts'
import { anOffice, aPlate, type Office } from './testing.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

const today = () => startOf(dayOf(instantAt(Date.now())))
/** As if it had been sold so many days ago. */
const sinceDays = async (id: string, days: number) => {
  const back = `- make_interval(days => ${days})`
  await office.sql(`update member.pass_car set start_at = start_at ${back}, end_at = end_at ${back} where pass_id = $1`, [id])
  await office.sql(`update member.pass set start_at = start_at ${back}, end_at = end_at ${back} where id = $1`, [id])
  await office.sql(`update member.period set start_at = start_at ${back}, end_at = end_at ${back} where pass_id = $1`, [id])
}
const days = { plan: { periodUnit: 1, periodCount: 30, priceFen: 30_000 } }

describe('at the lane', () => {
  test('two cars, one bay, the later takes it over: it pays until the earlier left, by the tariff of its kind', async () => {
    const field = await office.field()
    const made = await office.aGroup({ parks: [field.parkCode], group: { seatPolicy: 2 } })
    const [a, b] = [aPlate(), aPlate()] as const
    const pass = await office.aPass(made, { plates: [a, b] })
    await sinceDays(pass.id, 5)
    await field.enters(a, 0)
    await field.enters(b, 60)
    await field.exits(a, 120)
    await field.passes(120.2)
    await field.exits(b, 300)
    expect(await field.stay(b)).toMatchObject({ carKindIn: 9, payableFen: 500 })
  })
  test('the tariff of its kind where the pass does not cover', async () => {
    const field = await office.field()
    const made = await office.aGroup({ parks: [field.parkCode], plan: { timeWindow: PassWindow.always } })
    const plate = aPlate()
    const pass = await office.aPass(made, { plates: [plate] })
    await sinceDays(pass.id, 40)
    const [{ ruleId }] = (await office.sql('select rule_id from fee.associate where park_code = $1', [field.parkCode])) as [{ ruleId: string }]
    await office.call('/config/memberGroup/configFeeIndex', { groupId: made.group.id, feeIndex: ruleId })
    await field.enters(plate, 0)
    const stay = await field.stay(plate)
    expect(stay).toMatchObject({ carKindIn: 9 })
    expect(stay.ruleVersionId).toBeTruthy()
    expect((await field.decisions(plate))[0]!.checks.find(({ check }) => check === 6)!.zh).toContain('到期')
  })
  test('a car that was misread when it came in stands on its pass once its plate is put right, and the car it was taken for on none', async () => {
    const field = await office.field()
    const made = await office.aGroup({ parks: [field.parkCode], plan: { timeWindow: PassWindow.always } })
    const [plate, misread] = [aPlate(), aPlate()]
    const pass = await office.aPass(made, { plates: [plate] })
    await sinceDays(pass.id, 5)
    const right = async (from: string, plateNo: string) => {
      const { id, version } = await field.stay(from)
      return (await office.ask(office.admin, '/fee/parkRecord/correctPlate', { id, version, plateNo, reason: '监控核实' })).data
    }
    await field.enters(misread, 0)
    expect(await right(misread, plate)).toMatchObject({ carKindIn: 8, passId: pass.id })
    await field.exits(plate, 180)
    expect(await field.stay(plate)).toMatchObject({ payableFen: 0, carKindOut: 8 })
    await field.passes(181)
    await field.enters(plate, 200)
    expect(await right(plate, misread)).toMatchObject({ carKindIn: 9, passId: null })
    await field.exits(misread, 380)
    expect(await field.stay(misread)).toMatchObject({ payableFen: 1500 })
  })
  test('a plate changed: last week is covered by the old one, the third change of a month is refused', async () => {
    const made = await office.aGroup(days)
    const memberId = await office.aCustomer()
    const plate = aPlate()
    const pass = await office.aPass(made, { memberId, plates: [plate] })
    await sinceDays(pass.id, 9)
    const change = async (plateNo: string) => {
      const cars = (await office.call('/custom/queryMemberCar', { memberId })).data
      const { id, version } = cars.find(({ closedAt }: any) => closedAt === null)
      return office.call('/custom/updateMemberCarId', { id, version, plateNo })
    }
    const [second, third] = [aPlate(), aPlate()]
    expect((await change(second)).code).toBe(200)
    expect(await office.pass(pass.id)).toMatchObject({ plates: [second] })
    const lastWeek = await office.sql('select plate_no from member.pass_car where pass_id = $1 and start_at < $2 and end_at > $2', [
      pass.id,
      daysOn(today(), -7),
    ])
    expect(lastWeek).toEqual([{ plateNo: plate }])
    expect((await change(third)).code).toBe(200)
    expect(await change(aPlate())).toMatchObject({ code: 41454 })
  })
  test('plate changes of a month are counted for each pass: a company’s other passes go on, of the last one two at once have one, and a new month begins at none', async () => {
    const made = await office.aGroup({ ...days, group: { maxCars: 3 } })
    const memberId = await office.aCustomer()
    const [full, other] = [
      await office.aPass(made, { memberId, plates: [aPlate(), aPlate(), aPlate()] }),
      await office.aPass(made, { memberId, plates: [aPlate(), aPlate()], startAt: daysOn(today(), 3) }),
    ]
    const change = async (plateNo: string) => {
      const { id, version } = (await office.call('/custom/queryMemberCar', { memberId })).data.find((one: any) => one.plateNo === plateNo)
      return office.call('/custom/updateMemberCarId', { id, version, plateNo: aPlate() })
    }
    const [a, b, c] = full.plates
    for (const plate of [a, b]) expect((await change(plate)).code).toBe(200)
    expect(await change(c)).toMatchObject({
      status: 422,
      code: 41454,
      message: `月卡 ${full.passNo} 本月已变更两次车牌，下月再办理`,
    })
    expect((await change(other.plates[0])).code, 'another pass of theirs').toBe(200)
    const atOnce = await Promise.all((await office.pass(other.id)).plates.map(change))
    expect(atOnce.map(({ code }) => code).sort(), 'one that has not begun counts too').toEqual([200, 41454])
    const { id, version } = (await office.call('/custom/queryMemberCar', { memberId })).data.find((one: any) => one.plateNo === c)
    expect((await office.call('/custom/updateMemberCarId', { id, version, plateColor: 1 })).code, 'a colour is no change of plate').toBe(200)
    await office.sql(`update member.pass set plates_month = (plates_month - interval '1 month')::date where id = $1`, [full.id])
    expect((await change(c)).code).toBe(200)
    expect((await change((await office.pass(full.id)).plates[0])).code).toBe(200)
    expect(await change((await office.pass(full.id)).plates[0])).toMatchObject({ code: 41454 })
  })
  test('a car that is inside changes neither its plate nor its pass; the last car stays', async () => {
    const field = await office.field()
    const made = await office.aGroup({ parks: [field.parkCode], group: { maxCars: 2 } })
    const memberId = await office.aCustomer()
    const plate = aPlate()
    const pass = await office.aPass(made, { memberId, plates: [plate] })
    const carOf = async (plateNo: string) =>
      (await office.call('/custom/queryMemberCar', { memberId })).data.find((one: any) => one.plateNo === plateNo)
    expect(await office.call('/custom/deleteMemberCarId', { ...pickOne(await carOf(plate)), passId: pass.id })).toMatchObject({ code: 41455 })
    const added = await office.call('/custom/insertMemberCarId', { memberId, plateNo: aPlate(), passIds: [pass.id] })
    expect(added.code).toBe(200)
    expect(await office.call('/custom/insertMemberCarId', { memberId, plateNo: aPlate(), passIds: [pass.id] })).toMatchObject({ code: 41456 })
    await field.enters(plate, 1_000)
    expect(await office.call('/custom/updateMemberCarId', { ...pickOne(await carOf(plate)), plateNo: aPlate() })).toMatchObject({ code: 41453 })
    expect(await office.call('/custom/deleteMemberCarId', { ...pickOne(await carOf(plate)), passId: pass.id })).toMatchObject({ code: 41453 })
  })
})
const pickOne = ({ id, version }: { id: string; version: number }) => ({ id, version })
