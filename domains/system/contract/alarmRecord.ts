import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, id, instant, message, moves, orNone, pick, text, whole, yes } from '../../../platform/contract/field.ts'
import { AlarmLevel, AlarmOp, AlarmRule } from './alarmRule.ts'
import { Metric, Server } from './performance.ts'

export const AlarmState = dictionary('alarm_state', ['告警状态', 'Alarm status'], {
  raised: [0, '告警中', 'Raised', 'error'],
  recovered: [1, '已恢复', 'Recovered', 'success'],
  acknowledged: [2, '已确认', 'Acknowledged', 'warning'],
})
export const alarmCan = moves(AlarmState, { acknowledge: { 0: 2 }, recover: { 0: 1, 2: 1 } })
/** Why it is over. */
export const AlarmEnding = dictionary('alarm_ending', ['结束原因', 'End reason'], {
  recovered: [1, '数值恢复', 'Back to normal'],
  ruleChanged: [2, '规则停用或修改', 'Rule changed or disabled'],
  ruleDeleted: [3, '规则删除', 'Rule deleted'],
})

/** An alarm of one rule on one server, with the rule as it was when it was raised. Values are kept as measured; METRICS says how to show them. */
export const AlarmRecord = entity(['告警记录', 'Alarm record'], {
  id: id<'AlarmRecordId'>(),
  ruleId: AlarmRule.properties.id,
  ruleName: AlarmRule.properties.name,
  serverId: id<'ServerId'>('服务器编号', 'Server (id)'),
  serverName: Server.properties.name,
  metric: among('指标', 'Metric', Metric),
  op: among('比较', 'Comparison', AlarmOp),
  threshold: AlarmRule.properties.threshold,
  level: among('级别', 'Level', AlarmLevel),
  state: among('状态', 'Status', AlarmState),
  value: whole('触发值', 'Value when raised', { max: Number.MAX_SAFE_INTEGER }),
  mostValue: whole('最严重值', 'Worst value', { max: Number.MAX_SAFE_INTEGER }),
  lastValue: whole('最新值', 'Latest value', { max: Number.MAX_SAFE_INTEGER }),
  since: instant('开始时间', 'Since'),
  raisedAt: instant('告警时间', 'Raised at'),
  seenAt: instant('最近判断', 'Last checked at'),
  told: yes('已通知', 'Notified'),
  acknowledgedAt: orNone(instant('确认时间', 'Acknowledged at')),
  acknowledgedBy: orNone(text('确认人', 'Acknowledged by')),
  note: orNone(text('处理说明', 'Note', { max: 300 })),
  recoveredAt: orNone(instant('恢复时间', 'Recovered at')),
  ending: orNone(among('结束原因', 'End reason', AlarmEnding)),
  version: whole('版本', 'Version'),
})
export const alarmRecordSearch = searchOf(
  AlarmRecord,
  {
    state: 'among',
    level: 'among',
    metric: 'among',
    serverName: 'contains',
    ruleName: 'contains',
    ruleId: 'equals',
    serverId: 'equals',
    raisedAt: 'between',
  },
  { sort: ['raisedAt'] },
)

const view = { service: 'business', needs: 'system:alarm-record:view' } as const
export const alarmRecord = {
  pageQuery: call('system.alarm-record.page-query', {
    ...view,
    post: '/serverAlarmRecord/pageQuery',
    body: paged(alarmRecordSearch),
    reply: pageOf(AlarmRecord),
  }),
  getInfo: call('system.alarm-record.get-info', {
    ...view,
    get: '/serverAlarmRecord/getInfo',
    own: true,
    query: pick(AlarmRecord, 'id'),
    reply: AlarmRecord,
  }),
  /** Somebody has seen it and looks after it. */
  acknowledge: call('system.alarm-record.acknowledge', {
    service: 'business',
    post: '/serverAlarmRecord/acknowledge',
    own: true,
    needs: 'system:alarm-record:acknowledge',
    writes: true,
    does: ['确认告警', 'Acknowledged an alarm'],
    body: message({ id: AlarmRecord.properties.id, version: AlarmRecord.properties.version }, { note: text('处理说明', 'Note', { max: 300 }) }),
    reply: AlarmRecord,
  }),
}
