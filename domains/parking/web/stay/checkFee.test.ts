import { expect, test } from 'vitest'
import { HeldVerdict } from '../../contract/heldBill.ts'
import { amountFault, CONFIRM, verdictAct } from './checkFee.ts'

const { correct, release } = HeldVerdict
const zh = (typed: Record<string, unknown>) => amountFault(typed, 12_000)?.[0]

test('another amount is asked for where the verdict says so, and is no more than was worked out', () => {
  expect(zh({ verdict: correct })).toBe('请填写更正后的金额')
  expect(zh({ verdict: correct, setFen: 12_001 })).toBe('不能高于算得的 120.00 元')
  expect(zh({ verdict: correct, setFen: 12_000 })).toBeUndefined()
  expect(zh({ verdict: correct, setFen: 0 })).toBeUndefined()
})

test('an amount beside a release is not passed over in silence', () => {
  expect(zh({ verdict: release, setFen: 500 })).toBe('照此收取时不填更正金额')
  expect(zh({ verdict: release })).toBeUndefined()
  expect(zh({ setFen: 500 })).toBeUndefined()
})

test('the button names the amount that the stay will cost', () => {
  expect(verdictAct({ verdict: release }, 12_000)).toEqual(['按 ¥120.00 收取', 'Bill ¥120.00'])
  expect(verdictAct({ verdict: correct, setFen: 0 }, 12_000)).toEqual(['更正为 ¥0.00', 'Correct to ¥0.00'])
  expect(verdictAct({ verdict: correct }, 12_000)).toBe(CONFIRM)
  expect(verdictAct({}, 12_000)).toBe(CONFIRM)
})
