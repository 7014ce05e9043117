/** `wasUsed(tx, { id, enteredAt, leftAt }, at)`: a booking whose car came and left with no lane to tell of it. */
export { wasUsed } from './life.ts'
