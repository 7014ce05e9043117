import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Clients {
  clients: number
  seconds: number
  /** As the application's role with its scope set policies are asked; as the owner they are not. */
  policies?: boolean
  /** By `:name` in a script. A number may be made within it; a text can only be given. */
  parameters?: Record<string, string>
}
/** Transactions a second of the same SQL, prepared, without our server. Of several scripts each transaction takes any one. */
export function pgbench(ownerUrl: string, scripts: readonly string[], { clients, seconds, policies = false, parameters = {} }: Clients): number {
  const dir = path.join(import.meta.dirname, '../.data/bench-scripts')
  mkdirSync(dir, { recursive: true })
  const files = scripts.map((script) => {
    const file = path.join(dir, `${hash('sha256', script).slice(0, 12)}.sql`)
    writeFileSync(file, script)
    return ['-f', file]
  })
  const given = Object.entries(parameters).map(([name, value]) => ['-D', `${name}=${value}`])
  const url = new URL(ownerUrl)
  const options = policies ? '-c role=kerbline_app -c scope.enterprise=1 -c scope.parks=*' : ''
  const many = ['-c', String(clients), '-j', '1', '-T', String(seconds)]
  const where = ['-h', url.searchParams.get('host') ?? url.hostname, '-p', url.port, '-U', url.username, url.pathname.slice(1)]
  const text = execFileSync('pgbench', ['-n', '-M', 'prepared', ...many, ...files.flat(), ...given.flat(), ...where], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PGPASSWORD: decodeURIComponent(url.password), PGOPTIONS: options },
  })
  return Number(/tps = ([\d.]+)/.exec(text)![1])
}
