import { expect, test } from 'vitest'
import { opensShift } from './opensShift.ts'

test('whoever has no shift reads that one is opened, whoever has one or is not known yet reads nothing', () => {
  expect(opensShift(null)?.[0]).toContain('将为您开班，备用金 0 元')
  expect(opensShift({ shiftNo: 'BC1' })).toBeUndefined()
  expect(opensShift(undefined)).toBeUndefined()
})
