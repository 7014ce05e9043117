import { patrolRecord } from '../contract/patrolRecord.ts'
import { patrolRules } from '../contract/patrolRule.ts'
import { result } from '../contract/result.ts'
import { scheduling } from '../contract/task.ts'

/** What looks different when a rule or a task was changed. */
export const CHANGES = [patrolRules.query, patrolRules.parks, scheduling.query, patrolRecord.find, result.query]
