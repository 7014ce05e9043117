import { anyTable, run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'

/** Tables whose rows people arrange in a tree. */
export type Tree = 'identity.department' | 'identity.enterprise' | 'identity.resource'
type Key = string | number

/**
 * Nothing hangs below itself, nor deeper than `most`; a new entry has no `id` yet. The tree is held until the change is written: two who move at once
 * could close a circle that neither sees.
 */
export async function refuseCircle(
  tx: Tx,
  tree: Tree,
  { id, parentId }: { id?: Key; parentId: Key },
  most: number,
  intoItself: () => Error,
): Promise<void> {
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [`below ${tree}`])
  let up: Key | null = parentId
  for (let steps = 0; up !== null; steps++) {
    if (up === id || steps >= most) throw intoItself()
    const above: { parentId: Key | null } | undefined = await anyTable(tx).selectFrom(tree).select('parentId').where('id', '=', up).executeTakeFirst()
    if (!above) throw NotFound()
    up = above.parentId
  }
}
