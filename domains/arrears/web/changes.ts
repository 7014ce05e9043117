import { appeal } from '../contract/appeal.ts'
import { closing } from '../contract/closing.ts'
import { dun } from '../contract/dun.ts'
import { record } from '../contract/record.ts'
import { repay } from '../contract/repayment.ts'

/** Calls that are read again after something was done about a debt. */
export const DEBT_CHANGES = [
  record.list,
  record.escapeList,
  record.exceptionList,
  record.laneList,
  record.summary,
  record.laneSummary,
  record.detail,
  repay.list,
  repay.summary,
  repay.laneList,
  appeal.list,
  closing.list,
  dun.list,
]
