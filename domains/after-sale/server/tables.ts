import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Case } from '../contract/case.ts'
import type { Interview, KeptInterview } from '../contract/interview.ts'
import type { Suggestion } from '../contract/suggestion.ts'
import type { KeptOrder, WorkOrder } from '../contract/workOrder.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Seen = { enterpriseId: number }
/** Columns that may be empty are left out where there is nothing to say. */
type Empty<T> = { [K in keyof T]: null extends T[K] ? K : never }[keyof T]

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'afterSale.workOrder': OrderTable & Scoped & { linkHash: Generated<string | null> }
    'afterSale.orderLine': Of<typeof WorkOrder> & { invitedAt: Instant | null } & Seen
    'afterSale.suggestion': SuggestionTable & Scoped
    'afterSale.interview': InterviewTable & Scoped
    'afterSale.interviewLine': Of<typeof Interview> & Seen
    'afterSale.case': CaseTable & Scoped
  }
}
type Kept = Of<typeof KeptOrder>
type OrderTable = Filled<Kept, Row | 'orderNo' | 'state' | 'reopens' | Empty<Kept>>
type Suggested = Of<typeof Suggestion>
type SuggestionTable = Filled<Suggested, Row | 'suggestNo' | 'state' | Empty<Suggested>>
type Asked = Of<typeof KeptInterview>
type InterviewTable = Filled<Asked, Row | 'attempts' | 'result' | Empty<Asked>>
type Written = Of<typeof Case>
type CaseTable = Filled<Written, Row | 'state' | 'used' | Empty<Written>>
