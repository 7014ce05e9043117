import type { Instant } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'

const HasBegun = refusal(
  'staff.cell-has-begun',
  41957,
  '{shift} 已开始，只有病假和补卡可在三天内申请',
  '{shift} has started: only sick leave or a missed punch can be requested, within three days',
)
export const MonthClosed = refusal(
  'staff.month-is-closed',
  41958,
  '该月考勤已锁定；更正请联系考勤管理员',
  'Attendance for that month is closed: ask whoever manages attendance',
)

/** A cell with work in it, held until the call is over. */
export interface HeldCell {
  id: string
  collectorId: string
  parkCode: string
  workDate: string
  shiftName: string
  state: number
  startAt: Instant
  endAt: Instant
  inFrom: Instant
  outTo: Instant
  closed: boolean
}
export const cellHeld = async (tx: Tx, id: string): Promise<HeldCell | undefined> => (await run<HeldCell>(tx, { sql: HELD }, [id]))[0]
const HELD = `select e.id, e.collector_id, e.park_code, e.work_date, e.shift_name, e.state, e.start_at, e.end_at, e.start_at - e.check_in_from_min * interval '1 minute' as in_from,
    e.end_at + e.check_out_to_min * interval '1 minute' as out_to,
    exists (select from staff.closed_month m where m.enterprise_id = e.enterprise_id and m.month = date_trunc('month', e.work_date)::date) as closed
  from staff.cell e where e.enterprise_id = scope_enterprise() and e.id = $1 and e.shift_id is not null for update of e`

/** @throws HasBegun when it had by then */
export function notBegun({ startAt, workDate, shiftName }: HeldCell, at: Instant): void {
  if (msOf(startAt) <= msOf(at)) throw HasBegun({ shift: `${workDate} ${shiftName}` })
}
