import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSources, root } from '../../scripts/sources.ts'

const lines = (file: string) =>
  readFileSync(path.join(root, 'tests', 'tidy', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
const behaviours = lines('behaviours.txt')
/** Those that no test names yet. */
const unnamed = lines('behaviours-unnamed.txt')
/** The list only gets shorter, and this number with it. */
const UNNAMED_MOST = 1

test('every behaviour is named by the title of the test that holds it, except those that are listed as open', () => {
  const tests = readSources()
    .filter(({ file }) => /\.test\.tsx?$/.test(file))
    .map(({ text }) => text)
    .join('\n')
  // A title begins with its names.
  const begun = [...tests.matchAll(/['"`]((?:[a-z]+\.[a-z0-9-]+[,:]? ?)+)/g)].map(([, names]) => names!)
  const names = new Set(begun.flatMap((text) => text.split(/[,: ]+/)))
  expect(behaviours.filter((id) => !names.has(id))).toEqual(unnamed)
  expect(unnamed.length).toBeLessThanOrEqual(UNNAMED_MOST)
})
