import { type CompiledQuery, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Entity, Instant, Schema, Values } from '../contract/field.ts'
import { builder, run, type Tables, type Tx } from './database.ts'
import type { List } from './page.ts'
import { NotFound, Stale } from './refusal.ts'
import { bothOf, SAID_OPENS } from '../contract/said.ts'

type Versioned = { version: number }
type Table = keyof Tables & string

/**
 * A noun's rows as writing calls hold them, where its list is a view, leaves rows out or shows less than is written: the table itself, with these of its columns.
 * Nobody pages it. `kept`: nobody ever deletes such a row, so whoever holds one does not wait for those who add what refers to it.
 */
export const rowsOver = <
  P extends { version: Schema<number> } & Record<string, Schema<any>>,
  T extends Table,
  K extends keyof Selectable<Tables[T]> & string = never,
>(
  _of: Entity<P>,
  table: T,
  columns: readonly K[] = [],
  { key = 'id', only, kept }: { key?: string; only?: string; kept?: true } = {},
): List<Values<Pick<P, keyof P & 'id'>> & { version: number } & Pick<Selectable<Tables[T]>, K>, T> => ({
  ...{ table, key, search: UNSEARCHED, sums: [], ...(only && { only }), ...(kept && { kept }) },
  // Names of columns, of which the compiler knows only that they are those asked for.
  columns: [...new Set<string>([key, 'version', 'updatedAt', ...columns])] as never,
})
const UNSEARCHED = { operators: {}, sort: ['id'], first: 'id', ascending: true, schema: {} }

/**
 * The row of a list by its key, held until the call is over: nobody else changes it meanwhile. `version` is the one that the caller saw; left out, any will do.
 * @throws NotFound when the list has no such row, or the scope hides it
 * @throws Stale when somebody changed it since, with both versions: `{ version, sent }`
 */
export async function lockRow<Row extends Versioned>(
  tx: Tx,
  list: List<Row, any>,
  { id, version }: { id: unknown; version?: number | undefined },
): Promise<Row> {
  const [row] = await run<Row>(tx, lockOf(list), [id])
  if (!row) throw NotFound()
  if (version !== undefined && row.version !== version) throw Stale({ version: row.version, sent: version })
  return row
}
const locks = new WeakMap<object, CompiledQuery>()
function lockOf(list: List<any, any>): CompiledQuery {
  const known = locks.get(list)
  if (known) return known
  const from = (builder as any).selectFrom(list.table).select(list.columns).where(list.key, '=', null)
  const found = list.only ? from.where(sql.raw(list.only)) : from
  const made: CompiledQuery = (list.kept ? found.forNoKeyUpdate() : found.forUpdate()).compile()
  locks.set(list, made)
  return made
}

/** A new row, with the entity's fields as the database filled them in. */
export const addRow = <Row, T extends Table>(tx: Tx, list: List<Row, T>, values: Insertable<Tables[T]>): Promise<Row> =>
  (tx as any).insertInto(list.table).values(values).returning(list.columns).executeTakeFirstOrThrow()

/**
 * Sets columns of a row that `lockRow` gave, with the next version and the call's clock; answers with the entity's fields as they are now. What is `undefined` stays.
 * @throws Stale when the row is not that version any more
 */
export async function setRow<Row extends Versioned, T extends Table>(
  tx: Tx,
  list: List<Row, T>,
  row: Row,
  changes: Partial<Row> & Updateable<Tables[T]>,
  at: Instant,
): Promise<Row> {
  const set = {
    ...asKept(row, changes as object),
    version: row.version + 1,
    ...((list.columns as readonly string[]).includes('updatedAt') && { updatedAt: at }),
  }
  const updated = await (tx as any)
    .updateTable(list.table)
    .set(set)
    .where(list.key, '=', keyOf(list, row))
    .where('version', '=', row.version)
    .returning(list.columns)
    .executeTakeFirst()
  if (!updated) throw Stale({ sent: row.version })
  return updated
}

/** A form sends all of a record back, also a sentence of the platform as its reader read it: that is no change. */
function asKept(row: object, changes: object): object {
  const was = row as Record<string, unknown>
  const isAsRead = (name: string, is: unknown) => {
    const kept = was[name]
    return typeof kept === 'string' && typeof is === 'string' && kept.includes(SAID_OPENS) && Object.values(bothOf(kept)).includes(is)
  }
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => !isAsRead(name, value)))
}

/**
 * The one rule of deletion. Rows that others go on naming (a stay names its gate) are marked: their list says `marked`, and no list shows them any more. Every other row leaves its table; where the table is `platform.binned`, it waits in the recycle bin and can be brought back from there.
 * @throws Stale when the row is not that version any more
 */
export async function removeRow<Row extends Versioned>(tx: Tx, list: List<Row, any>, row: Row, at: Instant): Promise<void> {
  // A list says that it is marked, not in its type that its table has the column.
  if (list.marked) return void (await setRow(tx, list, row, { deleted: true } as never, at))
  const { numDeletedRows } = await (tx as any)
    .deleteFrom(list.table)
    .where(list.key, '=', keyOf(list, row))
    .where('version', '=', row.version)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw Stale({ sent: row.version })
}
/** Takes the mark away from a row that `removeRow` marked: the way back out of the bin. @throws NotFound */
export async function unmarkRow(tx: Tx, table: Table, id: string, at: Instant): Promise<void> {
  const { numUpdatedRows } = await (tx as any)
    .updateTable(table)
    .set((row: { (column: string, sign: '+', by: number): unknown }) => ({ deleted: false, version: row('version', '+', 1), updatedAt: at }))
    .where('id', '=', id)
    .where('deleted', '=', true)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw NotFound()
}
const keyOf = (list: List<any, any>, row: object) => (row as Record<string, unknown>)[list.key]

/** A value on its way into a column of jsonb. The driver would make an array of PostgreSQL of a list. */
export const json = <T>(value: T): T => (value === null ? value : (JSON.stringify(value) as T))

/** Of a row, what the entity shows of it: a reply carries no field that its contract does not name. */
export function onlyFields<E extends Entity<any>>(entity: E): (row: object) => E['~unsafe'] {
  const fields = Object.keys(entity.properties)
  return (row) => Object.fromEntries(fields.map((field) => [field, (row as Record<string, unknown>)[field]]))
}
