import type { Instant } from '../../../../platform/contract/field.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { NoEntry } from '../../contract/park.ts'
import { LaneCheck, type LaneCheckCode } from '../../contract/stay.ts'
import { dueOf } from '../bill/money.ts'
import type { Due } from './exitPrice.ts'
import type { LaneNow, ParkRow } from './lane.ts'
import { judgeExit, type Leave } from './leaving.ts'
import { feeStands, letsGo, type PersonSays } from './personSays.ts'
import type { Sighting } from './sighting.ts'

/** The third step of an exit: whether its barrier opens, the car is asked to pay, or a person is asked; `leave.checks` say why, from the first step on. */
export interface Judged extends Due {
  leave: Leave
}

export const SayFee = refusal(
  'parking.say-fee',
  40803,
  '车辆尚未缴费，请选择费用处理：免费、欠费或已收现金',
  'The car has not paid: choose free, arrears or paid in cash',
  422,
)
export const FeeUnknown = refusal(
  'parking.fee-unknown',
  40860,
  '费用还没有确定，不能记欠费或收现金：请先核对费用，或选择免费放行',
  'The fee is not known yet, so it can be neither owed nor taken in cash: settle the fee first, or let the car out free',
  422,
)
const EntryUnknown = refusal(
  'parking.entry-unknown',
  40863,
  '没有入场时间，费用无法计算，不能记欠费或收现金：请先输入入场时间，或选择免费放行',
  'Without an entry time there is no fee that could be owed or taken in cash: enter the entry time first, or let the car out free',
  422,
)

/**
 * Weighs only what was found and priced, by the rules of `leaving.ts`, the first that matches. A person who lets the car go is refused where the fee is left open.
 * @throws SayFee, FeeUnknown, EntryUnknown
 */
export function judge({ park, gate }: LaneNow, car: Sighting, due: Due, person?: PersonSays): Judged {
  const { stay, standing, priced, also, debts } = due
  const leave = judgeExit({
    ...{ park, stay, at: car.at, standing, debts, also, bill: priced?.bill },
    locked: gate.lockedBy !== null,
    gone: car.gone,
    byPerson: letsGo(person),
    feeStands: feeStands(person),
  })
  if (letsGo(person)) refuseUnsaid(park, person, due, leave)
  return { ...due, leave: { ...leave, checks: [...due.checks, ...leave.checks] } }
}

/** A car that went then: nobody could keep it. */
export const judgeGone = (park: ParkRow, at: Instant, { stay, standing, priced, debts }: Due): Leave =>
  judgeExit({ park, stay, at, standing, debts, bill: priced?.bill, gone: true })

/**
 * Whoever lets a car go says what becomes of its fee, unless it is known to be nothing; what nobody has worked out can be neither owed nor taken in cash.
 * @throws SayFee, FeeUnknown, EntryUnknown
 */
function refuseUnsaid({ noEntry }: ParkRow, person: PersonSays, { stay, priced }: Due, { checks, also }: Leave): void {
  const bill = priced?.bill
  const hit = (wanted: LaneCheckCode) => checks.some(({ check, hit }) => hit && check === wanted)
  const unknown = hit(LaneCheck.orderTimes) || (hit(LaneCheck.fee) && !also && (!bill || bill.held !== undefined))
  // A park that lets such cars go free means those that nobody asks about.
  const unseen = stay.entryTime === null && noEntry !== NoEntry.minimumFee && !hit(LaneCheck.free)
  if (feeStands(person) && unknown) throw FeeUnknown()
  if (feeStands(person) && unseen) throw EntryUnknown()
  const isDue = also !== undefined || (hit(LaneCheck.fee) && bill !== undefined && dueOf(stay, bill) > 0)
  if (person.fee === undefined && (unknown || unseen || isDue)) throw SayFee()
}
