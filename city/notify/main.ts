import { parseArgs } from 'node:util'
import { endWith } from '../child.ts'
import { startNotify } from './server.ts'

/** `node city/notify/main.ts --port 8603 --mail 8604` with `NOTIFY_SECRET`: the sandbox provider of messages as a process of its own. */
const { values } = parseArgs({ options: { port: { type: 'string', default: '8603' }, mail: { type: 'string', default: '8604' } } })

/** Of a hundred messages so many fail at first, as with a real operator. */
const FAILING = 4
/** As a near one answers. The demo waits for some two hundred answers before it is ready. */
const LAG_MS = 40
const PER_SECOND = 20

async function main() {
  const secret = process.env['NOTIFY_SECRET'] ?? ''
  if (secret.length < 32) throw new Error('NOTIFY_SECRET must have at least 32 characters.')
  const running = await startNotify({
    port: Number(values.port),
    mailPort: Number(values.mail),
    secret,
    failing: FAILING,
    lagMs: LAG_MS,
    perSecond: PER_SECOND,
  })
  console.log(JSON.stringify({ url: running.url, mailPort: running.mailPort }))
  endWith(() => running.stop())
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
