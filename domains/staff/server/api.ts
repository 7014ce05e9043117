/** All of staff that domains above may call: who works in the field, by their number. */
export { type FieldWorker, fieldWorker } from './fieldWorker.ts'
