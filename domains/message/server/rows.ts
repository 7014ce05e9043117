import { anyTable, type Tx } from '../../../platform/server/database.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import './tables.ts'

/** Tables whose rows are marked when they are deleted: sent messages still name them. */
type Marked = 'message.record' | 'message.template' | 'message.channel'

/** A row that nobody has deleted, by its id; with `lock` nobody else changes it until the transaction is over. @throws NotFound */
export async function rowOf<Row>(
  tx: Tx,
  table: Marked,
  columns: readonly (keyof Row & string)[],
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<Row> {
  const one = anyTable(tx)
    .selectFrom(table)
    .select([...columns])
    .where('id', '=', id)
    .where('deleted', '=', false)
  const found = await (lock ? one.forUpdate() : one).executeTakeFirst()
  if (!found) throw NotFound()
  return found as Row
}
