import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { entity, instant, message, orNone, text, whole } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Station } from './station.ts'
import { Strategy } from './strategy.ts'

/** A station as its list shows it: how many guns are free, and its price. */
export const StationRow = entity({
  ...Station.properties,
  connectors: whole('充电枪数', 'Connectors', { min: 0 }),
  freeConnectors: whole('空闲充电枪', 'Free connectors', { min: 0 }),
  strategyId: orNone(Strategy.properties.id),
  strategyName: orNone(text('价格表', 'Price table', { max: 64 })),
  /** The price table that comes next: where none is in force, nothing starts before it. */
  nextStrategyName: orNone(text('待生效价格表', 'Next price table', { max: 64 })),
  nextPriceAt: orNone(instant('价格表生效时间', 'Next price from')),
  /** The critical hazard that stops new charges here, while there is one. */
  dangerNo: orNone(text('重大隐患', 'Critical hazard', { max: 40 })),
})
export const stationRowSearch = searchOf(
  StationRow,
  {
    stationName: 'contains',
    operatorId: 'equals',
    stationType: 'among',
    stationStatus: 'among',
    regionCode: 'within',
    stationId: 'equals',
    parkCode: 'equals',
  },
  { sort: ['createdAt'], ascending: true },
)
const n = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** A station with how far its opening has come. */
export const StationOpening = entity({
  ...StationRow.properties,
  piles: n('充电桩', 'Piles'),
  enabledPiles: n('启用的桩', 'Enabled piles'),
  keyedPiles: n('已有密钥的桩', 'Piles with a secret'),
  onlinePiles: n('在线的桩', 'Piles online'),
})
const view = { service: 'charging', needs: 'charging:station:view' } as const
const tableList = call('charging.station.table-list', {
  ...view,
  post: '/chargeDbQuery/getStationinfoTableList',
  body: paged(stationRowSearch),
  reply: pageOf(StationRow),
})
export const stationRow = {
  tableList,
  export: exportOf('charging.station.export', {
    service: 'charging',
    needs: 'charging:station:view',
    own: true,
    post: '/chargeDbQuery/getStationinfoExport',
    title: ['充电站', 'Charging stations'],
    query: tableList,
    columns: [
      'stationName',
      'stationId',
      'operatorId',
      'parkCode',
      'regionCode',
      'address',
      'stationType',
      'stationStatus',
      'connectors',
      'freeConnectors',
      'strategyName',
      'limitW',
      'prepayFen',
      'serviceTel',
      'busineHours',
      'dangerNo',
      'remark',
    ],
  }),
  detail: call('charging.station.detail', {
    ...view,
    own: true,
    get: '/chargeDbQuery/getStationinfoDetail',
    query: message({ stationId: Station.properties.stationId }),
    reply: StationOpening,
  }),
}
