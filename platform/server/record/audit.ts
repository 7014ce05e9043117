import { sql } from 'kysely'
import type { Instant } from '../../contract/field.ts'
import { run, type Tx } from '../database.ts'

/** Why the rest of this transaction changes what it changes; the audit stream keeps it with every row. */
export const because = async (tx: Tx, reason: string): Promise<void> => {
  await sql`select set_config('scope.reason', ${reason}, true)`.execute(tx)
}

export interface Change {
  id: string
  at: Instant
  authorId: string | null
  authorName: string
  via: string
  requestId: string | null
  event: 'insert' | 'update' | 'delete'
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
}
/** A record's history is read this far back; what lies before it is in the operation log. */
const HISTORY_MAX = 200

/**
 * Changes of one row, newest first. `entity` is the table: `parking.stay`. They are ordered as they took effect: `at` is when a
 * transaction began, and one that waited for the row began before the one that it waited for.
 */
export const historyOf = (tx: Tx, entity: string, rowId: string): Promise<Change[]> =>
  run<Change>(
    tx,
    {
      sql: `select id, at, author_id, author_name, via, request_id, event, before, after, reason from platform.change
        where enterprise_id = scope_enterprise() and entity = $1 and row_id = $2 order by id desc limit ${HISTORY_MAX}`,
    },
    [entity, rowId],
  )
