import type { Generated } from 'kysely'
import type { Fen, Id, Of } from '../../../platform/contract/field.ts'
import type { BalanceDetail, Recharge } from '../contract/account.ts'
import type { Advertisement } from '../contract/advertisement.ts'
import type { CreditSerial } from '../contract/credit.ts'
import type { Merchant } from '../contract/merchant.ts'
import type { Statement } from '../contract/statement.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'merchant.merchant': Filled<
      Of<typeof Merchant>,
      Row | 'mchNo' | 'expiredBack' | 'status' | 'balanceFen' | 'quotaFen' | 'usedFen' | 'heldFen' | 'remark'
    > &
      Scoped & { quotaTargetFen: Generated<Fen | null>; passwordHash: string; mustChange: Generated<boolean>; deleted: Generated<boolean> }
    'merchant.balanceDetail': Of<typeof BalanceDetail> & { enterpriseId: number }
    'merchant.creditSerial': Of<typeof CreditSerial> & { enterpriseId: number }
    'merchant.statement': Of<typeof Statement> & { enterpriseId: number }
    'merchant.recharge': Filled<Of<typeof Recharge>, 'id'> & Scoped
    'merchant.advertisement': Filled<
      Omit<Of<typeof Advertisement>, 'status'>,
      Row | 'link' | 'weight' | 'regions' | 'shows' | 'clicks' | 'auditorName' | 'verdict'
    > &
      Scoped & { state: Generated<Of<typeof Advertisement>['status']>; authorId: Id<'PersonId'>; changerIds: Generated<Id<'PersonId'>[]> }
    'merchant.advertised': Of<typeof Advertisement> & { enterpriseId: number; state: number; authorId: string }
  }
}
