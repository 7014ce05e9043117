import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type KeptOfOwner, ownerOf } from '../../owner/server/api.ts'
import { Said as OwnerSaid } from '../../owner/contract/said.ts'

/** The answer to `owner.kept`: records from an owner's phone number, without their handlers; none of them keeps an owner from being erased. */
export async function ofOwner(tx: Tx, { ownerId }: { ownerId: string }): Promise<KeptOfOwner> {
  const { phone } = await ownerOf(tx, ownerId)
  return { rows: (await run<{ row: unknown }>(tx, { sql: ALL_ROWS }, [phone])).map(({ row }) => row), why: undefined }
}
const ROWS_MAX = 50_000
const MINE = `o.contact = $1 where t.enterprise_id = scope_enterprise()`
const ALL_ROWS = `(select jsonb_build_object('of', 'after_sale.suggestion') || to_jsonb(t) - '{enterprise_id,handler_id,handler_name,created_name}'::text[] as row
    from after_sale.suggestion t where t.enterprise_id = scope_enterprise() and t.phone = $1 limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'after_sale.work_order') || to_jsonb(t) - '{enterprise_id,creator_id,creator_name,assignee_id,assignee_name,source_key,link_hash}'::text[]
    from after_sale.work_order t where t.enterprise_id = scope_enterprise() and t.contact = $1 limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'after_sale.evaluation') || to_jsonb(t) - 'enterprise_id'
    from after_sale.evaluation t join after_sale.work_order o on o.enterprise_id = t.enterprise_id and o.id = t.order_id and ${MINE} limit ${ROWS_MAX})`

/** The answer to `owner.erased`: handled orders stay, without name, number and picture, also where their words say them. */
export async function forgetOwner(tx: Tx, { ownerId, at }: { ownerId: string; at: Instant }): Promise<undefined> {
  const { phone } = await ownerOf(tx, ownerId)
  for (const sql of FORGET) await run(tx, { sql }, [phone, `000${ownerId.slice(-8)}`, at])
}
/** A name of one sign is part of other words: it is looked for nowhere. */
const NAME = `case when char_length(contact_name) > 1 then contact_name else '' end`
const GONE = `contact_name = '${OwnerSaid.erased}', images = null, content = replace(replace(content, $1, $2), ${NAME}, '${OwnerSaid.erased}'), version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise()`
const FORGET = [
  `update after_sale.suggestion set phone = $2, ${GONE} and phone = $1`,
  `update after_sale.work_order set contact = $2, title = case when title like '⟦%' then title else replace(replace(title, $1, $2), ${NAME}, '${OwnerSaid.erased}') end, ${GONE} and contact = $1`,
]
