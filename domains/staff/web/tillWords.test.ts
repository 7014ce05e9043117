import { expect, test } from 'vitest'
import type { Fen } from '../../../platform/contract/field.ts'
import { ShiftState } from '../../settlement/contract/shift.ts'
import { countOf, verifying } from './tillWords.ts'

const fen = (of: number) => of as Fen

test('whoever verifies a shift is told whose cash it is and how much', () => {
  const { question, detail } = verifying({
    name: '李收费',
    shiftNo: 'BC1',
    countedFen: fen(12_050),
    expectedFen: fen(12_000),
    differenceFen: fen(50),
  })
  expect(question[0]).toBe('确认已收到 李收费 的现金 ¥120.50，且与账面一致？')
  expect(question[1]).toContain('¥120.50')
  expect(detail[0]).toBe('收银班次 BC1：应有 ¥120.00，实点 ¥120.50，差异 ¥0.50')
})

test('a verified shift without a count is said to be uncounted; one that is counted, runs, or is only seen in part is not', () => {
  const said = (state: keyof typeof ShiftState.entries, countedFen: number | null, expectedFen: number | null = 500) =>
    countOf({ state, countedFen: countedFen as Fen | null, expectedFen: expectedFen as Fen | null }, ([zh]) => zh)
  expect(said(ShiftState.settled, null)).toBe('未清点')
  expect(said(ShiftState.settled, 0)).toBeUndefined()
  expect(said(ShiftState.running, null)).toBeUndefined()
  expect(said(ShiftState.settled, null, null)).toBeUndefined()
})
