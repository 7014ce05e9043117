import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { enterpriseOf, run, type Tx } from '../../../platform/server/database.ts'
import { BadInput, NotFound, refusal, TooMany } from '../../../platform/server/refusal.ts'
import { BOUND_COOKIE } from '../../../platform/server/cookies.ts'
import { phased, type RequestFacts, serve } from '../../../platform/server/serve.ts'
import { logSignIn, SignIn } from '../../system/server/api.ts'
import { ABSOLUTE_H, CODE_S, IDLE_MIN, session, UNBOUND_ABSOLUTE_H } from '../contract/session.ts'
import { matches } from './password.ts'
import { beWary, secretHash } from './sessions.ts'
import './tables.ts'

/** One sentence for an unknown name, a wrong password and a locked person: which of them it was is nobody's business. */
export const WrongSignIn = refusal(
  'identity.sign-in',
  401,
  '用户名或密码错误，或账号已锁定',
  'Wrong username or password, or the account is locked',
  401,
)
const WrongCode = refusal('identity.code', 401, '一次性码无效或已过期', 'This code is not valid or has expired', 401)

/** Wrong tries of a name within the window, whoever has it or not, before answers begin to wait. Real names are locked long before. */
const NAME_TRIES = 10
export const WINDOW = '15 min'
/** Wrong tries from one address, for whatever names: an office behind one address stays below the first; beyond it each answer waits, beyond the second none comes. */
const ADDRESS_SLOW = 300
const ADDRESS_SLOW_MS = 250
const ADDRESS_TRIES = 2_000
const ADDRESS_WINDOW = '5 min'
/** Beyond NAME_TRIES each answer waits longer, up to this. */
const DELAY_MAX_MS = 1_000

interface Facts {
  enterpriseId: number | null
  personId: string | null
  passwordHash: string | null
  locked: boolean | null
  known: boolean | null
}
interface Client {
  kind: number
  browser: string | null
  userSystem: string | null
  device: Buffer | null
  ip: string
}

/** A session comes with its cookie; asked for twice, it is two, and the one nobody uses ends by itself. */
const ANEW = { anew: true }

export const calls = serve(session, {
  login: phased(async ({ input: { username, password, ...sent }, request, read, write }) => {
    const client = clientOf(sent, request)
    const name = secretHash(`name ${username.toLowerCase()}`)
    const address = secretHash(`address ${client.ip}`)
    const before = await read(async (tx) => ({ ...(await factsOf(tx, username, client)), ...(await triesOf(tx, name, address)) }))
    if (before.ofAddress > ADDRESS_TRIES && !before.known) throw TooMany()
    await pause(delayOf(before))
    const right = await matches(password, before.passwordHash ?? undefined)
    const opened = await write(async (tx) => {
      // Looked at again: of a hundred guesses at once, those before this one have been counted meanwhile.
      const { locked, enterpriseId, personId } = await factsOf(tx, username, client)
      const log = (outcome: number) => logSignIn(tx, { enterprise: enterpriseId, personId, username, ...client, outcome })
      if (right && !locked && personId) {
        await Promise.all([forgetTries(tx, name), log(SignIn.right)])
        return openSession(tx, personId, client, request)
      }
      await Promise.all([countTry(tx, name, WINDOW), countTry(tx, address, ADDRESS_WINDOW)])
      await run(tx, { sql: 'select identity.sign_in_failed($1, $2)' }, [locked ? null : personId, client.device])
      await log(locked ? SignIn.locked : SignIn.wrong)
      return undefined
    })
    if (!opened) throw WrongSignIn()
    return opened
  }, ANEW),

  async mintCode({ tx, actor, at }) {
    const code = secret()
    const expiresAt = instantAt(msOf(at) + CODE_S * 1000)
    await tx
      .insertInto('identity.oneTimeCode')
      .values({ codeHash: secretHash(code), enterpriseId: actor.enterprise, personId: actor.userId, expiresAt })
      .execute()
    return { code, expiresAt }
  },

  exchange: phased(async ({ input: { code, ...sent }, request, write }) => {
    const client = { ...clientOf(sent, request), kind: 2 }
    const address = secretHash(`address ${client.ip}`)
    if ((await write((tx) => countTry(tx, address, ADDRESS_WINDOW))) > ADDRESS_TRIES) throw TooMany()
    const opened = await write(async (tx) => {
      const [taken] = await run<{ id: string | null }>(tx, { sql: 'select identity.take_code($1) as id' }, [secretHash(code)])
      return taken?.id ? openSession(tx, taken.id, client, request) : undefined
    })
    if (!opened) throw WrongCode()
    return opened
  }, ANEW),

  async logout({ tx, actor, at, request }) {
    await endSessions(tx, at, 'sign-out', { id: actor.sessionId })
    request.setCookie(`${BOUND_COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`)
  },

  listMine: ({ tx, actor, at }) => sessionsOf(tx, at, actor.userId, actor.sessionId),
  async end({ tx, input: { id }, actor, at }) {
    if ((await endSessions(tx, at, 'ended', { id, personId: actor.userId })) === 0) throw NotFound()
  },
  listOf: ({ tx, input: { custId }, actor, at }) => sessionsOf(tx, at, custId, actor.sessionId),
  async endOf({ tx, input: { id }, at }) {
    if ((await endSessions(tx, at, 'ended', { id })) === 0) throw NotFound()
  },
})

/** More open sessions of one person are not worth showing. */
const SESSIONS_MAX = 100
async function sessionsOf(tx: Tx, at: Instant, personId: string, current: string) {
  const rows = await tx
    .selectFrom('identity.session')
    .select(['id', 'startedAt', 'seenAt', 'expiresAt', 'ip', 'browser', 'userSystem'])
    .where('enterpriseId', '=', enterpriseOf(tx))
    .where('personId', '=', personId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', at)
    .orderBy('seenAt', 'desc')
    .limit(SESSIONS_MAX)
    .execute()
  return rows.map((row) => ({ ...row, current: row.id === current })) as never
}

/** Ends open sessions of the scope's enterprise; `but` stays. Answers how many there were. */
export async function endSessions(tx: Tx, at: Instant, why: string, of: { id?: string; personId?: string; but?: string }): Promise<number> {
  beWary()
  let ending = tx.updateTable('identity.session').set({ endedAt: at, endedBy: why }).where('endedAt', 'is', null)
  if (of.id) ending = ending.where('id', '=', of.id)
  if (of.personId) ending = ending.where('personId', '=', of.personId)
  if (of.but) ending = ending.where('id', '!=', of.but)
  return Number((await ending.executeTakeFirst()).numUpdatedRows)
}

/** A page's session is bound to its browser by a cookie that no script can read; a plain client's is not, and ends sooner. */
async function openSession(tx: Tx, personId: string, { kind, browser, userSystem, device, ip }: Client, request: RequestFacts) {
  const token = secret()
  const bound = request.browser ? secret() : undefined
  const [made] = await run<{ id: string | null }>(
    tx,
    { sql: 'select identity.open_session($1, $2, $3, $4, $5, $6, $7, $8, $9::interval, $10::interval) as id' },
    [
      personId,
      secretHash(token),
      bound ? secretHash(bound) : null,
      device,
      kind,
      ip,
      browser,
      userSystem,
      `${IDLE_MIN} min`,
      `${bound ? ABSOLUTE_H : UNBOUND_ABSOLUTE_H} h`,
    ],
  )
  if (!made?.id) return undefined
  if (bound) request.setCookie(`${BOUND_COOKIE}=${bound}; Path=/; HttpOnly; SameSite=Strict${overTls(request) ? '; Secure' : ''}`)
  return { access_token: token }
}
const overTls = ({ headers }: RequestFacts) => String(headers['x-forwarded-proto'] ?? '').startsWith('https')

const secret = () => randomBytes(32).toString('base64url')

const factsOf = async (tx: Tx, username: string, { device }: Client) =>
  (await run<Facts>(tx, { sql: 'select * from identity.sign_in_facts($1, $2)' }, [username, device]))[0]!
const triesOf = async (tx: Tx, name: Buffer, address: Buffer) =>
  (
    await run<{ ofName: number; ofAddress: number }>(
      tx,
      { sql: 'select identity.tries_of($1, $2::interval) as of_name, identity.tries_of($3, $4::interval) as of_address' },
      [name, WINDOW, address, ADDRESS_WINDOW],
    )
  )[0]!
/** Whoever is known in this browser does not wait for what strangers do. */
function delayOf({ known, ofName, ofAddress }: Facts & { ofName: number; ofAddress: number }): number {
  if (known) return 0
  const byName = ofName > NAME_TRIES ? Math.min(DELAY_MAX_MS, 20 * 2 ** (ofName - NAME_TRIES)) : 0
  return Math.max(byName, ofAddress > ADDRESS_SLOW ? ADDRESS_SLOW_MS : 0)
}

/** How many tries of something there were within the window, this one included. */
export const countTry = async (tx: Tx, what: Buffer, within: string) =>
  (await run<{ n: number }>(tx, { sql: 'select identity.count_try($1, $2::interval) as n' }, [what, within]))[0]!.n
const forgetTries = (tx: Tx, what: Buffer) => run(tx, { sql: 'select identity.forget_tries($1)' }, [what])

/** The header says who the client is; it is worth nothing but a line in the log, so it is small and text only. */
const HEADER_MAX = 2_048
const DEVICE_MAX = 128
function clientOf(sent: { loginType?: number; browser?: string; userSystem?: string }, { headers, ip }: RequestFacts): Client {
  const header = headers['virtualclient']
  const said = typeof header === 'string' ? virtualClient(header) : {}
  const device = headers['deviceid']
  return {
    kind: 1,
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
