import { call, PAGE, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  empty,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  orNone,
  pick,
  plate,
  ref,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { AreaNow } from './area.ts'
import { Traffic } from './figures.ts'
import { Direction, Gate, Seat } from './gate.ts'
import { Occupancy, Park, ParkNow } from './park.ts'
import { CarKind, PayState, type StayId } from './stay.ts'

/** A park as a point on the map, with what is free in it. */
export const ParkPoint = entity({
  ...pick(ParkNow, 'parkCode', 'name', 'pType', 'ptype', 'subType', 'regionCode', 'address', 'totalBays', 'status').properties,
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  ...Occupancy.properties,
  entriesToday: whole('今日进场', 'Entries today'),
  exitsToday: whole('今日出场', 'Exits today'),
})
export const ParkFigures = entity({
  ...ParkNow.properties,
  entriesToday: whole('今日进场', 'Entries today'),
  exitsToday: whole('今日出场', 'Exits today'),
  receivableTodayFen: fen('今日应收', 'Receivable today'),
  paidTodayFen: fen('今日实收', 'Paid today'),
  /** Those of the page that was asked for. */
  areas: shaped('区域', 'Areas', listOf(AreaNow)),
  at: instant('数据时间', 'As of'),
})
/** An hour of today beside the same of yesterday; one that has not begun has no figures of today. */
export const FlowHour = entity({
  hour: whole('小时', 'Hour', { min: 0, max: 23 }),
  entered: orNone(Traffic.entered),
  left: orNone(Traffic.left),
  enteredBefore: whole('昨日进场', 'Entries yesterday'),
  leftBefore: whole('昨日出场', 'Exits yesterday'),
})
/** A car that came in or left just now, as a wall tells it: where and of what kind it is, and not which. */
export const ParkMove = entity({
  at: instant('时间', 'Time'),
  direction: among('进出', 'In or out', Direction),
  parkCode: Park.properties.parkCode,
  parkName: Park.properties.name,
  /** Null on the street, and where somebody entered the move by hand. */
  gateName: orNone(Gate.properties.name),
  carKind: among('车辆类型', 'Car type', CarKind),
})
/** One stay's charge, as the park's map shows it. */
export const ChargeRecord = entity({
  id: id<StayId>(),
  parkCode: Park.properties.parkCode,
  plateNo: plate(),
  entryTime: orNone(instant('入场时间', 'Entered at')),
  exitTime: orNone(instant('离场时间', 'Left at')),
  receivableFen: fen('应收', 'Receivable'),
  discountFen: fen('优惠', 'Discount'),
  paidFen: fen('实收', 'Paid'),
  payState: among('缴费状态', 'Payment', PayState),
  orderId: orNone(ref<'OrderId'>('订单', 'Order')),
})
export const chargeSearch = searchOf(ChargeRecord, { parkCode: 'equals', plateNo: 'plate', exitTime: 'between' }, { sort: ['entryTime'] })

/** The layers of the map. */
export const MapLayer = dictionary('moduleType', ['地图模块', 'Map layer'], {
  parking: [1, '停车', 'Parking'],
  roadside: [2, '路内', 'Roadside'],
  charging: [3, '充电', 'Charging'],
})
const OfPark = message({}, { parkCode: Park.properties.parkCode })
const view = { service: 'business', needs: 'parking:park:view' } as const
const stayView = { service: 'business', needs: 'parking:stay:view' } as const
export const screen = {
  overview: call('parking.screen.overview', {
    ...view,
    get: '/park/screen',
    query: message(
      {},
      {
        regionCode: Park.properties.regionCode,
        pType: Park.properties.pType,
        parkCode: Park.properties.parkCode,
        subType: Park.properties.subType,
        moduleType: among('模块', 'Layer', MapLayer),
        custName: text('企业名称', 'Enterprise', { max: 64 }),
      },
    ),
    reply: listOf(ParkPoint),
  }),
  flow: call('parking.screen.flow', { ...view, own: true, get: '/park/screen/flow', query: empty, reply: listOf(FlowHour) }),
  lastMoves: call('parking.screen.last-moves', { ...view, own: true, get: '/park/screen/lastMoves', query: empty, reply: listOf(ParkMove) }),
  detail: call('parking.screen.detail', {
    ...view,
    get: '/park/screen/detail',
    query: message({ parkCode: Park.properties.parkCode }, PAGE),
    reply: ParkFigures,
  }),
  bayList: call('parking.screen.bay-list', {
    ...view,
    get: '/park/parkBayList',
    query: message({}, { parkCode: Park.properties.parkCode, seatCode: Seat.properties.seatCode, ...PAGE }),
    reply: listOf(Seat),
  }),
  chargeRecord: call('parking.screen.charge-record', {
    ...stayView,
    get: '/park/getChargeRecord',
    query: paged(chargeSearch),
    reply: pageOf(ChargeRecord),
  }),
  selectOrder: call('parking.screen.select-order', {
    ...stayView,
    get: '/park/selectOrder',
    query: paged(chargeSearch),
    reply: pageOf(ChargeRecord),
  }),
  areaList: call('parking.screen.area-list', { ...view, get: '/park/parkAreaList', query: OfPark, reply: listOf(AreaNow) }),
}
