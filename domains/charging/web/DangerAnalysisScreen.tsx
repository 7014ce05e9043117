import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { percent } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { danger, DangerKind, DangerLevel, DangerState, OPEN_DANGERS } from '../contract/danger.ts'
import { HAZARDS } from '../contract/figures.ts'
import { dangersOf, partOf, wholeOf } from './figures.ts'
import { type Span, SpanBar, useSpan } from './span.tsx'

const DAYS = 30
/** Of the two bars of a day. */
const CLOSED = 1
/** What was found, how grave, of what kind, and whether it is gone. */
export default function DangerAnalysisScreen() {
  const { span, set } = useSpan(DAYS)
  const filter = { foundAtFrom: span.timeFrom, foundAtTo: span.timeTo, ...(span.stationId && { stationId: span.stationId }) }
  const counts = useQuery(asks(danger.hiddenDangerCount, filter as never))
  const tiles = useQuery(asks(danger.hiddenDangerCnt, filter as never))
  const failed = [counts, tiles].find(({ isError, data }) => isError && !data)
  if (failed) return <Failed error={failed.error as Refusal} retry={() => void failed.refetch()} />
  const whole = wholeOf(span)
  return (
    <div className="page charging-page">
      <PageHead purpose={['按发现时间统计；合计与隐患列表一致', 'Counted by the time found; totals match the hazard list']} />
      <SpanBar {...{ span, set }} how={false} compare={false} />
      <div className="charging-tools">{can(danger.export.needs) && <ExportButton call={danger.export} criteria={filter} />}</div>
      {!counts.data || !tiles.data ? (
        <Waiting lines={8} />
      ) : (
        <>
          <Tiles label={['隐患', 'Hazards']}>
            <Tile figure={HAZARDS.total} value={tiles.data.total} to={dangersOf(whole)} />
            <Tile figure={HAZARDS.open} value={tiles.data.open} to={dangersOf(whole, { state: OPEN_DANGERS })} />
            <Tile
              figure={HAZARDS.overdue}
              value={tiles.data.overdue}
              to={dangersOf(whole, { state: OPEN_DANGERS, late: true })}
              tone={tiles.data.overdue > 0 && 'error'}
            />
            <Tile figure={HAZARDS.closedLate} value={tiles.data.closedLate} to={dangersOf(whole, { state: DangerState.closed, late: true })} />
            <Tile
              figure={HAZARDS.closedRate}
              to={dangersOf(whole, { state: DangerState.closed })}
              value={tiles.data.closedRate === null ? null : percent(tiles.data.closedRate)}
            />
          </Tiles>
          <Charts of={counts.data} span={span} />
        </>
      )}
    </div>
  )
}
type Counts = Of<typeof danger.hiddenDangerCount.reply>
function Charts({ of: data, span }: { of: Counts; span: Span }) {
  const say = useText()
  const whole = wholeOf(span)
  const levels = Object.keys(DangerLevel.entries).map(Number).toReversed()
  const states = Object.keys(DangerState.entries).map(Number)
  const of = (level: number, state: number) => data.rows.find((row) => row.level === level && row.state === state)?.count ?? 0
  return (
    <>
      <div className="charging-parts">
        <Chart
          kind="stack"
          title={['按级别和状态', 'By level and status']}
          figures={[HAZARDS.total]}
          label={['隐患', 'Hazards']}
          by={['级别', 'Level']}
          categories={levels.map((level) => say(pairOf(DangerLevel, level)))}
          series={states.map((state) => ({
            name: pairOf(DangerState, state),
            values: levels.map((level) => of(level, state)),
            ...(state === DangerState.overdue && { tone: 'bad' as const }),
            ...(state === DangerState.closed && { tone: 'quiet' as const }),
          }))}
          leads={(at, series) => dangersOf(whole, { level: levels[at]!, state: states[series]! })}
        />
        <Chart
          kind="rank"
          title={['按类型', 'By type']}
          figures={[HAZARDS.total]}
          label={['隐患', 'Hazards']}
          by={['类型', 'Type']}
          categories={data.byKind.map(({ kind }) => say(pairOf(DangerKind, kind)))}
          series={[{ name: ['隐患', 'Hazards'], values: data.byKind.map(({ count }) => count) }]}
          leads={(at) => data.byKind[at] && dangersOf(whole, { kind: data.byKind[at].kind })}
        />
      </div>
      <Chart
        kind="bar"
        title={['按日', 'By day']}
        figures={[HAZARDS.total]}
        label={['隐患', 'Hazards']}
        by={['日期', 'Day']}
        categories={data.byDay.map(({ day }) => day)}
        series={[
          { name: ['新增', 'Found'], values: data.byDay.map(({ found }) => found) },
          { name: ['已闭环', 'Closed by now'], values: data.byDay.map(({ closed }) => closed), tone: 'quiet' },
        ]}
        leads={(at, series) => data.byDay[at] && dangersOf(partOf(data.byDay[at].day, span), series === CLOSED ? { state: DangerState.closed } : {})}
      />
    </>
  )
}
const pairOf = (dictionary: { entries: Record<number, readonly [string, string, ...unknown[]]> }, code: number): readonly [string, string] => [
  dictionary.entries[code]![0],
  dictionary.entries[code]![1],
]
