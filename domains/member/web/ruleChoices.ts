import { rule, RuleStatus } from '../../fee/contract/rule.ts'

/** Fee rules that may be chosen: those that are published. */
export const ruleChoices = { call: rule.queryPage, input: { status: [RuleStatus.published], limit: 500 } }
