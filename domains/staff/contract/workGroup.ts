import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { entity, id, listOf, message, nothing, orNone, pick, rowFields, shaped, text, whole } from '../../../platform/contract/field.ts'
import { Picked } from './collector.ts'

export const clock = (zh: string, en: string) => text(zh, en, { max: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
export const placeCode = text('地点', 'Place', { max: 24 })
/** A group keeps, and a cell names, at most so many. */
export const PLACES_MAX = 50
export const placeCodes = shaped('地点', 'Places', listOf(placeCode, { max: PLACES_MAX }))

/** People who are planned together (班组), the places that they keep, and from when to when somebody has to be there. */
export const WorkGroup = entity(['班组', 'Work group'], {
  ...rowFields<'WorkGroupId'>(),
  name: text('名称', 'Name', { max: 40 }),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  leaderId: orNone(id<'CollectorId'>('班组长', 'Leader')),
  placeCodes,
  coverFrom: orNone(clock('值守自', 'Cover from')),
  coverTo: orNone(clock('值守至', 'Cover to')),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
})
export const WorkGroupLine = entity({
  ...WorkGroup.properties,
  leaderName: orNone(text('班组长', 'Leader', { max: 40 })),
  people: whole('人数', 'People', { min: 0 }),
})
export const groupSearch = searchOf(WorkGroupLine, { name: 'contains', parkCode: 'equals', leaderId: 'equals' }, { sort: ['createdAt'] })
const { name, parkCode, leaderId, coverFrom, coverTo, remark } = WorkGroup.properties
const Names = pick(WorkGroup, 'id', 'name', 'parkCode')
const view = { service: 'business', needs: 'staff:group:view' } as const
const edit = { service: 'business', needs: 'staff:group:edit', writes: true } as const
const members = shaped('成员', 'Members', listOf(id<'CollectorId'>('收费员', 'Collector'), { max: 200 }))
/** Where somebody can be sent: a park, a district, a section of street. */
export const Place = entity({ placeCode, name: text('名称', 'Name', { max: 64 }), parkCode })

export const workGroup = {
  query: call('staff.work-group.page-query', {
    ...view,
    post: '/api/staff/workGroup/pageQuery',
    body: paged(groupSearch),
    reply: pageOf(WorkGroupLine),
  }),
  pick: call('staff.work-group.query', { ...view, post: '/api/staff/workGroup/query', body: message({}, { parkCode }), reply: listOf(Names) }),
  save: call('staff.work-group.save', {
    ...edit,
    post: '/api/staff/workGroup/save',
    does: ['新增班组', 'Added a work group'],
    body: message({ name, parkCode }, { leaderId, placeCodes, coverFrom, coverTo, remark, memberIds: members }),
    reply: nothing,
  }),
  /** `memberIds` replaces who belongs to it. */
  update: call('staff.work-group.update', {
    ...edit,
    post: '/api/staff/workGroup/update',
    does: ['修改班组', 'Changed a work group'],
    body: message(pick(WorkGroup, 'id', 'version').properties, {
      name,
      parkCode,
      leaderId,
      placeCodes,
      coverFrom,
      coverTo,
      remark,
      memberIds: members,
    }),
    reply: nothing,
  }),
  delete: call('staff.work-group.delete', {
    ...edit,
    post: '/api/staff/workGroup/delete',
    does: ['删除班组', 'Deleted a work group'],
    query: message({ id: WorkGroup.properties.id }),
    reply: nothing,
  }),
  detail: call('staff.work-group.work-group-detail', {
    ...view,
    post: '/api/staff/workGroup/workGroupDetail',
    query: message({ id: WorkGroup.properties.id }),
    reply: entity({
      ...WorkGroupLine.properties,
      members: shaped('成员', 'Members', listOf(Picked)),
      places: shaped('地点', 'Places', listOf(Place)),
    }),
  }),
  withPeople: call('staff.work-group.query-work-group', {
    ...view,
    post: '/api/staff/workGroup/queryWorkGroup',
    body: message({}, { parkCode }),
    reply: listOf(entity({ ...Names.properties, collectors: shaped('收费员', 'Collectors', listOf(Picked)) })),
  }),
  places: call('staff.place.query', {
    service: 'business',
    needs: 'staff:group:view',
    own: true,
    get: '/api/staff/place/query',
    query: message({}),
    reply: listOf(Place),
  }),
}
