import { lasting } from '../../../../platform/contract/duration.ts'
import { cityTime } from '../../../../platform/contract/time.ts'
import type { Instant } from '../../../../platform/contract/field.ts'
import { isOfficialPlate, plateKind } from '../../../../platform/contract/plate.ts'
import type { ParkRow } from './lane.ts'
import { FreeReason, type FreeReasonCode } from '../../../fee/contract/quote.ts'
import { CarKind, type CarKindCode, LaneCheck, type LaneCheckCode, LaneOutcome, type Tried } from '../../contract/stay.ts'
import { owesLine, yuan } from './admission.ts'
import { type Held, heldInWords } from '../bill/holding.ts'
import { type Bill, dueOf } from '../bill/money.ts'
import type { AlsoDue, Debts, Standing } from '../questions.ts'
import { type AnyStay, minutesBetween, type StayRecord } from '../stay/stayMoves.ts'
import { ExitArrears } from '../../contract/park.ts'

/** Everything an exit decides by once it knows which stay the car is in. */
export interface AtExit {
  park: Pick<ParkRow, 'openAllFrom' | 'exitArrears'>
  stay: StayRecord
  at: Instant
  standing: Standing
  debts: Debts
  /** What it owes beside the fee of its stay. */
  also?: readonly AlsoDue[]
  /** What the whole stay costs; none: no rule covers it, and it must never silently be nothing. */
  bill: Bill | undefined
  /** A person has looked and lets it pass. */
  byPerson?: boolean
  /** What it has to pay is asked all the same: the person takes it in cash, or has it owed. */
  feeStands?: boolean
  /** Its barrier stays down, whatever was paid. */
  locked?: boolean
  /** Told afterwards: the car is out, and nobody can keep it. */
  gone?: boolean
}
export interface Leave {
  outcome: keyof typeof LaneOutcome.entries
  carKind: CarKindCode
  checks: Tried[]
  bill: Bill
  dueFen: number
  /** What is asked beside the fee, once that is settled: this order. */
  also: AlsoDue | undefined
  /** It left before it came, by its clocks: for a person. */
  backwards: boolean
  /** A person lets it go free though nothing says what it costs. */
  unpriced?: true
  says: string[]
}

type Say = (check: LaneCheckCode, hit: boolean, zh: string, en: string) => void
type Made = (outcome: Leave['outcome'], bill: Bill, line: string, more?: Partial<Leave>) => Leave

/** The decision of an exit: free, paid, to be paid, or for a person. Like the admission it only weighs what was gathered. */
export function judgeExit(car: AtExit): Leave {
  const { stay } = car
  const checks: Tried[] = []
  const say: Say = (check, hit, zh, en) => void checks.push({ check, hit, zh, en })
  const carKind = kindAtExit(car)
  const made: Made = (outcome, bill, line, more = {}) => {
    const allTheSame = outcome === LaneOutcome.ask && car.byPerson === true
    return {
      outcome: allTheSame ? LaneOutcome.pass : outcome,
      carKind,
      checks,
      bill,
      dueFen: 0,
      also: undefined,
      backwards: false,
      says: [stay.plateNo, allTheSame ? GOODBYE : line],
      ...more,
    }
  }
  return reminded(
    car,
    locked(car, say, made) ??
      backwards(car, say, made) ??
      detained(car, say, made) ??
      free(car, say, made) ??
      besides(car, say, made) ??
      owing(car, say, made) ??
      graced(car, say, made) ??
      charged(car, say, made),
  )
}
/** A car that goes though it owes from before reads on the sign what it owes. */
function reminded({ debts }: AtExit, leave: Leave): Leave {
  const owes = leave.outcome === LaneOutcome.pass && leave.checks.some(({ check, hit }) => hit && check === LaneCheck.exitArrears)
  return owes ? { ...leave, says: [...leave.says, owesLine(debts)] } : leave
}

/** Nothing more than what its paid orders were for. */
export const asBefore = ({ stay }: { stay: Pick<AnyStay, 'settledFen' | 'paidFen'> }): Bill => ({
  receivableFen: stay.settledFen,
  discountFen: stay.settledFen - stay.paidFen,
})
const ASKS = '请稍候 人工确认'
const GOODBYE = '一路平安'

function locked(car: AtExit, say: Say, made: Made): Leave | undefined {
  if (!car.locked || car.gone) return undefined
  say(LaneCheck.open, true, '通道已锁闸，请走其他出口', 'This lane is locked: use another exit')
  return made(LaneOutcome.ask, asBefore(car), '请走其他出口')
}

function backwards(car: AtExit, say: Say, made: Made): Leave | undefined {
  if (!car.stay.entryTime || Date.parse(car.at) >= Date.parse(car.stay.entryTime))
    return void say(LaneCheck.orderTimes, false, '时间正常', 'Times in order')
  say(LaneCheck.orderTimes, true, '出场早于入场，人工处理', 'Exit before entry: staff decide')
  return made(LaneOutcome.ask, asBefore(car), ASKS, { backwards: true })
}

/** What those who keep the black list say of such a car. */
const LEAVES_BY_PERSON = 2
/** On the black list with "may enter, does not leave alone". */
function detained(car: AtExit, say: Say, made: Made): Leave | undefined {
  const { black } = car.standing
  if (black?.action !== LEAVES_BY_PERSON || isSpecial(car)) return undefined
  // Behind a barrier that stands open nobody can be kept.
  const kept = !car.byPerson && !car.gone && !car.park.openAllFrom
  say(LaneCheck.black, kept, `黑名单（限出）：${black.zh}`, `On the black list, exit restricted: ${black.en}`)
  return kept ? made(LaneOutcome.ask, asBefore(car), ASKS) : undefined
}

function free(car: AtExit, say: Say, made: Made): Leave | undefined {
  const because = freeBecause(car)
  say(LaneCheck.free, because !== undefined, because?.zh ?? '不在免费范围', because?.en ?? 'Not free by its kind')
  return because && made(LaneOutcome.pass, asBefore(car), '免费 一路平安')
}

/** An order beside the fee, a shared bay's overrun: asked before the car goes, once its fee is settled. */
function besides(car: AtExit, say: Say, made: Made): Leave | undefined {
  const [also] = car.also ?? []
  const settled = inGrace(car) || (car.bill !== undefined && !car.bill.held && restOf(car) === 0)
  if (!also || !settled) return undefined
  const letOff = car.byPerson === true && !car.feeStands
  const bill = inGrace(car) ? asBefore(car) : (car.bill ?? asBefore(car))
  say(
    LaneCheck.fee,
    true,
    `${also.zh}，应缴 ${yuan(also.dueFen)} 元${letOff ? '，人工免费放行' : ''}`,
    `${also.en}: ¥${yuan(also.dueFen)} to pay${letOff ? '; staff let it out free' : ''}`,
  )
  if (letOff) return made(LaneOutcome.pass, bill, GOODBYE, { also })
  return made(LaneOutcome.toPay, bill, '', { also, dueFen: also.dueFen, says: [car.stay.plateNo, also.zh, `请缴费 ${yuan(also.dueFen)} 元`] })
}
/** Older debts: said, or to be paid before it leaves. A fee of this stay comes first; when that is paid the car is looked at again. */
function owing(car: AtExit, say: Say, made: Made): Leave | undefined {
  const { exitArrears } = car.park
  const { count, amountFen } = car.debts
  if (exitArrears === ExitArrears.ignore) return void say(LaneCheck.exitArrears, false, '不检查欠费', 'Arrears not checked')
  if (count === 0) return void say(LaneCheck.exitArrears, false, '无欠费', 'No arrears')
  const blocks = exitArrears === ExitArrears.payFirst && !car.byPerson && restOf(car) === 0
  say(
    LaneCheck.exitArrears,
    blocks || exitArrears === ExitArrears.remind,
    `有欠费 ${yuan(amountFen)} 元（${count} 笔）`,
    `Owes ¥${yuan(amountFen)} from earlier stays, ${count} unpaid`,
  )
  return blocks ? made(LaneOutcome.toPay, car.bill ?? asBefore(car), `请先补缴 ${yuan(amountFen)} 元`, { dueFen: amountFen }) : undefined
}
/** What is left to pay of this stay, its time to leave considered. */
const restOf = (car: AtExit): number => (inGrace(car) || !car.bill ? 0 : dueOf(car.stay, car.bill))

/** What it has paid lets it go without more until then. */
export const inGrace = ({ stay, at }: Pick<AtExit, 'at'> & { stay: Pick<AnyStay, 'graceUntil'> }) =>
  stay.graceUntil !== null && Date.parse(at) <= Date.parse(stay.graceUntil)
function graced(car: AtExit, say: Say, made: Made): Leave | undefined {
  const { graceUntil } = car.stay
  if (graceUntil === null) return void say(LaneCheck.paidBefore, false, '未预付', 'Nothing paid earlier')
  if (!inGrace(car)) return void say(LaneCheck.paidBefore, false, '超过离场时限，补差额', 'Past the time to leave: the difference is due')
  say(LaneCheck.paidBefore, true, `已缴费，离场时限内（至 ${clock(graceUntil)}）`, `Paid, within the time to leave (until ${clock(graceUntil)})`)
  return made(LaneOutcome.pass, asBefore(car), '已缴费 一路平安')
}

function charged(car: AtExit, say: Say, made: Made): Leave {
  const { stay, bill, debts, park } = car
  if (!bill) return unruled(car, say, made)
  if (bill.held) return checkedFirst(car, bill.held, bill, say, made)
  const due = dueOf(stay, bill)
  const length = stay.entryTime ? lengthOf(minutesBetween(stay.entryTime, car.at)) : ''
  if (due > 0 && car.byPerson && !car.feeStands) {
    say(LaneCheck.fee, true, `应缴 ${yuan(due)} 元，人工免费放行`, `¥${yuan(due)} to pay; staff let it out free`)
    return made(LaneOutcome.pass, stay.settledFen ? asBefore(car) : { receivableFen: bill.receivableFen, discountFen: bill.receivableFen }, GOODBYE)
  }
  if (due > 0) {
    const [zhOff, enOff] = takenOff(bill)
    say(LaneCheck.fee, true, `应缴 ${yuan(due)} 元${zhOff}`, `¥${yuan(due)} to pay${enOff}`)
    const [also] = car.also ?? []
    const reminder = also
      ? `另缴${also.zh} ${yuan(also.dueFen)} 元`
      : debts.count > 0 && park.exitArrears !== ExitArrears.ignore
        ? `另欠 ${yuan(debts.amountFen)} 元`
        : ''
    return made(LaneOutcome.toPay, bill, '', { dueFen: due, says: [stay.plateNo, length, `请缴费 ${yuan(due)} 元`, reminder] })
  }
  const [zhOff, enOff] = takenOff(bill)
  say(LaneCheck.fee, true, `${stay.paidFen ? '已缴清' : '费用为 0'}${zhOff}`, `${stay.paidFen ? 'Paid in full' : 'Nothing to pay'}${enOff}`)
  return made(LaneOutcome.pass, bill, '', { says: [stay.plateNo, length, GOODBYE] })
}

/** It is never silently free: a person says so. */
function unruled(car: AtExit, say: Say, made: Made): Leave {
  if (!car.byPerson) {
    say(LaneCheck.fee, true, '未配置收费规则，人工处理', 'No fee rule set: staff decide')
    return made(LaneOutcome.ask, asBefore(car), ASKS)
  }
  say(LaneCheck.fee, true, '未配置收费规则，人工免费放行', 'No fee rule set; staff let it out free')
  return made(LaneOutcome.pass, asBefore(car), GOODBYE, { unpriced: true })
}

/** No money moves for a bill that cannot be right; a person who lets the car pass lets it pass free. */
function checkedFirst(car: AtExit, held: Held, bill: Bill, say: Say, made: Made): Leave {
  const [zh, en] = heldInWords(held)
  say(LaneCheck.fee, true, `费用核对中：${zh}`, `The fee is being checked: ${en}`)
  if (car.byPerson) return made(LaneOutcome.pass, asBefore(car), GOODBYE)
  return made(LaneOutcome.ask, bill, '', { says: [car.stay.plateNo, '费用核对中', '请等候值班人员'] })
}

/** What was taken off, and what would have been and why it was not, in words that fit the check. */
function takenOff({ taken = [], away = [] }: Bill): [zh: string, en: string] {
  const zh = [taken.length && `（${taken.map((one) => one.zh).join('，')}）`, ...away.map((one) => `；${one.zh}`)]
  const en = [taken.length && ` (${taken.map((one) => one.en).join(', ')})`, ...away.map((one) => `. ${one.en}`)]
  return [zh.filter(Boolean).join('').slice(0, TOLD_MAX), en.filter(Boolean).join('').slice(0, TOLD_MAX)]
}
const TOLD_MAX = 160

type WhoseFee = Pick<AtExit, 'standing' | 'stay'> & { park: Pick<ParkRow, 'openAllFrom'> }
const isSpecial = ({ standing, stay }: Pick<AtExit, 'standing' | 'stay'>) => standing.special === true || isOfficialPlate(stay.plateNo)

/** Why an exit lets a car out free, whatever its tariff says. */
export function freeBecause(car: WhoseFee): { code: FreeReasonCode; zh: string; en: string } | undefined {
  if (isSpecial(car)) return reason(FreeReason.special)
  if (car.park.openAllFrom) return reason(FreeReason.emergency)
  if (car.standing.white && !car.standing.black) return reason(FreeReason.white)
  return undefined
}
function reason(code: FreeReasonCode) {
  const [zh, en] = FreeReason.entries[code]
  return { code, zh, en }
}

/** Decided again at the exit; what it came in as stays on the record. */
function kindAtExit(car: AtExit): CarKindCode {
  const { standing, stay } = car
  if (isSpecial(car)) return 5
  if (standing.white && !standing.black) return 1
  if (standing.pass && (!standing.pass.full || stay.carKindIn === CarKind.pass)) return 8
  if (standing.reserve) return 2
  return plateKind(stay.plateNo) === 'unplated' ? 6 : 9
}

const clock = (at: Instant) => cityTime(at).slice(11, 16)
/** As signs say it; nothing for less than a minute. */
export const lengthOf = (minutes: number): string => (minutes < 1 ? '' : lasting(minutes)[0])
