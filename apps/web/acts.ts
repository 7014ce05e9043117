import { menu as arrears } from '../../domains/arrears/contract/menu.ts'
import { menu as dashboard } from '../../domains/dashboard/contract/menu.ts'
import { menu as device } from '../../domains/device/contract/menu.ts'
import { menu as fee } from '../../domains/fee/contract/menu.ts'
import { menu as identity } from '../../domains/identity/contract/menu.ts'
import { menu as ledger } from '../../domains/ledger/contract/menu.ts'
import { menu as message } from '../../domains/message/contract/menu.ts'
import { menu as parking } from '../../domains/parking/contract/menu.ts'
import { menu as roadside } from '../../domains/roadside/contract/menu.ts'
import { menu as settlement } from '../../domains/settlement/contract/menu.ts'
import { menu as system } from '../../domains/system/contract/menu.ts'
import type { MenuEntry } from '../../platform/contract/menu.ts'
import { can } from '../../platform/web/person.ts'
import type { Route } from './menu.ts'

/** Every domain's part of the menu, with the buttons of its screens. A domain adds its line here. */
const shipped: readonly MenuEntry[] = [arrears, dashboard, device, fee, identity, ledger, message, parking, roadside, settlement, system].flat()

/** What the person may do on the pages they have: each leads to the page where its button is. */
export const actsOn = (routes: readonly Route[]): Route[] =>
  shipped.flatMap(({ path, buttons = [] }) => {
    const route = routes.find((one) => one.path === path)
    if (!route) return []
    return buttons
      .filter(({ needs }) => can(needs))
      .map(({ code, name }) => ({ id: `${route.id} ${code}`, path, name, component: '', under: [...route.under, route.name] }))
  })
