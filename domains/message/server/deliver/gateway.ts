import { createHmac } from 'node:crypto'
import { askOutside, NotReached, type OutsideAnswer } from '../../../../platform/server/outside.ts'
import type { Outgoing, Said, Way } from './provider.ts'

/**
 * The gateway of a provider of text messages, WeChat, mini programs, push and voice: one signed request a message. `x-signature` is the HMAC-SHA256 of
 * `timestamp.body` in hexadecimal; `x-request-key` is the message's key, and the same key is the same message there.
 */
export async function byGateway(way: Way, message: Outgoing): Promise<Said> {
  const body = JSON.stringify({
    type: way.type,
    to: message.address,
    name: message.toName,
    title: message.title,
    text: message.content,
    sign: message.third?.signName ?? way.sender ?? '',
    templateId: message.third?.templateId ?? '',
    vars: message.third?.vars ?? {},
  })
  return answered(() =>
    askOutside(way.url ?? '', {
      headers: { ...signature(way.secret ?? '', body), 'x-account': way.account ?? '', 'x-request-key': message.key },
      body,
    }),
  )
}

/** Proves that we sent it, and when: a copy of an old request is not believed. */
export function signature(secret: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  return {
    'content-type': 'application/json',
    'x-timestamp': timestamp,
    'x-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
  }
}

const THROTTLED = 429
const TIMED_OUT = 408
const CONFLICT = 409
/** Reads an answer over HTTP: 2xx is accepted, 429 is to be tried later, another 4xx never, everything else may be tried again. */
export async function answered(ask: () => Promise<OutsideAnswer>): Promise<Said> {
  let reply: OutsideAnswer
  try {
    reply = await ask()
  } catch (error) {
    if (!(error instanceof NotReached)) throw error
    return { outcome: error.refused ? 'refused' : 'failed', answer: error.message }
  }
  const { status, headers, text } = reply
  const answer = `${status} ${text.slice(0, 1000)}`
  const providerNo = numberIn(text)
  if (status < 300) return { outcome: 'accepted', answer, ...(providerNo && { providerNo }) }
  if (status === THROTTLED) return { outcome: 'throttled', answer, waitMs: Math.min(3_600, Number(headers['retry-after']) || 1) * 1000 }
  if (status >= 400 && status < 500 && status !== TIMED_OUT && status !== CONFLICT) return { outcome: 'refused', answer }
  return { outcome: 'failed', answer }
}
function numberIn(text: string): string | undefined {
  try {
    const { id } = JSON.parse(text) as { id?: unknown }
    return typeof id === 'string' ? id.slice(0, 64) : undefined
  } catch {
    return undefined
  }
}
