import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { end } from './child.ts'
import { signIn, startDemoServer } from './lists.ts'
import { sizeOf } from './size.ts'
import type { Row } from './table.ts'

const SAMPLES = sizeOf('samples', 10_000_000, 20_000)
/** So many guns measure every half minute; the samples of a charge lie between those of all others. */
const GUNS = 100
const STEP_S = 30
const CHARGES = 12
/** An hour each. */
const STEPS = 120
const ASKED = sizeOf('asked', 200, 12)
const MS_MOST = 50

/** The story of a charge, its curve in it, and the curve of a gun's last hour, beside ten million samples. */
export async function curve(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const server = await startDemoServer(ownerUrl, dataDir, port)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const charges = await fill(owner)
    const token = await signIn(port, 'admin')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const ask = async (address: string, body?: object) => {
      const asked = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
      return (
        (await (await fetch(`http://127.0.0.1:${port}/lbs/charging${address}`, asked)).json()) as { data: { samples: unknown[]; curve: unknown[] } }
      ).data
    }
    const story = await timed(charges, async ({ orderNo }) => (await ask('/pc/charge/recordDetail', { orderNo })).samples.length)
    const gun = await timed(charges, async ({ connectorId }) => (await ask(`/monitor/queryConnectorinfo?connectorId=${connectorId}`)).curve.length)
    return [
      row(`Charging session beside ${SAMPLES.toLocaleString('en')} samples: its story and curve of ${STEPS}, p50 / p99 of ${ASKED}`, story, STEPS),
      // The samples were written up to some minutes ago: the last hour lacks as many of them.
      row(`Gun beside them: as it is now, its last hour, p50 / p99 of ${ASKED}`, gun, STEPS * 0.9),
    ]
  } finally {
    await owner.end()
    await end(server)
  }
}
const row = (what: string, { p50, p99, least }: Timed, samples: number): Row => ({
  what,
  value: `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`,
  target: `p99 < ${MS_MOST} ms`,
  kept: p99 < MS_MOST && least >= samples,
})

interface Timed {
  p50: number
  p99: number
  /** So many points the shortest answer had. */
  least: number
}
/** One after the other, each of another charge; the first of each connection plan statements anew and are not counted. */
async function timed<T>(of: readonly T[], ask: (one: T) => Promise<number>): Promise<Timed> {
  const [times, points] = [[] as number[], [] as number[]]
  for (let n = -CHARGES; n < ASKED; n++) {
    const begun = performance.now()
    const got = await ask(of[(n + CHARGES) % of.length]!)
    if (n < 0) continue
    times.push(performance.now() - begun)
    points.push(got)
  }
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(ASKED * 0.5)]!, p99: times[Math.floor(ASKED * 0.99)]!, least: Math.min(...points) }
}

type Measured = { orderNo: string; connectorId: string }
/** As they come: of every half minute a sample of each gun, back from now. Those of the last hours belong to charges of the demo. */
async function fill(owner: pg.Client): Promise<Measured[]> {
  const ended = () =>
    owner.query<Measured>(
      `select distinct on (connector_id) order_no as "orderNo", connector_id as "connectorId" from charging.charge where enterprise_id = 1 and end_time is not null order by connector_id, start_time limit ${CHARGES}`,
    )
  let { rows } = await ended()
  for (; rows.length < CHARGES; { rows } = await ended()) await pause(500) // the demo is still being filled
  const steps = SAMPLES / GUNS
  await owner.query('delete from charging.meter_sample')
  for (let from = 0; from < steps; from += STEPS)
    await owner.query(MEASURED, [
      rows.map(({ orderNo }) => orderNo),
      rows.map(({ connectorId }) => connectorId),
      from,
      Math.min(from + STEPS, steps) - 1,
    ])
  await owner.query(SPANS)
  await owner.query('vacuum analyze charging.meter_sample')
  return rows
}
const MEASURED = `insert into charging.meter_sample (enterprise_id, connector_id, park_code, order_no, at, received_at, meter_wh, power_w, current_ma, voltage_dv, soc)
  select 1, coalesce(($2::text[])[gun], 'BENCH' || gun), 'P001', case when step < ${STEPS} and gun <= cardinality($1::text[]) then ($1::text[])[gun] else 'BENCH' || gun || '-' || step / ${STEPS} end,
    date_trunc('minute', now()) - (step + 1) * interval '${STEP_S} seconds', now(), 100000 + (${SAMPLES / GUNS} - step) * 250, 30000, 80000, 3800, 50
  from generate_series($3::int, $4::int) step, generate_series(1, ${GUNS}) gun on conflict do nothing`
/** Its charge lies where its samples do. */
const SPANS = `update charging.charge c set start_time = s.first - interval '1 second', end_time = s.last + interval '1 second', start_wh = s.low, end_wh = s.high
  from (select order_no, min(at) as first, max(at) as last, min(meter_wh) as low, max(meter_wh) as high from charging.meter_sample where order_no not like 'BENCH%' group by 1) s where s.order_no = c.order_no`
