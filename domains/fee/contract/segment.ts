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

export const SegmentMode = dictionary('fee_segment_mode', ['计费方式', 'Charged'], {
  0: ['免费', 'Free'],
  1: ['按次', 'By visit'],
  2: ['按时', 'By hour'],
  3: ['阶梯', 'By step'],
})
/** Kinds of day add up: 3 is workdays and weekends, 7 every day. A holiday on a weekend is a holiday; a weekend day that is worked is a workday. */
export const DayType = dictionary('fee_day_type', ['日期类型', 'Days'], {
  1: ['工作日', 'Workdays'],
  2: ['周末', 'Weekends'],
  3: ['工作日和周末', 'Workdays and weekends'],
  4: ['节假日', 'Holidays'],
  5: ['工作日和节假日', 'Workdays and holidays'],
  6: ['周末和节假日', 'Weekends and holidays'],
  7: ['每天', 'Every day'],
})

export type SegmentId = 'SegmentId'
const clock = '([01]\\d|2[0-3]):[0-5]\\d'
const made = {
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
}
/** A band of the clock of one version of a rule (时段). `to` at or before `from` goes over midnight; equal is all day. */
export const Segment = entity({
  id: id<SegmentId>(),
  ruleVersionId: ref<RuleVersionId>('规则版本', 'Rule version'),
  name: orNone(text('名称', 'Name', { max: 64 })),
  from: text('开始', 'From', { max: 5, pattern: `^${clock}$` }),
  to: text('结束', 'To', { max: 5, pattern: `^(${clock}|24:00)$` }),
  dayType: among('日期类型', 'Days', DayType),
  mode: among('计费方式', 'Charged', SegmentMode),
  capFen: orNone(fen('时段封顶', 'Cap', { min: 0 })),
  ...made,
})
/** What one stay in the band costs, however long (按次). */
export const Frequency = entity({
  id: id<'FrequencyId'>(),
  segmentId: ref<SegmentId>('时段', 'Segment'),
  amountFen: fen('金额', 'Amount', { min: 0 }),
  ...made,
})
/** A price for every started unit (按时); the first may be another, once in a stay. */
export const Hour = entity({
  id: id<'HourId'>(),
  segmentId: ref<SegmentId>('时段', 'Segment'),
  firstMin: orNone(whole('首段时长', 'First unit', { unit: 'minute', min: 1, max: 1440 })),
  firstFen: orNone(fen('首段金额', 'Price of the first', { min: 0 })),
  unitMin: whole('单元时长', 'Unit', { unit: 'minute', min: 1, max: 1440 }),
  unitFen: fen('单价', 'Unit price', { min: 0 }),
  ...made,
})
/** What a stay costs up to a length (阶梯); the one row with `overUnitMin` says what every started unit beyond the last adds. */
export const Step = entity({
  id: id<'StepId'>(),
  segmentId: ref<SegmentId>('时段', 'Segment'),
  upToMin: orNone(whole('至', 'Up to', { unit: 'minute', min: 1, max: 44_640 })),
  totalFen: orNone(fen('累计金额', 'Costs in all', { min: 0 })),
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
    body: pickSome(Segment, ['ruleVersionId', 'from', 'to', 'mode'], ['name', 'dayType', 'capFen']),
    reply: done,
  }),
  update: call('fee.segment.update', {
    ...edit,
    post: '/feeSegment/update',
    body: pickSome(Segment, ['id', 'version'], ['name', 'from', 'to', 'dayType', 'mode', 'capFen']),
    reply: nothing,
  }),
  delete: call('fee.segment.delete', { ...edit, delete: '/feeSegment/delete', query: pick(Segment, 'id'), reply: nothing }),
}
export const frequency = {
  queryPage: call('fee.frequency.query-page', { ...view, post: '/feeFrequency/queryPage', body: paged(frequencySearch), reply: pageOf(Frequency) }),
  insert: call('fee.frequency.insert', { ...edit, post: '/feeFrequency/insert', body: pick(Frequency, 'segmentId', 'amountFen'), reply: done }),
  update: call('fee.frequency.update', {
    ...edit,
    post: '/feeFrequency/update',
    body: pick(Frequency, 'id', 'version', 'amountFen'),
    reply: nothing,
  }),
  delete: call('fee.frequency.delete', { ...edit, delete: '/feeFrequency/delete', query: pick(Frequency, 'id'), reply: nothing }),
}
export const hour = {
  queryPage: call('fee.hour.query-page', { ...view, post: '/feeHour/queryPage', body: paged(hourSearch), reply: pageOf(Hour) }),
  insert: call('fee.hour.insert', {
    ...edit,
    post: '/feeHour/insert',
    body: pickSome(Hour, ['segmentId', 'unitMin', 'unitFen'], ['firstMin', 'firstFen']),
    reply: done,
  }),
  update: call('fee.hour.update', {
    ...edit,
    post: '/feeHour/update',
    body: pickSome(Hour, ['id', 'version'], ['unitMin', 'unitFen', 'firstMin', 'firstFen']),
    reply: nothing,
  }),
  delete: call('fee.hour.delete', { ...edit, delete: '/feeHour/delete', query: pick(Hour, 'id'), reply: nothing }),
}
export const step = {
  queryPage: call('fee.step.query-page', { ...view, post: '/feeStep/queryPage', body: paged(stepSearch), reply: pageOf(Step) }),
  insert: call('fee.step.insert', {
    ...edit,
    post: '/feeStep/insert',
    body: pickSome(Step, ['segmentId'], ['upToMin', 'totalFen', 'overUnitMin', 'overUnitFen']),
    reply: done,
  }),
  update: call('fee.step.update', {
    ...edit,
    post: '/feeStep/update',
    body: pickSome(Step, ['id', 'version'], ['upToMin', 'totalFen', 'overUnitMin', 'overUnitFen']),
    reply: nothing,
  }),
  delete: call('fee.step.delete', { ...edit, delete: '/feeStep/delete', query: pick(Step, 'id'), reply: nothing }),
}
export type SegmentOf = Of<typeof Segment>
