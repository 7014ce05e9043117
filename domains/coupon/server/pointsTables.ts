import type { Generated } from 'kysely'
import type { Of } from '../../../platform/contract/field.ts'
import type { PointsAccount, PointsDetail } from '../contract/pointsAccount.ts'
import type { PointsGoods, PointsOrder } from '../contract/pointsGoods.ts'
import type { PointsGrant, PointsGrantLine } from '../contract/pointsGrant.ts'
import type { PointsRule } from '../contract/pointsRule.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Rule = Of<typeof PointsRule>

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'coupon.pointsRule': Filled<
      Omit<Rule, 'status'>,
      | Row
      | 'roundDown'
      | 'dayCap'
      | 'monthCap'
      | 'multiplier'
      | 'multiplierFrom'
      | 'multiplierTo'
      | 'parkCodes'
      | 'additive'
      | 'priority'
      | 'expireType'
      | 'expireMonths'
    > &
      Scoped & { stopped: Generated<boolean>; used: Generated<boolean> }
    'coupon.pointsRuled': Rule & { enterpriseId: number; stopped: boolean; used: boolean }
    'coupon.pointsAccount': Filled<
      Of<typeof PointsAccount>,
      Row | 'plates' | 'balance' | 'frozen' | 'debt' | 'totalEarned' | 'totalSpent' | 'totalExpired' | 'totalClawed' | 'mergedInto'
    > &
      Scoped
    'coupon.pointsAccountDetail': Filled<Of<typeof PointsDetail>, 'id' | 'expireAt' | 'memo'> & Scoped & { batchId: Generated<string | null> }
    'coupon.pointsGrant': Filled<Of<typeof PointsGrant>, Row | 'state' | 'approverId' | 'approverName' | 'verdict' | 'decidedAt'> & Scoped
    'coupon.pointsGrantLine': Of<typeof PointsGrantLine> & { enterpriseId: number }
    'coupon.pointsGoods': Filled<Of<typeof PointsGoods>, Row | 'image' | 'cashFen' | 'stock' | 'perUserLimit' | 'status' | 'remark'> & Scoped
    'coupon.pointsOrder': Filled<Of<typeof PointsOrder>, Row | 'cashFen' | 'orderId' | 'payUntil' | 'state' | 'reason' | 'endedAt'> & Scoped
  }
}
