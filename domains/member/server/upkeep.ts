import { task } from '../../../platform/server/job/jobs.ts'
import { thawDue } from './sold/freeze.ts'

/** Pauses that are over. */
export const tasks = [task('member.thaw', ({ tx, at }) => thawDue(tx, at), { every: '*/10 * * * *' })]
