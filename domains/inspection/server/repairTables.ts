import type { Generated, GeneratedAlways } from 'kysely'
import type { Of } from '../../../platform/contract/field.ts'
import type { KeptRepair } from '../contract/repair.ts'

type Scoped = { enterpriseId: Generated<number> }
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Empty<T> = { [K in keyof T]: null extends T[K] ? K : never }[keyof T]
type Kept = Of<typeof KeptRepair>

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'inspection.repair': Filled<Omit<Kept, 'costFen'>, Row | 'repairNo' | 'reports' | 'state' | 'parts' | 'partsFen' | 'labourFen' | Empty<Kept>> & {
      costFen: GeneratedAlways<Kept['costFen']>
    } & Scoped
  }
}
