import type { Instant } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, type Task, task } from '../../../platform/server/job/jobs.ts'
import type { Sample } from './said.ts'

/** A pile's clock may run ahead of ours by so much; what is further ahead happened when we heard of it. */
const AHEAD_MS = 10 * 60_000
/** What is too far ahead is dated when it was heard of, and never refused: the pile would repeat it for ever. */
export const onTime = ({ at, receivedAt }: { at: Instant; receivedAt: Instant }) =>
  msOf(at) > msOf(receivedAt) + AHEAD_MS ? { at: receivedAt, clockFixed: true } : { at, clockFixed: false }

/** A charge neither begins nor ends after we have heard of it, however little its pile's clock is ahead. */
export const notAhead = (told: { at: Instant; receivedAt: Instant }) => {
  const { at, clockFixed } = onTime(told)
  return { at: msOf(at) > msOf(told.receivedAt) ? told.receivedAt : at, clockFixed, toldAt: told.at }
}

export type Kept = Sample & { connectorId: string; parkCode: string; orderNo: string | null; receivedAt: Instant }
const MEASURES = ['meterWh', 'powerW', 'currentMa', 'voltageDv', 'soc', 'temperatureC'] as const
/** The same moment of a gun told again adds what was missing and changes nothing. */
export async function keepSamples(tx: Tx, samples: readonly Kept[]): Promise<void> {
  if (samples.length === 0) return
  const moments = [...Map.groupBy(samples, ({ connectorId, at }) => `${connectorId} ${msOf(at)}`).values()].map((same) => merged(same))
  await run(tx, SAMPLES, unnested(moments, ['connectorId', 'parkCode', 'orderNo', 'at', 'receivedAt', ...MEASURES]))
}
function merged(same: readonly Kept[]): Kept {
  const known = MEASURES.map((name) => [name, same.find((one) => one[name] != null)?.[name] ?? null])
  return { ...same[0]!, ...Object.fromEntries(known) }
}
const SAMPLES = {
  sql: `insert into charging.meter_sample as m (connector_id, park_code, order_no, at, received_at, meter_wh, power_w, current_ma, voltage_dv, soc, temperature_c)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::bigint[], $7::integer[], $8::integer[], $9::integer[], $10::smallint[], $11::smallint[])
    on conflict (enterprise_id, connector_id, at) do update set meter_wh = coalesce(m.meter_wh, excluded.meter_wh), power_w = coalesce(m.power_w, excluded.power_w),
      current_ma = coalesce(m.current_ma, excluded.current_ma), voltage_dv = coalesce(m.voltage_dv, excluded.voltage_dv), soc = coalesce(m.soc, excluded.soc),
      temperature_c = coalesce(m.temperature_c, excluded.temperature_c), order_no = coalesce(m.order_no, excluded.order_no)`,
}
/** Rows as one list for each column. */
export const unnested = <Row extends object>(rows: readonly Row[], names: readonly (keyof Row)[]) =>
  names.map((name) => rows.map((row) => row[name] ?? null))

/** After thirteen months samples become a curve of five minutes, an hour of them at a time: a night has many of them, a transaction has not. */
export const forgetSamples: Task = task(
  'charging.forget-samples',
  async ({ tx, at }) => {
    const [{ moved }] = (await run<{ moved: number }>(tx, FORGET, [at])) as [{ moved: number }]
    if (moved > 0) await addJob(tx, forgetSamples, {})
  },
  { every: '5 19 * * *' },
)
const FORGET = {
  sql: `with oldest as (select date_trunc('hour', min(at)) as hour from charging.meter_sample where enterprise_id = scope_enterprise()),
    gone as (delete from charging.meter_sample where enterprise_id = scope_enterprise() and at >= (select hour from oldest)
      and at < least((select hour from oldest) + interval '1 hour', date_trunc('hour', $1::timestamptz - interval '13 months')) returning *),
    kept as (insert into charging.meter_curve (connector_id, park_code, order_no, at, received_at, meter_wh, power_w, current_ma, voltage_dv, soc, temperature_c)
      select connector_id, min(park_code), order_no, max(at), max(received_at), max(meter_wh), avg(power_w), avg(current_ma), avg(voltage_dv), max(soc), max(temperature_c)
      from gone group by connector_id, order_no, date_bin('5 minutes', at, timestamptz '2000-01-01') on conflict do nothing)
    select count(*)::int as moved from gone`,
}
