import { call } from '../../../platform/contract/call.ts'
import { degrees, entity, instant, listOf, message, orNone, shaped, text, whole } from '../../../platform/contract/field.ts'
import { Collector } from './collector.ts'

const people = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** A place where somebody is planned now, and how many of them are there. */
const Place = entity({
  placeCode: text('地点编号', 'Place code', { max: 24 }),
  name: text('地点', 'Place', { max: 64 }),
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  planned: people('当前应在岗', 'Planned now'),
  onDuty: people('已签到', 'Checked in'),
})
const Missing = entity({
  tollNo: Collector.properties.tollNo,
  name: Collector.properties.name,
  phone: Collector.properties.phone,
  shiftName: text('班次', 'Work shift', { max: 20 }),
  placeName: text('地点', 'Place', { max: 64 }),
  lateMin: people('已迟到', 'Late by'),
})
export const dashboard = {
  /** Of this moment: who is employed, due, came, is at work; and who should be there and is not. */
  now: call('staff.dashboard.now', {
    service: 'business',
    own: true,
    needs: 'staff:attendance:view',
    get: '/api/staff/dashboard/now',
    query: message({}, { parkCode: Collector.properties.parkCode }),
    reply: entity({
      at: instant('截至', 'As of'),
      employed: people('在职', 'Employed'),
      due: people('应到', 'Due'),
      present: people('实到', 'Attended'),
      onDuty: people('已签到', 'Checked in'),
      absent: people('缺勤', 'Absent'),
      leave: people('请假', 'On leave'),
      /** Null for a reader who may not see warnings. */
      warnings: orNone(people('未处理预警', 'Open warnings')),
      places: shaped('地点', 'Places', listOf(Place)),
      missing: shaped('应到未到', 'Due, not present', listOf(Missing)),
    }),
  }),
}
