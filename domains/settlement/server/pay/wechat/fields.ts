import type { Instant } from '../../../../../platform/contract/field.ts'
import { instantOf } from '../../../../../platform/contract/time.ts'

/** Something of WeChat's lacks a field that it must have, or has another kind of value there. Whoever asked decides what follows. */
export class NotUnderstood extends Error {
  override name = 'NotUnderstood'
}
/** The fields of an object that came from outside, by name. `text`, `count`, `moment` and `part` throw where the field is not there or is of another kind. */
export interface Fields {
  text(name: string): string
  /** A whole number from nought, such as an amount in fen. */
  count(name: string): number
  moment(name: string): Instant
  part(name: string): Fields
  parts(name: string): Fields[]
  textOr<Other>(name: string, other: Other): string | Other
  momentOr<Other>(name: string, other: Other): Instant | Other
  numberOr<Other>(name: string, other: Other): number | Other
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws NotUnderstood */
export function fieldsOf(value: unknown): Fields {
  if (!isObject(value)) throw new NotUnderstood('no object')
  const known = (name: string) => (Object.hasOwn(value, name) ? value[name] : undefined)
  const or = <Found, Other>(name: string, found: Found | undefined, other: Other) => {
    const told = known(name)
    if (told !== undefined && told !== null && told !== '' && found === undefined) throw new NotUnderstood(`${name} is of another kind`)
    return found ?? other
  }
  const must = <Found>(name: string, found: Found | undefined): Found => {
    if (found === undefined) throw new NotUnderstood(`${name} is missing or of another kind`)
    return found
  }
  const textIn = (name: string) => ((told) => (typeof told === 'string' && told !== '' ? told : undefined))(known(name))
  const momentIn = (name: string) => ((told) => (told === undefined ? undefined : instantOf(told)))(textIn(name))
  const countIn = (name: string) => ((told) => (Number.isSafeInteger(told) && (told as number) >= 0 ? (told as number) : undefined))(known(name))
  const listIn = (name: string) => ((told) => (Array.isArray(told) ? (told as unknown[]) : undefined))(known(name))
  return {
    text: (name) => must(name, textIn(name)),
    count: (name) => must(name, countIn(name)),
    moment: (name) => must(name, momentIn(name)),
    part: (name) => fieldsOf(known(name)),
    parts: (name) => must(name, listIn(name)).map(fieldsOf),
    textOr: (name, other) => or(name, textIn(name), other),
    momentOr: (name, other) => or(name, momentIn(name), other),
    numberOr: (name, other) => or(name, ((told) => (typeof told === 'number' ? told : undefined))(known(name)), other),
  }
}
/** @throws NotUnderstood for what is no object in JSON */
export function fieldsIn(json: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new NotUnderstood('no JSON')
  }
  return fieldsOf(value)
}
