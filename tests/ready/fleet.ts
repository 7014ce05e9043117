import { csv, type Factories, type Maker, of, some } from './maker.ts'

const FAR = '2099-12-31'
let plates = 0
/** Not as `aPlate` does: of the ten thousand by chance two were soon the same. */
const aFleetPlate = () => `鄂B${String(++plates).padStart(5, '0')}`
let licences = 0
const after = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** A fleet with cars, drivers and applications in each state. */
export function ready({ asked, admin, deputy }: Maker): Factories {
  const aBrand = () => ({ name: `东风${some()}`, model: '风神', energy: 1 })
  const brand = () => asked(deputy, 'fleet.brand.add', aBrand())
  const aVehicle = async () => ({
    vehicleNo: aFleetPlate(),
    brandId: (await brand()).id,
    dept: '运营部',
    seats: 5,
    insuranceEnd: FAR,
    inspectEnd: FAR,
  })
  const vehicle = async () => asked(deputy, 'fleet.vehicle.add', await aVehicle())
  const aDriver = () => ({ name: '张师傅', phone: '13900002222', licenceNo: `4206${some()}${++licences}`, licenceClass: 6, licenceEnd: FAR })
  const driver = () => asked(deputy, 'fleet.driver.add', aDriver())
  const plan = async () => ({
    vehicleId: (await vehicle()).id,
    driverId: (await driver()).id,
    reason: '巡检',
    planFrom: after(30),
    planTo: after(90),
    origin: '公司',
    dest: '东津',
  })
  const span = async () => ({ vehicleId: (await vehicle()).id, timeFrom: after(-60), timeTo: after(0) })
  let terminals = 0
  const told = async () =>
    asked(deputy, 'fleet.vehicle.add', { ...(await aVehicle()), deviceNo: `1350${String(Date.now()).slice(-6)}${++terminals}` })
  const aFence = () => ({ name: `围栏${some()}`, kind: 3, area: { ring: [{ lng: 112.14, lat: 32.04 }], radiusM: 300 } })
  const fence = () => asked(deputy, 'fleet.fence.add', aFence())
  const applied = async () => asked(deputy, 'fleet.allocation.add', await plan())
  const approved = async () => asked(admin, 'fleet.allocation.approve', { ...of(await applied()), state: 1 })
  const aViolation = async () => ({ violationNo: `W${some()}`, vehicleId: (await vehicle()).id, at: after(-60), place: '东津大道', conduct: '超速' })
  const violation = async () => asked(deputy, 'fleet.own-violation.add', await aViolation())
  return {
    'fleet.own-violation.add': aViolation,
    'fleet.own-violation.update': async () => ({ ...of(await violation()), points: 3 }),
    'fleet.own-violation.settle': async () => of(await violation()),
    'fleet.own-violation.delete': async () => of(await violation()),
    'fleet.own-violation.import': async () => {
      const { vehicleNo } = await vehicle()
      return csv({ 违章编号: `W${some()}`, 车牌号: vehicleNo, 违章时间: '2026-01-05 08:00:00', 违章地点: '东津大道', 违章行为: '超速' })
    },
    'fleet.brand.add': async () => aBrand(),
    'fleet.brand.update': async () => ({ ...of(await brand()), remark: '试' }),
    'fleet.brand.delete': async () => of(await brand()),
    'fleet.vehicle.add': aVehicle,
    'fleet.vehicle.update': async () => ({ ...of(await vehicle()), purpose: '巡检' }),
    'fleet.vehicle.delete': async () => of(await vehicle()),
    'fleet.driver.add': async () => aDriver(),
    'fleet.driver.update': async () => ({ ...of(await driver()), remark: '试' }),
    'fleet.driver.delete': async () => of(await driver()),
    'fleet.allocation.add': plan,
    'fleet.allocation.update': async () => ({ ...of(await applied()), state: 1 }),
    'fleet.allocation.approve': async () => ({ ...of(await applied()), state: 1 }),
    'fleet.allocation.hand-out': async () => ({ ...of(await approved()), odoOut: 5 }),
    'fleet.allocation.take-back': async () => ({
      ...of(await asked(deputy, 'fleet.allocation.hand-out', { ...of(await approved()), odoOut: 5 })),
      odoIn: 9,
    }),
    'fleet.allocation.cancel': async () => of(await applied()),
    'fleet.fence.add': async () => aFence(),
    'fleet.fence.update': async () => ({ ...of(await fence()), remark: '试' }),
    'fleet.fence.delete': async () => of(await fence()),
    'fleet.fence.was-there': async () => ({ area: aFence().area, timeFrom: after(-60), timeTo: after(0) }),
    'fleet.terminal.text': async () => ({ vehicleId: (await told()).id, text: '请回场' }),
    'fleet.terminal.track': async () => ({ vehicleId: (await told()).id }),
    'fleet.picture.shoot': async () => ({ vehicleId: (await told()).id }),
    'fleet.track.query': span,
    'fleet.track.trips': span,
    'fleet.track.export': span,
    'fleet.vehicle.query-allocating': async () => ({ planFrom: after(30), planTo: after(90) }),
    'fleet.driver.query-allocating': async () => ({ planFrom: after(30), planTo: after(90) }),
  }
}
