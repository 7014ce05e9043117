import { afterSale } from '../../domains/after-sale/server/domain.ts'
import { arrears } from '../../domains/arrears/server/domain.ts'
import { charging } from '../../domains/charging/server/domain.ts'
import { coupon } from '../../domains/coupon/server/domain.ts'
import { dashboard } from '../../domains/dashboard/server/domain.ts'
import { device } from '../../domains/device/server/domain.ts'
import { fee } from '../../domains/fee/server/domain.ts'
import { fleet } from '../../domains/fleet/server/domain.ts'
import { identity } from '../../domains/identity/server/domain.ts'
import { inspection } from '../../domains/inspection/server/domain.ts'
import { ledger } from '../../domains/ledger/server/domain.ts'
import { member } from '../../domains/member/server/domain.ts'
import { merchant } from '../../domains/merchant/server/domain.ts'
import { message } from '../../domains/message/server/domain.ts'
import { owner } from '../../domains/owner/server/domain.ts'
import { parking } from '../../domains/parking/server/domain.ts'
import { rent } from '../../domains/rent/server/domain.ts'
import { roadside } from '../../domains/roadside/server/domain.ts'
import { settlement } from '../../domains/settlement/server/domain.ts'
import { share } from '../../domains/share/server/domain.ts'
import { staff } from '../../domains/staff/server/domain.ts'
import { streetLamp } from '../../domains/street-lamp/server/domain.ts'
import { system } from '../../domains/system/server/domain.ts'
import type { Domain } from '../../platform/server/domain.ts'

/** All domains, from the ground up: each may call those above it in this list, and only them. */
export const domains: readonly Domain[] = [
  system,
  identity,
  message,
  ledger,
  settlement,
  fee,
  device,
  parking,
  roadside,
  arrears,
  charging,
  owner,
  merchant,
  coupon,
  member,
  share,
  streetLamp,
  afterSale,
  fleet,
  rent,
  staff,
  inspection,
  dashboard,
]
