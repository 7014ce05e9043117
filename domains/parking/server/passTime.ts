import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { type PassDay, PassTime, passTime, passTimeSearch } from '../contract/passTime.ts'
import type { LaneRecord } from './tables.ts'
import type { StayRecord } from './stayMoves.ts'

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
/** It has passed. By its clock the barrier may come down before the channel says that it was paid: that is no time at all. */
export const passedAfterPaying = (tx: Tx, { id }: StayRecord, at: Instant) => run(tx, PASSED, [id, at])
const PASSED = {
  sql: 'update parking.pass_time set passed_at = greatest($2::timestamptz, paid_at) where enterprise_id = scope_enterprise() and stay_id = $1 and passed_at is null',
}
/** It went back inside, or nobody saw it pass. */
export const noPassTime = (tx: Tx, { id }: StayRecord) => run(tx, BACK, [id])
const BACK = { sql: 'delete from parking.pass_time where enterprise_id = scope_enterprise() and stay_id = $1 and passed_at is null' }
