import { expect, test } from 'vitest'
import { targetIn } from './targets.ts'

test('what a call was about is told part by part, values with spaces and signs whole', () => {
  expect(targetIn('parkCode=P001 name=东门 a=b 二')).toEqual([
    { name: ['车场', 'Park'], value: 'P001' },
    { name: ['名称', 'Name'], value: '东门 a=b 二' },
  ])
  expect(targetIn('a word of an older version')).toEqual([{ value: 'a word of an older version' }])
  expect(targetIn('')).toEqual([{ value: '' }])
})
