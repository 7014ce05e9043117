import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, day, degrees, dictionary, entity, id, instant, listOf, orNone, shaped, whole, yes } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Allocation, AllocationLine } from './allocation.ts'
import { headingField, speedField } from './track.ts'
import { Vehicle, type VehicleId } from './vehicle.ts'

export const Motion = dictionary('fleet_motion', ['行驶状态', 'Motion'], {
  driving: [1, '行驶', 'Driving', 'success'],
  standing: [2, '停车', 'Standing'],
  offline: [3, '离线', 'Offline', 'error'],
})
export const Flag = dictionary('fleet_flag', ['监管标记', 'Flag'], {
  unallocated: [1, '未派车用车', 'Unallocated use', 'error'],
  overdue: [2, '超时未还', 'Late return', 'warning'],
  night: [4, '非工作时间用车', 'After-hours use', 'error'],
  silent: [5, '离线超 24 小时', 'Offline over 24 h', 'warning'],
  noGo: [6, '驶入禁区', 'In a no-entry area', 'error'],
  outside: [7, '驶出围栏', 'Outside its fence', 'error'],
})
/** A vehicle as the supervisor of the fleet sees it now. */
export const Supervised = entity({
  id: id<VehicleId>(),
  createdAt: instant('登记时间', 'Added at'),
  vehicleNo: Vehicle.properties.vehicleNo,
  plateColor: Vehicle.properties.plateColor,
  dept: Vehicle.properties.dept,
  deviceNo: Vehicle.properties.deviceNo,
  motion: among('行驶状态', 'Motion', Motion),
  heardAt: orNone(instant('最近通信', 'Last heard')),
  deviceTime: orNone(instant('定位时间', 'Position time')),
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  speed: orNone(speedField('速度', 'Speed')),
  heading: orNone(headingField()),
  acc: orNone(yes('点火', 'Ignition')),
  alarmBits: orNone(whole('报警位', 'Alarm bits', { min: 0, max: 4_294_967_295 })),
  day: orNone(day('里程日', 'Mileage day')),
  dayM: orNone(whole('当日里程', 'Distance that day', { unit: 'metre', min: 0 })),
  allocationId: orNone(id<'FleetAllocationId'>('派车编号', 'Allocation (id)')),
  allocationNo: orNone(Allocation.properties.allocationNo),
  dest: orNone(Allocation.properties.dest),
  planTo: orNone(instant('计划还车', 'Planned return')),
  driverName: orNone(AllocationLine.properties.driverName),
  kinds: shaped('监管标记', 'Flags', listOf(among('标记', 'Flag', Flag))),
  flaggedSince: orNone(instant('标记起', 'Flagged since')),
  flagged: yes('有标记', 'Flagged'),
  violations: whole('待处理违章', 'Open violations', { min: 0 }),
})
export const superviseSearch = searchOf(
  Supervised,
  { id: 'equals', vehicleNo: 'plate', dept: 'contains', motion: 'among', driverName: 'contains', allocationNo: 'equals', flagged: 'equals' },
  { sort: ['createdAt'] },
)
const view = { service: 'business', needs: 'fleet:supervise:view' } as const
const query = call('fleet.supervise.query', {
  ...view,
  post: '/vehicleSupervise/queryVehicleSupervise',
  body: paged(superviseSearch),
  reply: pageOf(Supervised),
})
export const supervise = {
  query,
  export: exportOf('fleet.supervise.export', {
    ...view,
    get: '/vehicleSupervise/exportVehicleAllocatingInfo',
    title: ['车辆监管', 'Vehicle monitoring'],
    query,
    columns: [
      'vehicleNo',
      'dept',
      'motion',
      'deviceTime',
      'lng',
      'lat',
      'speed',
      'driverName',
      'allocationNo',
      'dest',
      'planTo',
      'day',
      'dayM',
      'kinds',
      'flaggedSince',
      'violations',
      'deviceNo',
      'heardAt',
    ],
  }),
}
