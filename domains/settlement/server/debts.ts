import type { Instant } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'

/**
 * What a vehicle owes from before `before`, the oldest `atMost` orders at most. A colour that nobody knew agrees with any; green arrears never attach to a
 * blue plate of the same characters.
 */
export async function debtsOf(
  tx: Tx,
  { plateNo, plateColor, before, atMost }: { plateNo: string; plateColor: PlateColorCode | null; before: Instant; atMost: number },
): Promise<{ count: number; amountFen: number }> {
  const [owed] = await run<{ count: number; amountFen: number }>(tx, { sql: OWED }, [plateNo, plateColor, before, atMost])
  return owed!
}
const OWED = `select count(*)::int as count, coalesce(sum(arrears_fen), 0)::bigint as amount_fen from (
    select arrears_fen from settlement.order where enterprise_id = scope_enterprise() and plate_no = $1 and created_at < $3 and arrears_fen > 0
      and ($2::smallint is null or plate_color is null or plate_color = $2) order by created_at limit $4) owed`
