import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
  orSaid,
} from '../../../platform/contract/field.ts'
import { Batch, Relay, Wiring } from './wiring.ts'
import { boxCode } from './box.ts'

export const TimerTarget = dictionary('lamp_timer_target', ['定时对象', 'Target'], {
  boxes: [1, '配电箱', 'Boxes'],
  wirings: [2, '回路', 'Circuits'],
  regions: [3, '区域', 'Regions'],
  byDefault: [4, '默认程序', 'Default program'],
})
export const TimerKind = dictionary('lamp_timer_kind', ['定时方式', 'Program type'], {
  clock: [1, '固定时刻', 'Fixed times'],
  sun: [2, '天文时钟', 'Astronomical clock'],
  lux: [3, '光照阈值', 'Light threshold'],
  sunAndLux: [4, '天文+光照', 'Astronomical and light'],
})
export const TimerStatus = dictionary('lamp_timer_status', ['定时状态', 'Program status'], {
  on: [1, '启用', 'In use', 'success'],
  off: [2, '停用', 'Disabled'],
})
/** Why one program stands back behind another. */
export const Lost = dictionary('lamp_timer_lost', ['未生效原因', 'Not applied because'], {
  priority: [1, '优先级较低', 'Lower priority'],
  dates: [2, '日期范围较宽', 'Wider dates'],
  older: [3, '建立较早', 'Older'],
})

/** `18:30`, `sunset`, `sunset+10`, `sunrise-15`. */
export const EVENT_AT = '^(([01][0-9]|2[0-3]):[0-5][0-9]|(sunset|sunrise)([+-][0-9]{1,3})?)$'
export const Action = entity({
  at: text('时刻', 'Time', { max: 12, pattern: EVENT_AT }),
  relay: among('分合', 'Switch', Relay),
  dim: whole('亮度', 'Dim level', { unit: 'percent', min: 0, max: 100 }),
})
export const ACTIONS_MAX = 12
/** A program of some circuits. Its night belongs to the evening's date and goes from noon to noon. */
export const Timer = entity(['照明定时', 'Lighting program'], {
  ...rowFields<'LampTimerId'>(),
  name: orSaid(text('名称', 'Name', { max: 60 })),
  target: among('对象', 'Target', TimerTarget),
  targets: shaped<string[]>('对象编号', 'Codes', listOf(text('编号', 'Code', { max: 32 }), { max: 200 })),
  kind: among('方式', 'Type', TimerKind),
  dateFrom: day('自', 'From'),
  dateTo: day('至', 'To'),
  dayMask: whole('星期', 'Weekdays', { unit: 'weekdays', min: 1, max: 127 }),
  priority: whole('优先级', 'Priority', { min: 0, max: 99 }),
  actions: shaped('动作', 'Actions', listOf(Action, { max: ACTIONS_MAX })),
  luxBelow: orNone(whole('光照低于', 'On below', { unit: 'lux', min: 1, max: 2000 })),
  status: among('状态', 'Status', TimerStatus),
})
export const timerSearch = searchOf(Timer, { name: 'contains', target: 'among', kind: 'among', status: 'among' }, { sort: ['createdAt'] })

const named = { timerId: Timer.properties.id, name: Timer.properties.name }
const circuits = whole('回路数', 'Circuits', { min: 1 })
const why = among('未生效原因', 'Not applied because', Lost)
/** One night of the circuits that a program is about: who wins how many of them, and who stands back. */
const Outcome = message({
  date: day('夜', 'Night'),
  winners: listOf(message({ ...named, circuits })),
  losers: listOf(message({ ...named, why, circuits })),
})
const Night = message({
  date: day('夜', 'Night'),
  sunset: instant('日落', 'Sunset'),
  sunrise: instant('日出', 'Sunrise'),
  winner: message(named),
  losers: listOf(message({ ...named, why })),
  events: listOf(message({ at: instant('时间', 'Time'), relay: Action.properties.relay, dim: Action.properties.dim })),
})

const view = { service: 'business', needs: 'street-lamp:timer:view' } as const
const edit = { service: 'business', needs: 'street-lamp:timer:edit', writes: true } as const
const data = ['name', 'target', 'targets', 'kind', 'dateFrom', 'dateTo', 'dayMask', 'priority', 'actions'] as const
const saved = message({ id: Timer.properties.id, version: Timer.properties.version, nights: listOf(Outcome) })

export const timer = {
  /** Programs may overlap: who wins each of the next thirty nights is said, not refused. */
  add: call('street-lamp.timer.add', {
    ...edit,
    post: '/streetLampTimer/add',
    does: ['新增照明定时', 'Added a lighting program'],
    body: pickSome(Timer, data, ['luxBelow', 'status']),
    reply: saved,
  }),
  update: call('street-lamp.timer.update', {
    ...edit,
    post: '/streetLampTimer/update',
    does: ['修改照明定时', 'Changed a lighting program'],
    body: pickSome(Timer, ['id', 'version'], [...data, 'luxBelow', 'status']),
    reply: saved,
  }),
  delete: call('street-lamp.timer.delete', {
    ...edit,
    post: '/streetLampTimer/delete',
    does: ['删除照明定时', 'Deleted a lighting program'],
    body: pick(Timer, 'id', 'version'),
    reply: nothing,
  }),
  query: call('street-lamp.timer.query', { ...view, post: '/streetLampTimer/query', body: paged(timerSearch), reply: pageOf(Timer) }),
  /** Sends what the program wants this minute, as a switch by hand would. */
  execute: call('street-lamp.timer.execute', {
    service: 'business',
    needs: 'street-lamp:circuit:switch',
    writes: true,
    post: '/streetLampTimer/execute',
    does: ['立即执行照明定时', 'Ran a lighting program now'],
    body: message(
      { id: Timer.properties.id },
      {
        boxCodes: listOf(boxCode, { max: 500 }),
        reason: text('原因', 'Reason', { max: 200 }),
        confirm: whole('确认箱数', 'Box count to confirm', { min: 1 }),
      },
    ),
    reply: Batch,
  }),
  calendar: call('street-lamp.timer.calendar', {
    ...view,
    own: true,
    post: '/streetLampTimer/calendar',
    body: message({ wiringId: Wiring.properties.id, dateFrom: day('自', 'From'), days: whole('天数', 'Days', { min: 1, max: 62 }) }),
    reply: listOf(Night),
  }),
}
