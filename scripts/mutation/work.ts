import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../sources.ts'
import { type Mutant, mutate, mutateFunctions, type Switch } from './mutants.ts'

declare global {
  /** Whether the mutant of this number is the one that is tried. */
  var __mutant: (number: number) => boolean
}

/** The work of one run of one file of tests. */
export interface Work {
  wanted: number[]
  /** A line of JSON for each thing that was seen. */
  results: string
}
/** `reached` by any test of the file as it is; `invalid`: changes to SQL that the database takes for none; `begun` without `mutant` after it: the process did not survive it. */
export type Said = { reached: number[]; invalid: number[] } | { begun: number } | { mutant: number; killedBy: string | null } | { done: true }

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
  {
    name: 'ledger',
    files: [...server('ledger', 'posting account'), 'migrations/0050_ledger.sql'],
    tests: testsOf('ledger', 'kept account posting'),
  },
  {
    name: 'settlement',
    files: server('settlement', 'receiving returning repaying opening legs beside purse ending refund payment'),
    tests: [...testsOf('settlement', 'steps back beside purse refund payment'), ...testsOf('arrears', 'repay')],
  },
  {
    name: 'clearing',
    files: server('settlement', 'clearing/matching clearing/closing'),
    tests: testsOf('settlement', 'clearing/closing'),
  },
  {
    name: 'tills',
    files: server('settlement', 'shiftClosing shiftCash shiftRow shiftSettling'),
    tests: testsOf('settlement', 'shift'),
  },
  {
    name: 'days',
    files: server('settlement', 'clearing/day clearing/differences'),
    tests: testsOf('settlement', 'clearing/closing clearing/clearing'),
  },
]

/** Every mutant of all targets, by its number; each file of the program with its own in it, and what switches those of the database's functions. */
export function everyMutant(): { mutants: Mutant[]; codes: Map<string, string>; switches: Map<number, Switch> } {
  const mutants: Mutant[] = []
  const codes = new Map<string, string>()
  const switches = new Map<number, Switch>()
  for (const file of TARGETS.flatMap(({ files }) => files)) {
    const text = readFileSync(path.join(root, file), 'utf8')
    if (file.endsWith('.sql')) {
      const made = mutateFunctions(file, text, mutants.length)
      made.switches.forEach((value, number) => switches.set(number, value))
      mutants.push(...made.mutants)
    } else {
      const made = mutate(file, text, mutants.length)
      mutants.push(...made.mutants)
      codes.set(path.join(root, file), made.code)
    }
  }
  return { mutants, codes, switches }
}
