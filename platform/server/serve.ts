import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { addressOf, type Call } from '../contract/call.ts'
import type { Instant } from '../contract/field.ts'
import { type Author, reading, type Scope, type Tx, writing } from './database.ts'
import { checkerOf, inputOf } from './input.ts'
import { type Keyed, once, onceAround } from './keys.ts'
import { type Limits, limitsOf } from './limits.ts'
import { CrossSite, NoPermission, SignInFirst } from './refusal.ts'
import { answer } from './answer.ts'
import { BOUND_COOKIE, cookieOf, languageOf } from './cookies.ts'

/** Who calls. `may` holds the capabilities of all roles together; `scope` is what the database lets through. */
export interface Actor {
  userId: string
  userName: string
  enterprise: number
  may: ReadonlySet<string>
  scope: Scope
  sessionId: string
  /** The session is tied to a browser's cookie. */
  bound: boolean
}
export interface RequestFacts {
  id: string
  ip: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  language: 'zh' | 'en'
  /** It came from a page: such a session is bound to its browser. */
  browser: boolean
  setCookie(cookie: string): void
}
interface Common<Input> {
  input: Input
  actor: Actor
  at: Instant
  request: RequestFacts
}
export interface CallContext<Input> extends Common<Input> {
  tx: Tx
}
export interface PhasedContext<Input> extends Common<Input> {
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}
type Phased<Input, Reply> = { phased: (context: PhasedContext<Input>) => Promise<Reply>; anew: boolean }
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

export interface Sessions {
  /** `bound` is the cookie that a browser's session is tied to. */
  actorOf(
    token: string | undefined,
    bound: string | undefined,
    how?: { /** A look that is nobody's doing: an idle session stays idle. */ unseen?: boolean },
  ): Promise<Actor | undefined>
}

/** The only place that knows HTTP: permission, limits, validation, transaction, retries, envelope. */
export function register(app: FastifyInstance, pool: pg.Pool, sessions: Sessions, served: Served, limits: Limits = limitsOf(1)): void {
  const actors = new WeakMap<FastifyRequest, Actor>()
  for (const { call, handle } of served) {
    if (!call.needs) throw new Error(`${call.id} does not say what it needs.`)
    const check = checkerOf(call)
    app.route({
      method: call.method,
      url: addressOf(call).replaceAll(/\{(\w+)\}/g, ':$1'),
      // Before the body is read: a stranger learns nothing about a call, not even what it wants.
      async onRequest(request) {
        if (call.writes) refuseCrossSite(request)
        const actor = await admitted(sessions, request, call, limits)
        if (call.needs.includes(':') && !actor.may.has(call.needs)) throw NoPermission()
        actors.set(request, actor)
      },
      async handler(request, reply) {
        const actor = actors.get(request)!
        const common = {
          input: check(await inputOf(call, request)),
          actor,
          at: new Date().toISOString() as Instant,
          request: factsOf(request, reply),
        }
        const author: Author = { userId: actor.userId || null, userName: actor.userName, via: call.id, requestId: request.id }
        const read = <T>(work: (tx: Tx) => Promise<T>) => reading(pool, actor.scope, work)
        const write = <T>(work: (tx: Tx) => Promise<T>) => writing(pool, actor.scope, author, work)
        const keyed = keyedBy(request, actor, call, common.input)
        if ('phased' in handle) {
          const work = () => handle.phased({ ...common, read, write })
          return answer(reply, await (keyed && !handle.anew ? onceAround(write, keyed, work) : work()))
        }
        if (!call.writes) return answer(reply, await read((tx) => handle({ ...common, tx })))
        return answer(reply, await write((tx) => (keyed ? once(tx, keyed, () => handle({ ...common, tx })) : handle({ ...common, tx }))))
      },
    })
  }
}

/** With an `Idempotency-Key` a writing call has one effect, however often it comes. */
function keyedBy(request: FastifyRequest, actor: Actor, call: Call<any, any>, input: unknown): Keyed | undefined {
  const key = request.headers['idempotency-key']
  return call.writes && typeof key === 'string' && key ? { who: actor.userId || request.ip, key, call: call.id, input } : undefined
}

/** Who calls, if it may be now. A wrong token counts against the address that it came from. @throws TooMany, SignInFirst */
async function admitted(sessions: Sessions, request: FastifyRequest, call: Call<any, any>, limits: Limits): Promise<Actor> {
  if (call.needs === 'public') {
    limits.address(request.ip)
    return nobody
  }
  try {
    const actor = await signedIn(sessions, request, call)
    limits.person(actor.userId, call.heavy)
    return actor
  } catch (error) {
    if ((error as { status?: number }).status === 401) limits.address(request.ip)
    throw error
  }
}

async function signedIn(sessions: Sessions, request: FastifyRequest, call: Call<any, any>): Promise<Actor> {
  const bound = cookieOf(request.headers.cookie, BOUND_COOKIE)
  const bearer = bearerOf(request)
  // A picture in a page sends no header: reading a file, the cookies of the page's own bound session are enough. They never come from another site.
  const picture = bearer === undefined && bound !== undefined && call.file && !call.writes
  const actor = picture
    ? await sessions.actorOf(cookieOf(request.headers.cookie, 'token'), bound, { unseen: true })
    : await sessions.actorOf(bearer, bound)
  if (!actor || (picture && !actor.bound)) throw SignInFirst()
  return actor
}
const bearerOf = ({ headers }: FastifyRequest) => (headers.authorization?.startsWith('Bearer ') ? headers.authorization.slice(7) : undefined)

/** Writing calls by GET are part of the contract, so a page elsewhere must not be able to fire one, nor a browser ahead of time. */
function refuseCrossSite({ headers }: FastifyRequest) {
  const site = headers['sec-fetch-site']
  const purpose = `${headers['sec-purpose'] ?? ''}${headers.purpose ?? ''}`
  if (site === 'cross-site' || site === 'same-site' || purpose.includes('prefetch')) throw CrossSite()
  const { origin, host } = headers
  if (origin && origin !== 'null' && new URL(origin).host !== host) throw CrossSite()
}

const factsOf = (request: FastifyRequest, reply: FastifyReply): RequestFacts => ({
  id: request.id,
  ip: request.ip,
  headers: request.headers,
  language: languageOf(request.headers.cookie),
  browser: request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined,
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
