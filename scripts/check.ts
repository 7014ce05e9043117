import { spawn } from 'node:child_process'
import path from 'node:path'
import { root } from './sources.ts'

/** A rule over the whole source, run by a tool: types, lint, format, walls. */
export interface Check {
  name: string
  passed: boolean
  seconds: number
  /** What the tool wrote. */
  said: string
}

const tool = (file: string, ...args: string[]) => [path.join(root, 'node_modules', file), ...args]
const CHECKS: Record<string, string[]> = {
  'types of contracts': tool('typescript/bin/tsc', '-p', 'tsconfig.contract.json'),
  'types of the server': tool('typescript/bin/tsc', '-p', 'tsconfig.server.json'),
  'types of the page': tool('typescript/bin/tsc', '-p', 'tsconfig.web.json'),
  'types of tests': tool('typescript/bin/tsc', '-p', 'tsconfig.tests.json'),
  'walls between domains': [path.join(root, 'scripts', 'dependencies.ts')],
  lint: tool('oxlint/bin/oxlint', '--quiet', '--format', 'unix', '.'),
  format: tool('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '--cache', '.'),
}

/** What the world says, not the source: not part of `npm test`. */
const OUTSIDE: Record<string, string[]> = { 'advisories and SBOM': [path.join(root, 'scripts', 'advisories.ts')] }

/** One after the other: each of them already uses every core. */
export async function runChecks(tell: (check: Check) => void, checks = CHECKS): Promise<Check[]> {
  const done: Check[] = []
  for (const [name, command] of Object.entries(checks)) {
    const check = await runCheck(name, command)
    tell(check)
    done.push(check)
  }
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
