import { yuan } from '../../../../platform/web/format.ts'
import { normalizePlate, plateKind, readsAsUnplated } from '../../../../platform/contract/plate.ts'
import type { Text } from '../../../../platform/web/text.ts'
import { order } from '../../../settlement/contract/order.ts'
import { cashAct, cashInput } from '../../../settlement/web/api/cash.ts'
import { Direction, type FeeChoice, gate, GateAction, OpenReason } from '../../contract/gate.ts'
import { LaneAnswer, laneBoard, type LaneRow } from '../../contract/laneBoard.ts'
import type { StayRow } from '../../contract/stay.ts'

/** Acts that a person can do at a lane without leaving the board. */
export type Doing = 'open' | 'free' | 'cash' | 'pass' | 'refuse' | 'entry' | 'read' | 'rule' | 'lock' | 'unlock'
/** Acts on the barrier itself, whatever car stands there. */
export const isLocking = (doing: Doing): doing is 'lock' | 'unlock' => doing === 'lock' || doing === 'unlock'
/** Values that the person has entered so far. */
export interface Said {
  reason?: keyof typeof OpenReason.entries
  fee?: keyof typeof FeeChoice.entries
  entryTime?: string | undefined
  /** The plate that the car carries. */
  plateNo?: string
  remark?: string
  /** The driver's points beside cash. */
  points?: number
}

const FREE = 1
const CASH = 3
const ANSWER = {
  pass: LaneAnswer.pass,
  refuse: LaneAnswer.refuse,
  entry: LaneAnswer.enteredAt,
  read: LaneAnswer.plate,
  rule: LaneAnswer.ruleNow,
} as const

/** At an exit the car's fee is not worked out yet: the person who lets it pass decides about the fee. */
const passesOut = ({ heading }: Pick<LaneRow, 'heading'>, doing: Doing) => doing === 'pass' && heading === Direction.exit
/** A person who commands the barrier, or lets a car out, gives a reason. */
export const asksWhy = (lane: LaneRow, doing: Doing): boolean => doing === 'open' || doing === 'free' || isLocking(doing) || passesOut(lane, doing)
/** Whether it is asked what becomes of the fee. */
export const asksFee = (lane: LaneRow, doing: Doing): boolean => (doing === 'open' && lane.dueFen > 0) || passesOut(lane, doing)

/** "Other" says nothing by itself. */
export const needsNote = (lane: LaneRow, doing: Doing, { reason }: Said): boolean => asksWhy(lane, doing) && reason === OpenReason.other
/** Returns the plate that the camera read, for correction; empty where it read none: the name under which such a car is kept is no plate. */
export const readOf = ({ plateNo }: Pick<LaneRow, 'plateNo'>): string =>
  plateNo === null || readsAsUnplated(plateNo) || plateKind(plateNo) === 'unplated' ? '' : plateNo

/** Returns a warning for a plate that is inside by the records; undefined where it is not. */
export function insideAlready(
  records: readonly Pick<StayRow, 'plateNo' | 'entryTime'>[],
  plateNo: string,
  clock: (at: string) => string,
): Text | undefined {
  const one = records.find((row) => row.plateNo === plateNo)
  if (!one) return undefined
  const [zh, en] = one.entryTime === null ? ['', ''] : [`（入场时间 ${clock(one.entryTime)}）`, ` (entered ${clock(one.entryTime)})`]
  return [
    `该车已在场${zh}：请核对车牌；确认后按车场的重复入场规则处理`,
    `This car is already inside${en}. Check the plate; the park’s rule for a second entry applies`,
  ]
}

/** Whether all is said that the act needs. */
export function isReady(lane: LaneRow, doing: Doing, said: Said): boolean {
  const { reason, fee, entryTime, plateNo, remark } = said
  if (needsNote(lane, doing, said) && !remark?.trim()) return false
  if (doing === 'read') return !['', lane.plateNo].includes(normalizePlate(plateNo ?? ''))
  if (doing === 'entry') return entryTime !== undefined
  return (reason !== undefined || !asksWhy(lane, doing)) && (fee !== undefined || !asksFee(lane, doing))
}

/** Why the act no longer fits what stands at the lane: another car, a question that was answered, a fee that was paid. */
export function changedSince(was: LaneRow, now: LaneRow, doing: Doing): Text | undefined {
  if (doing === 'unlock') return now.lockedBy === null ? ['已由他人解锁', 'Somebody has unlocked it meanwhile.'] : undefined
  if (was.lockedBy === null && now.lockedBy !== null && doing !== 'cash')
    return [`${now.lockedBy} 已锁闸，请先解锁`, `${now.lockedBy} has locked the barrier meanwhile: unlock it first.`]
  if (doing === 'lock') return undefined
  if (was.plateNo !== now.plateNo || was.stayId !== now.stayId)
    return ['通道上的车已变化，请重新操作', 'Another car is at the lane now. Start again.']
  if (doing in ANSWER && was.decisionId !== now.decisionId) return ['该通道已处理', 'This lane has already been handled.']
  if (was.dueFen > 0 && now.dueFen === 0) return ['费用已缴清，无需再操作', 'The fee has been paid. Nothing more to do.']
  if (was.dueFen !== now.dueFen)
    return [`待缴金额已变为 ¥${yuan(now.dueFen)}，请重新操作`, `The amount due is now ¥${yuan(now.dueFen)}. Start again.`]
  return undefined
}

/** The call that does it, and what is sent. */
export function toSend(lane: LaneRow, doing: Doing, said: Said): readonly [call: unknown, input: unknown] {
  const { gateCode, decisionId } = lane
  const remark = said.remark?.trim() || undefined
  const { reason, entryTime } = said
  if (doing === 'cash') return [order.cash, cashInput(lane.orderId!, lane.dueFen, said.points)]
  if (isLocking(doing)) return [gate.openGate, { gateCode, action: GateAction[doing], reason, remark }]
  if (doing === 'open' || doing === 'free')
    return [gate.openGate, { gateCode, action: GateAction.open, reason, remark, fee: doing === 'free' ? FREE : said.fee }]
  return [
    laneBoard.answer,
    {
      gateCode,
      decisionId,
      answer: ANSWER[doing],
      remark,
      ...(passesOut(lane, doing) && { reason, fee: said.fee }),
      ...(doing === 'entry' && { entryTime }),
      ...(doing === 'read' && { plateNo: said.plateNo }),
    },
  ]
}

/** As its button says, over what it opens, and where the keys are explained. */
export const entryTimeAct = ({ entryTime }: { entryTime?: string | null | undefined }): Text =>
  entryTime ? ['更正入场时间', 'Correct entry time'] : ['补录入场时间', 'Add entry time']
const TITLES: Record<Exclude<Doing, 'entry'>, Text> = {
  open: ['开闸', 'Open barrier'],
  free: ['免费放行', 'Let out free'],
  cash: ['收现金', 'Take cash'],
  pass: ['放行', 'Let pass'],
  refuse: ['拒绝', 'Turn away'],
  read: ['修正车牌', 'Correct plate'],
  rule: ['按现行规则计费', 'Bill by the rule in force'],
  lock: ['锁闸', 'Lock barrier'],
  unlock: ['解锁', 'Unlock barrier'],
}
/** The effect of each act on the lane. */
export const LOCK_EFFECT: Record<'lock' | 'unlock', Text> = {
  lock: [
    '锁闸后，缴费和手动都不能开闸，须先解锁或启动应急常开',
    'While locked, neither a payment nor staff can open the barrier. Unlock it, or start emergency open',
  ],
  unlock: ['解锁后恢复自动放行，正在等候的车重新判定', 'Automatic decisions resume, and the waiting car is checked again'],
}
const CASH_LOCKED: Text = [
  '记入您的收银班次；该通道已锁闸，解锁后才放行',
  'Recorded in your cash shift. The lane is locked: the car passes once it is unlocked.',
]
/** Returns the texts above the act, on its button and under it: the plate, and what becomes of the money. */
export function actLines(
  lane: Pick<LaneRow, 'plateNo' | 'dueFen'> & Partial<Pick<LaneRow, 'lockedBy' | 'heading' | 'entryTime'>>,
  doing: Doing,
  { fee, points }: Said,
): { title: Text; button: Text; effect?: Text } {
  const [zh, en] = doing === 'entry' ? entryTimeAct(lane) : TITLES[doing]
  if (isLocking(doing)) return { title: [zh, en], button: [zh, en], effect: LOCK_EFFECT[doing] }
  // Of a car whose plate was not read no name is said.
  const plate = lane.plateNo !== null && readsAsUnplated(lane.plateNo) ? null : lane.plateNo
  const due = `¥${yuan(lane.dueFen)}`
  const title: Text = plate ? [`${zh} ${plate}`, `${en}: ${plate}`] : [zh, en]
  if (doing === 'cash')
    return {
      title,
      button: cashAct(lane.dueFen, points),
      effect: lane.lockedBy
        ? CASH_LOCKED
        : ['记入您的收银班次；收款后自动开闸', 'Recorded in your cash shift; the barrier opens automatically once paid.'],
    }
  if (doing === 'free') return { title, button: [`免收 ${due} 并开闸`, `Waive ${due} and open`] }
  if (doing === 'open' && lane.dueFen > 0 && fee) return { title, button: FEE_ACT[fee](due) }
  if (doing === 'read' && lane.heading === Direction.entrance)
    return { title, button: ['按此车牌核对', 'Check this plate'], effect: READ_AT_ENTRANCE }
  if (doing === 'read') return { title, button: ['按此车牌查找', 'Look up this plate'], effect: READ_EFFECT }
  if (doing === 'rule') return { title, button: [zh, en], effect: RULE_EFFECT }
  if (doing === 'pass' && fee) return { title, button: FEE_UNKNOWN_ACT[fee] }
  if (doing === 'entry') return { title, button: ['按此时间计费', 'Bill from this time'] }
  return { title, button: title }
}
const READ_EFFECT: Text = ['按改后的车牌重新查找在场记录并计费', 'The exit looks for a car inside with this plate, and bills its stay']
const READ_AT_ENTRANCE: Text = [
  '按改后的车牌重新核对名单、月租、预约、欠费和车位；符合条件即放行',
  'Lists, passes, reservations, arrears and free bays are checked again for this plate; the car is admitted if it may enter',
]
const RULE_EFFECT: Text = [
  '入场时没有生效的收费规则；改按现在生效的规则计算整段停车',
  'No rule was in force when it came in: the rule in force now prices the whole stay',
]
/** Where the amount is not known to the board. */
const FEE_UNKNOWN_ACT: Record<keyof typeof FeeChoice.entries, Text> = {
  [FREE]: ['免费放行', 'Let out free'],
  2: ['记欠费并放行', 'Record as owed and let out'],
  [CASH]: ['收现金并放行', 'Take cash and let out'],
}
const FEE_ACT: Record<keyof typeof FeeChoice.entries, (due: string) => Text> = {
  [FREE]: (due) => [`免收 ${due} 并开闸`, `Waive ${due} and open`],
  2: (due) => [`记欠费 ${due} 并开闸`, `Record ${due} as owed and open`],
  [CASH]: (due) => [`收现金 ${due} 并开闸`, `Take ${due} in cash and open`],
}
