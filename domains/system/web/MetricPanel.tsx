import { useQuery } from '@tanstack/react-query'
import { lazy, useCallback, useMemo, useState } from 'react'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { time } from '../../../platform/web/format.ts'
import { Failed } from '../../../platform/web/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { Metric, type MetricCode, METRICS, performance, SAMPLE_SECONDS } from '../contract/performance.ts'
import { Late, measured } from './figures.tsx'

const LineChart = lazy(() => import('./LineChart.tsx'))

/** What can be looked at, in hours. */
export const RANGES = { '1h': 1, '6h': 6, '24h': 24, '7d': 168, '30d': 720, '90d': 2160 } as const
export type Range = keyof typeof RANGES
const HOUR_MS = 3_600_000
const TABLE_ROWS = 60

/** One measure of one server over a time: a line, its peaks, and the same as a table. */
export function MetricPanel({ serverId, metric, range }: { serverId: string; metric: MetricCode; range: Range }) {
  const say = useText()
  const [asTable, setAsTable] = useState(false)
  const { unit, per, help } = METRICS[metric]
  const series = useSeries(serverId, metric, range)
  const shown = useMemo(() => {
    const points = series.data?.points ?? []
    const values = (field: 'mean' | 'most') => points.map((point) => (point[field] === null ? null : point[field] / per))
    return {
      axis: points.map(({ at }) => (RANGES[range] <= 24 ? time(at).slice(11, 16) : time(at).slice(5, 16))),
      long: points.map(({ at }) => time(at)),
      lines: [
        { name: ['平均', 'Mean'] as const, token: '--accent', values: values('mean'), filled: true },
        { name: ['最高', 'Highest'] as const, token: '--faint', values: values('most') },
      ],
    }
  }, [series.data, per, range])
  const write = useCallback((value: number) => `${Math.round(value * 10) / 10}${unit && ` ${unit}`}`, [unit])
  const last = series.data?.points.findLast(({ mean }) => mean !== null)?.mean
  return (
    <section className="panel metric">
      <header>
        <h2 title={say(help)}>{say(Metric.entries[metric])}</h2>
        <b>{measured(metric, last)}</b>
        <span className="push" />
        <button type="button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {say(asTable ? ['图', 'Chart'] : ['表格', 'Table'])}
        </button>
      </header>
      {series.isError ? (
        <Failed error={series.error as unknown as Refusal} retry={() => void series.refetch()} />
      ) : asTable ? (
        <PointTable metric={metric} points={series.data?.points} />
      ) : (
        <Late>
          <LineChart label={Metric.entries[metric]} {...shown} write={write} {...(unit === '%' && metric !== 4 && metric !== 8 && { top: 100 })} />
        </Late>
      )}
    </section>
  )
}

function useSeries(serverId: string, metric: MetricCode, range: Range) {
  const call = metric === 1 ? performance.queryCpuProportion : metric === 2 ? performance.queryMemProportion : performance.series
  return useQuery({
    queryKey: [call.id, serverId, metric, range],
    queryFn: ({ signal }) => {
      const to = new Date()
      const span = { from: new Date(to.getTime() - RANGES[range] * HOUR_MS).toISOString() as Instant, to: to.toISOString() as Instant }
      return asks(
        call as typeof performance.series,
        { serverId: serverId as never, ...(call === performance.series && { metric }), ...span } as never,
        { quiet: true },
      ).queryFn({ signal })
    },
    refetchInterval: RANGES[range] <= 6 ? SAMPLE_SECONDS * 1000 : 60_000,
  })
}

/** The latest of what was measured, the newest first. */
function PointTable({ metric, points }: { metric: MetricCode; points: Points | undefined }) {
  const say = useText()
  return (
    <div className="metric-room scroll">
      <table className="lines">
        <thead>
          <tr>
            <th>{say(['时间', 'Time'])}</th>
            <th className="right">{say(['平均', 'Mean'])}</th>
            <th className="right">{say(['最高', 'Highest'])}</th>
          </tr>
        </thead>
        <tbody>
          {points
            ?.filter(({ mean }) => mean !== null)
            .slice(-TABLE_ROWS)
            .toReversed()
            .map(({ at, mean, most }) => (
              <tr key={at}>
                <td>{time(at)}</td>
                <td className="right">{measured(metric, mean)}</td>
                <td className="right">{measured(metric, most)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
type Points = NonNullable<ReturnType<typeof useSeries>['data']>['points']
