import type { Id, Instant } from '../../../../platform/contract/field.ts'
import { FeeChoice } from '../../contract/gate.ts'
import type { StayId } from '../../contract/stay.ts'

/** What a person at the lane has said about the car at an exit. */
export interface PersonSays {
  by: string
  /** It is in this stay. */
  stayId?: Id<StayId>
  /** It was not seen coming in: it came at this time. */
  entryTime?: Instant
  /** It may leave, and this becomes of what it has to pay. */
  fee?: keyof typeof FeeChoice.entries | undefined
  /** The plate is another than the camera read: it is looked for anew. Alone, it lets nobody pass. */
  otherPlate?: true
  /** No rule was in force when it came: the one that is in force now counts. */
  ruleNow?: true
}

/** Whoever says no more than which plate it is decides nothing yet. */
const onlyPlate = (person: PersonSays) => person.otherPlate && !person.stayId && !person.entryTime
/** They know which car it is: no other is looked for, and nobody is asked. */
export const knowsCar = (person: PersonSays | undefined): boolean => person !== undefined && !onlyPlate(person) && !person.ruleNow
/** They have looked and let it pass. */
export const letsGo = (person: PersonSays | undefined): person is PersonSays =>
  person !== undefined && knowsCar(person) && !person.stayId && !person.entryTime
/** What it has to pay is asked all the same: they take it in cash, or have it owed. */
export const feeStands = (person: PersonSays | undefined): boolean => person?.fee === FeeChoice.arrears || person?.fee === FeeChoice.cash
