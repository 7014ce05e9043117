import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { CodeOf, Instant } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { Dialect, PlatformRole } from '../contract/platform.ts'
import { type FourSecrets, vault } from './partner.ts'

/** A partner that may call: by the secrets that we gave it. */
export interface Caller {
  enterprise: number
  platformId: string
  operatorId: string
  /** Ours: the beginning of every number that we made. */
  ownOperatorId: string
  /** What it may ask: with drivers, for our stations; with stations, it tells of our drivers' charges there. */
  role: CodeOf<typeof PlatformRole>
  /** No more business with it; charges of our drivers still run at its stations. */
  stopped: boolean
  dialect: CodeOf<typeof Dialect>
  secrets: FourSecrets
}
/** Everybody who calls themselves so: a partner of two enterprises has two sets of secrets, and its signature tells which of them it means. */
export async function callersAs(pool: pg.Pool, operatorId: string): Promise<Caller[]> {
  const { rows } = await pool.query<Omit<Caller, 'secrets' | 'operatorId'> & { ours: string }>({
    name: 'charging.partners-called',
    text: CALLED,
    values: [operatorId],
  })
  return rows.map(({ ours, ...one }) => ({ ...one, operatorId, secrets: JSON.parse(vault().opened(ours)) as FourSecrets }))
}
const CALLED =
  'select enterprise_id as enterprise, platform_id as "platformId", own_operator_id as "ownOperatorId", role, stopped, dialect, ours from charging.partners_called($1)'

/** A token is good for so many seconds; a partner's programs may have so many of them side by side. */
export const TOKEN_S = 7_200
const TOKENS_MAX = 8
const TOKEN_BYTES = 32

/** Only the digest is kept. */
export async function giveToken(tx: Tx, platformId: string, at: Instant): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await run(tx, { sql: GIVE }, [digestOf(token), platformId, instantAt(msOf(at) + TOKEN_S * 1_000)])
  await run(tx, { sql: ENOUGH }, [platformId])
  return token
}
const GIVE = 'insert into charging.partner_token (token_hash, platform_id, expires_at) values ($1, $2, $3)'
const ENOUGH = `delete from charging.partner_token where enterprise_id = scope_enterprise() and platform_id = $1 and token_hash not in (
    select token_hash from charging.partner_token where enterprise_id = scope_enterprise() and platform_id = $1 order by expires_at desc limit ${TOKENS_MAX})`

export async function isToken(tx: Tx, platformId: string, token: string, at: Instant): Promise<boolean> {
  return (await run(tx, { sql: KNOWN }, [digestOf(token), platformId, at])).length > 0
}
const KNOWN =
  'select 1 from charging.partner_token where enterprise_id = scope_enterprise() and token_hash = $1 and platform_id = $2 and expires_at > $3'
const digestOf = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest()
