import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  called,
  dictionary,
  entity,
  fen,
  id,
  instant,
  message,
  moves,
  nothing,
  orNone,
  pick,
  pickSome,
  rowFields,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf, importOf } from '../../../platform/contract/sheet.ts'
import { Allocation } from './allocation.ts'
import { Driver, type DriverId } from './driver.ts'
import { Vehicle, type VehicleId } from './vehicle.ts'

export const ViolationSource = dictionary('fleet_violation_source', ['违章来源', 'Source'], {
  byHand: [1, '人工登记', 'Recorded by hand'],
  sheet: [2, '交管导入', 'Imported from the traffic police'],
})
export const ViolationState = dictionary('fleet_violation_state', ['违章状态', 'Status'], {
  open: [0, '待处理', 'Open', 'warning'],
  settled: [1, '已处理', 'Settled', 'success'],
})
export const violationCan = moves(ViolationState, { settle: { [ViolationState.open]: ViolationState.settled } })

/** A violation that the police hold against one of the company's own cars (车队违章), and its driver then. Cars of others that stand where they may not are roadside's. */
export const Violation = entity(['车队违章', 'Fleet violation'], {
  ...rowFields<'FleetViolationId'>(),
  violationNo: text('违章编号', 'Violation number', { max: 40 }),
  vehicleId: id<VehicleId>('车辆', 'Vehicle'),
  at: instant('违章时间', 'Time'),
  place: text('违章地点', 'Place', { max: 200 }),
  conduct: text('违章行为', 'Offence', { max: 200 }),
  fineFen: fen('罚款', 'Fine', { min: 0, max: 10_000_000 }),
  points: whole('记分', 'Points', { min: 0, max: 12 }),
  source: among('来源', 'Source', ViolationSource),
  /** The driver who had the car in that minute, by its allocation; null: nobody had it. */
  driverId: orNone(id<DriverId>('驾驶员', 'Driver')),
  allocationId: orNone(id<'FleetAllocationId'>('派车编号', 'Allocation (id)')),
  state: among('状态', 'Status', ViolationState),
  settledBy: orNone(text('处理人', 'Settled by')),
  settledAt: orNone(instant('处理时间', 'Settled at')),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const ViolationLine = entity({
  ...Violation.properties,
  vehicleNo: Vehicle.properties.vehicleNo,
  plateColor: Vehicle.properties.plateColor,
  dept: Vehicle.properties.dept,
  driverName: orNone(called(Driver.properties.name, '驾驶员', 'Driver')),
  allocationNo: orNone(Allocation.properties.allocationNo),
})
export const violationSearch = searchOf(
  ViolationLine,
  {
    id: 'equals',
    vehicleId: 'equals',
    vehicleNo: 'plate',
    driverName: 'contains',
    violationNo: 'equals',
    state: 'among',
    source: 'among',
    at: 'between',
  },
  { sort: ['at', 'createdAt'] },
)
const { violationNo, at, place, conduct, fineFen, points, remark } = Violation.properties
const ViolationRow = message({ violationNo, vehicleNo: Vehicle.properties.vehicleNo, at, place, conduct }, { fineFen, points, remark })

const view = { service: 'business', needs: 'fleet:violation:view', own: true } as const
const edit = { service: 'business', needs: 'fleet:violation:edit', own: true } as const
const NEEDED = ['violationNo', 'vehicleId', 'at', 'place', 'conduct'] as const
const query = call('fleet.own-violation.query', {
  ...view,
  post: '/fleetViolation/query',
  body: paged(violationSearch),
  reply: pageOf(ViolationLine),
})
export const violation = {
  query,
  add: call('fleet.own-violation.add', {
    ...edit,
    writes: true,
    post: '/fleetViolation/add',
    does: ['登记车队违章', 'Recorded a fleet violation'],
    body: pickSome(Violation, NEEDED, ['fineFen', 'points', 'remark']),
    reply: Violation,
  }),
  update: call('fleet.own-violation.update', {
    ...edit,
    writes: true,
    post: '/fleetViolation/update',
    does: ['修改车队违章', 'Changed a fleet violation'],
    body: pickSome(Violation, ['id', 'version'], [...NEEDED, 'fineFen', 'points', 'remark']),
    reply: Violation,
  }),
  /** Paid and done with at the police. */
  settle: call('fleet.own-violation.settle', {
    ...edit,
    writes: true,
    post: '/fleetViolation/settle',
    does: ['处理车队违章', 'Settled a fleet violation'],
    body: pickSome(Violation, ['id', 'version'], ['remark']),
    reply: Violation,
  }),
  delete: call('fleet.own-violation.delete', {
    ...edit,
    writes: true,
    post: '/fleetViolation/delete',
    does: ['删除车队违章', 'Deleted a fleet violation'],
    body: pick(Violation, 'id', 'version'),
    reply: nothing,
  }),
  import: importOf('fleet.own-violation.import', {
    ...edit,
    post: '/fleetViolation/import',
    title: ['车队违章', 'Fleet violations'],
    row: ViolationRow,
    unique: 'violationNo',
    note: [
      '违章编号已有的行视为修改；驾驶员按违章时间的派车自动匹配',
      'A row whose violation number exists changes it; the driver is found by the allocation of that time',
    ],
  }),
  export: exportOf('fleet.own-violation.export', {
    ...view,
    get: '/fleetViolation/export',
    title: ['车队违章', 'Fleet violations'],
    query,
    columns: [
      'violationNo',
      'vehicleNo',
      'at',
      'place',
      'conduct',
      'fineFen',
      'points',
      'remark',
      'driverName',
      'allocationNo',
      'dept',
      'source',
      'state',
      'settledBy',
      'settledAt',
    ],
  }),
}
