import { call } from '../../../platform/contract/call.ts'
import { entity, instant, listOf, message, orNone, shaped, text, whole } from '../../../platform/contract/field.ts'
import { Park } from '../../parking/contract/park.ts'
import { Section } from './section.ts'

const count = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** One hour of the city's day, 0 to 23. Hours to come have no figures for today. */
export const RoadHour = entity({
  hour: whole('小时', 'Hour', { min: 0, max: 23 }),
  arrivals: orNone(count('驶入', 'Arrived')),
  leaves: orNone(count('驶离', 'Left')),
  arrivalsBefore: count('昨日驶入', 'Arrived yesterday'),
})
/** How full a stretch of road is. A disabled berth is no room. */
export const SectionFull = entity({
  parkCode: Park.properties.parkCode,
  parkName: text('片区', 'District'),
  sectionCode: Section.properties.sectionCode,
  name: Section.properties.name,
  seats: count('泊位', 'Berths'),
  occupied: count('占用', 'Occupied'),
  free: count('空闲', 'Free'),
})
/** The figures that a control-room wall shows beside those of the street: no plate, no name, no money. */
export const RoadWall = entity({
  at: instant('统计时间', 'As of'),
  hours: shaped('逐时', 'By hour', listOf(RoadHour)),
  /** The fullest first. */
  sections: shaped('路段', 'Sections', listOf(SectionFull)),
})
export const wall = {
  show: call('roadside.wall.show', {
    service: 'business',
    needs: 'roadside:berth:view',
    own: true,
    get: '/seat/screen/wall',
    query: message({}, { parkCode: Park.properties.parkCode, regionCode: Park.properties.regionCode }),
    reply: RoadWall,
  }),
}
