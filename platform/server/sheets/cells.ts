import { type Field, type Facts } from '../../contract/field.ts'
import { bare } from '../../contract/blank.ts'
import type { Personal } from '../../contract/personal.ts'
import type { Named, SheetColumn } from '../../contract/sheet.ts'
import { actionOf } from '../../contract/actions.ts'
import { allDeeds } from '../../contract/call.ts'
import { targetWords } from '../../contract/targets.ts'
import { cityTime, edgeIn, instantOf, ZONE_MARK } from '../../contract/time.ts'
import type { Instant } from '../../contract/field.ts'
import type { Tx } from '../database.ts'
import { coveredValue } from '../personal.ts'
import { question } from '../question.ts'
import type { Cell } from './xlsx.ts'

export type Speech = 0 | 1
type Shape = Facts & { type?: string | string[]; format?: string; items?: Shape; 'x-instant'?: true | 'first' | 'last' }
const typeOf = ({ type }: Shape) => (Array.isArray(type) ? type[0] : type)

/** How a column's values become cells: plain data, so that the process that writes the file needs no contract. */
export interface Drawing {
  label: string
  kind: 'text' | 'number' | 'money' | 'percent' | 'moment' | 'yes' | 'list' | 'action' | 'target'
  /** Of an action or its target: in which language it is told. */
  speech?: Speech
  words?: Record<string, string>
  pick?: string
  /** Personal, and hidden from whoever asked. */
  cover?: Personal
}
const YES: readonly [readonly [string, string], readonly [string, string]] = [['否', 'No'], ['是', 'Yes']] // prettier-ignore
/** Between the items of a list in one cell; any of LIST_MARKS is read. */
const LIST_MARK = '、'
const LIST_MARKS = /[、,，;；]/

/** What codes of a kind are called, by the code, as far as the reader sees the things. Whoever keeps them answers. */
export const namesOf = question<Named, Record<string, string>>('sheet.names')

/** Of each column its drawing; of those that name things, with the names of what the reader sees. */
export const drawingsOf = (tx: Tx, columns: readonly SheetColumn[], speech: Speech, hidden: readonly Personal[]): Promise<Drawing[]> =>
  Promise.all(
    columns.map(async (column) => {
      const drawing = drawingOf(column, speech, hidden)
      if (!column.names) return drawing
      const words = (await namesOf.ask(tx, column.names)).map(({ answer }) => answer)
      return { ...drawing, words: Object.assign({}, ...words) }
    }),
  )

function drawingOf({ label, field, pick, words }: SheetColumn, speech: Speech, hidden: readonly Personal[]): Drawing {
  if (words) return { label: label[speech], kind: 'text', words: wordsIn(words, speech) }
  const shape = field as Field<unknown> & Shape
  const dictionary = shape['x-dictionary']
  if (dictionary)
    return {
      label: label[speech],
      kind: 'text',
      words: wordsIn(dictionary.entries, speech),
    }
  const type = typeOf(shape)
  if (type === 'boolean') return { label: label[speech], kind: 'yes', words: { false: YES[0][speech], true: YES[1][speech] } }
  if (type === 'array') {
    const codes = (shape as { items?: Shape }).items?.['x-dictionary']
    return { label: label[speech], kind: 'list', ...(pick && { pick }), ...(codes && { words: wordsIn(codes.entries, speech) }) }
  }
  if (shape['x-instant']) return { label: unitIn(label[speech], ZONE_MARK, ZONE_MARK, speech), kind: 'moment' }
  if (shape['x-unit'] === 'fen') return { label: unitIn(label[speech], '元', '¥', speech), kind: 'money' }
  if (shape['x-unit'] === 'permille') return { label: inPercent(label[speech], speech), kind: 'percent' }
  if (shape['x-unit'] === 'watt-hour') return { label: unitIn(label[speech], 'Wh', 'Wh', speech), kind: 'number' }
  const kind = shape['x-personal']
  const hides = kind && hidden.includes(kind) ? { cover: kind } : {}
  // Sheets are written in a process of their own, which has read no contracts: the words go with them.
  if (shape['x-words'] === 'action') return { label: label[speech], kind: 'action', speech, words: wordsIn(allDeeds(), speech) }
  if (shape['x-words']) return { label: label[speech], kind: shape['x-words'], speech, ...hides }
  return { label: label[speech], kind: type === 'integer' || type === 'number' ? 'number' : 'text', ...hides }
}
const wordsIn = (words: Record<string, readonly [string, string, ...unknown[]]>, speech: Speech) =>
  Object.fromEntries(Object.entries(words).map(([code, pair]) => [code, pair[speech]]))
const unitIn = (label: string, zh: string, en: string, speech: Speech) => `${label}${speech === 0 ? `(${zh})` : ` (${en})`}`

/** A share is kept in thousandths, and in a sheet it stands in hundredths: its head says so. */
export const inPercent = (label: string, speech: Speech) => unitIn(label, '%', '%', speech)

export function drawn({ kind, words, pick, cover, speech = 0 }: Drawing, whole: unknown): Cell {
  const value = cover && whole !== null ? coveredValue(cover, whole) : whole
  if (value === null || value === undefined) return null
  if (kind === 'action') return words?.[String(value)] ?? actionOf(String(value))[speech]
  if (kind === 'list') {
    const said = (value as unknown[]).map((one) => String(pick ? (one as Record<string, unknown>)[pick] : one))
    return said.map((one) => words?.[one] ?? one).join(LIST_MARK)
  }
  if (words) return words[String(value)] ?? String(value)
  if (kind === 'money') return (value as number) / 100
  if (kind === 'percent') return (value as number) / 10
  if (kind === 'number') return value as number
  if (kind === 'target') return targetWords(String(value), (name) => name[speech])
  if (kind === 'moment') return cityTime(value as Instant)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A cell as it was read, as the value that the field's schema checks. Undefined for an empty one. What cannot be understood is left as it is: the check names it. */
export function valueOf(field: Field<unknown>, typed: string): unknown {
  const text = bare(typed)
  if (text === '') return undefined
  const shape = field as Field<unknown> & Shape
  const dictionary = shape['x-dictionary']
  if (dictionary) {
    const found = Object.entries(dictionary.entries).find(([code, [zh, en]]) =>
      [code, zh, en.toLowerCase()].includes(zh === text ? text : text.toLowerCase()),
    )
    return found ? Number(found[0]) : text
  }
  const type = typeOf(shape)
  if (type === 'boolean') {
    const yes = YES.map((words) => words.map((word) => word.toLowerCase()))
    const lower = text.toLowerCase()
    return yes[1]!.includes(lower) || lower === 'true' || lower === '1'
      ? true
      : yes[0]!.includes(lower) || lower === 'false' || lower === '0'
        ? false
        : text
  }
  if (type === 'array') return text.split(LIST_MARKS).map((one) => one.trim()).filter(Boolean) // prettier-ignore
  if (shape['x-instant']) return momentIn(text, shape['x-instant']) ?? text
  if (shape.format === 'date') return dayIn(text)
  if (type === 'integer' || type === 'number') return numberIn(text.replaceAll(',', ''), shape['x-unit'])
  return text
}

/** As people and spreadsheets write it: 2026-11-01, 2026/11/1, 2026年11月1日, 2026/11/1 8:00. */
const TYPED = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
function typedIn(text: string): { day: string; clock: string | undefined } | undefined {
  const [, year, month, date, hour, minute, second = '00'] = TYPED.exec(text) ?? []
  if (year === undefined) return undefined
  const two = (digits: string) => digits.padStart(2, '0')
  return { day: `${year}-${two(month!)}-${two(date!)}`, clock: hour && `${two(hour)}:${minute}:${second}` }
}
function dayIn(text: string): string {
  const typed = typedIn(text)
  return typed && (typed.clock ?? '00:00:00') === '00:00:00' ? typed.day : text
}
/** A day alone is its first or its last moment where the column is the beginning or the end of something. */
function momentIn(text: string, how: true | 'first' | 'last'): Instant | undefined {
  const { day, clock } = typedIn(text) ?? {}
  if (day === undefined) return instantOf(text)
  if (clock !== undefined) return instantOf(`${day} ${clock}`)
  return how === true ? undefined : edgeIn(day, how)
}
/** Yuan with at most two decimals become fen without ever being a fraction. */
const YUAN = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/
/** Hundredths with at most one decimal become thousandths. */
const PERCENT = /^(-?\d{1,9})(?:\.(\d))?%?$/
function numberIn(text: string, unit: string | undefined): unknown {
  if (unit === 'permille') return PERCENT.test(text) ? Number(text.replace(PERCENT, (_, whole: string, tenth = '0') => `${whole}${tenth}`)) : text
  if (unit !== 'fen') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  const found = YUAN.exec(text.replace(/^¥/, ''))
  if (!found) return text
  const fen = Number(found[2]) * 100 + Number((found[3] ?? '').padEnd(2, '0'))
  return found[1] ? -fen : fen
}
