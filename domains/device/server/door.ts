import { createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { type Credential, credentialOf, isOwnId, secretIs } from './presence.ts'
import { slotsOf } from '../../../platform/server/job/slots.ts'

export interface Session extends Credential {
  sn: string
}
export type Entry = { session: Session } | { refused: 'credentials' | 'identifier' | 'too-many' }

/** Wrong passwords from one address for one device before it has to wait. */
const TRIES = 10
const TRIES_MS = 60_000
const SN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/
/** Clients that were given no id make one up. */
const MADE_UP = /^(mosq[-|/]|mqttjs_|aedes_|auto-)/
const KNOWN_MAX = 20_000
/** Sign-ins looked at at once. */
const AT_ONCE = 6

/** Checks a device's credentials: user name = serial number, password = secret, client id = serial number or with a suffix. */
export function openDoor(pool: pg.Pool) {
  const key = randomBytes(32)
  const digestOf = (secret: string) => createHmac('sha256', key).update(secret).digest('base64')
  // A device that comes back with the same secret costs no scrypt: a thousand come back at once after a restart of a switch.
  const known = new Map<string, { hash: string; digest: string }>()
  const wrong = new Map<string, { count: number; until: number }>()

  // All devices of a city come back at once after a power cut; without a queue they would wait each other's connections and threads to death.
  const slots = slotsOf(AT_ONCE)
  const enter = (sn: string, secret: string, clientId: string, address: string): Promise<Entry> => slots(() => look(sn, secret, clientId, address))

  async function look(sn: string, secret: string, clientId: string, address: string): Promise<Entry> {
    const who = `${address} ${sn}`
    const tries = wrong.get(who)
    if (tries && tries.until > performance.now() && tries.count >= TRIES) return { refused: 'too-many' }
    const found = SN.test(sn) ? await credentialOf(pool, sn) : undefined
    if (!found || !(await isRight(sn, secret, found.secretHash))) {
      if (wrong.size >= KNOWN_MAX) wrong.clear()
      wrong.set(who, { count: (tries && tries.until > performance.now() ? tries.count : 0) + 1, until: performance.now() + TRIES_MS })
      return { refused: 'credentials' }
    }
    wrong.delete(who)
    // An id that is another device's would throw that device out.
    const own = clientId === '' || clientId === sn || MADE_UP.test(clientId) || (await isOwnId(pool, sn, clientId))
    return own ? { session: { sn, ...found } } : { refused: 'identifier' }
  }
  async function isRight(sn: string, secret: string, hash: string): Promise<boolean> {
    const digest = digestOf(secret)
    const before = known.get(sn)
    if (before?.hash === hash && before.digest === digest) return true
    const right = await secretIs(secret, hash)
    if (right) {
      if (known.size >= KNOWN_MAX) known.clear()
      known.set(sn, { hash, digest })
    }
    return right
  }
  return { enter }
}
