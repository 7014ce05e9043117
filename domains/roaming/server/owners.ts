import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { Said } from '../../charging/contract/said.ts'

/** Two owners become one: what they charged at partners' stations is with whoever remains. */
export const mergeOwners = (tx: Tx, { keepId, goneId, at }: { keepId: string; goneId: string; at: Instant }) =>
  run(tx, { sql: MOVE }, [keepId, goneId, at])
const MOVE =
  'update roaming.roaming set owner_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $2'

/** What is kept of an owner, to be handed out to them. */
export const rowsOfOwner = async (tx: Tx, ownerId: string): Promise<unknown[]> =>
  (await run<{ row: unknown }>(tx, { sql: ROWS }, [ownerId])).map(({ row }) => row)
const ROWS_MAX = 50_000
const ROWS = `select jsonb_build_object('of', 'roaming.roaming', 'order_no', order_no, 'station_name', station_name, 'connector_id', connector_id, 'plate_no', plate_no, 'start_time', start_time, 'end_time', end_time,
      'energy_wh', energy_wh, 'elec_fen', elec_fen, 'service_fen', service_fen, 'captured_fen', captured_fen, 'status', status) as row
    from roaming.roaming where enterprise_id = scope_enterprise() and owner_id = $1 limit ${ROWS_MAX}`

/** Of an owner who is erased no name stays; what was charged and paid stays in the books. */
export const forgetOwner = (tx: Tx, { ownerId, at }: { ownerId: string; at: Instant }) => run(tx, { sql: FORGET }, [ownerId, at])
const FORGET = `update roaming.roaming set payer = '${Said.erased}', version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and owner_id = $1`
