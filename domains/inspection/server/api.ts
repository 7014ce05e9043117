/** For callers with a clock or a city of their own: the calls' own steps. */
export { faultFound } from './repair.ts'
export { stepRepair } from './repairMove.ts'
export { apply } from './scrap.ts'
