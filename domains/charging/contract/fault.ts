import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  moves,
  orNone,
  pickSome,
  rowFields,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Connector } from './connector.ts'
import { Station } from './station.ts'
import { parkCode } from './units.ts'

export const FaultSource = dictionary('charging_fault_source', ['故障来源', 'Source of a fault'], {
  device: [1, '设备上报', 'Reported by pile'],
  driver: [2, '用户报修', 'Reported by driver'],
  inspection: [3, '巡检', 'Found on inspection'],
  platform: [4, '平台判定', 'Detected by platform'],
})
export const FaultLevel = dictionary('charging_fault_level', ['故障级别', 'Fault level'], {
  common: [1, '一般', 'Minor'],
  heavier: [2, '较重', 'Major', 'warning'],
  severe: [3, '严重', 'Severe', 'error'],
  urgent: [4, '紧急', 'Urgent', 'error'],
})
/** From this level on no charge starts at the connector. */
export const BLOCKS_FROM = FaultLevel.severe
export const FaultState = dictionary('charging_fault_state', ['故障状态', 'Fault status'], {
  waiting: [0, '待处理', 'Waiting', 'warning'],
  dispatched: [1, '已派单', 'Dispatched', 'warning'],
  working: [2, '处理中', 'In progress', 'warning'],
  recovered: [3, '已恢复', 'Recovered', 'success'],
  closed: [4, '已关闭', 'Closed'],
  mistaken: [5, '误报', 'False alarm'],
})
const { waiting, dispatched, working, recovered, closed, mistaken } = FaultState
const fromOpen = <S extends number>(to: S) => ({ [waiting]: to, [dispatched]: to, [working]: to }) as const
export const faultCan = moves(FaultState, {
  dispatch: { [waiting]: dispatched },
  work: { [waiting]: working, [dispatched]: working },
  recover: fromOpen(recovered),
  close: { [recovered]: closed },
  dismiss: fromOpen(mistaken),
})

/** Somebody who may be made responsible. */
export const Handler = entity({ id: id<'PersonId'>('处理人', 'Handler'), name: text('姓名', 'Name', { max: 64 }) })
/** Something at a connector that does not work. */
export const Fault = entity(['充电故障', 'Charging fault'], {
  ...rowFields<'ChargingFaultId'>(),
  faultNo: text('故障编号', 'Fault number', { max: 40 }),
  connectorId: Connector.properties.connectorId,
  stationId: Station.properties.stationId,
  parkCode,
  code: text('故障码', 'Code', { max: 50 }),
  level: among('级别', 'Level', FaultLevel),
  source: among('来源', 'Source', FaultSource),
  state: among('状态', 'Status', FaultState),
  description: orNone(account('描述', 'Description', { max: 500 })),
  times: whole('次数', 'Occurrences', { min: 1 }),
  startAt: instant('发生时间', 'Since'),
  endAt: orNone(instant('恢复时间', 'Until')),
  handler: orNone(text('处理人', 'Handler', { max: 64 })),
  handlerId: orNone(id<'PersonId'>('处理人', 'Handler')),
  note: orNone(account('处理说明', 'Note', { max: 500 })),
})
export const faultSearch = searchOf(
  Fault,
  {
    stationId: 'equals',
    connectorId: 'equals',
    level: 'among',
    state: 'among',
    source: 'among',
    code: 'equals',
    faultNo: 'startsWith',
    parkCode: 'equals',
    startAt: 'between',
  },
  { sort: ['startAt'] },
)

const view = { service: 'charging', needs: 'charging:fault:view' } as const
const edit = { service: 'charging', needs: 'charging:fault:edit', writes: true } as const
const query = call('charging.fault.query', { ...view, post: '/fault/queryFault', body: paged(faultSearch), reply: pageOf(Fault) })
export const fault = {
  query,
  detail: call('charging.fault.detail', {
    ...view,
    own: true,
    get: '/fault/queryFaultDetail',
    query: message({ id: Fault.properties.id }),
    reply: Fault,
  }),
  /** Those who may handle faults, and see the park of this one. */
  handlers: call('charging.fault.handlers', { ...view, own: true, get: '/fault/handlers', query: message({ parkCode }), reply: listOf(Handler) }),
  /** Told of again within ten minutes, the same code at the same connector is the same fault. */
  insert: call('charging.fault.insert', {
    ...edit,
    post: '/fault/insertFault',
    does: ['上报充电故障', 'Reported a charging fault'],
    body: pickSome(Fault, ['connectorId', 'code', 'level', 'source'], ['description']),
    reply: Fault,
  }),
  update: call('charging.fault.update', {
    ...edit,
    post: '/fault/updateFault',
    does: ['处理充电故障', 'Handled a charging fault'],
    body: message(
      { id: Fault.properties.id, version: Fault.properties.version, state: Fault.properties.state },
      { level: Fault.properties.level, handlerId: id<'PersonId'>('处理人', 'Handler'), note: account('处理说明', 'Note', { max: 500 }) },
    ),
    reply: Fault,
  }),
  export: exportOf('charging.fault.export', {
    ...view,
    get: '/fault/queryFaultExport',
    title: ['充电故障', 'Charging faults'],
    query,
    columns: [
      'faultNo',
      'stationId',
      'connectorId',
      'code',
      'level',
      'source',
      'state',
      'times',
      'startAt',
      'endAt',
      'handler',
      'description',
      'note',
    ],
  }),
}

/** What piles of OCPP call what is wrong with them, in the words of whoever repairs them. */
const NAMES: Record<string, readonly [string, string]> = {
  ConnectorLockFailure: ['枪锁故障', 'Connector lock fault'],
  EVCommunicationError: ['与车辆通信异常', 'No communication with the car'],
  GroundFailure: ['漏电或接地故障', 'Leakage or ground fault'],
  HighTemperature: ['温度过高', 'Over-temperature'],
  InternalError: ['内部故障', 'Internal fault'],
  OverCurrentFailure: ['过流', 'Overcurrent'],
  OverVoltage: ['过压', 'Overvoltage'],
  UnderVoltage: ['欠压', 'Undervoltage'],
  PowerMeterFailure: ['电表故障', 'Meter fault'],
  PowerSwitchFailure: ['接触器故障', 'Contactor fault'],
  ReaderFailure: ['读卡器故障', 'Card reader fault'],
  ResetFailure: ['重启失败', 'Restart failed'],
  ScreenDark: ['屏幕不亮', 'Screen is dark'],
  WeakSignal: ['信号弱', 'Weak signal'],
  OtherError: ['其他故障', 'Other fault'],
  Faulted: ['故障', 'Faulty'],
  Offline: ['离线', 'Offline'],
}
/** A code that nobody has named is its own name. */
export const faultName = (code: string): readonly [string, string] => NAMES[code] ?? [code, code]
