import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { PartnerConnector, PartnerGun, PartnerStation } from '../contract/partnerStation.ts'
import type { Platform, PlatformMessage, PlatformRow } from '../contract/platform.ts'
import type { PlatformReduce, ReduceShown } from '../contract/platformReduce.ts'
import type { Roaming, RoamingBill, RoamingRow } from '../contract/roaming.ts'
import type { Difference, PartnerBill, PartnerCheck, Statement, StatementRow } from '../contract/statement.ts'

type Scoped = { enterpriseId: Generated<number> }
/** What the database fills in where nothing is said. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'roaming.platform': Filled<Of<typeof PlatformRow>, Row | Exclude<keyof Of<typeof PlatformRow>, 'name' | 'operatorId' | 'role'>> &
      Scoped & { ours: Generated<string | null>; theirs: Generated<string | null>; deleted: Generated<boolean> }
    'roaming.platformShown': Of<typeof Platform> & { enterpriseId: number }
    'roaming.partnerMessage': Of<typeof PlatformMessage> & Scoped & { line: string }
    'roaming.platformReduce': Filled<Of<typeof PlatformReduce>, Row | 'status' | 'stationIds' | 'parkCodes' | 'minWh' | 'minMinutes'> & Scoped
    'roaming.platformReduceShown': Of<typeof ReduceShown> & { enterpriseId: number }
    'roaming.partnerStation': Of<typeof PartnerStation> & Scoped
    'roaming.partnerConnector': Of<typeof PartnerConnector> & Scoped & { priceAskedAt: Instant | null }
    'roaming.partnerGun': Of<typeof PartnerGun> & { enterpriseId: number; priceAskedAt: Instant | null }
    'roaming.roaming': Of<typeof RoamingRow> & Scoped & { askedAt: Instant | null }
    'roaming.roamingShown': Of<typeof Roaming> & { enterpriseId: number }
    'roaming.roamingBill': Of<typeof RoamingBill> & Scoped
    'roaming.partnerBill': Of<typeof PartnerBill> & { enterpriseId: number }
    'roaming.partnerCheck': Of<typeof PartnerCheck> & Scoped & { orderNos: string[] }
    'roaming.statement': Of<typeof StatementRow> & Scoped
    'roaming.statementShown': Of<typeof Statement> & { enterpriseId: number }
    'roaming.partnerDifference': Of<typeof Difference> & Scoped
  }
}
