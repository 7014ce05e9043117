import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

/** What a first visit may weigh, in bytes of gzip script. */
const SIGN_IN_MOST = 10_000
const FIRST_TABLE_MOST = 420_000
const DIST = path.resolve(import.meta.dirname, '../../dist')

interface Chunk {
  file: string
  imports?: string[]
}
const manifest = (): Record<string, Chunk> => JSON.parse(readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8'))

/** Bytes of everything that these parts need before they run. */
function weightOf(chunks: Record<string, Chunk>, ...wanted: RegExp[]): number {
  const needed = new Set<string>()
  const need = (key: string) => {
    if (needed.has(key)) return
    needed.add(key)
    for (const one of chunks[key]!.imports ?? []) need(one)
  }
  for (const name of wanted) need(Object.keys(chunks).find((key) => name.test(key))!)
  return [...needed].reduce((sum, key) => sum + gzipSync(readFileSync(path.join(DIST, chunks[key]!.file))).length, 0)
}

test('the sign-in page needs at most 10 kB of script', () => {
  expect(weightOf(manifest(), /^index\.html$/)).toBeLessThan(SIGN_IN_MOST)
})
test('the shell and the first table need at most 420 kB of script', () => {
  expect(weightOf(manifest(), /^index\.html$/, /shell\.tsx$/, /StayScreen\.tsx$/)).toBeLessThan(FIRST_TABLE_MOST)
  expect(weightOf(manifest(), /^index\.html$/, /shell\.tsx$/, /ParkScreen\.tsx$/)).toBeLessThan(FIRST_TABLE_MOST)
})
