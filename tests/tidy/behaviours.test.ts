import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSources, root } from '../../scripts/sources.ts'

const behaviours = readFileSync(path.join(root, 'tests', 'tidy', 'behaviours.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

test('every behaviour is named by the title of the test that holds it', () => {
  const tests = readSources()
    .filter(({ file }) => /\.test\.tsx?$/.test(file))
    .map(({ text }) => text)
    .join('\n')
  // A title begins with its names.
  const begun = [...tests.matchAll(/['"`]((?:[a-z]+\.[a-z0-9-]+[,:]? ?)+)/g)].map(([, names]) => names!)
  const names = new Set(begun.flatMap((text) => text.split(/[,: ]+/)))
  expect(behaviours.filter((id) => !names.has(id))).toEqual([])
})
