import type { Generated } from 'kysely'
import type { Of } from '../../../platform/contract/field.ts'
import type { Coupon } from '../contract/coupon.ts'
import type { Goods, GoodsRecord } from '../contract/goods.ts'
import type { Sold } from '../contract/sold.ts'
import type { Template } from '../contract/template.ts'
import type { Use } from '../contract/use.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type TemplateRow = Of<typeof Template>

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'coupon.template': Filled<
      TemplateRow,
      | Row
      | 'thresholdFen'
      | 'maxDiscountFen'
      | 'parkCodes'
      | 'vehicleClasses'
      | 'timeFrom'
      | 'timeTo'
      | 'validFrom'
      | 'validTo'
      | 'validDays'
      | 'stackGroup'
      | 'maxPerOrder'
      | 'priority'
      | 'madeQty'
      | 'perUserLimit'
      | 'perDayLimit'
      | 'status'
      | 'remark'
    > &
      Scoped
    'coupon.goods': Filled<Of<typeof Goods>, Row | 'stock' | 'mchIds' | 'audience' | 'perBuyMax' | 'status'> & Scoped
    'coupon.goodsRecord': Filled<Of<typeof GoodsRecord>, 'id'> & Scoped
    'coupon.soldRecord': Filled<Of<typeof Sold>, Row | 'returnedQty' | 'expiredQty' | 'balancePaidFen' | 'creditPaidFen'> & Scoped
    'coupon.coupon': Filled<Of<typeof Coupon>, Row | 'state' | 'takeFen' | 'orderId' | 'endedAt'> &
      Scoped & { seq: Generated<number>; cameBack: Generated<boolean> }
    'coupon.useRecord': Filled<Omit<Of<typeof Use>, 'orderNo' | 'plateColor'>, 'id' | 'returnedAt'> &
      Scoped & { heldFen: Of<typeof Coupon>['heldFen'] }
    'coupon.used': Of<typeof Use> & { enterpriseId: number }
  }
}
