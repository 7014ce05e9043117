import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { day, entity, id, instant, listOf, message, orNone, plate, ref, text, whole } from '../../../platform/contract/field.ts'
import { Gate } from './gate.ts'
import { Park } from './park.ts'
import type { StayId } from './stay.ts'

/** From the payment of a car that stood at an exit until it had passed. */
export const PassTime = entity(['缴费到放行时长', 'Payment-to-exit time'], {
  id: id<'PassTimeId'>(),
  parkCode: Park.properties.parkCode,
  gateCode: Gate.properties.gateCode,
  stayId: ref<StayId>('停车记录', 'Stay'),
  plateNo: plate(),
  orderNo: text('订单号', 'Order number', { max: 40 }),
  paidAt: instant('付款时间', 'Paid at'),
  /** Null: the car still stands there. */
  passedAt: orNone(instant('放行时间', 'Passed at')),
  seconds: orNone(whole('用时', 'Time taken', { unit: 'second' })),
})
export const passTimeSearch = searchOf(
  PassTime,
  { parkCode: 'equals', gateCode: 'equals', plateNo: 'plate', paidAt: 'between', passedAt: 'between', seconds: 'between' },
  { sort: ['paidAt', 'seconds'] },
)
/** How long it took in one park on the day on which the cars passed: as many cars as its list has. */
export const PassDay = entity({
  day: day('日期', 'Day'),
  parkCode: Park.properties.parkCode,
  cars: whole('车辆数', 'Cars'),
  medianSec: whole('中位用时', 'Median', { unit: 'second' }),
  slowestSec: whole('最长用时', 'Slowest', { unit: 'second' }),
})

const view = { service: 'fee', own: true, needs: 'parking:stay:view' } as const
export const passTime = {
  list: call('parking.pass-time.list', { ...view, get: '/passTime/list', query: paged(passTimeSearch), reply: pageOf(PassTime) }),
  days: call('parking.pass-time.days', {
    ...view,
    get: '/passTime/days',
    query: message({ dayFrom: day('自', 'From'), dayTo: day('至', 'To') }, { parkCode: Park.properties.parkCode }),
    reply: listOf(PassDay),
  }),
}
