import { appeal } from '../contract/appeal.ts'
import { closing } from '../contract/closing.ts'
import { dun } from '../contract/dun.ts'
import { record } from '../contract/record.ts'
import { repay } from '../contract/repayment.ts'

/** What changes when something is done about a debt: these are read again. */
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
