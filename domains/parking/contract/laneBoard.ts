import { call } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pictures,
  plate,
  ref,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { CommandState } from '../../device/contract/command.ts'
import { Direction, FeeChoice, Gate, OpenReason } from './gate.ts'
import { Occupancy, Park } from './park.ts'
import { PassDay } from './passTime.ts'
import { CarKind, CheckTried, Decision, type DecisionId, LaneOutcome, Stay, type StayId } from './stay.ts'

export const LaneState = dictionary('lane_state', ['通道状态', 'Lane status'], {
  free: [1, '空闲', 'Free'],
  asking: [2, '待人工', 'Waiting for staff', 'error'],
  toPay: [3, '待缴费', 'To be paid', 'warning'],
  opening: [4, '开闸中', 'Opening', 'success'],
  refused: [5, '已拒绝', 'Refused', 'error'],
  calling: [6, '呼叫中', 'Calling for help', 'error'],
})
/** How far the newest command to a lane's barrier has come. */
export const LaneCommand = entity({
  id: text('指令', 'Command', { max: 64 }),
  method: text('动作', 'Method', { max: 32 }),
  state: among('状态', 'Status', CommandState),
  at: instant('时间', 'Time'),
  /** The device's answer to a command that failed. */
  said: orNone(text('设备应答', 'Device answer', { max: 200 })),
})
/** Answers that a person may give to a lane that asks. */
export const LaneAnswer = dictionary('lane_answer', ['人工处理', 'Answer'], {
  pass: [1, '放行', 'Let pass'],
  refuse: [2, '拒绝', 'Refuse'],
  match: [3, '匹配为', 'Match to a stay'],
  enteredAt: [4, '输入入场时间', 'Set the entry time'],
  plate: [5, '修正车牌', 'Correct plate'],
  ruleNow: [6, '按现行规则计费', 'Bill by the rule in force'],
})

/** A stay that the car at an exit may belong to, nearest first. */
export const Candidate = entity({
  stayId: ref<StayId>('停车记录', 'Stay'),
  plateNo: plate(),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  entryTime: orNone(instant('入场时间', 'Entered at')),
  entryImage: orNone(pictures('入场图片', 'Entry picture')),
  /** Halves of a character: 1 = one confusable character. */
  halves: whole('差异', 'Difference'),
})
/** One lane as it is now. */
export const Lane = entity({
  gateCode: Gate.properties.gateCode,
  parkCode: Park.properties.parkCode,
  name: Gate.properties.name,
  direction: Gate.properties.direction,
  /** Which way the car goes that stands here: a gate may be for both. */
  heading: orNone(among('车辆方向', 'Car heading', Direction)),
  status: Gate.properties.status,
  lockedBy: Gate.properties.lockedBy,
  online: yes('在线', 'Online'),
  /** The barrier stands open with all others of the park. */
  openAll: yes('应急常开', 'Emergency open'),
  /** A person keeps this barrier open. */
  keptOpenUntil: orNone(instant('常开至', 'Kept open until')),
  /** The barrier's last report: opened, closed, blocked. */
  gateState: orNone(text('道闸状态', 'Barrier status', { max: 16 })),
  state: among('通道状态', 'Lane status', LaneState),
  since: orNone(instant('自', 'Since')),
  stayId: orNone(ref<StayId>('停车记录', 'Stay')),
  decisionId: orNone(ref<DecisionId>('决定', 'Decision')),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  image: orNone(pictures('图片', 'Picture')),
  carKind: orNone(among('车辆类型', 'Car type', CarKind)),
  /** The stay of the car at the lane: since when it is inside, and the order that waits to be paid. */
  entryTime: orNone(instant('入场时间', 'Entered at')),
  /** A time that a person entered may be entered again. */
  entryMode: Stay.properties.entryMode,
  orderId: orNone(ref<'OrderId'>('订单', 'Order')),
  /** Of the car's stay: its fee may be being checked. */
  payState: orNone(Stay.properties.payState),
  /** The amount that the car at an exit still has to pay. */
  dueFen: fen('待缴', 'To pay'),
  outcome: orNone(among('决定', 'Decision', LaneOutcome)),
  checks: shaped('检查过程', 'Checks', listOf(CheckTried)),
  /** The newest command to the barrier that was made for this car or by hand; none when the last car is long gone. */
  command: orNone(shaped('指令', 'Command', LaneCommand)),
  /** While it asks: the stays that the car may belong to. */
  candidates: shaped('候选', 'Candidates', listOf(Candidate)),
})
export type LaneRow = (typeof Lane)['~unsafe']
/** The passage of one car by its newest decision, and what has become of its stay since. */
export const Passage = entity({
  ...Decision.properties,
  status: orNone(Stay.properties.status),
  payState: orNone(Stay.properties.payState),
})
export type PassageRow = (typeof Passage)['~unsafe']
export const Board = entity({
  parkCode: Park.properties.parkCode,
  name: Park.properties.name,
  ...Occupancy.properties,
  totalBays: Park.properties.totalBays,
  openAllFrom: Park.properties.openAllFrom,
  openAllBy: Park.properties.openAllBy,
  lanes: shaped('通道', 'Lanes', listOf(Lane)),
  /** How long cars that paid at an exit took to pass, today: none has. */
  passToday: orNone(shaped('今日缴费到放行时长', 'Payment-to-exit time today', PassDay)),
  /** The newest passages of the park, newest first: a car that was decided about again stands there once. */
  recent: shaped('最近', 'Recent passages', listOf(Passage)),
})

export const laneBoard = {
  state: call('parking.lane-board.state', {
    service: 'device',
    get: '/laneBoard/state',
    own: true,
    needs: 'parking:board:view',
    query: message({ parkCode: Park.properties.parkCode }),
    reply: Board,
  }),
  /**
   * Answers a lane that asks. `decisionId` names the question, so that an answer never reaches the next car.
   * 1 let pass (at an exit with a reason, and `fee` says what becomes of it, unless it is known to be nothing), 2 refuse, 3 it is `stayId`, 4 it came in at `entryTime`, 5 it carries `plateNo`: the lane decides anew, 6 no rule was in force when it came: charge it by the one that is now.
   */
  answer: call('parking.lane-board.answer', {
    service: 'device',
    post: '/laneBoard/answer',
    writes: true,
    own: true,
    needs: 'parking:gate:operate',
    does: ['处理车道', 'Handled a lane'],
    body: message(
      { gateCode: Gate.properties.gateCode, decisionId: id<DecisionId>(), answer: among('处理', 'Answer', LaneAnswer) },
      {
        stayId: id<StayId>(),
        entryTime: instant('入场时间', 'Entered at'),
        plateNo: Stay.properties.plateNo,
        reason: among('原因', 'Reason', OpenReason),
        fee: among('费用处理', 'Fee handling', FeeChoice),
        remark: text('说明', 'Note', { max: 200 }),
      },
    ),
    reply: nothing,
  }),
}
