import { perOf, unitNamed } from '../../contract/units.ts'
import { percent, yuan } from '../format.ts'
import type { Text } from '../text.ts'
import type { Shape } from '../value.tsx'

/** What no person means as a bound: a column of the database ends there. */
const TECHNICAL = 2_147_483_647
const isMeant = (bound: number | undefined): bound is number => bound !== undefined && Math.abs(bound) < TECHNICAL

/** Why an empty field cannot stay so: pictures and files are uploaded, all else is filled in. */
export const missing = (shape: Shape, name: string): Text =>
  shape['x-image'] || shape['x-attachments'] ? [`请上传${name}`, `${name}: please upload`] : [`请填写${name}`, `${name} is required`]

/** Why a number that was typed cannot be: beyond the bounds of its field, which are said as they are typed; `per` of what is kept are one of what is typed. Nothing typed is changed. */
export function outOfBounds({ minimum, maximum, ...shape }: Shape, value: number, name: string, per?: number): Text | undefined {
  const isBelow = minimum !== undefined && value < minimum
  if (!isBelow && !(maximum !== undefined && value > maximum)) return undefined
  const written = per === undefined ? writtenIn(shape['x-unit']) : (bound: number) => String(bound / per)
  if (isMeant(minimum) && isMeant(maximum)) {
    const [least, most] = [written(minimum), written(maximum)]
    return [`${name}应在 ${least} 至 ${most} 之间`, `${name}: from ${least} to ${most}`]
  }
  const bound = written(isBelow ? minimum : maximum!)
  return isBelow ? [`${name}不能小于 ${bound}`, `${name}: at least ${bound}`] : [`${name}不能大于 ${bound}`, `${name}: at most ${bound}`]
}

/** The same for a number in a part of a form, or outside of one, where it may also be none. It goes by the name of its field, or by `label`. */
export function numberFault(field: object, value: number | null | undefined, { label, per }: { label?: Text; per?: number } = {}): Text | undefined {
  const shape = field as Shape
  const [zh, en] = label ?? [shape['x-zh'], shape['x-en']]
  if (value === null || value === undefined) return [`请填写${zh}`, `${en} is needed`]
  const fault = outOfBounds(shape, value, zh, per)
  return fault && [fault[0], outOfBounds(shape, value, en, per)![1]]
}

function writtenIn(unit: string | undefined): (bound: number) => string {
  if (unit === 'fen') return (fen) => `¥${yuan(fen)}`
  if (unit === 'permille') return percent
  const of = unitNamed(unit)
  return of.decimals ? (bound) => `${bound / perOf(of)} ${of.sign?.[1] ?? ''}`.trimEnd() : String
}
