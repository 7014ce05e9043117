import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Mutant } from './mutation/mutants.ts'
import { everyMutant, type Said, type Target, TARGETS, type Work } from './mutation/work.ts'
import { root } from './sources.ts'

/**
 * `npm run mutation [-- --only fee,ledger] [--sample 200 --seed 2]`: changes fees, ledger, settlement, clearing, tills and a channel's days in some thousand small ways, one at a time,
 * and looks whether a test fails. Ends well if nine of ten are noticed and each of the others is named, with its reason, in `tests/mutation/survivors.txt`. Not part of `npm test`: fees
 * and the ledger take some minutes each; settlement has some 1,300, tills 390, days 320, and they were tried by samples only. A sample tries so many, the same ones for the same seed.
 * Of settlement's last one (`--only settlement --sample 100 --seed 4`) 91.4 % of 93 were noticed, before what it left was asserted or named. Of the first one of tills (`--only tills
 * --sample 50`) it was 69.6 % of 46: what it left is asserted since, no other was tried. Days were not tried yet.
 */
const { values } = parseArgs({
  options: { only: { type: 'string' }, jobs: { type: 'string', default: '2' }, sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
const KILLED_MIN = 0.9
const SURVIVORS = path.join(root, 'tests/mutation/survivors.txt')
const WORK = path.join(root, '.data/mutation')

const { mutants } = everyMutant()

/** Tries the wanted mutants on the tests of one file. A process that a mutant ended is started again without that mutant. */
async function tryWith(test: string, wanted: readonly number[], job: number): Promise<Record<'reached' | 'invalid' | 'killed', Set<number>>> {
  const killed = new Set<number>()
  const invalid = new Set<number>()
  const reached = new Set<number>()
  const survived = new Set<number>()
  const results = path.join(WORK, `results-${job}.txt`)
  const work = path.join(WORK, `work-${job}.json`)
  for (;;) {
    const left = wanted.filter((one) => !killed.has(one) && !survived.has(one))
    rmSync(results, { force: true })
    writeFileSync(work, JSON.stringify({ wanted: left, results } satisfies Work))
    const said = await runTests(test, work)
    const all = existsSync(results)
      ? readFileSync(results, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Said)
      : []
    let begun: number | undefined
    let done = false
    for (const one of all) {
      if ('reached' in one) {
        one.reached.forEach((number) => reached.add(number))
        one.invalid.forEach((number) => invalid.add(number))
      } else if ('begun' in one) begun = one.begun
      else if ('done' in one) done = true
      else {
        ;(one.killedBy === null ? survived : killed).add(one.mutant)
        begun = undefined
      }
    }
    if (done) return { reached, invalid, killed }
    if (begun === undefined) throw new Error(`${test} does not pass by itself, or no longer does after a mutant was tried:\n${said}`)
    killed.add(begun)
  }
}

function runTests(test: string, work: string): Promise<string> {
  const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutation/config.ts', test], {
    cwd: root,
    env: { ...process.env, MUTATION_WORK: work, PRICED: '150' },
  })
  const said: string[] = []
  for (const stream of [vitest.stdout, vitest.stderr]) stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
  return new Promise((resolve) => vitest.on('close', () => resolve(said.join(''))))
}

/** How many were tried, and the numbers of those that no test notices. */
async function survivorsOf({ name, tests }: Target, wanted: readonly number[]): Promise<{ all: number; left: number[] }> {
  let left = [...wanted]
  let all = left.length
  const reached = new Set<number>()
  for (const test of tests) {
    const begun = performance.now()
    const jobs = Math.min(Number(values.jobs), Math.ceil(left.length / MUTANTS_EACH_MIN))
    const parts = await Promise.all(
      Array.from({ length: jobs }, (_, job) =>
        tryWith(
          test,
          left.filter((_one, at) => at % jobs === job),
          job,
        ),
      ),
    )
    for (const part of parts) {
      part.reached.forEach((number) => reached.add(number))
      const tried = left.filter((number) => !part.invalid.has(number))
      all -= left.length - tried.length
      left = tried.filter((number) => !part.killed.has(number))
    }
    // For whoever does not want to wait for the end.
    writeFileSync(path.join(WORK, `${name}.txt`), left.map((number) => written(mutants[number]!)).join('\n\n'))
    console.log(`${test}: ${all - left.length} of ${all} noticed (${Math.round((performance.now() - begun) / 1000)} s)`)
  }
  console.log(`${name}: ${left.filter((number) => !reached.has(number)).length} of the ${left.length} that are left are reached by no test\n`)
  return { all, left }
}
/** Fewer are not worth a process of their own. */
const MUTANTS_EACH_MIN = 20

interface Named {
  of: string
  why: string
}
/** A mutant as the list of survivors writes it: three lines, the third of which says why. */
const written = ({ file, where, from, to }: Mutant) => `${file}: ${where}\n  ${from}  ->  ${to || '(nothing)'}`
const namedSurvivors = (): Named[] =>
  readFileSync(SURVIVORS, 'utf8')
    .split('\n\n')
    .filter((one) => one.trim() && !one.startsWith('#'))
    .map((one) => {
      const [where, change, why = ''] = one.trim().split('\n')
      return { of: `${where}\n${change}`, why: why.trim() }
    })

/** The mutants of a target; with `--sample` so many of them, the same for the same `--seed`. */
function wantedOf({ files }: Target): number[] {
  const all = mutants.flatMap(({ file }, number) => (files.includes(file) ? [number] : []))
  if (!values.sample) return all
  const place = (number: number) => createHash('sha256').update(`${values.seed} ${number}`).digest('hex')
  return all
    .toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
    .slice(0, Number(values.sample))
    .toSorted((a, b) => a - b)
}

mkdirSync(WORK, { recursive: true })
const targets = TARGETS.filter(({ name }) => !values.only || values.only.split(',').includes(name))
const named = namedSurvivors()
const wrong: string[] = []
for (const target of targets) {
  const wanted = wantedOf(target)
  const { all, left: numbers } = await survivorsOf(target, wanted)
  const left = numbers.map((number) => written(mutants[number]!))
  const rate = 1 - left.length / all
  const sampled = values.sample ? `, a sample of ${wanted.length} (seed ${values.seed})` : ''
  console.log(`${target.name}: ${(rate * 100).toFixed(1)} % of ${all} mutants noticed${sampled}\n`)
  if (rate < KILLED_MIN) wrong.push(`${target.name}: less than ${KILLED_MIN * 100} % of the mutants are noticed`)
  wrong.push(
    ...left
      .filter((one) => !named.some(({ of, why }) => of === one && why))
      .map((one) => `Survives, and is not named with its reason in tests/mutation/survivors.txt:\n${one}`),
  )
  const tried = new Set(wanted.map((number) => written(mutants[number]!)))
  const here = named.filter(({ of }) => (values.sample ? tried.has(of) : target.files.some((file) => of.startsWith(`${file}:`))))
  wrong.push(
    ...here
      .filter(({ of }) => !left.includes(of))
      .map(({ of }) => `Is noticed by now, or is not there any more; strike it out of tests/mutation/survivors.txt:\n${of}`),
  )
}
console.log(wrong.join('\n\n'))
process.exitCode = wrong.length ? 1 : 0
