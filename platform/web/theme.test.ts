import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesUnder, root } from '../../scripts/sources.ts'
import { colours, contrast, DEFAULT_COLOUR, linkOf, palettes, themeNamed, themes } from './theme.ts'

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

/** The ground of a chosen row: the accent as antd mixes it into white. */
const CHOSEN = '#F0F7FF'
test.each(['ink', 'soft', 'faint', 'ok', 'warn', 'bad'] as const)('a word in %s can be read on every ground, a chosen row too', (word) => {
  const { light, dark, lightContrast, darkContrast } = palettes
  for (const p of [light, dark, lightContrast, darkContrast])
    for (const ground of [p.ground, p.surface, p.sunken]) expect(contrast(p[word], ground), `${p[word]} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  for (const p of [light, lightContrast]) expect(contrast(p[word], CHOSEN)).toBeGreaterThanOrEqual(4.5)
})

test.each(colours)('a link in %s can be read on every ground', (colour) => {
  const { light, dark, lightContrast, darkContrast } = palettes
  for (const p of [light, dark, lightContrast, darkContrast])
    for (const ground of [p.ground, p.surface, p.sunken]) {
      const link = linkOf(colour, p === dark || p === darkContrast, p)
      expect(contrast(link, ground), `${link} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
})

test('a colour that a style sheet names is one of the theme, or a value that is set beside it: a name nobody knows paints nothing', () => {
  const files = ['platform', 'apps/web', 'domains']
    .flatMap((place) => filesUnder(root, place))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
  const sheets = files.filter(({ file }) => file.endsWith('.css'))
  const known = new Set([...Object.keys(palettes.light), 'accent', 'act', 'link'].map((name) => `--${name}`))
  const setIn = (text: string) => new Set([...text.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name!))
  for (const name of setIn(sheets.find(({ file }) => file === 'platform/web/look.css')!.text)) known.add(name)
  for (const { file, text } of files) if (file.endsWith('.tsx')) for (const [, name] of text.matchAll(/'(--[\w-]+)':/g)) known.add(name!)
  const unknown = sheets.flatMap(({ file, text }) =>
    [...text.matchAll(/var\((--[\w-]+)/g)]
      .map(([, name]) => name!)
      .filter((name) => !known.has(name) && !setIn(text).has(name) && !name.startsWith('--ant-'))
      .map((name) => `${file} ${name}`),
  )
  expect(sheets.length).toBeGreaterThan(10)
  expect(unknown).toEqual([])
})
