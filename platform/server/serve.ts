import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { addressOf, type Call } from '../contract/call.ts'
import type { Instant } from '../contract/field.ts'
import { type Author, reading, run, type Scope, type Tx, writing } from './database.ts'
import { checkerOf, inputOf } from './input.ts'
import { CrossSite, InFlight, KeyReused, NoPermission, SignInFirst } from './refusal.ts'
import { answer } from './answer.ts'

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
type Phased<Input, Reply> = { phased: (context: PhasedContext<Input>) => Promise<Reply> }
export type Handler<C> = C extends Call<infer Input, infer Reply> ? ((context: CallContext<Input>) => Promise<Reply>) | Phased<Input, Reply> : never
/** A call that waits for the outside (a hash, a provider) within its answer: short transactions, none held open across the wait. */
export const phased = <Input, Reply>(work: (context: PhasedContext<Input>) => Promise<Reply>): Phased<Input, Reply> => ({ phased: work })

/** Calls of a noun with their handlers, ready for `register`. */
export type Served = { call: Call<any, any>; handle: ((context: CallContext<any>) => Promise<unknown>) | Phased<any, unknown> }[]
/** Every call of the noun gets a handler, or it does not compile. */
export const serve = <Noun extends Record<string, Call<any, any>>>(noun: Noun, handlers: { [Name in keyof Noun]: Handler<Noun[Name]> }): Served =>
  Object.entries(noun).map(([name, call]) => ({ call, handle: handlers[name] as Served[number]['handle'] }))

/** What a `file: true` call returns. */
export class FileReply {
  readonly name: string
  readonly type: string
  readonly body: Buffer | string | Readable
  readonly inline: boolean
  constructor(name: string, type: string, body: Buffer | string | Readable, inline: boolean) {
    this.name = name
    this.type = type
    this.body = body
    this.inline = inline
  }
}
export const fileOf = ({ name, type, body, inline = false }: { name: string; type: string; body: Buffer | string | Readable; inline?: boolean }) =>
  new FileReply(name, type, body, inline) as never

export interface Sessions {
  /** `bound` is the cookie that a browser's session is tied to. */
  actorOf(
    token: string | undefined,
    bound: string | undefined,
    how?: { /** A look that is nobody's doing: an idle session stays idle. */ unseen?: boolean },
  ): Promise<Actor | undefined>
}
export const BOUND_COOKIE = 'kerbline'

/** The only place that knows HTTP: permission, validation, transaction, retries, envelope. */
export function register(app: FastifyInstance, pool: pg.Pool, sessions: Sessions, served: Served): void {
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
        const actor = call.needs === 'public' ? nobody : await signedIn(sessions, request, call)
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
        if ('phased' in handle)
          return answer(reply, await handle.phased({
            ...common,
            read: (work) => reading(pool, actor.scope, work),
            write: (work) => writing(pool, actor.scope, author, work),
          })) // prettier-ignore
        if (!call.writes) return answer(reply, await reading(pool, actor.scope, (tx) => handle({ ...common, tx })))
        const work = (tx: Tx) => once(tx, request, actor, call, common.input, () => handle({ ...common, tx }))
        return answer(reply, await writing(pool, actor.scope, author, work))
      },
    })
  }
}

/** A longer key is a mistake or an attack. */
const KEY_MAX = 200
/** With an `Idempotency-Key`: the same request again gets the first answer and has no second effect. */
async function once(
  tx: Tx,
  request: FastifyRequest,
  actor: Actor,
  call: Call<any, any>,
  input: unknown,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !key) return work()
  const who = actor.userId || request.ip
  const wanted = key.length > KEY_MAX ? hash('sha256', key) : key
  const body = hash('sha256', JSON.stringify(input))
  const [claim] = await run<{ state: string; answer: string | null }>(tx, { sql: 'select state, answer from platform.claim($1, $2, $3, $4)' }, [
    who,
    wanted,
    call.id,
    body, // prettier-ignore
  ])
  if (claim!.state === 'busy') throw InFlight()
  if (claim!.state === 'reused') throw KeyReused()
  if (claim!.state === 'done') return JSON.parse(claim!.answer ?? 'null')
  const reply = (await work()) ?? null
  await run(tx, { sql: 'select platform.settle($1, $2, $3)' }, [who, wanted, JSON.stringify(reply)])
  return reply
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

export function cookieOf(header: string | undefined, name: string): string | undefined {
  const found = header?.split(';').find((part) => part.trim().startsWith(`${name}=`))
  return found ? decodeURIComponent(found.trim().slice(name.length + 1)) : undefined
}
export const languageOf = (cookies: string | undefined): 'zh' | 'en' => (cookieOf(cookies, 'lang') === 'en' ? 'en' : 'zh')

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
