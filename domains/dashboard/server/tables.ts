import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Sample } from '../contract/sample.ts'
import type { WallLink } from '../contract/wall.ts'

type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type SampleRow = Filled<Of<typeof Sample>, 'id' | 'state' | 'amountFen' | 'happenedAt' | 'version'>
interface WallLinkRow {
  id: Generated<string>
  enterpriseId: Generated<number>
  name: string
  tokenHash: Buffer
  screens: number[]
  /** Null: all of the company's. */
  parkCodes: string[] | null
  regionCode: Generated<string | null>
  money: Generated<boolean>
  rotateSec: number
  expiresAt: Instant
  seenAt: Generated<Instant | null>
  makerName: string
  revokedAt: Generated<Instant | null>
  revokedBy: Generated<string | null>
  version: Generated<number>
  createdAt: Generated<Instant>
  updatedAt: Generated<Instant>
}

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'dashboard.sample': SampleRow & { enterpriseId: Generated<number>; createdAt: Generated<Instant>; updatedAt: Generated<Instant> }
    'dashboard.wallLink': WallLinkRow
    'dashboard.wallLinkOf': Of<typeof WallLink> & { enterpriseId: number }
  }
}
