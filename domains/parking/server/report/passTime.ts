import type { Day, Instant, Of } from '../../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf, startOf } from '../../../../platform/contract/time.ts'
import { begunAt, run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { WarningType } from '../../../device/contract/device.ts'
import { raise, recoverOf } from '../../../device/server/api.ts'
import { Direction } from '../../contract/gate.ts'
import { type PassDay, PassTime, passTime, passTimeSearch } from '../../contract/passTime.ts'
import { laneOf, warnerOf } from '../lane/lane.ts'
import type { LaneRecord } from '../tables.ts'
import type { StayRecord } from '../stay/stayMoves.ts'

const passTimes = listOver(PassTime, 'parking.passTime', passTimeSearch)

export const calls = serve(passTime, {
  list: ({ tx, input }) => page(tx, passTimes, input),
  days: ({ tx, input: { dayFrom, dayTo, parkCode } }) => daysOf(tx, dayFrom, dayTo, parkCode),
})

/** The cars that passed on each of these days, by park. */
export const daysOf = (tx: Tx, dayFrom: Day, dayTo: Day, parkCode?: string): Promise<Of<typeof PassDay>[]> =>
  run(tx, DAYS, [startOf(dayFrom), instantAt(msOf(startOf(dayTo)) + DAY_MS), parkCode ?? null])
const DAYS = {
  sql: `select (passed_at at time zone 'Asia/Shanghai')::date::text as day, park_code, count(*)::int as cars, percentile_disc(0.5) within group (order by seconds) as median_sec, max(seconds) as slowest_sec
    from parking.pass_time where enterprise_id = scope_enterprise() and passed_at >= $1::timestamptz and passed_at < $2::timestamptz and ($3::text is null or park_code = $3)
    group by 1, 2 order by 1 desc, 2`,
}

/** A car that stands at an exit has paid. Paid once more (for the rest), it is the last payment that counts. */
export const paidAtExit = (
  tx: Tx,
  { parkCode, gateCode }: Pick<LaneRecord, 'parkCode' | 'gateCode'>,
  stay: StayRecord,
  orderNo: string,
  paidAt: Instant,
) => run(tx, PAID, [parkCode, gateCode, stay.id, stay.plateNo, orderNo, paidAt])
const PAID = {
  sql: `insert into parking.pass_time (park_code, gate_code, stay_id, plate_no, order_no, paid_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (enterprise_id, stay_id) do update set gate_code = excluded.gate_code, plate_no = excluded.plate_no, order_no = excluded.order_no, paid_at = excluded.paid_at, passed_at = null`,
}
/** Records that the car has passed. By its clock the barrier may come down before the channel tells of the payment: that counts as no time at all. */
export const passedAfterPaying = async (tx: Tx, { id }: StayRecord, at: Instant) => stuckNoMore(tx, await run<Waiting>(tx, PASSED, [id, at]))
const PASSED = {
  sql: `update parking.pass_time set passed_at = greatest($2::timestamptz, paid_at) where enterprise_id = scope_enterprise() and stay_id = $1 and passed_at is null
    returning gate_code, order_no, paid_at`,
}
/** Drops the measurement: the car went back inside, or nobody saw it pass. */
export const noPassTime = async (tx: Tx, { id }: StayRecord) => stuckNoMore(tx, await run<Waiting>(tx, BACK, [id]))
const BACK = {
  sql: 'delete from parking.pass_time where enterprise_id = scope_enterprise() and stay_id = $1 and passed_at is null returning gate_code, order_no, paid_at',
}

type Waiting = Pick<Of<typeof PassTime>, 'gateCode' | 'orderNo' | 'paidAt'>
/** Barriers go up within seconds: who has paid and still stands before one after this time is stuck. */
const STUCK_S = 60
/** The most rows in one minute's round; the rest wait for the next. */
const ROUND_MAX = 200
/**
 * Once a minute: cars that have paid and whose barrier was told to open, said that it did or could not be told, and has not gone up. One that never tells how it moves is believed.
 */
export async function warnStuck(tx: Tx, at: Instant): Promise<void> {
  for (const { gateCode, orderNo } of await run<Waiting>(tx, STUCK, [at])) {
    const sn = await warnerOf(tx, (await laneOf(tx, gateCode)).gate)
    if (sn) await raise(tx, sn, WarningType.paidButShut, orderNo)
  }
}
const STUCK = {
  sql: `select t.gate_code, t.order_no, t.paid_at from parking.lane l join parking.pass_time t on t.enterprise_id = l.enterprise_id and t.stay_id = l.stay_id and t.gate_code = l.gate_code
    where l.enterprise_id = scope_enterprise() and l.direction = ${Direction.exit} and l.open_ref is not null and t.passed_at is null and t.paid_at < $1::timestamptz - interval '${STUCK_S} seconds'
      and l.gate_state is distinct from 'opened' and (l.gate_state is not null or l.command_id is null) order by t.paid_at limit ${ROUND_MAX}`,
}
async function stuckNoMore(tx: Tx, [waited]: Waiting[]): Promise<void> {
  if (!waited || msOf(begunAt(tx)) - msOf(waited.paidAt) < STUCK_S * 1_000) return
  await recoverOf(tx, WarningType.paidButShut, waited.orderNo)
}
