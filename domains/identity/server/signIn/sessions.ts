import { hash } from 'node:crypto'
import type pg from 'pg'
import type { Actor, Sessions } from '../../../../platform/server/serve.ts'
import { KEY_BEGINS } from '../../contract/apiKey.ts'

/** Sessions as one process sees them: read once, remembered for a moment, forgotten as soon as anything about them changes. */
export interface SessionsHere extends Sessions {
  /** A person's id; '' for everybody: rights, roles or menus changed. */
  forget(key: string): void
}
/** By `ticks`. */
interface Known {
  actor: Actor
  endsAt: number
  idleMs: number
  readAt: number
  usedAt: number
}
interface Read {
  sessionId: string | null
  userId: string
  userName: string
  enterprise: number
  parks: string[] | null
  departments: string[] | null
  capabilities: string[]
  endsAt: string
  idleS: number
  isBound: boolean
  locked: boolean
}

/** Even when no notification arrives (the connection that listens is down), nothing is believed for longer. */
const BELIEVED_MS = 5_000
/** After this process changed rights it reads every session afresh for so long: by then the notification has arrived. */
const WARY_MS = 2_000
/** When a session was last used is written together, not with every call. */
const TOUCH_MS = 15_000
const KNOWN_MAX = 20_000
/** Ours have 43 characters. */
const TOKEN_MAX = 128

/** Said by whatever changes rights, before its transaction ends: the very next call, in this process, must already feel it. */
export const beWary = () => void (waryUntil = ticks() + WARY_MS)
let waryUntil = 0

/** Milliseconds that no hand on the machine's clock turns back: a session read five seconds ago is not believed for an hour because the clock was set. */
const ticks = () => performance.now()
const tickOf = (at: string) => ticks() + Date.parse(at) - Date.now()

export const secretHash = (secret: string): Buffer => Buffer.from(hash('sha256', secret, 'buffer'))

export function sessionsIn(pool: pg.Pool): SessionsHere {
  const known = new Map<string, Known>()
  let used = new Set<string>()
  let usedKeys = new Map<string, string>()
  // Counts invalidations: a row that was read before one may be the row that it removed.
  let forgotten = 0
  const timer = setInterval(() => {
    const [ids, keys] = [[...used], [...usedKeys]]
    used = new Set()
    usedKeys = new Map()
    // A touch that is lost here is repeated by the next use.
    if (ids.length) pool.query({ name: 'touch', text: 'select identity.touch_sessions($1)', values: [ids] }).catch(() => {})
    const which = [keys.map(([id]) => id), keys.map(([, ip]) => ip)]
    if (keys.length) pool.query({ name: 'touch_keys', text: 'select identity.touch_keys($1::uuid[], $2::text[])', values: which }).catch(() => {})
  }, TOUCH_MS)
  timer.unref()

  const remembered = (key: string, now: number, unseen: boolean): Actor | undefined => {
    const found = known.get(key)
    if (!found || now < waryUntil || now - found.readAt > BELIEVED_MS || now > found.endsAt || now - found.usedAt > found.idleMs) return undefined
    if (!unseen) found.usedAt = now
    return found.actor
  }
  return {
    async actorOf(token, bound, { unseen = false, ip = '' } = {}) {
      if (!token || token.length > TOKEN_MAX || (bound && bound.length > TOKEN_MAX)) return undefined
      const key = bound ? `${token} ${bound}` : token
      const now = ticks()
      const before = forgotten
      const keep = (found: Known) => {
        if (now >= waryUntil && before === forgotten) remember(known, key, found)
      }
      const read = () => (token.startsWith(KEY_BEGINS) ? readKeyActor(pool, token, keep) : readActor(pool, token, bound, keep))
      const actor = remembered(key, now, unseen) ?? (await read())
      if (actor?.key) usedKeys.set(actor.sessionId, ip)
      else if (actor && !unseen) used.add(actor.sessionId)
      return actor
    },
    forget(key) {
      forgotten++
      if (key === '') return known.clear()
      for (const [name, { actor }] of known) if (actor.userId === key) known.delete(name)
    },
  }
}

async function readActor(pool: pg.Pool, token: string, bound: string | undefined, keep: (found: Known) => void): Promise<Actor | undefined> {
  const { rows } = await pool.query<Read>({
    name: 'session_actor',
    text: `select session_id as "sessionId", user_id as "userId", user_name as "userName", enterprise, parks, identity.departments_of(enterprise, user_id) as departments, capabilities, ends_at as "endsAt", idle_s as "idleS", is_bound as "isBound",
      identity.session_locked(session_id) as locked
      from identity.session_actor($1, $2)`,
    values: [secretHash(token), bound ? secretHash(bound) : null],
  })
  const read = rows[0]
  if (!read?.sessionId) {
    // Nobody waits for it: an end that is lost here is written by the next try.
    pool.query({ name: 'end_if_over', text: 'select identity.end_if_over($1)', values: [secretHash(token)] }).catch(() => {})
    return undefined
  }
  const { sessionId, userId, userName, enterprise, parks, departments } = read
  const people = departments ? { self: userId, departments } : undefined
  const scope = { enterprise, parks, people }
  const actor: Actor = {
    userId,
    userName,
    enterprise,
    may: new Set(read.capabilities),
    scope,
    sessionId,
    bound: read.isBound,
    locked: read.locked,
  }
  const now = ticks()
  keep({ actor, endsAt: tickOf(read.endsAt), idleMs: read.idleS * 1000, readAt: now, usedAt: now })
  return actor
}

interface KeyRead {
  keyId: string | null
  userId: string
  userName: string
  enterprise: number
  parks: string[] | null
  departments: string[] | null
  capabilities: string[]
  endsAt: string
}
/** A program with a key: it has those of the key's capabilities that its maker still has, and sees what they see. */
async function readKeyActor(pool: pg.Pool, key: string, keep: (found: Known) => void): Promise<Actor | undefined> {
  const { rows } = await pool.query<KeyRead>({
    name: 'key_actor',
    text: `select key_id as "keyId", user_id as "userId", user_name as "userName", enterprise, parks, departments, capabilities, ends_at as "endsAt" from identity.key_actor($1)`,
    values: [secretHash(key)],
  })
  const read = rows[0]
  if (!read?.keyId) return undefined
  const { keyId, userId, userName, enterprise, parks, departments } = read
  const people = departments ? { self: userId, departments } : undefined
  const actor: Actor = {
    userId,
    userName,
    enterprise,
    may: new Set(read.capabilities),
    scope: { enterprise, parks, people },
    sessionId: keyId,
    bound: false,
    key: true,
  }
  const now = ticks()
  keep({ actor, endsAt: tickOf(read.endsAt), idleMs: Infinity, readAt: now, usedAt: now })
  return actor
}

function remember(known: Map<string, Known>, key: string, found: Known) {
  known.delete(key)
  known.set(key, found)
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value!)
}
