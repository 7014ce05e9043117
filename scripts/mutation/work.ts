import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../sources.ts'
import { type Mutant, mutate } from './mutants.ts'

declare global {
  /** Whether the mutant of this number is the one that is tried. */
  var __mutant: (number: number) => boolean
}

/** What one run of one file of tests is to do. */
export interface Work {
  wanted: number[]
  /** A line of JSON for each thing that was seen. */
  results: string
}
/** `reached` by any test of the file as it is; `begun` without `mutant` after it: the process did not survive it. */
export type Said = { reached: number[] } | { begun: number } | { mutant: number; killedBy: string | null } | { done: true }

/** Files that are changed, and the tests that should notice: those that take least first. */
export interface Target {
  name: string
  files: string[]
  tests: string[]
}
const server = (domain: string, names: string) => names.split(' ').map((name) => `domains/${domain}/server/${name}.ts`)
const testsOf = (domain: string, names: string) => server(domain, names).map((file) => file.replace(/\.ts$/, '.test.ts'))
export const TARGETS: Target[] = [
  {
    name: 'fee',
    files: server('fee', 'engine compiled civil'),
    tests: testsOf('fee', 'parts compiled civil engine published golden days wholeDay lint engine.property'),
  },
]

/** Every mutant of all targets, by its number, and each file with its own in it. */
export function everyMutant(): { mutants: Mutant[]; codes: Map<string, string> } {
  const mutants: Mutant[] = []
  const codes = new Map<string, string>()
  for (const file of TARGETS.flatMap(({ files }) => files)) {
    const made = mutate(file, readFileSync(path.join(root, file), 'utf8'), mutants.length)
    mutants.push(...made.mutants)
    codes.set(path.join(root, file), made.code)
  }
  return { mutants, codes }
}
