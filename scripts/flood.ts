import { setTimeout as pause } from 'node:timers/promises'
import { digestOf } from '../city/client.ts'
import { addressOf } from '../platform/contract/call.ts'
import { reads } from './load.ts'

/** Somebody who asks for lists as fast as they are answered or refused, many at once, until told that it is enough. */
const [url, password] = process.argv.slice(2) as [string, string]
const AT_ONCE = 64
const TOO_MANY = 429
/** A connection that the server did not take, or cut: somebody like that comes again. */
const NOT_TAKEN = { status: 0 }
const AGAIN_MS = 50
const count = { calls: 0, refused: 0 }
let over = false
process.once('message', () => (over = true))

const form = { method: 'POST', body: new URLSearchParams({ username: 'admin', password: digestOf('admin', password) }) }
const { access_token: token } = (await (await fetch(`${url}/lbs/security/authentication/form`, form)).json()) as { access_token: string }

async function one(place: number): Promise<void> {
  for (let n = place; !over; n++) {
    const call = reads[n % reads.length]!
    const body =
      call.method === 'POST'
        ? { body: '{}', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` } }
        : { headers: { authorization: `Bearer ${token}` } }
    const answer = fetch(url + addressOf(call), { method: call.method, ...body }).then(async (reply) => (await reply.arrayBuffer(), reply))
    const { status } = await answer.catch(() => NOT_TAKEN)
    if (status === NOT_TAKEN.status) {
      await pause(AGAIN_MS)
      continue
    }
    count.calls++
    if (status === TOO_MANY && count.refused++ === 0) process.send?.('refused')
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => one(place)))
process.send?.(count)
process.disconnect?.()
