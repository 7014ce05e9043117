import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, day, dictionary, entity, id, instant, listOf, message, nothing, pick, text, whole, yes } from '../../../platform/contract/field.ts'

export const HolidayKind = dictionary('fee_holiday_kind', ['日期性质', 'Day type'], {
  holiday: [1, '节假日', 'Holiday'],
  worked: [2, '调休上班', 'Make-up workday'],
  plain: [3, '平日', 'Ordinary day'],
})
/** A day that differs from the published calendar, for the enterprise's own rules. */
export const Holiday = entity(['节假日', 'Holiday'], {
  id: id<'HolidayId'>(),
  day: day('日期', 'Day'),
  kind: among('性质', 'Day type', HolidayKind),
  name: text('名称', 'Name', { max: 64 }),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
/** One day of a year that is no plain day, after the enterprise's own changes. */
export const CalendarDay = entity({
  day: Holiday.properties.day,
  kind: Holiday.properties.kind,
  name: Holiday.properties.name,
  changed: yes('已修改', 'Changed'),
})
export const holidaySearch = searchOf(Holiday, { day: 'between', kind: 'equals' }, { sort: ['day'] })

const edit = { service: 'fee', needs: 'fee:rule:edit', writes: true, own: true } as const
const view = { service: 'fee', needs: 'fee:rule:view', own: true } as const
export const holiday = {
  queryPage: call('fee.holiday.query-page', { ...view, post: '/feeHoliday/queryPage', body: paged(holidaySearch), reply: pageOf(Holiday) }),
  /** `known`: the published calendar has this year. */
  year: call('fee.holiday.year', {
    ...view,
    get: '/feeHoliday/year',
    query: message({ year: whole('年份', 'Year', { min: 2000, max: 2100 }) }),
    reply: message({ known: yes('已公布', 'Published'), days: listOf(CalendarDay) }),
  }),
  /** Sets what a day is; a day that was set before is set anew. */
  save: call('fee.holiday.save', {
    ...edit,
    post: '/feeHoliday/save',
    does: ['设置节假日', 'Set a holiday'],
    body: pick(Holiday, 'day', 'kind', 'name'),
    reply: nothing,
  }),
  delete: call('fee.holiday.delete', {
    ...edit,
    delete: '/feeHoliday/delete',
    does: ['删除节假日设置', 'Deleted a holiday setting'],
    query: pick(Holiday, 'id'),
    reply: nothing,
  }),
}
