import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Caller, callersAs, heard, isToken } from '../../domains/charging/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Limits } from '../../platform/server/call/limits.ts'
import { Refusal } from '../../platform/server/refusal.ts'
import {
  answered,
  decrypted,
  type Envelope,
  envelopeOf,
  FRESH_MS,
  isFresh,
  isSignature,
  requestSignature,
  Ret,
  spelled,
  understood,
  type WireAnswer,
} from './codec.ts'
import * as counted from './counters.ts'
import { Dialect } from '../../domains/charging/contract/platform.ts'
import { interfaces } from './interfaces.ts'
import { type Interface, readable, Side, Wrong } from './words.ts'

/** A request names fifty stations at most, and one of a demand side is smaller still. */
const BODY_MAX = 64 * 1024
const VERSION = /^v[0-9A-Za-z._]{1,12}$/
const BEARER = /^Bearer\s+([\w-]{1,200})$/i

/** Where partner platforms call: `/evcs/v1/query_token` and so on. Strangers, and partners whose signature is not right, all get the same answer. */
export function partnerDoor(app: FastifyInstance, house: House, limits: Limits): void {
  app.post<{ Params: { version: string; name: string } }>('/evcs/:version/:name', { bodyLimit: BODY_MAX }, async (request, reply) => {
    limits.address(request.ip)
    const { version, name } = request.params
    const answer = VERSION.test(version) ? await answerTo(request, name) : unsigned(Ret.envelope, 'no such version')
    counted.heardCount.inc({ interface: interfaces.has(name) ? name : 'none', ret: String(answer.Ret) })
    return reply.header('cache-control', 'no-store').send(answer)
  })

  const { outcomeOf, refusalOfToken } = answersOf(house)

  async function answerTo(request: FastifyRequest, name: string): Promise<WireAnswer> {
    const envelope = envelopeOf(request.body)
    if (!envelope) return unsigned(Ret.envelope, 'OperatorID, Data, TimeStamp, Seq or Sig is missing or illegal')
    const caller = await callerOf(envelope)
    if (!caller) return isOften(request.ip) ? unsigned(...BUSY) : unsigned(Ret.signature, 'the signature is not right')
    const sealed = ({ ret, msg, data }: Outcome) => answered(ret, msg, data && spelled(data, caller.dialect === Dialect.service), caller.secrets)
    const asked = interfaces.get(name)
    const refused =
      refusalOf(envelope, caller, asked) ??
      (await refusalOfToken(asked!, caller, BEARER.exec(request.headers.authorization ?? '')?.[1])) ??
      (replays.knows(signed(envelope, caller)) ? REPEATED : undefined)
    // An envelope that somebody else has seen is no word of the partner's: it takes nothing from what the partner may ask.
    if (refused) return sealed(isOften(request.ip) ? busy : refused)
    if (isTaken(() => limits.partner(caller.platformId))) return sealed(busy)
    // A caller that was told to wait may send the same once more.
    replays.keep(signed(envelope, caller))
    return sealed(await outcomeOf(asked!, caller, envelope))
  }
  function refusalOf(envelope: Envelope, caller: Caller, asked: Interface | undefined): Outcome | undefined {
    if (!isFresh(envelope.TimeStamp, Date.now())) return { ret: Ret.envelope, msg: 'TimeStamp is too far from now' }
    if (!asked || asked.asks?.includes(caller.role) === false || (caller.stopped && !ENDS.has(asked)))
      return { ret: Ret.envelope, msg: 'there is no such interface' }
    return undefined
  }
  const signed = ({ Sig }: Envelope, { platformId }: Caller) => `${platformId} ${Sig.toUpperCase()}`
  const replays = openReplays()
  const isOften = (ip: string) => isTaken(() => limits.stranger(ip))
  /** Whose signature it is: the same code may be a partner's of several enterprises. */
  const callerOf = async (envelope: Envelope): Promise<Caller | undefined> =>
    (await callersAs(house.pool, envelope.OperatorID)).find(({ secrets }) => isSignature(envelope.Sig, requestSignature(envelope, secrets)))
}

const BUSY = [Ret.busy, 'too many requests, wait a moment'] as const
const busy: Outcome = { ret: BUSY[0], msg: BUSY[1] }
const REPEATED: Outcome = { ret: Ret.envelope, msg: 'this TimeStamp and Seq were used: count Seq up and sign anew' }
function isTaken(limit: () => void): boolean {
  try {
    limit()
    return false
  } catch {
    return true
  }
}
/** No envelope is fresh for longer, by whose clock it may be. */
const REPLAY_MS = 2 * FRESH_MS
const REPLAYS_MAX = 100_000
/** The envelopes that were here, by their signatures, which are over all of them: who never counts Seq up is no repeat as long as anything else differs. Per process. */
function openReplays(): { knows(signature: string): boolean; keep(signature: string): void } {
  const known = new Map<string, number>()
  return {
    knows: (signature) => (known.get(signature) ?? 0) > performance.now(),
    keep(signature) {
      const now = performance.now()
      for (const [old, until] of known) {
        if (until > now && known.size < REPLAYS_MAX) break
        known.delete(old)
      }
      known.set(signature, now + REPLAY_MS)
    },
  }
}

/** A partner that is stopped tells how the charges end that run at its stations, and nothing else. */
const ENDS: ReadonlySet<Interface> = new Set([...interfaces.values()].filter(({ open, asks }) => open ?? asks === Side.operator))
interface Outcome {
  ret: number
  msg: string
  data?: object
}
/** Behind a signature that is right: the token, what stands in Data, and the interface's own answer. */
function answersOf(house: House) {
  return { outcomeOf, refusalOfToken }

  async function refusalOfToken(asked: Interface, { enterprise, platformId }: Caller, token: string | undefined): Promise<Outcome | undefined> {
    const at = new Date().toISOString() as Instant
    const known = asked.open || (token !== undefined && (await house.reading(enterprise, (tx) => isToken(tx, platformId, token, at))))
    return known ? undefined : { ret: Ret.token, msg: 'the token is not right, or is over' }
  }
  async function outcomeOf(asked: Interface, caller: Caller, { Data }: Envelope): Promise<Outcome> {
    const at = new Date().toISOString() as Instant
    const said = objectIn(decrypted(Data, caller.secrets))
    if (!said) return { ret: Ret.envelope, msg: 'Data is not what was agreed' }
    const outcome = await done(asked, caller, said, at)
    if (asked.writes && !asked.open) await keep(asked, caller, said, outcome, at)
    return outcome
  }
  async function done(asked: Interface, caller: Caller, said: Record<string, unknown>, at: Instant): Promise<Outcome> {
    try {
      const data = asked.writes
        ? await house.writing(caller.enterprise, `tcec102.${asked.name}`, (tx) => asked.answer({ tx, caller, said, at }))
        : await house.reading(caller.enterprise, (tx) => asked.answer({ tx, caller, said, at }))
      return { ret: Ret.ok, msg: 'success', data }
    } catch (error) {
      if (error instanceof Wrong) return { ret: Ret.business, msg: error.message }
      if (error instanceof Refusal)
        return asked.refused ? { ret: Ret.ok, msg: error.texts[0], data: asked.refused(said, error) } : { ret: Ret.business, msg: error.texts[0] }
      if (isUnkeepable(error)) return { ret: Ret.business, msg: 'a value is out of range' }
      house.log.error({ err: error, interface: asked.name }, 'A partner platform could not be answered.')
      return { ret: Ret.internal, msg: 'internal error' }
    }
  }
  /** Keeps changing requests for people to read, without secrets. */
  async function keep(
    asked: Interface,
    { enterprise, platformId }: Caller,
    said: Record<string, unknown>,
    { ret, msg, data }: Outcome,
    at: Instant,
  ): Promise<void> {
    const answer = data ? JSON.stringify(data) : msg
    const of = { connectorId: textIn(said['ConnectorID']), startChargeSeq: textIn(said['StartChargeSeq']) }
    await house
      .writing(enterprise, 'tcec102.heard', (tx) => heard(tx, { platformId, name: asked.name, ret, said: JSON.stringify(said), answer, ...of }, at))
      .catch((error: Error) => house.log.warn({ err: error }, 'What a partner platform said could not be kept.'))
  }
}
/** A number, a moment or a text that the database cannot hold (class 22). */
const isUnkeepable = (error: unknown) => String((error as { code?: unknown }).code).startsWith('22')
const textIn = (value: unknown): string | null => (typeof value === 'string' ? readable(value).slice(0, SEQ_MAX) : null)
/** As long as a charge's number between platforms. */
const SEQ_MAX = 27
const unsigned = (ret: number, msg: string): WireAnswer => ({ Ret: ret, Msg: msg, Data: '', Sig: '' })
function objectIn(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? understood(value) : undefined
  } catch {
    return undefined
  }
}
