import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  message,
  nothing,
  type Of,
  orNone,
  pick,
  pickSome,
  ref,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import type { RuleVersionId } from './rule.ts'

export const SegmentMode = dictionary('fee_segment_mode', ['计费方式', 'Billed'], {
  free: [0, '免费', 'Free'],
  byVisit: [1, '按次', 'By visit'],
  byHour: [2, '按时', 'By hour'],
  byStep: [3, '阶梯', 'By step'],
})
/** Kinds of day add up: 3 is workdays and weekends, 7 every day. A holiday on a weekend is a holiday; a weekend day that is worked is a workday. */
export const DayType = dictionary('fee_day_type', ['日期类型', 'Days'], {
  workdays: [1, '工作日', 'Workdays'],
  weekends: [2, '周末', 'Weekends'],
  workdaysWeekends: [3, '工作日和周末', 'Workdays and weekends'],
  holidays: [4, '节假日', 'Holidays'],
  workdaysHolidays: [5, '工作日和节假日', 'Workdays and holidays'],
  weekendsHolidays: [6, '周末和节假日', 'Weekends and holidays'],
  everyDay: [7, '每天', 'Every day'],
})

export type SegmentId = 'SegmentId'
const clock = '([01]\\d|2[0-3]):[0-5]\\d'
const made = {
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
}
/** A band of the clock of one version of a rule (时段). `to` at or before `from` goes over midnight; equal is all day. */
export const Segment = entity(['时段', 'Band'], {
  id: id<SegmentId>(),
  ruleVersionId: ref<RuleVersionId>('规则版本', 'Rule version'),
  name: orNone(text('名称', 'Name', { max: 64 })),
  from: text('开始', 'From', { max: 5, pattern: `^${clock}$` }),
  to: text('结束', 'To', { max: 5, pattern: `^(${clock}|24:00)$` }),
  dayType: among('日期类型', 'Days', DayType),
  mode: among('计费方式', 'Billed', SegmentMode),
  capFen: orNone(fen('时段封顶', 'Cap', { min: 0 })),
  ...made,
})
/** The price of one stay in the band, however long (按次). */
export const Frequency = entity(['按次计费', 'Price by visit'], {
  id: id<'FrequencyId'>(),
  segmentId: ref<SegmentId>('时段', 'Band'),
  amountFen: fen('金额', 'Amount', { min: 0 }),
  ...made,
})
/** A price for every started unit (按时); the first may be another, once in a stay. */
export const Hour = entity(['按时计费', 'Price by time'], {
  id: id<'HourId'>(),
  segmentId: ref<SegmentId>('时段', 'Band'),
  firstMin: orNone(whole('首段时长', 'First unit', { unit: 'minute', min: 1, max: 1440 })),
  firstFen: orNone(fen('首段金额', 'First unit price', { min: 0 })),
  unitMin: whole('单元时长', 'Unit', { unit: 'minute', min: 1, max: 1440 }),
  unitFen: fen('单价', 'Unit price', { min: 0 }),
  ...made,
})
/** The price of a stay up to a length (阶梯); in the one row with `overUnitMin`, the price that every started unit beyond the last adds. */
export const Step = entity(['阶梯计费', 'Price by step'], {
  id: id<'StepId'>(),
  segmentId: ref<SegmentId>('时段', 'Band'),
  upToMin: orNone(whole('至', 'Up to', { unit: 'minute', min: 1, max: 44_640 })),
  totalFen: orNone(fen('累计金额', 'Total price', { min: 0 })),
  overUnitMin: orNone(whole('超出单元', 'Unit beyond', { unit: 'minute', min: 1, max: 1440 })),
  overUnitFen: orNone(fen('超出单价', 'Price beyond', { min: 0 })),
  ...made,
})

const segmentSearch = searchOf(Segment, { id: 'equals', ruleVersionId: 'equals', mode: 'equals' }, { sort: ['createdAt', 'from'], ascending: true })
const frequencySearch = searchOf(Frequency, { id: 'equals', segmentId: 'equals' }, { sort: ['createdAt'], ascending: true })
const hourSearch = searchOf(Hour, { id: 'equals', segmentId: 'equals' }, { sort: ['createdAt'], ascending: true })
const stepSearch = searchOf(Step, { id: 'equals', segmentId: 'equals' }, { sort: ['createdAt'], ascending: true })
export { frequencySearch, hourSearch, segmentSearch, stepSearch }

const view = { service: 'fee', needs: 'fee:rule:view' } as const
const edit = { service: 'fee', needs: 'fee:rule:edit', writes: true } as const
const done = message({ id: id() })
export const segment = {
  queryPage: call('fee.segment.query-page', { ...view, post: '/feeSegment/queryPage', body: paged(segmentSearch), reply: pageOf(Segment) }),
  insert: call('fee.segment.insert', {
    ...edit,
    post: '/feeSegment/insert',
    does: ['新增收费时段', 'Added a band'],
    body: pickSome(Segment, ['ruleVersionId', 'from', 'to', 'mode'], ['name', 'dayType', 'capFen']),
    reply: done,
  }),
  update: call('fee.segment.update', {
    ...edit,
    post: '/feeSegment/update',
    does: ['修改收费时段', 'Changed a band'],
    body: pickSome(Segment, ['id', 'version'], ['name', 'from', 'to', 'dayType', 'mode', 'capFen']),
    reply: nothing,
  }),
  delete: call('fee.segment.delete', {
    ...edit,
    delete: '/feeSegment/delete',
    does: ['删除收费时段', 'Deleted a band'],
    query: pick(Segment, 'id'),
    reply: nothing,
  }),
}
export const frequency = {
  queryPage: call('fee.frequency.query-page', { ...view, post: '/feeFrequency/queryPage', body: paged(frequencySearch), reply: pageOf(Frequency) }),
  insert: call('fee.frequency.insert', {
    ...edit,
    post: '/feeFrequency/insert',
    does: ['新增按次价格', 'Added a price by visit'],
    body: pick(Frequency, 'segmentId', 'amountFen'),
    reply: done,
  }),
  update: call('fee.frequency.update', {
    ...edit,
    post: '/feeFrequency/update',
    does: ['修改按次价格', 'Changed a price by visit'],
    body: pick(Frequency, 'id', 'version', 'amountFen'),
    reply: nothing,
  }),
  delete: call('fee.frequency.delete', {
    ...edit,
    delete: '/feeFrequency/delete',
    does: ['删除按次价格', 'Deleted a price by visit'],
    query: pick(Frequency, 'id'),
    reply: nothing,
  }),
}
export const hour = {
  queryPage: call('fee.hour.query-page', { ...view, post: '/feeHour/queryPage', body: paged(hourSearch), reply: pageOf(Hour) }),
  insert: call('fee.hour.insert', {
    ...edit,
    post: '/feeHour/insert',
    does: ['新增时长计费', 'Added a price by time'],
    body: pickSome(Hour, ['segmentId', 'unitMin', 'unitFen'], ['firstMin', 'firstFen']),
    reply: done,
  }),
  update: call('fee.hour.update', {
    ...edit,
    post: '/feeHour/update',
    does: ['修改时长计费', 'Changed a price by time'],
    body: pickSome(Hour, ['id', 'version'], ['unitMin', 'unitFen', 'firstMin', 'firstFen']),
    reply: nothing,
  }),
  delete: call('fee.hour.delete', {
    ...edit,
    delete: '/feeHour/delete',
    does: ['删除时长计费', 'Deleted a price by time'],
    query: pick(Hour, 'id'),
    reply: nothing,
  }),
}
export const step = {
  queryPage: call('fee.step.query-page', { ...view, post: '/feeStep/queryPage', body: paged(stepSearch), reply: pageOf(Step) }),
  insert: call('fee.step.insert', {
    ...edit,
    post: '/feeStep/insert',
    does: ['新增阶梯', 'Added a step'],
    body: pickSome(Step, ['segmentId'], ['upToMin', 'totalFen', 'overUnitMin', 'overUnitFen']),
    reply: done,
  }),
  update: call('fee.step.update', {
    ...edit,
    post: '/feeStep/update',
    does: ['修改阶梯', 'Changed a step'],
    body: pickSome(Step, ['id', 'version'], ['upToMin', 'totalFen', 'overUnitMin', 'overUnitFen']),
    reply: nothing,
  }),
  delete: call('fee.step.delete', {
    ...edit,
    delete: '/feeStep/delete',
    does: ['删除阶梯', 'Deleted a step'],
    query: pick(Step, 'id'),
    reply: nothing,
  }),
}
export type SegmentOf = Of<typeof Segment>
