import { call } from '../../../platform/contract/call.ts'
import { among, empty, entity, fen, type Field, instant, listOf, message, orNone, shaped, text, whole } from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { Traffic } from '../../parking/contract/figures.ts'
import { FlowHour } from '../../parking/contract/screen.ts'
import { Income } from '../../settlement/contract/report.ts'

/** A figure of today up to now, and of yesterday up to the same time of day. */
const compared = <T>(of: Field<T>) => shaped(of['x-zh'], of['x-en'], message({ today: of, before: of }))

/** Today is the city's business day so far; every figure equals the list that it opens. Money as the ledger has it. */
export const Today = entity({
  at: instant('截至', 'As of'),
  dayFrom: instant('今日起始', 'Start of today'),
  entered: compared(Traffic.entered),
  left: compared(Traffic.left),
  abnormal: compared(Traffic.abnormal),
  present: Traffic.present,
  totalBays: whole('总泊位', 'Bays'),
  freeBays: whole('空余泊位', 'Free bays'),
  /** Kept for cars that are still to come. */
  heldBays: whole('预约保留', 'Bays held for bookings'),
  receivableFen: compared(Income.properties.receivableFen),
  discountFen: compared(Income.properties.discountFen),
  paidFen: compared(Income.properties.paidFen),
  refundFen: compared(Income.properties.refundFen),
  netFen: compared(Income.properties.netFen),
})
/** Cars that came in today by the colour of their plates, and by where the plates are from, most first. */
export const ByPlate = entity({
  at: instant('截至', 'As of'),
  colors: shaped(
    '按车牌颜色',
    'By plate colour',
    listOf(entity({ plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)), entered: Traffic.entered })),
  ),
  places: shaped(
    '按归属地',
    'By place of registration',
    listOf(entity({ place: text('归属地', 'Place of registration', { max: 8 }), entered: Traffic.entered })),
  ),
})
export const Escapes = entity({
  at: instant('截至', 'As of'),
  orders: compared(whole('欠费离场', 'Exits left unpaid')),
  owedFen: compared(fen('欠费金额', 'Owed')),
  repaidFen: compared(fen('已追缴', 'Repaid')),
})
export const ParkNow = entity({
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  name: text('名称', 'Name'),
  totalBays: whole('总泊位', 'Bays'),
  present: Traffic.present,
  freeBays: whole('空余泊位', 'Free bays'),
  heldBays: whole('预约保留', 'Bays held for bookings'),
  entered: whole('今日进场', 'Entries today'),
  left: whole('今日出场', 'Exits today'),
})

const asked = { service: 'business', needs: 'dashboard:home:view', query: empty } as const
export const home = {
  realPark: call('dashboard.home.real-park-statistical', { ...asked, get: '/home/realParkStatistical', reply: Today }),
  plates: call('dashboard.home.plate-statistical-detail', { ...asked, get: '/home/plateStatisticalDetail', reply: ByPlate }),
  flow: call('dashboard.home.select-park-flow-data', { ...asked, get: '/home/selectParkFlowData', reply: listOf(FlowHour) }),
  escapes: call('dashboard.home.real-escape-statistical', { ...asked, get: '/home/realEscapeStatistical', reply: Escapes }),
  screen: call('dashboard.home.screen-park-statistical', {
    ...asked,
    get: '/home/screen/parkStatistical',
    reply: message({ at: instant('截至', 'As of'), parks: listOf(ParkNow) }),
  }),
}
