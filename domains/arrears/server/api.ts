/**
 * All of arrears that other domains may call: what a vehicle owes (`owedBy`), whether the debt of an order was appealed (`isAppealed`), and one payment for several debts (`openDebts` within `payOnline`). Those above answer `contactOf` (whom a vehicle's reminders go to) and `paysFirst` (an account that pays at an exit before the antenna, which `deductNext` then has its turn) and `paysLast` (what pays where neither did), and listen to `blacklistProposed`.
 */
export { isAppealed } from './appeal.ts'
export { blacklistProposed, contactOf, paysFirst, paysLast, type Waits } from './questions.ts'
export { deductNext } from './deduct.ts'
export { type File, fileOf, owedBy } from './file.ts'
export { openDebts, payOnline } from './repayment.ts'
