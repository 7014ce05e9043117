import { menu as afterSale } from '../../../domains/after-sale/contract/menu.ts'
import { menu as arrears } from '../../../domains/arrears/contract/menu.ts'
import { menu as charging } from '../../../domains/charging/contract/menu.ts'
import { menu as coupon } from '../../../domains/coupon/contract/menu.ts'
import { menu as dashboard } from '../../../domains/dashboard/contract/menu.ts'
import { menu as device } from '../../../domains/device/contract/menu.ts'
import { menu as fee } from '../../../domains/fee/contract/menu.ts'
import { menu as fleet } from '../../../domains/fleet/contract/menu.ts'
import { menu as identity } from '../../../domains/identity/contract/menu.ts'
import { menu as inspection } from '../../../domains/inspection/contract/menu.ts'
import { menu as ledger } from '../../../domains/ledger/contract/menu.ts'
import { menu as member } from '../../../domains/member/contract/menu.ts'
import { menu as merchant } from '../../../domains/merchant/contract/menu.ts'
import { menu as message } from '../../../domains/message/contract/menu.ts'
import { menu as owner } from '../../../domains/owner/contract/menu.ts'
import { menu as parking } from '../../../domains/parking/contract/menu.ts'
import { menu as rent } from '../../../domains/rent/contract/menu.ts'
import { menu as roadside } from '../../../domains/roadside/contract/menu.ts'
import { menu as settlement } from '../../../domains/settlement/contract/menu.ts'
import { menu as share } from '../../../domains/share/contract/menu.ts'
import { menu as staff } from '../../../domains/staff/contract/menu.ts'
import { menu as streetLamp } from '../../../domains/street-lamp/contract/menu.ts'
import { menu as system } from '../../../domains/system/contract/menu.ts'
import type { MenuEntry } from '../../../platform/contract/menu.ts'
import { can } from '../../../platform/web/person.ts'
import type { Route } from './menu.ts'

/** Every domain's part of the menu, with the buttons of its screens. A domain adds its line here. */
const shipped: readonly MenuEntry[] = [
  afterSale,
  arrears,
  charging,
  coupon,
  dashboard,
  device,
  fee,
  fleet,
  identity,
  inspection,
  ledger,
  member,
  merchant,
  message,
  owner,
  parking,
  rent,
  roadside,
  settlement,
  share,
  staff,
  streetLamp,
  system,
].flat()

/** The actions that the person may do on their pages: each leads to the page where its button is. */
export const actsOn = (routes: readonly Route[]): Route[] =>
  shipped.flatMap(({ path, buttons = [] }) => {
    const route = routes.find((one) => one.path === path)
    if (!route) return []
    return buttons
      .filter(({ needs }) => can(needs))
      .map(({ code, name, at = '' }) => ({
        id: `${route.id} ${code}`,
        path: `${path}${at}`,
        name,
        component: '',
        under: [...route.under, route.name],
      }))
  })
