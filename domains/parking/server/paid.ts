import type { Fen, Id } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { Settled } from '../../settlement/server/api.ts'
import type { StayId } from '../contract/stay.ts'
import { decideAgain } from './again.ts'
import { currentOf } from './correction.ts'
import { type LaneNow, laneNow, openBarrier, setLane, showLines } from './lane.ts'
import { after } from './passing.ts'
import { editStay, type StayRecord } from './stayMoves.ts'
import type { LaneRecord } from './tables.ts'

const WAIVED = 8
const FREE = 3
/** exit_arrears 3: older debts are paid before the car leaves. */
const DEBTS_FIRST = 3

/**
 * An order was settled, in the transaction that settles it: the stay knows at once, and if its car stands at an exit the barrier opens. The command is repeated
 * until the device answers, while the car stands there; the device opens once for one order.
 */
export async function orderSettled(tx: Tx, settled: Settled): Promise<true | undefined> {
  if (settled.type !== 1 || !settled.stayId) return undefined
  const stay = await currentOf(tx, settled.stayId as Id<StayId>)
  if (stay.orderId !== (settled.orderId as string)) return undefined
  const [park] = await run<{ exitGraceMin: number }>(tx, { sql: 'select exit_grace_min from parking.park where park_code = $1' }, [stay.parkCode])
  const inside = stay.status === 1 || stay.status === 2
  const paid = await editStay(tx, stay, {
    payState: settled.status === FREE || settled.status === WAIVED ? 3 : 2,
    paidFen: (stay.paidFen + settled.paidFen) as Fen,
    settledFen: stay.receivableFen,
    ...(settled.status === WAIVED && {
      discountFen: (stay.receivableFen - stay.paidFen - settled.paidFen) as Fen,
      payableFen: (stay.paidFen + settled.paidFen) as Fen,
    }),
    ...(inside && { graceUntil: after(settled.at, park!.exitGraceMin) }),
  })
  if (stay.status === 2) await openFor(tx, paid, settled.orderNo)
  else await letDebtorGo(tx, stay)
  return true
}

/** Arrears were paid: a car that stands at an exit because of them is looked at again. */
async function letDebtorGo(tx: Tx, { plateNo }: StayRecord): Promise<void> {
  const lanes = await run<LaneRecord>(
    tx,
    {
      sql: `select * from parking.lane where enterprise_id = scope_enterprise() and plate_no = $1 and direction = 2 and outcome = 5 and open_ref is null`,
    },
    [plateNo],
  )
  for (const { asked } of lanes) if (asked) await decideAgain(tx, { ...asked, live: true, gone: false })
}

/** Opens the exit at which this stay's car stands, unless it has been told to open already. */
export async function openFor(tx: Tx, stay: StayRecord, orderNo: string): Promise<void> {
  const [lane] = await run<LaneRecord>(
    tx,
    { sql: 'select * from parking.lane where enterprise_id = scope_enterprise() and stay_id = $1 and direction = 2' },
    [stay.id],
  )
  if (!lane || lane.openRef) return
  const now = await laneNow(tx, lane.parkCode, lane.gateCode)
  if (!now) return
  if (now.park.exitArrears === DEBTS_FIRST && lane.asked) return decideAgain(tx, { ...lane.asked, live: true, gone: false })
  const commandId = await openBarrier(tx, now.gate, { reason: 'paid', ref: orderNo, persist: true })
  await Promise.all([showLines(tx, now.gate, [stay.plateNo, '已缴费', '一路平安']), setOpening(tx, now, lane, orderNo, commandId)])
}
const setOpening = (tx: Tx, { gate }: LaneNow, lane: LaneRecord, openRef: string, commandId: string | null) =>
  setLane(tx, gate, { ...lane, state: 4, outcome: 1, dueFen: 0 as Fen, openRef, commandId })

/** May a barrier that did not answer be told again? Only while this very car still stands before it. */
export async function stillStands(tx: Tx, { orderId, gateCode }: { orderId: string; gateCode: string | null }): Promise<boolean> {
  const [lane] = await run(tx, { sql: 'select 1 from parking.lane where gate_code = $1 and open_ref = $2 and stay_id is not null' }, [
    gateCode,
    orderId,
  ])
  return lane !== undefined
}
