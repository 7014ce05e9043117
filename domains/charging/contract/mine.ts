import { call } from '../../../platform/contract/call.ts'
import { degrees, empty, entity, fen, listOf, message, orNone, pick, plate, shaped, text, whole, yes } from '../../../platform/contract/field.ts'
import { Gun } from './connector.ts'
import { DoorWords } from './door.ts'
import { PartnerGun, PartnerStation } from './partnerStation.ts'
import { Roaming } from './roaming.ts'
import { ChargeOrder } from './session.ts'
import { Station } from './station.ts'

/** A partner's station as a driver looks for one: how far, what is free, each gun with its price. */
export const MyStation = entity({
  ...pick(PartnerStation, 'platformId', 'stationId', 'stationName', 'address', 'busineHours', 'parkFee').properties,
  platformName: PartnerGun.properties.platformName,
  metres: orNone(whole('距离', 'Distance', { min: 0, unit: 'metre' })),
  free: whole('可用充电枪', 'Connectors to be had', { min: 0 }),
  /** Of very many not all are named here. */
  total: whole('充电枪总数', 'Connectors in all', { min: 0 }),
  guns: shaped(
    '充电枪',
    'Connectors',
    listOf(
      pick(
        PartnerGun,
        'connectorId',
        'connectorName',
        'connectorType',
        'power',
        'parkNo',
        'status',
        'statusAt',
        'prices',
        'elecPriceE4',
        'servicePriceE4',
      ),
    ),
  ),
})
const myRoaming = pick(
  Roaming,
  ...(['id', 'orderNo', 'platformName', 'stationName', 'connectorId', 'plateNo', 'status', 'startTime', 'endTime', 'energyWh'] as const),
  ...(['elecFen', 'serviceFen', 'costFen', 'soc', 'saidAt', 'holdFen', 'held', 'capturedFen', 'releasedFen', 'shortfallFen', 'createdAt'] as const),
)
export const MyRoaming = entity({
  ...myRoaming.properties,
  /** Why it did not begin, for the driver. */
  why: orNone(shaped('原因', 'Reason', DoorWords)),
})
/** A station of the house as a driver looks for one: what is free, and what it costs through the day. */
export const OwnStation = entity({
  ...pick(Station, 'stationId', 'stationName', 'address', 'busineHours', 'parkFee').properties,
  ...pick(MyStation, 'metres', 'free', 'total').properties,
  serviceTel: text('服务电话', 'Service phone', { max: 32 }),
  halted: yes('因安全隐患停用', 'Stopped by a hazard'),
  prices: PartnerGun.properties.prices,
  elecPriceE4: PartnerGun.properties.elecPriceE4,
  servicePriceE4: PartnerGun.properties.servicePriceE4,
  guns: shaped('充电枪', 'Connectors', listOf(pick(Gun, 'connectorId', 'connectorName', 'connectorType', 'power', 'parkNo', 'status'))),
})
const Begun = pick(ChargeOrder, 'orderNo', 'status')
const where = message(
  {},
  {
    keyword: text('电站或充电枪编号', 'Station or connector', { min: 0, max: 64 }),
    lng: degrees('经度', 'Longitude'),
    lat: degrees('纬度', 'Latitude', 90),
  },
)
const holdFen = fen('冻结金额', 'On hold', { min: 500, max: 50_000 })
const look = { service: 'charging', needs: 'driver', own: true } as const
const act = { ...look, writes: true } as const

/** A driver at stations: those of the house and those of partners, and the driver's own charges there. */
export const mine = {
  ownStations: call('charging.mine.own-stations', { ...look, post: '/mine/ownStations', body: where, reply: listOf(OwnStation) }),
  /** At a gun of the house, out of the driver's stored value: what it may cost is set aside first, and its rest free again at the bill. */
  begin: call('charging.mine.begin', {
    ...act,
    post: '/mine/begin',
    does: ['车主用储值启动充电', 'A driver started a charging session from stored value'],
    body: message({ connectorId: Gun.properties.connectorId, holdFen }, { plateNo: plate() }),
    reply: Begun,
  }),
  end: call('charging.mine.end', {
    ...act,
    post: '/mine/end',
    does: ['车主停止充电', 'A driver stopped a charging session'],
    body: pick(ChargeOrder, 'orderNo'),
    reply: Begun,
  }),
  /** The nearest first, where the driver says where they are (WGS-84); by a name, or the beginning of a gun's number. */
  stations: call('charging.mine.stations', {
    ...look,
    post: '/mine/stations',
    body: where,
    reply: listOf(MyStation),
  }),
  charges: call('charging.mine.charges', { ...look, post: '/mine/charges', body: empty, reply: listOf(MyRoaming) }),
  /** What it may cost is set aside of the driver's stored value first; what it did not cost is free again at its bill. */
  start: call('charging.mine.start', {
    ...act,
    post: '/mine/start',
    does: ['车主启动跨平台充电', 'A driver started a roaming session'],
    body: message(pick(PartnerGun, 'platformId', 'connectorId').properties, { plateNo: plate(), holdFen }),
    reply: MyRoaming,
  }),
  stop: call('charging.mine.stop', {
    ...act,
    post: '/mine/stop',
    does: ['车主停止跨平台充电', 'A driver stopped a roaming session'],
    body: pick(Roaming, 'id'),
    reply: MyRoaming,
  }),
}
