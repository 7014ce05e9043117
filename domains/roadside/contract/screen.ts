import { call } from '../../../platform/contract/call.ts'
import { among, degrees, entity, fen, instant, listOf, message, orNone, pick, plate, shaped, text, whole } from '../../../platform/contract/field.ts'
import { Park, UseStatus } from '../../parking/contract/park.ts'
import { Berth, BerthNow, Binding, Detector } from './berth.ts'
import { Evidence, RoadStay } from './roadStay.ts'

const parkCode = Park.properties.parkCode
const count = (zh: string, en: string) => whole(zh, en, { min: 0 })
export const RoadOverview = entity({
  /** Every berth is one of the four below. */
  seatTotal: count('泊位', 'Berths'),
  occupied: count('占用', 'Occupied'),
  free: count('空闲', 'Free'),
  abnormal: count('异常', 'Abnormal'),
  disabled: count('停用', 'Disabled'),
  arrivals: count('今日驶入', 'Arrived today'),
  leaves: count('今日驶离', 'Left today'),
  receivableFen: fen('今日应收', 'Receivable today'),
  paidFen: fen('今日实收', 'Paid today'),
  arrearsFen: fen('今日欠费', 'Arrears today'),
  illegal: count('今日违停', 'Illegal stops today'),
  /** Stays that ended today and cost something. */
  orders: count('今日订单', 'Orders today'),
  paidOrders: count('今日已缴', 'Paid orders today'),
  /** Paid of those that had to pay; none: nobody had to. */
  payRate: orNone(whole('缴费率', 'Payment rate', { unit: 'permille', min: 0, max: 1000 })),
  at: instant('统计时间', 'As of'),
})
export const RoadPark = entity({
  parkCode,
  name: Park.properties.name,
  address: Park.properties.address,
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  status: among('状态', 'Status', UseStatus),
  seatTotal: count('泊位', 'Berths'),
  seatFree: count('空闲', 'Free'),
  offlineDevices: count('离线设备', 'Devices offline'),
})
const OfKind = entity({ kind: among('检测方式', 'Detector', Detector), total: count('总数', 'Total'), online: count('在线', 'Online') })
const OfType = entity({ type: Berth.properties.type, total: count('总数', 'Total') })
export const RoadResources = entity({
  parks: count('片区', 'Districts'),
  sections: count('路段', 'Sections'),
  seats: shaped('泊位', 'Berths', listOf(OfType)),
  devices: shaped('设备', 'Devices', listOf(OfKind)),
  /** Roadside collectors whose cash shift is running: as many as the list of those shifts has. */
  tollersOnDuty: count('在岗收费员', 'Collectors on duty'),
})
export const SeatDetail = entity({
  berth: shaped('泊位', 'Berth', BerthNow),
  stay: orNone(shaped('停车记录', 'Stay', RoadStay)),
  /** The stay that waits for a person, which makes the empty berth abnormal. */
  abnormal: orNone(shaped('待处理的停车记录', 'Stay to be handled', RoadStay)),
  dueFen: fen('现在应付', 'Due now'),
  bindings: shaped('设备', 'Devices', listOf(pick(Binding, 'deviceNo', 'kind', 'fromAt'))),
  evidence: shaped('取证', 'Evidence', listOf(Evidence)),
})
export const SeatRow = entity({
  seatCode: Berth.properties.seatCode,
  berthNo: Berth.properties.berthNo,
  sectionCode: Berth.properties.sectionCode,
  occupy: BerthNow.properties.occupy,
  plateNo: orNone(plate()),
  plateColor: BerthNow.properties.plateColor,
  arrivedAt: BerthNow.properties.arrivedAt,
  stayId: BerthNow.properties.stayId,
  /** Null: nothing stands there, or no rule covers it. */
  dueFen: orNone(fen('现在应付', 'Due now')),
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
})
const paging = { current: whole('页', 'Page', { min: 1, max: 1000 }), limit: whole('每页', 'Rows per page', { min: 1, max: 500 }) }
const view = { service: 'business', needs: 'roadside:berth:view' } as const
export const screen = {
  overview: call('roadside.screen.overview', {
    ...view,
    get: '/seat/screen',
    query: message({}, { parkCode, regionCode: Park.properties.regionCode }),
    reply: RoadOverview,
  }),
  park: call('roadside.screen.park', {
    ...view,
    get: '/seat/screen/park',
    query: message({}, { regionCode: Park.properties.regionCode }),
    reply: listOf(RoadPark),
  }),
  resources: call('roadside.screen.resources', { ...view, get: '/seat/screen/resources', query: message({}, { parkCode }), reply: RoadResources }),
  parkSeat: call('roadside.screen.park-seat', {
    ...view,
    heavy: true,
    get: '/seat/screen/parkSeat',
    query: message({ parkCode, seatCode: Berth.properties.seatCode }, paging),
    reply: SeatDetail,
  }),
  parkSeatList: call('roadside.screen.park-seat-list', {
    ...view,
    heavy: true,
    get: '/seat/screen/parkSeatList',
    query: message({ parkCode }, { seatCode: Berth.properties.seatCode, sectionCode: text('路段编号', 'Section code', { max: 24 }), ...paging }),
    reply: listOf(SeatRow),
  }),
}
