import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { phased, type PhasedContext, serve } from '../../../platform/server/serve.ts'
import { keepUpload, recordUpload } from '../../system/server/api.ts'
import { type MyBay, type MyBays, myBays } from '../contract/mine.ts'
import { OfferState, UseState } from '../contract/sharing.ts'
import { apply, balanceOf } from './payout.ts'
import { ACTIVE, insertOffer, moveOffer } from './sharing.ts'

const TooMany = refusal('share.bays-too-many', 41870, '每位车主最多登记 {most} 个共享车位', 'An owner can share {most} bays at most', 422)
const NotYours = refusal(
  'share.bay-not-yours',
  41871,
  '车位待审核或已驳回，暂时不能变更；请待审核，或重新提交',
  'The bay is under review or was rejected and cannot be changed now: wait for the review, or submit it again',
)
const PausedBy = refusal(
  'share.bay-paused-by',
  41872,
  '运营方已暂停该车位：{reason}；如有疑问请联系停车场',
  'The operator has paused this bay: {reason}. Contact the car park if you have questions',
)
const ProofFull = refusal('share.bay-proof-full', 41873, '最多上传 {most} 张权属证明', 'A bay takes {most} pictures of proof at most', 422)
const PROOF_MOST = 3
const BAYS_MOST = 10
/** States that an owner may set on a bay; approval is the operator's. */
const TURNS: readonly number[] = [OfferState.offered, OfferState.paused, OfferState.withdrawn]
const LOOKED_AT: readonly number[] = [OfferState.waiting, OfferState.rejected]

type Whole = Of<typeof MyBays>
/** Bookings of a bay are its drivers', and its part lies in the ledger, where a driver's session sees neither: the house reads them, of this owner alone. */
export const calls = serve(myBays, {
  bays: phased(({ actor, house }) => house.reading(actor.enterprise, (tx) => allOf(tx, actor.userId))),
  offer: phased(({ input, at, ...context }) =>
    asOwner(context, myBays.offer.id, async (tx, ownerId) => {
      await run(tx, { sql: `select pg_advisory_xact_lock(hashtextextended('share.bays ' || $1, scope_enterprise()))` }, [ownerId])
      const has = await baysOf(tx, ownerId)
      if (has.filter(({ status }) => status !== OfferState.withdrawn && status !== OfferState.rejected).length >= BAYS_MOST)
        throw TooMany({ most: BAYS_MOST })
      const { id } = await insertOffer(tx, { ...input, ownerId }, at)
      return oneOf(tx, ownerId, id)
    }),
  ),
  turn: phased(({ input: { id, version, status }, at, ...context }) =>
    asOwner(context, myBays.turn.id, async (tx, ownerId) => {
      const held = await heldOf(tx, id, ownerId, HOLD)
      if (held.version !== version) throw Stale({ version: held.version, sent: version })
      if (LOOKED_AT.includes(held.status) || !TURNS.includes(status)) throw NotYours()
      if (status === OfferState.offered && held.reason !== null) throw PausedBy({ reason: held.reason })
      await moveOffer(tx, { id, state: status }, at)
      return oneOf(tx, ownerId, id)
    }),
  ),
  /** While it waits to be looked at. */
  proof: phased(async ({ input: { id, file }, actor, at, asSteps, house }) => {
    const ownerId = actor.userId
    refuseProof(await house.reading(actor.enterprise, (tx) => heldOf(tx, id, ownerId, LOOK)))
    const kept = await keepUpload(file, { only: 'picture' })
    return asOwner({ actor, asSteps, house }, myBays.proof.id, async (tx) => {
      const held = refuseProof(await heldOf(tx, id, ownerId, HOLD))
      await run(tx, { sql: PROVED }, [id, [...proofOf(held), await recordUpload(tx, kept, { author: null })].join(','), at])
      return oneOf(tx, ownerId, id)
    })
  }),
  payout: phased(({ input, actor, at, asSteps, house }) =>
    asOwner({ actor, asSteps, house }, myBays.payout.id, async (tx, ownerId) => {
      const { id } = await apply(tx, { ...input, ownerId }, { userId: ownerId, userName: actor.userName }, at)
      return (await payoutsOf(tx, ownerId)).find((one) => one.id === id)!
    }),
  ),
})
const asOwner = <T>(
  { actor: { enterprise, userId }, asSteps, house }: Pick<PhasedContext<unknown>, 'actor' | 'asSteps' | 'house'>,
  via: string,
  work: (tx: Tx, ownerId: string) => Promise<T>,
): Promise<T> => asSteps((ask) => house.writing(enterprise, via, ask))((tx) => work(tx, userId))
interface Held {
  version: number
  status: number
  reason: string | null
  proof: string | null
}
const LOOK = 'select version, status, reason, proof from share.offer where enterprise_id = scope_enterprise() and id = $1 and owner_id = $2'
const HOLD = `${LOOK} for update`
/** @throws NotFound for anybody else's */
async function heldOf(tx: Tx, id: string, ownerId: string, sql: typeof LOOK | typeof HOLD): Promise<Held> {
  const [held] = await run<Held>(tx, { sql }, [id, ownerId])
  if (!held) throw NotFound()
  return held
}
const proofOf = ({ proof }: Held): string[] => (proof ? proof.split(',') : [])
function refuseProof(of: Held): Held {
  if (of.status !== OfferState.waiting) throw IllegalMove({ status: of.status })
  if (proofOf(of).length >= PROOF_MOST) throw ProofFull({ most: PROOF_MOST })
  return of
}
const PROVED = 'update share.offer set proof = $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1'

async function allOf(tx: Tx, ownerId: string): Promise<Whole> {
  const [bays, parks, orders, payouts, balanceFen] = await Promise.all([
    baysOf(tx, ownerId),
    run<Whole['parks'][number]>(tx, { sql: PARKS }, []),
    run<Whole['orders'][number]>(tx, { sql: ORDERS }, [ownerId]),
    payoutsOf(tx, ownerId),
    balanceOf(tx, ownerId),
  ])
  return { bays, parks, orders, payouts, balanceFen: balanceFen as Whole['balanceFen'] }
}
const SHOWN_MAX = 50
const BAYS = `select o.id, o.version, o.park_code, o.seat_no, o.windows, o.split_permille, o.status, o.reason, coalesce(array_length(string_to_array(o.proof, ','), 1), 0) as pictures, coalesce(k.name, o.park_code) as park_name,
    (select count(*)::int from share.booking b where b.enterprise_id = o.enterprise_id and b.offer_id = o.id and b.${ACTIVE}) as booked
  from share.offer o left join parking.park k on k.enterprise_id = o.enterprise_id and k.park_code = o.park_code
  where o.enterprise_id = scope_enterprise() and o.owner_id = $1 order by o.status = ${OfferState.withdrawn}, o.created_at desc, o.id limit ${SHOWN_MAX}`
const baysOf = (tx: Tx, ownerId: string): Promise<Of<typeof MyBay>[]> => run(tx, { sql: BAYS }, [ownerId])
const oneOf = async (tx: Tx, ownerId: string, id: string) => (await baysOf(tx, ownerId)).find((one) => one.id === id)!
const PARKS = `select p.park_code, k.name as park_name, coalesce(f.split_permille, 0) as split_permille, f.price_fen from share.park p
    join parking.park k on k.enterprise_id = p.enterprise_id and k.park_code = p.park_code and not k.deleted
    left join share.fees f on f.enterprise_id = p.enterprise_id and f.id = p.fees_id
  where p.enterprise_id = scope_enterprise() and p.status = ${UseState.on} order by k.name limit 200`
const ORDERS = `select b.id, b.booking_no, b.kind, b.seat_no, b.start_at, b.end_at, b.state, b.split_fen, b.split_at, coalesce(k.name, b.park_code) as park_name
  from share.offer o join share.booking b on b.enterprise_id = o.enterprise_id and b.offer_id = o.id left join parking.park k on k.enterprise_id = b.enterprise_id and k.park_code = b.park_code
  where o.enterprise_id = scope_enterprise() and o.owner_id = $1 order by b.start_at desc, b.id limit ${SHOWN_MAX}`
const PAYOUTS = `select id, payout_no, amount_fen, state, verdict, failure, created_at, paid_at from share.payout where enterprise_id = scope_enterprise() and owner_id = $1 order by created_at desc, id limit ${SHOWN_MAX}`
const payoutsOf = (tx: Tx, ownerId: string): Promise<Whole['payouts']> => run(tx, { sql: PAYOUTS }, [ownerId])
