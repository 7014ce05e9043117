import { expect, test } from 'vitest'
import { AdminStatus } from '../contract/pile.ts'
import { enablesFaulty } from './pileActs.ts'

test('a pile that is still faulty is put back in use only after a question that counts its faults', () => {
  const pile = { equipmentId: 'P001', faultCount: 3 }
  expect(enablesFaulty(pile, AdminStatus.enabled)).toEqual([
    'P001 还有 3 条未恢复故障，仍要启用？',
    'P001 has 3 open faults. Enable it all the same?',
  ])
  expect(enablesFaulty(pile, AdminStatus.disabled)).toBeUndefined()
  expect(enablesFaulty({ ...pile, faultCount: 0 }, AdminStatus.enabled)).toBeUndefined()
})
