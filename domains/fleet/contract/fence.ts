import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  called,
  degrees,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Section } from '../../roadside/contract/section.ts'
import { Vehicle, type VehicleId } from './vehicle.ts'

/** The purpose of a fence. Crossings of any are kept; the second and third are flags of supervision as well. */
export const FenceKind = dictionary('fleet_fence_kind', ['围栏类型', 'Fence type'], {
  arrival: [1, '到达提醒', 'Arrivals'],
  keepIn: [2, '不得驶出', 'Stay inside', 'warning'],
  noGo: [3, '禁止驶入', 'No entry', 'error'],
})
export const FenceStatus = dictionary('fleet_fence_status', ['围栏状态', 'Fence status'], {
  on: [1, '启用', 'In use', 'success'],
  off: [2, '停用', 'Disabled'],
})
export const Crossing = dictionary('fleet_crossing', ['进出', 'Crossing'], {
  entered: [1, '驶入', 'Entered'],
  left: [2, '驶出', 'Left'],
})

export const RING_MAX = 100
/** Around its first place, so far at most: an area is a part of a city. */
export const REACH_MAX_M = 20_000
/** The most fences, all of which are checked for every position. */
export const FENCES_MAX = 200
export const PlaceAt = entity({ lng: degrees('经度', 'Longitude'), lat: degrees('纬度', 'Latitude', 90) })
/** A part of the map, WGS-84: a circle around its one place where it has a radius, else a polygon of its places in their order. */
export const Area = message(
  { ring: listOf(PlaceAt, { max: RING_MAX }) },
  { radiusM: whole('半径', 'Radius', { unit: 'metre', min: 20, max: REACH_MAX_M }) },
)
const area = shaped('范围', 'Area', Area)
const CLOCK = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
/** An area on the map that vehicles come into or go out of (电子围栏). */
export const Fence = entity(['电子围栏', 'Fence'], {
  ...rowFields<'FleetFenceId'>(),
  name: text('名称', 'Name', { max: 60 }),
  kind: among('类型', 'Type', FenceKind),
  area,
  timeFrom: text('时段起', 'Hours from', { max: 5, pattern: CLOCK }),
  /** The same as `timeFrom` = day and night; earlier = past midnight. */
  timeTo: text('时段止', 'Hours to', { max: 5, pattern: CLOCK }),
  /** With no vehicle and no department named it holds for all. */
  vehicleIds: shaped<string[]>('车辆', 'Vehicles', listOf(id<VehicleId>('车辆', 'Vehicle'), { max: 200 })),
  depts: shaped<string[]>('部门', 'Departments', listOf(Vehicle.properties.dept, { max: 50 })),
  status: among('状态', 'Status', FenceStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const FenceLine = entity({ ...Fence.properties, inside: whole('现在在内', 'Inside now', { min: 0 }) })
export const fenceSearch = searchOf(FenceLine, { id: 'equals', name: 'contains', kind: 'among', status: 'among' }, { sort: ['createdAt'] })

/** A vehicle came in or went out, when its own clock said so. */
export const FenceEvent = entity({
  id: id<'FleetFenceEventId'>(),
  createdAt: instant('记录时间', 'Recorded at'),
  fenceId: Fence.properties.id,
  fenceName: called(Fence.properties.name, '围栏', 'Fence'),
  fenceKind: among('围栏类型', 'Fence type', FenceKind),
  vehicleId: id<VehicleId>('车辆编号', 'Vehicle (id)'),
  vehicleNo: Vehicle.properties.vehicleNo,
  plateColor: Vehicle.properties.plateColor,
  dept: Vehicle.properties.dept,
  kind: among('进出', 'Crossing', Crossing),
  at: instant('时间', 'Time'),
  lng: PlaceAt.properties.lng,
  lat: PlaceAt.properties.lat,
  /** Told when it happened; otherwise it was told later, and nobody was alarmed. */
  live: yes('实时', 'Live'),
})
export const fenceEventSearch = searchOf(
  FenceEvent,
  { fenceId: 'equals', vehicleId: 'equals', vehicleNo: 'plate', kind: 'among', fenceKind: 'among', live: 'equals', at: 'between' },
  { sort: ['at'] },
)

export const WAS_THERE_DAYS_MAX = 31
/** A stay in an area. */
export const Visit = entity({
  vehicleId: FenceEvent.properties.vehicleId,
  vehicleNo: Vehicle.properties.vehicleNo,
  plateColor: Vehicle.properties.plateColor,
  dept: Vehicle.properties.dept,
  /** Of what was asked for: it may have been there before. */
  entered: instant('驶入时间', 'Entered'),
  left: orNone(instant('驶出时间', 'Left')),
  /** The section that runs nearest to where it was first seen there, and how far off; none near, none. */
  sectionName: orNone(called(Section.properties.name, '最近路段', 'Nearest section')),
  sectionM: orNone(whole('距路段', 'Distance to section', { unit: 'metre', min: 0 })),
})

const WRITTEN = ['name', 'kind', 'area'] as const
const OPTIONAL = ['timeFrom', 'timeTo', 'vehicleIds', 'depts', 'status', 'remark'] as const
const view = { service: 'business', needs: 'fleet:fence:view', own: true } as const
const edit = { service: 'business', needs: 'fleet:fence:edit', own: true, writes: true } as const
const events = call('fleet.fence.events', { ...view, post: '/vehicleFence/events', body: paged(fenceEventSearch), reply: pageOf(FenceEvent) })
export const fence = {
  query: call('fleet.fence.query', { ...view, post: '/vehicleFence/query', body: paged(fenceSearch), reply: pageOf(FenceLine) }),
  add: call('fleet.fence.add', {
    ...edit,
    post: '/vehicleFence/add',
    does: ['新增电子围栏', 'Added a fence'],
    body: pickSome(Fence, WRITTEN, OPTIONAL),
    reply: Fence,
  }),
  update: call('fleet.fence.update', {
    ...edit,
    post: '/vehicleFence/update',
    does: ['修改电子围栏', 'Changed a fence'],
    body: pickSome(Fence, ['id', 'version'], [...WRITTEN, ...OPTIONAL]),
    reply: Fence,
  }),
  delete: call('fleet.fence.delete', {
    ...edit,
    post: '/vehicleFence/delete',
    does: ['删除电子围栏', 'Deleted a fence'],
    body: pick(Fence, 'id', 'version'),
    reply: nothing,
  }),
  events,
  export: exportOf('fleet.fence.export', {
    ...view,
    get: '/vehicleFence/export',
    title: ['围栏进出记录', 'Fence crossings'],
    query: events,
    columns: ['at', 'vehicleNo', 'dept', 'fenceName', 'fenceKind', 'kind', 'lng', 'lat', 'live', 'createdAt'],
  }),
  /** Which vehicles were in an area, fence or not, by their tracks. */
  wasThere: call('fleet.fence.was-there', {
    ...view,
    heavy: true,
    post: '/vehicleFence/wasThere',
    body: message({ area, timeFrom: instant('开始时间', 'From'), timeTo: instant('结束时间', 'To') }),
    reply: listOf(Visit),
  }),
}
