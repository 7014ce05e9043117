import { expect, test } from 'vitest'
import { HoldKind, HoldState, PaidBy } from '../contract/money.ts'
import { elsewhere, paidHow } from './refundable.ts'

const hold = (holdKind: number, holdFen: number, capturedFen: number) => ({
  ...{ holdKind, holdFen, capturedFen, releasedFen: holdFen - capturedFen, openFen: 0, state: HoldState.settled, payer: '某物流公司' },
})
const story = (more: object) => ({ holds: [], bills: [], refunds: [], refundableFen: 0, platformId: null, ...more }) as never
const zh = (of: object) =>
  paidHow(story(of))
    .map(([words]) => words)
    .join(' · ')

test('what was paid for a charge adds up: the rest that a hold gave back is named, by its kind', () => {
  expect(zh({ holds: [hold(HoldKind.credit, 15_000, 1_395)] })).toBe('单位授信占用 ¥150.00 · 已结算 ¥13.95 · 余额已释放 ¥136.05')
  expect(zh({ holds: [hold(HoldKind.stored, 5_000, 2_880)], refundableFen: 2_880 })).toBe(
    '储值冻结 ¥50.00 · 已结算 ¥28.80 · 余额已解冻 ¥21.20 · 人工退款 ¥0.00',
  )
  const refunds = [
    { state: 3, refundKind: 1, refundFen: 2_120 },
    { state: 3, refundKind: 2, refundFen: 480 },
  ]
  expect(zh({ holds: [hold(HoldKind.prepaid, 5_000, 2_880)], refunds, refundableFen: 2_400 })).toBe(
    '预付 ¥50.00 · 已结算 ¥28.80 · 余款退回 ¥21.20 · 人工退款 ¥4.80',
  )
  expect(zh({ holds: [{ ...hold(HoldKind.prepaid, 5_000, 0), state: HoldState.waiting }] })).toBe('')
})

test('where nothing can go back it is said where the charge is dealt with; where something can, nothing is', () => {
  const lent = elsewhere(story({ holds: [hold(HoldKind.credit, 15_000, 1_395)], bills: [{ paidBy: PaidBy.credit, capturedFen: 1_395 }] }))
  expect(lent).toMatchObject({ adjusts: true })
  expect(lent!.why[0]).toContain('某物流公司')
  expect(elsewhere(story({ platformId: 'p', bills: [{ paidBy: PaidBy.partner, capturedFen: 0 }] }))).toMatchObject({
    to: '/recharge/chargingStatement',
  })
  expect(elsewhere(story({ bills: [{ paidBy: PaidBy.waived, capturedFen: 0 }] }))!.why[0]).toContain('减免')
  expect(elsewhere(story({ bills: [{ paidBy: PaidBy.arrears, capturedFen: 0 }] }))!.why[0]).toContain('欠费')
  expect(elsewhere(story({ refundableFen: 1, bills: [{ paidBy: PaidBy.prepaid, capturedFen: 1 }] }))).toBeUndefined()
})
