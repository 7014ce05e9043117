import type { Generated, GeneratedAlways } from 'kysely'
import type { Of } from '../../../platform/contract/field.ts'
import type { KeptRule, PatrolRule } from '../contract/patrolRule.ts'
import type { PatrolRecord } from '../contract/patrolRecord.ts'
import type { KeptRepair } from '../contract/repair.ts'
import type { Result } from '../contract/result.ts'
import type { KeptScrap } from '../contract/scrap.ts'
import type { KeptTask, Task } from '../contract/task.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Seen = { enterpriseId: number }
/** Columns that may be empty are left out where there is nothing to say. */
type Empty<T> = { [K in keyof T]: null extends T[K] ? K : never }[keyof T]
type Rule = Of<typeof KeptRule>
type KeptOf = Of<typeof KeptTask>
type Broken = Of<typeof KeptRepair>
type Worn = Of<typeof KeptScrap>

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'inspection.rule': Filled<Rule, Row | 'times' | Empty<Rule>> & Scoped
    'inspection.ruleLine': Of<typeof PatrolRule> & Seen
    'inspection.task': Filled<KeptOf, Row | 'taskNo' | 'state' | Empty<KeptOf>> & Scoped
    'inspection.taskLine': Of<typeof Task> & Seen
    'inspection.recordLine': Of<typeof PatrolRecord> & Seen
    'inspection.repair': RepairTable & Scoped
    'inspection.scrap': Filled<Worn, Row | 'scrapNo' | 'state' | Empty<Worn>> & Scoped
    'inspection.result': Filled<Of<typeof Result>, 'id' | Empty<Of<typeof Result>>> & Scoped
  }
}
/** The cost is the sum of parts and labour. */
type RepairTable = Filled<Omit<Broken, 'costFen'>, Row | 'repairNo' | 'reports' | 'state' | 'parts' | 'partsFen' | 'labourFen' | Empty<Broken>> & {
  costFen: GeneratedAlways<Broken['costFen']>
}
