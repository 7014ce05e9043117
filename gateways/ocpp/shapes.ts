import type { Wrong } from './frames.ts'

/** Why a payload was not taken: the protocol's kind of fault, and where. */
export class Misshapen extends Error {
  readonly wrong: Wrong
  constructor(wrong: Wrong, en: string) {
    super(en)
    this.wrong = wrong
  }
}
/** Reads a value of a payload, mends what may be mended, and throws `Misshapen` for the rest. */
export type Shape<T> = (value: unknown, at: string) => T
type Read<S> = S extends Shape<infer T> ? T : never
type Fields = Record<string, Shape<unknown>>

export const fail = (wrong: Wrong, at: string, en: string): never => {
  throw new Misshapen(wrong, `${at || 'the payload'} ${en}`)
}

/** Padded texts, numbers where a text belongs and texts that are too long are common; what they say is clear all the same. */
export const text =
  (max: number): Shape<string> =>
  (value, at) => {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value).slice(0, max)
    return typeof value === 'string' ? value.trim().slice(0, max) : fail('type', at, 'is no text')
  }
export const number: Shape<number> = (value, at) => {
  const read = typeof value === 'string' && /^\s*-?\d{1,15}(\.\d{1,9})?\s*$/.test(value) ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : fail('type', at, 'is no number')
}
export const whole: Shape<number> = (value, at) => {
  const read = Math.trunc(number(value, at))
  return Number.isSafeInteger(read) ? read : fail('value', at, 'is out of range')
}
/** The largest integer of the database. */
const INTEGER_MAX = 2 ** 31 - 1
export const count: Shape<number> = (value, at) => {
  const read = whole(value, at)
  return read >= 0 && read <= INTEGER_MAX ? read : fail('value', at, 'is out of range')
}
export const flag: Shape<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value
  return value === 'true' || value === 'false' ? value === 'true' : fail('type', at, 'is neither true nor false')
}
/** Kept as it was written: whose clock it was, and in which zone, is decided later. */
export const moment: Shape<string> = (value, at) => {
  const read = text(40)(value, at)
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?\s*(Z|[+-]\d\d:?\d\d)?$/i.test(read) ? read : fail('value', at, 'is no date and time')
}
/** One of the protocol's own words; how they are written, capitals or not, counts for nothing. */
export const word =
  <const W extends string>(...words: W[]): Shape<W> =>
  (value, at) => {
    const read = text(50)(value, at).toLowerCase()
    return words.find((one) => one.toLowerCase() === read) ?? fail('value', at, `is none of ${words.slice(0, 12).join(', ')}`)
  }
let left: string[] = []
/** Reads a payload and tells what of it was left out. A payload is read in one go. */
export function readWith<T>(read: () => T): { read: T; leftOut: string[] } {
  left = []
  const done = read()
  return { read: done, leftOut: left.slice(0, LEFT_MAX) }
}
/** So many of one message tell enough. */
const LEFT_MAX = 20
export const leaveOut = (en: string): undefined => void left.push(en)
/** Leaves an unreadable field out instead of refusing the message. */
export function mend<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, at) => {
    try {
      return shape(value, at)
    } catch (error) {
      if (!(error instanceof Misshapen)) throw error
      return leaveOut(error.message)
    }
  }
}
export const json: Shape<unknown> = (value) => value
/** One object where a list of them belongs is a list of one. */
export const list =
  <T>(item: Shape<T>, max = 1_000): Shape<T[]> =>
  (value, at) => {
    const all = Array.isArray(value) ? value : typeof value === 'object' && value !== null ? [value] : fail('type', at, 'is no list')
    if (all.length > max) return fail('missing', at, `holds more than ${max}`)
    return all.map((one, i) => item(one, `${at}[${i}]`))
  }
/** A list that is read as far as it goes: what in it cannot be read is left out, and so is what is behind its end. */
export const each =
  <T>(item: Shape<T>, max: number): Shape<T[]> =>
  (value, at) => {
    const all = list(json, Infinity)(value, at)
    if (all.length > max) leaveOut(`${at} holds more than ${max}`)
    const read = mend(item)
    return all.slice(0, max).flatMap((one, i) => read(one, `${at}[${i}]`) ?? [])
  }
/** Fields that nobody asked for are let pass: a maker's own ones break nothing. An optional one that cannot be read is left out. */
export const object =
  <N extends Fields, O extends Fields = {}>(
    needed: N,
    optional?: O,
  ): Shape<{ [K in keyof N]: Read<N[K]> } & { [K in keyof O]?: Read<O[K]> | undefined }> =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('type', at, 'is no object')
    const given = value as Record<string, unknown>
    const read: Record<string, unknown> = {}
    const below = (name: string) => (at === '' ? name : `${at}.${name}`)
    for (const [name, shape] of Object.entries(needed)) {
      if (given[name] === undefined || given[name] === null) fail('missing', below(name), 'is missing')
      read[name] = shape(given[name], below(name))
    }
    for (const [name, shape] of Object.entries(optional ?? {}))
      if (given[name] !== undefined && given[name] !== null && given[name] !== '') read[name] = mend(shape)(given[name], below(name))
    // Field by field it was read by their shapes.
    return read as never
  }
