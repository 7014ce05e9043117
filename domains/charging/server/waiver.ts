import type { CodeOf, Instant } from '../../../platform/contract/field.ts'
import { MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { Stale } from '../../../platform/server/refusal.ts'
import type { Discount, DiscountWanted } from '../../parking/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import type { Owed, Settled } from '../../settlement/server/api.ts'
import { ReduceStatus, ReduceType } from '../contract/platformReduce.ts'
import { ChargeStatus } from '../contract/session.ts'
import { lockCharge, noteCharge } from './charge.ts'
import './tables.ts'
import { paired } from '../../../platform/contract/said.ts'

const BY = 'charging'
/** Free parking lasts until the charge was over, and long enough to leave. */
const LEAVING_MS = 30 * MINUTE_MS
/** A plate that is said later than this after the charge waives nothing any more. */
const BOUND_WITHIN = '24 hours'

interface Candidate {
  orderNo: string
  endTime: Instant
  reduceId: string
  name: string
  reduceType: CodeOf<typeof ReduceType>
  value: number
}
// Each finished charge of this car that overlaps the stay, with each rule that it fulfils. The plate was known with the charge, or said within a day of its end.
const CANDIDATES = `select c.order_no, c.end_time, r.id as reduce_id, r.name, r.reduce_type, r.value
  from parking.stay s join charging.charge c on c.enterprise_id = s.enterprise_id and c.plate_no = $2 and (c.plate_color is null or c.plate_color = $3)
      and c.status in (${ChargeStatus.billing}, ${ChargeStatus.done}) and c.end_time >= s.entry_time and c.start_time <= $4
    join charging.platform p on p.enterprise_id = c.enterprise_id and (p.id::text = c.platform_id or (c.platform_id is null and p.built_in))
    join charging.platform_reduce r on r.enterprise_id = p.enterprise_id and r.platform_id = p.id and r.reduce_type in (${ReduceType.parkMinutes}, ${ReduceType.parkAmount}, ${ReduceType.parkFree})
      and r.status = ${ReduceStatus.inUse} and r.start_at <= c.start_time and c.start_time < r.end_at and c.energy_wh >= coalesce(r.min_wh, 0)
      and c.end_time - c.start_time >= make_interval(mins => coalesce(r.min_minutes, 0)) and (cardinality(r.station_ids) = 0 or c.station_id = any(r.station_ids))
      and case when cardinality(r.park_codes) = 0 then c.park_code = s.park_code else s.park_code = any(r.park_codes) end
  where s.enterprise_id = scope_enterprise() and s.id = $1
    and not exists (select 1 from charging.charge_move m where m.enterprise_id = c.enterprise_id and m.order_no = c.order_no and m.event = 'plateBound' and m.at > c.end_time + interval '${BOUND_WITHIN}')
    and not exists (select 1 from charging.waiver w where w.enterprise_id = s.enterprise_id and ((w.order_no = c.order_no and w.stay_id <> s.id) or (w.stay_id = s.id and w.used_at is not null)))
  order by c.end_time, r.created_at, r.id limit 50`

/** What a car's charge takes off its parking, for the till: of all rules that it fulfils the one that takes most. */
export async function waiverFor(tx: Tx, { stayId, plateNo, plateColor, at, amountFen, amountIf }: DiscountWanted): Promise<Discount[] | undefined> {
  const found = await run<Candidate>(tx, { sql: CANDIDATES }, [stayId, plateNo, plateColor, at])
  let best: Discount | undefined
  for (const one of found) {
    const offered = Math.min(amountFen, await worth(one, { at, amountFen, amountIf }))
    if (offered > (best?.amountFen ?? 0))
      best = { by: BY, ref: `${one.orderNo}/${one.reduceId}`, amountFen: offered, zh: `充电减免 ${one.name}`, en: `Charging: ${one.name}` }
  }
  return best && [best]
}
async function worth(
  { reduceType, value, endTime }: Candidate,
  { at, amountFen, amountIf }: Pick<DiscountWanted, 'at' | 'amountFen' | 'amountIf'>,
): Promise<number> {
  if (reduceType === ReduceType.parkAmount) return value
  if (reduceType === ReduceType.parkMinutes) return amountFen - (await amountIf(value))
  // All that was asked up to the end of the charge and the time to leave; what is parked after that is paid.
  const longerMs = msOf(at) - (msOf(endTime) + LEAVING_MS)
  return longerMs <= 0 ? amountFen : amountIf(Math.ceil(longerMs / MINUTE_MS))
}

interface Held {
  orderId: string
  stayId: string
  discounts: readonly Discount[]
  used: boolean
  at: Instant
}
/** The stay's order holds the waiver from now on. @throws Stale when another order was first */
export async function holdWaiver(tx: Tx, { orderId, stayId, discounts, used, at }: Held): Promise<true | undefined> {
  const mine = discounts.find(({ by }) => by === BY)
  await run(tx, { sql: LET_GO }, [orderId])
  if (!mine) return undefined
  const [orderNo, reduceId] = mine.ref.split('/') as [string, string]
  const made = await run(tx, { sql: HOLD }, [orderNo, stayId, orderId, reduceId, paired([mine.zh, mine.en]), mine.amountFen])
  if (made.length === 0) throw Stale()
  if (used) await useWaiver(tx, orderId, at)
  return true
}
const LET_GO = 'delete from charging.waiver where enterprise_id = scope_enterprise() and order_id = $1 and used_at is null'
const HOLD = `insert into charging.waiver (order_no, stay_id, order_id, park_code, reduce_id, name, amount_fen)
  select $1, $2, $3, s.park_code, $4, $5, $6 from parking.stay s where s.enterprise_id = scope_enterprise() and s.id = $2::uuid on conflict do nothing returning id`

async function useWaiver(tx: Tx, orderId: string, at: Instant): Promise<void> {
  const rows = await run<{ orderNo: string; name: string; amountFen: number }>(tx, { sql: USE }, [orderId, at])
  for (const { orderNo, name, amountFen } of rows)
    await noteCharge(tx, await lockCharge(tx, orderNo), 'parkingWaived', at, `${name} ¥${(amountFen / 100).toFixed(2)}`)
}
const USE = `update charging.waiver set used_at = $2 where enterprise_id = scope_enterprise() and order_id = $1 and used_at is null returning order_no, name, amount_fen`

/** The stay is settled: what took something off is used up. Its order is cancelled or paid back: the charge may waive again. */
export async function waiverSettled(tx: Tx, { type, orderId, status, discountFen, at }: Settled): Promise<true | undefined> {
  if (type !== OrderType.temporaryParking || discountFen === 0) return undefined
  if (status === OrderStatus.cancelled || status === OrderStatus.refunded) await run(tx, { sql: AGAIN }, [orderId])
  else await useWaiver(tx, orderId, at)
  return true
}
const AGAIN = 'delete from charging.waiver where enterprise_id = scope_enterprise() and order_id = $1'
/** It left without paying: the debt is what was asked less the waiver, so that is used. */
export async function waiverOwed(tx: Tx, { type, orderId, at }: Owed): Promise<true | undefined> {
  if (type !== OrderType.temporaryParking) return undefined
  await useWaiver(tx, orderId, at)
  return true
}
