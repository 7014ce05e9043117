import type { Instant } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { ExitArrears } from '../../contract/park.ts'
import type { Priced } from '../bill/checking.ts'
import { priceOf, ruleInForce } from '../bill/pricing.ts'
import { enteredAt } from './enteredAt.ts'
import type { Found } from './exitFind.ts'
import { holdDebts, type LaneNow, type ParkRow } from './lane.ts'
import type { PersonSays } from './personSays.ts'
import { type AlsoDue, alsoDueOf, type Debts, debts, type Standing, standingOf } from '../questions.ts'
import type { Sighting } from './sighting.ts'
import { editStay, type StayRecord } from '../stay/stayMoves.ts'

/** The second step of an exit: what is due for the stay, and by what right the car may go without paying. Nothing is asked for yet. */
export interface Due extends Found {
  /** As a person at the lane has put it right. */
  stay: StayRecord
  /** Lists, passes and reservations of the plate of the stay: it counts, not one misread at the exit. */
  standing: Standing
  /** What its rules ask less what passes, accounts and discounts pay; none: no rule covers it. */
  priced: Priced | undefined
  /** Orders of their own that this exit collects. */
  also: readonly AlsoDue[]
  /** From earlier stays, where the park looks at that. */
  debts: Debts
}

const RuleKnown = refusal(
  'parking.rule-known',
  40869,
  '该车入场时已有生效的收费规则，不能改按现行规则：金额有误请核对费用或更正停车记录',
  'A fee rule was in force when this car came in, so the rule of now does not replace it: check the fee, or correct the stay',
)

/** @throws RuleKnown, and of `enteredAt` */
export async function price(tx: Tx, { park }: LaneNow, car: Sighting, found: Found, person?: PersonSays): Promise<Due> {
  const stay = await asSaid(tx, found.stay, car, person)
  const standing = stay.plateNo === car.plateNo ? found.standing : await standingOf(tx, { ...car, plateNo: stay.plateNo })
  if (park.exitArrears === ExitArrears.payFirst) await holdDebts(tx, stay.plateNo)
  const also = await alsoDueOf(tx, stay.id, car.at)
  const [priced, owes] = await Promise.all([
    priceOf(tx, park, stay, car.at),
    park.exitArrears === ExitArrears.ignore ? [] : debts.ask(tx, { ...stay, before: stay.entryTime ?? car.at, atMost: park.exitArrearsCount }),
  ])
  return { stay, checks: found.checks, standing, priced, also, debts: owes[0]?.answer ?? NO_DEBTS }
}
const NO_DEBTS = { count: 0, amountFen: 0 }

/** The stay with what a person has said of it at the lane: by which rule, or since when it is priced. */
function asSaid(tx: Tx, stay: StayRecord, car: Sighting, person?: PersonSays): Promise<StayRecord> | StayRecord {
  if (person?.ruleNow) return byRuleNow(tx, stay, car.at)
  return person?.entryTime ? enteredAt(tx, stay, person.entryTime, person.by) : stay
}
/** @throws RuleKnown */
async function byRuleNow(tx: Tx, stay: StayRecord, at: Instant): Promise<StayRecord> {
  if (stay.ruleVersionId) throw RuleKnown()
  return editStay(tx, stay, { ruleVersionId: await ruleInForce(tx, stay, at) })
}

/** What was due at an exit of then, of a car that has gone on: its fee alone. */
export async function priceThen(tx: Tx, park: ParkRow, stay: StayRecord, at: Instant): Promise<Due> {
  const { parkCode, plateNo, plateColor } = stay
  const [standing, priced] = await Promise.all([
    standingOf(tx, { parkCode, plateNo, plateColor, gateCode: stay.exitGate!, at }),
    priceOf(tx, park, stay, at),
  ])
  return { stay, checks: [], standing, priced, also: [], debts: NO_DEBTS }
}
