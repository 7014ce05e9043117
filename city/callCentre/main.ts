import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { endWith } from '../child.ts'
import { randomFrom } from '../random.ts'
import { type Centre, noticesOf, tell } from './centre.ts'

/**
 * `node city/callCentre/main.ts --platform http://127.0.0.1:8600 --enterprise 1 --gates P001-G01,P001-G02` with `CALL_CENTER_SECRET`: the call centre that the intercoms of the
 * lanes ring, as a process of its own. Now and then somebody at a lane calls for help.
 */
const { values } = parseArgs({
  options: { platform: { type: 'string' }, enterprise: { type: 'string', default: '1' }, gates: { type: 'string', default: '' } },
})
const HABITS = { unanswered: 12, repeated: 10, turned: 8 }
const EACH_MS = 120_000
const BETWEEN_MS = 500

async function main() {
  const secret = process.env['CALL_CENTER_SECRET'] ?? ''
  const gates = values.gates.split(',').filter(Boolean)
  if (secret.length < 32 || !values.platform || gates.length === 0)
    throw new Error('CALL_CENTER_SECRET (32 characters), --platform and --gates are needed.')
  const centre: Centre = { platform: values.platform, secret, enterprise: Number(values.enterprise), habits: HABITS, random: randomFrom(Date.now()) }
  const timer = setInterval(() => void ring(centre, gates), EACH_MS)
  console.log('ready')
  endWith(async () => clearInterval(timer))
}

/** A platform that is away hears nothing of it: nobody at a call centre tells it twice. */
async function ring(centre: Centre, gates: string[]) {
  for (const notice of noticesOf(centre, centre.random.oneOf(gates), Date.now())) {
    await tell(centre, notice).catch(() => {})
    await pause(BETWEEN_MS)
  }
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
