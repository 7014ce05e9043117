import { call, paged, pageOf, searchOf } from './call.ts'
import { among, dictionary, entity, id, instant, listOf, message, nothing, orNone, pick, rowFields, shaped, text, whole } from './field.ts'
import { formatField } from './sheet.ts'

export const Rhythm = dictionary('export_rhythm', ['频率', 'Frequency'], {
  daily: [1, '每天', 'Daily'],
  weekly: [2, '每周', 'Weekly'],
  monthly: [3, '每月', 'Monthly'],
})
export const ScheduledState = dictionary('scheduled_export_state', ['定时导出状态', 'Scheduled export status'], {
  active: [1, '进行中', 'Active', 'success'],
  paused: [2, '已暂停', 'Paused', 'default'],
  stopped: [3, '已停止', 'Stopped', 'error'],
})
/** Why it goes on no more by itself. */
export const StoppedBy = dictionary('scheduled_export_stop', ['停止原因', 'Stop reason'], {
  rights: [1, '已无该列表的导出权限', 'No longer allowed to export the list'],
  account: [2, '账号已停用', 'The account is disabled'],
  list: [3, '列表或筛选条件已变更', 'The list or its filter has changed'],
})
/** The weekday (1 is Monday) of a weekly one, the day of a monthly one; a month that is shorter has it on its last. */
export const LAST_DAY = 31
export const TIME_OF_DAY = '^([01][0-9]|2[0-3]):[0-5][0-9]$'

/** A list that is exported again and again, by the rights that its owner has each time. Only its owner sees it. */
export const ScheduledExport = entity(['定时导出', 'Scheduled export'], {
  ...rowFields<'ScheduledExportId'>(),
  call: text('导出', 'Export', { max: 100 }),
  name: text('名称', 'Name', { max: 60 }),
  title: text('内容', 'Content'),
  titleEn: text('英文内容', 'Content (English)'),
  rhythm: among('频率', 'Frequency', Rhythm),
  day: orNone(whole('日', 'Day', { min: 1, max: LAST_DAY })),
  timeOfDay: text('时刻', 'Time of day', { max: 5, pattern: TIME_OF_DAY }),
  moving: orNone(text('随时间推移的条件', 'Moving range', { max: 60 })),
  format: formatField,
  columns: shaped('列', 'Columns', listOf(text('列', 'Column', { max: 60 }), { max: 200 })),
  state: among('状态', 'Status', ScheduledState),
  stoppedBy: orNone(among('停止原因', 'Stop reason', StoppedBy)),
  nextAt: instant('下次', 'Next'),
  lastAt: orNone(instant('上次', 'Last')),
})
export const scheduledSearch = searchOf(ScheduledExport, { state: 'among', call: 'equals' }, { sort: ['createdAt'] })

export const ScheduledRun = entity({
  dueAt: instant('应于', 'Due'),
  at: instant('执行时间', 'Run at'),
  /** The file among one's exports, for as long as it is kept. */
  exportId: orNone(id<'ExportId'>('导出', 'Export')),
  rows: orNone(whole('行数', 'Rows')),
  said: orNone(text('未生成原因', 'Reason not created')),
  saidEn: orNone(text('英文原因', 'Reason (English)')),
})
const own = { service: 'basic', needs: 'signed-in', own: true } as const
const CHOSEN = ['rhythm', 'timeOfDay', 'format'] as const
const MAY = ['day', 'moving', 'columns'] as const
/** The criteria are those of the export itself, whose own rules check them. */
const asked = {
  call: ScheduledExport.properties.call,
  criteria: shaped<Record<string, unknown>>('筛选条件', 'Criteria', { type: 'object', additionalProperties: true, maxProperties: 60 }),
}
const { properties: of } = ScheduledExport
const before = pick(ScheduledExport, 'id', 'version')

export const scheduled = {
  /** One's own. */
  queryPage: call('platform.scheduled-export.query-page', {
    ...own,
    post: '/scheduledExport/queryPage',
    body: paged(scheduledSearch),
    reply: pageOf(ScheduledExport),
  }),
  /** Users who may export a list may schedule its export. */
  add: call('platform.scheduled-export.add', {
    ...own,
    post: '/scheduledExport/add',
    writes: true,
    does: ['新增定时导出', 'Scheduled an export'],
    body: message(
      { ...asked, name: of.name, rhythm: of.rhythm, timeOfDay: of.timeOfDay, format: of.format },
      { day: of.day, moving: of.moving, columns: of.columns },
    ),
    reply: ScheduledExport,
  }),
  update: call('platform.scheduled-export.update', {
    ...own,
    post: '/scheduledExport/update',
    writes: true,
    does: ['修改定时导出', 'Changed a scheduled export'],
    body: message(before.properties, { ...pick(ScheduledExport, 'name', ...CHOSEN, ...MAY).properties, criteria: asked.criteria }),
    reply: ScheduledExport,
  }),
  pause: call('platform.scheduled-export.pause', {
    ...own,
    post: '/scheduledExport/pause',
    writes: true,
    does: ['暂停定时导出', 'Paused a scheduled export'],
    body: before,
    reply: ScheduledExport,
  }),
  /** Goes on with one that was paused, or that stopped and may go on again. */
  resume: call('platform.scheduled-export.resume', {
    ...own,
    post: '/scheduledExport/resume',
    writes: true,
    does: ['恢复定时导出', 'Resumed a scheduled export'],
    body: before,
    reply: ScheduledExport,
  }),
  delete: call('platform.scheduled-export.delete', {
    ...own,
    post: '/scheduledExport/delete',
    writes: true,
    does: ['删除定时导出', 'Deleted a scheduled export'],
    body: before,
    reply: nothing,
  }),
  /** The last times, the newest first. */
  runs: call('platform.scheduled-export.runs', {
    ...own,
    get: '/scheduledExport/runs',
    query: pick(ScheduledExport, 'id'),
    reply: listOf(ScheduledRun),
  }),
}
