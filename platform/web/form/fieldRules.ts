import { plural } from '../../contract/plural.ts'
import type { Rule } from 'antd/es/form'
import { bare } from '../../contract/blank.ts'
import { patternWords } from '../../contract/patterns.ts'
import { comesBack, isCovered } from '../../contract/personal.ts'
import { missing, outOfBounds } from './bounds.ts'
import type { OwnField } from './FormDialog.tsx'
import type { Say, Text } from '../text.ts'
import { type Shape, isNumber } from '../value.tsx'

/** antd names the rule that fails; the sentence is ours, from the field's own bounds. */
export function rulesOf(shape: Shape, name: string, say: Say, needed: boolean): Rule[] {
  const { maxLength, pattern } = shape
  const rules: Rule[] = []
  // Looked at as the server takes it.
  const typed = shape['x-typed'] && { transform: (value: unknown) => (typeof value === 'string' ? bare(value) : value) }
  if (needed) rules.push({ required: true, message: say(missing(shape, name)), ...typed })
  if (maxLength)
    rules.push({
      max: maxLength,
      message: say([`${name}最多 ${maxLength} 个字`, `${name}: at most ${maxLength} ${plural(maxLength, 'character')}`]),
      ...typed,
    })
  // oxlint-disable-next-line security/detect-non-literal-regexp -- a pattern of the contract
  if (pattern) rules.push({ pattern: new RegExp(pattern), message: say(wrongForm(pattern, name)), ...typed })
  return rules
}

/** As the server says it. */
function wrongForm(pattern: string, name: string): Text {
  const [zh, en] = patternWords(pattern) ?? []
  return zh ? [`${name}应为${zh}`, `${name} must be ${en}`] : [`${name}的格式不对`, `${name} has the wrong format`]
}

/** A number beyond its bounds stays as it was typed; the field says them. */
export const boundsOf = (shape: Shape, name: string, say: Say, per?: number): Rule[] =>
  isNumber(shape)
    ? [
        {
          validator: (_, value) => {
            const fault = typeof value === 'number' ? outOfBounds(shape, value, name, per) : undefined
            return fault ? Promise.reject(new Error(say(fault))) : Promise.resolve()
          },
        },
      ]
    : []

export const besideOthers = ({ check }: OwnField<string>, say: Say): Rule[] =>
  check
    ? [
        ({ getFieldsValue }) => ({
          validator: () => {
            const fault = check(getFieldsValue(true) as Record<string, unknown>)
            return fault ? Promise.reject(new Error(say(fault))) : Promise.resolve()
          },
        }),
      ]
    : []

/** Of a covered value nobody knows the middle: it is left, or written anew. */
export const wholeUnless = (before: unknown, shape: Shape, name: string, say: Say): Rule[] =>
  comesBack(shape['x-personal'])
    ? [
        {
          validator: (_, value) =>
            isCovered(value) && value !== before
              ? Promise.reject(new Error(say([`${name}含有星号，请填写完整内容`, `${name} contains asterisks; enter it in full`])))
              : Promise.resolve(),
        },
      ]
    : []
