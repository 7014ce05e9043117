import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runChecks, tellOf } from './check.ts'
import { missingPrograms } from './programs.ts'
import { root } from './sources.ts'

interface Count {
  passed: number
  failed: number
}

/** Everything that decides whether a change is good; each check over the source counts as one test. */
async function main(): Promise<Count> {
  const begun = performance.now()
  const counts: Count[] = [count(preparePrograms())]
  for (const { passed } of await runChecks((check) => console.log(tellOf(check)))) counts.push(count(passed))
  const built = spawnSync(process.execPath, ['scripts/page.mjs'], { cwd: root, stdio: 'inherit' })
  console.log(`${built.status === 0 ? 'ok  ' : 'FAIL'} the page is built`)
  counts.push(count(built.status === 0))
  counts.push(await runTests(process.argv.slice(2)))
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
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const still = missingPrograms()
  if (still.length) console.log(`FAIL these could not be installed: ${still.join(' ')}`)
  return !still.length
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

/** Both projects in one run: the server's tests side by side, then the browser's one at a time. */
async function runTests(filters: string[]): Promise<Count> {
  const directory = mkdtempSync(path.join(tmpdir(), 'kerbline-report-'))
  const file = path.join(directory, 'report.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...filters]
  const code = await new Promise<number | null>((resolve) => {
    spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], { cwd: root, stdio: 'inherit' }).on('close', resolve)
  })
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
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

const { passed, failed } = await main()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
