import type { Instant } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob } from '../../../platform/server/job/jobs.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { type Cost, costOfRunning, fenOf, priceAt, RATED_MOST, type Reading, type Running, runOn } from '../contract/price.ts'
import { HoldState } from '../contract/money.ts'
import { ChargeStatus, StopReason } from '../contract/session.ts'
import { laterBy, readingsOf } from './bill.ts'
import { type Charge, COLUMNS, lockCharge, NoGun, OPEN } from './charge.ts'
import { askStop } from './hear.ts'
import { LATE_AFTER_MS, lateDue } from './late.ts'
import { sharesKept } from './loadShare.ts'
import { chargeTopic, type MeterSaid, type Sample } from './said.ts'
import { keepSamples, onTime, unnested } from './samples.ts'

/** Measurements: kept once, and what the charge costs by now is worked out by the function that bills it. */
export const meterSaid = (tx: Tx, said: MeterSaid): Promise<void> => metersSaid(tx, [said])

/** Measurements of many guns in one transaction, by as many statements as those of one. */
export async function metersSaid(tx: Tx, all: readonly MeterSaid[]): Promise<void> {
  for (let left = all; left.length > 0;) {
    // One message of a gun at a time: the second builds on what the first changed.
    const now = [...new Map(left.toReversed().map((one) => [one.connectorId, one])).values()]
    await heardTogether(
      tx,
      now.sort((a, b) => (a.connectorId < b.connectorId ? -1 : 1)),
    )
    left = left.filter((one) => !now.includes(one))
  }
}

interface Site {
  connectorId: string
  equipmentId: string
  parkCode: string
  ratedW: number
  hasShare: boolean
}
/** One gun's message with what it is about. */
interface Heard extends Site {
  charge: Charge | undefined
  samples: Sample[]
  last: Sample
  receivedAt: Instant
}

async function heardTogether(tx: Tx, all: readonly MeterSaid[]): Promise<void> {
  const connectorIds = all.map(({ connectorId }) => connectorId)
  const [sites, charges] = await Promise.all([
    run<Site>(tx, SITES, [connectorIds]),
    run<Charge>(tx, CHARGES, [connectorIds, all.map(({ transactionId }) => transactionId)]),
  ])
  const siteOf = new Map(sites.map((one) => [one.connectorId, one]))
  const heard = all.flatMap((said) => {
    const site = siteOf.get(said.connectorId)
    if (!site) throw NoGun()
    return heardOf(said, site, charges) ?? []
  })
  if (heard.length === 0) return
  const [, , holds] = await Promise.all([
    keepSamples(
      tx,
      heard.flatMap(({ samples, charge, connectorId, parkCode, receivedAt }) =>
        samples.map((one) => ({ ...one, connectorId, parkCode, orderNo: charge?.orderNo ?? null, receivedAt })),
      ),
    ),
    run(
      tx,
      LATEST,
      unnested(
        heard.map(({ connectorId, parkCode, last }) => ({ ...last, connectorId, parkCode })),
        ['connectorId', 'parkCode', 'meterWh', 'at', 'powerW', 'soc'],
      ),
    ),
    run<{ orderNo: string; holdFen: number }>(tx, HOLDS, [
      heard.flatMap(({ charge }) => (charge?.status === ChargeStatus.charging ? [charge.orderNo] : [])),
    ]),
  ])
  for (const { charge, samples, receivedAt } of heard)
    if (charge && charge.finalAt !== null && samples.some(({ meterWh }) => meterWh != null))
      await addJob(tx, lateDue, { orderNo: charge.orderNo }, { runAt: laterBy(receivedAt, LATE_AFTER_MS), key: `charging.late:${charge.orderNo}` })
  await sharesKept(
    tx,
    heard.flatMap(({ hasShare, connectorId, last: { powerW, at } }) => (hasShare && powerW ? [{ connectorId, powerW, at }] : [])),
  )
  await follow(tx, heard.filter(isRunning), new Map(holds.map(({ orderNo, holdFen }) => [orderNo, holdFen])))
}
const SITES = {
  sql: `select g.connector_id, g.equipment_id, g.park_code, g.power * 1000 as rated_w, s.share_w is not null as has_share from charging.connector g
    left join charging.load_share s on s.enterprise_id = g.enterprise_id and s.connector_id = g.connector_id where g.enterprise_id = scope_enterprise() and g.connector_id = any($1)`,
}
// By its transaction, or by the gun that it has; held in one order, so that two that come together never wait for each other.
const CHARGES = {
  sql: `select ${COLUMNS} from charging.charge where enterprise_id = scope_enterprise() and id in (
      select x.id from unnest($1::text[], $2::text[]) as a (connector_id, transaction_id) join charging.connector g on g.enterprise_id = scope_enterprise() and g.connector_id = a.connector_id
        cross join lateral (select c.id from charging.charge c where c.enterprise_id = g.enterprise_id and c.equipment_id = g.equipment_id and c.transaction_id = a.transaction_id
          union all select c.id from charging.charge c where a.transaction_id is null and c.enterprise_id = g.enterprise_id and c.connector_id = g.connector_id and c.claimed and c.status in (${OPEN})) x)
    order by order_no for update`,
}
const HOLDS = {
  sql: `select order_no, hold_fen from charging.hold where enterprise_id = scope_enterprise() and order_no = any($1) and state in (${HoldState.waiting}, ${HoldState.held})`,
}
const LATEST = {
  sql: `insert into charging.connector_state as s (connector_id, park_code, meter_wh, meter_at, power_w, soc) select * from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::integer[], $6::smallint[])
    on conflict (enterprise_id, connector_id) do update set meter_wh = coalesce(excluded.meter_wh, s.meter_wh), meter_at = excluded.meter_at, power_w = coalesce(excluded.power_w, s.power_w), soc = coalesce(excluded.soc, s.soc)
    where s.meter_at is null or s.meter_at <= excluded.meter_at`,
}

/** What of a message is new; nothing, where all of it was told before. */
function heardOf({ connectorId, transactionId, samples, receivedAt }: MeterSaid, site: Site, charges: readonly Charge[]): Heard | undefined {
  const charge = charges.find((one) =>
    transactionId === null ? one.connectorId === connectorId : one.equipmentId === site.equipmentId && one.transactionId === transactionId,
  )
  const fresh = samples
    .map((one) => ({ ...one, at: onTime({ at: one.at, receivedAt }).at }))
    .filter(({ at }) => !charge?.saidAt || msOf(at) > msOf(charge.saidAt) || charge.endTime !== null)
    .sort((a, b) => msOf(a.at) - msOf(b.at))
  const last = fresh.at(-1)
  return last && { ...site, charge, samples: fresh, last, receivedAt }
}

type Followed = Heard & { charge: Charge }
const isRunning = (one: Heard): one is Followed => one.charge !== undefined && one.charge.endTime === null

/** What charges cost so far; one is stopped before it costs more than what is held. */
async function follow(tx: Tx, heard: readonly Followed[], holdFen: ReadonlyMap<string, number>): Promise<void> {
  if (heard.length === 0) return
  const followed = await Promise.all(
    heard.map(async (one) => {
      const running = await runningOf(tx, one)
      return { ...one, running, cost: costOfRunning(running, one.charge.prices.offers) }
    }),
  )
  await run(
    tx,
    FOLLOWED,
    unnested(followed.map(changeOf), ['orderNo', 'elecFen', 'serviceFen', 'discountFen', 'energyWh', 'saidAt', 'powerW', 'soc', 'running', 'at']),
  )
  for (const [park, its] of Map.groupBy(followed, ({ parkCode }) => parkCode))
    await tell(tx, chargeTopic, { park, ids: its.map(({ charge }) => charge.id) })
  for (const { charge, last, cost, ratedW, receivedAt } of followed) {
    const held = holdFen.get(charge.orderNo)
    if (charge.status !== ChargeStatus.charging || held === undefined) continue
    const costFen = cost.elecFen + cost.serviceFen + charge.occupyFen - cost.discountFen
    if (costFen + nextMinuteFen(charge, last.powerW ?? 0, ratedW, last.at) >= held)
      await askStop(tx, await lockCharge(tx, charge.orderNo), StopReason.outOfMoney, receivedAt)
  }
}
const FOLLOWED = {
  sql: `update charging.charge c set elec_fen = t.elec_fen, service_fen = t.service_fen, discount_fen = t.discount_fen, energy_wh = greatest(t.energy_wh, c.energy_wh), said_at = t.said_at,
      power_w = coalesce(t.power_w, c.power_w), soc = coalesce(t.soc, c.soc), soc_start = coalesce(c.soc_start, t.soc), running = t.running, version = c.version + 1, updated_at = t.at
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::integer[], $8::smallint[], $9::jsonb[], $10::timestamptz[])
      as t (order_no, elec_fen, service_fen, discount_fen, energy_wh, said_at, power_w, soc, running, at)
    where c.enterprise_id = scope_enterprise() and c.order_no = t.order_no`,
}
function changeOf({ charge: { orderNo }, last, cost, running, receivedAt }: Followed & { running: Running | null; cost: Cost }) {
  const { elecFen, serviceFen, discountFen, energyWh } = cost
  return {
    orderNo,
    elecFen,
    serviceFen,
    discountFen,
    energyWh,
    saidAt: last.at,
    powerW: last.powerW,
    soc: last.soc,
    running: running && JSON.stringify(running),
    at: receivedAt,
  }
}
/** How far the register has got with this message: from where it was, or, where nothing is kept of that, from the beginning. */
async function runningOf(tx: Tx, { charge, samples, ratedW }: Followed): Promise<Running | null> {
  const by = { ratedW, periods: charge.prices.periods }
  const known = charge.running && runOn(charge.running, readingsIn(samples), by)
  return known ?? runOn(null, await readingsOf(tx, charge), by) ?? null
}
function readingsIn(samples: readonly Sample[]): Reading[] {
  const moments = new Map<number, Reading>()
  for (const { at, meterWh } of samples) if (meterWh != null && !moments.has(msOf(at))) moments.set(msOf(at), { atMs: msOf(at), wh: meterWh })
  return [...moments.values()]
}
/** However much a meter says that flows, the gun gives no more than it can. */
function nextMinuteFen({ prices }: Charge, powerW: number, ratedW: number, at: Instant): number {
  const { elecPriceE4, servicePriceE4 } = priceAt(prices.periods, msOf(at))
  return fenOf(Math.ceil(Math.min(powerW, ratedW * RATED_MOST) / 60), elecPriceE4 + servicePriceE4)
}
