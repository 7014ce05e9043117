import type { Instant } from '../../../platform/contract/field.ts'
import { isOfficialPlate, plateKind } from '../../../platform/contract/plate.ts'
import type { ParkRow } from './lane.ts'
import type { CarKindCode, LaneCheckCode, LaneOutcome, Tried } from '../contract/stay.ts'
import { yuan } from './admission.ts'
import { type Bill, dueOf } from './money.ts'
import type { Debts, Standing } from './questions.ts'
import { minutesBetween, type StayRecord } from './stayMoves.ts'

/** Everything an exit decides by once it knows which stay the car is in. */
export interface AtExit {
  park: Pick<ParkRow, 'openAllFrom' | 'exitArrears'>
  stay: StayRecord
  at: Instant
  standing: Standing
  debts: Debts
  /** What the whole stay costs; none: no rule covers it, and it must never silently be nothing. */
  bill: Bill | undefined
  /** A person has looked and lets it pass. */
  byPerson?: boolean
}
export interface Leave {
  outcome: keyof typeof LaneOutcome.entries
  carKind: CarKindCode
  checks: Tried[]
  bill: Bill
  dueFen: number
  /** It left before it came, by its clocks: for a person. */
  backwards: boolean
  says: string[]
}

/** The decision of an exit: free, paid, to be paid, or for a person. Like the admission it only weighs what was gathered. */
export function judgeExit(car: AtExit): Leave {
  const { stay, park, standing, at } = car
  const checks: Tried[] = []
  const say = (check: LaneCheckCode, hit: boolean, zh: string, en: string) => void checks.push({ check, hit, zh, en })
  const carKind = kindAtExit(car)
  const made = (outcome: Leave['outcome'], bill: Bill, line: string, more: Partial<Leave> = {}): Leave => ({
    outcome: outcome === ASK && car.byPerson ? PASS : outcome,
    carKind,
    checks,
    bill,
    dueFen: dueOf(stay, bill),
    backwards: false,
    says: [stay.plateNo, line],
    ...more,
  })
  const asBefore: Bill = { receivableFen: stay.settledFen, discountFen: stay.settledFen - stay.paidFen }

  if (stay.entryTime && Date.parse(at) < Date.parse(stay.entryTime)) {
    say(14, true, '出场早于入场，人工处理', 'It leaves before it came: a person decides')
    return made(ASK, asBefore, '请稍候 人工确认', { backwards: true, dueFen: 0 })
  }
  say(14, false, '时间正常', 'Times are in order')
  if (standing.black?.action === 2 && !isSpecial(car)) {
    say(3, true, `黑名单（限出）：${standing.black.zh}`, `On the black list, not to leave alone: ${standing.black.en}`)
    if (!car.byPerson) return made(ASK, car.bill ?? asBefore, '请稍候 人工确认')
  }
  const free = freeBecause(car)
  if (free) {
    say(15, true, free.zh, free.en)
    return made(PASS, asBefore, '免费 一路平安', { dueFen: 0 })
  }
  say(15, false, '不在免费范围', 'Not free by its kind')
  if (stay.graceUntil && Date.parse(at) <= Date.parse(stay.graceUntil)) {
    say(16, true, `已缴费，离场时限内（至 ${clock(stay.graceUntil)}）`, `Paid, within the time to leave (until ${clock(stay.graceUntil)})`)
    return made(PASS, asBefore, '已缴费 一路平安', { dueFen: 0 })
  }
  say(
    16,
    false,
    stay.graceUntil ? '超过离场时限，补差额' : '未预付',
    stay.graceUntil ? 'Past the time to leave: the rest is due' : 'Nothing paid before',
  )
  if (!car.bill) {
    say(18, true, '未配置收费规则，人工处理', 'No fee rule covers it: a person decides')
    return made(ASK, asBefore, '请稍候 人工确认', { dueFen: 0 })
  }
  return byFee(car, car.bill, say, made)
}

function byFee(
  car: AtExit,
  bill: Bill,
  say: (check: LaneCheckCode, hit: boolean, zh: string, en: string) => void,
  made: (...args: [Leave['outcome'], Bill, string, Partial<Leave>?]) => Leave,
) {
  const { stay, debts, park } = car
  const due = dueOf(stay, bill)
  const paysDebts = park.exitArrears === 3 && debts.count > 0 && !isSpecial(car)
  if (park.exitArrears === 1 || debts.count === 0)
    say(17, false, park.exitArrears === 1 ? '不检查欠费' : '无欠费', park.exitArrears === 1 ? 'Arrears are not looked at' : 'No arrears')
  else
    say(
      17,
      paysDebts && !due,
      `有欠费 ${yuan(debts.amountFen)} 元（${debts.count} 笔）`,
      `Owes ${yuan(debts.amountFen)} from before, in ${debts.count}`,
    )
  const duration = stay.entryTime ? lengthOf(minutesBetween(stay.entryTime, car.at)) : ''
  if (due > 0) {
    say(18, true, `应缴 ${yuan(due)} 元`, `${yuan(due)} to pay`)
    return made(WAIT, bill, `请缴费 ${yuan(due)} 元`, {
      says: [stay.plateNo, duration, `请缴费 ${yuan(due)} 元`, debts.count && park.exitArrears !== 1 ? `另欠 ${yuan(debts.amountFen)} 元` : ''],
    })
  }
  if (paysDebts && !car.byPerson) return made(WAIT, bill, `请先补缴 ${yuan(debts.amountFen)} 元`)
  say(18, true, stay.paidFen ? '已缴清' : '费用为 0', stay.paidFen ? 'Paid in full' : 'Nothing to pay')
  return made(PASS, bill, '一路平安', { says: [stay.plateNo, duration, '一路平安'] })
}

const PASS = 1
const ASK = 3
const WAIT = 5

const isSpecial = ({ standing, stay }: AtExit) => standing.special === true || isOfficialPlate(stay.plateNo)

function freeBecause(car: AtExit): { zh: string; en: string } | undefined {
  if (isSpecial(car)) return { zh: '特种车免费', en: 'A special vehicle' }
  if (car.park.openAllFrom) return { zh: '应急常开，免费放行', en: 'All barriers stand open: free' }
  if (car.standing.white && !car.standing.black) return { zh: '白名单免费', en: 'On the white list' }
  return undefined
}

/** Decided again at the exit; what it came in as stays on the record. */
function kindAtExit(car: AtExit): CarKindCode {
  const { standing, stay } = car
  if (isSpecial(car)) return 5
  if (standing.white && !standing.black) return 1
  if (standing.pass && (!standing.pass.full || stay.carKindIn === 8)) return 8
  if (standing.reserve) return 2
  return plateKind(stay.plateNo) === 'unplated' ? 6 : 9
}

const CITY_OFFSET_MS = 8 * 3600_000
const clock = (at: Instant) => new Date(Date.parse(at) + CITY_OFFSET_MS).toISOString().slice(11, 16)
/** As signs say it: `1小时35分`. */
export const lengthOf = (minutes: number): string => (minutes < 60 ? `${minutes}分` : `${Math.floor(minutes / 60)}小时${minutes % 60}分`)
