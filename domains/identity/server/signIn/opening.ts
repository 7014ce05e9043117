import { randomBytes } from 'node:crypto'
import type { Instant } from '../../../../platform/contract/field.ts'
import { BOUND_COOKIE } from '../../../../platform/server/call/cookies.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { BadInput, refusal } from '../../../../platform/server/refusal.ts'
import type { RequestFacts } from '../../../../platform/server/serve.ts'
import { lengthsIn } from './sessionLength.ts'
import { beWary, secretHash } from './sessions.ts'
import '../tables.ts'
import { tellNewDevice } from '../tell.ts'
import { LoginType } from '../../contract/session.ts'

/** One sentence for an unknown name, a wrong password and a locked person: which of them it was is nobody's business. */
export const WrongSignIn = refusal(
  'identity.sign-in',
  401,
  '用户名或密码错误，或账号已锁定；锁定 15 分钟后自动解除',
  'Wrong username or password, or the account is locked; a lock ends after 15 minutes',
  401,
)

export interface Client {
  kind: number
  browser: string | null
  userSystem: string | null
  device: Buffer | null
  ip: string
}

/** The session that another one comes of: no exchange makes it younger or lets it last longer. */
export interface Origin {
  startedAt: string
  expiresAt: string
}
/** A page's session is bound to its browser by a cookie that no script can read; a plain client's is not, and ends sooner. */
export async function openSession(tx: Tx, personId: string, client: Client, request: RequestFacts, origin?: Origin) {
  const { kind, browser, userSystem, device, ip } = client
  const token = secret()
  const bound = request.browser ? secret() : undefined
  const [{ idle, atMost, unboundAtMost }, [whose]] = await Promise.all([lengthsIn(tx), strangeTo(tx, personId, device)])
  const [made] = await run<{ id: string | null }>(
    tx,
    { sql: 'select identity.open_session($1, $2, $3, $4, $5, $6, $7, $8, $9::interval, $10::interval, $11, $12) as id' },
    [
      ...[personId, secretHash(token), bound ? secretHash(bound) : null, device, kind, ip, browser, userSystem],
      ...[idle, bound ? atMost : unboundAtMost, origin?.startedAt ?? null, origin?.expiresAt ?? null],
    ],
  )
  if (!made?.id) return undefined
  if (whose?.strange) {
    const at = new Date().toISOString() as Instant
    await tellNewDevice(tx, { personId, enterprise: whose.enterpriseId, at, ip, browser: browser ?? '', system: userSystem ?? '' })
  }
  if (bound) request.setCookie(boundCookie(bound, request))
  return { access_token: token }
}
/** Asked before the session is open: from then on the browser is known. */
const strangeTo = (tx: Tx, personId: string, device: Buffer | null) =>
  run<{ enterpriseId: number; strange: boolean }>(tx, { sql: 'select * from identity.strange_browser($1, $2)' }, [personId, device])

export const boundCookie = (bound: string, request: RequestFacts) =>
  `${BOUND_COOKIE}=${bound}; Path=/; HttpOnly; SameSite=Strict${request.overTls ? '; Secure' : ''}`

export const secret = () => randomBytes(32).toString('base64url')

/** Ends open sessions of the scope's enterprise; `but` stays. Answers how many there were. */
export async function endSessions(tx: Tx, at: Instant, why: string, of: { id?: string; personId?: string; but?: string }): Promise<number> {
  beWary()
  let ending = tx.updateTable('identity.session').set({ endedAt: at, endedBy: why }).where('endedAt', 'is', null)
  if (of.id) ending = ending.where('id', '=', of.id)
  if (of.personId) ending = ending.where('personId', '=', of.personId)
  if (of.but) ending = ending.where('id', '!=', of.but)
  return Number((await ending.executeTakeFirst()).numUpdatedRows)
}

/** The header says who the client is; it is worth nothing but a line in the log, so it is small and text only. */
const HEADER_MAX = 2_048
const DEVICE_MAX = 128
export function clientOf(sent: { loginType?: number; browser?: string; userSystem?: string }, { headers, ip }: RequestFacts): Client {
  const header = headers['virtualclient']
  const said = typeof header === 'string' ? virtualClient(header) : {}
  const device = headers['deviceid']
  return {
    kind: LoginType.console,
    browser: said.browser ?? sent.browser ?? null,
    userSystem: said.userSystem ?? sent.userSystem ?? null,
    device: typeof device === 'string' && device.length >= 16 && device.length <= DEVICE_MAX ? secretHash(device) : null,
    ip,
  }
}
const BadClient = () => BadInput({ zh: 'VirtualClient 请求头应为不超过 2 KB 的 JSON', en: 'the VirtualClient header must be JSON of at most 2 KB' })
function virtualClient(header: string): { browser?: string; userSystem?: string } {
  if (Buffer.byteLength(header) > HEADER_MAX) throw BadClient()
  let said: unknown
  try {
    said = JSON.parse(header)
  } catch {
    throw BadClient()
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) throw BadClient()
  const { browser, userSystem } = said as { browser?: unknown; userSystem?: unknown }
  const { name, version } = (typeof browser === 'object' && browser !== null ? browser : {}) as { name?: unknown; version?: unknown }
  const named = plain(browser) || `${plain(name)} ${plain(version)}`.trim()
  const system = plain(userSystem)
  return { ...(named && { browser: named }), ...(system && { userSystem: system }) }
}
/** A line of the log holds no control characters: nobody forges a second line. */
const plain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .replace(/\p{Cc}/gu, ' ')
        .slice(0, 100)
    : ''
