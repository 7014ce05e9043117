import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Caller, callersAs, heard, isToken } from '../../domains/charging/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Limits } from '../../platform/server/limits.ts'
import { Refusal } from '../../platform/server/refusal.ts'
import {
  answered,
  decrypted,
  type Envelope,
  envelopeOf,
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

  const outcomeOf = answersOf(house)

  async function answerTo(request: FastifyRequest, name: string): Promise<WireAnswer> {
    const envelope = envelopeOf(request.body)
    if (!envelope) return unsigned(Ret.envelope, 'OperatorID, Data, TimeStamp, Seq or Sig is missing or illegal')
    const caller = await callerOf(envelope)
    if (!caller) return unsigned(Ret.signature, 'the signature is not right')
    const sealed = (ret: number, msg: string, data?: object) =>
      answered(ret, msg, data && spelled(data, caller.dialect === Dialect.service), caller.secrets)
    if (isBusy(caller)) return sealed(Ret.busy, 'too many requests, wait a moment')
    if (!isFresh(envelope.TimeStamp, Date.now())) return sealed(Ret.envelope, 'TimeStamp is too far from now')
    const asked = interfaces.get(name)
    if (!asked || asked.asks?.includes(caller.role) === false || (caller.stopped && !ENDS.has(asked)))
      return sealed(Ret.envelope, 'there is no such interface')
    const { ret, msg, data } = await outcomeOf(asked, caller, envelope, BEARER.exec(request.headers.authorization ?? '')?.[1])
    return sealed(ret, msg, data)
  }

  function isBusy({ platformId }: Caller): boolean {
    try {
      limits.partner(platformId)
      return false
    } catch {
      return true
    }
  }
  /** Whose signature it is: the same code may be a partner's of several enterprises. */
  const callerOf = async (envelope: Envelope): Promise<Caller | undefined> =>
    (await callersAs(house.pool, envelope.OperatorID)).find(({ secrets }) => isSignature(envelope.Sig, requestSignature(envelope, secrets)))
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
  return outcomeOf

  async function outcomeOf(asked: Interface, caller: Caller, { Data }: Envelope, token: string | undefined): Promise<Outcome> {
    const at = new Date().toISOString() as Instant
    const { enterprise, platformId, secrets } = caller
    const known = asked.open || (token !== undefined && (await house.reading(enterprise, (tx) => isToken(tx, platformId, token, at))))
    if (!known) return { ret: Ret.token, msg: 'the token is not right, or is over' }
    const said = objectIn(decrypted(Data, secrets))
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
      house.log.error({ err: error, interface: asked.name }, 'A partner platform could not be answered.')
      return { ret: Ret.internal, msg: 'internal error' }
    }
  }
  /** What changes anything is kept for people to read, without secrets. */
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
