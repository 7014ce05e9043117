import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { lockRow, setRow } from '../../../../platform/server/row.ts'
import type { Merging } from '../../../owner/server/api.ts'
import { CustomerStatus } from '../../contract/customer.ts'
import { customers, holdPhone } from '../customer.ts'
import { Said } from '../../contract/said.ts'

/**
 * The answer to `owner.merged`: a customer is found by its phone number. The passes, cars and orders of the merged one go to the one that remains; its record stays, without
 * them and without a number.
 */
export async function mergeCustomers(tx: Tx, { keepPhone, gonePhone, dryRun, at }: Merging): Promise<undefined> {
  if (dryRun) return
  for (const phone of [keepPhone, gonePhone].sort()) await holdPhone(tx, phone)
  await run(tx, { sql: LISTED }, [keepPhone, gonePhone, at])
  const found = await run<{ id: string; phone: string; name: string }>(tx, { sql: OF_PHONES }, [[keepPhone, gonePhone]])
  const [keep, gone] = [keepPhone, gonePhone].map((of) => found.find(({ phone }) => phone === of))
  if (!gone) return
  if (keep) await join(tx, keep.id, gone.id, at)
  const changes = keep ? { phone: null, status: CustomerStatus.stopped, remark: Said.joined({ name: keep.name }) } : { phone: keepPhone }
  await setRow(tx, customers, await lockRow(tx, customers, { id: gone.id }), changes, at)
}
const LISTED = 'update member.list set phone = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and phone = $2'
const OF_PHONES =
  'select id, phone, name from member.customer where enterprise_id = scope_enterprise() and phone = any($1) order by id for no key update'

/** A car that both have is one car. */
async function join(tx: Tx, keepId: string, goneId: string, at: Instant): Promise<void> {
  for (const sql of [SAME_CARS, ...MOVE_ALL]) await run(tx, { sql }, [keepId, goneId, at])
  await run(tx, { sql: 'update member.period set member_id = $1 where enterprise_id = scope_enterprise() and member_id = $2' }, [keepId, goneId])
}
const SAME_CARS = `update member.car g set closed_at = $3, version = g.version + 1, updated_at = $3 where g.enterprise_id = scope_enterprise() and g.member_id = $2 and g.closed_at is null
  and exists (select from member.car k where k.enterprise_id = g.enterprise_id and k.member_id = $1 and k.plate_no = g.plate_no and k.closed_at is null)`
const MOVE_ALL = [
  'update member.car set member_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and member_id = $2',
  'update member.pass set member_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and member_id = $2',
]
