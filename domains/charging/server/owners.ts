import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { CardStatus } from '../contract/card.ts'
import { HoldKind } from '../contract/money.ts'
import { UserKind } from '../contract/strategy.ts'
import { Said } from '../contract/said.ts'

interface Merging {
  keepId: string
  goneId: string
  keepPhone: string
  gonePhone: string
  at: Instant
}
/**
 * Two owners become one: charges, what they owe, cards, prices of their own or of their telephone, and how often they had an activity are with whoever remains. Of two prices for the same time whoever
 * remains keeps theirs.
 */
export async function mergeOwners(tx: Tx, { keepId, goneId, keepPhone, gonePhone, at }: Merging): Promise<void> {
  for (const sql of MOVE_ALL) await run(tx, { sql }, [keepId, goneId, at])
  await run(tx, { sql: PRICES }, [keepPhone, gonePhone, at, UserKind.phone])
  await run(tx, { sql: PRICES }, [keepId, goneId, at, UserKind.owner])
  await run(tx, { sql: USED }, [keepId, goneId])
}
const USED = 'update charging.activity_use set user_key = $1 where enterprise_id = scope_enterprise() and user_key = $2'
const PRICES = `update charging.strategy_user g set user_key = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and user_kind = $4 and user_key = $2
    and not exists (select from charging.strategy_user k where k.enterprise_id = g.enterprise_id and k.user_kind = g.user_kind and k.user_key = $1 and k.strategy_id is not distinct from g.strategy_id
      and tstzrange(k.valid_from, k.valid_to) && tstzrange(g.valid_from, g.valid_to))`
const MOVE_ALL = [
  `update charging.hold set account_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and hold_kind = ${HoldKind.stored} and account_id = $2`,
  'update charging.charge set owner_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $2',
  'update charging.roaming set owner_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $2',
  'update charging.card set owner_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $2',
]

/** What is kept of an owner, to be handed out to them. */
export const rowsOfOwner = async (tx: Tx, ownerId: string): Promise<unknown[]> =>
  (await run<{ row: unknown }>(tx, { sql: ROWS }, [ownerId])).map(({ row }) => row)
const ROWS_MAX = 50_000
const ROWS = `(select jsonb_build_object('of', 'charging.charge', 'order_no', order_no, 'park_code', park_code, 'station_id', station_id, 'connector_id', connector_id, 'plate_no', plate_no, 'vin', vin, 'start_time', start_time,
      'end_time', end_time, 'energy_wh', energy_wh, 'elec_fen', elec_fen, 'service_fen', service_fen, 'occupy_fen', occupy_fen, 'discount_fen', discount_fen, 'status', status) as row
    from charging.charge where enterprise_id = scope_enterprise() and owner_id = $1 limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'charging.roaming', 'order_no', order_no, 'station_name', station_name, 'connector_id', connector_id, 'plate_no', plate_no, 'start_time', start_time, 'end_time', end_time,
      'energy_wh', energy_wh, 'elec_fen', elec_fen, 'service_fen', service_fen, 'captured_fen', captured_fen, 'status', status) as row
    from charging.roaming where enterprise_id = scope_enterprise() and owner_id = $1 limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'charging.card', 'card_no', card_no, 'holder_name', holder_name, 'plate_no', plate_no, 'status', status) from charging.card
    where enterprise_id = scope_enterprise() and owner_id = $1 limit ${ROWS_MAX})`

/** Of an owner who is erased no name stays, and their cards charge no more; what was charged and paid stays in the books. */
export async function forgetOwner(tx: Tx, { ownerId, at }: { ownerId: string; at: Instant }): Promise<void> {
  for (const sql of FORGET) await run(tx, { sql }, [ownerId, at])
}
const FORGET = [
  `update charging.roaming set payer = '${Said.erased}', version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and owner_id = $1`,
  `update charging.hold set payer = '${Said.erased}', version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and hold_kind = ${HoldKind.stored} and account_id = $1`,
  `update charging.card set status = ${CardStatus.disabled}, holder_name = null, plate_no = null, remark = null, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and owner_id = $1`,
]
