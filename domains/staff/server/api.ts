/** For demo data and tests that bring a past along: the logs of past work, and the warnings of that time. */
export { countLogs } from './counting.ts'
export { keepLogs } from './duty.ts'
export { watchStaff } from './watching.ts'
/** All of staff that domains above may call: who works in the field, by their number. */
export { type FieldWorker, fieldWorker } from './fieldWorker.ts'
