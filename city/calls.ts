import { randomBytes } from 'node:crypto'
import { callOut, CallResult } from '../domains/parking/contract/callOut.ts'
import { callCentreSignsWith } from '../domains/parking/server/api.ts'
import type { House } from '../platform/server/domain.ts'
import { noticesOf, tell } from './callCentre/centre.ts'
import { orWithout, startChild } from './child.ts'
import type { Client } from './client.ts'
import { randomFrom } from './random.ts'

/** The same for each try to fill the demo. */
const MADE_UP = randomBytes(32).toString('hex')
const HOUR_MS = 3_600_000
const PAST_CALLS = 14
/** A call each so many hours, and the last of them not yet written down. */
const EVERY_HOURS = 3
const HABITS = { unanswered: 15, repeated: 20, turned: 20 }
const DONE = [CallResult.opened, CallResult.plateCorrected, CallResult.entered, CallResult.passedOn]

/** The call centre of the demo begins to ring; of the last days its calls are told too, and people wrote down what became of most. */
export async function connectCallCentre(
  house: House,
  client: Client,
  enterprise: number,
  { url, gates, nowMs }: { url: string; gates: readonly string[]; nowMs: number },
) {
  const secret = process.env['CALL_CENTER_SECRET'] || MADE_UP
  callCentreSignsWith(secret)
  const args = ['--platform', url, '--enterprise', String(enterprise), '--gates', gates.join(',')]
  await orWithout(house.log, startChild('call centre', 'callCentre/main.ts', { at: `of ${url}`, args, env: { CALL_CENTER_SECRET: secret } }))
  const { total } = await client.ask(callOut.search, { limit: 1 })
  if (total > 0) return
  const random = randomFrom(enterprise)
  for (let n = PAST_CALLS; n > 0; n--) {
    const notices = noticesOf({ habits: HABITS, random }, random.oneOf(gates), nowMs - n * EVERY_HOURS * HOUR_MS)
    for (const notice of notices) await tell({ platform: url, secret, enterprise }, notice)
    const { callId, gateCode } = notices[0]!
    const isTaken = notices.some(({ event }) => event === 'answer')
    if (isTaken && n > 1) await client.ask(callOut.insert, { callId, gateCode, result: random.oneOf(DONE) })
  }
}
