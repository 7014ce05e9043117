import { type Partner, speakBy, type Spoken } from '../../domains/charging/server/api.ts'
import { Dialect } from '../../domains/charging/contract/platform.ts'
import { askOutside, NotReached } from '../../platform/server/outside.ts'
import { answerSignature, decrypted, isSignature, Ret, sealed, sequence, spelled, understood, type WireAnswer } from './codec.ts'
import * as counted from './counters.ts'
import { askOperators } from './operators.ts'
import { readable } from './words.ts'

/** A token is asked for anew so long before it is over. */
const EARLY_MS = 60_000
const MS = 1_000

interface Token {
  token: string
  until: number
  /** Under other secrets it is another partner's word. */
  secret: string
}

/** Speaks to partners as they gave us to: with a token of theirs, encrypted and signed, in their spelling. */
export function raiseVoice(now: () => number = Date.now): void {
  const tokens = new Map<string, Token>()
  const stamp = sequence(now)
  askOperators()
  speakBy(async (partner, name, data) => {
    const spoken = name === 'query_token' ? await renew(partner) : await withToken(partner, name, data)
    counted.spokenCount.inc({ interface: name, ret: String(spoken.ret ?? 'none') })
    return spoken
  })

  async function withToken(partner: Partner, name: string, data: object): Promise<Spoken> {
    const kept = tokens.get(partner.platformId)
    if (!kept || kept.until <= now() || kept.secret !== partner.theirs.operatorSecret) {
      const asked = await renew(partner)
      if (!tokenOf(partner)) return asked
    }
    const spoken = await call(partner, name, data, tokenOf(partner))
    if (spoken.ret !== Ret.token) return spoken
    // Theirs was over before they said it would be.
    await renew(partner)
    return call(partner, name, data, tokenOf(partner))
  }
  const tokenOf = ({ platformId }: Partner) => tokens.get(platformId)?.token

  async function renew(partner: Partner): Promise<Spoken> {
    tokens.delete(partner.platformId)
    const { operatorId, theirs } = partner
    const spoken = await call(partner, 'query_token', { OperatorID: operatorId, OperatorSecret: theirs.operatorSecret }, undefined)
    const { SuccStat, AccessToken, TokenAvailableTime, FailReason } = spoken.data ?? {}
    if (spoken.ret !== Ret.ok) return spoken
    if (Number(SuccStat) !== 0 || typeof AccessToken !== 'string' || AccessToken === '')
      return { ret: null, said: `no token: SuccStat ${String(SuccStat)}, FailReason ${String(FailReason)}`, data: undefined }
    tokens.set(partner.platformId, {
      token: AccessToken,
      until: now() + Number(TokenAvailableTime) * MS - EARLY_MS,
      secret: theirs.operatorSecret,
    })
    return { ret: Ret.ok, said: `token for ${Number(TokenAvailableTime)} s`, data: undefined }
  }

  async function call({ baseUrl, operatorId, dialect, theirs }: Partner, name: string, data: object, token: string | undefined): Promise<Spoken> {
    const body = JSON.stringify(sealed(operatorId, spelled(data, dialect === Dialect.service), stamp(), theirs))
    const headers = { 'content-type': 'application/json; charset=utf-8', ...(token && { authorization: `Bearer ${token}` }) }
    try {
      const { status, text } = await askOutside(`${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/${name}`, { headers, body })
      return status === 200 ? understoodAnswer(text) : { ret: null, said: `HTTP ${status}`, data: undefined }
    } catch (error) {
      if (error instanceof NotReached) return { ret: null, said: error.message, data: undefined }
      throw error
    }

    /** An answer without the partner's signature is not believed; a refusal may come without one, since the partner may not know us. */
    function understoodAnswer(text: string): Spoken {
      const answer = answerIn(text)
      if (!answer) return { ret: null, said: 'the answer is not readable', data: undefined }
      const signed = isSignature(answer.Sig, answerSignature(answer, theirs))
      if (!signed)
        return answer.Ret === Ret.ok
          ? { ret: null, said: 'the answer is not signed as agreed', data: undefined }
          : { ret: answer.Ret, said: readable(answer.Msg), data: undefined }
      const plain = decrypted(answer.Data, theirs)
      const inside = plain === undefined ? undefined : jsonIn(plain)
      return { ret: answer.Ret, said: readable(`${answer.Msg} ${plain ?? ''}`.trim()), data: inside && understood(inside) }
    }
  }
}

function jsonIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
/** Some send Ret as text. */
function answerIn(text: string): WireAnswer | undefined {
  const { Ret: ret, Msg, Data, Sig } = (jsonIn(text) ?? {}) as Record<string, unknown>
  const code = Number(ret)
  if (ret === undefined || ret === null || !Number.isInteger(code)) return undefined
  return { Ret: code, Msg: typeof Msg === 'string' ? Msg : '', Data: typeof Data === 'string' ? Data : '', Sig: typeof Sig === 'string' ? Sig : '' }
}
