import type { Schema } from '../contract/field.ts'
import { covered, isCovered, type Personal, SEES_WHOLE } from '../contract/personal.ts'

export const seesWhole = ({ may }: { may: ReadonlySet<string> }) => may.has(SEES_WHOLE)

type Cover = (value: any) => unknown
interface Shape {
  'x-personal'?: Personal
  items?: Shape
  properties?: Record<string, Shape>
}
/** An answer as it goes to somebody who does not see the whole: made once for each schema, and none where nothing in it is personal. What was answered stays as it is. */
export const coverOf = (schema: Schema<any>): Cover | undefined => coverFor(schema as Shape)

function coverFor({ 'x-personal': kind, items, properties = {} }: Shape): Cover | undefined {
  if (kind) return (value) => (typeof value === 'string' ? covered(kind, value) : value)
  if (items) {
    const one = coverFor(items)
    return one && ((list) => (Array.isArray(list) ? list.map(one) : list))
  }
  const inner = Object.entries(properties).flatMap(([name, shape]): [string, Cover][] => {
    const cover = coverFor(shape)
    return cover ? [[name, cover]] : []
  })
  if (inner.length === 0) return undefined
  return (value) =>
    value && typeof value === 'object'
      ? { ...value, ...Object.fromEntries(inner.flatMap(([name, cover]) => (name in value ? [[name, cover(value[name])]] : []))) }
      : value
}

/** Takes what is covered out of what was sent: whoever was shown no more than that sends it back without having touched it. */
export function leaveCovered(properties: Record<string, object>): (input: Record<string, unknown>) => void {
  const names = Object.entries(properties).flatMap(([name, shape]) => ('x-personal' in shape ? [name] : []))
  return (input) => {
    for (const name of names) if (isCovered(input[name])) delete input[name]
  }
}
