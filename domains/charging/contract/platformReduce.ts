import { lasting } from '../../../platform/contract/duration.ts'
import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  type Of,
  orNone,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Platform } from './platform.ts'
import { Station } from './station.ts'
import { parkCode } from './units.ts'

export const ReduceType = dictionary('charging_reduce_type', ['平台优惠类型', 'Platform discount type'], {
  serviceRate: [1, '服务费折扣', 'Service fee discount'],
  servicePrice: [2, '服务费单价立减', 'Money off the service price'],
  parkMinutes: [3, '停车减时长', 'Parking minutes off'],
  parkAmount: [4, '停车减金额', 'Parking amount off'],
  parkFree: [5, '停车全免', 'Free parking'],
})
export const ReduceStatus = dictionary('charging_reduce_status', ['平台优惠状态', 'Platform discount status'], {
  inUse: [1, '启用', 'In use', 'success'],
  stopped: [2, '停用', 'Stopped', 'warning'],
})
/** Those that alter a price and not the parking. */
export const ofPrice = (type: number): boolean => type === ReduceType.serviceRate || type === ReduceType.servicePrice

const LISTED_MAX = 500
/** What a platform's drivers are given here: a lower service price, or parking while they charge. Our own platform gives parking only. */
export const PlatformReduce = entity(['平台优惠', 'Platform discount'], {
  ...rowFields<'PlatformReduceId'>(),
  platformId: id<'ChargingPlatformId'>('平台', 'Platform'),
  reduceType: among('优惠类型', 'Type', ReduceType),
  status: among('状态', 'Status', ReduceStatus),
  name: text('优惠名称', 'Discount name', { max: 64 }),
  value: whole('优惠幅度', 'Discount', { min: 0, max: 1_000_000 }),
  stationIds: shaped('适用充电站', 'Stations', listOf(Station.properties.stationId, { max: LISTED_MAX })),
  parkCodes: shaped('适用车场', 'Car parks', listOf(parkCode, { max: LISTED_MAX })),
  minWh: orNone(whole('最少充电量', 'Least energy', { unit: 'watt-hour', min: 0 })),
  minMinutes: orNone(whole('最少充电时长', 'Least charging time', { unit: 'minute', min: 0, max: 10_000 })),
  startAt: instant('开始时间', 'Start time'),
  endAt: instant('结束时间', 'End time'),
})
export const reduceSearch = searchOf(
  PlatformReduce,
  { platformId: 'equals', reduceType: 'among', status: 'among', name: 'contains' },
  { sort: ['createdAt'] },
)
export const ReduceShown = entity({ ...PlatformReduce.properties, platformName: Platform.properties.name })

/** What it gives, in the unit of its kind. */
export const reduceGives = ({ reduceType, value }: Pick<Of<typeof PlatformReduce>, 'reduceType' | 'value'>) =>
  ({
    [ReduceType.serviceRate]: [`服务费 ${value / 100} 折`, `${100 - value / 10}% off the service fee`],
    [ReduceType.servicePrice]: [`每度减 ${(value / 10_000).toFixed(4)} 元`, `${(value / 10_000).toFixed(4)} yuan off per kWh`],
    [ReduceType.parkMinutes]: [`停车减 ${lasting(value)[0]}`, `${lasting(value)[1]} off parking`],
    [ReduceType.parkAmount]: [`停车减 ${(value / 100).toFixed(2)} 元`, `${(value / 100).toFixed(2)} yuan off parking`],
    [ReduceType.parkFree]: ['停车全免', 'Free parking'],
  })[reduceType] as [zh: string, en: string]

const edit = { service: 'charging', needs: 'charging:platform-reduce:edit', writes: true } as const
const WRITTEN = ['stationIds', 'parkCodes', 'minWh', 'minMinutes'] as const
const getTableList = call('charging.platform-reduce.get-table-list', {
  service: 'charging',
  needs: 'charging:platform-reduce:view',
  post: '/chargingPlatformReduce/getTableList',
  body: paged(reduceSearch),
  reply: pageOf(ReduceShown),
})
export const platformReduce = {
  getTableList,
  export: exportOf('charging.platform-reduce.export', {
    service: 'charging',
    needs: 'charging:platform-reduce:view',
    own: true,
    post: '/chargingPlatformReduce/export',
    title: ['平台优惠', 'Platform discounts'],
    query: getTableList,
    columns: [
      'name',
      'platformName',
      'reduceType',
      { name: 'gives', field: text('优惠幅度', 'Discount') },
      'status',
      'minWh',
      'minMinutes',
      'startAt',
      'endAt',
    ],
  }),
  /** Without stations or parks, all of them. */
  add: call('charging.platform-reduce.add', {
    ...edit,
    post: '/chargingPlatformReduce/add',
    does: ['新增平台优惠', 'Added a platform discount'],
    body: pickSome(PlatformReduce, ['platformId', 'reduceType', 'name', 'value', 'startAt', 'endAt'], WRITTEN),
    reply: PlatformReduce,
  }),
  /** Charges that run keep what they were started with. */
  update: call('charging.platform-reduce.update', {
    ...edit,
    post: '/chargingPlatformReduce/update',
    does: ['修改平台优惠', 'Changed a platform discount'],
    body: pickSome(PlatformReduce, ['id', 'version'], ['name', 'value', 'status', 'startAt', 'endAt', ...WRITTEN]),
    reply: PlatformReduce,
  }),
  delete: call('charging.platform-reduce.delete', {
    ...edit,
    post: '/chargingPlatformReduce/delete',
    does: ['删除平台优惠', 'Deleted a platform discount'],
    query: message({ id: PlatformReduce.properties.id, version: PlatformReduce.properties.version }),
    reply: nothing,
  }),
}
