import { screens as arrears } from '../../domains/arrears/web/screens.ts'
import { screens as dashboard } from '../../domains/dashboard/web/screens.ts'
import { screens as device } from '../../domains/device/web/screens.ts'
import { screens as fee } from '../../domains/fee/web/screens.ts'
import { screens as identity } from '../../domains/identity/web/screens.ts'
import { screens as ledger } from '../../domains/ledger/web/screens.ts'
import { screens as message } from '../../domains/message/web/screens.ts'
import { screens as parking } from '../../domains/parking/web/screens.ts'
import { screens as roadside } from '../../domains/roadside/web/screens.ts'
import { screens as system } from '../../domains/system/web/screens.ts'
import { screens as settlement } from '../../domains/settlement/web/screens.ts'
import type { Screens } from '../../platform/web/screens.ts'

/** Every screen of every domain by the component name that the menu uses. A domain adds its line here. */
export const screens: Screens = {
  ...system,
  ...message,
  ...identity,
  ...dashboard,
  ...fee,
  ...device,
  ...parking,
  ...roadside,
  ...settlement,
  ...arrears,
  ...ledger,
}
