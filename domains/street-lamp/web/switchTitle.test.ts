import { expect, test } from 'vitest'
import { BoxUse } from '../contract/box.ts'
import { WiringMode } from '../contract/wiring.ts'
import { switchTitle } from './switchTitle.ts'

type Circuit = Parameters<typeof switchTitle>[1][number]
const circuits = (count: number, more: Partial<Circuit> = {}): Circuit[] =>
  Array.from({ length: count }, () => ({ mode: WiringMode.automatic, boxUseState: BoxUse.inUse, ...more }))

test('a switch says before it is pressed how many circuits it is sent to, and which it leaves alone', () => {
  expect(switchTitle('on', circuits(18))).toEqual(['开灯：18 个回路', 'Switch on: 18 circuits'])
  const tagged = circuits(1, { mode: WiringMode.tagged })
  expect(switchTitle('on', [...circuits(17), ...tagged])).toEqual([
    '开灯：17 个回路（1 个挂牌维护，不下发）',
    'Switch on: 17 circuits (1 tagged out: not sent)',
  ])
  const disabled = circuits(2, { boxUseState: BoxUse.disabled })
  const both = circuits(1, { mode: WiringMode.tagged, boxUseState: BoxUse.disabled })
  expect(switchTitle('off', [...circuits(1), ...tagged, ...disabled, ...both])).toEqual([
    '关灯：1 个回路（2 个挂牌维护、2 路所在箱已停用，不下发）',
    'Switch off: 1 circuit (2 tagged out, 2 in boxes out of use: not sent)',
  ])
})
