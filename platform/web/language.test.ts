import { expect, test } from 'vitest'
import { languageIn, sayIn } from './language.ts'
import { plural } from '../contract/plural.ts'

test('app.language-default: without a cookie the language is simplified Chinese', () => {
  expect(languageIn(undefined)).toBe('zh-chs')
  expect(languageIn('xx')).toBe('zh-chs')
})
test('app.language-cookie: a cookie that names a known language decides', () => {
  expect(languageIn('en')).toBe('en')
  expect(languageIn('zh-chs')).toBe('zh-chs')
})
test('app.language-fallback: a text that lacks the language is said in English', () => {
  expect(sayIn('zh-chs')([undefined as never, 'Only English'])).toBe('Only English')
  expect(sayIn('zh-chs')(['', ' '])).toBe('')
  expect(sayIn('zh-chs')(['中文', 'English'])).toBe('中文')
})
test('app.language-plural: one is one, none and more are many', () => {
  expect([0, 1, 2].map((n) => `${n} ${plural(n, 'car')}`)).toEqual(['0 cars', '1 car', '2 cars'])
  expect([0, 1, 2].map((n) => `${n} ${plural(n, 'pass', 'passes')}`)).toEqual(['0 passes', '1 pass', '2 passes'])
})
