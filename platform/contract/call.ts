import { Boolean as YesNo, Enum, Integer, Unsafe } from 'typebox'
import { type Day, edge, type Entity, type Fen, type Instant, type Schema, listOf, object } from './field.ts'

/** One HTTP call as both sides see it. It carries its inferred types, not its schemas' types: that is what keeps 700 of them quick to check. */
export interface Call<Input, Reply> {
  id: string
  method: Method
  service: Service
  path: string
  needs: Permission
  writes: boolean
  /** The deed that a call of it is logged as: 手动放行, Opened a gate by hand. */
  does: Text | undefined
  payload: 'body' | 'query' | 'form' | 'multipart'
  input: Schema<Input>
  reply: Schema<Reply>
  /** It answers with a file, not with the envelope. */
  file: boolean
  /** Not in the catalogue: the job needs it. */
  own: boolean
  /** It costs many times what others do, and may be called so much less often. */
  heavy: boolean
  /** It leaves a line in the operation log. */
  logged: boolean
  /** It answers a locked session too: who that is, its unlocking, its end. */
  whenLocked: boolean
  /** Nobody's own, and open to whoever is signed in: a program with a key of theirs may ask it too. */
  forPrograms: boolean
  /** With this in its input it only says what it would do, as with `dryRun`: that is a look, and leaves no line. */
  asksWith: Record<string, unknown> | undefined
}
type Text = readonly [zh: string, en: string]
export type Method = 'POST' | 'GET' | 'PUT' | 'DELETE'
export type Service = 'security' | 'custom' | 'message' | 'charging' | 'business' | 'basic' | 'device' | 'member' | 'coupon' | 'fee' | 'checkBill'
/** `domain:noun:verb`, or one of those that have to be written out: open to everybody, open to whoever is signed in, open to guests of one kind alone. */
export type Permission = 'public' | 'signed-in' | Guest | `${string}:${string}:${string}`
/** Guests, who use a page of their own and not the console: their sessions are no person's, and the database shows them what is theirs alone. */
export const GUESTS = ['driver', 'merchant', 'wall'] as const
export type Guest = (typeof GUESTS)[number]
export const isGuests = (needs: Permission): needs is Guest => (GUESTS as readonly string[]).includes(needs)

type Address = { post: string } | { get: string } | { put: string } | { delete: string }
type Payload<I> = { body: Schema<I> } | { query: Schema<I> } | { form: Schema<I> } | { multipart: Schema<I> }
type CallFacts<I, R> = Address &
  Payload<I> & {
    service: Service
    needs: Permission
    reply: Schema<R>
    file?: boolean
    own?: boolean
    heavy?: boolean
    logged?: boolean
    whenLocked?: boolean
    forPrograms?: boolean
    asksWith?: NoInfer<Partial<I>>
  } & ({ writes: true; does: Text } | { writes?: false; does?: Text })

/**
 * `id` is the one in the catalogue and the operationId of the API document. A GET that changes something says `writes: true`.
 * A path may hold `{name}`: the name is then a field of the input. `does` is what the logs say of it. What writes is logged, and what carries rows away as a sheet; `logged: false` is for what is nobody's deed
 * (a mark that something was read, how a person likes a list).
 */
export function call<I, R>(id: string, facts: CallFacts<I, R>): Call<I, R> {
  const {
    service,
    needs,
    reply,
    does,
    writes = false,
    file = false,
    own = false,
    heavy = false,
    whenLocked = false,
    forPrograms = false,
    logged = writes || (file && /export/.test(id)),
  } = facts
  const some = facts as Record<string, any>
  const method = (['post', 'get', 'put', 'delete'] as const).find((m) => m in some)!
  const payload = (['body', 'query', 'form', 'multipart'] as const).find((p) => p in some)!
  if (does) deeds.set(id, does)
  return {
    id,
    method: method.toUpperCase() as Method,
    service,
    path: some[method],
    needs,
    writes,
    does,
    payload,
    input: some[payload],
    reply,
    file,
    own,
    heavy,
    logged,
    whenLocked,
    forPrograms,
    asksWith: some['asksWith'],
  }
}

/**
 * The same by POST, as one of our own. The catalogue's clients change some things by GET, which a page that is looked at ahead, a crawler or a history may call
 * again; ours post.
 */
export function posted<I, R>(id: string, { does, ...one }: Call<I, R>): Call<I, R> {
  if (does) deeds.set(id, does)
  return { ...one, id, does, method: 'POST', payload: 'body', own: true }
}

const deeds = new Map<string, Text>()
/**
 * The deed of a call, by the call's id. On the server this covers every call of the house, in a page only the contracts that the
 * page has loaded.
 */
export const deedOf = (id: string): Text | undefined => deeds.get(id)
export const allDeeds = (): Record<string, Text> => Object.fromEntries(deeds)

export const addressOf = ({ service, path }: { service: Service; path: string }) => `/lbs/${service}${path}`

type Plain = { readonly length: number } // a string that is no Instant, Day or Id: free text
type OperatorFor<T> =
  'equals' | 'among' | (T extends Instant | Day | Fen | number ? 'between' : T extends Plain ? 'contains' | 'startsWith' | 'plate' | 'within' : never)
type Operators<P> = { [K in keyof P]?: P[K] extends Schema<infer T> ? OperatorFor<NonNullable<T>> : never }
export type Operator = 'equals' | 'among' | 'between' | 'contains' | 'startsWith' | 'plate' | 'within'

type Wanted<P extends Record<string, Schema<any>>, O, K extends keyof P & keyof O> = NonNullable<P[K]['~unsafe']>
type Criteria<P extends Record<string, Schema<any>>, O> = {
  [K in keyof O & keyof P as O[K] extends 'between' ? never : K]?: O[K] extends 'among'
    ? Wanted<P, O, K>[]
    : O[K] extends 'equals'
      ? Wanted<P, O, K>
      : string
} & { [K in keyof O & keyof P & string as O[K] extends 'between' ? `${K}From` | `${K}To` : never]?: Wanted<P, O, K> }

/** Which fields of a list may be searched and how, and by which it may be sorted (an index serves each). A name that is not here answers 400. */
export interface Search<C, Sort extends string = string> {
  operators: Record<string, Operator>
  sort: readonly Sort[]
  /** The order when none is asked for: one of these, or several between commas. */
  first: Sort | `${Sort},${string}`
  ascending: boolean
  schema: Record<string, Schema<unknown>>
  '~criteria'?: C
}
/** `among` takes at most this many values. */
const AMONG_MAX = 200
/**
 * `sort` lists the NOT NULL fields that an index serves; the first, or `first`, is the order when none is asked for, newest or largest first unless `ascending`.
 * A `between` becomes two criteria, `entryTimeFrom` and `entryTimeTo`, both included. A `plate` is found by any run of its characters, however it is typed; a whole one is that car alone.
 * A row `within` a region has that region or one below it.
 */
export function searchOf<P extends Record<string, Schema<any>>, const O extends Operators<P>, const S extends keyof P & string>(
  entity: Entity<P>,
  operators: O & { [K in Exclude<keyof O, keyof P>]: never },
  { sort, first = sort[0], ascending = false }: { sort: readonly [S, ...S[]]; first?: S | `${S},${string}`; ascending?: boolean },
): Search<Criteria<P, O>, S> {
  const schema: Record<string, Schema<unknown>> = {}
  for (const [key, operator] of Object.entries(operators) as [string, Operator][]) {
    const { type, enum: values, ...field } = entity.properties[key] as Record<string, any>
    const one = Unsafe<unknown>({
      ...field,
      type: Array.isArray(type) ? type[0] : type,
      ...(values && { enum: values.filter((v: unknown) => v !== null) }),
    })
    if (field['x-plate'] && !findsPlates(key, operator)) throw new Error(`${key} is a plate: it is searched by 'plate', any run of its characters`)
    if (operator === 'between') {
      schema[`${key}From`] = edge(one, 'first')
      schema[`${key}To`] = edge(one, 'last')
    } else schema[key] = operator === 'among' ? listOf(one, { max: AMONG_MAX }) : one
  }
  return { operators: operators as Record<string, Operator>, sort, first, ascending, schema }
}

/** `contains` is of a list that looks plates up through another table; a vehicle of the company's own may be named whole. */
const findsPlates = (key: string, operator: Operator): boolean =>
  operator === 'plate' || operator === 'contains' || (operator === 'equals' && key !== 'plateNo')

/** Pages are numbered from 1, as the catalogue says. 500 rows are more than a screen shows and less than an export. */
export const PAGE_ROWS_MAX = 500
export const PAGE_ROWS = 20
/** Pages beyond this are answered 400: narrow the search. */
export const PAGE_MAX = 100_000
/** Totals are exact up to here, then `1000+`. Counting 1,000 index entries costs about as much as the page; 10,000 cost four pages, all 72,000 thirty. */
export const TOTAL_CAP = 1_000
/** `page`: rows and total; `rows`: no total; `total`: the exact total and no rows; `sum`: figures over the whole filter, where a list has them. */
export type QueryMode = 'page' | 'rows' | 'total' | 'sum'
export type Paged<C, S extends string = string> = C & {
  current?: number
  limit?: number
  /** One field, or up to ORDER_MAX of them: `parkCode,createdAt`. */
  orderByColumn?: S | `${S},${string}`
  /** Of all of them, or of each in its place: `true,false`. */
  isAsc?: boolean | string
  queryMode?: QueryMode
  exactTotal?: boolean
}
export interface Page<T> {
  records: T[]
  total: number
  totalExact: boolean
  /** Under `queryMode=sum`: the sum of each summed field over the whole filter. */
  sums?: Record<string, number>
}

/** Fields by which a list is sorted at once. The first is read from its index; rows that are equal in it are put in order as they come. */
export const ORDER_MAX = 3
const listed = (words: string) => Unsafe<string>({ type: 'string', maxLength: 200, pattern: `^(${words})(,(${words})){0,${ORDER_MAX - 1}}$` })
export interface Order<S extends string = string> {
  by: S
  up: boolean
}
/** The sort order of a list, the most significant field first. A field named twice counts once. */
export function orderOf<S extends string>(
  { orderByColumn, isAsc }: { orderByColumn?: string; isAsc?: boolean | string },
  { first, ascending }: Pick<Search<unknown, S>, 'first' | 'ascending'>,
): Order<S>[] {
  const names = (orderByColumn ?? first).split(',') as S[]
  const ups = String(isAsc ?? ascending).split(',')
  return names.map((by, place) => ({ by, up: (ups[place] ?? ups.at(-1)) === 'true' })).filter(({ by }, place) => names.indexOf(by) === place)
}

/** For calls that page something other than a searched list: `current` and `limit`. */
export const PAGE = {
  current: Unsafe<number>(Integer({ minimum: 1, maximum: PAGE_MAX, default: 1 })),
  limit: Unsafe<number>(Integer({ minimum: 1, maximum: PAGE_ROWS_MAX, default: PAGE_ROWS })),
}
export const paged = <C, S extends string, const O extends Record<string, Schema<any>> = {}>(
  search: Search<C, S>,
  own: O = {} as O,
): Schema<Paged<C, S> & { [K in keyof O]?: O[K]['~unsafe'] }> =>
  Unsafe(
    object(
      {},
      {
        ...search.schema,
        ...own,
        ...PAGE,
        orderByColumn: listed(search.sort.join('|')),
        isAsc: Unsafe<boolean | string>({ anyOf: [YesNo(), listed('true|false')] }),
        queryMode: Unsafe<QueryMode>(Enum(['page', 'rows', 'total', 'sum'])),
        exactTotal: Unsafe<boolean>(YesNo()),
      },
    ),
  )
export const pageOf = <T>(item: Schema<T>): Schema<Page<T>> =>
  Unsafe(
    object(
      { records: listOf(item), total: Unsafe<number>(Integer()), totalExact: Unsafe<boolean>(YesNo()) },
      { sums: Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' } }) },
    ),
  )
