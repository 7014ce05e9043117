/** All that other domains may call. */
export { refuseLocked } from './handheld.ts'
export { handheldLocked } from './questions.ts'
