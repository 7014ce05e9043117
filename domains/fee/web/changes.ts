import { associate } from '../contract/associate.ts'
import { rule } from '../contract/rule.ts'
import { frequency, hour, segment, step } from '../contract/segment.ts'

/** What shows old answers after a rule, its tables or its ties were changed. */
export const RULE_CHANGES = [rule.queryPage, rule.detail, associate.queryPage] as const
export const TABLE_CHANGES = [rule.detail, segment.queryPage, frequency.queryPage, hour.queryPage, step.queryPage] as const
export const TIE_CHANGES = [associate.queryPage] as const
