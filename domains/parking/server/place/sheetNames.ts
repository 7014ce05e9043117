import type { Named } from '../../../../platform/contract/sheet.ts'
import type { Tx } from '../../../../platform/server/database.ts'

/** Returns the names of parks and gates that the reader sees, by their codes, for the sheets of every domain. */
export async function sheetNames(tx: Tx, names: Named): Promise<Record<string, string>> {
  const things =
    names === 'park'
      ? await tx.selectFrom('parking.park').select(['parkCode as code', 'name']).execute()
      : await tx.selectFrom('parking.gate').select(['gateCode as code', 'name']).execute()
  return Object.fromEntries(things.map(({ code, name }) => [code, name]))
}
