/** All that other domains may call. */
export { refuseLocked } from './handheld.ts'
export { sectionsNear } from './near.ts'
export { collectorsOnDuty, evidenceWhole, handheldLocked } from './questions.ts'
export { districtsOf, overviewOf, resourcesOf } from './screen.ts'
export { flowOf } from './wall.ts'
