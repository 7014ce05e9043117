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
    'charging.platform': Filled<Of<typeof PlatformRow>, Row | Exclude<keyof Of<typeof PlatformRow>, 'name' | 'operatorId' | 'role'>> &
      Scoped & { ours: Generated<string | null>; theirs: Generated<string | null>; deleted: Generated<boolean> }
    'charging.platformShown': Of<typeof Platform> & { enterpriseId: number }
    'charging.partnerMessage': Of<typeof PlatformMessage> & Scoped & { line: string }
    'charging.platformReduce': Filled<Of<typeof PlatformReduce>, Row | 'status' | 'stationIds' | 'parkCodes' | 'minWh' | 'minMinutes'> & Scoped
    'charging.platformReduceShown': Of<typeof ReduceShown> & { enterpriseId: number }
    'charging.partnerStation': Of<typeof PartnerStation> & Scoped
    'charging.partnerConnector': Of<typeof PartnerConnector> & Scoped & { priceAskedAt: Instant | null }
    'charging.partnerGun': Of<typeof PartnerGun> & { enterpriseId: number; priceAskedAt: Instant | null }
    'charging.roaming': Of<typeof RoamingRow> & Scoped & { askedAt: Instant | null }
    'charging.roamingShown': Of<typeof Roaming> & { enterpriseId: number }
    'charging.roamingBill': Of<typeof RoamingBill> & Scoped
    'charging.partnerBill': Of<typeof PartnerBill> & { enterpriseId: number }
    'charging.partnerCheck': Of<typeof PartnerCheck> & Scoped & { orderNos: string[] }
    'charging.statement': Of<typeof StatementRow> & Scoped
    'charging.statementShown': Of<typeof Statement> & { enterpriseId: number }
    'charging.partnerDifference': Of<typeof Difference> & Scoped
  }
}
