import { run, type Tx } from '../../../platform/server/database.ts'

/** Merges one account into another: later refunds of its payments go out of and into the other. */
export async function creditInstead(tx: Tx, { from, to }: { from: string; to: string }): Promise<void> {
  for (const sql of [CREDITED, PAID]) await run(tx, { sql }, [from, to])
}
const CREDITED = 'update settlement.order set credited_to = $2, version = version + 1 where enterprise_id = scope_enterprise() and credited_to = $1'
const PAID = 'update settlement.leg set sub = $2 where enterprise_id = scope_enterprise() and sub = $1'
