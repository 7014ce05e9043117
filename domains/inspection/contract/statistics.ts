import { call } from '../../../platform/contract/call.ts'
import { among, day, entity, listOf, message, minutes, orNone, permille, shaped, text, whole } from '../../../platform/contract/field.ts'
import { Device, DeviceType } from '../../device/contract/device.ts'
import { Park } from '../../parking/contract/park.ts'

const { parkCode } = Park.properties
/** Left out: this month up to today, all parks that one sees. */
const asked = { dateFrom: day('自', 'From'), dateTo: day('至', 'To'), parkCode }
const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** Null where there is nothing to divide by. */
const rate = (zh: string, en: string) => orNone(permille(zh, en))
const tasks = {
  due: counted('应完成', 'Due'),
  done: counted('已完成', 'Completed'),
  onTime: counted('按时完成', 'On time'),
  missed: counted('漏检', 'Missed'),
}
/** Tasks that were to be done in the days, but for those that were cancelled. */
export const PatrolStatistics = entity({
  ...tasks,
  overdue: counted('逾期未完成', 'Overdue'),
  patrolRate: rate('巡检率', 'Patrol rate'),
  onTimeRate: rate('按时率', 'On-time rate'),
  missRate: rate('漏检率', 'Miss rate'),
  abnormal: counted('异常设备', 'Abnormal devices'),
  days: shaped('按日', 'By day', listOf(entity({ day: day('日期', 'Day'), ...tasks }))),
})
const failure = {
  devices: counted('设备数', 'Devices'),
  deviceDays: counted('设备日', 'Device-days'),
  faultyDays: counted('故障设备日', 'Faulty device-days'),
  failureRate: rate('故障率', 'Failure rate'),
  faults: counted('故障次数', 'Faults'),
  faultMin: minutes('故障时长', 'Fault time'),
  mttrMin: orNone(minutes('平均修复时间', 'Mean time to repair')),
  mtbfMin: orNone(minutes('平均无故障时间', 'Mean time between failures')),
}
const type = among('设备类型', 'Device type', DeviceType)
/** The catalogue fixes how many the ranking has. */
export const TOP_N = 10
const view = { service: 'device', needs: 'inspection:statistics:view' } as const
const at = (name: string) => `/inspection/scheduling/${name}`

export const statistics = {
  patrol: call('inspection.statistics.select-patrol-statistics', {
    ...view,
    get: at('selectPatrolStatistics'),
    query: message({}, asked),
    reply: PatrolStatistics,
  }),
  /** A device-day is faulty with any minute of it; a device that waits, is in the store or is scrapped is not counted. */
  byType: call('inspection.statistics.select-device-failure-analysis', {
    ...view,
    get: at('selectDeviceFailureAnalysis'),
    query: message({}, asked),
    reply: entity({ ...failure, rows: shaped('按类型', 'By type', listOf(entity({ type, ...failure }))) }),
  }),
  byPark: call('inspection.statistics.select-park-device-failure-analysis', {
    ...view,
    get: at('selectParkDeviceFailureAnalysis'),
    query: message({}, asked),
    reply: entity({
      ...failure,
      rows: shaped('按车场', 'By car park', listOf(entity({ parkCode: orNone(parkCode), parkName: orNone(text('车场', 'Car park')), ...failure }))),
    }),
  }),
  /** Those that failed most; by faults, then by time, then by number. */
  topN: call('inspection.statistics.select-equipment-failure-analysis-top-n', {
    ...view,
    get: at('selectEquipmentFailureAnalysisTopN'),
    query: message({}, { ...asked, topN: whole('前几名', 'Top', { min: 1, max: 1_000 }) }),
    reply: listOf(
      entity({
        deviceNo: Device.properties.deviceNo,
        name: Device.properties.name,
        type,
        parkCode: orNone(parkCode),
        faults: failure.faults,
        faultMin: failure.faultMin,
      }),
    ),
  }),
}
