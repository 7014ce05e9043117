import type { Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { normalizePlate } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { QuoteOf } from '../../../fee/contract/quote.ts'
import { lineInWords } from '../../../fee/contract/words.ts'
import { OrderStatus } from '../../../settlement/contract/order.ts'
import { type DriverBill, DriverState } from '../../../settlement/contract/scan.ts'
import { type DriverAsks, orderOf, unaskedOf } from '../../../settlement/server/api.ts'
import { QrTarget } from '../../contract/qrcode.ts'
import { PayState, SessionStatus } from '../../contract/stay.ts'
import { askedAt } from '../bill/asked.ts'
import { holdLane } from '../lane/lane.ts'
import { inGrace } from '../lane/leaving.ts'
import { type Bill, billStay, isAsked } from '../bill/money.ts'
import { exitOf, lookAgain, tellDue } from '../lane/paid.ts'
import { parkOf } from '../place/park.ts'
import { alsoDueOf } from '../questions.ts'
import type { Priced } from '../bill/checking.ts'
import { type AnyStay, editStay, minutesBetween, readStay, type StayRecord, withStay } from '../stay/stayMoves.ts'

/** Returns the bill for a driver who scanned a code in a park and typed a plate, for `settlement.driverAsks`. The order asks the same amount. */
export async function driverBill(tx: Tx, { parkCode, plateNo, at, code }: DriverAsks): Promise<Of<typeof DriverBill> | undefined> {
  const [stay] = await run<StayRecord>(tx, INSIDE, [parkCode, normalizePlate(plateNo)])
  if (!stay) return undefined
  return withStay<Of<typeof DriverBill> | undefined>(tx, stay, async (now) => {
    const asked = await askedAt(tx, await parkOf(tx, parkCode), now, at)
    const billed = asked.free ? await letFree(tx, now, asked.bill!, at) : await askedOf(tx, now, asked.bill, at)
    if (!asked.free && billed.status === SessionStatus.leaving) await tellDue(tx, billed, at)
    const bill = await billOf(tx, billed, asked.priced, at, asked.free)
    // Something beside the fee is due and is told elsewhere: no page may say that nothing is due.
    if (MAY_GO.includes(bill.state) && (await alsoDueOf(tx, now.id, at)).length > 0) return undefined
    return code?.target === QrTarget.gate && (await exitOf(tx, now))?.gateCode === code.targetCode ? { ...bill, ...sinceWhen(billed, at) } : bill
  })
}
const MAY_GO: readonly number[] = [DriverState.free, DriverState.leave]
/** The time that a car has stood, for a driver who asks beside it. */
const sinceWhen = ({ entryTime, exitTime }: StayRecord, at: Instant) => ({ since: entryTime, parkedMin: minutesBetween(entryTime!, exitTime ?? at) })
const INSIDE = {
  sql: `select s.* from parking.present p join parking.stay s on s.id = p.stay_id
    where p.enterprise_id = scope_enterprise() and p.park_code = $1 and p.plate_no = $2 and s.seat_code is null and s.entry_time is not null
    order by s.entry_time desc limit 1`,
}
/** An order is opened for money only: a car that owes nothing yet has none. */
const askedOf = async (tx: Tx, stay: StayRecord, bill: Bill | undefined, at: Instant): Promise<StayRecord> =>
  bill && !inGrace({ stay, at }) && isAsked(stay, bill) ? editStay(tx, stay, await billStay(tx, stay, bill, at)) : stay
/** Ends the demand of a stay that has become free since it was asked: at an exit the car may go, and nothing is asked any more. */
async function letFree(tx: Tx, asked: StayRecord, bill: Bill, at: Instant): Promise<StayRecord> {
  const stay = asked.status === SessionStatus.leaving ? await seenAtExit(tx, asked) : asked
  return stay.payState === PayState.toPay ? editStay(tx, stay, await billStay(tx, stay, bill, at)) : stay
}
/** No order is held yet, so its lane can be, as an event holds it: a car that is read meanwhile does not find the barrier opened for this one. */
async function seenAtExit(tx: Tx, stay: StayRecord): Promise<StayRecord> {
  const lane = await exitOf(tx, stay)
  if (!lane) return stay
  await holdLane(tx, { parkCode: lane.parkCode, gateCode: lane.gateCode })
  await lookAgain(tx, stay)
  return readStay(tx, stay.id)
}

/** A stay in the words of its driver. `priced`: nothing where no rule covers it; `because`: why it is free whatever its rule says. */
export async function billOf(
  tx: Tx,
  stay: AnyStay,
  priced: Priced | undefined,
  at: Instant,
  because?: { zh: string; en: string },
): Promise<Of<typeof DriverBill>> {
  const order = stay.payState === PayState.toPay && stay.orderId ? await orderOf(tx, stay.orderId) : undefined
  const dueFen = ((order && order.payableFen - order.paidFen) ?? 0) as Fen
  const free = dueFen === 0 ? because : undefined
  const quote = free ? null : (priced?.quote ?? null)
  const { plateNo, paidFen, graceUntil } = stay
  const inTime = !free && inGrace({ stay, at })
  const checking = !free && stay.payState === PayState.checking
  const { unaskedFen, backFen } = await unaskedOf(tx, stay.id)
  const state = checking
    ? DriverState.checking
    : stateOf({ dueFen, paying: order?.status === OrderStatus.paying, inTime, priced: (free ?? priced) !== undefined })
  return {
    plateNo: plateNo!,
    state,
    orderNo: dueFen > 0 ? order!.orderNo : null,
    dueFen,
    paidFen,
    discountFen: (order?.discountFen ?? 0) as Fen,
    unaskedFen: unaskedFen as Fen,
    backFen: backFen as Fen,
    goodUntil: (dueFen > 0 && order!.goodUntil) || null,
    leaveBy: dueFen === 0 && inTime ? graceUntil : null,
    ruleName: quote?.ruleName || null,
    lines: free ? [{ zh: free.zh, en: free.en, amountFen: 0 as Fen }] : quote && !checking ? linesOf(quote) : [],
    since: null,
    parkedMin: null,
    helpPhone: state === DriverState.checking || state === DriverState.attendant ? await phoneOf(tx, stay.parkCode) : null,
  }
}
const phoneOf = async (tx: Tx, parkCode: string): Promise<string | null> =>
  (await tx.selectFrom('parking.park').select('phone').where('parkCode', '=', parkCode).executeTakeFirst())?.phone ?? null
function stateOf({ dueFen, paying, inTime, priced }: { dueFen: number; paying: boolean; inTime: boolean; priced: boolean }) {
  if (dueFen > 0) return paying ? DriverState.paying : DriverState.toPay
  if (inTime) return DriverState.leave
  return priced ? DriverState.free : DriverState.attendant
}

/** Lines that read the same are one: the board says a price once, not every day anew. */
export function linesOf({ lines }: QuoteOf): Of<typeof DriverBill>['lines'] {
  const merged: { line: QuoteOf['lines'][number]; amountFen: number }[] = []
  for (const line of lines) {
    const same = merged.find(
      ({ line: { kind, segmentNo, unitMin, unitE4, cappedBy } }) =>
        kind === line.kind && segmentNo === line.segmentNo && unitMin === line.unitMin && unitE4 === line.unitE4 && cappedBy === line.cappedBy,
    )
    if (!same) merged.push({ line, amountFen: line.amountFen })
    else {
      same.amountFen += line.amountFen
      same.line = { ...same.line, units: same.line.units + line.units }
    }
  }
  return merged.map(({ line, amountFen }) => {
    const [zh, en] = lineInWords(line)
    return { zh, en, amountFen: amountFen as Fen }
  })
}
