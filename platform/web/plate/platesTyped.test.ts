import { expect, test } from 'vitest'
import { platesTyped } from './platesTyped.ts'

test('plates are kept in their one form, however they are typed', () => {
  expect(platesTyped(['鄂f rv002', '鄂F·RV002', '鄂F-12345'])).toEqual(['鄂FRV002', '鄂F12345'])
  expect(platesTyped([])).toEqual([])
})
test('a space parts two plates and stands within one; commas part always', () => {
  expect(platesTyped(['鄂F12345 鄂F54321'])).toEqual(['鄂F12345', '鄂F54321'])
  expect(platesTyped(['鄂F 12345，鄂FD1 2345'])).toEqual(['鄂F12345', '鄂FD12345'])
  expect(platesTyped(['鄂F12345 不是车牌'])).toEqual(['鄂F12345不是车牌'])
})
