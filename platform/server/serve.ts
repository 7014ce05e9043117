import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressOf, type Call, isGuests } from '../contract/call.ts'
import type { Instant } from '../contract/field.ts'
import { TARGET_NAMES } from '../contract/targets.ts'
import { type Author, reading, type Scope, type Tx, writing } from './database.ts'
import type { House } from './domain.ts'
import { guestOf } from './call/guests.ts'
import { checkerOf, inputOf } from './call/input.ts'
import { type Keyed, once, onceAround, type Read, type Steps, unkept, type Write } from './call/keys.ts'
import { type Limits, limitsOf } from './call/limits.ts'
import { askedWhole, coverOf, hiddenFrom } from './call/personal.ts'
import { CrossSite, Locked, NoPermission, SignInFirst, Unavailable } from './refusal.ts'
import { answer, refusalOf } from './call/answer.ts'
import { BOUND_COOKIE, cookieOf, fromElsewhere, GUEST_COOKIE, languageOf } from './call/cookies.ts'

/** The caller. `may` holds the capabilities of all roles together; `scope` is what the database lets through. */
export interface Actor {
  userId: string
  userName: string
  enterprise: number
  may: ReadonlySet<string>
  scope: Scope
  sessionId: string
  /** The session is tied to a browser's cookie. */
  bound: boolean
  /** A program with a key of this person, which is no session of theirs. */
  key?: boolean
  /** Its person has locked the console: until it is unlocked it does nothing else. */
  locked?: boolean
}
export interface RequestFacts {
  id: string
  ip: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  language: 'zh' | 'en'
  /** It came from a page: such a session is bound to its browser. */
  browser: boolean
  /** All the way to the server, or to a proxy that it trusts. */
  overTls: boolean
  setCookie(cookie: string): void
}
interface Common<Input> {
  input: Input
  actor: Actor
  at: Instant
  request: RequestFacts
  /** The house that was asked: what it does for whoever is not signed in, it does in its own database. */
  house: House
}
export interface CallContext<Input> extends Common<Input> {
  tx: Tx
}
export interface PhasedContext<Input> extends Common<Input> {
  read: Read
  /** Each has its effect once for one Idempotency-Key, wherever the call was cut off. */
  write: Write
  /** The same for what the house writes on behalf of a guest. */
  asSteps: Steps['writing']
}
export type Phased<Input, Reply> = { phased: (context: PhasedContext<Input>) => Promise<Reply>; anew: boolean }
export type Handler<C> = C extends Call<infer Input, infer Reply> ? ((context: CallContext<Input>) => Promise<Reply>) | Phased<Input, Reply> : never
/**
 * A call that waits for the outside (a hash, a provider) within its answer: short transactions, none held open across the wait. `anew`: no key makes two of them one,
 * because its answer is more than its body (a session's cookie).
 */
export const phased = <Input, Reply>(work: (context: PhasedContext<Input>) => Promise<Reply>, { anew = false } = {}): Phased<Input, Reply> => ({
  phased: work,
  anew,
})

/** Calls of a noun with their handlers, ready for `register`. */
export type Served = { call: Call<any, any>; handle: ((context: CallContext<any>) => Promise<unknown>) | Phased<any, unknown> }[]
/** Every call of the noun gets a handler, or it does not compile. */
export const serve = <Noun extends Record<string, Call<any, any>>>(noun: Noun, handlers: { [Name in keyof Noun]: Handler<Noun[Name]> }): Served =>
  Object.entries(noun).map(([name, call]) => ({ call, handle: handlers[name] as Served[number]['handle'] }))

/** A call's own handler, for what does the same many times over in one transaction: a sheet's rows are added and changed by the very rules of the form. */
export const sameAs = <Input, Reply>(served: Served, call: Call<Input, Reply>) => {
  const { handle } = served.find((one) => one.call.id === call.id)!
  if ('phased' in handle) throw new Error(`${call.id} has transactions of its own.`)
  // No such handler looks at the request.
  return (context: Pick<CallContext<Input>, 'tx' | 'actor' | 'at'>, input: Input) => handle({ ...context, input } as never) as Promise<Reply>
}

export interface Sessions {
  /** `bound` is the cookie that a browser's session is tied to. */
  actorOf(
    token: string | undefined,
    bound: string | undefined,
    how?: {
      /** A look that is nobody's doing: an idle session stays idle. */
      unseen?: boolean
      /** Where it comes from, as the owner of a key sees it. */
      ip?: string
    },
  ): Promise<Actor | undefined>
}

/** A call that somebody made or tried, as the operation log keeps it; of its input only the names of things are kept. */
export interface CallNote {
  at: Instant
  actor: Actor
  ip: string
  /** The page that it was done on. */
  page: string | null
  call: string
  target: string | null
  status: number
  /** Why not. */
  said: readonly [zh: string, en: string] | null
  tookMs: number
  requestId: string
}

/** The only place that knows HTTP: permission, limits, validation, transaction, retries, envelope. `note` hears of every logged call after it was answered. */
export function register(
  app: FastifyInstance,
  house: House,
  sessions: Sessions,
  served: Served,
  limits: Limits = limitsOf(1),
  note: (note: CallNote) => void = () => {},
): void {
  const { pool } = house
  const actors = new WeakMap<FastifyRequest, Actor>()
  const known = new WeakMap<FastifyRequest, { input?: Record<string, unknown>; error?: Error }>()
  for (const { call, handle } of served) {
    if (!call.needs) throw new Error(`${call.id} does not say what it needs.`)
    const check = checkerOf(call)
    const coverFor = coverOf(call.reply)
    const refuseParts = call.writes || call.needs === 'public' ? undefined : askedWhole(call.input)
    app.route({
      method: call.method,
      url: addressOf(call).replaceAll(/\{(\w+)\}/g, ':$1'),
      // Before the body is read: a stranger learns nothing about a call, not even what it wants.
      async onRequest(request) {
        if (call.writes) refuseCrossSite(request)
        const actor = await admitted({ pool, sessions }, request, call, limits)
        actors.set(request, actor)
        if (call.needs.includes(':') && !actor.may.has(call.needs)) throw NoPermission()
        // Calls open to every signed-in user mostly concern that user's own password, sessions and messages. A program is not that
        // user.
        if (actor.key && call.needs === 'signed-in' && !call.forPrograms) throw NoPermission()
      },
      async onError(request, _, error) {
        known.set(request, { ...known.get(request), error })
      },
      async onResponse(request, reply) {
        const actor = actors.get(request)
        const heard = known.get(request)
        const logged = (call.logged && !isLook(call, heard?.input)) || reply.statusCode === FORBIDDEN
        if (actor?.userId && logged) note(noteOf(call, actor, request, reply, heard))
      },
      handler: (request, reply) => answered(request, reply).catch((error: Error) => tooLate(request, reply, error)),
    })
    async function answered(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const actor = actors.get(request)!
      const input = check(await inputOf(call, request))
      const hidden = hiddenFrom(actor)
      refuseParts?.(input, hidden)
      if (call.logged) known.set(request, { input })
      const data = await limits.inTurn(callerOf(actor), call.writes, async () => {
        // A caller who waited for a turn until the call was answered, or who has left, asks again: nothing is done without the
        // caller knowing.
        if (reply.sent || request.raw.socket.destroyed) throw Unavailable()
        const common = { input, actor, house, at: new Date().toISOString() as Instant, request: factsOf(request, reply) }
        const author: Author = { userId: actor.userId || null, userName: actor.userName, via: call.id, requestId: request.id }
        const read: Read = (work) => reading(pool, actor.scope, work)
        const write: Read = (work) => writing(pool, actor.scope, author, work)
        const keyed = keyedBy(request, actor, call, input)
        if ('phased' in handle) {
          const work = ({ reading, writing }: Steps) => handle.phased({ ...common, read: reading(read), write: writing(write), asSteps: writing })
          return keyed && !handle.anew ? onceAround(write, keyed, work) : work(unkept)
        }
        if (!call.writes) return read((tx) => handle({ ...common, tx }))
        return write((tx) => (keyed ? once(tx, keyed, () => handle({ ...common, tx })) : handle({ ...common, tx })))
      })
      // The one way out of the house for what a call answers; sheets and histories, which have no fields of their own, do the same where they are made.
      const cover = coverFor(hidden)
      return answer(reply, cover ? cover(data) : data)
    }
  }
}

/**
 * A caller who was answered already (the call took too long) gets no second answer. That the call was then given up or refused is
 * no fault; an unforeseen error is one.
 */
function tooLate(request: FastifyRequest, reply: FastifyReply, error: Error): undefined {
  if (!reply.sent) throw error
  if (refusalOf(error)) request.log.debug({ err: error }, 'A call that had been answered was given up.')
  else request.log.error({ err: error }, 'A call failed after it had been answered.')
}

const FORBIDDEN = 403
/** An import that is only tried, or asked which of its rows are wrong, and a dialog that asks what its act would cost, leave nothing behind: each is a look. */
function isLook({ asksWith }: Call<any, any>, input: Record<string, unknown> = {}) {
  const only = asksWith && Object.entries(asksWith).every(([name, value]) => input[name] === value)
  return only || input['dryRun'] === true || input['badRows'] !== undefined
}
const PAGE = /^\/[\w/-]{0,119}$/
function noteOf(
  call: Call<any, any>,
  actor: Actor,
  request: FastifyRequest,
  reply: FastifyReply,
  { input, error }: { input?: Record<string, unknown>; error?: Error } = {},
): CallNote {
  const page = request.headers['x-page']
  const tookMs = Math.round(reply.elapsedTime)
  return {
    at: new Date(Date.now() - tookMs).toISOString() as Instant,
    actor,
    ip: request.ip,
    page: typeof page === 'string' && PAGE.test(page) ? page : null,
    call: call.id,
    target: targetOf(input),
    status: reply.statusCode,
    said: error ? (refusalOf(error)?.texts ?? FAILURE) : null,
    tookMs,
    requestId: request.id,
  }
}
const FAILURE = ['服务器内部错误', 'Internal error'] as const

const TARGET_MAX = 200
function targetOf(input: Record<string, unknown> | undefined): string | null {
  if (!input) return null
  const said = Object.keys(TARGET_NAMES).flatMap((name) => {
    const value = input[name]
    if (typeof value === 'string' || typeof value === 'number') return `${name}=${value}`
    return Array.isArray(value) && value.length > 0 ? `${name}=${value.slice(0, 3).join(',')}${value.length > 3 ? ` (${value.length})` : ''}` : []
  })
  return said.length > 0
    ? said
        .join(' ')
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, TARGET_MAX)
    : null
}

/** With an `Idempotency-Key` a writing call has one effect, however often it comes. */
function keyedBy(request: FastifyRequest, actor: Actor, call: Call<any, any>, input: unknown): Keyed | undefined {
  const key = request.headers['idempotency-key']
  return call.writes && typeof key === 'string' && key ? { who: actor.userId || request.ip, key, call: call.id, input } : undefined
}

interface Door {
  pool: House['pool']
  sessions: Sessions
}
/** Returns the caller, if the caller may call now. A wrong token counts against the address that it came from. @throws TooMany, SignInFirst */
async function admitted(door: Door, request: FastifyRequest, call: Call<any, any>, limits: Limits): Promise<Actor> {
  if (call.needs === 'public') {
    limits.address(request.ip)
    if (call.heavy) limits.scan(request.ip)
    return nobody
  }
  try {
    const actor = await signedIn(door, request, call)
    if (call.needs === 'wall') limits.wall(actor.userId)
    else limits.person(callerOf(actor), call)
    if (!isGuests(call.needs)) limits.enterprise(actor.enterprise)
    return actor
  } catch (error) {
    if ((error as { status?: number }).status === 401) limits.address(request.ip)
    throw error
  }
}

/** Each program of a person is one of its own: none keeps the person from working. Nobody: whoever has no session. */
const callerOf = ({ userId, key, sessionId }: Actor) => (key ? `key ${sessionId}` : userId)

async function signedIn({ pool, sessions }: Door, request: FastifyRequest, call: Call<any, any>): Promise<Actor> {
  const bearer = bearerOf(request)
  if (isGuests(call.needs)) {
    // A page's token may lie in a cookie that no script can read; a program sends it in the header.
    const guest = await guestOf(pool, call.needs, bearer ?? cookieOf(request.headers.cookie, GUEST_COOKIE[call.needs]))
    if (!guest) throw SignInFirst()
    return guest
  }
  const bound = cookieOf(request.headers.cookie, BOUND_COOKIE)
  // A picture in a page sends no header: reading a file, the cookies of the page's own bound session are enough. They never come from another site.
  const picture = bearer === undefined && bound !== undefined && call.file && !call.writes
  const actor = picture
    ? await sessions.actorOf(cookieOf(request.headers.cookie, 'token'), bound, { unseen: true })
    : await sessions.actorOf(bearer, bound, { ip: request.ip })
  if (!actor || (picture && !actor.bound)) throw SignInFirst()
  if (actor.locked && !call.whenLocked) throw Locked()
  return actor
}
const bearerOf = ({ headers }: FastifyRequest) => (headers.authorization?.startsWith('Bearer ') ? headers.authorization.slice(7) : undefined)

/** Writing calls by GET are part of the contract, so a page elsewhere must not be able to fire one, nor a browser ahead of time. */
function refuseCrossSite({ headers }: FastifyRequest) {
  const site = headers['sec-fetch-site']
  const purpose = `${headers['sec-purpose'] ?? ''}${headers.purpose ?? ''}`
  if (site === 'cross-site' || site === 'same-site' || purpose.includes('prefetch')) throw CrossSite()
  if (fromElsewhere(headers)) throw CrossSite()
}

const factsOf = (request: FastifyRequest, reply: FastifyReply): RequestFacts => ({
  id: request.id,
  ip: request.ip,
  headers: request.headers,
  language: languageOf(request.headers.cookie),
  browser: request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined,
  overTls: request.protocol === 'https',
  setCookie: (cookie) => void reply.header('set-cookie', cookie),
})

/** Sees what belongs to no enterprise: nothing. */
export const nobody: Actor = {
  userId: '',
  userName: '',
  enterprise: 0,
  may: new Set(),
  scope: { enterprise: 0, parks: [] },
  sessionId: '',
  bound: false,
}
