import { expect, test } from 'vitest'
import { targetWords } from './targets.ts'

test('what a call was about is told part by part, values with spaces and signs whole, in either language', () => {
  const both = (target: string) => ([0, 1] as const).map((speech) => targetWords(target, (name) => name[speech]))
  expect(both('parkCode=P001 name=东门 a=b 二')).toEqual(['车场 P001 · 名称 东门 a=b 二', 'Car park P001 · Name 东门 a=b 二'])
  expect(both('a word of an older version')).toEqual(Array(2).fill('a word of an older version'))
  expect(both('')).toEqual(['', ''])
})
