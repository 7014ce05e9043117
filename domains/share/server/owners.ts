import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { post } from '../../ledger/server/api.ts'
import { NO_PARK } from '../../owner/contract/asset.ts'
import type { KeptOfOwner, Merging } from '../../owner/server/api.ts'
import { BookingState } from '../contract/booking.ts'
import { PayoutState } from '../contract/payout.ts'
import { OfferState } from '../contract/sharing.ts'
import { balanceOf, holdPayouts, refuseOpen } from './payout.ts'
import { Said as OwnerSaid } from '../../owner/contract/said.ts'

const StillShares = refusal(
  'share.owner-shares',
  41865,
  '车主还有共享车位、未完成的预约或未提现的分成，请先下架车位并完成提现',
  'The owner still has shared bays, open bookings or a share not paid out: withdraw the bays and pay out first',
)

/**
 * The answer to `owner.merged`: bays, their bookings, payouts and the part that was not paid out go to the owner who remains, and bookings by phone number with the bans of
 * that number. A payout under way waits for its end first, as a refund does.
 * Bays are taken before their bookings: one that is being booked is waited for, and its booking is moved with the others; whatever gives an owner their part holds the booking
 * meanwhile.
 */
export async function mergeOwners(tx: Tx, { keepId, goneId, keepPhone, gonePhone, dryRun, at }: Merging): Promise<undefined> {
  for (const id of [keepId, goneId].sort()) {
    await holdPayouts(tx, id)
    await refuseOpen(tx, id)
  }
  if (dryRun) return
  for (const sql of MOVE_ALL) await run(tx, { sql }, [keepId, goneId, at])
  for (const sql of MOVE_PHONES) await run(tx, { sql }, [keepPhone, gonePhone, at])
  const fen = await balanceOf(tx, goneId)
  await post(tx, {
    bizType: 'share.merged',
    bizNo: `HB-${goneId.slice(-12)}`,
    eventId: `share-merged:${goneId}`,
    at,
    parkCode: NO_PARK,
    business: 'share',
    lines: [
      { account: 'liability.share', sub: goneId, debitFen: fen },
      { account: 'liability.share', sub: keepId, creditFen: fen },
    ],
  })
}
const MOVE_ALL = [
  'update share.offer set owner_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $2',
  'update share.booking set owner_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $2',
  'update share.payout set owner_id = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $2',
]
const MOVE_PHONES = [
  'update share.offer set phone = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and phone = $2',
  'update share.booking set phone = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and phone = $2',
  'update share.ban set phone = $1, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and phone = $2',
]

/** The answer to `owner.kept`. Who parked in a bay is not its owner's to know. */
export async function ofOwner(tx: Tx, { ownerId }: { ownerId: string }): Promise<KeptOfOwner> {
  const rows = (await run<{ row: unknown }>(tx, { sql: ALL_ROWS }, [ownerId])).map(({ row }) => row)
  const busy = (await run(tx, { sql: BUSY }, [ownerId])).length > 0 || (await balanceOf(tx, ownerId)) !== 0
  return { rows, why: busy ? StillShares() : undefined }
}
const ROWS_MAX = 50_000
/** Bookings made with the owner's phone number. */
const MINE = 'enterprise_id = scope_enterprise() and phone = (select phone from owner.account where enterprise_id = scope_enterprise() and id = $1)'
const ALL_ROWS = `(select jsonb_build_object('of', 'share.offer') || to_jsonb(t) - 'enterprise_id' as row from share.offer t where enterprise_id = scope_enterprise() and owner_id = $1 limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'share.booking', 'booking_no', booking_no, 'park_code', park_code, 'seat_no', seat_no, 'start_at', start_at, 'end_at', end_at, 'state', state, 'split_fen', split_fen, 'split_at', split_at)
    from share.booking where enterprise_id = scope_enterprise() and owner_id = $1 limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'share.booking', 'booking_no', booking_no, 'kind', kind, 'park_code', park_code, 'seat_no', seat_no, 'plate_no', plate_no, 'phone', phone, 'start_at', start_at, 'end_at', end_at,
      'state', state, 'prepaid_fen', prepaid_fen, 'refund_fen', refund_fen, 'over_fen', over_fen, 'entered_at', entered_at, 'left_at', left_at) from share.booking where ${MINE} limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'share.ban') || to_jsonb(t) - 'enterprise_id' - 'lifted_name' from share.ban t where ${MINE} limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'share.payout') || to_jsonb(t) - 'enterprise_id' from share.payout t where enterprise_id = scope_enterprise() and owner_id = $1 limit ${ROWS_MAX})`
/** A bay that is not withdrawn, a booking of their own that is not over, a booking whose part is still to come, a payout under way. */
const BUSY = `select from share.offer where enterprise_id = scope_enterprise() and owner_id = $1 and status not in (${OfferState.withdrawn}, ${OfferState.rejected})
  union all select from share.booking where enterprise_id = scope_enterprise() and owner_id = $1 and split_fen > 0 and split_at is null
  union all select from share.booking where ${MINE} and state in (${BookingState.unpaid}, ${BookingState.booked}, ${BookingState.inUse}, ${BookingState.overrun})
  union all select from share.payout where enterprise_id = scope_enterprise() and owner_id = $1 and state in (${PayoutState.waiting}, ${PayoutState.granted}, ${PayoutState.paying}) limit 1`

/** The answer to `owner.erased`: payments stay in the books, without a name. */
export async function forgetOwner(tx: Tx, { ownerId, at }: { ownerId: string; at: Instant }): Promise<undefined> {
  for (const sql of FORGET) await run(tx, { sql }, [ownerId, at])
  for (const sql of FORGET_PHONE) await run(tx, { sql }, [ownerId, at, `000${ownerId.slice(-8)}`])
}
const FORGET = [
  `update share.offer set owner_name = '${OwnerSaid.erased}', phone = null, proof = null, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and owner_id = $1`,
  `update share.payout set owner_name = '${OwnerSaid.erased}', bank = '${OwnerSaid.erased}', version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and owner_id = $1`,
]
const FORGET_PHONE = [
  `update share.booking set phone = $3, version = version + 1, updated_at = $2 where ${MINE}`,
  `update share.ban set phone = $3, version = version + 1, updated_at = $2 where ${MINE}`,
]
