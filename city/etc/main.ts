import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { startIssuer } from './issuer.ts'

/**
 * The sandbox issuer of ETC cards as a process of its own: `node city/etc/main.ts [--port 8605]`.
 * Its secret is PAY_SANDBOX_SECRET, or what a demo server keeps in `pay-sandbox.json` of DATA_DIR; it listens three doors behind the payment channel.
 */
/** Between them stand the provider of messages and its mail. */
const PORT_AFTER = 3

async function main(): Promise<void> {
  const file = path.join(path.resolve(process.env['DATA_DIR'] || '.data'), 'pay-sandbox.json')
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { secret: string; url: string }) : undefined
  const secret = process.env['PAY_SANDBOX_SECRET'] || kept?.secret
  if (!secret) throw new Error(`No secret: set PAY_SANDBOX_SECRET, or start a demo server first so that it writes ${file}.`)
  const at = process.argv.indexOf('--port')
  const port = at > 0 ? Number(process.argv[at + 1]) : kept ? Number(new URL(kept.url).port) + PORT_AFTER : 8605
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port takes a whole number from 0 to 65535.')
  const running = await startIssuer({ port, secret })
  console.log(`The sandbox issuer of ETC cards listens at ${running.url}`)
  const stop = () => void running.stop().then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
