import type { GateDetail } from '../../../domains/parking/contract/gate.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { choice } from '../../../platform/web/kept.ts'

/** The console's own dialogs, opened from the person's menu and from the command palette. */
export type ConsoleDialog = 'password' | 'security' | 'settings'
export const dialog = choice<ConsoleDialog | undefined>(undefined)

export type GateAct = 'open' | 'close' | 'keep'
/** The act on a lane that the palette was told: its dialog asks as the lane's own button does. */
export const gateAct = choice<{ act: GateAct; gate: Of<typeof GateDetail> } | undefined>(undefined)
