/**
 * All of member that other domains may call; it tells parking about cars by answering its questions. Orders of passes stand in `member.payment` with park, kind of pass and
 * plan.
 */
export { addRule } from './accessRule.ts'
export { addPass, type NewPass } from './sold/pass.ts'
export { addKind, addSale, type MadeKind } from './setup.ts'
export { addToList, type NewEntry, setUnitBays } from './whiteBlack.ts'
