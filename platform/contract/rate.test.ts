import { expect, test } from 'vitest'
import { permilleOf } from './rate.ts'

test('a rate is rounded to the nearest thousandth, never above the whole, and of nothing it is not known', () => {
  expect([permilleOf(14, 21), permilleOf(17, 22), permilleOf(2, 7), permilleOf(1, 2000), permilleOf(7, 7), permilleOf(9, 7)]).toEqual([
    667, 773, 286, 1, 1000, 1000,
  ])
  expect([permilleOf(0, 0), permilleOf(3, 0), permilleOf(0, 5)]).toEqual([null, null, 0])
})
