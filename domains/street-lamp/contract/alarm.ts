import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, id, instant, moves, nothing, orNone, pickSome, rowFields, text, whole } from '../../../platform/contract/field.ts'
import { boxCode, measure } from './box.ts'

/** Named as in TALQ. */
export const AlarmCode = dictionary('lamp_alarm', ['路灯告警', 'Lamp alarm'], {
  lampFailure: [1, '灭灯', 'Lamp out', 'warning'],
  dimmingFailure: [2, '调光失败', 'Dimming failure', 'warning'],
  lampUnexpectedOn: [3, '白天亮灯', 'Lit when it should be off', 'warning'],
  supplyLoss: [4, '断电', 'Supply loss', 'error'],
  circuitBreakerTripped: [5, '断路器跳闸', 'Circuit breaker tripped', 'error'],
  leakageDetected: [6, '漏电', 'Leakage detected', 'error'],
  cabinetDoorOpen: [7, '箱门打开', 'Cabinet door open', 'warning'],
  relayFailure: [8, '接触器故障', 'Relay failure', 'error'],
  currentTooHigh: [9, '电流过高', 'Current too high', 'error'],
  currentTooLow: [10, '电流过低', 'Current too low', 'warning'],
  voltageTooHigh: [11, '电压过高', 'Voltage too high', 'error'],
  voltageTooLow: [12, '电压过低', 'Voltage too low', 'warning'],
  powerTooHigh: [13, '功率过高', 'Power too high', 'warning'],
  powerTooLow: [14, '功率过低', 'Power too low', 'warning'],
  communicationFailure: [15, '通信中断', 'Communication failure', 'error'],
  powerFactorTooLow: [16, '功率因数过低', 'Power factor too low', 'default'],
  poleTilted: [17, '灯杆倾斜', 'Pole tilted', 'error'],
})
export const AlarmLevel = dictionary('lamp_alarm_level', ['告警级别', 'Alarm level'], {
  notice: [1, '提示', 'Notice'],
  minor: [2, '一般', 'Minor', 'warning'],
  major: [3, '重要', 'Major', 'error'],
  critical: [4, '紧急', 'Critical', 'error'],
})
export const AlarmState = dictionary('lamp_alarm_state', ['告警状态', 'Alarm status'], {
  raised: [0, '告警中', 'Raised', 'error'],
  acknowledged: [1, '已确认', 'Acknowledged', 'warning'],
  recovered: [2, '已恢复', 'Recovered', 'success'],
  dispatched: [3, '已派单', 'Dispatched', 'warning'],
})
/** Only what is measured recovers; a person acknowledges or hands on. */
export const alarmCan = moves(AlarmState, { acknowledge: { 0: 1 }, dispatch: { 0: 3, 1: 3 } })

export const LampAlarm = entity(['路灯告警', 'Lamp alarm'], {
  ...rowFields<'LampAlarmId'>(),
  boxCode,
  wiringId: orNone(id<'WiringId'>('回路', 'Circuit')),
  wiringCode: orNone(text('回路编号', 'Circuit code', { max: 32 })),
  code: among('告警', 'Alarm', AlarmCode),
  level: among('级别', 'Level', AlarmLevel),
  state: among('状态', 'Status', AlarmState),
  value: orNone(measure('数值', 'Value')),
  count: whole('次数', 'Count', { min: 1 }),
  firstAt: instant('首次', 'First at'),
  lastAt: instant('最近', 'Last at'),
  recoveredAt: orNone(instant('恢复时间', 'Recovered at')),
  handledName: orNone(text('处理人', 'Handler', { max: 40 })),
  workOrderNo: orNone(text('工单号', 'Work order', { max: 40 })),
  remark: orNone(text('说明', 'Note', { max: 200 })),
})
export const alarmSearch = searchOf(
  LampAlarm,
  { boxCode: 'equals', wiringCode: 'startsWith', code: 'among', level: 'among', state: 'among', lastAt: 'between' },
  { sort: ['lastAt'] },
)
export const alarm = {
  query: call('street-lamp.alarm.query', {
    service: 'business',
    needs: 'street-lamp:circuit:view',
    own: true,
    post: '/streetLampAlarm/query',
    body: paged(alarmSearch),
    reply: pageOf(LampAlarm),
  }),
  handle: call('street-lamp.alarm.handle', {
    service: 'business',
    needs: 'street-lamp:alarm:handle',
    own: true,
    writes: true,
    post: '/streetLampAlarm/handle',
    does: ['处理路灯告警', 'Handled a lamp alarm'],
    body: pickSome(LampAlarm, ['id', 'version', 'state'], ['workOrderNo', 'remark']),
    reply: nothing,
  }),
}
