import { screens as afterSale } from '../../domains/after-sale/web/screens.ts'
import { screens as arrears } from '../../domains/arrears/web/screens.ts'
import { screens as charging } from '../../domains/charging/web/screens.ts'
import { screens as coupon } from '../../domains/coupon/web/screens.ts'
import { screens as dashboard } from '../../domains/dashboard/web/screens.ts'
import { screens as device } from '../../domains/device/web/screens.ts'
import { screens as fee } from '../../domains/fee/web/screens.ts'
import { screens as fleet } from '../../domains/fleet/web/screens.ts'
import { screens as identity } from '../../domains/identity/web/screens.ts'
import { screens as inspection } from '../../domains/inspection/web/screens.ts'
import { screens as ledger } from '../../domains/ledger/web/screens.ts'
import { screens as member } from '../../domains/member/web/screens.ts'
import { screens as merchant } from '../../domains/merchant/web/screens.ts'
import { screens as message } from '../../domains/message/web/screens.ts'
import { screens as owner } from '../../domains/owner/web/screens.ts'
import { screens as parking } from '../../domains/parking/web/screens.ts'
import { screens as rent } from '../../domains/rent/web/screens.ts'
import { screens as roadside } from '../../domains/roadside/web/screens.ts'
import { screens as settlement } from '../../domains/settlement/web/screens.ts'
import { screens as share } from '../../domains/share/web/screens.ts'
import { screens as streetLamp } from '../../domains/street-lamp/web/screens.ts'
import { screens as staff } from '../../domains/staff/web/screens.ts'
import { screens as system } from '../../domains/system/web/screens.ts'
import type { Screens } from '../../platform/web/screens.ts'

/** Every screen of every domain by the component name that the menu uses. A domain adds its line here. */
export const screens: Screens = {
  ...system,
  ...identity,
  ...message,
  ...ledger,
  ...settlement,
  ...fee,
  ...device,
  ...parking,
  ...roadside,
  ...arrears,
  ...charging,
  ...owner,
  ...merchant,
  ...coupon,
  ...member,
  ...share,
  ...streetLamp,
  ...afterSale,
  ...fleet,
  ...rent,
  ...staff,
  ...inspection,
  ...dashboard,
}
