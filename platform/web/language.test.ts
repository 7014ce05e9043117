import { expect, test } from 'vitest'
import { languageIn, sayIn } from './language.ts'

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
