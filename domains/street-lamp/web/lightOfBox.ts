import type { Of } from '../../../platform/contract/field.ts'
import { type box, BoxStatus } from '../contract/box.ts'
import { LightState, type WiringStatus } from '../contract/wiring.ts'

type Spot = Of<typeof box.queryList.reply>[number]
type Circuit = Of<typeof WiringStatus>

/** The worst of its circuits that somebody has to look at; otherwise lit where any of them is. Of none that is known nobody says that it is dark. */
export function lightOfBox({ status }: Pick<Spot, 'status'>, circuits: readonly Pick<Circuit, 'state'>[]): Circuit['state'] {
  if (status === BoxStatus.offline || status === BoxStatus.disabled) return LightState.offline
  if (circuits.length === 0) return LightState.unknown
  const has = (state: Circuit['state']) => circuits.some((one) => one.state === state)
  for (const state of [LightState.faulty, LightState.litWrongly, LightState.tagged, LightState.lit] as const) if (has(state)) return state
  return LightState.dark
}
