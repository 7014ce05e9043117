import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { Direction } from '../../contract/gate.ts'
import { HeldBill, heldBill, heldBillSearch, HeldState, HeldVerdict } from '../../contract/heldBill.ts'
import { PayState, SessionAbnormal, SessionStatus, StayPlace } from '../../contract/stay.ts'
import { decideAgain } from '../lane/again.ts'
import { currentOf } from '../stay/correction.ts'
import { holdLane, laneOf } from '../lane/lane.ts'
import { asSettled, billStay, oweRest } from './money.ts'
import { parkOf } from '../place/park.ts'
import { priceOf } from './pricing.ts'
import { berthDecided } from '../questions.ts'
import { askedAbout } from '../lane/sighting.ts'
import { editStay, type StayRecord } from '../stay/stayMoves.ts'
import type { LaneRecord } from '../tables.ts'
import { ArrearsSource } from '../../../settlement/contract/order.ts'

const SayAmount = refusal('parking.held-amount', 40889, '请填写更正后的金额', 'Enter the corrected amount', 422)
const TooMuch = refusal(
  'parking.held-too-much',
  40890,
  '更正金额不能高于算得的 {amount} 元；请减少金额',
  'The corrected amount cannot exceed the calculated ¥{amount}: enter less',
  422,
)
const NotHeld = refusal('parking.held-gone', 40891, '该停车记录的费用已不在核对中', 'The fee of this stay is no longer being checked')

const heldBills = listOver(HeldBill, 'parking.heldBill', heldBillSearch)

export const calls = serve(heldBill, {
  list: ({ tx, input }) => page(tx, heldBills, input),
  decide: ({ tx, input, actor, at }) => decide(tx, input, actor.userName, at),
})

/** A person says that the amount is right, or which one is; then the stay goes on from where it waited. */
async function decide(
  tx: Tx,
  { verdict, setFen, reason, ...which }: Of<typeof heldBill.decide.input>,
  by: string,
  at: Instant,
): Promise<Of<typeof HeldBill>> {
  const corrected = verdict === HeldVerdict.correct
  if (corrected && setFen === undefined) throw SayAmount()
  await because(tx, reason)
  await holdItsLane(tx, which.id)
  const found = await lockRow(tx, heldBills, which)
  if (found.state !== HeldState.waiting) throw IllegalMove({ state: found.state })
  if (corrected && setFen! > found.amountFen) throw TooMuch({ amount: (found.amountFen / 100).toFixed(2) })
  const stay = await currentOf(tx, found.stayId)
  if (stay.payState !== PayState.checking) throw NotHeld()
  const state = corrected ? HeldState.corrected : HeldState.released
  const decided = await setRow(tx, heldBills, found, { state, setFen: corrected ? setFen! : null, reason, decidedBy: by, decidedAt: at }, at)
  const abnormalType = stay.abnormalType === SessionAbnormal.heldBill ? SessionAbnormal.none : stay.abnormalType
  await goOn(tx, await editStay(tx, stay, { ...asSettled(stay), abnormalType }), at)
  return decided
}

/** As a lane's event does it: the lane first, then the stay. */
async function holdItsLane(tx: Tx, id: string): Promise<void> {
  const [lane] = await run<{ gateCode: string }>(tx, { sql: LANE_OF }, [id])
  if (lane) await holdLane(tx, (await laneOf(tx, lane.gateCode)).gate)
}
const LANE_OF = `select l.gate_code from parking.held_bill h join parking.lane l on l.enterprise_id = h.enterprise_id and l.stay_id = h.stay_id
  where h.enterprise_id = scope_enterprise() and h.id = $1 and l.direction = ${Direction.exit}`

/** A car at an exit is looked at again, one that has left is billed, one inside is told when it asks. */
async function goOn(tx: Tx, stay: StayRecord, at: Instant): Promise<void> {
  if (stay.pType === StayPlace.street) return void (await berthDecided.ask(tx, { stayId: stay.id, at }))
  if (stay.status === SessionStatus.left) {
    const priced = await priceOf(tx, await parkOf(tx, stay.parkCode), stay, stay.exitTime!)
    if (!priced) return
    const billed = await editStay(tx, stay, await billStay(tx, stay, priced.bill, at))
    return void (await editStay(tx, billed, await oweRest(tx, billed, LET_OUT, at)))
  }
  const [lane] = await run<Pick<LaneRecord, 'asked' | 'plateNo' | 'plateColor' | 'direction'>>(tx, { sql: LANE }, [stay.id])
  const car = lane && askedAbout(lane)
  if (car) await decideAgain(tx, { ...car, receivedAt: at, live: true, gone: false })
}
/** The source of an arrears of a car that was let out. */
const LET_OUT = ArrearsSource.letOut
const LANE = `select asked, plate_no, plate_color, direction from parking.lane where enterprise_id = scope_enterprise() and stay_id = $1 and direction = ${Direction.exit} and open_ref is null`
