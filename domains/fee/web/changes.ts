import { associate } from '../contract/associate.ts'
import { rehearsal } from '../contract/rehearsal.ts'
import { rule } from '../contract/rule.ts'
import { frequency, hour, segment, step } from '../contract/segment.ts'

/** Calls whose answers are stale after a rule, its tables or its ties changed. */
export const RULE_CHANGES = [rule.queryPage, rule.detail, associate.queryPage, rehearsal.verdict] as const
export const TABLE_CHANGES = [rule.detail, rehearsal.verdict, segment.queryPage, frequency.queryPage, hour.queryPage, step.queryPage] as const
export const REHEARSAL_CHANGES = [rehearsal.queryPage, rehearsal.verdict] as const
export const TIE_CHANGES = [associate.queryPage] as const
