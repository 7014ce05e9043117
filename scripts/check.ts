import { spawn } from 'node:child_process'
import path from 'node:path'
import { root } from './sources.ts'

/** A rule over the whole source, run by a tool: types, lint, format, walls. */
export interface Check {
  name: string
  passed: boolean
  seconds: number
  /** The tool's output. */
  said: string
}

const tool = (file: string, ...args: string[]) => [path.join(root, 'node_modules', file), ...args]
/** One checker: several of them work the same types out several times over, and two projects side by side use two cores better. */
const types = (project: string) => tool('typescript/bin/tsc', '-p', `tsconfig.${project}.json`, '--checkers', '1')
/** The longest first. */
const CHECKS: Record<string, string[]> = {
  'types of the server': types('server'),
  'types of tests': types('tests'),
  'types of the page': types('web'),
  'types of contracts': types('contract'),
  'walls between domains': [path.join(root, 'scripts', 'dependencies.ts')],
  lint: tool('oxlint/bin/oxlint', '--quiet', '--format', 'unix', '.'),
  format: tool('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '--cache', '.'),
}

/** Checks that depend on the outside world, not on the source: not part of `npm test`. */
const OUTSIDE: Record<string, string[]> = { 'advisories and SBOM': [path.join(root, 'scripts', 'advisories.ts')] }

const AT_ONCE = 2
/** Two at a time; `tell` hears of each when it is done. */
export async function runChecks(tell: (check: Check) => void, checks = CHECKS): Promise<Check[]> {
  const done: Check[] = []
  const waiting = Object.entries(checks)
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const check = await runCheck(...next)
      tell(check)
      done.push(check)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return done
}

function runCheck(name: string, command: string[]): Promise<Check> {
  const begun = performance.now()
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: root })
    const parts: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => parts.push(text))
    child.on('close', (code) => resolve({ name, passed: code === 0, seconds: (performance.now() - begun) / 1000, said: parts.join('').trim() }))
  })
}

export const tellOf = ({ name, passed, seconds, said }: Check) =>
  `${passed ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)${said ? `\n${said}\n` : ''}`

if (import.meta.main) {
  const checks = await runChecks((check) => console.log(tellOf(check)), { ...CHECKS, ...OUTSIDE })
  process.exit(checks.every(({ passed }) => passed) ? 0 : 1)
}
