import { type CompiledQuery, sql } from 'kysely'
import { type Order, orderOf, type Page, PAGE_ROWS, type Paged, type Search, TOTAL_CAP } from '../contract/call.ts'
import type { Entity } from '../contract/field.ts'
import { named, saying } from '../contract/said.ts'
import { isPlate, normalizePlate } from '../contract/plate.ts'
import { regionPrefix } from '../contract/region.ts'
import { ASIDE, builder, parksOf, run, runAside, type Tables, type Tx } from './database.ts'

/** A list over one table or view. Its key ends every ordering, so that pages never overlap. */
export interface List<Row, T extends keyof Tables & string = keyof Tables & string> {
  table: T
  columns: (keyof Row & string)[]
  key: string
  search: Search<any>
  /** Rows that the list is about at all, as SQL without values: `status = 1`. */
  only?: string
  /** Its deleted rows are marked and stay in the table, out of the list: `removeRow` of `row.ts` says when. */
  marked?: true
  /** Nobody deletes its rows: `rowsOver` of `row.ts` says what that is for. */
  kept?: true
  /** Fields summed under `queryMode=sum`. */
  sums: readonly string[]
  /** SQL without values that is summed in a field's place: refunds that count against payments. */
  sumOf?: Readonly<Partial<Record<string, string>>>
  /** Criteria that other tables answer. */
  through?: Readonly<Partial<Record<string, Through>>>
  find?: CompiledQuery
}
/**
 * A criterion on a field that the list's view takes from another table is looked up there, in an index, instead of in each joined
 * row: `sql` returns the values of the list's `column` that match, and names the wanted value once: `$1`.
 */
interface Through {
  column: string
  sql: string
}
/** `listOver(Stay, 'parking.stay', staySearch)`: the entity's fields are the columns. */
export const listOver = <P extends Record<string, any>, T extends keyof Tables & string>(
  entity: Entity<P>,
  table: T,
  search: Search<any>,
  { key = 'id', only, marked, kept, sums = [], sumOf, through }: Options<keyof P & string> = {},
): List<Entity<P>['~unsafe'], T> => {
  const conditions = [only, marked && 'not deleted'].filter(Boolean)
  return {
    ...{ table, columns: Object.keys(entity.properties) as (keyof P & string)[], key, search, sums },
    ...(conditions.length > 0 && { only: conditions.join(' and ') }),
    ...(marked && { marked }),
    ...(kept && { kept }),
    ...(sumOf && { sumOf }),
    ...(through && { through }),
  }
}
interface Options<K extends string> {
  key?: K
  only?: string
  marked?: true
  kept?: true
  sums?: readonly K[]
  sumOf?: Partial<Readonly<Record<K, string>>>
  through?: Readonly<Record<string, Through>>
}

/**
 * A page of rows and its total, in one statement. Statements are built once per shape (which criteria, which order, near or deep) and prepared. A deep page walks
 * keys in the index and fetches only its own rows. The total stops at TOTAL_CAP unless the caller wants it exact.
 */
export async function page<Row, C>(tx: Tx, list: List<Row>, asked: Paged<C>): Promise<Page<Row>> {
  const input = await lookedUp(tx, list, asked)
  const { current = 1, limit = PAGE_ROWS, queryMode = 'page' } = input
  const offset = (current - 1) * limit
  const parks = (list.columns as readonly string[]).includes(PARK) ? parksOf(tx) : null
  const deep = offset >= DEEP_FROM || ofSeveral(list, input)
  // The criteria that any list may be asked, by name.
  const statements = statementsFor(list, input as never, deep, parks !== null)
  const wanted = { ...input, [SCOPE_PARKS]: parks } as Record<string, unknown>
  const values = statements.criteria.map((criterion) => valueOf(criterion, wanted[criterion.key]))
  const exact = input.exactTotal === true || queryMode === 'total'
  const counted = exact ? statements.exact : statements.capped
  const park = statements.ofPark ? (values[statements.criteria.indexOf(statements.ofPark)] as string) : undefined
  if (queryMode === 'rows') {
    const records = await run<Row>(tx, statements.rows, [...values, limit, offset], park)
    return { records, total: Math.min(records.length, TOTAL_CAP), totalExact: false }
  }
  if (queryMode === 'sum') {
    const [sums] = statements.sums ? await run<Record<string, number>>(tx, statements.sums, values, park) : []
    return { records: [], total: 0, totalExact: false, ...(sums && { sums }) }
  }
  const total = async () => (await run<{ n: number }>(tx, counted.total, values, park))[0]!.n
  // Where so many rows were passed by, they need not be counted.
  const paged = async () =>
    exact || offset < TOTAL_CAP
      ? runAside<Row>(tx, counted.rows, deep ? [...values, limit, offset, ...values] : [...values, ...values, limit, offset], park)
      : { rows: await run<Row>(tx, statements.rows, [...values, limit, offset], park), aside: undefined }
  const { rows: records, aside } = queryMode === 'page' ? await paged() : { rows: [], aside: undefined }
  // A page behind the last row has none that says the total.
  const n = aside ?? (records.length > 0 ? offset + records.length : queryMode === 'page' && offset === 0 ? 0 : await total())
  const totalExact = exact || n <= TOTAL_CAP
  return { records, total: totalExact ? n : TOTAL_CAP, totalExact }
}

/** From here on, walking keys in the index and fetching only the page's rows is cheaper than skipping whole rows; below, the join costs more than it saves. */
const DEEP_FROM = 100

/** So many plates, or rows of another table, are each looked up in the list's own index. What more of them have is common: a walk of the list soon meets enough of it. */
const KEYS_MAX = 1_000
const PLATES = 'select plate_no from platform.plate_ending where enterprise_id = scope_enterprise() and ending ^@ $1'

/**
 * Replaces criteria by the result of a first look-up: a typed plate by the whole plate or the plates that contain these
 * characters, a field of another table by the keys. A criterion with too many matches stays as it was.
 */
export async function lookedUp<C extends object>(tx: Tx, { search, through = {} }: List<any>, input: C): Promise<C> {
  const typed = Object.entries(input).filter(
    ([key, value]) => typeof value === 'string' && (through[key] || search.operators[key] === 'plate' || isSaidToo(search.schema[key])),
  )
  if (typed.length === 0) return input
  const found = typed.map(async ([key, value]): Promise<[string, unknown]> => {
    if (through[key]) return [key, await keysOf(tx, through[key].sql, valueOf({ operator: search.operators[key] as 'contains' }, value), value)]
    if (isSaidToo(search.schema[key])) return [key, search.operators[key] === 'equals' ? [value, ...named(value)] : value]
    const signs = normalizePlate(value)
    return [key, signs === '' || isPlate(signs) ? signs || undefined : await keysOf(tx, PLATES, signs, signs)]
  })
  return { ...input, ...Object.fromEntries(await Promise.all(found)) }
}
async function keysOf(tx: Tx, sql: string, wanted: unknown, otherwise: string): Promise<unknown> {
  const rows = await run<Record<string, unknown>>(tx, { sql: `${sql} limit ${KEYS_MAX + 1}` }, [wanted])
  return rows.length > KEYS_MAX ? otherwise : [...new Set(rows.flatMap((row) => Object.values(row)))]
}

/** The column that holds the park in every list that has one. */
const PARK = 'parkCode'
const SCOPE_PARKS = '(scope)'

/** One row of the list by its key, or undefined when there is none, it is of another list, or the scope hides it. */
export async function find<Row>(tx: Tx, list: List<Row>, key: unknown): Promise<Row | undefined> {
  const statement = (list.find ??= fromOf(list, []).select(list.columns).where(list.key, '=', null).compile())
  return (await run<Row>(tx, statement!, [key]))[0]
}

interface Criterion {
  key: string
  column: string
  operator: 'equals' | 'among' | 'atLeast' | 'atMost' | 'contains' | 'says' | 'startsWith' | 'plate' | 'within' | 'has'
  /** SQL that returns the matching values of the column. */
  through?: string
}
/** A total alone, and the rows with it aside: of near pages it stands ahead of where they come from, of deep ones behind. */
interface Counted {
  total: Statement
  rows: Statement
}
/** The text alone: what it was built of is many times as large, and thousands of them are kept. */
type Statement = Pick<CompiledQuery, 'sql'>
const textOf = (built: { compile(): CompiledQuery }): Statement => ({ sql: built.compile().sql })
interface Statements {
  rows: Statement
  capped: Counted
  exact: Counted
  sums: Statement | undefined
  criteria: Criterion[]
  /** The criterion that names one park. */
  ofPark: Criterion | undefined
}
const shapes = new WeakMap<object, Map<string, Statements>>()
/** Of one list. Fields, directions and orders make more combinations than memory should hold: what comes after these is built each time. */
const SHAPES_MAX = 1_000

function statementsFor(list: List<any>, input: Paged<Record<string, unknown>>, deep: boolean, ofParks: boolean): Statements {
  const criteria = wantedOf(list, input, ofParks)
  const order = orderOf(input, list.search)
  const shape = `${criteria.map(({ key, operator }) => `${key} ${operator}`)} ${order.map(({ by, up }) => `${by} ${up}`)} ${deep}`
  let known = shapes.get(list)
  if (!known) shapes.set(list, (known = new Map()))
  const found = known.get(shape) ?? build(list, criteria, order, deep)
  if (known.size < SHAPES_MAX) known.set(shape, found)
  return found
}

/** The whole list in its order, each row as one line of JSON, for `streaming`. */
export function linesOf(
  list: List<any>,
  input: Paged<any>,
  columns: readonly string[],
  parks: readonly string[] | null,
): { sql: string; values: unknown[] } {
  const wanted: Record<string, unknown> = { ...input, [SCOPE_PARKS]: parks }
  const criteria = wantedOf(list, wanted, parks !== null && list.columns.includes(PARK))
  const line = sql<string>`json_build_array(${sql.join(columns.map((column) => sql.ref(column)))})::text`
  const query = sortedBy(orderOf(input, list.search), list.key, fromOf(list, criteria).select(line.as('line')))
  return { sql: (query.compile() as CompiledQuery).sql, values: criteria.map((criterion) => valueOf(criterion, wanted[criterion.key])) }
}

function wantedOf(list: List<any>, input: Record<string, unknown>, ofParks: boolean): Criterion[] {
  const criteria = criteriaOf(list.search)
    .filter(({ key }) => input[key] !== undefined)
    .map((criterion) => ofPlate(criterion, input[criterion.key]))
    .map((criterion) => elsewhere(list, criterion, input[criterion.key]))
    .map((criterion) => (isSeveral(criterion, input[criterion.key]) ? { ...criterion, operator: 'among' as const } : criterion))
    .map((criterion) => (isOne(criterion, input[criterion.key]) ? { ...criterion, operator: 'equals' as const } : criterion))
  // One park that is asked for by name is found by that; whether it may be seen is the policy's to say, once for each row.
  return ofParks && !criteria.some(isOnePark) ? [...criteria, { key: SCOPE_PARKS, column: PARK, operator: 'among' }] : criteria
}

/** Several plates have many rows, out of which the page's are to be found: their keys stand in the index. Several rows of another table too. */
const ofSeveral = ({ search, through = {} }: List<any>, input: object) =>
  Object.entries(input).some(([key, value]) => (search.operators[key] === 'plate' || through[key]) && Array.isArray(value) && value.length > 1)
function elsewhere({ through = {} }: List<any>, criterion: Criterion, value: unknown): Criterion {
  const way = through[criterion.key]
  if (!way) return criterion
  return { ...criterion, column: way.column, ...(Array.isArray(value) ? { operator: 'among' } : { through: way.sql }) }
}
/** By what `lookedUp` made of it. */
const ofPlate = (criterion: Criterion, value: unknown): Criterion =>
  criterion.operator !== 'plate'
    ? criterion
    : { ...criterion, operator: Array.isArray(value) ? 'among' : isPlate(value as string) ? 'equals' : 'has' }
const isOnePark = ({ column, operator }: Criterion) => column === PARK && operator === 'equals'

function fromOf({ table, only }: List<any>, criteria: readonly Criterion[]) {
  let from = (builder as any).selectFrom(table)
  if (only) from = from.where(sql.raw(only))
  for (const { column, operator, through } of criteria) {
    if (through)
      from = from.where(
        sql`${sql.ref(column)} in (${sql.join(
          through.split('$1').map((part) => sql.raw(part)),
          sql`${null}`,
        )})`,
      )
    else if (operator === 'among') from = from.where(sql`${sql.ref(column)} = any(${null})`)
    else if (operator === 'has') from = from.where(sql`strpos(${sql.ref(column)}, ${null}) > 0`)
    else if (operator === 'says') from = from.where(says(column))
    else from = from.where(column, SQL[operator as keyof typeof SQL], null)
  }
  return from
}

/** The words that were typed stand in what a person wrote or in what a sentence of the platform tells of, not in its name; or it is one of the sentences that have them. */
const says = (column: string) =>
  sql<boolean>`exists (select 1 from (select ${null}::text[] as asked) as a
    where regexp_replace(${sql.ref(column)}, '⟦[[:alpha:].-]+', '', 'g') ilike asked[1] or ${sql.ref(column)} like any(asked[2:]))`

/** The key comes last, in the direction of the first field: as the index of that field has it. */
const sortedBy = (order: readonly Order[], key: string, from: any, prefix = '') =>
  [...order, { by: key, up: order[0]!.up }].reduce((sorted, { by, up }) => sorted.orderBy(`${prefix}${by}`, up ? 'asc' : 'desc'), from)

function build(list: List<any>, criteria: Criterion[], order: readonly Order[], deep: boolean): Statements {
  const { table, columns, key, sums, sumOf = {} } = list
  const from = fromOf(list, criteria)
  const ordered = sortedBy(order, key, from)
    .limit(sql`${null}`)
    .offset(sql`${null}`)
  const rows = !deep
    ? ordered.select(columns)
    : sortedBy(
        order,
        key,
        (builder as any)
          .with(
            (cte: any) => cte('k').materialized(),
            () => ordered.select(asIndexed(list, criteria, order)),
          )
          .selectFrom('k')
          .innerJoin(`${table} as t`, `t.${key}`, `k.${key}`)
          .select(columns.map((c) => `t.${c}`)),
        'k.',
      )
  const some = from
    .select(sql`1`.as('one'))
    .limit(sql.lit(TOTAL_CAP + 1))
    .as('some')
  const n = sql`count(*)::int`.as('n')
  const summed = (field: string) => (sumOf[field] === undefined ? sql.ref(field) : sql.raw(sumOf[field]))
  const counted = (total: any): Counted => ({ total: textOf(total), rows: textOf(rows.select(sql`(${total})`.as(ASIDE))) })
  return {
    rows: textOf(rows),
    capped: counted((builder as any).selectFrom(some).select(n)),
    exact: counted(from.select(n)),
    sums: sums.length ? textOf(from.select(sums.map((field) => sql`coalesce(sum(${summed(field)}), 0)::bigint`.as(field)))) : undefined,
    criteria,
    ofPark: criteria.find(isOnePark),
  }
}
/**
 * The columns that an index walk reads: all columns of the index, in its order. PostgreSQL then passes on its entries as they are;
 * picking columns from ten thousand skipped entries takes a tenth of the walk. Materialized, since PostgreSQL would otherwise drop
 * the columns that nobody reads.
 */
function asIndexed({ columns, key }: List<any>, criteria: readonly Criterion[], order: readonly Order[]): string[] {
  const enterprise = columns.includes(PARK) ? ['enterpriseId'] : []
  const equal = criteria.filter(({ operator }) => operator === 'equals').map(({ column }) => column)
  return [...new Set([...enterprise, ...equal, ...order.map(({ by }) => by), key])]
}

// `^@` instead of LIKE 'x%': row-level security lets only leakproof functions reach an index, and LIKE is not one.
const SQL = { equals: '=', atLeast: '>=', atMost: '<=', contains: 'ilike', startsWith: '^@', within: '^@' } as const

const criteriaIn = new WeakMap<Search<any>, Criterion[]>()
function criteriaOf(search: Search<any>): Criterion[] {
  const known = criteriaIn.get(search) ?? criteriaFor(search)
  criteriaIn.set(search, known)
  return known
}
const criteriaFor = (search: Search<any>): Criterion[] =>
  Object.entries(search.operators).flatMap(([column, operator]): Criterion[] =>
    operator === 'between'
      ? [
          { key: `${column}From`, column, operator: 'atLeast' },
          { key: `${column}To`, column, operator: 'atMost' },
        ]
      : [{ key: column, column, operator: operator === 'contains' && isSaidToo(search.schema[column]) ? 'says' : operator }],
  )
const isSaidToo = (field: object | undefined) => field !== undefined && 'x-said' in field
/** One of a list of one is that one: an index then gives the rows in their order, which it cannot for several. */
const isOne = ({ operator }: Criterion, value: unknown) => operator === 'among' && Array.isArray(value) && value.length === 1
const having = (words: string) => `%${words.replace(/[\\%_]/g, '\\$&')}%`
/** The same words, as a person wrote them and as the platform does. */
const isSeveral = ({ operator }: Criterion, value: unknown) => operator === 'equals' && Array.isArray(value) && value.length > 1
function valueOf({ operator }: Pick<Criterion, 'operator'>, value: unknown): unknown {
  if (operator === 'equals' && Array.isArray(value)) return value[0]
  if (operator === 'contains') return having(value as string)
  if (operator === 'says') return [having(value as string), ...saying(value as string).map(having)]
  if (operator === 'within') return regionPrefix(value as string)
  // 23:59:59 means to the end of that second: what a person asks for is inclusive.
  if (operator === 'atMost' && typeof value === 'string' && value.endsWith(':59.000Z')) return value.replace('.000Z', '.999999Z')
  return value
}
