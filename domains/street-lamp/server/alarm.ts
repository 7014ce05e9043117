import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { alarm, alarmCan, AlarmCode, AlarmLevel, alarmSearch, AlarmState, LampAlarm } from '../contract/alarm.ts'
import './tables.ts'

const alarms = listOver(LampAlarm, 'lamp.alarm', alarmSearch)
export const alarmTopic = topic('lamp.alarm', 'street-lamp:circuit:view')
const WithoutOrder = refusal('lamp.no-work-order', 42220, '派单请填写工单号', 'Enter the work order number to dispatch', 422)

export const calls = serve(alarm, {
  query: ({ tx, input }) => page(tx, alarms, input),
  async handle({ tx, input: { id, version, state, workOrderNo, remark }, actor, at }) {
    const found = await lockRow(tx, alarms, { id, version })
    if (!mayBecome(found.state, state)) throw IllegalMove({ state: found.state })
    if (state === AlarmState.dispatched && !workOrderNo) throw WithoutOrder()
    await setRow(tx, alarms, found, { state, handledName: actor.userName, workOrderNo: workOrderNo ?? null, remark: remark ?? found.remark }, at)
    await tell(tx, alarmTopic, { ids: [id] })
  },
})
type State = Of<typeof LampAlarm>['state']
const mayBecome = (from: State, to: State) => alarmCan.acknowledge(from) === to || alarmCan.dispatch(from) === to

export interface Raised {
  boxCode: string
  wiringId?: string | null
  wiringCode?: string | null
  code: Of<typeof LampAlarm>['code']
  value?: number | null
}
const CRITICAL: readonly number[] = [AlarmCode.leakageDetected, AlarmCode.supplyLoss]
const MAJOR: readonly number[] = [
  AlarmCode.circuitBreakerTripped,
  AlarmCode.relayFailure,
  AlarmCode.currentTooHigh,
  AlarmCode.voltageTooHigh,
  AlarmCode.poleTilted,
]
const NOTICE: readonly number[] = [AlarmCode.powerFactorTooLow]
const levelOf = (code: number) =>
  CRITICAL.includes(code)
    ? AlarmLevel.critical
    : MAJOR.includes(code)
      ? AlarmLevel.major
      : NOTICE.includes(code)
        ? AlarmLevel.notice
        : AlarmLevel.minor

/** Raises alarms, or counts them up where they are raised already. */
export async function raise(tx: Tx, all: readonly Raised[], at: Instant): Promise<void> {
  if (all.length === 0) return
  await run(tx, { sql: RAISE }, [JSON.stringify(all.map((one) => ({ ...one, level: levelOf(one.code) }))), at])
  await tell(tx, alarmTopic, {})
}
const RAISE = `insert into lamp.alarm as a (box_code, wiring_id, wiring_code, code, level, value, first_at, last_at, created_at, updated_at)
  select "boxCode", "wiringId", "wiringCode", code, level, value, $2::timestamptz, $2, $2, $2 from jsonb_to_recordset($1::jsonb) as r("boxCode" text, "wiringId" uuid, "wiringCode" text, code smallint, level smallint, value float8)
  on conflict (enterprise_id, box_code, code, (coalesce(wiring_code, ''))) where recovered_at is null do update set count = a.count + 1, last_at = greatest(a.last_at, excluded.last_at), value = excluded.value, updated_at = excluded.updated_at`

/** Ends an alarm that a measurement no longer confirms. `wiringCodes` left out: an alarm of the box itself. */
export async function recover(
  tx: Tx,
  { boxCode, code, wiringCodes }: { boxCode: string; code: number; wiringCodes?: readonly string[] },
  at: Instant,
): Promise<void> {
  const rows = await run(tx, { sql: RECOVER }, [boxCode, code, wiringCodes ?? [''], at])
  if (rows.length > 0) await tell(tx, alarmTopic, {})
}
const RECOVER = `update lamp.alarm set state = ${AlarmState.recovered}, recovered_at = $4, version = version + 1, updated_at = $4
  where enterprise_id = scope_enterprise() and box_code = $1 and code = $2::smallint and coalesce(wiring_code, '') = any($3) and recovered_at is null returning id`

/** Of the codes that a reading decides, those of these circuits that it does not confirm are over. */
export async function recoverOthers(
  tx: Tx,
  boxCode: string,
  codes: readonly number[],
  still: readonly Raised[],
  wiringCodes: readonly string[],
  at: Instant,
): Promise<void> {
  const keys = still.map(({ code, wiringCode }) => `${code} ${wiringCode ?? ''}`)
  const rows = await run(tx, { sql: RECOVER_OTHERS }, [boxCode, codes, wiringCodes, keys, at])
  if (rows.length > 0) await tell(tx, alarmTopic, {})
}
const RECOVER_OTHERS = `update lamp.alarm set state = ${AlarmState.recovered}, recovered_at = $5, version = version + 1, updated_at = $5
  where enterprise_id = scope_enterprise() and box_code = $1 and code = any($2::smallint[]) and wiring_code = any($3) and recovered_at is null and not (code || ' ' || coalesce(wiring_code, '')) = any($4) returning id`

/** Ends alarms that nothing can clear any more: the circuit is gone, or nobody listens to the box. Of a box all, or those of one code. */
export async function endAlarms(
  tx: Tx,
  { boxCode, wiringId = null, code = null }: { boxCode: string; wiringId?: string | null; code?: number | null },
  at: Instant,
): Promise<void> {
  const rows = await run(tx, { sql: END }, [boxCode, wiringId, code, at])
  if (rows.length > 0) await tell(tx, alarmTopic, {})
}
const END = `update lamp.alarm set state = ${AlarmState.recovered}, recovered_at = $4, version = version + 1, updated_at = $4
  where enterprise_id = scope_enterprise() and box_code = $1 and ($2::uuid is null or wiring_id = $2) and ($3::smallint is null or code = $3) and recovered_at is null returning id`
