import { expect, test } from 'vitest'
import { HeldVerdict } from '../contract/heldBill.ts'
import { amountFault } from './checkFee.ts'

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
