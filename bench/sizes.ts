import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Row } from './table.ts'

const DIST = path.resolve(import.meta.dirname, '../dist')
const kB = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(path.join(DIST, file)), { level: 9 }).length, 0) / 1000

interface Chunk {
  file: string
  src?: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}

/** Measures a first visit: the sign-in page, then the shell with the first table. Compressed as a browser gets it. */
export function sizes(): Row[] {
  const manifest = JSON.parse(readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const of = (name: string) => Object.keys(manifest).find((key) => key.endsWith(name))
  const loaded = (roots: (string | undefined)[]) => {
    const files = new Set<string>()
    const visit = (key: string | undefined) => {
      const chunk = key ? manifest[key] : undefined
      if (!chunk || files.has(chunk.file)) return
      files.add(chunk.file)
      chunk.css?.forEach((css) => files.add(css))
      chunk.imports?.forEach(visit)
    }
    roots.forEach(visit)
    return files
  }
  const entry = Object.keys(manifest).find((key) => manifest[key]!.isEntry)
  const scripts = kB([...loaded([entry])].filter((file) => file.endsWith('.js')))
  const all = kB(loaded([entry, of('shell.tsx'), of('PresentScreen.tsx')]))
  return [
    { what: 'Sign-in page, script', value: `${scripts.toFixed(1)} kB`, target: '≤ 10 kB gzip', kept: scripts <= 10 },
    { what: 'Sign-in, shell and first table', value: `${all.toFixed(0)} kB`, target: '≤ 420 kB gzip', kept: all <= 420 },
  ]
}
