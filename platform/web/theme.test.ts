import { expect, test } from 'vitest'
import { colours, contrast, DEFAULT_COLOUR, themeNamed, themes } from './theme.ts'

test('theme.unknown-falls-back: a theme that is gone falls back to the first', () => {
  expect(themeNamed('gone')).toBe(themes[0].name)
  expect(themeNamed('contrast')).toBe('contrast')
})
test('theme.default: xiangzhou and #409EFF come first', () => {
  expect(themes[0].name).toBe('xiangzhou')
  expect(DEFAULT_COLOUR).toBe('#409EFF')
  expect(colours[0]).toBe(DEFAULT_COLOUR)
})
test('contrast is measured as WCAG says', () => {
  expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21)
  expect(contrast('#409EFF', '#FFFFFF')).toBeCloseTo(2.8, 1)
})
