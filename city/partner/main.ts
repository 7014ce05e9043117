import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { endWith } from '../child.ts'
import type { Kept } from './child.ts'
import { startPartner } from './server.ts'

/**
 * `node city/partner/main.ts [--port 0] [--platform http://127.0.0.1:8600]`: the partner platform of the demo as a process of its own. The secrets of both sides stand in
 * `partner-sandbox.json` of DATA_DIR, where the demo server writes them.
 */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, platform: { type: 'string', default: `http://127.0.0.1:${process.env['PORT'] ?? 8600}` } },
})
const HABITS = { silent: 3, busy: 6, stubborn: 3, disputes: 15, drivers: 50, stops: 40 }

async function main(): Promise<void> {
  const kept = JSON.parse(readFileSync(path.join(path.resolve(process.env['DATA_DIR'] || '.data'), 'partner-sandbox.json'), 'utf8')) as Kept
  const running = await startPartner({ port: Number(values.port), platform: values.platform, ...kept, habits: HABITS, stations: { speed: 1 } })
  console.log(JSON.stringify({ url: running.url }))
  endWith(() => running.stop())
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
