import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

/** Own: what stands on each account, and every line of it. */
export const menu: MenuEntry[] = [screen('/operation/ledger', 'LedgerScreen', ['总账', 'Ledger'], ['ledger:account:view'])]
