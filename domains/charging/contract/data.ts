import { call } from '../../../platform/contract/call.ts'
import { among, entity, fen, instant, listOf, message, orNone, permille, shaped, text, whole } from '../../../platform/contract/field.ts'
import { ConnectorStatus } from './connector.ts'
import { Station } from './station.ts'
import { wattHours } from './units.ts'

const n = (zh: string, en: string) => whole(zh, en, { min: 0 })
const at = instant('截至', 'As of')
const Sum = entity({
  orders: n('订单数', 'Sessions'),
  wh: wattHours('电量', 'Energy'),
  receivableFen: fen('应收', 'Receivable'),
  netFen: fen('净收', 'Net'),
})
const ByStatus = entity({ status: among('充电枪状态', 'Status', ConnectorStatus), count: n('充电枪数', 'Connectors') })
const Hour = entity({ at: instant('时间', 'Hour'), orders: n('启动', 'Starts'), wh: wattHours('电量', 'Energy') })
const Best = entity({
  stationId: Station.properties.stationId,
  name: Station.properties.stationName,
  orders: n('订单数', 'Sessions'),
  wh: wattHours('电量', 'Energy'),
  receivableFen: fen('应收', 'Receivable'),
})
const Bucket = entity({
  fromMin: whole('不少于', 'From', { unit: 'minute' }),
  toMin: orNone(whole('少于', 'Below', { unit: 'minute' })),
  count: n('次数', 'Sessions'),
})
const Cars = entity({ by: text('识别方式', 'Identified by', { max: 8 }), count: n('数量', 'Cars') })

const query = message({}, { regionCode: Station.properties.regionCode, stationId: Station.properties.stationId })
const view = { service: 'charging', needs: 'charging:screen:view' } as const
/** What the big screen says: of today until now. */
export const data = {
  chargeCount: call('charging.data.charge-count', {
    ...view,
    get: '/data/chargeCount',
    query,
    reply: message({
      at,
      stations: n('充电站', 'Stations'),
      piles: n('充电桩', 'Piles'),
      connectors: n('充电枪', 'Connectors'),
      byStatus: shaped('按状态', 'By status', listOf(ByStatus)),
    }),
  }),
  chargeOrder: call('charging.data.charge-order', {
    ...view,
    get: '/data/chargeOrder',
    query,
    reply: message({
      at,
      today: shaped('今日', 'Today', Sum),
      yesterday: shaped('昨日同期', 'Yesterday to this time', Sum),
      month: shaped('本月', 'This month', Sum),
      hours: shaped('24 小时', '24 hours', listOf(Hour)),
      best: shaped('站点前十', 'Top ten stations', listOf(Best)),
    }),
  }),
  chargeTime: call('charging.data.charge-time', {
    ...view,
    get: '/data/chargeTime',
    query,
    reply: message({
      at,
      minutes: whole('充电时长', 'Charging time', { unit: 'minute', min: 0 }),
      mean: orNone(whole('平均时长（已结束）', 'Average duration (ended)', { unit: 'minute', min: 0 })),
      timeUse: orNone(permille('时间利用率', 'Time utilisation')),
      durations: shaped('时长分布', 'Durations', listOf(Bucket)),
    }),
  }),
  chargeCar: call('charging.data.charge-car', {
    ...view,
    get: '/data/chargeCar',
    query,
    reply: message({
      at,
      cars: n('充电车辆', 'Cars'),
      fresh: n('新车', 'New'),
      returning: n('回头车', 'Returning'),
      unknown: n('未识别', 'Unidentified'),
      by: shaped('识别方式', 'Identified by', listOf(Cars)),
    }),
  }),
}
