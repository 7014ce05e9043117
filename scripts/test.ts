import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeAssurance } from './assurance.ts'
import { runChecks, tellOf } from './check.ts'
import { missingPrograms } from './programs.ts'
import { changedSince, type Reach, reachOf } from './reach.ts'
import { root } from './sources.ts'
import { forgetTallies } from './tally.ts'

/** `npm test`: all; `npm test -- domains/fee`: one place; `npm test -- --since main`: what the changes since that commit can reach. */
const ALL: Reach = { files: null, calls: [''] }

interface Count {
  passed: number
  failed: number
}

/** Everything that decides whether a change is good; each check over the source counts as one test. */
async function main(): Promise<Count> {
  const begun = performance.now()
  const { reach, filters } = wanted(process.argv.slice(2))
  const isWhole = reach.files === null && filters.length === 0
  if (isWhole) forgetTallies()
  const counts: Count[] = [count(preparePrograms())]
  for (const { passed } of await runChecks((check) => console.log(tellOf(check)))) counts.push(count(passed))
  const built = spawnSync(process.execPath, ['scripts/page.mjs'], { cwd: root, stdio: 'inherit' })
  console.log(`${built.status === 0 ? 'ok  ' : 'FAIL'} the page is built`)
  counts.push(count(built.status === 0))
  counts.push(await runTests(reach, filters))
  if (isWhole && sum(counts, 'failed') === 0) await writeAssurance()
  console.log(`All of it took ${Math.round((performance.now() - begun) / 1000)} s.`)
  return { passed: sum(counts, 'passed'), failed: sum(counts, 'failed') }
}

const count = (passed: boolean): Count => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 })
const sum = (counts: Count[], key: keyof Count) => counts.reduce((total, one) => total + one[key], 0)

/** A browser, Chinese letters for its pictures, and an MQTT client that is not ours. */
function preparePrograms(): boolean {
  const missing = missingPrograms()
  if (!missing.length) return true
  const packages = missing.join(' ')
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.log(`FAIL programs that tests need are missing, please install them: sudo apt-get install ${packages}`)
    return false
  }
  console.log(`Installing ${packages} ... 正在安装`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'inherit' })
  const fetch = (names: readonly string[]) =>
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  fetch(missing)
  // Where it is not packed apart, or one package of several was not found.
  for (const name of missingPrograms()) fetch([name === 'chromium-headless-shell' ? 'chromium' : name])
  const still = missingPrograms()
  if (still.length) console.log(`FAIL these could not be installed: ${still.join(' ')}`)
  return !still.length
}

function wanted(args: string[]): { reach: Reach; filters: string[] } {
  const at = args.indexOf('--since')
  if (at < 0) return { reach: ALL, filters: args }
  const commit = args[at + 1]
  if (!commit) throw new Error('Usage: npm test -- --since <commit>')
  const reach = reachOf(changedSince(commit))
  console.log(
    reach.because
      ? `Everything is run: ${reach.because}.`
      : `${reach.files!.length} test files can be reached; calls: ${reach.calls.join(' ') || 'none'}`,
  )
  return { reach, filters: [...args.slice(0, at), ...args.slice(at + 2)] }
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; startTime: number; endTime: number; assertionResults: { status: string }[] }[]
}

/** Both projects in one run: the server's tests side by side, then the browser's one at a time. */
async function runTests(reach: Reach, filters: string[]): Promise<Count> {
  const directory = mkdtempSync(path.join(tmpdir(), 'kerbline-report-'))
  const file = path.join(directory, 'report.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...(reach.files ?? []), ...filters]
  const env = reach.files === null ? process.env : { ...process.env, CALLS: reach.calls.join(',') }
  const code = await new Promise<number | null>((resolve) => {
    spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], { cwd: root, stdio: 'inherit', env }).on('close', resolve)
  })
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    tellTimes(report)
    // A file that does not even load has no tests; it is one failure.
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
    ).length
    const failed = report.numFailedTests + unloaded
    // An error outside every test (an unhandled rejection) fails the run as well.
    return { passed: report.numPassedTests, failed: failed || (code === 0 ? 0 : 1) }
  } catch {
    return { passed: 0, failed: 1 } // it ended before it could report
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const SLOWEST_FILES = 15
/** Which files took how long: the slowest here, all of them in `.data/test-times.txt`. */
function tellTimes({ testResults }: Report) {
  const times = testResults
    .map(({ name, startTime, endTime }) => ({ file: path.relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
  const lines = times.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
  mkdirSync(path.join(root, '.data'), { recursive: true })
  writeFileSync(path.join(root, '.data/test-times.txt'), `${lines.join('\n')}\n`)
  console.log(`\nThe slowest of ${times.length} test files:\n${lines.slice(0, SLOWEST_FILES).join('\n')}`)
}

const { passed, failed } = await main()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
