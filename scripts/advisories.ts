import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './sources.ts'

/** The output of `npm audit --json`; where a registry keeps no advisories it contains an error instead. */
export interface Audit {
  vulnerabilities?: Record<string, { severity: string; range: string; via: (string | { title: string; url: string })[] }>
  error?: { summary?: string }
  message?: string
}
export interface Judged {
  /** Of packages that ship: those with a hole that is high or critical. */
  holes: string[]
  /** The registry could not be asked. */
  unasked?: string
}
const GRAVE = new Set(['high', 'critical'])

export function judge({ vulnerabilities, error, message }: Audit): Judged {
  if (!vulnerabilities) return { holes: [], unasked: message ?? error?.summary ?? 'no answer' }
  const grave = Object.entries(vulnerabilities).filter(([, { severity }]) => GRAVE.has(severity))
  const why = (via: Required<Audit>['vulnerabilities'][string]['via']) =>
    via.map((one) => (typeof one === 'string' ? one : `${one.title} ${one.url}`))
  return { holes: grave.map(([name, { severity, range, via }]) => `${name} ${range}: ${severity}: ${why(via).join('; ')}`) }
}

const npm = (...args: string[]) => spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).stdout

/** `npm run check` alone: an advisory of tomorrow makes no change of today wrong. Writes what ships as CycloneDX to `.data/sbom.json`. */
function main() {
  mkdirSync(path.join(root, '.data'), { recursive: true })
  writeFileSync(path.join(root, '.data', 'sbom.json'), npm('sbom', '--sbom-format', 'cyclonedx', '--omit=dev'))
  const { holes, unasked } = judge(JSON.parse(npm('audit', '--omit=dev', '--json')) as Audit)
  for (const hole of holes) console.log(hole)
  if (unasked) console.log(`Not asked: ${unasked}`)
  process.exitCode = holes.length > 0 ? 1 : 0
}
if (import.meta.main) main()
