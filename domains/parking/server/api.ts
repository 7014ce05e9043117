/**
 * All of parking that other domains may call. Those above answer its questions: `admission` (who is this car here and now), `cover` (time paid for otherwise),
 * `debts` (what it owes from before), `discounts` (what is taken off its fee), `parkHeld` (what keeps a park from being deleted); and listen to `entered` and `left`.
 */
export {
  admission,
  advertised,
  alsoDue,
  alsoLetOff,
  bays,
  berthDecided,
  cover,
  debts,
  discounts,
  discountsHeld,
  entered,
  exitWaits,
  held,
  laneTopic,
  left,
  parkHeld,
  parkTopic,
  stayTopic,
} from './questions.ts'
export type { AlsoDue, CarAt, Covered, Debts, Discount, DiscountWanted, Parked, Standing } from './questions.ts'
export { hoursOf, lastMoves, parksSince, type Passed, passedBetween, platesBetween } from './report/figures.ts'
export { type Inside, insideOf, kindsInside, occupancyOf, roomIn } from './place/occupancy.ts'
/** A berth's stay is made, moved, priced and billed by the same functions as a lane's. */
export { type AnyStay, editStay, lockStay, minutesBetween, moveStay, openStaysOf, type StayChanges, withStay } from './stay/stayMoves.ts'
export { insertStay, type NewStay } from './lane/entrance.ts'
export { frozenOfBerth, priceOf } from './bill/pricing.ts'
export { type Bill, billStay, cancelDue, dueOf, isAsked, oweRest } from './bill/money.ts'
export { parkOf } from './place/park.ts'
export { lookAgainAt } from './lane/paid.ts'
export { standingOf } from './questions.ts'
export { after } from './lane/passing.ts'
export { isPlace } from './place/gate.ts'
export { ordinaryPlate, plateTyped } from './stay/correction.ts'
export { feeOfStay } from './stay/story.ts'
export { heldEvents } from './bill/heldStory.ts'
export { askedNow, type CarInside, carsInside } from './bill/presentStay.ts'
export { billOf, linesOf } from './code/driver.ts'
export { type Visited, visit } from './code/qrcode.ts'
export { pointsOf } from './place/screen.ts'
/** Sets the key that a demo's call centre signs with. */
export { callCentreSignsWith } from './lane/callOut.ts'
