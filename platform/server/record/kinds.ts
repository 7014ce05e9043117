import type { Permission } from '../../contract/call.ts'
import type { Entity, Instant, NamedEntity, Of } from '../../contract/field.ts'
import type { Personal } from '../../contract/personal.ts'
import type { Hit } from '../../contract/records.ts'
import { anyTable, type Tx } from '../database.ts'
import { NoPermission, NotFound } from '../refusal.ts'
import type { Actor } from '../serve.ts'

/** Where an id among the values gets its name from: a table of the scope, by its key. */
export interface NamedBy {
  table: string
  key?: string
  name?: string
}
/** Rows that tie a record to others (a person to roles): shown in its history as what was added and removed. `column` holds the other's id. */
export interface Link {
  table: string
  column: string
  label: readonly [zh: string, en: string]
  names: NamedBy
}
export type Found = Pick<Of<typeof Hit>, 'key' | 'title' | 'detail' | 'path'>

/** A kind of record that people follow. Its name is its table's in the audit stream: `identity.person`. Only its entity's fields are ever told. */
export type Kind = KindFacts & ({ label?: Text; entity: NamedEntity<any> } | { label: Text; entity: Entity<any> })
type Text = readonly [zh: string, en: string]
interface KindFacts {
  table: string
  /** The permission to see such a record at all: that of its list. */
  needs: Permission
  /** The key column, `id` when left out. */
  key?: string
  /** All enterprises read the same rows. */
  common?: boolean
  names?: Readonly<Record<string, NamedBy>>
  links?: readonly Link[]
  /** Its deleted rows wait in the bin (`platform.binned` in a migration). `needs`: what deleting needs. `restored` refuses what the noun's own rules do not allow to come back. */
  bin?: {
    needs: Permission
    restored?: (tx: Tx, actor: Actor, key: string) => Promise<void>
    /** Of rows that are only marked and never left their table: takes the mark away. @throws NotFound */
    unmark?: (tx: Tx, actor: Actor, key: string, at: Instant) => Promise<void>
  }
  /** Answers to a few typed signs, best first, by an index and from their beginning. `most` at most. `hidden`: what whoever looks is not shown whole. */
  find?: (tx: Tx, words: string, most: number, hidden: readonly Personal[]) => Promise<Found[]>
}

const kinds = new Map<string, Kind>()
/** Registers the kinds of all domains; called once, at start. */
export function openRecords(all: readonly Kind[]): void {
  kinds.clear()
  for (const one of all) kinds.set(one.table, one)
}

export const allKinds = () => [...kinds.values()]

export const holds = (actor: Actor, needs: Permission) => !needs.includes(':') || actor.may.has(needs)
/** @throws NotFound, NoPermission */
export function kindFor(actor: Actor, name: string): Kind {
  const kind = kinds.get(name)
  if (!kind) throw NotFound()
  if (!holds(actor, kind.needs)) throw NoPermission()
  return kind
}

/** The current names of the given ids; an id whose row is gone or hidden has no name. */
export async function namesOf(tx: Tx, { table, key = 'id', name = 'name' }: NamedBy, ids: readonly string[]): Promise<[id: string, name: string][]> {
  if (ids.length === 0) return []
  const rows = await anyTable(tx)
    .selectFrom(table)
    .select([`${key} as id`, `${name} as name`])
    .where(key, 'in', ids)
    .execute()
  return rows.map((row) => [String(row.id), row.name])
}
