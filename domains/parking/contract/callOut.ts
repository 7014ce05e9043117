import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  edge,
  entity,
  exact,
  instant,
  message,
  only,
  orNone,
  personal,
  ref,
  rowFields,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { Gate } from './gate.ts'
import { Park } from './park.ts'
import type { StayId } from './stay.ts'

export const CallResult = dictionary('call_result', ['呼叫处理结果', 'Call result'], {
  opened: [1, '远程开闸', 'Barrier opened', 'success'],
  plateCorrected: [2, '修正车牌', 'Plate corrected', 'success'],
  entered: [3, '补录', 'Entry added', 'success'],
  passedOn: [4, '转人工', 'Passed on to staff', 'warning'],
  unanswered: [5, '无人接听', 'Not answered', 'error'],
})
export const CallSource = dictionary('call_source', ['呼叫来源', 'Source of a call'], {
  centre: [1, '呼叫中心', 'Call centre'],
  byHand: [2, '手工登记', 'Recorded by hand'],
})
/** A call is to be answered within this. */
export const ANSWER_TARGET_S = 20
/** A call that rings longer counts as not answered. */
export const RING_MAX_S = 60

/** Somebody at a lane called for help. */
export const CallOut = entity(['呼叫记录', 'Call'], {
  ...rowFields<'CallOutId'>(),
  callId: text('呼叫编号', 'Call number', { max: 64, pattern: '^[\\w.:-]+$' }),
  parkCode: Park.properties.parkCode,
  gateCode: Gate.properties.gateCode,
  source: among('来源', 'Source', CallSource),
  caller: orNone(personal('phone', text('主叫号码', 'Caller', { max: 32 }))),
  startAt: instant('呼叫时间', 'Called at'),
  answerAt: orNone(instant('接听时间', 'Answered at')),
  endAt: orNone(instant('结束时间', 'Ended at')),
  waitSec: orNone(whole('等待', 'Waited', { unit: 'second' })),
  agent: orNone(text('坐席', 'Agent', { max: 64 })),
  result: orNone(among('处理结果', 'Result', CallResult)),
  stayId: orNone(ref<StayId>('停车记录', 'Stay')),
  recordUrl: orNone(text('录音', 'Recording', { max: 500, pattern: '^https://' })),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const callOutSearch = searchOf(
  CallOut,
  { gateCode: 'equals', parkCode: 'equals', agent: 'equals', result: 'among', source: 'equals', startAt: 'between' },
  { sort: ['startAt'] },
)
/** How calls were answered; `answeredIn` within ANSWER_TARGET_S, of all calls of the call centre. */
export const CallFigures = entity({
  calls: whole('来电', 'Calls'),
  answered: whole('已接听', 'Answered'),
  answeredIn: whole('20 秒内接听', 'Answered within 20 s'),
})

const { callId, gateCode, startAt, remark } = CallOut.properties
const view = { service: 'device', needs: 'parking:call-out:view' } as const
/** Events that the call centre reports of a call, in any order and more than once. */
export const CALL_EVENTS = ['ring', 'answer', 'hangup', 'recording'] as const
export type CallEvent = (typeof CALL_EVENTS)[number]

export const callOut = {
  search: call('parking.call-center.search', { ...view, post: '/callCenter/search', body: paged(callOutSearch), reply: pageOf(CallOut) }),
  /** Records how a call was handled; without a known `callId` it is a call taken by other means. */
  insert: call('parking.call-center.insert', {
    service: 'device',
    needs: 'parking:call-out:edit',
    writes: true,
    does: ['登记呼叫', 'Recorded a call'],
    post: '/callCenter/insert',
    body: message({ gateCode, result: among('处理结果', 'Result', CallResult) }, { callId, stayId: ref<StayId>('停车记录', 'Stay'), remark }),
    reply: CallOut,
  }),
  figures: call('parking.call-center.figures', {
    ...view,
    own: true,
    post: '/callCenter/figures',
    body: message({}, { gateCode, parkCode: CallOut.properties.parkCode, startAtFrom: edge(startAt, 'first'), startAtTo: edge(startAt, 'last') }),
    reply: CallFigures,
  }),
  /**
   * The call centre tells of a call, signed: HMAC-SHA256 over all other fields, sorted by name, as `name=value` joined by `&`, not older than five minutes.
   * Events come in any order and may repeat.
   */
  notice: call('parking.call-center.notice', {
    service: 'device',
    own: true,
    needs: 'public',
    writes: true,
    does: ['呼叫中心通知', 'Received a call centre notification'],
    post: '/callCenter/notice',
    body: exact(
      message(
        {
          centre: text('呼叫中心', 'Call centre', { max: 40, pattern: '^kerbline-\\d{1,9}$' }),
          callId,
          event: only<string, CallEvent>(text('事件', 'Event', { max: 16 }), CALL_EVENTS),
          gateCode,
          at: text('时间', 'Time', { max: 30 }),
          timestamp: whole('时间戳', 'Timestamp', { unit: 'second', min: 0 }),
          nonce: text('随机串', 'Nonce', { min: 16, max: 64 }),
          sign: text('签名', 'Signature', { min: 64, max: 64 }),
        },
        {
          caller: text('主叫号码', 'Caller', { max: 32 }),
          agent: text('坐席', 'Agent', { max: 64 }),
          recordUrl: text('录音', 'Recording', { max: 500, pattern: '^https://' }),
        },
      ),
    ),
    reply: text('答复', 'Answer'),
  }),
}
