import type pg from 'pg'
import { SEES_PLATES } from '../../../platform/contract/personal.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { secretHash } from '../../identity/server/api.ts'

/** A till's telephone lies there all day; who has not touched it for so long signs in again. */
const IDLE = '12 hours'
export const AT_MOST = '30 days'

interface Behind {
  sessionId: string | null
  mchId: string
  name: string
  enterprise: number
  parks: string[]
}
/** A merchant sees its parks, no person, and of the rows kept by merchant its own. The plates that it sees are of cars it gave something to. */
export async function merchantBehind(pool: pg.Pool, token: string): Promise<Actor | undefined> {
  const { rows } = await pool.query<Behind>({
    name: 'merchant_actor',
    text: 'select session_id as "sessionId", mch_id as "mchId", name, enterprise, parks from merchant.session_actor($1, $2::interval)',
    values: [secretHash(token), IDLE],
  })
  const [found] = rows
  if (!found?.sessionId) return undefined
  const { sessionId, mchId, name, enterprise, parks } = found
  return {
    userId: mchId,
    userName: name,
    enterprise,
    may: new Set([SEES_PLATES]),
    scope: { enterprise, parks, guest: `merchant:${mchId}` },
    sessionId,
    bound: false,
  }
}

/** Its password was reset or changed, or it was disabled: who is signed in is so no more, but for `but`. */
export const endDeskSessions = (tx: Tx, mchId: string, at: Instant, but: string | null = null) => run(tx, ENDED, [mchId, at, but])
const ENDED = {
  sql: `update merchant.session set ended_at = $2 where enterprise_id = scope_enterprise() and mch_id = $1 and ended_at is null and id is distinct from $3::uuid`,
}
