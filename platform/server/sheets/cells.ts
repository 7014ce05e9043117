import type { Dictionary, Facts, Field } from '../../contract/field.ts'
import { bare } from '../../contract/blank.ts'
import type { Personal } from '../../contract/personal.ts'
import type { Named, SheetColumn } from '../../contract/sheet.ts'
import type { Speech } from '../../contract/said.ts'
import { actionOf } from '../../contract/actions.ts'
import { allDeeds } from '../../contract/call.ts'
import { targetWords } from '../../contract/targets.ts'
import { cityTime, edgeIn, instantOf, ZONE_MARK } from '../../contract/time.ts'
import type { Instant } from '../../contract/field.ts'
import { headOf, inBrackets, keptOf, plainNumber, type Unit, unitNamed } from '../../contract/units.ts'
import type { Tx } from '../database.ts'
import { coveredValue } from '../call/personal.ts'
import { question } from '../question.ts'
import type { Cell } from './xlsx.ts'

type Shape = Facts & { type?: string | string[]; format?: string; items?: Shape; 'x-instant'?: true | 'first' | 'last' }
const typeOf = ({ type }: Shape) => (Array.isArray(type) ? type[0] : type)

/** How a column's values become cells: plain data, so that the process that writes the file needs no contract. */
export interface Drawing {
  label: string
  kind: 'text' | 'number' | 'moment' | 'yes' | 'list' | 'action' | 'target'
  /** Of a number: so many digits of what is kept stand behind the point. */
  decimals?: number
  /** Of an action or its target: in which language it is told. */
  speech?: Speech
  words?: Record<string, string>
  pick?: string
  /** Personal, and hidden from whoever asked. */
  cover?: Personal
}
const YES: readonly [readonly [string, string], readonly [string, string]] = [
  ['否', 'No'],
  ['是', 'Yes'],
]
/** Between the items of a list in one cell; any of LIST_MARKS is read. */
const LIST_MARK = '、'
const LIST_MARKS = /[、,，;；]/

/** The names of codes of a kind, as far as the reader may see the things. The domain that keeps them answers. */
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
  if (shape['x-instant']) return { label: inBrackets(label[speech], ZONE_MARK, speech), kind: 'moment' }
  const kind = shape['x-personal']
  const hides = kind && hidden.includes(kind) ? { cover: kind } : {}
  // Sheets are written in a process of their own, which has read no contracts: the words go with them.
  if (shape['x-words'] === 'action') return { label: label[speech], kind: 'action', speech, words: wordsIn(allDeeds(), speech) }
  if (shape['x-words']) return { label: label[speech], kind: shape['x-words'], speech, ...hides }
  if (type !== 'integer' && type !== 'number') return { label: label[speech], kind: 'text', ...hides }
  const unit = unitNamed(shape['x-unit'])
  return { label: headOf(label[speech], unit, speech), kind: 'number', ...(unit.decimals && { decimals: unit.decimals }), ...hides }
}
const wordsIn = (words: Record<string, readonly [string, string, ...unknown[]]>, speech: Speech) =>
  Object.fromEntries(Object.entries(words).map(([code, pair]) => [code, pair[speech]]))

export function drawn({ kind, words, pick, cover, decimals = 0, speech = 0 }: Drawing, whole: unknown): Cell {
  const value = cover && whole !== null ? coveredValue(cover, whole) : whole
  if (value === null || value === undefined) return null
  if (kind === 'action') return words?.[String(value)] ?? actionOf(String(value))[speech]
  if (kind === 'list') {
    const said = (value as unknown[]).map((one) => String(pick ? (one as Record<string, unknown>)[pick] : one))
    return said.map((one) => words?.[one] ?? one).join(LIST_MARK)
  }
  if (words) return words[String(value)] ?? String(value)
  if (kind === 'number') return (value as number) / 10 ** decimals
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
  if (dictionary) return codeIn(dictionary, text) ?? text
  const type = typeOf(shape)
  if (type === 'boolean') return READ_AS_YES.includes(text.toLowerCase()) ? true : READ_AS_NO.includes(text.toLowerCase()) ? false : text
  if (type === 'array')
    return text
      .split(LIST_MARKS)
      .map((one) => one.trim())
      .filter(Boolean)
  if (shape['x-instant']) return momentIn(text, shape['x-instant']) ?? text
  if (shape.format === 'date') return dayIn(text)
  if (type === 'integer' || type === 'number') return numberIn(text, unitNamed(shape['x-unit']))
  return text
}

const READ_AS_YES = ['是', 'yes', 'y', 'true', '1', '有', '√', '✓']
const READ_AS_NO = ['否', 'no', 'n', 'false', '0', '无', '×', '✗']

/** By its code or either of its words; else by what is left of a word without its tail (蓝色, 蓝牌 for 蓝) where that is one alone. */
function codeIn({ entries }: Dictionary<number>, text: string): number | undefined {
  const lower = text.toLowerCase()
  const all = Object.entries(entries)
  const exact = all.find(([code, [zh, en]]) => code === text || zh === text || en.toLowerCase() === lower)
  const alike = exact ? [exact] : all.filter(([, [zh]]) => coreOf(zh) === coreOf(text))
  return alike.length === 1 ? Number(alike[0]![0]) : undefined
}
const coreOf = (word: string) =>
  word
    .normalize('NFKC')
    .replaceAll(/\s/g, '')
    .replace(/^已/, '')
    .replace(/(?<=.)(?:颜色|色|车牌|号牌|牌)$/, '')

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
  // The last second of a day is its end: so an exported one reads, which is kept to the millisecond.
  if (clock === '23:59:59' && how === 'last') return edgeIn(day, how)
  if (clock !== undefined) return instantOf(`${day} ${clock}`)
  return how === true ? undefined : edgeIn(day, how)
}
/** A number of a unit that is kept in parts of it loses nothing: with more digits than are kept it stays a text, and the check says what it should be. */
function numberIn(typed: string, unit: Unit): unknown {
  const kept = keptOf(typed, unit)
  if (kept !== undefined || unit.decimals) return kept ?? typed
  const text = plainNumber(typed, unit)
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : typed
}
