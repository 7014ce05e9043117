import { expect, test } from 'vitest'
import { ShiftState } from '../../settlement/contract/shift.ts'
import { nextAfter } from './closed.ts'

test('whoever has closed a till reads whose turn it is', () => {
  expect(nextAfter({ state: ShiftState.difference, takerName: '王五' })[0]).toContain('督导')
  expect(nextAfter({ state: ShiftState.toTakeOver, takerName: '王五' })).toEqual([
    '等 王五 清点并确认接班',
    '王五 counts the cash and takes the shift over',
  ])
  expect(nextAfter({ state: ShiftState.toSettle, takerName: null })[0]).toContain('核验')
})
