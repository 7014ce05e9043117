import type { CodeOf, Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { listOver } from '../../../platform/server/page.ts'
import { post } from '../../ledger/server/api.ts'
import { leaveUnpaid, openOrder } from '../../settlement/server/api.ts'
import { CardKind } from '../contract/card.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { Bill, BillKind, billSearch, HoldKind, PaidBy } from '../contract/money.ts'
import { type Cost, costOf, delivered, deliveredInAll, occupancyFen, ranked, type Reading } from '../contract/price.ts'
import { ChargeStatus, OfferKind } from '../contract/session.ts'
import { type Charge, moveCharge, noteCharge, setCharge } from './charge.ts'
import { capture, debitStored, holdOf, type HoldRow, lendLate, lentFor, releasePart, releaseRest, takeAgain, unitAccount } from './hold.ts'
import { ownerOf } from './questions.ts'
import { billed, offerTaken } from './said.ts'
import { leaveToPerson, looksDone } from './waits.ts'
import { Said } from '../contract/said.ts'
import { OrderType } from '../../settlement/contract/order.ts'

export type BillRow = Of<typeof Bill>
export const bills = listOver(Bill, 'charging.bill', billSearch, {
  sums: ['elecFen', 'serviceFen', 'occupyFen', 'adjustFen', 'discountFen', 'payableFen', 'capturedFen', 'shortfallFen'],
})
/** So little is not worth asking for. */
export const WAIVED_FEN = 100
/** A charge that nobody paid since its car was not asked at any lane. */
export const FROM_CHARGING = 8

/** What the register said during a charge, from its first reading to its last. */
export async function readingsOf(tx: Tx, { orderNo, connectorId, startTime, startWh, endTime, endWh }: Charge): Promise<Reading[]> {
  const rows = await run<{ at: Instant; wh: number }>(
    tx,
    {
      sql: `select at, meter_wh as wh from charging.measured where enterprise_id = scope_enterprise() and connector_id = $1 and order_no = $2 and meter_wh is not null
        and at > $3 and ($4::timestamptz is null or at < $4) order by at`,
    },
    [connectorId, orderNo, startTime, endTime],
  )
  const between = rows.map(({ at, wh }) => ({ atMs: msOf(at), wh: Number(wh) }))
  const first = startWh === null ? [] : [{ atMs: msOf(startTime), wh: Number(startWh) }]
  const last = endTime === null || endWh === null ? [] : [{ atMs: msOf(endTime), wh: Number(endWh) }]
  return [...first, ...between, ...last]
}
export async function costBy(tx: Tx, charge: Charge): Promise<Cost & { sane: boolean; baseWh: number | null }> {
  const read = charge.endTime === null ? delivered : deliveredInAll
  const { readings, ...trust } = read(await readingsOf(tx, charge), await ratedOf(tx, charge))
  return { ...costOf(readings, charge.prices), ...trust }
}
/** The last reading that makes, with all before it, a charge that can be. */
export async function lastBelieved(tx: Tx, charge: Charge): Promise<Reading | undefined> {
  const readings = await readingsOf(tx, charge)
  const ratedW = await ratedOf(tx, charge)
  return readings.findLast((_, place) => delivered(readings.slice(0, place + 1), ratedW).sane)
}
async function ratedOf(tx: Tx, { connectorId }: Charge): Promise<number> {
  const sql = 'select power from charging.connector where enterprise_id = scope_enterprise() and connector_id = $1'
  return (await run<{ power: number }>(tx, { sql }, [connectorId]))[0]!.power * 1000
}

/** The best discount that still has something to give; whoever keeps its budget takes it now. */
async function takeBest(tx: Tx, charge: Charge, cost: Cost, at: Instant): Promise<Pick<Cost, 'discountFen' | 'offer'>> {
  const ownerKey = charge.ownerId ?? charge.cardNo ?? charge.plateNo
  for (const { offer, fen } of ranked(cost, charge.prices.offers)) {
    const taken =
      offer.kind === OfferKind.user
        ? (await run(tx, USED, [offer.sourceId, fen, at])).length > 0
        : (await offerTaken.ask(tx, { offer, orderNo: charge.orderNo, ownerKey, fen, at })).some(({ answer }) => answer)
    if (taken || offer.kind === OfferKind.user) return { discountFen: fen, offer }
  }
  return { discountFen: 0, offer: null }
}
/** One that was taken out meanwhile still holds for charges that run. */
const USED = {
  sql: `update charging.strategy_user set used_count = used_count + 1, saved_fen = saved_fen + $2, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1 returning id`,
}

/**
 * The final bill, once: what the driver saw last. Its money is taken from the hold, the rest goes back but for what the bay may still cost. An end that is missing or cannot be
 * is looked at by a person instead.
 */
export async function finalise(tx: Tx, charge: Charge, at: Instant): Promise<Charge> {
  if (charge.status !== ChargeStatus.billing) return charge
  const cost = await costBy(tx, charge)
  if (charge.prices.strategyId === null && cost.energyWh > 0) return leaveToPerson(tx, charge, 'unpriced', at)
  if (!cost.sane) return leaveToPerson(tx, charge, cost.baseWh === null ? 'noBase' : 'tooMuch', at)
  if (charge.endWh === null) return leaveToPerson(tx, charge, 'noEnd', at)
  const { discountFen, offer } = await takeBest(tx, charge, cost, at)
  const { elecFen, serviceFen, energyWh } = cost
  const parts = { elecFen, serviceFen, occupyFen: 0, adjustFen: 0, discountFen }
  await writeBill(tx, charge, { kind: BillKind.charge, parts, energyWh, lines: cost.lines, discountName: offer?.name ?? null, at })
  const done = await moveCharge(tx, charge, 'finish', {
    event: 'billed',
    at,
    changes: { ...({ elecFen, serviceFen, discountFen } as Partial<Charge>), energyWh, finalAt: at, finalDueAt: null, failReason: null },
  })
  await looksDone(tx, charge, at)
  return afterCharge(tx, done, at)
}

/** The rest goes back, but for what the bay may still cost while the car stands there. */
async function afterCharge(tx: Tx, done: Charge, at: Instant): Promise<Charge> {
  const { prices, occupiedFrom, platformId } = done
  if (platformId || prices.occupyFenPerMin === 0 || occupiedFrom === null) return free(tx, done, at)
  const charge = done.occupiedTo === null ? await leftAlready(tx, done, occupiedFrom, at) : done
  if (charge.occupiedTo !== null) return billOccupancy(tx, charge, at)
  const hold = await holdOf(tx, charge.orderNo)
  if (!hold) return charge
  const kept = prices.occupyCapFen > 0 ? Math.min(hold.openFen, prices.occupyCapFen) : hold.openFen
  if (hold.openFen > kept) await releasePart(tx, hold, hold.openFen - kept, Said.rest, at)
  return charge
}
/** The gun was free, off line or faulty before the bill was made, another car charged there already, or the pile is away or was when the charge ended: how long the car stood there is not known. */
async function leftAlready(tx: Tx, charge: Charge, occupiedFrom: Instant, at: Instant): Promise<Charge> {
  const [gone] = await run<{ leftAt: Instant | null }>(tx, { sql: LEFT_AT }, [charge.connectorId, charge.equipmentId, occupiedFrom, charge.orderNo])
  if (!gone?.leftAt) return charge
  return setCharge(tx, charge, { occupiedTo: instantAt(Math.max(msOf(gone.leftAt), msOf(occupiedFrom))) }, at)
}
const LEFT_AT = `select least(
    (select status_at from charging.connector_state where enterprise_id = scope_enterprise() and connector_id = $1 and status not in (${ConnectorStatus.plugged}, ${ConnectorStatus.charging})),
    (select min(start_time) from charging.charge where enterprise_id = scope_enterprise() and connector_id = $1 and start_time >= $3 and order_no <> $4 and transaction_id is not null),
    (select case when connected_at > $3 then $3::timestamptz when not online then coalesce(last_seen_at, $3) end from charging.pile_state where enterprise_id = scope_enterprise() and equipment_id = $2)) as left_at`
async function free(tx: Tx, charge: Charge, at: Instant): Promise<Charge> {
  const hold = await holdOf(tx, charge.orderNo)
  if (hold) await releaseRest(tx, hold, Said.rest, at)
  return charge
}
/** The car has left, or the gun cannot say any more whether it stands there: what the bay cost is a bill of its own. */
export async function billOccupancy(tx: Tx, charge: Charge, at: Instant): Promise<Charge> {
  const { occupiedFrom, occupiedTo, prices } = charge
  if (charge.status !== ChargeStatus.done || charge.platformId || occupiedFrom === null || occupiedTo === null) return charge
  const occupyFen = occupancyFen(msOf(occupiedFrom), msOf(occupiedTo), prices)
  if (occupyFen > 0) {
    const parts = { elecFen: 0, serviceFen: 0, occupyFen, adjustFen: 0, discountFen: 0 }
    await writeBill(tx, charge, { kind: BillKind.occupancy, parts, energyWh: 0, lines: [], discountName: null, at })
    return free(tx, await setCharge(tx, charge, { occupyFen: occupyFen as Charge['occupyFen'] }, at), at)
  }
  return free(tx, charge, at)
}

interface Parts {
  elecFen: number
  serviceFen: number
  occupyFen: number
  adjustFen: number
  discountFen: number
}
interface NewBill {
  kind: CodeOf<typeof BillKind>
  parts: Parts
  energyWh: number
  lines: readonly unknown[]
  discountName: string | null
  reason?: string
  /** It is paid already, this way: what was to go back stays. */
  keeps?: CodeOf<typeof PaidBy>
  /** The money goes back the way that it came, also where a company was lent to. */
  returned?: boolean
  /** What it takes off what was let off, and off debts that are open: their orders are let off, and what is left of them is a debt anew. */
  less?: Less
  at: Instant
}
export interface Less {
  waivedFen: number
  arrearsFen: number
  endedFen: number
}
interface Spread {
  capturedFen: number
  waivedFen: number
  partnerFen: number
  arrearsFen: number
  paidBy: CodeOf<typeof PaidBy>
  hold: HoldRow | undefined
}

/** Writes a bill, takes its money and posts it: every fen of it is captured, a partner's, waived or owed. */
export async function writeBill(tx: Tx, charge: Charge, bill: NewBill): Promise<{ billNo: string }> {
  const { parts, energyWh, lines, discountName, reason = null, keeps, less, at } = bill
  const payableFen = parts.elecFen + parts.serviceFen + parts.occupyFen + parts.adjustFen - parts.discountFen
  const taken = keeps ? { ...NOTHING, capturedFen: payableFen, paidBy: keeps } : await spreadOf(tx, charge, payableFen, bill)
  const spread = less ? { ...taken, waivedFen: -less.waivedFen, arrearsFen: -less.arrearsFen } : taken
  const owedFen = less ? less.endedFen - less.arrearsFen : spread.arrearsFen
  const owed = owedFen > 0 ? await owe(tx, charge, owedFen, at) : null
  const [made] = await run<{ billNo: string }>(tx, { sql: INSERT }, [
    charge.orderNo,
    charge.parkCode,
    charge.stationId,
    bill.kind,
    at,
    energyWh,
    parts.elecFen,
    parts.serviceFen,
    parts.occupyFen,
    parts.adjustFen,
    parts.discountFen,
    payableFen,
    spread.capturedFen,
    payableFen - spread.capturedFen,
    spread.waivedFen,
    spread.partnerFen,
    spread.arrearsFen,
    owed,
    spread.paidBy,
    spread.hold?.payMethod ?? null,
    discountName,
    reason,
    JSON.stringify(lines),
  ])
  const { billNo } = made!
  await postBill(tx, charge, billNo, { ...parts, ...spread, owedFen, endedFen: less?.endedFen ?? 0 }, at)
  await announce(tx, billed, { orderNo: charge.orderNo, billNo, kind: bill.kind, parkCode: charge.parkCode, at })
  return { billNo }
}
const INSERT = `insert into charging.bill (bill_no, order_no, park_code, station_id, kind, final_at, energy_wh, elec_fen, service_fen, occupy_fen, adjust_fen, discount_fen, payable_fen, captured_fen, shortfall_fen,
    waived_fen, partner_fen, arrears_fen, settlement_id, paid_by, pay_method, discount_name, reason, lines)
  values (platform.business_no('ZD'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23) returning bill_no`

const NOTHING = { capturedFen: 0, waivedFen: 0, partnerFen: 0, arrearsFen: 0, hold: undefined }
/** Where the money of a bill comes from. */
async function spreadOf(tx: Tx, charge: Charge, payableFen: number, { kind, returned, at }: NewBill): Promise<Spread> {
  if (payableFen === 0) return { ...NOTHING, paidBy: PaidBy.nothing }
  if (charge.platformId) return { ...NOTHING, partnerFen: payableFen, paidBy: PaidBy.partner }
  const staff = await isStaff(tx, charge.cardNo)
  const lent = payableFen < 0 && !returned ? await lentFor(tx, charge.orderNo) : undefined
  if (lent) return { ...NOTHING, hold: lent, paidBy: PaidBy.credit }
  // What is found to be too little afterwards is never a debt.
  if (kind === BillKind.adjustment || staff) {
    const hold = staff || payableFen < 0 ? undefined : ((await lendLate(tx, charge, payableFen, at)) ?? (await debitLate(tx, charge, payableFen, at)))
    if (hold) return { ...NOTHING, capturedFen: payableFen, hold, paidBy: BY[hold.holdKind] }
    return { ...NOTHING, waivedFen: Math.max(0, payableFen), paidBy: PaidBy.waived }
  }
  const live = (await holdOf(tx, charge.orderNo)) ?? (kind === BillKind.charge ? await takeAgain(tx, charge, payableFen, at) : undefined)
  const { hold, fen: capturedFen } = live && live.openFen > 0 ? await capture(tx, live, payableFen, at) : { hold: live, fen: 0 }
  const left = payableFen - capturedFen
  const little = left <= WAIVED_FEN
  const paidBy = hold && capturedFen > 0 ? BY[hold.holdKind] : little ? PaidBy.waived : PaidBy.arrears
  return { capturedFen, waivedFen: little ? left : 0, partnerFen: 0, arrearsFen: little ? 0 : left, paidBy, hold }
}
const BY = { [HoldKind.prepaid]: PaidBy.prepaid, [HoldKind.stored]: PaidBy.stored, [HoldKind.credit]: PaidBy.credit } as const
/** Known so late, whoever charged is not asked for it any more. */
const LATE_MS = 72 * 60 * MINUTE_MS
/** Taken from the stored value that paid for the charge, or that the car's owner lets pay by itself. */
async function debitLate(tx: Tx, charge: Charge, amountFen: number, at: Instant): Promise<HoldRow | undefined> {
  const { orderNo, plateNo, vin, finalAt } = charge
  if (amountFen < WAIVED_FEN || finalAt === null || msOf(at) - msOf(finalAt) > LATE_MS) return undefined
  const [paid] = await run<{ accountId: string }>(tx, STORED, [orderNo])
  const [car] = paid || (plateNo === null && vin === null) ? [] : await ownerOf.ask(tx, { plateNo, vin })
  const ownerId = paid?.accountId ?? (car?.answer.autoPay ? car.answer.ownerId : undefined)
  return ownerId === undefined ? undefined : debitStored(tx, charge, { ownerId, amountFen, at })
}
const STORED = {
  sql: `select account_id from charging.hold where enterprise_id = scope_enterprise() and order_no = $1 and hold_kind = ${HoldKind.stored} and captured_fen > 0 order by hold_at limit 1`,
}
const isStaff = async (tx: Tx, cardNo: string | null): Promise<boolean> =>
  cardNo !== null &&
  (
    await run(tx, { sql: `select 1 from charging.card where enterprise_id = scope_enterprise() and card_no = $1 and kind = ${CardKind.staff}` }, [
      cardNo,
    ])
  ).length > 0

/** What no hold covers is a debt of whoever charged. */
async function owe(tx: Tx, charge: Charge, fen: number, at: Instant): Promise<string> {
  const { orderNo, plateNo, plateColor, parkCode } = charge
  const order = await openOrder(tx, {
    type: OrderType.charging,
    creditedTo: orderNo,
    subject: Said.debt({ orderNo }),
    plateNo,
    plateColor,
    parkCode,
    receivableFen: fen,
    at,
  })
  await leaveUnpaid(tx, order.id, { sourceType: FROM_CHARGING, at })
  return order.id
}

async function postBill(
  tx: Tx,
  charge: Charge,
  billNo: string,
  { capturedFen, waivedFen, partnerFen, arrearsFen, hold, owedFen, endedFen, ...parts }: Parts & Spread & { owedFen: number; endedFen: number },
  at: Instant,
): Promise<void> {
  const lent = hold?.holdKind === HoldKind.credit ? capturedFen : 0
  const back = parts.adjustFen < 0 ? -parts.adjustFen : 0
  // What a partner or a company has yet to pay becomes less; to others money goes back, but for what nobody paid.
  const paidBack = back + Math.min(0, waivedFen) + Math.min(0, arrearsFen)
  const owes = partnerFen < 0 ? partnerSub(charge) : hold?.holdKind === HoldKind.credit ? hold.accountId! : undefined
  await post(tx, {
    bizType: 'charge.billed',
    bizNo: billNo,
    about: charge.orderNo,
    eventId: `charge:${billNo}`,
    at,
    parkCode: charge.parkCode,
    business: 'charging',
    lines: [
      { account: 'liability.charge-prepaid', sub: charge.orderNo, debitFen: capturedFen - lent + owedFen },
      { account: 'asset.partner', sub: lent > 0 ? hold!.accountId! : partnerSub(charge), debitFen: lent + Math.max(0, partnerFen) },
      { account: 'contra.waiver', debitFen: Math.max(0, waivedFen), creditFen: endedFen + Math.max(0, -waivedFen) },
      { account: 'contra.discount', debitFen: parts.discountFen },
      { account: 'income.energy', debitFen: back },
      { account: 'income.energy', creditFen: parts.elecFen + Math.max(0, parts.adjustFen) },
      { account: 'income.charge-service', creditFen: parts.serviceFen },
      { account: 'income.occupancy', creditFen: parts.occupyFen },
      { account: owes ? 'asset.partner' : 'liability.charge-prepaid', sub: owes ?? charge.orderNo, creditFen: paidBack },
    ],
  })
}
const partnerSub = ({ platformId }: Charge) => (platformId ? `platform:${platformId}` : unitAccount('-'))

/**
 * The late truth about a charge that was billed: a signed bill of today. What was taken too much goes back; what was too little is a company's to pay that the charge was lent to, is debited where
 * stored value pays by itself, or let off.
 */
export async function adjust(
  tx: Tx,
  charge: Charge,
  adjustFen: number,
  reason: string,
  at: Instant,
  { byName, keeps, returned, less }: { byName?: string } & Pick<NewBill, 'keeps' | 'returned' | 'less'> = {},
): Promise<{ billNo: string }> {
  const parts = { elecFen: 0, serviceFen: 0, occupyFen: 0, adjustFen, discountFen: 0 }
  const made = await writeBill(tx, charge, {
    ...{ kind: BillKind.adjustment, parts, energyWh: 0, lines: [], discountName: null, reason, at },
    ...(keeps && { keeps }),
    ...(returned && { returned }),
    ...(less && { less }),
  })
  await noteCharge(tx, charge, 'adjusted', at, `${reason} ${(adjustFen / 100).toFixed(2)}`, byName)
  return made
}
/** Why there is a bill of what a pile told late. The view `charging.recharge_refund` knows its refunds by this text. */
export const LATE = Said.late
/** How far what is known by now is from what was billed by the pile's word; what people gave back beside that stays given, and what they billed beside it is not billed again. Nothing, where it cannot be. */
export async function lateDifference(tx: Tx, charge: Charge): Promise<number> {
  const { sane, elecFen, serviceFen } = await costBy(tx, charge)
  if (!sane) return 0
  const [was] = (await run<{ wordFen: number; handFen: number }>(tx, { sql: BILLED }, [charge.orderNo, LATE])) as [
    { wordFen: number; handFen: number },
  ]
  const differs = elecFen + serviceFen - Math.min(charge.discountFen, elecFen + serviceFen) - was.wordFen
  return differs > 0 ? Math.max(0, differs - Math.max(0, was.handFen)) : differs
}
const BILLED = `select coalesce(sum(elec_fen + service_fen + adjust_fen - discount_fen) filter (where kind = ${BillKind.charge} or reason = $2), 0)::bigint as word_fen,
    coalesce(sum(adjust_fen) filter (where kind = ${BillKind.adjustment} and reason <> $2), 0)::bigint as hand_fen
  from charging.bill where enterprise_id = scope_enterprise() and order_no = $1`
export const laterBy = (at: Instant, ms: number): Instant => instantAt(msOf(at) + ms)
