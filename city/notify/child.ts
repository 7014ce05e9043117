import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface NotifyAddress {
  url: string
  mailPort: number
  secret: string
}
const WAITS_MS = 15_000

/**
 * The sandbox provider of messages as a process of its own, for as long as this one lives: its input is ours, and ends with us. Its secret is kept in
 * `notify-sandbox.json` of the data directory.
 */
export async function startNotifyProcess({ dataDir, port, mailPort }: { dataDir: string; port: number; mailPort: number }): Promise<NotifyAddress> {
  const secret = secretIn(dataDir)
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, 'main.ts'), '--port', String(port), '--mail', String(mailPort)], {
    env: { ...process.env, NOTIFY_SECRET: secret },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The sandbox provider of messages did not start.')), WAITS_MS)
    child.stdout.setEncoding('utf8').once('data', (line: string) => (clearTimeout(timer), resolve(line)))
    child.once('exit', () => (clearTimeout(timer), reject(new Error(`The sandbox provider of messages cannot listen at ${port} and ${mailPort}.`))))
  })
  child.unref()
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref()
  return { ...(JSON.parse(said) as { url: string; mailPort: number }), secret }
}

function secretIn(dataDir: string): string {
  const file = path.join(dataDir, 'notify-sandbox.json')
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { secret: string }).secret
  const secret = randomBytes(32).toString('hex')
  writeFileSync(file, JSON.stringify({ secret }), { mode: 0o600 })
  return secret
}
