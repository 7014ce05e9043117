import { hash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Instant } from '../../../platform/contract/field.ts'
import { SEES_PLATES, SEES_WHOLE } from '../../../platform/contract/personal.ts'
import { DAY_MS, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { Actor } from '../../../platform/server/serve.ts'

/** A driver stays signed in on a telephone that they use, and comes in anew after this at the latest. */
export const KEPT_DAYS = 90
const IDLE = '30 days'
const TOKEN_BYTES = 32
/** A driver sees their own data uncovered. This gives no right to any call. */
const SEES = new Set([SEES_WHOLE, SEES_PLATES])

const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')
export const codeHash = (phone: string, code: string): Buffer => hash('sha256', `${phone} ${code}`, 'buffer')

export async function openSession(tx: Tx, ownerId: string, ip: string, at: Instant): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await run(tx, { sql: OPEN }, [ownerId, tokenHash(token), ip, at, instantAt(msOf(at) + KEPT_DAYS * DAY_MS)])
  return token
}
const OPEN = 'insert into owner.session (owner_id, token_hash, ip, started_at, seen_at, expires_at) values ($1, $2, $3, $4, $4, $5)'
export const endSession = (tx: Tx, id: string, at: Instant) =>
  run(tx, { sql: 'update owner.session set ended_at = $2 where enterprise_id = scope_enterprise() and id = $1 and ended_at is null' }, [id, at])

interface Read {
  sessionId: string | null
  ownerId: string
  nickname: string
  enterprise: number
}
/** The driver behind a token. It is read with every call: an owner who was locked a moment ago is signed in no more. */
export async function driverBehind(pool: pg.Pool, token: string): Promise<Actor | undefined> {
  const { rows } = await pool.query<Read>({ name: 'driver_actor', text: ACTOR, values: [tokenHash(token), IDLE] })
  const [read] = rows
  if (!read?.sessionId) return undefined
  const { sessionId, ownerId, nickname, enterprise } = read
  return {
    userId: ownerId,
    userName: nickname,
    enterprise,
    may: SEES,
    scope: { enterprise, parks: null, guest: `driver:${ownerId}` },
    sessionId,
    bound: false,
  }
}
const ACTOR = 'select session_id as "sessionId", owner_id as "ownerId", nickname, enterprise from owner.session_actor($1, $2::interval)'
