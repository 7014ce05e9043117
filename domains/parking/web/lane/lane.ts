import type { Dictionary } from '../../../../platform/contract/field.ts'
import { plural } from '../../../../platform/contract/plural.ts'
import type { Text } from '../../../../platform/web/text.ts'
import { Direction } from '../../contract/gate.ts'
import type { LaneRow, PassageRow } from '../../contract/laneBoard.ts'
import { CarKind, LaneCheck, LaneOutcome, PassMode, PayState, SessionStatus } from '../../contract/stay.ts'
import { UseStatus } from '../../contract/park.ts'

/** A car that stands longer than this needs a person. */
export const PATIENCE_S = 20
export type Tone = 'success' | 'warning' | 'error' | 'default'

/** Describes the car at the lane in one word: the finding of the deciding check, else the kind of car. */
export function whoOf({ checks, carKind, state }: Pick<LaneRow, 'checks' | 'carKind' | 'state'>): { text: Text; tone: Tone } {
  const hit = checks.findLast((one) => one.hit && WHO[one.check])?.check
  if (hit !== undefined) return WHO[hit]!
  if (carKind === null && state === ASKS) return { text: ['待确认', 'Unidentified'], tone: 'warning' }
  return { text: CarKind.entries[carKind ?? CarKind.temporary], tone: 'default' }
}
const WHO: Record<number, { text: Text; tone: Tone }> = {
  2: { text: ['特种车', 'Special'], tone: 'success' },
  3: { text: ['黑名单', 'Black list'], tone: 'error' },
  5: { text: ['白名单', 'White list'], tone: 'success' },
  6: { text: ['月租车', 'Pass'], tone: 'success' },
  7: { text: ['预约车', 'Reserved'], tone: 'success' },
  8: { text: ['欠费', 'Arrears'], tone: 'warning' },
  12: { text: ['车牌相近', 'Similar plate'], tone: 'warning' },
  13: { text: ['无入场', 'No entry'], tone: 'warning' },
  17: { text: ['欠费', 'Arrears'], tone: 'warning' },
}
/** Why the lane decided so: the sentence of the deciding check, else of the last that was tried. */
export function whyOf({
  checks,
  outcome,
  dueFen,
  payState,
}: Pick<LaneRow, 'checks' | 'outcome'> & Partial<Pick<LaneRow, 'dueFen' | 'payState'>>): Text | undefined {
  const one = checks.findLast((check) => check.hit) ?? checks.at(-1)
  // The amount due at the decision has been paid since.
  if (dueFen === 0 && (outcome === WAITS_FOR_PAYMENT || (payState === PayState.paid && one?.check === LaneCheck.fee))) return ['已付清', 'Paid']
  return one && [one.zh, one.en]
}

/**
 * How a passage stands by now. A car that an exit stopped has paid since, left or been struck off without another word of the lane; whatever else became of it the lane has decided anew.
 */
export function stateOf({
  outcome,
  direction,
  status,
  payState,
  checks,
}: Pick<PassageRow, 'outcome' | 'direction' | 'status' | 'payState' | 'checks'>): {
  dictionary: Dictionary<number>
  value: number
} {
  const asIs = { dictionary: LaneOutcome, value: outcome }
  if (status === null || direction !== Direction.exit || (outcome !== LaneOutcome.toPay && outcome !== LaneOutcome.ask)) return asIs
  if (status === SessionStatus.void) return { dictionary: SessionStatus, value: status }
  const askedFee = outcome === LaneOutcome.toPay && checks.findLast(({ hit }) => hit)?.check === LaneCheck.fee
  if (askedFee && payState !== null && SETTLED.has(payState)) return { dictionary: PayState, value: payState }
  return status === SessionStatus.left ? { dictionary: SessionStatus, value: status } : asIs
}
const SETTLED: ReadonlySet<number> = new Set([PayState.paid, PayState.free, PayState.owed, PayState.checking])

const WAITS_FOR_PAYMENT = 5
const FREE = 1
const ASKS = 2
const OPENING = 4
const REFUSED = 5
const CALLS = 6
const COMMAND_FAILED = 4
const COMMAND_EXPIRED = 5
export const isBusy = (lane: LaneRow) => lane.state !== FREE
export const asks = (lane: LaneRow) => lane.state === ASKS && lane.decisionId !== null
/** Returns the car's earlier debt, as its lane found it; undefined while no car is there. */
export function debtOf({ checks, plateNo }: Pick<LaneRow, 'checks' | 'plateNo'>): { text: Text; link: string } | undefined {
  const owes = checks.find(({ check, hit }) => hit && (check === LaneCheck.arrears || check === LaneCheck.exitArrears))
  return owes && plateNo !== null ? { text: [owes.zh, owes.en], link: `${ARREARS}?plateNo=${encodeURIComponent(plateNo)}` } : undefined
}
const ARREARS = '/userCenter/arrearage/record'
/** Whether a plate may be misread: no stay is known, and the lane asked about it or turned it away. */
export const mayReadAgain = (lane: LaneRow) => lane.stayId === null && (asks(lane) || (lane.state === REFUSED && lane.decisionId !== null))
/** Its entry is not known, or was typed: an entry that a lane has read is put right in the stay. */
export const mayTypeEntry = (lane: LaneRow) =>
  asks(lane) && lane.heading === Direction.exit && (lane.entryTime === null || lane.entryMode === null || lane.entryMode === PassMode.entered)
/** Returns the amount that the car has to pay; null while a person is asked first and it is not known. */
export const dueOf = (lane: LaneRow) => (asks(lane) && lane.heading === Direction.exit ? null : lane.dueFen)
/** Seconds that a car has stood at the lane. */
export const waitedOf = ({ state, since }: LaneRow, now: number) =>
  state === FREE || !since ? 0 : Math.max(0, Math.floor((now - Date.parse(since)) / 1000))

/** Seconds that nothing has got on: a car that waited long may still drive out once its barrier was told to open. */
const heldUp = (lane: LaneRow, now: number) =>
  lane.state === OPENING && lane.command ? Math.min(waitedOf(lane, now), Math.floor((now - Date.parse(lane.command.at)) / 1000)) : waitedOf(lane, now)

/** Why a lane needs a person, the most urgent first; `now` in milliseconds. Nothing: it gets on by itself. */
export function needOf(lane: LaneRow, now: number): { text: Text; urgent: boolean } | undefined {
  if (lane.state === CALLS) return { text: ['按铃求助', 'Help call'], urgent: true }
  if (lane.state === ASKS) return { text: ['等人工处理', 'Waiting for you'], urgent: true }
  if (lane.gateState === 'blocked') return { text: ['道闸受阻', 'Barrier blocked'], urgent: true }
  if (isBusy(lane) && (lane.command?.state === COMMAND_FAILED || lane.command?.state === COMMAND_EXPIRED))
    return { text: ['开闸未成功', 'Did not open'], urgent: true }
  // While its barrier is kept open nobody sees the car pass.
  if (!((lane.openAll || lane.keptOpenUntil !== null) && lane.state === OPENING) && heldUp(lane, now) > PATIENCE_S)
    return {
      text:
        lane.state === OPENING && lane.gateState === 'opened' ? ['已抬杆，车未走', 'Barrier up, car still here'] : ['等待过久', 'Waiting too long'],
      urgent: true,
    }
  if (!lane.online && lane.status === UseStatus.inUse) return { text: ['设备离线', 'Device offline'], urgent: false }
  return undefined
}

/** The number of cards that fit a screen beside each other. With more lanes, those where nobody waits are lines. */
export const CARDS_FIT = 4
/** Somebody waits at the lane, or it needs a person. A car that is just let through does not wait. */
export const isGrown = (lane: LaneRow, now: number): boolean => (isBusy(lane) && lane.state !== OPENING) || needOf(lane, now)?.urgent === true

/** How the lanes are while none needs a person at once. A lane whose device is away sees no car: that is not well, though nobody waits there. */
export function calmOf(lanes: readonly LaneRow[], now: number): { text: Text; tone: Tone } {
  if (lanes.length === 0) return { text: ['尚无通道', 'No lanes yet'], tone: 'default' }
  const away = lanes.filter((lane) => needOf(lane, now)).length
  if (away === 0) return { text: ['各车道正常', 'All lanes normal'], tone: 'success' }
  if (away === lanes.length)
    return { text: ['各车道设备离线，来车无法识别', 'All lane devices are offline: cars are not recognised'], tone: 'warning' }
  return {
    text: [`${away} 条车道设备离线，其余正常`, `${away} ${plural(away, 'lane is', 'lanes are')} offline; the rest are normal`],
    tone: 'warning',
  }
}

/** 83 seconds are `1:23`. */
export const clockOf = (seconds: number) =>
  seconds < 3600
    ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    : `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
