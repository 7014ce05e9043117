import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { entity, listOf, message, orNone, shaped, text } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Connector, ConnectorState } from './connector.ts'
import { Pile } from './pile.ts'

/** A gun as lists show it: its nameplate, what it said last and the order that holds it. */
export const Gun = entity(['充电枪', 'Connector'], {
  ...Connector.properties,
  status: ConnectorState.properties.status,
  statusRaw: ConnectorState.properties.statusRaw,
  statusAt: ConnectorState.properties.statusAt,
  parkStatus: ConnectorState.properties.parkStatus,
  lockStatus: ConnectorState.properties.lockStatus,
  errorCode: ConnectorState.properties.errorCode,
  powerW: ConnectorState.properties.powerW,
  soc: ConnectorState.properties.soc,
  orderNo: orNone(text('充电订单', 'Session', { max: 40 })),
})
export const gunSearch = searchOf(
  Gun,
  { equipmentId: 'equals', stationId: 'equals', connectorId: 'equals', status: 'among', parkCode: 'equals' },
  { sort: ['createdAt'], ascending: true },
)

/** A gun with what is printed at it. */
export const GunCode = entity({ ...Gun.properties, qrCode: orNone(text('二维码内容', 'QR code', { max: 40 })) })
const { connectorId, equipmentId, stationId } = Connector.properties
const view = { service: 'charging', needs: 'charging:pile:view' } as const
const tableList = call('charging.connector.table-list', {
  ...view,
  own: true,
  post: '/chargeDbQuery/getConnectorinfoTableList',
  body: paged(gunSearch),
  reply: pageOf(Gun),
})
export const gun = {
  tableList,
  export: exportOf('charging.connector.export', {
    ...view,
    own: true,
    post: '/chargeDbQuery/getConnectorinfoExport',
    title: ['充电枪', 'Connectors'],
    query: tableList,
    columns: [
      'stationId',
      'equipmentId',
      'connectorId',
      'connectorName',
      'connectorType',
      'power',
      'parkCode',
      'parkNo',
      'status',
      'statusAt',
      'parkStatus',
      'lockStatus',
      'errorCode',
      'powerW',
      'soc',
      'orderNo',
    ],
  }),
  list: call('charging.connector.list', {
    ...view,
    post: '/chargeDbQuery/getConnectorinfoList',
    body: message({}, { equipmentId, stationId }),
    reply: listOf(Gun),
  }),
  /** Piles with their guns, by any of the three numbers. */
  ofPiles: call('charging.pile.query-charging-pile', {
    ...view,
    get: '/chargingPile/queryChargingPile',
    query: message({}, { stationId, equipmentId, connectorId }),
    reply: listOf(entity({ ...Pile.properties, guns: shaped('充电枪', 'Connectors', listOf(GunCode)) })),
  }),
}
