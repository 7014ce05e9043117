import type { Of } from '../../contract/field.ts'
import type { Personal } from '../../contract/personal.ts'
import type { FieldChange, LinkChange, RecordChange } from '../../contract/records.ts'
import type { Change } from './audit.ts'
import { anyTable, run, type Tx } from '../database.ts'
import { type Kind, type Link, namesOf } from './kinds.ts'
import { coveredValue } from '../call/personal.ts'
import { NotFound } from '../refusal.ts'
import { camelOf } from '../../contract/names.ts'

/** A record's history is read this far back; what lies before it is in the operation log. */
const HISTORY_MAX = 200
/** Book-keeping of the row itself: nobody reads a story for it. */
const SILENT = new Set(['id', 'version', 'createdAt', 'updatedAt', 'enterpriseId'])

type Line = Omit<Change, 'authorName'> & { entity: string; authorName: string | null }
type Row = Record<string, unknown>
type Shape = { format?: string; 'x-personal'?: Personal }
type Told = Of<typeof RecordChange>

/**
 * Changes of one record of a kind, newest first. An existing record must be in the reader's scope; a deleted one is described by
 * its last state. @throws NotFound
 */
export async function historyOfRecord(tx: Tx, kind: Kind, key: string, hidden: readonly Personal[]) {
  const links = kind.links ?? []
  const [there, lines] = await Promise.all([
    anyTable(tx)
      .selectFrom(kind.table)
      .select(kind.key ?? 'id')
      .where(kind.key ?? 'id', '=', key)
      .executeTakeFirst(),
    run<Line>(
      tx,
      { sql: 'select id, at, author_name, via, request_id, entity, event, before, after, reason from platform.history($1, $2, $3, $4)' },
      [[kind.table, ...links.map(({ table }) => table)], key, kind.common ?? false, HISTORY_MAX + 1],
    ),
  ])
  const ofIt = lines.filter(({ entity }) => entity === kind.table)
  if (!there && ofIt[0]?.event !== 'delete') throw NotFound()
  const names = await namesIn(tx, kind, lines)
  const told = [...ofIt.map((line): Told => ({ ...about(line), fields: fieldsOf(line, kind, hidden), links: [] })), ...linksIn(links, lines, names)]
  const changes = joined(told).filter(({ event, fields, links: tied, reason }) => event !== 'update' || fields.length + tied.length > 0 || reason)
  return { changes, more: lines.length > HISTORY_MAX, names: Object.fromEntries(names) }
}

const about = ({ id, at, authorName, via, event, reason, requestId }: Line) => ({ id, at, authorName, via, event, reason, requestId })

/** Of a row only what its contract names, under the contract's names. */
function fieldsOf({ event, before, after }: Line, { entity }: Kind, hidden: readonly Personal[]): FieldChange[] {
  const [was, is] = [told(before), told(after)]
  return Object.entries(entity.properties as Record<string, Shape>)
    .filter(([name]) => !SILENT.has(name) && (name in was || name in is))
    .map(([name, shape]) => ({ name, before: valueOf(was[name], shape, hidden), after: valueOf(is[name], shape, hidden) }))
    .filter((one) => event === 'update' || (one.before ?? one.after) !== null)
}
const told = (row: Row | null): Row => Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [camelOf(name), value]))
/** The stream holds PostgreSQL's own writing of a moment; the wire has one. */
function valueOf(value: unknown, { format, 'x-personal': kind }: Shape, hidden: readonly Personal[]) {
  if (typeof value !== 'string') return value ?? null
  if (kind && hidden.includes(kind)) return coveredValue(kind, value)
  return format === 'date-time' ? new Date(value).toISOString() : value
}

/** Ties of one request together: a set that was taken away and given again changed only by the difference. */
function linksIn(links: readonly Link[], lines: readonly Line[], names: ReadonlyMap<string, string>): Told[] {
  return links.flatMap(({ table, column, label }) => {
    const acts = Map.groupBy(
      lines.filter(({ entity }) => entity === table),
      ({ requestId, via, at }) => `${requestId ?? ''} ${via} ${at}`,
    )
    return [...acts.values()].flatMap((act): Told[] => {
      const idsOf = (event: string) => act.filter((one) => one.event === event).map(({ before, after }) => String((after ?? before ?? {})[column]))
      const [gone, come] = [idsOf('delete'), idsOf('insert')]
      const named = (ids: string[], but: string[]) => ids.filter((one) => !but.includes(one)).map((one) => names.get(one) ?? one)
      const change: LinkChange = { label, added: named(come, gone), removed: named(gone, come) }
      if (change.added.length + change.removed.length === 0) return []
      return [{ ...about(act[0]!), event: 'update', fields: [], links: [change] }]
    })
  })
}

/** Joins the changes that one request made to the record and to its ties into one. */
function joined(changes: readonly Told[]): Told[] {
  const made: Told[] = []
  for (const change of changes) {
    const same = change.requestId ? made.find(({ requestId, at }) => requestId === change.requestId && at === change.at) : undefined
    if (same) same.links = [...same.links, ...change.links]
    else made.push({ ...change })
  }
  return made.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

/** Names for every id among the fields that name another record, and for every tie. */
async function namesIn(tx: Tx, { names = {}, links = [] }: Kind, lines: readonly Line[]): Promise<Map<string, string>> {
  const valuesAt = (name: string, of: readonly Line[]) => [
    ...new Set(of.flatMap(({ before, after }) => [told(before)[name], told(after)[name]]).filter((one): one is string => typeof one === 'string')),
  ]
  const found = await Promise.all([
    ...Object.entries(names).map(([name, by]) => namesOf(tx, by, valuesAt(name, lines))),
    ...links.map(({ table, column, names: by }) => {
      const name = camelOf(column)
      return namesOf(
        tx,
        by,
        valuesAt(
          name,
          lines.filter(({ entity }) => entity === table),
        ),
      )
    }),
  ])
  return new Map(found.flat())
}
