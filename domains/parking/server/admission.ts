import type { Instant, Of } from '../../../platform/contract/field.ts'
import { isOfficialPlate, isSpecialPlate, plateKind, type PlateColorCode } from '../../../platform/contract/plate.ts'
import type { Park } from '../contract/park.ts'
import type { CarKindCode, LaneCheckCode, LaneOutcome, StayRow, Tried } from '../contract/stay.ts'
import type { Debts, Standing } from './questions.ts'

/** Everything an entrance decides by, gathered beforehand: the decision itself asks nobody. */
export interface AtEntrance {
  park: Pick<
    Of<typeof Park>,
    | 'status'
    | 'openFrom'
    | 'openTo'
    | 'openAllFrom'
    | 'fullPolicy'
    | 'tempAllowed'
    | 'dupEntry'
    | 'entryArrears'
    | 'entryArrearsFen'
    | 'entryArrearsCount'
  >
  gateStatus: 1 | 2
  gateCode: string
  at: Instant
  plateNo: string
  plateColor: PlateColorCode | null
  standing: Standing
  /** The stay that the same vehicle has open in this park. */
  open: Pick<StayRow, 'id' | 'entryGate' | 'entryTime' | 'status'> | undefined
  debts: Debts
  /** Bays left, below zero when there are more cars than bays, and how many cars stand at an exit already. */
  remaining: number
  leaving: number
  /** A person, or the lane itself while it was cut off, has let it in: what would ask or refuse only says why. */
  decided?: boolean
}
type Outcome = keyof typeof LaneOutcome.entries
export interface Verdict {
  outcome: Outcome
  carKind: CarKindCode
  checks: Tried[]
  /** The open stay is closed as a double entry and a new one begins. */
  closesOpen: boolean
  /** The open stay goes on; no new one begins. */
  keepsOpen: boolean
  /** Two lines for the sign. */
  says: string[]
}

/** The same car read again within this time at the same lane is one arrival. */
export const REPEATED_READ_MS = 60_000

/**
 * The admission decision of an entrance (准入): ten checks in a fixed order, the first that hits decides. The list of checks tried answers "why was I refused".
 */
export function admit(car: AtEntrance): Verdict {
  const tried: Tried[] = []
  const say = (check: LaneCheckCode, hit: boolean, zh: string, en: string) => void tried.push({ check, hit, zh, en })
  const verdict = (outcome: Outcome, carKind: CarKindCode, line: string, more: Partial<Verdict> = {}): Verdict => ({
    outcome: car.decided && (outcome === REFUSE || outcome === ASK) ? PASS : outcome,
    carKind,
    checks: tried,
    closesOpen: false,
    keepsOpen: false,
    says: [car.plateNo, line],
    ...more,
  })

  const { pass, black, white, special, reserve } = car.standing
  const closed = closedBecause(car)
  if (closed && !(pass?.allDay && !pass.full)) {
    say(1, true, closed.zh, closed.en)
    return verdict(REFUSE, 9, closed.zh)
  }
  say(1, false, closed ? '全天月卡，时段外可入' : '开放', closed ? 'A pass for all hours' : 'Open')

  if (special || isOfficialPlate(car.plateNo)) {
    say(2, true, '特种车免费放行', 'A special vehicle, free')
    return afterDouble(5, '特种车辆')
  }
  say(2, false, '不是特种车', 'Not a special vehicle')

  if (black?.action === 1) {
    say(3, true, `黑名单：${black.zh}`, `On the black list: ${black.en}`)
    return verdict(REFUSE, 9, '禁止入场')
  }
  say(
    3,
    false,
    black ? `黑名单（允许入场）：${black.zh}` : '不在黑名单',
    black ? `On the black list, may enter: ${black.en}` : 'Not on the black list',
  )

  const double = doubleEntry()
  if (double) return double

  // Both lists hold: black wins.
  if (white && !black) {
    say(5, true, '白名单免费放行', 'On the white list, free')
    return verdict(PASS, 1, '欢迎光临', doubled())
  }
  say(5, false, '不在白名单', 'Not on the white list')

  if (pass && !pass.full) {
    say(6, true, '月卡有效', 'A valid pass')
    return verdict(PASS, 8, '月卡车 欢迎光临', doubled())
  }
  say(6, false, pass ? '月卡车位已占用，按临时车' : '无有效月卡', pass ? 'All seats of the pass are taken: a temporary car' : 'No valid pass')

  if (reserve) {
    say(7, true, '预约时段内', 'Within its reservation')
    return verdict(PASS, 2, '预约车 欢迎光临', doubled())
  }
  say(7, false, '无预约', 'No reservation')

  const owes = owing()
  if (owes) return owes
  const full = noRoom()
  if (full) return full
  return temporary()

  function doubleEntry(): Verdict | undefined {
    const { open } = car
    if (!open) return void say(4, false, '不在场内', 'Not inside')
    const gap = open.entryTime ? Date.parse(car.at) - Date.parse(open.entryTime) : Infinity
    if (gap < REPEATED_READ_MS && open.entryGate === car.gateCode && !car.decided) {
      say(4, true, '重复识别，忽略', 'Read twice, ignored')
      return verdict(IGNORE, 9, '', { keepsOpen: true })
    }
    if (car.park.dupEntry === 1 || car.decided) return void say(4, false, '已在场：关闭旧记录', 'Already inside: the old record is closed')
    say(
      4,
      true,
      car.park.dupEntry === 2 ? '已在场：沿用原记录' : '已在场：人工确认',
      car.park.dupEntry === 2 ? 'Already inside: its record goes on' : 'Already inside: a person decides',
    )
    return car.park.dupEntry === 2 ? verdict(PASS, 9, '欢迎光临', { keepsOpen: true }) : verdict(ASK, 9, '请稍候 人工确认')
  }
  /** A car that passes on sight still closes the record it left behind. */
  function afterDouble(kind: CarKindCode, line: string) {
    const { open } = car
    const repeated = open?.entryTime && open.entryGate === car.gateCode && Date.parse(car.at) - Date.parse(open.entryTime) < REPEATED_READ_MS
    return repeated ? verdict(IGNORE, kind, '', { keepsOpen: true }) : verdict(PASS, kind, line, doubled())
  }
  function doubled() {
    return { closesOpen: car.open !== undefined }
  }
  function owing(): Verdict | undefined {
    const { entryArrears, entryArrearsFen, entryArrearsCount } = car.park
    const { count, amountFen } = car.debts
    if (entryArrears === 1 || count === 0)
      return void say(8, false, entryArrears === 1 ? '不检查欠费' : '无欠费', entryArrears === 1 ? 'Arrears are not looked at' : 'No arrears')
    const much = (entryArrearsFen > 0 && amountFen >= entryArrearsFen) || (entryArrearsCount > 0 && count >= entryArrearsCount)
    const sum = `${yuan(amountFen)}（${count} 笔）`
    if (entryArrears === 3 && much) {
      say(8, true, `欠费 ${sum}，禁止入场`, `Owes ${yuan(amountFen)} in ${count}: refused`)
      return verdict(REFUSE, 9, `请先补缴${yuan(amountFen)}元`)
    }
    return void say(8, false, `欠费 ${sum}，提醒`, `Owes ${yuan(amountFen)} in ${count}: reminded`)
  }
  function noRoom(): Verdict | undefined {
    const { fullPolicy } = car.park
    if (car.remaining > 0) return void say(9, false, `余位 ${car.remaining}`, `${car.remaining} bays free`)
    if (fullPolicy === 3) return void say(9, false, '满位仍放行', 'Full, admitted all the same')
    if (fullPolicy === 2 && car.remaining + car.leaving > 0) return void say(9, false, '满位，一进一出', 'Full: one in for one that is leaving')
    say(9, true, '车位已满', 'Full')
    return verdict(REFUSE, 9, '车位已满')
  }
  function temporary(): Verdict {
    const unplated = plateKind(car.plateNo) === 'unplated'
    const unread = !unplated && !isSpecialPlate(car.plateNo)
    if (unplated) say(10, true, '无牌车，人工确认', 'Without a plate: a person decides')
    else if (unread) say(10, true, '车牌不完整，人工确认', 'No whole plate was read: a person decides')
    else if (car.park.tempAllowed) say(10, true, '临时车放行', 'A temporary car, admitted')
    else say(10, true, '不接待临时车，人工确认', 'No temporary cars here: a person decides')
    const asks = unplated || unread || !car.park.tempAllowed
    return verdict(asks ? ASK : PASS, unplated ? 6 : 9, asks ? '请稍候 人工确认' : '欢迎光临', doubled())
  }
}

const PASS = 1
const REFUSE = 2
const ASK = 3
const IGNORE = 4

function closedBecause({ park, gateStatus, at }: AtEntrance): { zh: string; en: string } | undefined {
  if (gateStatus !== 1) return { zh: '通道停用', en: 'This gate is disabled' }
  if (park.status !== 1) return { zh: '车场停用', en: 'This park is disabled' }
  if (park.openAllFrom || isOpen(park.openFrom, park.openTo, at)) return undefined
  return { zh: '通行时段外', en: 'Outside opening hours' }
}

/** `to` at or before `from` goes over midnight; equal is day and night. */
export function isOpen(from: string, to: string, at: Instant): boolean {
  if (from === to) return true
  const clock = new Date(Date.parse(at) + CITY_OFFSET_MS).toISOString().slice(11, 16)
  return from < to ? clock >= from && clock < to : clock >= from || clock < to
}
/** Asia/Shanghai has had no summer time since 1991. */
const CITY_OFFSET_MS = 8 * 3600_000

/** For signs, which have no room for trailing zeros: `5`, `7.5`. */
export const yuan = (fen: number): string => String(fen / 100)
