import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { endWith } from '../child.ts'
import { startChannel } from './server.ts'

/**
 * The sandbox payment channel as a process of its own: `node city/pay/main.ts [--port 8602]`.
 * Its secret is PAY_SANDBOX_SECRET, or what a demo server keeps in `pay-sandbox.json` of DATA_DIR.
 */
async function main(): Promise<void> {
  const file = path.join(path.resolve(process.env['DATA_DIR'] || '.data'), 'pay-sandbox.json')
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { secret: string; url: string }) : undefined
  const secret = process.env['PAY_SANDBOX_SECRET'] || kept?.secret
  if (!secret) throw new Error(`No secret: set PAY_SANDBOX_SECRET, or start a demo server first so that it writes ${file}.`)
  const at = process.argv.indexOf('--port')
  const port = at > 0 ? Number(process.argv[at + 1]) : Number(kept ? new URL(kept.url).port : 8602)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port takes a whole number from 0 to 65535.')
  const running = await startChannel({ port, secret, log: (line) => console.error(line) })
  console.log(`The sandbox payment channel listens at ${running.url}`)
  endWith(() => running.stop())
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
