/** For whoever brings a past along: the logs of what was worked, and what the watch would have said meanwhile. */
export { countLogs } from './counting.ts'
export { keepLogs } from './duty.ts'
export { watchStaff } from './watching.ts'
/** All of staff that domains above may call: who works in the field, by their number. */
export { type FieldWorker, fieldWorker } from './fieldWorker.ts'
