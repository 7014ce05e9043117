import { plural } from '../../../../platform/contract/plural.ts'
import { cityTime } from '../../../../platform/contract/time.ts'
import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { isOfficialPlate, isSpecialPlate, plateKind, type PlateColorCode } from '../../../../platform/contract/plate.ts'
import { DupEntry, EntryArrears, FullPolicy, type Park, UseStatus } from '../../contract/park.ts'
import { CarKind, type CarKindCode, LaneCheck, type LaneCheckCode, LaneOutcome, type StayRow, type Tried } from '../../contract/stay.ts'
import type { Debts, Standing } from '../questions.ts'

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
  gateLocked?: boolean
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

type Say = (check: LaneCheckCode, hit: boolean, zh: string, en: string) => void
type Made = (outcome: Outcome, carKind: CarKindCode, line: string, more?: Partial<Verdict>) => Verdict
/** One check: it says what it found, and gives a verdict when it decides. */
type Check = (car: AtEntrance, say: Say, made: Made) => Verdict | undefined

/**
 * The admission decision of an entrance (准入): ten checks in a fixed order, the first that hits decides. The list of checks tried answers "why was I refused".
 */
export function admit(car: AtEntrance): Verdict {
  const checks: Tried[] = []
  const say: Say = (check, hit, zh, en) => void checks.push({ check, hit, zh, en })
  const made: Made = (outcome, carKind, line, more = {}) => {
    // Behind a barrier that stands open nobody is kept out.
    const keepsNobody = car.decided === true || car.park.openAllFrom !== null
    const allTheSame = keepsNobody && (outcome === LaneOutcome.refuse || outcome === LaneOutcome.ask)
    return {
      outcome: allTheSame ? LaneOutcome.pass : outcome,
      carKind,
      checks: allTheSame ? [...checks.slice(0, -1), letIn(checks.at(-1)!)] : checks,
      // Whoever is let in closes the record that it left behind.
      closesOpen: car.open !== undefined && (outcome === LaneOutcome.pass || keepsNobody),
      keepsOpen: false,
      says: [car.plateNo, allTheSame ? '欢迎光临' : line],
      ...more,
    }
  }
  for (const check of CHECKS) {
    const verdict = check(car, say, made)
    if (verdict) return reminded(car, verdict)
  }
  return reminded(car, temporary(car, say, made))
}

/** A car that is let in though it owes reads on the sign what it owes. */
function reminded({ debts }: AtEntrance, verdict: Verdict): Verdict {
  const owes = verdict.outcome === LaneOutcome.pass && verdict.checks.some(({ check, hit }) => hit && check === LaneCheck.arrears)
  return owes ? { ...verdict, says: [...verdict.says, owesLine(debts)] } : verdict
}
/** As a sign says it, beside its other lines. */
export const owesLine = ({ amountFen }: { amountFen: number }): string => `有欠费 ${yuan(amountFen)} 元`

/** What would have kept it out, and that it did not. */
const letIn = ({ zh, en, ...one }: Tried): Tried => ({ ...one, zh: `${zh}，仍放行`, en: `${en}: let in all the same` })

const open: Check = (car, say, made) => {
  if (car.gateLocked) {
    say(LaneCheck.open, true, LOCKED.zh, LOCKED.en)
    return made(LaneOutcome.refuse, CarKind.temporary, LOCKED.zh)
  }
  const closed = closedBecause(car)
  const pass = car.standing.pass
  if (closed && !(pass?.allDay && !pass.full)) {
    say(LaneCheck.open, true, closed.zh, closed.en)
    return made(LaneOutcome.refuse, CarKind.temporary, closed.zh)
  }
  return void say(LaneCheck.open, false, closed ? '全天月卡，时段外可入' : '开放', closed ? 'All-day pass: may enter outside opening hours' : 'Open')
}

const special: Check = (car, say, made) => {
  if (!car.standing.special && !isOfficialPlate(car.plateNo)) return void say(LaneCheck.special, false, '不是特种车', 'Not a special vehicle')
  say(LaneCheck.special, true, ...told(car.standing.because?.special, '特种车免费放行', 'Special vehicle, free'))
  return repeated(car) ? made(LaneOutcome.ignore, CarKind.special, '', KEEPS) : made(LaneOutcome.pass, CarKind.special, '特种车辆')
}

const blackList: Check = ({ standing: { black } }, say, made) => {
  if (!black) return void say(LaneCheck.black, false, '不在黑名单', 'Not on the black list')
  if (black.action !== MAY_NOT_ENTER)
    return void say(LaneCheck.black, false, `黑名单（允许入场）：${black.zh}`, `On the black list, may enter: ${black.en}`)
  say(LaneCheck.black, true, `黑名单：${black.zh}`, `On the black list: ${black.en}`)
  return made(LaneOutcome.refuse, CarKind.temporary, '禁止入场')
}

const inside: Check = (car, say, made) => {
  if (!car.open) return void say(LaneCheck.inside, false, '不在场内', 'Not inside')
  if (repeated(car)) {
    say(LaneCheck.inside, true, '重复识别，忽略', 'Read twice, ignored')
    return made(LaneOutcome.ignore, CarKind.temporary, '', KEEPS)
  }
  if (car.park.dupEntry === DupEntry.closeOld || car.decided)
    return void say(LaneCheck.inside, false, '已在场：关闭旧记录', 'Already inside: the old record is closed')
  if (car.park.dupEntry === DupEntry.keepOld) {
    say(LaneCheck.inside, true, '已在场：沿用原记录', 'Already inside: its record continues')
    return made(LaneOutcome.pass, CarKind.temporary, '欢迎光临', KEEPS)
  }
  say(LaneCheck.inside, true, '已在场：人工确认', 'Already inside: staff decide')
  return made(LaneOutcome.ask, CarKind.temporary, ASKS)
}
const KEEPS = { keepsOpen: true, closesOpen: false } as const
/** The same car at the same lane within a minute. */
const repeated = ({ open, gateCode, at, decided }: AtEntrance) =>
  !decided && open?.entryTime != null && open.entryGate === gateCode && Date.parse(at) - Date.parse(open.entryTime) < REPEATED_READ_MS

const whiteList: Check = ({ standing: { white, black, because } }, say, made) => {
  // Both lists hold: black wins.
  if (!white || black)
    return void say(
      LaneCheck.white,
      false,
      ...(white ? (['不在白名单', 'Not on the white list'] as const) : told(because?.white, '不在白名单', 'Not on the white list')),
    )
  say(LaneCheck.white, true, ...told(because?.white, '白名单免费放行', 'On the white list, free'))
  return made(LaneOutcome.pass, CarKind.free, '欢迎光临')
}

const validPass: Check = ({ standing: { pass, barred, because } }, say, made) => {
  if (!pass) return void say(LaneCheck.pass, false, ...told(because?.pass, '无有效月卡', 'No valid pass'))
  if (pass.full) return void say(LaneCheck.pass, false, '月卡车位已占用，按临时车', 'All bays of the pass are taken: treated as a temporary car')
  if (barred) return refusedBy(LaneCheck.pass, barred, say, made)
  say(LaneCheck.pass, true, ...told(because?.pass, '月卡有效', 'Valid pass'))
  return made(LaneOutcome.pass, CarKind.pass, '月卡车 欢迎光临')
}

/** What whoever knows the car says of it, or the plain sentence. */
const told = (words: { zh: string; en: string } | undefined, zh: string, en: string) =>
  words ? ([words.zh, words.en] as const) : ([zh, en] as const)
/** A rule of access: it stops passes and temporary cars. */
function refusedBy(check: LaneCheckCode, { zh, en }: { zh: string; en: string }, say: Say, made: Made): Verdict {
  say(check, true, zh, en)
  return made(LaneOutcome.refuse, CarKind.temporary, '非准入时段')
}

const reserved: Check = ({ standing: { reserve } }, say, made) => {
  if (!reserve) return void say(LaneCheck.reservation, false, '无预约', 'No reservation')
  say(LaneCheck.reservation, true, '预约时段内', 'Within its reservation')
  return made(LaneOutcome.pass, CarKind.reserved, '预约车 欢迎光临')
}

const owing: Check = ({ park, debts: { count, amountFen } }, say, made) => {
  if (park.entryArrears === EntryArrears.ignore) return void say(LaneCheck.arrears, false, '不检查欠费', 'Arrears not checked')
  if (count === 0) return void say(LaneCheck.arrears, false, '无欠费', 'No arrears')
  const { entryArrearsFen, entryArrearsCount } = park
  const much = (entryArrearsFen > 0 && amountFen >= entryArrearsFen) || (entryArrearsCount > 0 && count >= entryArrearsCount)
  const refused = park.entryArrears === EntryArrears.refuse && much
  const [zh, en] = refused ? ['禁止入场', 'refused'] : ['提醒', 'reminded']
  say(LaneCheck.arrears, true, `欠费 ${yuan(amountFen)} 元（${count} 笔），${zh}`, `Owes ¥${yuan(amountFen)}, ${count} unpaid: ${en}`)
  return refused ? made(LaneOutcome.refuse, CarKind.temporary, `请先补缴${yuan(amountFen)}元`) : undefined
}

const room: Check = ({ park: { fullPolicy }, remaining, leaving }, say, made) => {
  if (remaining > 0) return void say(LaneCheck.bays, false, `余位 ${remaining}`, `${remaining} ${plural(remaining, 'bay')} free`)
  if (fullPolicy === FullPolicy.admit) return void say(LaneCheck.bays, false, '满位仍放行', 'Full, but still admitted')
  if (fullPolicy === FullPolicy.oneForOne && remaining + leaving > 0)
    return void say(LaneCheck.bays, false, '满位，一进一出', 'Full: one in, one out')
  say(LaneCheck.bays, true, '车位已满', 'Full')
  return made(LaneOutcome.refuse, CarKind.temporary, '车位已满')
}

function temporary({ plateNo, park, standing: { barred } }: AtEntrance, say: Say, made: Made): Verdict {
  if (barred) return refusedBy(LaneCheck.temporary, barred, say, made)
  const unplated = plateKind(plateNo) === 'unplated'
  const kind = unplated ? CarKind.noPlate : CarKind.temporary
  if (unplated) say(LaneCheck.temporary, true, '无牌车，人工确认', 'Unplated car: staff decide')
  else if (!isSpecialPlate(plateNo)) say(LaneCheck.temporary, true, '车牌不完整，人工确认', 'Incomplete plate: staff decide')
  else if (!park.tempAllowed) say(LaneCheck.temporary, true, '不接待临时车，人工确认', 'No temporary cars here: staff decide')
  else {
    say(LaneCheck.temporary, true, '临时车放行', 'Temporary car, admitted')
    return made(LaneOutcome.pass, kind, '欢迎光临')
  }
  return made(LaneOutcome.ask, kind, ASKS)
}

/** In this order, by the rule of the city. */
const CHECKS: readonly Check[] = [open, special, blackList, inside, whiteList, validPass, reserved, owing, room]
const ASKS = '请稍候 人工确认'

const LOCKED = { zh: '通道已锁闸', en: 'This lane is locked' }
function closedBecause({ park, gateStatus, at }: AtEntrance): { zh: string; en: string } | undefined {
  if (gateStatus !== UseStatus.inUse) return { zh: '通道停用', en: 'This lane is disabled' }
  if (park.status !== UseStatus.inUse) return { zh: '车场停用', en: 'This car park is disabled' }
  if (park.openAllFrom || isOpen(park.openFrom, park.openTo, at)) return undefined
  return { zh: '通行时段外', en: 'Outside opening hours' }
}

/** `to` at or before `from` goes over midnight; equal is day and night. */
export function isOpen(from: string, to: string, at: Instant): boolean {
  if (from === to) return true
  const clock = cityTime(at).slice(11, 16)
  return from < to ? clock >= from && clock < to : clock >= from || clock < to
}
/** Asia/Shanghai has had no summer time since 1991. */

/** For signs, which have no room for trailing zeros: `5`, `7.5`. */
export const yuan = (fen: number): string => String(fen / 100)
/** Of `black_action`, which a domain above keeps. */
const MAY_NOT_ENTER = 1
