import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Sample } from '../contract/sample.ts'

type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type SampleRow = Filled<Of<typeof Sample>, 'id' | 'state' | 'amountFen' | 'happenedAt' | 'version'>

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'dashboard.sample': SampleRow & { enterpriseId: Generated<number>; createdAt: Generated<Instant>; updatedAt: Generated<Instant> }
  }
}
