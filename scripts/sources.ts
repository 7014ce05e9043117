import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

export const root = path.resolve(import.meta.dirname, '..')

/** A source file with what it imports. */
export interface Source {
  /** From the root, with forward slashes: `domains/parking/server/stay/stay.ts`. */
  file: string
  text: string
  imports: Import[]
}
export interface Import {
  /** A file of ours from the root, or the bare name of a package: `domains/fee/server/api.ts`, `node:path`, `antd`. */
  to: string
  ours: boolean
  line: number
  /** Gone when the program runs, or done when it is wanted: such an import closes no circle. */
  typeOnly: boolean
}

const PLACES = ['platform', 'domains', 'gateways', 'apps', 'city', 'bench', 'tests', 'scripts']
const NOT_OURS = /(^|\/)(node_modules|dist|\.data)\//

/** Every TypeScript file of the house, sorted by name. */
export function readSources(base = root, places: readonly string[] = PLACES): Source[] {
  const inPlaces = places.flatMap((place) => filesUnder(base, place))
  const atRoot = readdirSync(base).filter((name) => /\.tsx?$/.test(name))
  return [...atRoot, ...inPlaces].filter((file) => /\.tsx?$/.test(file)).map((file) => readSource(base, file))
}

/** Every file below `place`, whatever its kind, from the root. */
export function filesUnder(base: string, place: string): string[] {
  try {
    return readdirSync(path.join(base, place), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(base, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((file) => !NOT_OURS.test(file))
      .sort()
  } catch {
    return [] // a place that is not there yet
  }
}

function readSource(base: string, file: string): Source {
  const text = readFileSync(path.join(base, file), 'utf8')
  return { file, text, imports: importsOf(file, text) }
}

export function importsOf(file: string, text: string): Import[] {
  const { module } = parseSync(file, text)
  const at = (offset: number) => text.slice(0, offset).split('\n').length
  const made = (specifier: string, offset: number, typeOnly: boolean): Import => {
    const ours = specifier.startsWith('.')
    return { to: ours ? path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, '')) : specifier, ours, line: at(offset), typeOnly }
  }
  const wholly = (entries: readonly { isType: boolean }[], offset: number) =>
    text.startsWith('import type', offset) || text.startsWith('export type', offset) || (entries.length > 0 && entries.every(({ isType }) => isType))
  return [
    ...module.staticImports.map(({ moduleRequest, entries, start }) => made(moduleRequest.value, start, wholly(entries, start))),
    ...module.staticExports.flatMap(({ entries, start }) => {
      const from = entries.find(({ moduleRequest }) => moduleRequest)?.moduleRequest
      return from ? [made(from.value, start, wholly(entries, start))] : []
    }),
    // Imports written as a call, as a value or as a type; and files named for another process or thread.
    ...[...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)|new URL\(\s*['"](\.[^'"]+\.tsx?)['"]/g)].map(({ 1: dynamic, 2: address, index }) =>
      made((dynamic ?? address)!, index, true),
    ),
    ...[...text.matchAll(/declare module ['"](\.[^'"]+)['"]/g)].map(({ 1: name, index }) => made(name!, index, true)),
  ]
}
