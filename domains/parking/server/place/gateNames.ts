import type { Named } from '../../../../platform/contract/sheet.ts'
import type { Tx } from '../../../../platform/server/database.ts'

/** The answer to `sheet.names`: gates that the reader sees, by their codes. Parks are named by system. */
export async function gateNames(tx: Tx, names: Named): Promise<Record<string, string> | undefined> {
  if (names !== 'gate') return undefined
  const gates = await tx.selectFrom('parking.gate').select(['gateCode', 'name']).execute()
  return Object.fromEntries(gates.map(({ gateCode, name }) => [gateCode, name]))
}
