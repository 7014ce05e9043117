import type { Schema } from '../../contract/field.ts'
import type { Personal } from '../../contract/personal.ts'

interface Shape {
  'x-personal'?: Personal
  items?: Shape
  properties?: Record<string, Shape>
}
const kindsOf = new WeakMap<object, readonly Personal[]>()
/** The kinds of personal data that an answer may hold. */
export function personalIn(reply: Schema<any>): readonly Personal[] {
  const known = kindsOf.get(reply)
  if (known) return known
  const within = ({ 'x-personal': kind, items, properties = {} }: Shape): Personal[] => [
    ...(kind ? [kind] : []),
    ...(items ? within(items) : []),
    ...Object.values(properties).flatMap(within),
  ]
  const kinds = [...new Set(within(reply as Shape))]
  kindsOf.set(reply, kinds)
  return kinds
}
