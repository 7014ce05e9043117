import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { tally } from './tally.ts'
import { type LoadFigures, mixedLoad } from './load.ts'
import { neighbours } from './neighbours.ts'
import { faketimeLibrary } from './programs.ts'
import { root } from './sources.ts'

/** `npm run soak -- --hours 1 [--seed N]`: what takes too long for every change. Ends with one table; any failure is the exit code. */
const { values } = parseArgs({ options: { hours: { type: 'string', default: '1' }, seed: { type: 'string' }, only: { type: 'string' } } })
const hours = Number(values.hours)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!(hours > 0) || !Number.isSafeInteger(seed)) throw new Error('Usage: npm run soak -- --hours 1 [--seed N] [--only machines]')

/** The figures of a whole hour; a shorter soak does its share, and never less than every run of the tests. */
const share = (whole: number, least: number) => String(Math.max(least, Math.round(whole * Math.min(1, hours))))
interface Part {
  name: string
  files: string[]
  env: Record<string, string>
}
const PARTS: Part[] = [
  { name: 'garbage', files: ['tests/matrix/garbage'], env: { GARBAGE: share(200, 20) } },
  { name: 'crash', files: ['tests/faults'], env: { CRASHES: share(50, 5), POINTS: 'all' } },
  { name: 'scanner', files: ['tests/matrix/scanner'], env: { SOAK: 'all' } },
  { name: 'bulk', files: ['tests/faults/bulk'], env: { SOAK: 'all', CRASHES: share(20, 2), IMPORT_ROWS: share(50_000, 5_000) } },
  { name: 'machines', files: ['tests/machines'], env: { STEPS: share(10_000, 500) } },
  { name: 'spends', files: ['tests/money/spend'], env: { SPENDS: share(50, 1) } },
  { name: 'retries', files: ['tests/money/retries'], env: { RETRIES: share(20, 1) } },
  { name: 'editors', files: ['tests/matrix/editors'], env: { EDITS: share(20, 1) } },
  {
    name: 'guesses',
    files: ['tests/limits/sessions', 'domains/identity/server/signIn/session.test'],
    env: { GUESSES: share(1_000, 120), SAMPLES: share(300, 36) },
  },
  { name: 'sockets', files: ['tests/limits/sockets'], env: { SOCKETS: share(2_000, 40) } },
  { name: 'readers', files: ['tests/limits/readers'], env: { READERS: share(100, 8) } },
  { name: 'pictures', files: ['tests/limits/bombs'], env: { BOMBS: share(20, 2) } },
  { name: 'clocks', files: ['tests/limits/clock', 'tests/limits/faketime', 'tests/limits/zones'], env: { SOAK: 'all' } },
]
/** The rest of the time goes to the load, and never less than this. */
const LOAD_MIN_MINUTES = 1
/** From quality 4, G15: after the first hour. A process that has just begun still grows into its caches. */
const SLOPE_MAX_MB = 1
const SLOPE_FROM_HOURS = 2
const DESCRIPTORS_SLACK = 20

interface Line {
  name: string
  passed: boolean
  seconds: number
  what: string
}

function runPart({ name, files, env }: Part): Promise<Line> {
  const begun = performance.now()
  const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', '!browser', ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env, SEED: String(seed) },
  })
  const what = Object.entries(env)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
  return new Promise((resolve) => {
    vitest.on('close', (code) => resolve({ name, passed: code === 0, seconds: Math.round((performance.now() - begun) / 1000), what }))
  })
}

async function runLoad(minutes: number): Promise<Line> {
  const begun = performance.now()
  const seconds = () => Math.round((performance.now() - begun) / 1000)
  const figures = await mixedLoad(minutes, seed).catch((error: Error) => error)
  if (figures instanceof Error) return { name: 'mixed load', passed: false, seconds: seconds(), what: figures.message }
  tally({ check: 'soak: mixed load', seed, numbers: { ...figures } })
  return {
    name: 'mixed load',
    passed: holds(figures),
    seconds: seconds(),
    what: Object.entries(figures)
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
  }
}
const holds = ({ failed, unheard, rssSlopeMbPerHour = 0, descriptorsStart, descriptorsEnd }: LoadFigures) =>
  failed === 0 &&
  unheard === 0 &&
  descriptorsEnd <= descriptorsStart + DESCRIPTORS_SLACK &&
  (hours < SLOPE_FROM_HOURS || rssSlopeMbPerHour < SLOPE_MAX_MB)

/** A tenth is wanted; the same server asked twice differs by as much. */
const NEIGHBOUR_MAX = 1.2
const NEIGHBOUR_LEAST_S = 200
async function runNeighbours(seconds: number): Promise<Line> {
  const begun = performance.now()
  const figures = await neighbours(seconds, seed).catch((error: Error) => error)
  const line = { name: 'neighbours', seconds: Math.round((performance.now() - begun) / 1000) }
  if (figures instanceof Error) return { ...line, passed: false, what: figures.message }
  tally({ check: 'soak: neighbours of a flood', seed, numbers: { ...figures } })
  const passed = figures.failed === 0 && figures.floodRefused > 0 && figures.unheard === 0 && figures.ratio <= NEIGHBOUR_MAX
  return {
    ...line,
    passed,
    what: Object.entries(figures)
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
  }
}

const begun = performance.now()
const wanted = (name: string) => !values.only || values.only.split(',').includes(name)
if (wanted('clocks') && !faketimeLibrary()) {
  console.error('The soak sets clocks: install faketime (Debian: apt-get install faketime), or name other parts with --only. 请先安装 faketime。')
  process.exit(1)
}
console.log(`soak: ${hours} h, seed ${seed}`)
const lines: Line[] = []
for (const part of PARTS.filter(({ name }) => wanted(name))) lines.push(await runPart(part))
if (wanted('neighbours')) lines.push(await runNeighbours(Math.max(NEIGHBOUR_LEAST_S, 600 * Math.min(1, hours))))
if (wanted('load')) lines.push(await runLoad(Math.max(LOAD_MIN_MINUTES, hours * 60 - (performance.now() - begun) / 60_000)))

console.log(`\nsoak: ${hours} h, seed ${seed}`)
for (const { name, passed, seconds, what } of lines)
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${name.padEnd(12)} ${String(seconds).padStart(6)} s  ${what}`)
const failed = lines.filter(({ passed }) => !passed).length
console.log(`${lines.length - failed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
