/**
 * All of arrears that other domains may call: what a vehicle owes (`owedBy`), and one payment for several debts (`openDebts` within `payOnline`). Those above answer `contactOf` (whom a vehicle's reminders go to) and listen to `blacklistProposed`.
 */
export { blacklistProposed, contactOf } from './questions.ts'
export { type File, fileOf, owedBy } from './file.ts'
export { openDebts, payOnline } from './repay.ts'
