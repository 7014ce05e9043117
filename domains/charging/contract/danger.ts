import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  day,
  edge,
  dictionary,
  entity,
  id,
  images,
  instant,
  listOf,
  message,
  moves,
  orNone,
  permille,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Connector } from './connector.ts'
import { Handler } from './fault.ts'
import { Station } from './station.ts'
import { parkCode } from './units.ts'

export const DangerLevel = dictionary('charging_danger_level', ['隐患级别', 'Hazard level'], {
  low: [1, '低', 'Low'],
  common: [2, '一般', 'Moderate', 'warning'],
  high: [3, '较大', 'High', 'error'],
  grave: [4, '重大', 'Critical', 'error'],
})
/** From this level on its end needs a picture. */
export const PICTURE_FROM = DangerLevel.high
/** So many hours until it must be gone. */
export const DEADLINE_HOURS = { 1: 72, 2: 48, 3: 24, 4: 2 } as const
export const DangerKind = dictionary('charging_danger_kind', ['隐患类型', 'Hazard type'], {
  heat: [1, '过温', 'Overheating'],
  insulation: [2, '绝缘', 'Insulation'],
  leakage: [3, '漏电', 'Leakage'],
  emergency: [4, '急停', 'Emergency stop'],
  cable: [5, '枪线破损', 'Damaged cable'],
  fire: [6, '消防', 'Fire safety'],
  blocked: [7, '占位', 'Blocked bay'],
  offline: [8, '离线', 'Offline'],
  socket: [9, '枪座温升异常', 'Socket overheating'],
})
export const DangerSource = dictionary('charging_danger_source', ['隐患来源', 'Hazard source'], {
  telemetry: [1, '遥测', 'Telemetry'],
  inspection: [2, '巡检', 'Inspection'],
  person: [3, '人工', 'By hand'],
})
export const DangerState = dictionary('charging_danger_state', ['隐患状态', 'Hazard status'], {
  waiting: [0, '待整改', 'Open', 'warning'],
  working: [1, '整改中', 'Being fixed', 'warning'],
  review: [2, '待复查', 'To be reviewed', 'warning'],
  closed: [3, '已闭环', 'Closed', 'success'],
  overdue: [4, '逾期', 'Overdue', 'error'],
})
const { waiting, working, review, closed, overdue } = DangerState
/** A danger is open until it is closed. */
export const OPEN_DANGERS = [waiting, working, review, overdue]
export const dangerCan = moves(DangerState, {
  work: { [waiting]: working, [overdue]: working },
  submit: { [waiting]: review, [working]: review, [overdue]: review },
  close: { [review]: closed },
  giveBack: { [review]: working },
  lapse: { [waiting]: overdue, [working]: overdue },
})

/** Something at a station that may become an accident. */
export const Danger = entity(['充电隐患', 'Safety hazard'], {
  ...rowFields<'ChargingDangerId'>(),
  dangerNo: text('隐患编号', 'Hazard number', { max: 40 }),
  stationId: Station.properties.stationId,
  connectorId: orNone(Connector.properties.connectorId),
  parkCode,
  level: among('级别', 'Level', DangerLevel),
  kind: among('类型', 'Type', DangerKind),
  source: among('来源', 'Source', DangerSource),
  state: among('状态', 'Status', DangerState),
  foundAt: instant('发现时间', 'Found at'),
  deadline: instant('整改期限', 'Deadline'),
  /** Its deadline passed before it was closed; that stays with it. */
  late: yes('已过期限', 'Past its deadline'),
  description: orNone(account('描述', 'Description', { max: 500 })),
  handler: orNone(text('整改人', 'Assigned to', { max: 64 })),
  handlerId: orNone(id<'PersonId'>('整改人', 'Assigned to')),
  reviewer: orNone(text('复查人', 'Reviewer', { max: 64 })),
  note: orNone(account('整改说明', 'Note', { max: 500 })),
  images: orNone(images('整改照片', 'Pictures')),
  closedAt: orNone(instant('闭环时间', 'Closed at')),
})
export const dangerSearch = searchOf(
  Danger,
  {
    stationId: 'equals',
    level: 'among',
    kind: 'among',
    state: 'among',
    late: 'equals',
    foundAt: 'between',
    connectorId: 'equals',
    dangerNo: 'startsWith',
    parkCode: 'equals',
  },
  { sort: ['foundAt'] },
)

const n = (zh: string, en: string) => whole(zh, en, { min: 0 })
const count = n('数量', 'Count')
const ByLevel = entity({ level: Danger.properties.level, state: Danger.properties.state, count })
const ByKind = entity({ kind: Danger.properties.kind, count })
const ByDay = entity({ day: day('日期', 'Day'), found: n('新增', 'Found'), closed: n('闭环', 'Closed') })
export const DangerCounts = entity({
  total: n('隐患总数', 'Hazards'),
  open: n('未闭环', 'Open'),
  overdue: n('逾期未闭环', 'Open past the deadline'),
  closedLate: n('逾期后闭环', 'Closed past the deadline'),
  closedRate: orNone(permille('闭环率', 'Closure rate')),
})
const { stationId, foundAt } = Danger.properties
/** As the list takes it: figures and list are of the same moments. */
const filter = message({}, { stationId, foundAtFrom: edge(foundAt, 'first'), foundAtTo: edge(foundAt, 'last') })

const view = { service: 'charging', needs: 'charging:danger:view' } as const
const edit = { service: 'charging', needs: 'charging:danger:edit', writes: true, own: true } as const
const query = call('charging.danger.query', { ...view, post: '/hiddenDanger/queryHiddenDanger', body: paged(dangerSearch), reply: pageOf(Danger) })
export const danger = {
  query,
  detail: call('charging.danger.detail', {
    ...view,
    own: true,
    get: '/hiddenDanger/queryHiddenDangerDetail',
    query: message({ id: Danger.properties.id }),
    reply: Danger,
  }),
  /** Those who may put hazards right, and see the park of this one. */
  handlers: call('charging.danger.handlers', {
    ...view,
    own: true,
    get: '/hiddenDanger/handlers',
    query: message({ parkCode }),
    reply: listOf(Handler),
  }),
  export: exportOf('charging.danger.export', {
    ...view,
    post: '/hiddenDanger/queryHiddenDangerExport',
    title: ['充电隐患', 'Safety hazards'],
    query,
    columns: [
      'dangerNo',
      'stationId',
      'connectorId',
      'level',
      'kind',
      'source',
      'state',
      'foundAt',
      'deadline',
      'late',
      'closedAt',
      'handler',
      'reviewer',
      'description',
      'note',
    ],
  }),
  /** Grave ones stop new charges at the whole station, and whoever is on duty hears of them at once. */
  insert: call('charging.danger.insert', {
    ...edit,
    post: '/hiddenDanger/insert',
    does: ['登记充电隐患', 'Recorded a safety hazard'],
    body: pickSome(Danger, ['stationId', 'level', 'kind'], ['connectorId', 'description']),
    reply: Danger,
  }),
  /** Whoever puts it right says how, and does not review it; a grave one needs a picture. One that is not in review is given to somebody by its own state. */
  update: call('charging.danger.update', {
    ...edit,
    post: '/hiddenDanger/update',
    does: ['处理充电隐患', 'Handled a safety hazard'],
    body: message(
      { id: Danger.properties.id, version: Danger.properties.version, state: Danger.properties.state },
      { note: account('整改说明', 'Note', { max: 500 }), images: images('整改照片', 'Pictures'), handlerId: id<'PersonId'>('整改人', 'Handler') },
    ),
    reply: Danger,
  }),
  hiddenDangerCount: call('charging.danger.hidden-danger-count', {
    ...view,
    get: '/hiddenDanger/hiddenDangerCount',
    query: filter,
    reply: message({
      rows: shaped('按级别和状态', 'By level and status', listOf(ByLevel)),
      byKind: shaped('按类型', 'By type', listOf(ByKind)),
      byDay: shaped('按日', 'By day', listOf(ByDay)),
    }),
  }),
  hiddenDangerCnt: call('charging.danger.hidden-danger-cnt', {
    ...view,
    get: '/hiddenDanger/hiddenDangerCnt',
    query: filter,
    reply: DangerCounts,
  }),
}
