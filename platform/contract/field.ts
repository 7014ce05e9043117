import { type TUnsafe, Unsafe } from 'typebox'
import type { Personal } from './personal.ts'

/** A JSON Schema that carries the TypeScript type of its values: one property access, so that 700 calls check fast. */
export type Schema<T> = TUnsafe<T>
export type Of<S> = S extends Schema<infer T> ? T : never

// A property and not a unique symbol: declarations of the contracts must be able to name it.
type Branded<Base, Name> = Base & { readonly '~brand': Name }
/** Money in whole fen (分). */
export type Fen = Branded<number, 'Fen'>
/** A point in time, ISO 8601 in UTC with milliseconds: `2026-09-01T04:00:00.000Z`. */
export type Instant = Branded<string, 'Instant'>
/** A business day in the city's zone: `2026-09-01`. */
export type Day = Branded<string, 'Day'>
/** One noun's id is not another's; a string of which nothing is known may be either. */
export type Id<Name extends string> = string & { readonly '~brand'?: Name }

/** Names and notes that people read about a field; kept in the schema, so that the API document has them too. */
export interface Facts {
  'x-zh': string
  'x-en': string
  'x-unit'?: string
  'x-dictionary'?: Dictionary<number>
  'x-none'?: true
  'x-plate'?: true
  'x-region'?: true
  /** Kept for programs, read in words: what a call did (`parking.gate.add`), or what it was about (`parkCode=P001`). */
  'x-words'?: 'action' | 'target'
  'x-image'?: true
  'x-rich'?: true
  'x-attachments'?: true
  'x-personal'?: Personal
  /** Written by people or by the platform itself, see `platform/contract/said.ts`: it is searched by what its readers read. */
  'x-said'?: true
}
export type Field<T> = Schema<T> & Facts

const field = <T>(zh: string, en: string, schema: object): Field<T> => Unsafe<T>({ ...schema, 'x-zh': zh, 'x-en': en }) as Field<T>

/** A text that a person types: surrounding blanks are cut on arrival, so that a text of blanks alone counts as empty. */
export const text = (zh: string, en: string, { min = 1, max = 64, pattern }: { min?: number; max?: number; pattern?: string } = {}) =>
  field<string>(zh, en, { type: 'string', minLength: min, maxLength: max, ...(pattern && { pattern }), 'x-typed': true })
/** A text as it was sent, blanks and all, or all the texts of a message: a secret, and what was signed. */
export function exact<S extends Schema<any>>(sent: S): S {
  const { 'x-typed': _, properties, ...rest } = sent as S & { 'x-typed'?: true; properties?: Fields }
  const parts = properties && Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, exact(part)]))
  return { ...rest, ...(parts && { properties: parts }) } as S
}
export const whole = (zh: string, en: string, { unit, min, max }: { unit?: string; min?: number; max?: number } = {}) =>
  field<number>(zh, en, { type: 'integer', minimum: min ?? -INT4_MAX, maximum: max ?? INT4_MAX, ...(unit && { 'x-unit': unit }) })
export const minutes = (zh: string, en: string) => whole(zh, en, { unit: 'minute' })
/** A share of the whole, in thousandths (‰). */
export const permille = (zh: string, en: string) => whole(zh, en, { unit: 'permille', min: 0, max: 1000 })
export const fen = (zh: string, en: string, { min, max }: { min?: number; max?: number } = {}) =>
  field<Fen>(zh, en, { type: 'integer', minimum: min ?? -Number.MAX_SAFE_INTEGER, maximum: max ?? Number.MAX_SAFE_INTEGER, 'x-unit': 'fen' })
export const instant = (zh: string, en: string) => field<Instant>(zh, en, { type: 'string', format: 'date-time', 'x-instant': true })
export const day = (zh: string, en: string) => field<Day>(zh, en, { type: 'string', format: 'date', 'x-day': true })
/** A longitude; a latitude with `most` 90. In WGS-84, as places are kept; maps of the mainland show GCJ-02, some 500 metres beside it: a field of these has it in its name. */
export const degrees = (zh: string, en: string, most: 90 | 180 = 180, datum: 'wgs84' | 'gcj02' = 'wgs84') =>
  field<number>(zh, en, { type: 'number', minimum: -most, maximum: most, 'x-unit': datum })
export const yes = (zh: string, en: string) => field<boolean>(zh, en, { type: 'boolean' })
export const id = <Name extends string>(zh = '编号', en = 'Id') => field<Id<Name>>(zh, en, { type: 'string', format: 'uuid' })
export const ref = id
/** A number plate as people type it; `platform/contract/plate.ts` says what it may be. */
export const plate = (zh = '车牌号', en = 'Plate') =>
  personal('plate', field<string>(zh, en, { type: 'string', minLength: 1, maxLength: 16, 'x-plate': true }))
/** The code of an administrative region, or its first digits; people choose and read it by its name. */
export const region = (zh = '行政区划', en = 'Region') =>
  field<string>(zh, en, { type: 'string', minLength: 2, maxLength: 12, pattern: '^[0-9]{2,12}$', 'x-region': true })
/** The target of a call, `parkCode=P001 name=东门`, which may be a car; people read it in the words of `platform/contract/targets.ts`. */
export const target = (zh: string, en: string, { max }: { max: number }) =>
  personal('account', field<string>(zh, en, { type: 'string', minLength: 1, maxLength: max, 'x-words': 'target' }))
/** A call's id, read as what it did, in the words of `platform/contract/actions.ts`. */
export const action = (zh: string, en: string) => field<string>(zh, en, { type: 'string', minLength: 1, maxLength: 100, 'x-words': 'action' })
/** Comma-separated addresses of pictures. */
export const images = (zh: string, en: string) => field<string>(zh, en, { type: 'string', maxLength: 2000, 'x-image': true })
/** A document beside a record: what it is called, where it is read, how large it is. */
export interface Attachment {
  name: string
  url: string
  bytes: number
}
/** Files as the upload answered them: kept as jsonb, offered for saving and never shown in a page of ours. */
export const attachments = (zh: string, en: string, { max = ATTACHMENTS_MAX }: { max?: number } = {}) =>
  field<Attachment[]>(zh, en, {
    type: 'array',
    maxItems: max,
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 200 },
        url: { type: 'string', maxLength: 300, pattern: '^/lbs/[\\w/]{1,100}\\?fileName=[\\w.-]{1,100}$' },
        bytes: { type: 'integer', minimum: 0 },
      },
      required: ['name', 'url', 'bytes'],
      additionalProperties: false,
    },
    'x-attachments': true,
  })
const ATTACHMENTS_MAX = 20
/** Formatted text, HTML of the tags in `platform/contract/rich.ts`. It is cleaned wherever it comes in, and again where it is shown. */
export const rich = (zh: string, en: string, { min = 1, max = RICH_MAX }: { min?: number; max?: number } = {}) =>
  field<string>(zh, en, { type: 'string', minLength: min, maxLength: max, 'x-rich': true })
/** Some hundred pages of text; pictures lie beside it, not in it. */
const RICH_MAX = 200_000
/** A way to somebody, their papers, where their car was: whole only for whoever may see it so, see `platform/contract/personal.ts`. Its pattern must let asterisks through. */
export const personal = <T>(kind: Personal, inner: Field<T>): Field<T> => Unsafe<T>({ ...inner, 'x-personal': kind }) as Field<T>
/** A number that is called to reach a place or a firm, fixed lines and hotlines among them: of its own form, so that a word is refused as what it is. */
export const callable = (zh: string, en: string) => text(zh, en, { max: 32, pattern: '^[0-9+*][0-9 *-]{4,31}$' })
/** The same of a person, whole only for whoever may see it so. */
export const telephone = (zh: string, en: string) => personal('phone', callable(zh, en))
/** Pictures that show a car: for whoever does not see its plate there are none. */
export const pictures = (zh: string, en: string) => personal('picture', images(zh, en))
/** A sentence about a car, which may contain its plate. */
export const account = (zh: string, en: string, bounds?: { min?: number; max?: number }) => personal('account', text(zh, en, bounds))
/** A text that the platform writes too, in the words of its reader: a search finds it by those of either language. */
export const orSaid = <T>(inner: Field<T>): Field<T> => Unsafe<T>({ ...inner, 'x-said': true }) as Field<T>
/** A file as it was sent in a part of a multipart form. Its name and type are what the sender says: look at the bytes. */
export interface Upload {
  name: string
  type: string
  bytes: Uint8Array
}
export const upload = (zh: string, en: string) => field<Upload>(zh, en, { type: 'object', 'x-file': true })
export const among = <S extends number>(zh: string, en: string, dictionary: Dictionary<S>) =>
  field<S>(zh, en, { type: 'integer', enum: Object.keys(dictionary.entries).map(Number), 'x-dictionary': dictionary })
/** A value with a shape of its own (a list, a nested object): jsonb in the table. What has no word here is written as JSON Schema, and says its type itself. */
export const shaped = <T>(zh: string, en: string, schema: Schema<T> | Written) => field<T>(zh, en, schema)
type Written = { readonly [keyword: string]: unknown; '~unsafe'?: never }
/** Of what a field may be, these alone. */
export const only = <T, const V extends T>(field: Field<T>, values: readonly V[]): Field<V> => Unsafe<V>({ ...field, enum: values }) as Field<V>
/** The same field under another name. */
export const called = <F extends Field<any>>(field: F, zh: string, en: string): F => ({ ...field, 'x-zh': zh, 'x-en': en })
/** One end of a range of moments: a day alone is all of that day. */
export const edge = <F extends Schema<any>>(field: F, of: 'first' | 'last'): F => ('x-instant' in field ? { ...field, 'x-instant': of } : field)
/** The value may be missing: `null` on the wire and in the table. The facts stay. */
export const orNone = <T>(inner: Field<T>): Field<T | null> => {
  const { type, enum: values, ...rest } = inner as Field<T> & { type: string; enum?: unknown[] }
  return Unsafe<T | null>({ ...rest, type: [type, 'null'], ...(values && { enum: [...values, null] }), 'x-none': true }) as Field<T | null>
}

/** The largest `integer` of PostgreSQL. */
const INT4_MAX = 2_147_483_647

export type Tone = 'success' | 'warning' | 'error' | 'default'
export type DictionaryEntry = readonly [zh: string, en: string, tone?: Tone]
export interface Dictionary<S extends number> {
  name: string
  label: readonly [zh: string, en: string]
  entries: Record<S, DictionaryEntry>
}
const dictionaries = new Map<string, Dictionary<number>>()
/** `name`, `label` and `entries` are what a dictionary itself has: no member is called so. */
type Members = Record<string, readonly [code: number, zh: string, en: string, tone?: Tone]> & { name?: never; label?: never; entries?: never }
type Named<M extends Members> = Dictionary<M[keyof M & string][0]> & { readonly [Member in keyof M]: M[Member][0] }
/** One of the codes of a closed list: `CodeOf<typeof Direction>` is `1 | 2 | 3`. */
export type CodeOf<D> = D extends Dictionary<infer S> ? S : never
/**
 * A closed list that code depends on: `dictionary('gate_direction', [...], { entrance: [1, '入口', 'Entrance'] })`. Its members are its codes by name, `Direction.entrance`, in
 * handlers, tests and SQL alike. It is also the CHECK of the column and read-only rows of the dictionary calls.
 */
export function dictionary<const M extends Members>(name: string, label: readonly [zh: string, en: string], members: M): Named<M>
export function dictionary<const E extends Record<number, DictionaryEntry>>(
  name: string,
  label: readonly [zh: string, en: string],
  entries: E,
): Dictionary<keyof E & number>
export function dictionary(name: string, label: readonly [zh: string, en: string], given: object): Dictionary<number> {
  const members = Object.entries(given as Record<string, readonly (string | number)[]>).map(([member, entry]) =>
    typeof entry[0] === 'number' ? { member, code: entry[0], entry: entry.slice(1) } : { code: Number(member), entry },
  )
  const entries: Dictionary<number>['entries'] = Object.fromEntries(members.map(({ code, entry }) => [code, entry as DictionaryEntry]))
  if (Object.keys(entries).length < members.length) throw new Error(`${name}: two members have one code.`)
  const made: Dictionary<number> = { name, label, entries }
  // Not enumerable: whoever reads the list as a whole (the API document, the page) reads its entries.
  for (const { member, code } of members) if (member !== undefined) Object.defineProperty(made, member, { value: code })
  dictionaries.set(name, made)
  return made
}
export const allDictionaries = () => [...dictionaries.values()]

/** Which state follows which. `gateCan.open(state)` is the next state, or undefined: the server refuses by it, the screen disables a button by it. */
export const moves = <S extends number, const M extends Record<string, { readonly [From in S]?: NoInfer<S> }>>(_of: Dictionary<S>, table: M) =>
  Object.fromEntries(Object.entries(table).map(([verb, next]) => [verb, (state: S) => next[state]])) as {
    [Verb in keyof M]: (state: S) => S | undefined
  }

type Fields = Record<string, Schema<any>>
export type Values<P extends Fields> = { [K in keyof P]: P[K]['~unsafe'] }
export interface Entity<P extends Fields> extends Schema<Values<P>> {
  properties: P
}

/** A noun's fields, and what it is called where its rows are logged, found or waiting in the bin. */
export interface NamedEntity<P extends Fields> extends Entity<P> {
  label: readonly [zh: string, en: string]
}
/** `entity(['通道', 'Gate'], { ... })`. Without a name it is a view of other nouns' fields, or a part of one. */
export function entity<P extends Record<string, Field<any>>>(label: readonly [zh: string, en: string], fields: P): NamedEntity<P>
export function entity<P extends Record<string, Field<any>>>(fields: P): Entity<P>
export function entity(first: object, fields?: Fields): Entity<Fields> {
  const made = object(fields ?? (first as Fields))
  return fields ? Object.defineProperty(made, 'label', { value: first }) : made // not enumerable: it is no part of the schema
}
/** The fields that every row with a version has. */
export const rowFields = <Name extends string>() => ({
  id: id<Name>(),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const pick = <P extends Fields, const K extends keyof P>(from: Entity<P>, ...keys: K[]): Entity<Pick<P, K>> =>
  object(Object.fromEntries(keys.map((key) => [key, from.properties[key]])) as Pick<P, K>)
/** The fields of `from` that a person writes: those named are needed, those in `optional` may be left out. */
export const pickSome = <P extends Fields, const K extends keyof P, const O extends keyof P>(
  from: Entity<P>,
  needed: readonly K[],
  optional: readonly O[],
): Schema<Values<Pick<P, K>> & Partial<Values<Pick<P, O>>>> =>
  message(
    Object.fromEntries(needed.map((key) => [key, from.properties[key]])) as Pick<P, K>,
    Object.fromEntries(optional.map((key) => [key, from.properties[key]])) as Pick<P, O>,
  )
/** A message that is no entity, the body of a command for example: needed fields, then those that may be left out. */
export const message = <P extends Fields, Q extends Fields = {}>(needed: P, optional?: Q): Schema<Values<P> & Partial<Values<Q>>> =>
  Unsafe<Values<P> & Partial<Values<Q>>>(objectOf(needed, optional))
export const nothing: Schema<void> = Unsafe<void>({ type: 'null' })
/** A call without input takes any query and looks at none of it. */
export const empty: Schema<{}> = message({})
export const listOf = <T>(item: Schema<T>, { max }: { max?: number } = {}): Schema<T[]> =>
  Unsafe<T[]>({ type: 'array', items: item, ...(max && { maxItems: max }) })
/** Any JSON value. Only for replies, and for rows that keep what somebody else wrote. */
export const anything: Schema<unknown> = Unsafe<unknown>({})
/** Nodes with those below each. */
export type Nodes<T> = (T & { children: Nodes<T> })[]
/** A tree of such nodes. What lies below a node is `anything` to the schema, which cannot hold itself. */
export const treeOf = <P extends Record<string, Field<any>>>(node: P, [zh, en]: readonly [zh: string, en: string] = ['下级', 'Children']) =>
  Unsafe<Nodes<Values<P>>>(listOf(entity({ ...node, children: shaped(zh, en, listOf(anything)) })))

export const object = <P extends Fields>(properties: P, optional?: Fields): Entity<P> =>
  Unsafe<Values<P>>(objectOf(properties, optional)) as Entity<P>
function objectOf(properties: Fields, optional: Fields = {}) {
  return { type: 'object', properties: { ...properties, ...optional }, required: Object.keys(properties), additionalProperties: false }
}
/** The fields of a message or an entity, of which only the type of the whole is known; whoever reads more of them says what. */
export const partsOf = <Part = Field<unknown>>(message: Schema<any>): Record<string, Part> =>
  (message as Schema<any> & { properties?: Record<string, Part> }).properties ?? {}
/** Those of them that may not be left out. */
export const neededOf = (message: Schema<any>): readonly string[] => (message as Schema<any> & { required?: string[] }).required ?? []
