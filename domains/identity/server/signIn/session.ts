import type { Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import { enterpriseOf, run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound, refusal, TooMany } from '../../../../platform/server/refusal.ts'
import { BOUND_COOKIE } from '../../../../platform/server/call/cookies.ts'
import { type Actor, phased, serve } from '../../../../platform/server/serve.ts'
import { CODE_S, LoginType, type Session, session } from '../../contract/session.ts'
import { refuseAbroad } from './confirmSelf.ts'
import { clientOf, endSessions, openSession, type Origin, secret, WrongSignIn } from './opening.ts'
import { matches } from './password.ts'
import { SecondFactorNeeded } from './secondFactor.ts'
import { beWary, secretHash } from './sessions.ts'
import { factsOf, settleSignIn } from './signIn.ts'
import '../tables.ts'
import { ADDRESS_TRIES, ADDRESS_WINDOW, countTry, slowed, triedBy, triesOf } from './tries.ts'

const WrongCode = refusal('identity.code', 401, '一次性码无效或已过期，请重新获取', 'This code is not valid or has expired: ask for a new one', 401)

/** The `login_type` of a session that a company's own identity provider opened. */
export const SINGLE_SIGN_ON = LoginType.oidc
/** A session comes with its cookie; asked for twice, it is two, and the one nobody uses ends by itself. */
const ANEW = { anew: true }

export const calls = serve(session, {
  login: phased(async ({ input: { username, password, ...sent }, at, request, read, write }) => {
    const client = clientOf(sent, request)
    const tried = triedBy(username, client.ip)
    const before = await read(async (tx) => ({ ...(await factsOf(tx, username, client)), ...(await triesOf(tx, tried)) }))
    await slowed(before, before.known ?? false)
    const right = await matches(password, before.passwordHash ?? undefined)
    const opened = await write((tx) => settleSignIn(tx, { right, whose: username, username, client, tried, at, request }))
    if (!opened) throw WrongSignIn()
    if ('challenge' in opened) throw SecondFactorNeeded(opened)
    return opened
  }, ANEW),

  async mintCode({ tx, actor, at }) {
    await refuseAbroad(tx, actor)
    const code = secret()
    const expiresAt = instantAt(msOf(at) + CODE_S * 1000)
    await tx
      .insertInto('identity.oneTimeCode')
      .values({ codeHash: secretHash(code), enterpriseId: actor.enterprise, personId: actor.userId, sessionId: actor.sessionId, expiresAt })
      .execute()
    return { code, expiresAt }
  },

  exchange: phased(async ({ input: { code, ...sent }, request, write }) => {
    const client = { ...clientOf(sent, request), kind: LoginType.code }
    const address = secretHash(`address ${client.ip}`)
    if ((await write((tx) => countTry(tx, address, ADDRESS_WINDOW))) > ADDRESS_TRIES) throw TooMany()
    const opened = await write(async (tx) => {
      const origin = (await taken(tx, 'code', code)) ?? (await taken(tx, 'token', code))
      return origin && openSession(tx, origin.personId, client, request, origin)
    })
    if (!opened) throw WrongCode()
    return opened
  }, ANEW),

  async logout({ tx, actor, request }) {
    await endOwn(tx, actor, 'sign-out', { id: actor.sessionId })
    request.setCookie(`${BOUND_COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`)
  },

  async listMine({ tx, actor }) {
    const rows = await run<Omit<Of<typeof Session>, 'current'>>(tx, { sql: 'select * from identity.own_sessions($1)' }, [actor.userId])
    return rows.map((row) => ({ ...row, current: row.id === actor.sessionId }))
  },
  async end({ tx, input: { id }, actor }) {
    if ((await endOwn(tx, actor, 'ended', { id })) === 0) throw NotFound()
  },
  endOthers: async ({ tx, actor }) => void (await endOwn(tx, actor, 'ended', { but: actor.sessionId })),
  // Row-level security shows the sessions of those whom one sees.
  listOf: ({ tx, input: { custId }, actor, at }) => sessionsOf(tx, at, custId, actor.sessionId),
  async endOf({ tx, input: { id }, at }) {
    if ((await endSessions(tx, at, 'ended', { id })) === 0) throw NotFound()
  },
})

/** Wherever one acts: one's own sessions. Answers how many there were. */
async function endOwn(
  tx: Tx,
  { userId }: Actor,
  why: string,
  { id = null, but = null }: { id?: string | null; but?: string | null },
): Promise<number> {
  beWary()
  return (await run<{ n: number }>(tx, { sql: 'select identity.end_own_sessions($1, $2, $3, $4) as n' }, [userId, id, but, why]))[0]!.n
}

/** Whose one-time code, or whose own token that a third party hands over, this is. Either is good once: asking takes it. */
async function taken(tx: Tx, how: keyof typeof TAKES, secret: string): Promise<(Origin & { personId: string }) | undefined> {
  if (how === 'token') beWary()
  const [found] = await run<Origin & { personId: string | null }>(tx, { sql: TAKES[how] }, [secretHash(secret)])
  return found?.personId ? { ...found, personId: found.personId } : undefined
}
const TAKES = { code: 'select * from identity.take_code($1)', token: 'select * from identity.take_token($1)' }

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
  return rows.map((row) => ({ ...row, id: row.id as Id<'SessionId'>, current: row.id === current }))
}
