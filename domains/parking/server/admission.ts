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
  const made: Made = (outcome, carKind, line, more = {}) => ({
    outcome: car.decided && (outcome === REFUSE || outcome === ASK) ? PASS : outcome,
    carKind,
    checks,
    // Whoever is let in closes the record that it left behind.
    closesOpen: car.open !== undefined && (outcome === PASS || car.decided === true),
    keepsOpen: false,
    says: [car.plateNo, line],
    ...more,
  })
  for (const check of CHECKS) {
    const verdict = check(car, say, made)
    if (verdict) return verdict
  }
  return temporary(car, say, made)
}

const open: Check = (car, say, made) => {
  const closed = closedBecause(car)
  const pass = car.standing.pass
  if (closed && !(pass?.allDay && !pass.full)) {
    say(1, true, closed.zh, closed.en)
    return made(REFUSE, 9, closed.zh)
  }
  return void say(1, false, closed ? '全天月卡，时段外可入' : '开放', closed ? 'A pass for all hours' : 'Open')
}

const special: Check = (car, say, made) => {
  if (!car.standing.special && !isOfficialPlate(car.plateNo)) return void say(2, false, '不是特种车', 'Not a special vehicle')
  say(2, true, '特种车免费放行', 'A special vehicle, free')
  return repeated(car) ? made(IGNORE, 5, '', KEEPS) : made(PASS, 5, '特种车辆')
}

const blackList: Check = ({ standing: { black } }, say, made) => {
  if (!black) return void say(3, false, '不在黑名单', 'Not on the black list')
  if (black.action !== 1) return void say(3, false, `黑名单（允许入场）：${black.zh}`, `On the black list, may enter: ${black.en}`)
  say(3, true, `黑名单：${black.zh}`, `On the black list: ${black.en}`)
  return made(REFUSE, 9, '禁止入场')
}

const inside: Check = (car, say, made) => {
  if (!car.open) return void say(4, false, '不在场内', 'Not inside')
  if (repeated(car)) {
    say(4, true, '重复识别，忽略', 'Read twice, ignored')
    return made(IGNORE, 9, '', KEEPS)
  }
  if (car.park.dupEntry === 1 || car.decided) return void say(4, false, '已在场：关闭旧记录', 'Already inside: the old record is closed')
  if (car.park.dupEntry === 2) {
    say(4, true, '已在场：沿用原记录', 'Already inside: its record goes on')
    return made(PASS, 9, '欢迎光临', KEEPS)
  }
  say(4, true, '已在场：人工确认', 'Already inside: a person decides')
  return made(ASK, 9, ASKS)
}
const KEEPS = { keepsOpen: true, closesOpen: false } as const
/** The same car at the same lane within a minute. */
const repeated = ({ open, gateCode, at, decided }: AtEntrance) =>
  !decided && open?.entryTime != null && open.entryGate === gateCode && Date.parse(at) - Date.parse(open.entryTime) < REPEATED_READ_MS

const whiteList: Check = ({ standing: { white, black } }, say, made) => {
  // Both lists hold: black wins.
  if (!white || black) return void say(5, false, '不在白名单', 'Not on the white list')
  say(5, true, '白名单免费放行', 'On the white list, free')
  return made(PASS, 1, '欢迎光临')
}

const validPass: Check = ({ standing: { pass } }, say, made) => {
  if (!pass) return void say(6, false, '无有效月卡', 'No valid pass')
  if (pass.full) return void say(6, false, '月卡车位已占用，按临时车', 'All seats of the pass are taken: a temporary car')
  say(6, true, '月卡有效', 'A valid pass')
  return made(PASS, 8, '月卡车 欢迎光临')
}

const reserved: Check = ({ standing: { reserve } }, say, made) => {
  if (!reserve) return void say(7, false, '无预约', 'No reservation')
  say(7, true, '预约时段内', 'Within its reservation')
  return made(PASS, 2, '预约车 欢迎光临')
}

const owing: Check = ({ park, debts: { count, amountFen } }, say, made) => {
  if (park.entryArrears === 1) return void say(8, false, '不检查欠费', 'Arrears are not looked at')
  if (count === 0) return void say(8, false, '无欠费', 'No arrears')
  const { entryArrearsFen, entryArrearsCount } = park
  const much = (entryArrearsFen > 0 && amountFen >= entryArrearsFen) || (entryArrearsCount > 0 && count >= entryArrearsCount)
  const refused = park.entryArrears === 3 && much
  const [zh, en] = refused ? ['禁止入场', 'refused'] : ['提醒', 'reminded']
  say(8, refused, `欠费 ${yuan(amountFen)} 元（${count} 笔），${zh}`, `Owes ¥${yuan(amountFen)} in ${count}: ${en}`)
  return refused ? made(REFUSE, 9, `请先补缴${yuan(amountFen)}元`) : undefined
}

const room: Check = ({ park: { fullPolicy }, remaining, leaving }, say, made) => {
  if (remaining > 0) return void say(9, false, `余位 ${remaining}`, `${remaining} bays free`)
  if (fullPolicy === 3) return void say(9, false, '满位仍放行', 'Full, admitted all the same')
  if (fullPolicy === 2 && remaining + leaving > 0) return void say(9, false, '满位，一进一出', 'Full: one in for one that is leaving')
  say(9, true, '车位已满', 'Full')
  return made(REFUSE, 9, '车位已满')
}

function temporary({ plateNo, park }: AtEntrance, say: Say, made: Made): Verdict {
  const unplated = plateKind(plateNo) === 'unplated'
  const kind = unplated ? 6 : 9
  if (unplated) say(10, true, '无牌车，人工确认', 'Without a plate: a person decides')
  else if (!isSpecialPlate(plateNo)) say(10, true, '车牌不完整，人工确认', 'No whole plate was read: a person decides')
  else if (!park.tempAllowed) say(10, true, '不接待临时车，人工确认', 'No temporary cars here: a person decides')
  else {
    say(10, true, '临时车放行', 'A temporary car, admitted')
    return made(PASS, kind, '欢迎光临')
  }
  return made(ASK, kind, ASKS)
}

/** In this order, by the rule of the city. */
const CHECKS: readonly Check[] = [open, special, blackList, inside, whiteList, validPass, reserved, owing, room]
const ASKS = '请稍候 人工确认'

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
