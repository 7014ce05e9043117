/**
 * All of parking that other domains may call. Those above answer its questions: `admission` (who is this car here and now), `cover` (time paid for otherwise),
 * `debts` (what it owes from before), `parkHeld` (what keeps a park from being deleted); and listen to `entered` and `left`.
 */
export { admission, cover, debts, entered, laneTopic, left, parkHeld, parkTopic, stayTopic } from './questions.ts'
export type { CarAt, Covered, Debts, Standing } from './questions.ts'
export { flowBetween, parksSince, type Passed, passedBetween, platesBetween } from './figures.ts'
export { type Inside, insideOf, kindsInside, occupancyOf, roomIn } from './occupancy.ts'
export { openStaysOf } from './stayMoves.ts'
export { plateTyped } from './correction.ts'
