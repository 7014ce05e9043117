import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../platform/contract/field.ts'
import { CITY_OFFSET_MS, instantOf } from '../../platform/contract/time.ts'

/** Secrets known to both sides; each side calls with those that the other one gave it. The key and its IV have sixteen bytes. */
export interface WireSecrets {
  dataSecret: string
  dataSecretIv: string
  sigSecret: string
}
export interface Envelope {
  OperatorID: string
  Data: string
  TimeStamp: string
  Seq: string
  Sig: string
}
export interface WireAnswer {
  Ret: number
  Msg: string
  Data: string
  Sig: string
}
/** Codes of the outer answer; business results stand inside its Data. */
export const Ret = { ok: 0, busy: -1, signature: 4001, token: 4002, envelope: 4003, business: 4004, internal: 500 } as const

const CIPHER = 'aes-128-cbc'
export function encrypted(text: string, { dataSecret, dataSecretIv }: WireSecrets): string {
  const cipher = createCipheriv(CIPHER, Buffer.from(dataSecret, 'utf8'), Buffer.from(dataSecretIv, 'utf8'))
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
}
/** `undefined` where it was encrypted by another key, or is no Base64 at all. */
export function decrypted(data: string, { dataSecret, dataSecretIv }: WireSecrets): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, Buffer.from(dataSecret, 'utf8'), Buffer.from(dataSecretIv, 'utf8'))
    return Buffer.concat([decipher.update(data, 'base64'), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
const hmac = (text: string, { sigSecret }: WireSecrets) => createHmac('md5', sigSecret).update(text, 'utf8').digest('hex').toUpperCase()

export const requestSignature = ({ OperatorID, Data, TimeStamp, Seq }: Omit<Envelope, 'Sig'>, secrets: WireSecrets): string =>
  hmac(OperatorID + Data + TimeStamp + Seq, secrets)
export const answerSignature = ({ Ret: ret, Msg, Data }: Omit<WireAnswer, 'Sig'>, secrets: WireSecrets): string =>
  hmac(`${ret}${Msg}${Data}`, secrets)
/** In constant time. Some write it in small letters. */
export function isSignature(given: unknown, wanted: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given.toUpperCase()), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A signed request, ready for the wire. */
export function sealed(OperatorID: string, data: object, stamp: { TimeStamp: string; Seq: string }, secrets: WireSecrets): Envelope {
  const unsigned = { OperatorID, Data: encrypted(JSON.stringify(data), secrets), ...stamp }
  return { ...unsigned, Sig: requestSignature(unsigned, secrets) }
}
export function answered(ret: number, msg: string, data: object | undefined, secrets: WireSecrets): WireAnswer {
  const unsigned = { Ret: ret, Msg: msg, Data: data === undefined ? '' : encrypted(JSON.stringify(data), secrets) }
  return { ...unsigned, Sig: answerSignature(unsigned, secrets) }
}

/** The four fields of a request that must be there, as text. Some send Seq as a number. */
export function envelopeOf(body: unknown): Envelope | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { OperatorID, Data, TimeStamp, Seq, Sig } = body as Record<string, unknown>
  const seq = typeof Seq === 'number' ? String(Seq).padStart(4, '0') : Seq
  if (![OperatorID, Data, TimeStamp, seq, Sig].every((one) => typeof one === 'string')) return undefined
  if (!OPERATOR.test(OperatorID as string) || !STAMP.test(TimeStamp as string) || !SEQ.test(seq as string)) return undefined
  return { OperatorID, Data, TimeStamp, Seq: seq, Sig } as Envelope
}
const OPERATOR = /^[0-9A-Za-z]{9}$/
const STAMP = /^\d{14}$/
const SEQ = /^\d{4}$/

/** Numbers within one second, from 0001 on. */
export function sequence(now: () => number = Date.now): () => { TimeStamp: string; Seq: string } {
  let second = ''
  let last = 0
  return () => {
    const stamp = stampOf(now())
    last = stamp === second ? (last % SEQ_MAX) + 1 : 1
    second = stamp
    return { TimeStamp: stamp, Seq: String(last).padStart(4, '0') }
  }
}
const SEQ_MAX = 9_999
/** `yyyyMMddHHmmss`, in the city's time. */
export const stampOf = (ms: number): string => new Date(ms + CITY_OFFSET_MS).toISOString().slice(0, 19).replaceAll(/\D/g, '')

/**
 * Corrected spellings that some partners use for the standard's fields, and another spelling of one of them. Any spelling is read,
 * the partner's own is written.
 */
const CORRECTED: Record<string, string> = {
  SevicePrice: 'ServicePrice',
  SeviceMoney: 'ServiceMoney',
  TotalSeviceMoney: 'TotalServiceMoney',
  DetailSeviceMoney: 'DetailServiceMoney',
  BusineHours: 'BusinessHours',
}
const STANDARD: Record<string, string> = {
  ...Object.fromEntries(Object.entries(CORRECTED).map(([standard, corrected]) => [corrected, standard])),
  ElectMoney: 'ElecMoney',
  TotalElectMoney: 'TotalElecMoney',
  DetailElectMoney: 'DetailElecMoney',
}
const renamed = (value: unknown, names: Record<string, string>): unknown => {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [names[name] ?? name, renamed(one, names)]))
}
/** In the partner's spelling. */
export const spelled = (data: object, corrected: boolean): object => (corrected ? (renamed(data, CORRECTED) as object) : data)
/** In the standard's, whatever the partner's is. */
export const understood = (data: object): Record<string, unknown> => renamed(data, STANDARD) as Record<string, unknown>

/** Fixed decimals of a whole number of their smallest part: `decimal(1234, 100)` is 12.34. On the wire they are numbers. */
export const yuanOf = (fen: number): number => fen / 100
export const kwhOf = (wh: number): number => Math.round(wh / 10) / 100
export const priceOf = (e4: number): number => e4 / 10_000

/** A decimal in whole parts: `parts('12.34', 2)` is 1234. `undefined` where it is none, or has more decimals than may be. */
export function parts(value: unknown, decimals: number): number | undefined {
  const found = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '')
  if (!found) return undefined
  const fraction = (found[3] ?? '').slice(0, decimals)
  // Noughts behind the last decimal say nothing; anything else there is a part of what cannot be parted.
  if (/[^0]/.test((found[3] ?? '').slice(decimals))) return undefined
  const whole = Number(found[2]! + fraction.padEnd(decimals, '0'))
  return found[1] ? -whole : whole
}

/** `yyyy-MM-dd HH:mm:ss` in the city's time, or nothing. */
export const wireTime = (at: Instant | null | undefined): string =>
  at ? new Date(Date.parse(at) + CITY_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ') : ''
export const timeIn = (value: unknown): Instant | undefined => (typeof value === 'string' ? instantOf(value) : undefined)

/** Nobody hears a request that is older or younger than this again. */
export const FRESH_MS = 10 * 60_000
export function isFresh(TimeStamp: string, nowMs: number): boolean {
  const at = timeIn(TimeStamp)
  return at !== undefined && Math.abs(Date.parse(at) - nowMs) <= FRESH_MS
}
