import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  type Instant,
  message,
  moves,
  orNone,
  pick,
  pictures,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Driver, type DriverId } from './driver.ts'
import { Vehicle, type VehicleId } from './vehicle.ts'

export const AllocationState = dictionary('fleet_allocation_state', ['派车状态', 'Allocation status'], {
  applied: [0, '待审', 'Pending review', 'warning'],
  approved: [1, '已批准', 'Approved', 'success'],
  out: [2, '出车', 'Out', 'warning'],
  returned: [3, '已还车', 'Returned', 'success'],
  rejected: [4, '驳回', 'Rejected', 'error'],
  cancelled: [5, '取消', 'Cancelled'],
})
export const allocationCan = moves(AllocationState, {
  approve: { [AllocationState.applied]: AllocationState.approved },
  reject: { [AllocationState.applied]: AllocationState.rejected },
  handOut: { [AllocationState.approved]: AllocationState.out },
  takeBack: { [AllocationState.out]: AllocationState.returned },
  cancel: { [AllocationState.applied]: AllocationState.cancelled, [AllocationState.approved]: AllocationState.cancelled },
})
/** A capability each: who applies does not approve, and who keeps the keys hands out and takes back. */
export const STEP = {
  plan: 'fleet:allocation:apply',
  approve: 'fleet:allocation:approve',
  handOut: 'fleet:allocation:handout',
  takeBack: 'fleet:allocation:return',
  cancel: 'fleet:allocation:cancel',
} as const
/** The time before its start from which a car may be fetched, and the time after it when the allocation is cancelled. */
export const EARLY_MIN = 120
export const UNFETCHED_MIN = 240
/** The longest that a car is given out at once. */
export const PLAN_MAX_DAYS = 90
/** No car comes further in a day; a reading beyond it was typed wrong. */
const DAY_MOST_M = 2_000_000
/** The most that an odometer says when a car comes back: by the days that have begun since it went out. */
export const odometerMost = (odoOut: number, outAt: Instant, at: Instant) =>
  odoOut + Math.max(1, Math.ceil((msOf(at) - msOf(outAt)) / DAY_MS)) * DAY_MOST_M

const fuel = (zh: string, en: string) => whole(zh, en, { unit: 'percent', min: 0, max: 100 })
const odometer = (zh: string, en: string) => whole(zh, en, { unit: 'metre', min: 0, max: 2_000_000_000 })
/** A car for a driver and a time (派车). */
export const Allocation = entity(['派车单', 'Allocation'], {
  ...rowFields<'FleetAllocationId'>(),
  allocationNo: text('派车单号', 'Allocation number', { max: 40 }),
  vehicleId: id<VehicleId>('车辆', 'Vehicle'),
  driverId: id<DriverId>('驾驶员', 'Driver'),
  reason: text('事由', 'Purpose', { max: 200 }),
  planFrom: instant('计划开始', 'Planned start'),
  planTo: instant('计划结束', 'Planned end'),
  origin: text('出发地', 'Origin', { max: 120 }),
  dest: text('目的地', 'Destination', { max: 120 }),
  state: among('状态', 'Status', AllocationState),
  odoOut: orNone(odometer('出车里程', 'Odometer out')),
  odoIn: orNone(odometer('还车里程', 'Odometer in')),
  fuelOut: orNone(fuel('出车油电量', 'Fuel out')),
  fuelIn: orNone(fuel('还车油电量', 'Fuel in')),
  imagesOut: orNone(pictures('出车照片', 'Pictures out')),
  imagesIn: orNone(pictures('还车照片', 'Pictures in')),
  damage: orNone(text('车损说明', 'Damage', { max: 500 })),
  applicantId: id<'PersonId'>('申请人编号', 'Applicant (id)'),
  applicantName: text('申请人', 'Applicant'),
  approverName: orNone(text('审批人', 'Decided by')),
  decidedAt: orNone(instant('审批时间', 'Decided at')),
  verdict: orNone(text('审批意见', 'Opinion', { max: 200 })),
  outAt: orNone(instant('出车时间', 'Out at')),
  outBy: orNone(text('发车交接人', 'Handed over by')),
  inAt: orNone(instant('还车时间', 'Back at')),
  inBy: orNone(text('接车人', 'Taken back by')),
  /** The distance that its terminal reported meanwhile. */
  trackM: orNone(odometer('轨迹里程', 'Track distance')),
  odoOff: yes('里程不符', 'Mileage mismatch'),
})
export const AllocationLine = entity({
  ...Allocation.properties,
  vehicleNo: Vehicle.properties.vehicleNo,
  plateColor: Vehicle.properties.plateColor,
  dept: Vehicle.properties.dept,
  driverName: { ...Driver.properties.name, 'x-zh': '驾驶员', 'x-en': 'Driver' },
})
export const allocationSearch = searchOf(
  AllocationLine,
  {
    id: 'equals',
    allocationNo: 'equals',
    vehicleNo: 'plate',
    vehicleId: 'equals',
    driverId: 'equals',
    driverName: 'contains',
    dept: 'contains',
    state: 'among',
    planFrom: 'between',
    planTo: 'between',
    odoOff: 'equals',
  },
  { sort: ['planFrom', 'createdAt'] },
)

const PLAN = ['vehicleId', 'driverId', 'reason', 'planFrom', 'planTo', 'origin', 'dest'] as const
const view = { service: 'business', needs: 'fleet:allocation:view' } as const
const step = { service: 'business', writes: true, own: true } as const
const key = pick(Allocation, 'id', 'version').properties
const verdict = text('意见', 'Opinion', { max: 200 })
const damage = text('车损说明', 'Damage', { max: 500 })
const handOver = pictures('车况照片', 'Condition pictures')
/** The decisions about an application. */
const Finding = dictionary('fleet_finding', ['审批结论', 'Decision'], {
  approved: [1, '批准', 'Approve', 'success'],
  rejected: [4, '驳回', 'Reject', 'error'],
})
const query = call('fleet.allocation.query', {
  ...view,
  post: '/vehicle/queryAllocatingDriverManage',
  body: paged(allocationSearch),
  reply: pageOf(AllocationLine),
})
export const allocation = {
  query,
  one: call('fleet.allocation.one', { ...view, own: true, get: '/vehicle/one', query: pick(Allocation, 'id'), reply: AllocationLine }),
  add: call('fleet.allocation.add', {
    service: 'business',
    needs: STEP.plan,
    writes: true,
    post: '/vehicle/addVehicleAllocating',
    does: ['申请用车', 'Requested a vehicle'],
    body: pick(Allocation, ...PLAN),
    reply: Allocation,
  }),
  /** With `state` it is the next step, by the right of that step; without one it changes the plan. */
  update: call('fleet.allocation.update', {
    service: 'business',
    needs: STEP.plan,
    writes: true,
    post: '/vehicle/updateVehicleAllocating',
    does: ['办理派车', 'Handled an allocation'],
    body: message(pick(Allocation, 'id', 'version').properties, {
      ...pick(Allocation, 'state', ...PLAN).properties,
      verdict: text('意见', 'Opinion', { max: 200 }),
      odoOut: odometer('出车里程', 'Odometer out'),
      odoIn: odometer('还车里程', 'Odometer in'),
      fuelOut: fuel('出车油电量', 'Fuel out'),
      fuelIn: fuel('还车油电量', 'Fuel in'),
      images: pictures('车况照片', 'Condition pictures'),
      damage: text('车损说明', 'Damage', { max: 500 }),
    }),
    reply: Allocation,
  }),
  /** The same steps one by one, each by its right alone. */
  approve: call('fleet.allocation.approve', {
    ...step,
    needs: STEP.approve,
    post: '/vehicle/approveAllocating',
    does: ['审批用车', 'Decided a vehicle request'],
    body: message({ ...key, state: among('结论', 'Decision', Finding) }, { verdict }),
    reply: Allocation,
  }),
  handOut: call('fleet.allocation.hand-out', {
    ...step,
    needs: STEP.handOut,
    post: '/vehicle/handOutAllocating',
    does: ['发车交接', 'Handed over a vehicle'],
    body: message({ ...key, odoOut: odometer('出车里程', 'Odometer out') }, { fuelOut: fuel('出车油电量', 'Fuel out'), images: handOver }),
    reply: Allocation,
  }),
  takeBack: call('fleet.allocation.take-back', {
    ...step,
    needs: STEP.takeBack,
    post: '/vehicle/takeBackAllocating',
    does: ['还车', 'Took back a vehicle'],
    body: message({ ...key, odoIn: odometer('还车里程', 'Odometer in') }, { fuelIn: fuel('还车油电量', 'Fuel in'), images: handOver, damage }),
    reply: Allocation,
  }),
  cancel: call('fleet.allocation.cancel', {
    ...step,
    needs: STEP.cancel,
    post: '/vehicle/cancelAllocating',
    does: ['取消派车', 'Cancelled an allocation'],
    body: message(key, { verdict }),
    reply: Allocation,
  }),
  export: exportOf('fleet.allocation.export', {
    ...view,
    get: '/vehicle/exportVehicleAllocatingInfo',
    title: ['派车单', 'Allocations'],
    query,
    columns: [
      'allocationNo',
      'state',
      'vehicleNo',
      'dept',
      'driverName',
      'reason',
      'planFrom',
      'planTo',
      'origin',
      'dest',
      'applicantName',
      'approverName',
      'decidedAt',
      'verdict',
      'outAt',
      'outBy',
      'odoOut',
      'fuelOut',
      'inAt',
      'inBy',
      'odoIn',
      'fuelIn',
      'damage',
      'trackM',
      'odoOff',
      'createdAt',
    ],
  }),
}
