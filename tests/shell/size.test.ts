import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

/** The most bytes of gzip script that a first visit may load. */
const SIGN_IN_MOST = 10_000
const FIRST_TABLE_MOST = 420_000
const DIST = path.resolve(import.meta.dirname, '../../dist')

interface Chunk {
  file: string
  imports?: string[]
}
/** The most bytes of gzip that a driver's page may load: for its first picture, and for the whole of a first visit. */
const DRIVER_FIRST_MOST = 60_000
const DRIVER_WHOLE_MOST = 110_000
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

test("a driver's pages need at most 60 kB for their first picture, and 110 kB in all", () => {
  const folder = path.join(DIST, 'driver')
  const chunks: Record<string, Chunk & { css?: string[] }> = JSON.parse(readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8'))
  const weigh = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipSync(readFileSync(path.join(folder, file))).length, 0)
  const filesOf = (key: string): string[] => {
    const { file, css = [], imports = [] } = chunks[key]!
    return [file, ...css, ...imports.flatMap(filesOf)]
  }
  for (const page of ['index.html', 'mine.html']) expect(weigh(new Set([page, ...filesOf(page)])), page).toBeLessThan(DRIVER_FIRST_MOST)
  const all = Object.values(chunks).flatMap(({ file, css = [] }) => [file, ...css])
  expect(weigh(new Set(['mine.html', ...all]))).toBeLessThan(DRIVER_WHOLE_MOST)
})
