import { call } from '../../../platform/contract/call.ts'
import { account, among, entity, fen, id, instant, listOf, message, orNone, pick, shaped, text, whole } from '../../../platform/contract/field.ts'
import { Connector, ConnectorState, ConnectorStatus } from './connector.ts'
import { Equipment, PileState } from './pile.ts'
import { ChargeOrder } from './session.ts'
import { Station } from './station.ts'
import { parkCode } from './units.ts'

const { stationId } = Station.properties
const { connectorId } = Connector.properties
const { orderNo } = ChargeOrder.properties
const watts = (zh: string, en: string) => orNone(whole(zh, en, { unit: 'watt' }))
/** A pile as it is now. `shareW`: what its station's load lets it have. */
export const LivePile = entity({
  ...pick(Equipment, 'equipmentId', 'equipmentName', 'stationId', 'parkCode', 'adminStatus').properties,
  online: PileState.properties.online,
  lastSeenAt: PileState.properties.lastSeenAt,
  skewSec: PileState.properties.skewSec,
  powerW: watts('功率', 'Power'),
  shareW: watts('功率配额', 'Share'),
  faults: whole('未恢复故障', 'Open faults', { min: 0 }),
})
/** A gun as it is now, with the charge that holds it. */
export const LiveGun = entity({
  connectorId,
  connectorName: Connector.properties.connectorName,
  equipmentId: Connector.properties.equipmentId,
  stationId,
  stationName: Station.properties.stationName,
  parkCode,
  status: ConnectorState.properties.status,
  raw: orNone(text('原始状态', 'Raw status', { max: 40 })),
  since: orNone(instant('状态时间', 'Since')),
  ratedW: whole('额定功率', 'Rated', { unit: 'watt' }),
  orderNo: orNone(orderNo),
  orderStatus: orNone(ChargeOrder.properties.status),
  plateNo: ChargeOrder.properties.plateNo,
  soc: ChargeOrder.properties.soc,
  powerW: watts('功率', 'Power'),
  energyWh: orNone(ChargeOrder.properties.energyWh),
  costFen: orNone(fen('费用', 'Cost', { min: 0 })),
  minutes: orNone(whole('已充', 'Charged for', { unit: 'minute', min: 0 })),
  shareW: watts('功率配额', 'Share'),
  /** The worst of its open faults. */
  faultId: orNone(id<'ChargingFaultId'>('故障', 'Fault')),
  faultCode: orNone(text('故障码', 'Fault code', { max: 50 })),
  /** The critical hazard that stops its station. */
  dangerNo: orNone(text('重大隐患', 'Critical hazard', { max: 40 })),
})
const Point = entity({
  at: instant('时间', 'Time'),
  powerW: watts('功率', 'Power'),
  soc: ChargeOrder.properties.soc,
  temperatureC: orNone(whole('温度', 'Temperature')),
})
const StatusChange = entity({
  at: instant('时间', 'Time'),
  status: ConnectorState.properties.status,
  raw: orNone(text('原始状态', 'Raw status', { max: 40 })),
  errorCode: ConnectorState.properties.errorCode,
})
/** A line that was said between a pile or a partner and us. */
export const Notice = entity({
  at: instant('时间', 'Time'),
  deviceTime: orNone(instant('设备时间', 'Device time')),
  direction: whole('方向', 'Direction', { min: 1, max: 2 }),
  protocol: text('协议', 'Protocol', { max: 16 }),
  action: text('动作', 'Action', { max: 64 }),
  summary: orNone(account('摘要', 'Summary', { max: 500 })),
  result: orNone(text('结果', 'Result', { max: 64 })),
  frameId: text('报文编号', 'Frame', { max: 64 }),
})
const view = { service: 'charging', needs: 'charging:monitor:view' } as const
export const monitor = {
  queryEquipmentinfo: call('charging.monitor.query-equipmentinfo', {
    ...view,
    get: '/monitor/queryEquipmentinfo',
    query: message({}, { stationId }),
    reply: listOf(LivePile),
  }),
  queryConnectorinfoList: call('charging.monitor.query-connectorinfo-list', {
    ...view,
    get: '/monitor/queryConnectorinfoList',
    query: message({}, { stationId, status: among('充电枪状态', 'Status', ConnectorStatus) }),
    reply: listOf(LiveGun),
  }),
  queryConnectorinfo: call('charging.monitor.query-connectorinfo', {
    ...view,
    get: '/monitor/queryConnectorinfo',
    query: message({ connectorId }),
    reply: entity({
      ...LiveGun.properties,
      curve: shaped('60 分钟曲线', 'Last 60 minutes', listOf(Point)),
      changes: shaped('状态变化', 'Changes', listOf(StatusChange)),
    }),
  }),
  /** Charges that are not over, and those to be looked at. */
  queryParkChargeOrderList: call('charging.monitor.query-park-charge-order-list', {
    ...view,
    get: '/monitor/queryParkChargeOrderList',
    query: message({}, { parkCode, stationId }),
    reply: listOf(ChargeOrder),
  }),
  /** The last two hundred. */
  queryNotifyRecord: call('charging.monitor.query-notify-record', {
    ...view,
    get: '/monitor/queryNotifyRecord',
    query: message(
      {},
      {
        connectorId,
        orderNo,
        platformId: text('互联平台', 'Partner platform', { max: 64 }),
        atFrom: instant('时间', 'Time'),
        atTo: instant('时间', 'Time'),
      },
    ),
    reply: listOf(Notice),
  }),
  queryChargeOrderId: call('charging.monitor.query-charge-order-id', {
    ...view,
    get: '/monitor/queryChargeOrderId',
    query: message({ connectorId }),
    reply: orNone(
      shaped(
        '充电订单',
        'Charging session',
        entity({ orderNo, startChargeSeq: ChargeOrder.properties.startChargeSeq, open: whole('进行中', 'Open', { min: 0, max: 1 }) }),
      ),
    ),
  }),
}
