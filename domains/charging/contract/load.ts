import { call, PAGE, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  orNone,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Connector } from './connector.ts'
import { Equipment, PileState } from './pile.ts'
import { ChargeOrder } from './session.ts'
import { Station } from './station.ts'
import { parkCode } from './units.ts'

export const LoadMode = dictionary('charging_load_mode', ['分配方式', 'How the load is shared'], {
  equal: [1, '均分', 'Equally'],
  arrival: [2, '先到先得', 'By arrival'],
  priority: [3, '按优先级', 'By priority'],
})
/** Why a gun has what it has. */
export const LoadWhy = dictionary('charging_load_why', ['分配原因', 'Reason for the share'], {
  equal: [1, '均分', 'Equal share', 'success'],
  arrival: [2, '按到达先后', 'By arrival', 'success'],
  priority: [3, '按优先级', 'By priority', 'success'],
  full: [4, '已给足额定功率', 'Full rated power', 'success'],
  waits: [5, '等待：剩余不足以充电', 'Waiting: not enough power left', 'warning'],
  reserve: [6, '未充电，为来车预留', 'Idle: reserved for an arriving car'],
  silent: [7, '桩离线或未应答，按最后确认计', 'Offline or no answer: counted as last agreed', 'warning'],
  unmanaged: [8, '不接受限功率，按额定计', 'Does not take a limit: counted at rated power', 'error'],
  ignores: [9, '实测超出配额，按额定计', 'Exceeded its share: counted at rated power', 'error'],
  unlimited: [10, '未设上限', 'No limit set'],
})
export const LoadEvent = dictionary('charging_load_event', ['变化', 'Change'], {
  saved: [1, '修改设置', 'Settings saved'],
  asked: [2, '下发', 'Sent'],
  agreed: [3, '桩已确认', 'Agreed', 'success'],
  refused: [4, '桩拒绝', 'Refused', 'error'],
  unanswered: [5, '桩未应答', 'Not answered', 'warning'],
  over: [6, '充电结束，回到预留', 'Session ended: back to the reserve'],
  ignored: [7, '实测超出配额', 'Exceeded its share', 'error'],
  lifted: [8, '解除限制', 'Limit lifted'],
})

const watts = (zh: string, en: string) => whole(zh, en, { unit: 'watt', min: 0 })
const { stationId } = Station.properties
const limitW = whole('功率上限', 'Power limit', { unit: 'watt', min: 1_000, max: 20_000_000 })
/** How a station's limit is shared. Without a limit its guns take what their plates say. */
export const Load = entity(['充电负荷', 'Load of a station'], {
  ...rowFields<'ChargingLoadId'>(),
  stationId,
  parkCode,
  limitW: orNone(limitW),
  mode: among('分配方式', 'Sharing', LoadMode),
  /** What a gun may have before it is told otherwise, and when it hears nothing from us. */
  fallbackW: whole('来车预留功率', 'Reserve per arriving car', { unit: 'watt', min: 0, max: 2_000_000 }),
  /** Models that were seen to pause at nought and to go on afterwards; others are kept at the least they charge with. */
  zeroModels: shaped('可暂停到 0 的型号', 'Models that may pause at zero', listOf(text('型号', 'Model', { max: 50 }), { max: 50 })),
})
export const loadSearch = searchOf(Load, { stationId: 'equals', parkCode: 'equals' }, { sort: ['createdAt'] })

/** What one gun has of it, and why. */
export const LoadGun = entity({
  connectorId: Connector.properties.connectorId,
  connectorName: Connector.properties.connectorName,
  equipmentId: Equipment.properties.equipmentId,
  online: PileState.properties.online,
  orderNo: orNone(ChargeOrder.properties.orderNo),
  plateNo: ChargeOrder.properties.plateNo,
  since: orNone(instant('开始充电', 'Charging since')),
  loadPriority: Equipment.properties.loadPriority,
  ratedW: watts('额定功率', 'Rated'),
  leastW: watts('最小充电功率', 'Minimum charging power'),
  powerW: orNone(whole('当前功率', 'Power now', { unit: 'watt' })),
  /** What the pile agreed to; none where it never did. */
  shareW: orNone(watts('已确认配额', 'Agreed share')),
  /** What it is being asked, or was asked without an answer. */
  askedW: orNone(watts('下发中', 'Being sent')),
  wantW: watts('应得配额', 'Due share'),
  /** What counts against the limit: the most it may draw. */
  heldW: watts('计入上限', 'Counted'),
  why: among('原因', 'Reason', LoadWhy),
})
export const StationLoad = entity({
  stationId,
  stationName: Station.properties.stationName,
  parkCode,
  version: orNone(whole('版本', 'Version')),
  limitW: orNone(limitW),
  mode: Load.properties.mode,
  fallbackW: Load.properties.fallbackW,
  zeroModels: Load.properties.zeroModels,
  /** Of what all guns may draw. It lies under the limit, but while a lower one is taking effect. */
  heldW: watts('计入上限合计', 'Total counted'),
  powerW: watts('当前总功率', 'Total power now'),
  leastLimitW: watts('可设最低上限', 'Lowest possible limit'),
  settled: yes('已全部生效', 'Fully in effect'),
  guns: shaped('充电枪', 'Connectors', listOf(LoadGun)),
})
export const LoadChange = entity(['负荷变化', 'Load change'], {
  id: id<'LoadChangeId'>(),
  at: instant('时间', 'Time'),
  stationId,
  parkCode,
  connectorId: orNone(Connector.properties.connectorId),
  orderNo: orNone(ChargeOrder.properties.orderNo),
  event: among('变化', 'Change', LoadEvent),
  fromW: orNone(watts('原', 'From')),
  toW: orNone(watts('新', 'To')),
  why: orNone(among('原因', 'Reason', LoadWhy)),
  heldW: watts('计入合计', 'Total counted'),
  limitW: orNone(watts('上限', 'Limit')),
  byName: text('操作人', 'By', { max: 64 }),
})
export const loadChangeSearch = searchOf(
  LoadChange,
  { stationId: 'equals', connectorId: 'equals', orderNo: 'equals', event: 'among', parkCode: 'equals', at: 'between' },
  { sort: ['at'] },
)

const view = { service: 'charging', needs: 'charging:load:view', own: true } as const
const { mode, fallbackW, zeroModels } = Load.properties
const history = call('charging.load.history', { ...view, post: '/load/history', body: paged(loadChangeSearch), reply: pageOf(LoadChange) })
const queryPage = call('charging.load.query-page', {
  ...view,
  post: '/load/queryPage',
  body: message({}, { stationId, ...PAGE }),
  reply: pageOf(LoadGun),
})
export const load = {
  /** The guns of `query` as rows. */
  queryPage,
  export: exportOf('charging.load.export', {
    ...view,
    post: '/load/export',
    title: ['充电负荷', 'Load of a station'],
    query: queryPage,
    columns: [
      'equipmentId',
      'connectorId',
      'connectorName',
      'online',
      'plateNo',
      'orderNo',
      'since',
      'ratedW',
      'leastW',
      'powerW',
      'shareW',
      'askedW',
      'wantW',
      'heldW',
      'why',
      'loadPriority',
    ],
  }),
  exportHistory: exportOf('charging.load.export-history', {
    ...view,
    post: '/load/exportHistory',
    title: ['负荷变化', 'Load changes'],
    query: history,
    columns: ['at', 'stationId', 'connectorId', 'orderNo', 'event', 'fromW', 'toW', 'why', 'heldW', 'limitW', 'byName'],
  }),
  query: call('charging.load.query', { ...view, post: '/load/query', body: message({}, { stationId, ...PAGE }), reply: pageOf(StationLoad) }),
  /** Without a limit it is lifted. */
  save: call('charging.load.save', {
    service: 'charging',
    needs: 'charging:load:edit',
    own: true,
    writes: true,
    does: ['设置充电负荷', 'Set the load of a station'],
    post: '/load/save',
    body: message({ stationId, mode, fallbackW }, { version: Load.properties.version, limitW: orNone(limitW), zeroModels }),
    reply: Load,
  }),
  history,
}
