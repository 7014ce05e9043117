import { task } from '../../../platform/server/jobs.ts'
import { thawDue } from './freeze.ts'

/** Pauses that are over. */
export const tasks = [task('member.thaw', ({ tx, at }) => thawDue(tx, at), { every: '*/10 * * * *' })]
