import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { answersAt, startChild } from '../child.ts'

export interface NotifyAddress {
  url: string
  mailPort: number
  secret: string
}

/** The sandbox provider of messages as a process of its own, unless one with our secret listens there already. Its secret is kept in `notify-sandbox.json` of the data directory. */
export async function startNotifyProcess({ dataDir, port, mailPort }: { dataDir: string; port: number; mailPort: number }): Promise<NotifyAddress> {
  const secret = secretIn(dataDir)
  const url = `http://127.0.0.1:${port}`
  if (await answersAt(url, secret)) return { url, mailPort, secret }
  const said = await startChild('sandbox provider of messages', 'notify/main.ts', {
    at: `at ports ${port} and ${mailPort}`,
    args: ['--port', String(port), '--mail', String(mailPort)],
    env: { NOTIFY_SECRET: secret },
  })
  return { ...(JSON.parse(said) as { url: string; mailPort: number }), secret }
}

function secretIn(dataDir: string): string {
  const file = path.join(dataDir, 'notify-sandbox.json')
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { secret: string }).secret
  const secret = randomBytes(32).toString('hex')
  writeFileSync(file, JSON.stringify({ secret }), { mode: 0o600 })
  return secret
}
