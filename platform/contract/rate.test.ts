import { expect, test } from 'vitest'
import { rateOf } from './rate.ts'

test('a rate is rounded to the nearest thousandth, never above the whole, and of nothing it is not known', () => {
  expect([rateOf(14, 21), rateOf(17, 22), rateOf(2, 7), rateOf(1, 2000), rateOf(7, 7), rateOf(9, 7)]).toEqual([667, 773, 286, 1, 1000, 1000])
  expect([rateOf(0, 0), rateOf(3, 0), rateOf(0, 5)]).toEqual([null, null, 0])
})
