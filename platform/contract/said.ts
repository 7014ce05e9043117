import type { Instant } from './field.ts'
import { filled, placesOf } from './plural.ts'
import { cityTime } from './time.ts'

/** Signs that no keyboard has. What is typed with one of them is refused, so that nobody can write as if the platform had. */
const [OPEN, PART, CLOSE] = ['⟦', '⦀', '⟧']
export const SAID_OPENS = OPEN
export const SAID_SIGNS = /[⟦⦀⟧]/
/** Removes the signs of stored sentences from a text that did not come through a typed field. */
export const withoutSigns = (text: string): string => text.replaceAll(/[⟦⦀⟧]/g, '')

type Pair = readonly [zh: string, en: string]
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
/** Without parameters it is the text that is kept; with some, what makes it. */
type Made<P> = P extends readonly [infer Zh extends string, string]
  ? [Names<Zh>] extends [never]
    ? string
    : (told: Readonly<Record<Names<Zh>, string | number>>) => string
  : never

interface Known {
  pair: Pair
  names: readonly string[]
}
const known = new Map<string, Known>()

/**
 * Sentences that the platform itself writes into rows: reasons, remarks, what an order is about. A row keeps which one and what it tells of, `⟦member.returned⦀搬家了⟧`; whoever
 * reads the row reads it in their language. A parameter is text, a number, a moment or another sentence; it stands in both languages.
 */
export function sentences<const P extends Readonly<Record<string, Pair>>>(domain: string, pairs: P): { readonly [Key in keyof P]: Made<P[Key]> } {
  const made = Object.entries(pairs).map(([key, pair]): [string, unknown] => {
    const code = `${domain}.${key}`
    const names = [...new Set(placesOf(pair[0]))]
    if (names.join() !== [...new Set(placesOf(pair[1]))].toSorted((a, b) => names.indexOf(a) - names.indexOf(b)).join())
      throw new Error(`${code} tells of other things in English than in Chinese.`)
    known.set(code, { pair, names })
    const kept = (told: Record<string, unknown> = {}) => `${OPEN}${[code, ...names.map((name) => String(told[name]))].join(PART)}${CLOSE}`
    return [key, names.length > 0 ? kept : kept()]
  })
  return Object.fromEntries(made) as { readonly [Key in keyof P]: Made<P[Key]> }
}
/** Whether the platform wrote it. */
export const isSaid = (text: string): boolean => text.startsWith(OPEN)

export type Speech = 0 | 1
const SENTENCE = /⟦([\w-]+\.\w+)((?:⦀[^⟦⦀⟧]*)*)⟧/g
/** The same within one string of JSON: none begins in one and ends in another. */
const SENTENCE_IN_JSON = /⟦([\w-]+\.\w+)((?:⦀(?:[^⟦⦀⟧"\\]|\\.)*)*)⟧/g
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const told = (value: string) => (MOMENT.test(value) ? cityTime(value as Instant) : value)

/** A text in the words of its reader. */
export const spoken = (text: string, speech: Speech): string => spokenIn(text, speech, SENTENCE, (words) => words)
/** The same of values that are written as JSON already. */
export const spokenJson = (json: string, speech: Speech): string =>
  spokenIn(json, speech, SENTENCE_IN_JSON, (words) => JSON.stringify(words).slice(1, -1))
/** Of whatever is made of texts. */
export function spokenOf<T>(value: T, speech: Speech): T {
  const json = JSON.stringify(value)
  return json?.includes(OPEN) ? (JSON.parse(spokenJson(json, speech)) as T) : value
}
/** For a device, which knows none of these signs: in the words of the place, and without a sign that came by another way. */
export const plainJson = (value: unknown): string => withoutSigns(JSON.stringify(spokenOf(value, 0)))
/** A text in both languages. */
export const bothOf = (text: string): { zh: string; en: string } => ({ zh: spoken(text, 0), en: spoken(text, 1) })

/** From the innermost: a sentence may tell why, in the words of another. Each turn takes signs away, so there is a last one. */
function spokenIn(text: string, speech: Speech, sentence: RegExp, written: (words: string) => string): string {
  let now = text
  for (let was = ''; was !== now && now.includes(OPEN);) {
    was = now
    now = now.replace(sentence, (whole, code: string, parts: string) => {
      const found = known.get(code)
      if (!found) return whole
      const values = parts.split(PART).slice(1)
      return filled(written(found.pair[speech]), (name) => told(values[found.names.indexOf(name)] ?? ''))
    })
  }
  return now
}

/** How the sentences begin that have these words, in either language: a list is searched by what its readers read. */
export function saying(words: string): string[] {
  const wanted = words.trim().toLowerCase()
  if (!wanted) return []
  const has = ({ pair }: Known) => pair.some((text) => text.toLowerCase().includes(wanted))
  const begun = [...known].flatMap(([code, one]) => (has(one) ? [PART, CLOSE].map((end) => `${OPEN}${code}${end}`) : []))
  return [...begun, ...[...known].flatMap(([code, one]) => (one.names.length === 1 ? filledIn(code, one, words.trim()) : []))]
}
/** As it is read with its one parameter, which is what stands between the words around it. */
function filledIn(code: string, { pair, names: [name] }: Known, words: string): string[] {
  const told = pair.flatMap((text) => {
    const [head = '', tail = ''] = text.toLowerCase().split(`{${name!.toLowerCase()}}`)
    const fits = head && words.length > head.length + tail.length && words.toLowerCase().startsWith(head) && words.toLowerCase().endsWith(tail)
    return fits ? [words.slice(head.length, words.length - tail.length)] : []
  })
  return told.map((value) => `${OPEN}${code}${PART}${value}`)
}

/** The sentences that are these words, in either language. */
export function named(words: string): string[] {
  return [...known].flatMap(([code, { pair, names }]) => (names.length === 0 && pair.includes(words) ? [`${OPEN}${code}${CLOSE}`] : []))
}

/** Words that are a pair already, of a refusal or of a dictionary, stored in both languages as they are. */
known.set('platform.pair', { pair: ['{zh}', '{en}'], names: ['zh', 'en'] })
export const paired = ([zh, en]: readonly [zh: string, en: string, ...unknown[]]): string => `${OPEN}${['platform.pair', zh, en].join(PART)}${CLOSE}`

/** The author of acts that no person did: the house itself, by its rules and clocks. */
export const { system: SYSTEM } = sentences('platform', { system: ['系统', 'System'] })
