import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, degrees, entity, fen, id, instant, listOf, message, orNone, pick, plate, ref, text, whole } from '../../../platform/contract/field.ts'
import { AreaNow } from './area.ts'
import { Seat } from './gate.ts'
import { Occupancy, Park, ParkNow } from './park.ts'
import { PayState, type StayId } from './stay.ts'

/** A park as a point on the map, with what is free in it. */
export const ParkPoint = entity({
  ...pick(Park, 'parkCode', 'name', 'pType', 'regionCode', 'address', 'totalBays', 'status').properties,
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude')),
  ...Occupancy.properties,
})
export const ParkFigures = entity({
  ...ParkNow.properties,
  entriesToday: whole('今日入场', 'In today'),
  exitsToday: whole('今日出场', 'Out today'),
  receivableTodayFen: fen('今日应收', 'Receivable today'),
  paidTodayFen: fen('今日实收', 'Paid today'),
  at: instant('数据时间', 'As of'),
})
/** What one stay was charged, as the park's map shows it. */
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
export const chargeSearch = searchOf(ChargeRecord, { parkCode: 'equals', plateNo: 'equals', exitTime: 'between' }, { sort: ['entryTime'] })

const view = 'parking:park:view'
const OfPark = message({}, { parkCode: Park.properties.parkCode })
export const screen = {
  overview: call('parking.screen.overview', {
    service: 'business',
    get: '/park/screen',
    needs: view,
    query: message(
      {},
      {
        regionCode: Park.properties.regionCode,
        pType: Park.properties.pType,
        parkCode: Park.properties.parkCode,
        subType: text('子类型', 'Sub-kind', { max: 32 }),
        moduleType: text('模块', 'Module', { max: 32 }),
      },
    ),
    reply: listOf(ParkPoint),
  }),
  detail: call('parking.screen.detail', {
    service: 'business',
    get: '/park/screen/detail',
    needs: view,
    query: pick(Park, 'parkCode'),
    reply: ParkFigures,
  }),
  bayList: call('parking.screen.bay-list', { service: 'business', get: '/park/parkBayList', needs: view, query: OfPark, reply: listOf(Seat) }),
  chargeRecord: call('parking.screen.charge-record', {
    service: 'business',
    get: '/park/getChargeRecord',
    needs: 'parking:stay:view',
    query: paged(chargeSearch),
    reply: pageOf(ChargeRecord),
  }),
  selectOrder: call('parking.screen.select-order', {
    service: 'business',
    get: '/park/selectOrder',
    needs: 'parking:stay:view',
    query: paged(chargeSearch),
    reply: pageOf(ChargeRecord),
  }),
  areaList: call('parking.screen.area-list', { service: 'business', get: '/park/parkAreaList', needs: view, query: OfPark, reply: listOf(AreaNow) }),
}
