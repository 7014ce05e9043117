import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { analysis } from '../contract/analysis.ts'
import { CHARGED, LOADS, USED } from '../contract/figures.ts'
import { Compare } from '../contract/span.ts'
import { PeriodKind } from '../contract/strategy.ts'
import { billsOf, kw, kwh, partOf, wholeOf } from './figures.ts'
import { type Span, SpanBar, useSpan } from './span.tsx'

/** Energy as it was delivered, beside what was billed of it. */
export default function EnergyAnalysisScreen() {
  const { span, set } = useSpan()
  const query = useQuery(asks(analysis.chargingCapacity, span as never))
  const times = useQuery(asks(analysis.queryTime, span as never))
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  const found = query.data
  return (
    <div className="page charging-page">
      <PageHead
        purpose={[
          '充电量按发生时间，计费电量按账单；两者之差是尚未结算的；电量不可信的异常订单处理后才计入',
          'Energy delivered is counted as it flows, billed energy by bill; the difference is not billed yet. Sessions with an implausible reading count once they are closed',
        ]}
      />
      <SpanBar {...{ span, set }} />
      <div className="charging-tools">{can(analysis.capacityExport.needs) && <ExportButton call={analysis.capacityExport} criteria={span} />}</div>
      {!found ? (
        <Waiting lines={8} />
      ) : (
        <>
          <Totals of={found} span={span} />
          <DeliveredAndBilled of={found.rows} span={span} />
          <div className="charging-parts">
            <ByPeriodType of={found.byKind} />
            <ByCurrent of={found.byCurrent} />
          </div>
          {times.data && <OverTheDay of={times.data.day} />}
        </>
      )}
    </div>
  )
}

type Found = Of<typeof analysis.chargingCapacity.reply>
function Totals({ of, span }: { of: Found; span: Span }) {
  const against: Text = span.compare === Compare.lastYear ? ['同比', 'vs last year'] : ['环比', 'vs previous period']
  return (
    <Tiles label={['电量', 'Energy']}>
      <Tile
        figure={USED.deliveredWh}
        value={kwh(of.deliveredWh)}
        unit={['度', 'kWh']}
        {...(of.prevDeliveredWh !== null && { today: of.deliveredWh, before: of.prevDeliveredWh, against })}
      />
      <Tile figure={CHARGED.billedWh} value={kwh(of.billedWh)} unit={['度', 'kWh']} to={billsOf(wholeOf(span))} />
      <Tile figure={USED.peakW} value={of.peakW === null ? null : kw(of.peakW)} unit={['kW', 'kW']} />
      <Tile figure={LOADS.limitW} value={of.limitW === null ? null : kw(of.limitW)} unit={['kW', 'kW']} />
    </Tiles>
  )
}

/** Of the two bars of a group. */
const BILLED = 1
function DeliveredAndBilled({ of, span }: { of: Found['rows']; span: Span }) {
  return (
    <Chart
      kind="bar"
      title={['充电量与计费电量', 'Energy delivered and billed']}
      figures={[USED.deliveredWh, CHARGED.billedWh]}
      label={['度', 'kWh']}
      by={['分组', 'Group']}
      categories={of.map((one) => one.name)}
      series={[
        { name: USED.deliveredWh.name, values: of.map((one) => one.deliveredWh) },
        { name: CHARGED.billedWh.name, values: of.map((one) => one.billedWh) },
      ]}
      written={(value) => kwh(value)}
      // A charge gives its energy over hours and days: only what was billed has a list that sums to it.
      leads={(at, bar) => (bar === BILLED && of[at] ? billsOf(partOf(of[at].key, span)) : undefined)}
    />
  )
}

function ByPeriodType({ of }: { of: Found['byKind'] }) {
  const say = useText()
  const name = (key: string) => {
    const entry = PeriodKind.entries[Number(key) as never] as readonly [string, string] | undefined
    return entry ? say([entry[0], entry[1]]) : key
  }
  return (
    <Chart
      kind="share"
      title={['按时段类型（计费）', 'By period type (billed)']}
      figures={[CHARGED.billedWh]}
      label={['度', 'kWh']}
      by={['时段', 'Period']}
      categories={of.map(({ key }) => name(key))}
      series={[{ name: ['电量', 'Energy'], values: of.map(({ wh }) => wh) }]}
      written={(value) => kwh(value)}
    />
  )
}

function ByCurrent({ of }: { of: Found['byCurrent'] }) {
  const say = useText()
  return (
    <Chart
      kind="share"
      title={['交流与直流', 'AC and DC']}
      figures={[USED.deliveredWh]}
      label={['度', 'kWh']}
      by={['类型', 'Type']}
      categories={of.map(({ key }) => say(key === 'AC' ? ['交流', 'AC'] : ['直流', 'DC']))}
      series={[{ name: ['电量', 'Energy'], values: of.map(({ wh }) => wh) }]}
      written={(value) => kwh(value)}
    />
  )
}

function OverTheDay({ of }: { of: Of<typeof analysis.queryTime.reply>['day'] }) {
  return (
    <Chart
      kind="line"
      title={['一天里的充电量', 'Energy by time of day']}
      figures={[USED.deliveredWh]}
      label={['度', 'kWh']}
      by={['时间', 'Time']}
      categories={of.map(({ half }) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`)}
      series={[{ name: ['电量', 'Energy'], values: of.map(({ wh }) => wh), filled: true }]}
      written={(value) => kwh(value)}
    />
  )
}
