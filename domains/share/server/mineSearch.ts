import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { FeesKind, OfferState, UseState } from '../contract/sharing.ts'
import type { FreeBay, KeepingPark, mine } from '../contract/mine.ts'
import { endOf } from './booking.ts'
import { type Window, within } from '../contract/windows.ts'
import { priceOf } from './hours.ts'
import { ACTIVE } from './sharing.ts'

type Bay = Of<typeof FreeBay>
type Found = Omit<Bay, 'startAt' | 'endAt' | 'prepaidFen'> & { windows: Window[]; priceFen: number; capFen: number | null }
/** A telephone shows no more. */
const SHOWN_MAX = 100
/** Looked through for those that are open then. */
const LOOKED_MAX = 2000

/** Bays on offer that nobody has then, open in their windows, with what `bookBay` would ask for. */
export async function freeBays(tx: Tx, input: Of<typeof mine.search.input>, at: Instant): Promise<Bay[]> {
  const { kind, startAt, parkCode } = input
  const monthly = kind === FeesKind.monthly
  const endAt = endOf(input, at)
  const found = await run<Found>(tx, { sql: FREE }, [kind, startAt, endAt, parkCode ?? null])
  return found
    .filter(({ windows }) => monthly || within(windows, startAt, endAt))
    .slice(0, SHOWN_MAX)
    .map(({ windows: _, priceFen, capFen, ...bay }) => ({
      ...{ ...bay, startAt, endAt },
      prepaidFen: (monthly ? priceFen : priceOf(startAt, endAt, priceFen, capFen)) as Fen,
    }))
}
const FREE = `select o.id as offer_id, o.park_code, k.name as park_name, o.seat_no, o.windows, t.price_fen, t.cap_fen, t.grace_min, t.overtime_permille, t.cancel_free_min
  from share.offer o join share.park p on p.enterprise_id = o.enterprise_id and p.park_code = o.park_code and p.status = ${UseState.on} join parking.park k on k.enterprise_id = o.enterprise_id and k.park_code = o.park_code and not k.deleted
    cross join lateral (select f.* from share.fees f where f.enterprise_id = o.enterprise_id and f.park_code = o.park_code and f.status = ${UseState.on} and f.kind = $1 order by f.id = p.fees_id desc nulls last, f.created_at desc limit 1) t
  where o.enterprise_id = scope_enterprise() and o.status = ${OfferState.offered} and ($4::text is null or o.park_code = $4)
    and not exists (select from share.booking b where b.enterprise_id = o.enterprise_id and b.offer_id = o.id and b.${ACTIVE} and b.start_at < $3 and b.end_at > $2)
  order by k.name, o.seat_no limit ${LOOKED_MAX}`

export const keepingParks = (tx: Tx): Promise<Of<typeof KeepingPark>[]> => run(tx, { sql: KEEPING }, [])
const KEEPING = `select p.park_code, k.name as park_name, p.deposit_fen, p.hold_min, p.cancel_free_min, p.open_ahead_hours from share.place p
    join parking.park k on k.enterprise_id = p.enterprise_id and k.park_code = p.park_code and not k.deleted
  where p.enterprise_id = scope_enterprise() and p.status = ${UseState.on} and p.quota > 0 order by k.name limit 200`
