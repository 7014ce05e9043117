import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { format } from 'prettier'
import type { Tally } from './tally.ts'
import { root } from './sources.ts'

/** `npm run assurance`: docs/assurance.md from the numbers that the harnesses left in their last run. Never written by hand. */
type Kept = Tally & { at: string }
const DIRECTORY = path.join(root, '.data/assurance')

function readAll(): Kept[] {
  if (!existsSync(DIRECTORY)) return []
  return readdirSync(DIRECTORY)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(path.join(DIRECTORY, name), 'utf8')) as Kept)
    .sort((a, b) => a.check.localeCompare(b.check))
}

const cells = (row: readonly (string | number)[]) => `| ${row.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [cells(head), cells(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(cells)].join('\n')

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

const figures = (numbers: Record<string, number>) =>
  Object.entries(numbers)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

function page(tallies: readonly Kept[]): string {
  const perCall = tallies.filter(({ calls }) => calls)
  const others = tallies.filter(({ calls, numbers }) => !calls || numbers)
  const ids = [...new Set(perCall.flatMap(({ calls = {} }) => Object.keys(calls)))].sort()
  const tries = perCall.map(({ calls = {} }) => Object.values(calls).reduce((sum, n) => sum + n, 0))
  const newest = tallies
    .map(({ at }) => at)
    .sort()
    .at(-1)!
  return `# What was tried, and how often 试了什么、试了多少次

Made by the last whole run of the tests, ${newest.slice(0, 10)}, at commit ${commit()}. Every try that is counted here passed: a failing one fails the run.

## Harnesses

${table(
  ['check', 'seed', 'figures', 'run at'],
  others.map(({ check, seed, numbers = {}, at }) => [check, seed ?? '', figures(numbers), at.slice(0, 16).replace('T', ' ')]),
)}

## Calls × checks

${ids.length} calls, ${tries.reduce((sum, n) => sum + n, 0)} tries. An empty cell: the check does not concern that call.

${table(['call', ...perCall.map(({ check }) => check)], [['**all**', ...tries], ...ids.map((id) => [id, ...perCall.map(({ calls = {} }) => calls[id] ?? '')])])}
`
}

/** Whether there was anything to write. A whole run of the tests that passed ends with this. */
export async function writeAssurance(): Promise<boolean> {
  const tallies = readAll()
  if (tallies.length === 0) return false
  writeFileSync(path.join(root, 'docs/assurance.md'), await format(page(tallies), { parser: 'markdown' }))
  console.log(`docs/assurance.md: ${tallies.length} checks`)
  return true
}

if (import.meta.main && !(await writeAssurance())) {
  console.error('There are no numbers yet: run npm test first. 请先运行 npm test。')
  process.exitCode = 1
}
