import { expect, test } from 'vitest'
import { refusal } from './refusal.ts'

test('a refusal says its counts with their nouns', () => {
  const Left = refusal('test.left', 1, '还剩 {left} 次', '{left:try|tries} left')
  expect([0, 1, 2].map((left) => Left({ left }).texts)).toEqual([
    ['还剩 0 次', '0 tries left'],
    ['还剩 1 次', '1 try left'],
    ['还剩 2 次', '2 tries left'],
  ])
  expect(refusal('test.bays', 1, '{bays} 个', 'All {bays:bay} of {park}')({ bays: 1, park: 'A' }).texts[1]).toBe('All 1 bay of A')
})
