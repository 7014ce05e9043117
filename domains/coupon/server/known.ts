import type { Instant } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { coupon, CouponState } from '../contract/coupon.ts'

interface CouponRow {
  id: string
  couponNo: string
  name: string
  plateNo: string
  mchName: string | null
  state: keyof typeof CouponState.entries
  at: Instant
}
const COUPON =
  'select c.id, c.coupon_no, c.name, c.plate_no, c.mch_name, c.state, c.issued_at as at from coupon.coupon c where c.enterprise_id = scope_enterprise()'

export const known: Source[] = [
  sourceOf<CouponRow>()({
    name: 'coupon.coupon',
    label: ['优惠券', 'Coupons'],
    needs: coupon.queryPage.needs,
    by: {
      plate: { sql: `${COUPON} and c.plate_no = $1 order by c.issued_at desc limit $2` },
      code: { sql: `${COUPON} and c.coupon_no = $1 limit $2` },
    },
    tell: ({ id, couponNo, name, plateNo, mchName, state, at }) => {
      const [zh, en] = CouponState.entries[state]
      const of = [name, plateNo, mchName].filter(Boolean).join(' ')
      return { key: id, title: couponNo, zh: `${of}，${zh}`, en: `${of}, ${en}`, at }
    },
  }),
]
