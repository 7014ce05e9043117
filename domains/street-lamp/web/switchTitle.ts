import type { Of } from '../../../platform/contract/field.ts'
import { plural } from '../../../platform/contract/plural.ts'
import type { Text } from '../../../platform/web/text.ts'
import { BoxUse } from '../contract/box.ts'
import { WiringMode, type WiringStatus } from '../contract/wiring.ts'

export type Turn = 'on' | 'off' | 'dim'
export const TURNS = { on: ['开灯', 'Switch on'], off: ['关灯', 'Switch off'], dim: ['调光', 'Dim'] } as const
type Meant = Pick<Of<typeof WiringStatus>, 'mode' | 'boxUseState'>
/** How many circuits are switched, and how many will be left alone. */
export function switchTitle(turn: Turn, of: readonly Meant[]): Text {
  const [zh, en] = TURNS[turn]
  const tagged = of.filter(({ mode }) => mode === WiringMode.tagged).length
  const disabled = of.filter(({ mode, boxUseState }) => mode !== WiringMode.tagged && boxUseState === BoxUse.disabled).length
  const meant = of.length - tagged - disabled
  const left = [
    ...(tagged > 0 ? [[`${tagged} 个挂牌维护`, `${tagged} tagged out`] as const] : []),
    ...(disabled > 0 ? [[`${disabled} 路所在箱已停用`, `${disabled} in boxes out of use`] as const] : []),
  ]
  const notSent =
    left.length > 0 ? [`（${left.map(([one]) => one).join('、')}，不下发）`, ` (${left.map(([, one]) => one).join(', ')}: not sent)`] : ['', '']
  return [`${zh}：${meant} 个回路${notSent[0]}`, `${en}: ${meant} ${plural(meant, 'circuit')}${notSent[1]}`]
}
