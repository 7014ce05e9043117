import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  images,
  instant,
  listOf,
  moves,
  nothing,
  orNone,
  personal,
  pick,
  pickSome,
  rowFields,
  text,
} from '../../../platform/contract/field.ts'
import { Wanted, WhyNot } from './vehicle.ts'

export const DriverStatus = dictionary('fleet_driver_status', ['驾驶员状态', 'Driver status'], {
  free: [1, '空闲', 'Available', 'success'],
  driving: [2, '出车', 'Driving', 'warning'],
  leave: [3, '休假', 'On leave'],
  disabled: [4, '停用', 'Disabled'],
})
/** By hand; 出车 follows the allocation. */
export const driverCan = moves(DriverStatus, {
  back: { [DriverStatus.leave]: DriverStatus.free, [DriverStatus.disabled]: DriverStatus.free },
  leave: { [DriverStatus.free]: DriverStatus.leave },
  disable: { [DriverStatus.free]: DriverStatus.disabled, [DriverStatus.leave]: DriverStatus.disabled },
})
export const LicenceClass = dictionary('fleet_licence_class', ['准驾车型', 'Licence class'], {
  a1: [1, 'A1 大型客车', 'A1 coach'],
  a2: [2, 'A2 重型牵引挂车', 'A2 tractor-trailer'],
  a3: [3, 'A3 城市公交车', 'A3 city bus'],
  b1: [4, 'B1 中型客车', 'B1 minibus'],
  b2: [5, 'B2 大型货车', 'B2 lorry'],
  c1: [6, 'C1 小型汽车', 'C1 car'],
  c2: [7, 'C2 小型自动挡汽车', 'C2 automatic car'],
  c6: [8, 'C6 轻型牵引挂车', 'C6 light trailer'],
})

export type DriverId = 'FleetDriverId'
/** A person who may drive the company's cars (驾驶员). */
export const Driver = entity(['驾驶员', 'Driver'], {
  ...rowFields<DriverId>(),
  name: text('姓名', 'Name', { max: 40 }),
  phone: personal('phone', text('手机号', 'Phone', { max: 20, pattern: '^[+0-9*][0-9* -]{5,19}$' })),
  licenceNo: personal('document', text('驾驶证号', 'Licence number', { max: 20, pattern: '^[0-9A-Z*]{6,20}$' })),
  licenceClass: among('准驾车型', 'Licence class', LicenceClass),
  licenceEnd: day('驾驶证到期', 'Licence expires'),
  status: among('状态', 'Status', DriverStatus),
  image: orNone(images('照片', 'Picture')),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const driverSearch = searchOf(
  Driver,
  { id: 'equals', name: 'contains', phone: 'equals', licenceNo: 'equals', licenceClass: 'among', status: 'among', licenceEnd: 'between' },
  { sort: ['createdAt', 'licenceEnd'] },
)
export const DriverChoice = entity({
  ...pick(Driver, 'id', 'name', 'phone', 'licenceClass', 'status').properties,
  whyNot: orNone(among('不可派原因', 'Unavailable because', WhyNot)),
  until: orNone(instant('占用至', 'Taken until')),
})

const NEEDED = ['name', 'phone', 'licenceNo', 'licenceClass', 'licenceEnd'] as const
const view = { service: 'business', needs: 'fleet:driver:view' } as const
const edit = { service: 'business', needs: 'fleet:driver:edit', writes: true } as const
export const driver = {
  query: call('fleet.driver.query', { ...view, post: '/driverManage/queryVehicleDriverManage', body: paged(driverSearch), reply: pageOf(Driver) }),
  /** The catalogue's path really reads so. */
  add: call('fleet.driver.add', {
    ...edit,
    post: '/driverManage/addVehicleManage',
    does: ['新增驾驶员', 'Added a driver'],
    body: pickSome(Driver, NEEDED, ['image', 'remark']),
    reply: Driver,
  }),
  update: call('fleet.driver.update', {
    ...edit,
    post: '/driverManage/updateDriverManage',
    does: ['修改驾驶员', 'Changed a driver'],
    body: pickSome(Driver, ['id', 'version'], [...NEEDED, 'status', 'image', 'remark']),
    reply: Driver,
  }),
  delete: call('fleet.driver.delete', {
    ...edit,
    post: '/driverManage/deleteDriverManage',
    does: ['删除驾驶员', 'Deleted a driver'],
    body: pick(Driver, 'id', 'version'),
    reply: nothing,
  }),
  queryAllocating: call('fleet.driver.query-allocating', {
    service: 'business',
    needs: 'fleet:allocation:view',
    post: '/driverManage/queryAllocatingDriverManage',
    body: Wanted,
    reply: listOf(DriverChoice),
  }),
}
