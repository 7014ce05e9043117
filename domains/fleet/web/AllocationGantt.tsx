import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Tone } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Gantt, type GanttBar } from '../../../platform/web/time/Gantt.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Plate } from '../../../platform/web/value.tsx'
import { allocation, AllocationState } from '../contract/allocation.ts'

const DAY_MS = 86_400_000
const BEFORE_MS = DAY_MS
const SPAN_MS = 7 * DAY_MS
/** As many as a page shows; more are found by the list. */
const SHOWN = 500
const HOUR_MS = 3_600_000
const TONES: Record<number, Tone> = {
  [AllocationState.applied]: 'warning',
  [AllocationState.approved]: 'success',
  [AllocationState.out]: 'error',
  [AllocationState.returned]: 'default',
}

/** Allocations of the cars over time: yesterday and the six days to come. */
export function AllocationGantt({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const go = useNavigate()
  // By the hour, so that the same question is asked again and not a new one at every drawing.
  const from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - BEFORE_MS
  const to = from + SPAN_MS
  const input = {
    planFromTo: new Date(to).toISOString(),
    planToFrom: new Date(from).toISOString(),
    state: [AllocationState.applied, AllocationState.approved, AllocationState.out, AllocationState.returned],
    limit: SHOWN,
  } as never
  const { data, isError, error, refetch } = useQuery(asks(allocation.query, input, { quiet: true }))
  const rows = new Map<string, { plate: ReactNode; bars: GanttBar[] }>()
  for (const one of data?.records ?? []) {
    const row: { plate: ReactNode; bars: GanttBar[] } = rows.get(one.vehicleId) ?? {
      plate: <Plate number={one.vehicleNo} color={one.plateColor} />,
      bars: [],
    }
    row.bars.push({
      key: one.id,
      from: one.outAt ?? one.planFrom,
      to: one.inAt ?? one.planTo,
      title: `${one.driverName} ${one.dest} ${say(AllocationState.entries[one.state])}`,
      tone: TONES[one.state] ?? 'default',
      onOpen: () => void go(`/car/distribution/${one.id}`),
    })
    rows.set(one.vehicleId, row)
  }
  return (
    <div className="page">
      <PageHead purpose={['每辆车的派车排期：点一段看派车单', 'Allocation schedule of every vehicle; click a bar to see the allocation']} />
      <div className="line-buttons">{toolbar}</div>
      {isError && !data ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting lines={6} />
      ) : rows.size === 0 ? (
        <Nothing>{say(['这几天没有派车', 'No allocations on these days'])}</Nothing>
      ) : (
        <Gantt
          label={['派车排期', 'Schedule']}
          head={['车辆', 'Vehicle']}
          span={{ from, to }}
          now={Date.now()}
          rows={[...rows].map(([key, { plate, bars }]) => ({ key, name: plate, bars }))}
        />
      )}
    </div>
  )
}
