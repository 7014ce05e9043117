import { appendFileSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest'
import { isOfDatabase, notSql, tryStatements, turn } from './base.ts'
import type { Said, Work } from './work.ts'

/** Beside what the same test took before. Where many tests share two cores one may well take some times longer. */
const SLOWER_MAX = 8
const SLOWER_MORE_MS = 4_000
/** The same of the questions that a mutant's code asks: this alone ends a loop that never waits. */
const CALLS_MORE = 200_000

globalThis.__mutant = () => false
tryStatements()

class Endless extends Error {}
interface Seen {
  test: RunnerTestCase
  reached: Set<number>
  ms: number
  calls: number
  /** It passes once more in the same place. */
  repeats: boolean
}

/**
 * Runs one file of tests again and again in one process: first as it is, to see which mutants each test reaches, then with each wanted mutant up to the first test that fails.
 * A failed test has to pass without the mutant right after. Where it does not, the mutant or one before it left something behind: the file is run in order on a server of its own.
 */
export default class MutationRunner extends TestRunner {
  private begun = false

  /** Everything happens within the first test of the file: to `expect` it is the one that runs. */
  async runTask(first: RunnerTestCase): Promise<void> {
    if (this.begun) return
    this.begun = true
    fc.configureGlobal({ seed: 1, endOnFailure: true })
    const work = JSON.parse(readFileSync(process.env['MUTATION_WORK']!, 'utf8')) as Work
    const say = (said: Said) => appendFileSync(work.results, `${JSON.stringify(said)}\n`)
    const { file } = first
    const { seen, before } = await asItIs(file, work.wanted.filter(isOfDatabase))
    const reached = new Set([...before, ...seen.flatMap((one) => [...one.reached])])
    const invalid = await notSql(work.wanted)
    say({ reached: [...reached], invalid })
    for (const mutant of work.wanted.filter((one) => reached.has(one) && !invalid.includes(one))) {
      say({ begun: mutant })
      say({ mutant, killedBy: await killedBy(mutant, file, seen, before) })
    }
    say({ done: true })
  }
}

/** Each test without any mutant, and what is reached before the first of them. What the database does by itself, any test may reach. */
async function asItIs(file: RunnerTestSuite, ofDatabase: readonly number[]): Promise<{ seen: Seen[]; before: ReadonlySet<number> }> {
  const seen: Seen[] = []
  let reached = new Set<number>()
  let calls = 0
  globalThis.__mutant = (number) => {
    reached.add(number)
    calls++
    return false
  }
  await callAll(file, 'afterAll')
  await callAll(file, 'beforeAll')
  const before = reached
  for (const test of testsOf(file)) {
    reached = new Set(ofDatabase)
    calls = 0
    const begun = performance.now()
    await run(test)
    seen.push({ test, reached, calls, ms: performance.now() - begun, repeats: false })
  }
  for (const one of seen) one.repeats = await passes(one)
  return { seen, before }
}

/** The name of the test that fails with the mutant, or what went wrong around the tests. */
async function killedBy(mutant: number, file: RunnerTestSuite, seen: readonly Seen[], before: ReadonlySet<number>): Promise<string | null> {
  const reaching = seen.filter(({ reached }) => reached.has(mutant))
  const repeating = reaching.filter(({ repeats }) => repeats).toSorted((a, b) => a.ms - b.ms)
  const failed = await firstFailing(mutant, repeating)
  if (failed && (await passes(failed))) return failed.test.name
  if (!failed && repeating.length === reaching.length && !before.has(mutant)) return null
  if (TestRunner.getSuiteHooks(file).beforeAll.length === 0) throw new Error(`Mutant ${mutant} left something behind.`)
  return inOrder(mutant, file, seen)
}

async function firstFailing(mutant: number, tests: readonly Seen[]): Promise<Seen | undefined> {
  let left = Infinity
  await turn(mutant, 'on')
  globalThis.__mutant = (number) => {
    if (--left < 0) throw new Endless('The mutant goes round and round.')
    return number === mutant
  }
  try {
    for (const one of tests) {
      left = one.calls * SLOWER_MAX + CALLS_MORE
      if (!(await passesInTime(one))) return one
    }
    return undefined
  } finally {
    globalThis.__mutant = () => false
    await turn(mutant, 'off')
  }
}
function passes(one: Seen): Promise<boolean> {
  globalThis.__mutant = () => false
  return passesInTime(one)
}
const passesInTime = ({ test, ms }: Seen) =>
  within(run(test), ms * SLOWER_MAX + SLOWER_MORE_MS).then(
    () => true,
    () => false,
  )

/** The whole file with what it makes before its tests; afterwards all is as it was. */
async function inOrder(mutant: number, file: RunnerTestSuite, seen: readonly Seen[]): Promise<string | null> {
  await within(callAll(file, 'afterAll'), SLOWER_MORE_MS).catch(() => {})
  await turn(mutant, 'on')
  globalThis.__mutant = (number) => number === mutant
  try {
    await callAll(file, 'beforeAll')
    return (await firstFailing(mutant, seen))?.test.name ?? null
  } catch {
    return 'before the tests'
  } finally {
    globalThis.__mutant = () => false
    await turn(mutant, 'off')
    await within(callAll(file, 'afterAll'), SLOWER_MORE_MS).catch(() => {})
    await callAll(file, 'beforeAll')
  }
}

async function within(work: Promise<unknown>, ms: number) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Endless('The mutant does not end.')), ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const testsOf = (suite: RunnerTestSuite): RunnerTestCase[] =>
  suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : task.mode === 'run' || task.mode === 'queued' ? [task] : []))

async function run(test: RunnerTestCase) {
  await TestRunner.getTestFn(test)()
}

/** Of the file alone: no suite within a file has hooks of its own here. */
async function callAll(file: RunnerTestSuite, name: 'beforeAll' | 'afterAll') {
  for (const hook of TestRunner.getSuiteHooks(file)[name]) await hook(file)
}
