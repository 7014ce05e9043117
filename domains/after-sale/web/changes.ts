import { interview } from '../contract/interview.ts'
import { standardCase } from '../contract/case.ts'
import { suggestion } from '../contract/suggestion.ts'
import { workOrder } from '../contract/workOrder.ts'

/** Calls that are read again when an order changes. */
export const ORDER_CHANGES = [
  workOrder.query,
  workOrder.one,
  workOrder.progress,
  workOrder.summary,
  workOrder.handlers,
  interview.query,
  standardCase.query,
] as const
export const SUGGESTION_CHANGES = [suggestion.query, suggestion.one, suggestion.summary, workOrder.query, workOrder.summary, interview.query] as const
export const INTERVIEW_CHANGES = [interview.query, suggestion.summary, ...ORDER_CHANGES] as const
export const CASE_CHANGES = [standardCase.query, standardCase.one] as const
