import { patrolRecord } from '../contract/patrolRecord.ts'
import { patrolRules } from '../contract/patrolRule.ts'
import { result } from '../contract/result.ts'
import { scheduling } from '../contract/task.ts'

/** Calls that are read again when a rule or a task changed. */
export const CHANGES = [patrolRules.query, patrolRules.parks, scheduling.query, patrolRecord.find, result.query]
