import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  permille,
  pick,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { CommandState } from '../../device/contract/command.ts'
import { AlarmCode } from './alarm.ts'
import { BoxUse, boxCode, measure, regionCode } from './box.ts'

export const Phase = dictionary('lamp_phase', ['相别', 'Phase'], { a: [1, 'A', 'A'], b: [2, 'B', 'B'], c: [3, 'C', 'C'], all: [4, 'ABC', 'ABC'] })
export const Relay = dictionary('lamp_relay', ['分合状态', 'Switch state'], { off: [0, '分', 'Off'], on: [1, '合', 'On', 'success'] })
/** Tagged out, neither a hand nor a program switches it: somebody has fingers in it. */
export const WiringMode = dictionary('lamp_mode', ['回路模式', 'Circuit mode'], {
  automatic: [1, '自动', 'Automatic', 'success'],
  manual: [2, '手动', 'Manual', 'warning'],
  tagged: [3, '挂牌维护', 'Tagged out', 'error'],
})
export const Wanted = dictionary('lamp_wanted_by', ['设定来源', 'Set by'], {
  program: [1, '程序', 'Program'],
  hand: [2, '手动', 'Manual'],
  maintenance: [3, '维护', 'Maintenance'],
})
export const LightState = dictionary('lamp_light', ['亮灯状态', 'Light status'], {
  lit: [1, '亮', 'Lit', 'success'],
  dark: [2, '灭', 'Dark'],
  faulty: [3, '故障', 'Faulty', 'error'],
  offline: [4, '离线', 'Offline', 'error'],
  tagged: [5, '维护', 'Tagged out', 'warning'],
  litWrongly: [6, '误亮', 'Unexpectedly on', 'warning'],
  /** Nobody has read the circuit yet, or it could not be asked for. */
  unknown: [7, '未知', 'Unknown'],
})

/** A circuit: the lamps behind one relay of a box. */
export const Wiring = entity(['回路', 'Circuit'], {
  ...rowFields<'WiringId'>(),
  wiringCode: text('回路编号', 'Circuit code', { max: 32, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' }),
  name: text('名称', 'Name', { max: 60 }),
  boxCode,
  circuitNo: whole('箱内路号', 'Position in box', { min: 1, max: 64 }),
  phase: among('相别', 'Phase', Phase),
  lampCount: whole('灯数', 'Lamps', { min: 1, max: 5000 }),
  ratedPowerW: whole('额定功率', 'Rated power', { unit: 'watt', min: 1, max: 1_000_000 }),
  cable: orNone(text('电缆', 'Cable', { max: 60 })),
  ratioCt: whole('互感器变比', 'CT ratio', { min: 1, max: 5000 }),
  lossPermille: whole('缺灯阈值', 'Lamp failure threshold', { unit: 'permille', min: 1, max: 1000 }),
  leakW: whole('误亮阈值', 'Unexpected-on threshold', { unit: 'watt', min: 0, max: 100_000 }),
  mode: among('模式', 'Mode', WiringMode),
  taggedBy: orNone(id<'PersonId'>('挂牌人编号', 'Tagged by (id)')),
  taggedName: orNone(text('挂牌人', 'Tagged by', { max: 40 })),
  tagReason: orNone(text('挂牌原因', 'Tag reason', { max: 200 })),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
/** As the database knows it now; `WiringStatus` adds the state that a program wants. */
export const WiringLine = entity(['回路', 'Circuit'], {
  ...Wiring.properties,
  boxName: text('配电箱', 'Box', { max: 60 }),
  regionCode: orNone(regionCode),
  lng: degrees('经度', 'Longitude'),
  lat: degrees('纬度', 'Latitude', 90),
  boxUseState: among('配电箱使用', 'Box use', BoxUse),
  online: yes('在线', 'Online'),
  relay: orNone(among('回读开合', 'Relay read back', Relay)),
  dim: orNone(whole('回读亮度', 'Dim read back', { unit: 'percent', min: 0, max: 100 })),
  u: orNone(measure('电压', 'Voltage', 'volt')),
  i: orNone(measure('电流', 'Current', 'ampere')),
  p: orNone(measure('功率', 'Power', 'watt')),
  pf: orNone(measure('功率因数', 'Power factor')),
  readAt: orNone(instant('回读时间', 'Read at')),
  overrideUntil: orNone(instant('手动保持至', 'Held until')),
  overrideName: orNone(text('操作人', 'Operator', { max: 40 })),
  overrideReason: orNone(text('手动原因', 'Manual reason', { max: 200 })),
  cmdState: orNone(among('指令状态', 'Command status', CommandState)),
})
const added = {
  relayWanted: orNone(among('应有状态', 'Expected', Relay)),
  dimWanted: orNone(whole('应有亮度', 'Expected dim', { unit: 'percent', min: 0, max: 100 })),
  wantedBy: among('设定来源', 'Set by', Wanted),
  program: orNone(text('程序', 'Program', { max: 60 })),
  nextEventAt: orNone(instant('下次动作', 'Next event')),
  lossRate: orNone(whole('灭灯率', 'Lamp-out rate', { unit: 'permille' })),
  lampsLit: orNone(whole('亮灯数', 'Lamps lit', { min: 0 })),
  alarms: shaped('告警', 'Alarms', listOf(among('告警', 'Alarm', AlarmCode))),
  stale: yes('读数过期', 'Stale'),
  state: among('亮灯状态', 'Light status', LightState),
}
export const WiringStatus = entity(['回路', 'Circuit'], { ...WiringLine.properties, ...added })

export const wiringSearch = searchOf(
  WiringLine,
  {
    wiringCode: 'startsWith',
    name: 'contains',
    boxCode: 'equals',
    regionCode: 'within',
    mode: 'among',
    phase: 'among',
    relay: 'among',
    online: 'equals',
  },
  { sort: ['createdAt', 'wiringCode'] },
)

/** Which circuits are meant: by themselves, by their boxes, or by a region. */
export const WIRINGS_MAX = 2000
export const which = {
  wiringIds: listOf(id<'WiringId'>('回路', 'Circuit'), { max: WIRINGS_MAX }),
  boxCodes: listOf(boxCode, { max: 500 }),
  regionCode,
}
/** Why a circuit was left alone, or waits. */
export const Why = dictionary('lamp_skipped', ['未下发原因', 'Not sent because'], {
  tagged: [1, '挂牌维护，未下发', 'Tagged out: not sent', 'warning'],
  boxDisabled: [2, '配电箱停用，未下发', 'Box out of use: not sent', 'warning'],
  waits: [3, '配电箱离线，上线后下发', 'Box offline: sent when back online', 'warning'],
  next: [4, '等待上一指令完成', 'Waiting for the previous command'],
  noBox: [5, '未绑定集控器，未下发', 'No controller bound: not sent', 'error'],
})
export const Target = entity({
  wiringId: id<'WiringId'>('回路', 'Circuit'),
  wiringCode: Wiring.properties.wiringCode,
  commandId: orNone(id<'LampCommandId'>('指令', 'Command')),
  cmdState: orNone(among('指令状态', 'Command status', CommandState)),
  why: orNone(among('原因', 'Why', Why)),
  taggedName: Wiring.properties.taggedName,
})
export const Batch = message({ batchId: id<'LampBatchId'>('批次', 'Batch'), targets: listOf(Target) })
/** A command to more boxes is confirmed by typing their number. */
export const BOXES_UNASKED = 20

const view = { service: 'business', needs: 'street-lamp:circuit:view' } as const
const edit = { service: 'business', needs: 'street-lamp:circuit:edit', writes: true } as const
const data = ['name', 'circuitNo', 'phase', 'lampCount', 'ratedPowerW'] as const
const mayHave = ['cable', 'ratioCt', 'lossPermille', 'leakW', 'remark'] as const
const dim = whole('亮度', 'Dim level', { unit: 'percent', min: 0, max: 100 })
const reason = text('原因', 'Reason', { max: 200 })
/** The permission to take off a tag that another person has hung. */
export const UNTAG = 'street-lamp:circuit:untag'

/** A district's lamps in a few figures. */
export const wiringSummary = {
  litPermille: orNone(permille('亮灯率', 'Lit rate')),
  /** Boxes in use, and those of them that are on line; a box that is not takes all of its circuits with it. */
  boxes: whole('在用配电箱', 'Boxes in use', { min: 0 }),
  boxesOnline: whole('在线配电箱', 'Boxes online', { min: 0 }),
  onlinePermille: orNone(permille('配电箱在线率', 'Boxes online')),
  openAlarms: whole('未处理告警', 'Open alarms', { min: 0 }),
  lastNightWh: orNone(whole('昨夜用电', 'Energy last night', { unit: 'watt-hour', min: 0 })),
  savedRate: orNone(whole('节能率', 'Energy saved', { unit: 'permille' })),
  circuits: whole('回路', 'Circuits', { min: 0 }),
  lamps: whole('灯数', 'Lamps', { min: 0 }),
}
export const wiring = {
  add: call('street-lamp.wiring.add', {
    ...edit,
    post: '/streetLampWiring/addStreetLampWiring',
    does: ['新增回路', 'Added a circuit'],
    body: pickSome(Wiring, ['wiringCode', 'boxCode', ...data], mayHave),
    reply: Wiring,
  }),
  /** Its data and its mode, never its relay. */
  update: call('street-lamp.wiring.update', {
    ...edit,
    post: '/streetLampWiring/updateStreetLampWiring',
    does: ['修改回路', 'Changed a circuit'],
    body: pickSome(Wiring, ['id', 'version'], [...data, ...mayHave, 'mode', 'tagReason']),
    reply: nothing,
  }),
  /** Takes off a tag that another has hung, as the one who answers for the crew. */
  untag: call('street-lamp.wiring.untag', {
    service: 'business',
    needs: UNTAG,
    writes: true,
    own: true,
    post: '/streetLampWiring/untag',
    does: ['代为摘牌', 'Removed another’s tag'],
    body: message({ id: Wiring.properties.id, version: Wiring.properties.version, reason }),
    reply: nothing,
  }),
  delete: call('street-lamp.wiring.delete', {
    ...edit,
    post: '/streetLampWiring/deleteStreetLampWiring',
    does: ['删除回路', 'Deleted a circuit'],
    body: pick(Wiring, 'id', 'version'),
    reply: nothing,
  }),
  query: call('street-lamp.wiring.query', {
    ...view,
    post: '/streetLampWiring/queryStreetLampWiring',
    body: paged(wiringSearch),
    reply: pageOf(WiringStatus),
  }),
  status: call('street-lamp.wiring.query-status', {
    ...view,
    post: '/streetLampWiring/queryStreetLampWiringStatus',
    body: message({}, which),
    reply: listOf(WiringStatus),
  }),
  /** The one switch, of one circuit or of a whole district. It holds until `untilAt`, or until the next event of the program, this night at the latest. */
  batchUpdate: call('street-lamp.wiring.batch-update', {
    service: 'business',
    needs: 'street-lamp:circuit:switch',
    writes: true,
    post: '/streetLampWiring/batchUpdateStreetLampWiring',
    does: ['开关路灯', 'Switched street lamps'],
    body: message(
      {},
      {
        ...which,
        relay: among('分合', 'Switch', Relay),
        dim,
        untilAt: instant('保持至', 'Hold until'),
        reason,
        confirm: whole('确认箱数', 'Box count to confirm', { min: 1 }),
      },
    ),
    reply: Batch,
  }),
  summary: call('street-lamp.wiring.summary', {
    ...view,
    own: true,
    post: '/streetLampWiring/summary',
    body: message({}, { regionCode }),
    reply: message(wiringSummary),
  }),
}

export const Source = dictionary('lamp_source', ['指令来源', 'Source'], { hand: [1, '手动', 'Manual'], program: [2, '程序', 'Program'] })
export const Failure = dictionary('lamp_failure', ['未成功原因', 'Failure reason'], {
  unknown: [1, '设备不支持该指令', 'Command not supported by device'],
  badParameters: [2, '参数错误', 'Bad parameters'],
  busy: [3, '设备忙', 'Device busy'],
  failed: [4, '执行失败', 'Execution failed'],
  offline: [5, '设备离线', 'Device offline'],
  noAnswer: [6, '设备未应答', 'No answer from device'],
  cancelled: [7, '已取消', 'Cancelled'],
  readBack: [8, '应答后回读不符', 'Answered, but read back differs'],
  superseded: [9, '被后来的指令取代', 'Superseded by a later command'],
})
export const LampCommand = entity(['路灯指令', 'Lamp command'], {
  id: id<'LampCommandId'>(),
  batchId: id<'LampBatchId'>('批次', 'Batch'),
  wiringId: id<'WiringId'>('回路', 'Circuit'),
  wiringCode: Wiring.properties.wiringCode,
  boxCode,
  circuitNo: Wiring.properties.circuitNo,
  source: among('来源', 'Source', Source),
  relay: among('分合', 'Switch', Relay),
  dim,
  untilAt: orNone(instant('保持至', 'Hold until')),
  reason: orNone(reason),
  actorName: text('操作人', 'Operator', { max: 40 }),
  cmdState: among('指令状态', 'Command status', CommandState),
  failure: orNone(among('未成功原因', 'Failure reason', Failure)),
  createdAt: instant('创建时间', 'Created at'),
  sentAt: orNone(instant('下发时间', 'Sent at')),
  ackedAt: orNone(instant('应答时间', 'Answered at')),
  finishedAt: orNone(instant('完成时间', 'Finished at')),
  expiresAt: instant('有效至', 'Valid until'),
})
export const lampCommandSearch = searchOf(
  LampCommand,
  { wiringCode: 'startsWith', boxCode: 'equals', batchId: 'equals', wiringId: 'equals', cmdState: 'among', source: 'among', createdAt: 'between' },
  { sort: ['createdAt'] },
)
export const lampCommand = {
  query: call('street-lamp.command.query', {
    ...view,
    own: true,
    post: '/streetLampCommand/query',
    body: paged(lampCommandSearch),
    reply: pageOf(LampCommand),
  }),
}
