import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Appeal } from '../contract/appeal.ts'
import type { Closing } from '../contract/closing.ts'
import type { EtcFile, EtcPassage, EtcRefund } from '../contract/etc.ts'
import type { Dun } from '../contract/dun.ts'
import { type ArrearsRecord, type Evidence } from '../contract/file.ts'
import type { RepaidPart, Repayment } from '../contract/repayment.ts'

type Scoped = { enterpriseId: Generated<number> }
type File = Of<typeof ArrearsRecord>

/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'arrears.record': Omit<File, 'paidFen' | 'waivedFen' | 'writtenOffFen' | 'revokedFen' | 'owedFen' | 'collectableFen'> &
      Scoped & { beforeAppeal: 0 | 1 | 2 | null; nextDunAt: Instant | null; dunStep: number; dunFrom: Instant | null }
    'arrears.file': File & { enterpriseId: number }
    'arrears.evidence': Of<typeof Evidence> & Scoped & { recordId: File['id']; parkCode: string }
    'arrears.appeal': Filled<Of<typeof Appeal>, Row | 'appealNo' | 'state' | 'approverName' | 'verdict' | 'decidedAt'> &
      Scoped & { approverId: Generated<string | null> }
    'arrears.closing': Filled<
      Of<typeof Closing>,
      Row | 'state' | 'approvals' | 'firstApproverId' | 'firstApproverName' | 'secondApproverName' | 'verdict' | 'decidedAt'
    > &
      Scoped & { secondApproverId: Generated<string | null> }
    'arrears.dun': Of<typeof Dun> & Scoped
    'arrears.etcPassage': Of<typeof EtcPassage> & { enterpriseId: number }
    'arrears.etcRefund': Of<typeof EtcRefund> & { enterpriseId: number }
    'arrears.etcFile': Of<typeof EtcFile> & Scoped
    'arrears.repayment': Of<typeof Repayment> & { enterpriseId: number }
    'arrears.repaymentPart': Of<typeof RepaidPart> & { enterpriseId: number }
  }
}
