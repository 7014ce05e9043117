import { plural } from '../../contract/plural.ts'
import type { Field } from '../../contract/field.ts'
import { columnsOf, type ImportCall, type SheetFormat } from '../../contract/sheet.ts'
import { patternWords } from '../../contract/patterns.ts'
import { headOf, unitNamed } from '../../contract/units.ts'
import { fileOf } from '../call/fileReply.ts'
import { phased, type Phased } from '../serve.ts'
import type { Speech } from '../../contract/said.ts'
import { FORMATS } from './formats.ts'
import { templateName } from './importing.ts'
import { type Notes, writeSheet } from './run.ts'

/** The empty sheet of an import. A second sheet says what each column may hold; a CSV has no room for one. */
export async function templateFile(call: ImportCall<any>, format: SheetFormat, language: 'zh' | 'en'): Promise<never> {
  const speech: Speech = language === 'zh' ? 0 : 1
  const columns = columnsOf(call.row)
  const called = ({ label, field }: (typeof columns)[number]) => headOf(label[speech], unitNamed(field['x-unit']), speech)
  const heads = columns.map((one) => ({ label: `${called(one)}${one.needed ? ' *' : ''}`, kind: 'text' as const }))
  const notes: Notes = {
    name: ['填写说明', 'Instructions'][speech]!,
    rows: [
      [
        ['列', 'Column'],
        ['必填', 'Required'],
        ['可填内容', 'Allowed values'],
      ].map((pair) => pair[speech]!),
      ...columns.map((one) => [called(one), one.needed ? ['是', 'Yes'][speech]! : '', allowed(one.field, speech)]),
    ],
  }
  const body = await madeOnce(JSON.stringify([format, templateName(call), heads, notes]), () =>
    writeSheet(format, templateName(call), heads, [], notes),
  )
  const name = [`${call.title[0]}导入模板`, `${call.title[1]} import template`][speech]
  return fileOf({ name: `${name}.${format}`, type: FORMATS[format].type, body })
}
/** A template says the same to everybody until the contract changes: it is written once. */
const made = new Map<string, Promise<Buffer>>()
function madeOnce(what: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const known = made.get(what)
  if (known) return known
  const fresh = make()
  made.set(what, fresh)
  fresh.catch(() => made.delete(what))
  return fresh
}
/** The handler of a `templateOf` call. */
export const templating = (call: ImportCall<any>): Phased<{ format?: SheetFormat }, void> =>
  phased(({ input: { format = 'xls' }, request }) => templateFile(call, format, request.language))

type Bounds = {
  type?: string | string[]
  format?: string
  pattern?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  'x-instant'?: true
}
function allowed(field: Field<unknown>, speech: Speech): string {
  const dictionary = field['x-dictionary']
  if (dictionary)
    return Object.values(dictionary.entries)
      .map((words) => words[speech])
      .join(' / ')
  const { type, format, pattern, maxLength, minimum, 'x-instant': moment } = field as Field<unknown> & Bounds
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'boolean') return ['是 / 否', 'Yes / No'][speech]!
  if (kind === 'array') return ['多项用顿号或逗号隔开', 'Separate several with commas'][speech]!
  if (moment) return 'yyyy-MM-dd HH:mm:ss'
  if (format === 'date') return 'yyyy-MM-dd'
  if (field['x-unit'] === 'fen') return ['金额，元，最多两位小数', 'Amount in yuan, at most two decimals'][speech]!
  if (field['x-unit'] === 'permille') return ['百分数，最多一位小数', 'A percentage, at most one decimal'][speech]!
  if (kind === 'integer')
    return minimum !== undefined && minimum >= 0 ? ['不小于 0 的整数', 'A whole number from 0'][speech]! : ['整数', 'A whole number'][speech]!
  if (kind === 'number') return ['数字', 'A number'][speech]!
  const form = patternWords(pattern)
  if (form) return form[speech]
  return maxLength
    ? [`文字，最多 ${maxLength} 个字`, `Text, at most ${maxLength} ${plural(maxLength, 'character')}`][speech]!
    : ['文字', 'Text'][speech]!
}
