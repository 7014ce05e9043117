import { appendFileSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest'
import type { Said, Work } from './work.ts'

/** Beside what the same test took before. Where many tests share two cores one may well take some times longer. */
const SLOWER_MAX = 8
const SLOWER_MORE_MS = 4_000
/** The same of the questions that a mutant's code asks: this alone ends a loop that never waits. */
const CALLS_MORE = 200_000

globalThis.__mutant = () => false

class Endless extends Error {}
interface Seen {
  test: RunnerTestCase
  reached: Set<number>
  ms: number
  calls: number
}

/**
 * Runs one file of tests again and again in one process: first as it is, to see which mutants each test reaches, then with each wanted mutant up to the first test that fails.
 * What has a `beforeAll` stands on a server of its own whose state its tests hand on, so it is made anew for each mutant and run in order; other tests stand alone, and only those that reach a mutant run.
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
    const shared = TestRunner.getSuiteHooks(file).beforeAll.length > 0
    if (shared) await callAll(file, 'afterAll') // what was made for the first test
    const seen = await dry(file, shared)
    say({ reached: [...new Set(seen.flatMap(({ reached }) => [...reached]))] })
    for (const mutant of work.wanted) {
      const reaching = seen.filter(({ reached }) => reached.has(mutant))
      if (!reaching.length) continue
      say({ begun: mutant })
      say({ mutant, killedBy: await killedBy(mutant, file, shared ? seen : reaching.toSorted((a, b) => a.ms - b.ms), shared) })
    }
    await dry(file, shared) // what a mutant left behind in this process would make the tests of the next ones worthless
    if (shared) await callAll(file, 'beforeAll')
    say({ done: true })
  }
}

/** Each test as it is. */
async function dry(file: RunnerTestSuite, shared: boolean): Promise<Seen[]> {
  const seen: Seen[] = []
  let reached = new Set<number>()
  let calls = 0
  globalThis.__mutant = (number) => {
    reached.add(number)
    calls++
    return false
  }
  if (shared) await callAll(file, 'beforeAll')
  for (const test of testsOf(file)) {
    const begun = performance.now()
    await run(test)
    seen.push({ test, reached, calls, ms: performance.now() - begun })
    reached = new Set()
    calls = 0
  }
  if (shared) await callAll(file, 'afterAll')
  return seen
}

/** The name of the test that fails with the mutant, or what went wrong around the tests. */
async function killedBy(mutant: number, file: RunnerTestSuite, ran: readonly Seen[], shared: boolean): Promise<string | null> {
  let left = Infinity
  globalThis.__mutant = (number) => {
    if (--left < 0) throw new Endless('The mutant goes round and round.')
    return number === mutant
  }
  try {
    if (shared) await callAll(file, 'beforeAll')
    for (const { test, ms, calls } of ran) {
      left = calls * SLOWER_MAX + CALLS_MORE
      const failed = await within(run(test), ms * SLOWER_MAX + SLOWER_MORE_MS).then(() => false, () => true) // prettier-ignore
      if (failed) return test.name
    }
    return null
  } catch {
    return 'before the tests'
  } finally {
    left = Infinity
    globalThis.__mutant = () => false
    if (shared) await within(callAll(file, 'afterAll'), SLOWER_MORE_MS).catch(() => {})
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
