/**
 * All of arrears that other domains may call. Those above answer `contactOf` (whom a vehicle's reminders go to) and listen to `blacklistProposed`.
 */
export { blacklistProposed, contactOf } from './questions.ts'
