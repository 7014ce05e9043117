import type { Schema } from '../../contract/field.ts'
import { comesBack, covered, isCovered, type Personal, SIGHT } from '../../contract/personal.ts'
import { isWholePlate, normalizePlate } from '../../contract/plate.ts'
import { BadInput } from '../refusal.ts'

const KINDS = Object.keys(SIGHT) as Personal[]
const NOTHING: readonly Personal[] = []
/** The kinds of personal data that a user does not see whole. */
export function hiddenFrom({ may }: { may: ReadonlySet<string> }): readonly Personal[] {
  return KINDS.every((kind) => may.has(SIGHT[kind])) ? NOTHING : KINDS.filter((kind) => !may.has(SIGHT[kind]))
}

type Cover = (value: any) => unknown
interface Shape {
  'x-personal'?: Personal
  items?: Shape
  properties?: Record<string, Shape>
}
/** An answer as it goes to somebody from whom these kinds are hidden: made once for each schema and set of kinds, and none where nothing of them is in it. What was answered stays as it is. */
export function coverOf(schema: Schema<any>): (hidden: readonly Personal[]) => Cover | undefined {
  const made = new Map<string, Cover | undefined>()
  return (hidden) => {
    if (hidden.length === 0) return undefined
    const key = hidden.join()
    if (!made.has(key)) made.set(key, coverFor(schema as Shape, hidden))
    return made.get(key)
  }
}

function coverFor({ 'x-personal': kind, items, properties = {} }: Shape, hidden: readonly Personal[]): Cover | undefined {
  if (kind && hidden.includes(kind)) return (value) => coveredValue(kind, value)
  if (items) {
    const one = coverFor(items, hidden)
    return one && ((list) => (Array.isArray(list) ? list.map(one) : list))
  }
  const inner = Object.entries(properties).flatMap(([name, shape]): [string, Cover][] => {
    const cover = coverFor(shape, hidden)
    return cover ? [[name, cover]] : []
  })
  if (inner.length === 0) return undefined
  return (value) =>
    value && typeof value === 'object'
      ? { ...value, ...Object.fromEntries(inner.flatMap(([name, cover]) => (name in value ? [[name, cover(value[name])]] : []))) }
      : value
}

/** A picture that is not shown is none. An account may be a whole row: what is written anywhere in it is covered. */
export function coveredValue(kind: Personal, value: unknown): unknown {
  if (kind === 'picture') return null
  if (typeof value === 'string') return kind === 'account' ? covered(kind, value).replace(PICTURE, '') : covered(kind, value)
  if (kind !== 'account' || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => coveredValue(kind, one))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, coveredValue(kind, one)]))
}
/** The address of a file of ours. */
const PICTURE = /\/lbs\/[\w/]{1,100}\?fileName=[\w.-]{1,100}/g

/** Takes what is covered out of what was sent: whoever was shown no more than that sends it back without having touched it. */
export function leaveCovered(properties: Record<string, object>): (input: Record<string, unknown>) => void {
  const names = Object.entries(properties as Record<string, Shape>).flatMap(([name, shape]) => (comesBack(shape['x-personal']) ? [name] : []))
  return (input) => {
    for (const name of names) if (isCovered(input[name])) delete input[name]
  }
}

/**
 * Users who may not see plates find a car by its whole plate only, and sentences about it by whole words: searching by pieces of a
 * plate would reveal it sign by sign.
 * @throws BadInput
 */
export function askedWhole(input: Schema<any>): (asked: Record<string, unknown>, hidden: readonly Personal[]) => void {
  const of = (kind: Personal) =>
    Object.entries((input as Shape).properties ?? {}).flatMap(([name, shape]) => (shape['x-personal'] === kind ? [name] : []))
  const [plates, accounts] = [of('plate'), of('account')]
  return (asked, hidden) => {
    if (!hidden.includes('plate')) return
    const text = (name: string) => (typeof asked[name] === 'string' ? normalizePlate(asked[name] as string) : undefined)
    if (plates.some((name) => text(name) !== undefined && !isWholePlate(text(name)!)))
      throw BadInput({ zh: '您的角色不能查看车牌，只能按完整车牌查询', en: 'your role does not show plates: search by a whole one' })
    if (accounts.some((name) => text(name) !== undefined && !isWholePlate(text(name)!) && SIGN_OF_A_PLATE.test(text(name)!)))
      throw BadInput({
        zh: '您的角色不能查看车牌，请按不含字母和数字的词查询',
        en: 'your role does not show plates: search by words without Latin letters and digits',
      })
  }
}
const SIGN_OF_A_PLATE = /[A-Z0-9]/
