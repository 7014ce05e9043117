import { allocation, AllocationState, STEP } from '../domains/fleet/contract/allocation.ts'
import { brand, Energy } from '../domains/fleet/contract/brand.ts'
import { fence, FenceKind } from '../domains/fleet/contract/fence.ts'
import { driver, DriverStatus, LicenceClass } from '../domains/fleet/contract/driver.ts'
import { vehicle, VehicleStatus } from '../domains/fleet/contract/vehicle.ts'
import { violation } from '../domains/fleet/contract/violation.ts'
import type { Fen } from '../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt } from '../platform/contract/time.ts'
import { run } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import { digestOf, hashed } from '../domains/identity/server/api.ts'
import type { Client } from './client.ts'
import { PlateColor } from '../platform/contract/plate.ts'

/** Adds the dispatcher, who keeps the fleet's keys and applies for cars: another person decides. Made as administrators make people and roles, with the password of the demo. */
export async function addDispatcher(house: House, enterprise: number, password: string): Promise<string> {
  const username = 'dispatcher'
  const hash = await hashed(digestOf(username, password))
  await house.writing(enterprise, 'city.dispatcher', async (tx) => {
    const said = async (sql: string, values: unknown[] = []) => run<{ id: string }>(tx, { sql }, values)
    const [role] = await said(`insert into identity.role (name, remark) values ('车队调度员', '申请用车、交车与还车') returning id`)
    const screens = `from identity.resource where url like '/car/%' and not retired`
    await said(`insert into identity.role_resource (role_id, resource_id) select $1, id ${screens}`, [role!.id])
    await said(
      `insert into identity.role_button (role_id, button_id) select $1, id from identity.button where resource_id in (select id ${screens}) and capability <> $2`,
      [role!.id, STEP.approve],
    )
    const [person] = await said(
      `insert into identity.person (username, name, password_hash, must_change, demo) values ($1, '车队调度员', $2, false, true) returning id`,
      [username, hash],
    )
    await said('insert into identity.person_role (person_id, role_id) values ($1, $2)', [person!.id, role!.id])
  })
  return username
}

const HOUR_MS = 3_600_000
/** A plate of a car that runs on electricity has one sign more. */
const SIGNS_OF_BLUE = 7
const METRES = 1_000
const BRANDS = [
  ['东风', '风神 E70', Energy.electric],
  ['福特', '全顺', Energy.fuel],
  ['东风', '多利卡清障车', Energy.fuel],
  ['比亚迪', '宋 PLUS DM-i', Energy.hybrid],
] as const
/** Plate, model, department, what for, seats, days until the inspection ends, kilometres, terminal. */
const CARS = [
  ['鄂F60801', 1, '路内巡查一队', '路内巡查', 6, 200, 61_230, '16007100001'],
  ['鄂F60802', 1, '路内巡查一队', '路内巡查', 6, 18, 70_115, '16007100002'],
  ['鄂F60803', 2, '清障队', '清障拖移', 3, 320, 42_900, '16007100003'],
  ['鄂FD60804', 0, '设备维护部', '设备巡检', 5, 150, 18_640, '16007100004'],
  ['鄂FD60805', 0, '设备维护部', '设备巡检', 5, -3, 22_310, '16007100005'],
  ['鄂F60806', 3, '综合办公室', '公务', 5, 90, 35_020, '16007100006'],
] as const
/** Those that drive their rounds; the last has been given to nobody. */
export const DRIVEN = [0, 3, 5].map((n, round) => {
  const [vehicleNo, , , , , , kilometres, deviceNo] = CARS[n]!
  return { vehicleNo, deviceNo, round, fromM: kilometres * METRES, mileageM: kilometres * METRES, minutes: 45 }
})
const DRIVERS = [
  ['王建国', '16007200011', '420699198003120011', LicenceClass.b2, 900],
  ['李海涛', '16007200012', '420699198507210032', LicenceClass.c1, 25],
  ['周志强', '16007200013', '420699197911050053', LicenceClass.a2, 400],
  ['陈卫东', '16007200014', '420699199002140074', LicenceClass.c1, 1_200],
  ['刘小军', '16007200015', '420699198809090095', LicenceClass.c2, 700],
] as const

/** The company's own cars and who drives them, as people set them up; `other` decides what `client` applies for. */
export async function addFleet(client: Client, other: Client, nowMs: number): Promise<void> {
  const models = []
  for (const [name, model, energy] of BRANDS) models.push(await client.ask(brand.add, { name, model, energy }))
  const day = (days: number) => dayOf(instantAt(nowMs + days * DAY_MS))
  const cars = []
  for (const [vehicleNo, of, dept, purpose, seats, days, kilometres, deviceNo] of CARS) {
    const papers = { inspectEnd: day(days), insuranceEnd: day(Math.max(days, 60)), mileageM: kilometres * METRES, deviceNo }
    const plateColor = vehicleNo.length > SIGNS_OF_BLUE ? PlateColor.green : PlateColor.blue
    cars.push(await client.ask(vehicle.add, { vehicleNo, plateColor, brandId: models[of]!.id, dept, purpose, seats, ...papers }))
  }
  const people = []
  for (const [name, phone, licenceNo, licenceClass, days] of DRIVERS)
    people.push(await client.ask(driver.add, { name, phone, licenceNo, licenceClass, licenceEnd: day(days) }))
  const [resting, mended] = [people[4]!, cars[4]!]
  await client.ask(driver.update, { id: resting.id, version: resting.version, status: DriverStatus.leave })
  await client.ask(vehicle.update, { id: mended.id, version: mended.version, status: VehicleStatus.repair })
  for (const one of FENCES) await client.ask(fence.add, { ...one, area: { ...one.area } })
  await giveOut(client, other, { cars, people, nowMs })
  await hold(client, { cars, people, nowMs })
}
/** The yard, where the cars of the night stay; the old town, where no tow truck may go by day; the district of the patrols. */
const FENCES = [
  { name: '运营中心车场', kind: FenceKind.arrival, area: { ring: [{ lng: 112.2266, lat: 32.0981 }], radiusM: 350 } },
  {
    name: '老城步行街',
    kind: FenceKind.noGo,
    area: {
      ring: [
        { lng: 112.2335, lat: 32.1035 },
        { lng: 112.2385, lat: 32.1035 },
        { lng: 112.2385, lat: 32.1075 },
        { lng: 112.2335, lat: 32.1075 },
      ],
    },
    timeFrom: '07:00',
    timeTo: '22:00',
    depts: ['清障队', '路内巡查一队'],
  },
  { name: '巡查辖区', kind: FenceKind.keepIn, area: { ring: [{ lng: 112.2266, lat: 32.0981 }], radiusM: 6_000 }, depts: ['路内巡查一队'] },
]

interface Given {
  cars: readonly { id: never | string; mileageM: number }[]
  people: readonly { id: never | string }[]
  nowMs: number
}
/** Car, driver, from, until (hours from now), what for, where, and how far it has come. */
const PLANS = [
  [0, 0, -1, 5, '早班路内巡查', '汉江路片区', AllocationState.out],
  [2, 2, 0, 4, '拖移占用消防通道车辆', '长虹路', AllocationState.returned],
  [3, 3, 1, 6, '道闸月检', '人民广场停车场', AllocationState.out],
  [1, 1, 3, 8, '中班路内巡查', '檀溪路片区', AllocationState.approved],
  [5, 0, 26, 32, '参加市级调度会', '市民中心', AllocationState.applied],
  [2, 2, 28, 34, '夜间清障备勤', '火车站', AllocationState.applied],
  [5, 3, 50, 54, '接送外地专家', '襄阳东站', AllocationState.rejected],
] as const
async function giveOut(client: Client, other: Client, { cars, people, nowMs }: Given): Promise<void> {
  for (const [car, person, from, until, reason, dest, state] of PLANS) {
    const [vehicleId, driverId] = [cars[car]!.id as never, people[person]!.id as never]
    const [planFrom, planTo] = [instantAt(nowMs + from * HOUR_MS), instantAt(nowMs + until * HOUR_MS)]
    const asked = await client.ask(allocation.add, { vehicleId, driverId, reason, planFrom, planTo, origin: '运营中心', dest })
    if (state === AllocationState.applied) continue
    const key = { id: asked.id, version: asked.version }
    if (state === AllocationState.rejected) {
      await other.ask(allocation.update, { ...key, state, verdict: '当天公务车已排满，请改乘高铁接驳' })
      continue
    }
    const approved = await other.ask(allocation.update, { ...key, state: AllocationState.approved })
    if (state === AllocationState.approved) continue
    const odoOut = cars[car]!.mileageM
    const out = await client.ask(allocation.update, { id: asked.id, version: approved.version, state: AllocationState.out, odoOut, fuelOut: 85 })
    if (state === AllocationState.returned)
      await client.ask(allocation.update, { id: asked.id, version: out.version, state, odoIn: odoOut + 12 * METRES, fuelIn: 70 })
  }
}

/** Car, days ago, where, what for, yuan, points, and whether it is paid. */
const HELD = [
  [0, 3, '檀溪路与长虹路路口', '不按导向车道行驶', 100, 2, false],
  [2, 9, '环城东路', '违反禁止停车标线', 50, 0, true],
  [3, 16, '东津大道', '超速 20% 以下', 200, 3, false],
] as const
async function hold(client: Client, { cars, nowMs }: Given): Promise<void> {
  for (const [n, [car, daysAgo, place, conduct, yuan, points, paid]] of HELD.entries()) {
    const at = instantAt(nowMs - daysAgo * DAY_MS)
    const held = {
      violationNo: `4206${at.slice(0, 10).replaceAll('-', '')}${100 + n}`,
      vehicleId: cars[car]!.id as never,
      at,
      place,
      conduct,
      fineFen: (yuan * 100) as Fen,
      points,
    }
    const { id, version } = await client.ask(violation.add, held)
    if (paid) await client.ask(violation.settle, { id, version, remark: '已在交管平台缴款' })
  }
}
