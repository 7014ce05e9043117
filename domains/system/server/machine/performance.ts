import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { task } from '../../../../platform/server/job/jobs.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import {
  FIGURE_DAYS,
  FIGURE_MINUTES,
  type MetricCode,
  performance,
  RAW_DAYS,
  SAMPLE_SECONDS,
  type Sample,
  Server,
  type ServerNow,
  serverSearch,
  type Series,
  type Share,
  SILENT_SECONDS,
} from '../../contract/performance.ts'
import { AlarmState } from '../../contract/alarmRecord.ts'
import { CONNECTIONS } from './sample.ts'
import '../tables.ts'

const TooLong = refusal('system.series-span', 40128, '时间范围应在 1 分钟至 90 天之间', 'The time range must be between 1 minute and 90 days', 422)
const servers = listOver(Server, 'system.server', serverSearch)
type Row = Of<typeof Server>

export const calls = serve(performance, {
  async queryServerPerformanceInfo({ tx, input, at }) {
    const found = await page(tx, servers, input)
    return { ...found, records: await withFigures(tx, found.records, at) }
  },
  queryServerInfo: async ({ tx, at }) => withFigures(tx, await allServers(tx), at),
  queryInfo: async ({ tx, input, at }) => (await withFigures(tx, [await serverOf(tx, input.serverId)], at))[0]!,
  async queryResourceProportion({ tx, input, at }) {
    const [now] = await withFigures(tx, [await serverOf(tx, input.serverId)], at)
    return sharesOf(now!, await connections(tx))
  },
  async queryCurrentNumInfo({ tx, at }) {
    const [all, [alarms], db] = await Promise.all([
      allServers(tx),
      run<{ open: number; fresh: number }>(
        tx,
        {
          sql: `select count(*)::int open, (count(*) filter (where state = ${AlarmState.raised}))::int fresh from system.alarm_record where enterprise_id = scope_enterprise() and state in (${AlarmState.raised}, ${AlarmState.acknowledged})`,
        },
        [],
      ),
      connections(tx),
    ])
    const online = all.filter((one) => isOnline(one, at)).length
    return {
      servers: all.length,
      online,
      offline: all.length - online,
      openAlarms: alarms!.open,
      unacknowledged: alarms!.fresh,
      dbConnections: db.n,
      dbConnectionsMax: db.most,
    }
  },
  queryMemProportion: ({ tx, input, at }) => seriesOf(tx, { ...input, metric: MEMORY }, at),
  queryCpuProportion: ({ tx, input, at }) => seriesOf(tx, { ...input, metric: PROCESSOR }, at),
  series: ({ tx, input, at }) => seriesOf(tx, input, at),
})
const PROCESSOR = 1
const MEMORY = 2
/** More machines than one installation has. */
const SERVERS_MAX = 500

const allServers = (tx: Tx): Promise<Row[]> =>
  tx.selectFrom('system.server').selectAll().orderBy('name').limit(SERVERS_MAX).execute() as Promise<Row[]>
async function serverOf(tx: Tx, id: string): Promise<Row> {
  const found = await tx
    .selectFrom('system.server')
    .selectAll()
    .where('id', '=', id as Row['id'])
    .executeTakeFirst()
  if (!found) throw NotFound()
  return found as Row
}
/** As the newest sample has it, so that a tile and the curve beside it tell the same; counted now before there is one. */
async function connections(tx: Tx): Promise<{ n: number; most: number }> {
  const [[live], [sampled]] = [
    await run<{ n: number; most: number }>(tx, { sql: CONNECTIONS }, []),
    await run<{ n: number }>(tx, { sql: SAMPLED }, []),
  ]
  return { ...live!, ...sampled }
}
const SAMPLED = `select db_connections as n from system.server_sample where at > now() - interval '10 minutes' order by at desc limit 1`
const isOnline = ({ lastSeenAt }: Row, at: Instant) => msOf(at) - msOf(lastSeenAt) <= SILENT_SECONDS * 1000

async function withFigures(tx: Tx, rows: readonly Row[], at: Instant): Promise<Of<typeof ServerNow>[]> {
  const ids = rows.map(({ id }) => id)
  const [samples, alarms] = await Promise.all([
    run<Of<typeof Sample> & { serverId: string }>(
      tx,
      {
        sql: `select s.* from system.server v join lateral (select * from system.server_sample s where s.server_id = v.id and s.at <= v.last_seen_at
          and s.at > v.last_seen_at - interval '1 minute' order by s.at desc limit 1) s on true where v.id = any($1)`,
      },
      [ids],
    ),
    run<{ serverId: string; n: number }>(
      tx,
      {
        sql: `select server_id, count(*)::int n from system.alarm_record where enterprise_id = scope_enterprise() and state in (${AlarmState.raised}, ${AlarmState.acknowledged}) and server_id = any($1) group by 1`,
      },
      [ids],
    ),
  ])
  return rows.map((row) => {
    const { serverId: _, ...sample } = samples.find(({ serverId }) => serverId === row.id) ?? { serverId: '' }
    return {
      ...row,
      online: isOnline(row, at),
      openAlarms: alarms.find(({ serverId }) => serverId === row.id)?.n ?? 0,
      sample: 'at' in sample ? (sample as Of<typeof Sample>) : null,
    }
  })
}

function sharesOf({ sample, memBytes, disks }: Of<typeof ServerNow>, db: { n: number; most: number }): Of<typeof Share>[] {
  const memory =
    sample?.memPermille === null || sample === null
      ? []
      : [
          {
            name: 'memory',
            kind: 'memory',
            unit: 'B',
            used: Math.round((memBytes * sample.memPermille) / 1000),
            ours: sample.programBytes,
            total: memBytes,
          },
        ]
  return [
    ...memory,
    ...disks.map(({ mount, bytes, used }) => ({ name: mount, kind: 'disk', unit: 'B', used, ours: null, total: bytes })),
    { name: 'database', kind: 'database', unit: '', used: db.n, ours: null, total: db.most },
  ]
}

/** As many points as a chart shows; a longer time has longer steps. */
const POINTS_MAX = 360
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** One measure over a time: from the samples while they are kept and the time is short, else from the figures by five minutes. Gaps are null. */
async function seriesOf(
  tx: Tx,
  { serverId, metric, from, to }: { serverId: string; metric: MetricCode; from?: Instant; to?: Instant },
  at: Instant,
): Promise<Of<typeof Series>> {
  await serverOf(tx, serverId)
  const end = msOf(to ?? at)
  const begin = from === undefined ? end - HOUR_MS : msOf(from)
  if (end - begin < 60_000 || end - begin > FIGURE_DAYS * DAY_MS + HOUR_MS) throw TooLong()
  const fromSamples = end - begin <= DAY_MS && begin >= msOf(at) - RAW_DAYS * DAY_MS
  const unit = fromSamples ? SAMPLE_SECONDS : FIGURE_MINUTES * 60
  const stepSeconds = Math.max(1, Math.ceil((end - begin) / 1000 / POINTS_MAX / unit)) * unit
  const sql = fromSamples
    ? `select date_bin(make_interval(secs => $5), at, 'epoch') at, round(avg(value))::bigint mean, max(value) most from system.server_metric
       where server_id = $1 and metric = $2 and at >= $3 and at < $4 group by 1`
    : `select date_bin(make_interval(secs => $5), at, 'epoch') at, round(sum(mean * samples) / sum(samples))::bigint mean, max(most) most from system.server_figure
       where server_id = $1 and metric = $2 and at >= $3 and at < $4 group by 1`
  const found = await run<{ at: Instant; mean: number; most: number }>(tx, { sql }, [serverId, metric, instantAt(begin), instantAt(end), stepSeconds])
  const known = new Map(found.map((point) => [msOf(point.at), point]))
  const step = stepSeconds * 1000
  const points = Array.from({ length: Math.ceil((end - begin) / step) + 1 }, (_, place) => Math.floor(begin / step) * step + place * step)
    .filter((ms) => ms < end)
    .map((ms) => ({ at: instantAt(ms), mean: known.get(ms)?.mean ?? null, most: known.get(ms)?.most ?? null }))
  return { metric, stepSeconds, points }
}

/** Samples of the past five minutes become figures, each span once, when it is over and its last sample has surely arrived. */
export async function rollUp(tx: Tx, at: Instant): Promise<void> {
  await run(
    tx,
    {
      sql: `insert into system.server_figure (server_id, metric, at, mean, most, samples)
        select server_id, metric, date_bin('5 minutes', at, 'epoch'), round(avg(value))::bigint, max(value), count(*)::int from system.server_metric
        where at >= coalesce((select max(at) + interval '5 minutes' from system.server_figure), '-infinity') and at < date_bin('5 minutes', $1::timestamptz - interval '1 minute', 'epoch')
        group by 1, 2, 3 on conflict do nothing`,
    },
    [at],
  )
}
/** Days of samples made ready and forgotten, figures older than 90 days, and machines that nobody heard of for as long. */
export async function forgetOld(tx: Tx, at: Instant): Promise<void> {
  await run(tx, { sql: 'select system.tend_samples($1, $2)' }, [at, `${RAW_DAYS} days`])
  await run(tx, { sql: 'delete from system.server_figure where at < $1::timestamptz - $2::interval' }, [at, `${FIGURE_DAYS} days`])
  await run(tx, { sql: 'delete from system.server where last_seen_at < $1::timestamptz - $2::interval' }, [at, `${FIGURE_DAYS} days`])
}
export const tasks = [
  task('system.roll-up', ({ tx, at }) => rollUp(tx, at), { every: '*/5 * * * *' }),
  task('system.forget-samples', ({ tx, at }) => forgetOld(tx, at), { every: '23 */4 * * *' }),
]
