import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { QuoteOf } from '../../../fee/contract/quote.ts'
import { type HeldBill, HeldState, HeldWhy } from '../../contract/heldBill.ts'
import type { Held } from './holding.ts'
import type { ParkRow } from '../lane/lane.ts'
import { type Bill, dueOf } from './money.ts'
import { type AnyStay, minutesBetween } from '../stay/stayMoves.ts'

export interface Priced {
  bill: Bill
  /** Null where no rule was asked: the car was not seen coming in. */
  quote: QuoteOf | null
  /** The most that its rules can ask for that time. */
  mostFen: number
}
/** A park's limits for all its bills. */
export type Bounds = Pick<ParkRow, 'billMaxFen' | 'overstayDays'>

/**
 * Looks at a bill before anybody sees it. One that cannot be right carries why (`held`), unless a person has decided about this stay within a day: then it is as worked out,
 * or as they set it.
 */
export async function checked(tx: Tx, park: Bounds, stay: AnyStay, priced: Priced, at: Instant): Promise<Priced> {
  const held = heldBecause(park, stay, priced, at)
  if (!held) return priced
  const [last] = await run<Pick<Of<typeof HeldBill>, 'state' | 'setFen'>>(tx, DECIDED, [stay.id, instantAt(msOf(at) - DECIDED_MS)])
  if (last?.state === HeldState.released) return priced
  if (last) return { ...priced, bill: { receivableFen: last.setFen!, discountFen: 0 }, quote: null }
  return { ...priced, bill: { ...priced.bill, held } }
}
/** A car that stands on so long after a person has looked is looked at again. */
const DECIDED_MS = DAY_MS
const DECIDED = {
  sql: `select state, set_fen from parking.held_bill where enterprise_id = scope_enterprise() and stay_id = $1 and state not in (${HeldState.waiting}, ${HeldState.anew}) and decided_at > $2
    order by decided_at desc, id desc limit 1`,
}

function heldBecause(park: Bounds, stay: AnyStay, { bill, quote, mostFen }: Priced, at: Instant): Held | undefined {
  const { receivableFen: amountFen } = bill
  const parkedMin = stay.entryTime ? minutesBetween(stay.entryTime, at) : 0
  const held = (why: Held['why'], limitFen: number | null): Held => ({ why, amountFen, limitFen, parkedMin })
  const added = quote ? quote.lines.reduce((sum, line) => sum + line.amountFen, 0) : amountFen
  if (!Number.isSafeInteger(amountFen) || amountFen < 0 || added !== amountFen) return held(HeldWhy.wrong, null)
  if (amountFen > mostFen) return held(HeldWhy.aboveRule, mostFen)
  const dueFen = dueOf(stay, bill)
  if (dueFen > park.billMaxFen) return held(HeldWhy.aboveBound, park.billMaxFen)
  if (dueFen > 0 && parkedMin > park.overstayDays * DAY_MIN) return held(HeldWhy.tooLong, null)
  return undefined
}
const DAY_MIN = 1440
