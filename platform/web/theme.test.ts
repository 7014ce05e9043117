import { expect, test } from 'vitest'
import { colours, contrast, DEFAULT_COLOUR, palettes, themeNamed, themes } from './theme.ts'

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

/** What a chosen row lies on: the accent as antd mixes it into white. */
const CHOSEN = '#F0F7FF'
test.each(['ink', 'soft', 'faint', 'ok', 'warn', 'bad'] as const)('a word in %s can be read on every ground, a chosen row too', (word) => {
  const { light, dark, lightContrast, darkContrast } = palettes
  for (const p of [light, dark, lightContrast, darkContrast])
    for (const ground of [p.ground, p.surface, p.sunken]) expect(contrast(p[word], ground), `${p[word]} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  for (const p of [light, lightContrast]) expect(contrast(p[word], CHOSEN)).toBeGreaterThanOrEqual(4.5)
})
