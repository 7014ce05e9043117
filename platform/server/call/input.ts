import { plural } from '../../contract/plural.ts'
import type { FastifyRequest } from 'fastify'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import { bare } from '../../contract/blank.ts'
import type { Call } from '../../contract/call.ts'
import { SAID_SIGNS, withoutSigns } from '../../contract/said.ts'
import { patternWords } from '../../contract/patterns.ts'
import { comesBack, isCovered, type Personal } from '../../contract/personal.ts'
import { perOf, type Unit, unitNamed } from '../../contract/units.ts'
import { dayIn, edgeIn, instantOf, lastIn } from '../../contract/time.ts'
import { leaveCovered } from './personal.ts'
import { BadInput } from '../refusal.ts'
import { cleanRich, isTooMuch, MARKS_MAX } from '../text/rich.ts'

/** Clients add these to say who they are; the session knows better. */
const FROM_SESSION = ['userId', 'userName', 'operName', 'custId', 'enterpriseId', 'tenantId']

/** Merges the sent query, body, form or parts with the parameters of the path into one object. */
export async function inputOf(call: Call<any, any>, request: FastifyRequest): Promise<Record<string, unknown>> {
  const { properties = {} } = call.input as { properties?: Properties }
  const sent =
    call.payload === 'multipart'
      ? { ...(request.query as object), ...(await partsOf(request)) }
      : call.payload === 'query'
        ? request.query
        : (request.body ?? {})
  if (!isObject(sent)) throw BadInput({ zh: '应为一个对象', en: 'an object is expected' })
  if (call.payload === 'body') refuseInAddress(request.query as object)
  // A form has words as an address has: a client may have some of them there. Said twice, the form's count.
  let input: Record<string, unknown> = { ...(call.payload === 'form' && (request.query as object)), ...sent, ...(request.params as object) }
  if (call.payload === 'query' || call.payload === 'form') readWords(input, properties)
  // Input that is too long or too secret for an address may come in the body, which then takes precedence.
  if (call.payload === 'query' && isObject(request.body)) input = { ...input, ...request.body }
  for (const name of FROM_SESSION) if (!(name in properties)) delete input[name]
  return input
}
type Properties = Record<string, { type?: unknown }>
/** A body in JSON has types, and an address has none: what stands there would be dropped, and a list come unfiltered. */
function refuseInAddress(query: object): void {
  const name = Object.keys(query)
    .find((one) => !FROM_SESSION.includes(one))
    ?.slice(0, NAME_MAX)
  if (name !== undefined)
    throw BadInput({ zh: `参数 ${name} 应写在请求正文中，不能写在地址里`, en: `parameter ${name} belongs in the body, not in the address` })
}
/** Of a name that somebody made up, so much is told back. */
const NAME_MAX = 60
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A query and a form have only words: one of blanks is none, a list is parted by commas. */
function readWords(input: Record<string, unknown>, properties: Properties): void {
  for (const [name, value] of Object.entries(input)) {
    if (Array.isArray(value)) throw BadInput({ zh: `参数 ${name} 重复`, en: `parameter ${name} is given twice` })
    if (typeof value === 'string' && bare(value) === '') delete input[name]
    else if (properties[name]?.type === 'array' && typeof value === 'string') input[name] = listIn(value)
  }
}

/** `a,b`, or a list in JSON where its members are more than words. */
function listIn(text: string): unknown {
  if (!text.startsWith('[')) return text.split(',')
  try {
    return JSON.parse(text)
  } catch {
    return text.split(',')
  }
}

async function partsOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {}
  if (!request.isMultipart()) throw BadInput({ zh: '应以 multipart/form-data 上传', en: 'multipart/form-data is expected' })
  try {
    for await (const part of request.parts())
      input[part.fieldname] = part.type === 'file' ? { name: part.filename, type: part.mimetype, bytes: await part.toBuffer() } : part.value
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode) throw error // too large, too many: the library says which
    throw BadInput({ zh: '上传的内容不完整或格式不对', en: 'the upload is incomplete or malformed' })
  }
  return input
}

const options: Options = { allErrors: false, strict: false, useDefaults: true, verbose: true }
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const NOTHING = /(?!)/

function ajvWith(more: Options): Ajv {
  const ajv = new Ajv({ ...options, ...more })
  ajv.addFormat('date', (text: string) => dayIn(text) === text)
  ajv.addFormat('uuid', UUID)
  ajv.addFormat('date-time', (text: string) => instantOf(text) !== undefined)
  // City time and digits alone are accepted, of a day and of a moment, and become one form, so that nothing behind this line has to know.
  const reads = <How>(keyword: string, read: (text: string, how: How) => string | undefined, { before = 'format', refused = NOTHING } = {}) =>
    ajv.addKeyword({
      keyword,
      type: 'string',
      modifying: true,
      before,
      validate: (how: How, text: string, _: unknown, place: { parentData: any; parentDataProperty: string | number } | undefined) => {
        if (place) place.parentData[place.parentDataProperty] = read(text, how) ?? text
        return !refused.test(text)
      },
    })
  reads('x-instant', (text, how: true | 'first' | 'last') => (how === true ? instantOf(text) : how === 'last' ? lastIn(text) : edgeIn(text, how)))
  reads('x-day', dayIn)
  reads('x-typed', bare, { before: 'maxLength', refused: SAID_SIGNS })
  // Formatted text is clean before any handler sees it: no call can forget.
  ajv.addKeyword({
    keyword: 'x-rich',
    modifying: true,
    validate: (_: boolean, text: unknown, __: unknown, place?: { parentData: any; parentDataProperty: string | number }) => {
      if (typeof text === 'string' && isTooMuch(text)) return false
      if (typeof text === 'string' && place) place.parentData[place.parentDataProperty] = withoutSigns(cleanRich(text))
      return true
    },
  })
  ajv.addKeyword({ keyword: 'x-personal', validate: (kind: Personal, text: unknown) => !comesBack(kind) || !isCovered(text) })
  return ajv
}
/** JSON has types: a number in quotes is a mistake. A query string and a form have only text. */
const strict = ajvWith({})
const coercing = ajvWith({ coerceTypes: true })
/** Somebody puts a whole sheet right at once. A row is short, so all that is wrong with it costs little; what strangers send may be long. */
const thorough = ajvWith({ allErrors: true })

/** Compiled at its first use: at the start 704 of them would cost a second. A test compiles them all. */
export function checkerOf(call: Call<any, any>): (input: Record<string, unknown>) => any {
  let check: ReturnType<Ajv['compile']> | undefined
  const { properties = {} } = call.input as { properties?: Properties }
  // Only a change of what is there names a version.
  const leave = 'version' in properties ? leaveCovered(properties) : undefined
  return (input) => {
    leave?.(input)
    check ??= (call.payload === 'body' ? strict : coercing).compile(call.input)
    if (check(input)) return input
    throw BadInput(sentenceOf(check.errors![0]!))
  }
}

/** For one row of a sheet: of each field that is wrong what is wrong with it. */
export function checkerOfSchema(
  schema: object,
): (value: Record<string, unknown>) => { field: string | null; texts: readonly [zh: string, en: string] }[] {
  const check = thorough.compile(schema)
  return (value) => {
    if (check(value)) return []
    const first = new Map<string | null, { zh: string; en: string }>()
    for (const error of check.errors!) {
      const field = error.instancePath.split('/')[1] ?? (error.params.missingProperty as string | undefined) ?? null
      if (!first.has(field)) first.set(field, sentenceOf(error, true))
    }
    return [...first].map(([field, { zh, en }]) => ({ field, texts: [zh.slice(0, REASON_MAX), en.slice(0, REASON_MAX)] }))
  }
}
/** The longest reason that an answer carries, in characters. */
const REASON_MAX = 500

/** Names the field as the screen does, and says what is expected; of what was `typed` into a sheet, in the unit in which it is typed. */
function sentenceOf({ keyword, params, instancePath, parentSchema, data }: ErrorObject, typed = false): { zh: string; en: string } {
  const schema = (parentSchema ?? {}) as Record<string, any>
  const path = instancePath.slice(1).replaceAll('/', '.')
  const zh = schema['x-zh'] ? `「${schema['x-zh']}」` : path
  const en = schema['x-en'] ? `“${schema['x-en']}”` : path
  switch (keyword) {
    case 'required': {
      const missing = schema.properties?.[params.missingProperty] ?? {}
      return missingOf(missing['x-zh'] ?? params.missingProperty, missing['x-en'] ?? params.missingProperty)
    }
    case 'additionalProperties': {
      const name = String(params.additionalProperty).slice(0, NAME_MAX)
      return { zh: `不认识的参数 ${name}`, en: `unknown parameter ${name}` }
    }
    case 'type': {
      // Of a closed list the words are known, and no person enters its numbers.
      const words = Object.values((schema['x-dictionary']?.entries ?? {}) as Record<string, [string, string]>)
      if (words.length > 0)
        return {
          zh: `${zh}只能是 ${allowed(words.map((one) => one[0]))}`,
          en: `${en} can only be ${allowed(
            words.map((one) => one[1]),
            ', ',
          )}`,
        }
      if (schema['x-unit'] === 'permille') return { zh: `${zh}应为百分数，最多一位小数`, en: `${en} must be a percentage with at most one decimal` }
      const unit = unitNamed(schema['x-unit'])
      if (typed && unit.decimals) return { zh: `${zh}${askedIn(unit)[0]}`, en: `${en} ${askedIn(unit)[1]}` }
      const [typeZh, typeEn] = TYPES[params.type as string] ?? [params.type, params.type]
      return { zh: `${zh}应为${typeZh}`, en: `${en} must be ${typeEn}` }
    }
    case 'enum':
      return { zh: `${zh}只能是 ${allowed(params.allowedValues)}`, en: `${en} can only be ${allowed(params.allowedValues, ', ')}` }
    case 'minLength':
      return data === ''
        ? missingOf(schema['x-zh'] ?? path, schema['x-en'] ?? path)
        : { zh: `${zh}至少 ${params.limit} 个字`, en: `${en} takes at least ${params.limit} ${plural(params.limit, 'character')}` }
    case 'maxLength':
      return { zh: `${zh}最多 ${params.limit} 个字`, en: `${en} takes at most ${params.limit} ${plural(params.limit, 'character')}` }
    case 'minimum':
      return { zh: `${zh}不能小于 ${bound(schema, params.limit)}`, en: `${en} must be at least ${bound(schema, params.limit)}` }
    case 'maximum':
      return { zh: `${zh}不能大于 ${bound(schema, params.limit)}`, en: `${en} must be at most ${bound(schema, params.limit)}` }
    case 'maxItems':
      return { zh: `${zh}最多 ${params.limit} 项`, en: `${en} takes at most ${params.limit} ${plural(params.limit, 'item')}` }
    case 'x-rich':
      return {
        zh: `${zh}的格式标记超过 ${MARKS_MAX} 个，请清除格式或分成几篇`,
        en: `${en} has more than ${MARKS_MAX} formatting marks; clear the formatting or split it up`,
      }
    case 'x-typed':
      return { zh: `${zh}含有符号 ⟦ ⦀ ⟧，请删除`, en: `${en} contains ⟦, ⦀ or ⟧: remove these signs` }
    case 'x-personal':
      return { zh: `${zh}含有星号，请填写完整内容`, en: `${en} contains asterisks; enter it in full` }
    default: {
      const [patternZh, patternEn] = keyword === 'pattern' ? (patternWords(params.pattern) ?? []) : []
      if (patternZh) return { zh: `${zh}应为${patternZh}`, en: `${en} must be ${patternEn}` }
      const [formZh, formEn] = FORMS[params.format as string] ?? []
      return formZh ? { zh: `${zh}应为${formZh}`, en: `${en} must be ${formEn}` } : { zh: `${zh}的格式不对`, en: `${en} has the wrong format` }
    }
  }
}
/** In how many digits a number of parts is typed: 330 fen are 3.30. */
const askedIn = ({ sign = ['', ''], decimals = 0 }: Unit): readonly [zh: string, en: string] => {
  const digits = ['', '一', '两', '三', '四'][decimals]
  return [
    `应为数字${sign[0] && `（${sign[0]}）`}，最多${digits}位小数`,
    `must be a number${sign[1] && ` (${sign[1]})`} with at most ${decimals} ${plural(decimals, 'decimal')}`,
  ]
}
const missingOf = (zh: string, en: string) => ({ zh: `缺少「${zh}」`, en: `“${en}” is missing` })
/** Money is told in yuan and a share in hundredths, as they are typed. */
const bound = ({ 'x-unit': unit }: Record<string, any>, limit: number): string =>
  unit === 'fen' ? `¥${(limit / 100).toFixed(2)}` : unit === 'permille' ? `${limit / 10}%` : partsIn(unitNamed(unit), limit)
/** In its unit, where parts of it are kept. */
const partsIn = (unit: Unit, limit: number) => (unit.decimals ? `${limit / perOf(unit)} ${unit.sign?.[1] ?? ''}`.trimEnd() : String(limit))
const TYPES: Record<string, [string, string]> = {
  integer: ['整数', 'a whole number'],
  number: ['数字', 'a number'],
  string: ['文字', 'a text'],
  boolean: ['是或否', 'true or false'],
  array: ['列表', 'a list'],
  object: ['对象', 'an object'],
}
const FORMS: Record<string, [string, string]> = {
  date: ['日期，如 2026-11-01', 'a date such as 2026-11-01'],
  'date-time': ['时间，如 2026-11-01 08:00:00', 'a time such as 2026-11-01 08:00:00'],
}
const allowed = (values: unknown[], between = '、') => values.slice(0, 20).join(between)
