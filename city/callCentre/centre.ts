import { randomBytes, randomUUID } from 'node:crypto'
import { callOut, type CallEvent } from '../../domains/parking/contract/callOut.ts'
import { addressOf } from '../../platform/contract/call.ts'
import { signed } from '../../platform/server/call/signature.ts'
import type { Random } from '../random.ts'

/** How a call centre behaves: of a hundred calls so many nobody takes, so many notices come twice, and so many come in the wrong order. */
export interface Habits {
  unanswered: number
  repeated: number
  turned: number
}
export interface Centre {
  /** Where the platform listens. */
  platform: string
  secret: string
  enterprise: number
  habits: Habits
  random: Random
}
interface Notice {
  callId: string
  event: CallEvent
  gateCode: string
  at: string
  caller: string
  agent?: string
}
const AGENTS = ['坐席 01', '坐席 02', '坐席 05']
const SECOND = 1_000

/** All that is told of one call that began then, in the order in which it is told. */
export function noticesOf({ habits, random }: Pick<Centre, 'habits' | 'random'>, gateCode: string, beganMs: number): Notice[] {
  const callId = randomUUID()
  const caller = `160${String(random.below(100_000_000)).padStart(8, '0')}`
  const agent = random.oneOf(AGENTS)
  const ringS = 3 + random.below(25)
  const happened = (event: CallEvent, afterS: number): Notice => ({
    ...{ callId, event, gateCode, caller, at: new Date(beganMs + afterS * SECOND).toISOString() },
    ...(event !== 'ring' && { agent }),
  })
  const { agent: _, ...nobody } = happened('hangup', ringS)
  const isTaken = !random.chance(habits.unanswered / 100)
  const told = isTaken
    ? [happened('ring', 0), happened('answer', ringS), happened('hangup', ringS + 15 + random.below(105))]
    : [happened('ring', 0), nobody]
  const again = told.filter(() => random.chance(habits.repeated / 100))
  return [...(random.chance(habits.turned / 100) ? told.toReversed() : told), ...again]
}

/** Tells the platform of it. @returns the HTTP status */
export async function tell({ platform, secret, enterprise }: Pick<Centre, 'platform' | 'secret' | 'enterprise'>, notice: Notice): Promise<number> {
  const body = signed(
    { centre: `kerbline-${enterprise}`, ...notice, timestamp: Math.floor(Date.now() / SECOND), nonce: randomBytes(12).toString('hex') },
    secret,
  )
  const { status } = await fetch(`${platform}${addressOf(callOut.notice)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return status
}
