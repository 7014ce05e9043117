import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { Chart } from '../../../../platform/web/draw/Chart.tsx'
import { time } from '../../../../platform/web/format.ts'
import { Failed } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import type { Instant } from '../../../../platform/contract/field.ts'
import { Metric, type MetricCode, METRICS, performance, SAMPLE_SECONDS } from '../../contract/performance.ts'
import { measured } from './figures.tsx'

/** The ranges to choose from, in hours. */
export const RANGES = { '1h': 1, '6h': 6, '24h': 24, '7d': 168, '30d': 720, '90d': 2160 } as const
export type Range = keyof typeof RANGES
const HOUR_MS = 3_600_000

/** One measure of one server over a time: its mean, and beside it its peaks. */
export function MetricPanel({ serverId, metric, range }: { serverId: string; metric: MetricCode; range: Range }) {
  const say = useText()
  const { unit, per, help } = METRICS[metric]
  const series = useSeries(serverId, metric, range)
  const shown = useMemo(() => {
    const points = series.data?.points ?? []
    const values = (field: 'mean' | 'most') => points.map((point) => (point[field] === null ? null : point[field] / per))
    return {
      categories: points.map(({ at }) => time(at)),
      ticks: points.map(({ at }) => (RANGES[range] <= 24 ? time(at).slice(11, 16) : time(at).slice(5, 16))),
      series: [
        { name: ['平均', 'Average'] as const, values: values('mean'), filled: true },
        { name: ['最高', 'Maximum'] as const, values: values('most'), beside: 'dashed' as const },
      ],
    }
  }, [series.data, per, range])
  const written = useCallback((value: number) => `${Math.round(value * 10) / 10}${unit && ` ${unit}`}`, [unit])
  const last = series.data?.points.findLast(({ mean }) => mean !== null)?.mean
  return (
    <section className="panel metric" title={say(help)}>
      {series.isError ? (
        <Failed error={series.error as unknown as Refusal} retry={() => void series.refetch()} />
      ) : (
        <Chart
          kind="line"
          title={Metric.entries[metric]}
          label={Metric.entries[metric]}
          by={['时间', 'Time']}
          note={<b>{measured(metric, last)}</b>}
          empty={['这段时间没有采集到数据。', 'No data collected in this period.']}
          {...shown}
          waiting={series.isPending}
          written={written}
          height={150}
          {...(unit === '%' && metric !== Metric.load && metric !== Metric.programProcessor && { top: 100 })}
        />
      )}
    </section>
  )
}

function useSeries(serverId: string, metric: MetricCode, range: Range) {
  const call =
    metric === Metric.processor ? performance.queryCpuProportion : metric === Metric.memory ? performance.queryMemProportion : performance.series
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
