import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  id,
  images,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pick,
  pickSome,
  plate,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { Brand, Energy } from './brand.ts'

export const VehicleStatus = dictionary('fleet_vehicle_status', ['车辆状态', 'Vehicle status'], {
  idle: [1, '空闲', 'Available', 'success'],
  inUse: [2, '使用中', 'In use', 'warning'],
  repair: [3, '维修', 'Under repair', 'error'],
  scrapped: [4, '报废', 'Scrapped'],
})
/** By hand; 使用中 follows the allocation. A scrapped car stays scrapped. */
export const vehicleCan = moves(VehicleStatus, {
  free: { [VehicleStatus.repair]: VehicleStatus.idle },
  repair: { [VehicleStatus.idle]: VehicleStatus.repair },
  scrap: { [VehicleStatus.idle]: VehicleStatus.scrapped, [VehicleStatus.repair]: VehicleStatus.scrapped },
})
/** Papers that end within so many days are shown in amber. */
export const PAPERS_DUE_DAYS = 30
const ODOMETER_MAX_M = 2_000_000_000

export type VehicleId = 'FleetVehicleId'
/** A car that the company runs itself (车队车辆). */
export const Vehicle = entity(['车队车辆', 'Fleet vehicle'], {
  ...rowFields<VehicleId>(),
  vehicleNo: plate('车牌号', 'Plate'),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  brandId: id<'FleetBrandId'>('品牌编号', 'Brand (id)'),
  vin: orNone(text('车架号', 'VIN', { min: 17, max: 17, pattern: '^[A-HJ-NPR-Z0-9]{17}$' })),
  dept: text('使用部门', 'Department', { max: 60 }),
  purpose: orNone(text('用途', 'Use', { max: 60 })),
  seats: whole('座位数', 'Seats', { min: 1, max: 80 }),
  buyDate: orNone(day('购置日期', 'Purchase date')),
  insuranceEnd: day('保险到期', 'Insurance expires'),
  inspectEnd: day('年检到期', 'Inspection expires'),
  mileageM: whole('里程', 'Odometer', { unit: 'metre', min: 0, max: ODOMETER_MAX_M }),
  /** The telephone number under which its terminal speaks. */
  deviceNo: orNone(text('终端号', 'Terminal', { max: 32 })),
  status: among('状态', 'Status', VehicleStatus),
  image: orNone(images('照片', 'Picture')),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const VehicleLine = entity({
  ...Vehicle.properties,
  brandName: Brand.properties.name,
  model: Brand.properties.model,
  energy: among('能源', 'Energy', Energy),
})
export const vehicleSearch = searchOf(
  VehicleLine,
  {
    id: 'equals',
    vehicleNo: 'plate',
    brandId: 'equals',
    dept: 'contains',
    status: 'among',
    deviceNo: 'equals',
    insuranceEnd: 'between',
    inspectEnd: 'between',
  },
  { sort: ['createdAt', 'insuranceEnd', 'inspectEnd'] },
)
/** The query before a car or a driver is given out: the time, and the allocation that is being changed. `all` shows those that are not free too, and why. */
export const Wanted = message(
  { planFrom: instant('计划开始', 'Planned start'), planTo: instant('计划结束', 'Planned end') },
  { id: id<'FleetAllocationId'>('派车编号', 'Allocation (id)'), all: yes('含不可用', 'Include unavailable') },
)
/** Why something cannot be given out; several may hold, the weightiest is said. */
export const WhyNot = dictionary('fleet_why_not', ['不可派原因', 'Unavailable because'], {
  state: [1, '状态不可用', 'Not in service', 'error'],
  papers: [2, '证件在还车前到期', 'Documents expire before return', 'warning'],
  taken: [3, '该时段已派出', 'Taken at that time', 'warning'],
})
export const VehicleChoice = entity({
  ...pick(VehicleLine, 'id', 'vehicleNo', 'plateColor', 'brandName', 'model', 'seats', 'dept', 'mileageM', 'status').properties,
  whyNot: orNone(among('不可派原因', 'Unavailable because', WhyNot)),
  until: orNone(instant('占用至', 'Taken until')),
})

const WRITTEN = ['plateColor', 'vin', 'purpose', 'buyDate', 'mileageM', 'deviceNo', 'image', 'remark'] as const
const NEEDED = ['vehicleNo', 'brandId', 'dept', 'seats', 'insuranceEnd', 'inspectEnd'] as const
const view = { service: 'business', needs: 'fleet:vehicle:view' } as const
const edit = { service: 'business', needs: 'fleet:vehicle:edit', writes: true } as const
export const vehicle = {
  query: call('fleet.vehicle.query', { ...view, post: '/vehicleManage/queryVehicleManage', body: paged(vehicleSearch), reply: pageOf(VehicleLine) }),
  one: call('fleet.vehicle.one', { ...view, own: true, get: '/vehicleManage/one', query: pick(Vehicle, 'id'), reply: VehicleLine }),
  add: call('fleet.vehicle.add', {
    ...edit,
    post: '/vehicleManage/addVehicleManage',
    does: ['新增车队车辆', 'Added a fleet vehicle'],
    body: pickSome(Vehicle, NEEDED, WRITTEN),
    reply: Vehicle,
  }),
  update: call('fleet.vehicle.update', {
    ...edit,
    post: '/vehicleManage/updateVehicleManage',
    does: ['修改车队车辆', 'Changed a fleet vehicle'],
    body: pickSome(Vehicle, ['id', 'version'], [...NEEDED, ...WRITTEN, 'status']),
    reply: Vehicle,
  }),
  delete: call('fleet.vehicle.delete', {
    ...edit,
    post: '/vehicleManage/deleteVehicleManage',
    does: ['删除车队车辆', 'Deleted a fleet vehicle'],
    body: pick(Vehicle, 'id', 'version'),
    reply: nothing,
  }),
  queryAllocating: call('fleet.vehicle.query-allocating', {
    service: 'business',
    needs: 'fleet:allocation:view',
    post: '/vehicleManage/queryAllocatingVehicle',
    body: Wanted,
    reply: listOf(VehicleChoice),
  }),
}
