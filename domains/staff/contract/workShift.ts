import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  listOf,
  message,
  nothing,
  pick,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { clock } from './workGroup.ts'

export const WorkShiftStatus = dictionary('work_shift_status', ['启用状态', 'Status'], {
  enabled: [1, '启用', 'Enabled', 'success'],
  disabled: [2, '停用', 'Disabled'],
})
/** `to` at or before `from` is of the next day. */
const Segment = entity({ from: clock('自', 'From'), to: clock('至', 'To') })
/** The most segments of a day. */
const SEGMENTS_MAX = 4
const segments = shaped('时段', 'Hours', listOf(Segment, { max: SEGMENTS_MAX }))
const minute = (zh: string, en: string, min: number, max: number) => whole(zh, en, { unit: 'minute', min, max })

/** A template of a day's work (班次). Not the time at the till, which is a cash shift (收银班次). */
export const WorkShift = entity(['班次', 'Work shift'], {
  ...rowFields<'WorkShiftId'>(),
  name: text('名称', 'Name', { max: 20 }),
  segments,
  workMin: minute('工作时长', 'Work time', 1, 1440),
  lateGraceMin: minute('迟到宽限', 'Late grace', 0, 120),
  earlyGraceMin: minute('早退宽限', 'Early-leave grace', 0, 120),
  checkInFromMin: minute('提前签到', 'Check-in opens', 0, 240),
  checkOutToMin: minute('延后签退', 'Check-out closes', 0, 240),
  restMin: minute('休息', 'Break', 0, 480),
  color: text('颜色', 'Colour', { max: 7, pattern: '^#[0-9a-fA-F]{6}$' }),
  status: among('状态', 'Status', WorkShiftStatus),
})
export const workShiftSearch = searchOf(WorkShift, { name: 'contains', status: 'among' }, { sort: ['createdAt'] })
const TERMS = ['lateGraceMin', 'earlyGraceMin', 'checkInFromMin', 'checkOutToMin', 'restMin', 'color', 'status'] as const
const view = { service: 'business', needs: 'staff:shift:view' } as const
const edit = { service: 'business', needs: 'staff:shift:edit', writes: true } as const

export const workShift = {
  query: call('staff.shift.page-query', { ...view, post: '/api/staff/shift/pageQuery', body: paged(workShiftSearch), reply: pageOf(WorkShift) }),
  /** Those in use, for pickers. */
  pick: call('staff.shift.query', { ...view, post: '/api/staff/shift/query', body: message({}), reply: listOf(WorkShift) }),
  save: call('staff.shift.save', {
    ...edit,
    post: '/api/staff/shift/save',
    does: ['新增班次', 'Added a work shift'],
    body: pickSome(WorkShift, ['name', 'segments'], TERMS),
    reply: nothing,
  }),
  /** Cells from `applyFrom` on take what was changed, those before it keep their copy. None that has begun is ever changed. */
  update: call('staff.shift.update', {
    ...edit,
    post: '/api/staff/shift/update',
    does: ['修改班次', 'Changed a work shift'],
    body: message(pick(WorkShift, 'id', 'version').properties, {
      ...pick(WorkShift, 'name', 'segments', ...TERMS).properties,
      applyFrom: day('应用自', 'Applies from'),
    }),
    reply: message({ changed: whole('已更新的排班', 'Shifts changed', { min: 0 }) }),
  }),
  delete: call('staff.shift.delete', {
    ...edit,
    post: '/api/staff/shift/delete',
    does: ['删除班次', 'Deleted a work shift'],
    query: message({ id: WorkShift.properties.id }),
    reply: nothing,
  }),
}
