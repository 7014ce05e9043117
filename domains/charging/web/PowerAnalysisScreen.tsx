import { useQuery } from '@tanstack/react-query'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/Chart.tsx'
import { ExportButton } from '../../../platform/web/ExportButton.tsx'
import { PageHead } from '../../../platform/web/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Waiting } from '../../../platform/web/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/Tiles.tsx'
import { analysis } from '../contract/analysis.ts'
import { CHARGED, LOADS, USED } from '../contract/figures.ts'
import { Compare } from '../contract/span.ts'
import { PeriodKind } from '../contract/strategy.ts'
import { billsOf, kw, kwh, partOf, wholeOf } from './figures.ts'
import { SpanBar, useSpan } from './span.tsx'

/** Of the two bars of a group. */
const BILLED = 1
/** Energy as it was delivered, beside what was billed of it. */
export default function PowerAnalysisScreen() {
  const say = useText()
  const { span, set } = useSpan()
  const query = useQuery(asks(analysis.chargingCapacity, span as never))
  const times = useQuery(asks(analysis.queryTime, span as never))
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  const found = query.data
  const against: Text = span.compare === Compare.lastYear ? ['同比', 'vs last year'] : ['环比', 'vs previous period']
  const name = (key: string) => {
    const entry = PeriodKind.entries[Number(key) as never] as readonly [string, string] | undefined
    return entry ? say([entry[0], entry[1]]) : key
  }
  return (
    <div className="page charging-page">
      <PageHead
        purpose={[
          '充电量按发生时间，计费电量按账单；两者之差是尚未结算的；电量不可信的异常订单处理后才计入',
          'Energy delivered is counted as it flows, billed energy by bill; the difference is not billed yet. Charges with an implausible reading count once they are closed',
        ]}
      />
      <SpanBar {...{ span, set }} />
      <div className="charging-tools">{can(analysis.capacityExport.needs) && <ExportButton call={analysis.capacityExport} criteria={span} />}</div>
      {!found ? (
        <Waiting lines={8} />
      ) : (
        <>
          <Tiles label={['电量', 'Energy']}>
            <Tile
              figure={USED.deliveredWh}
              value={kwh(found.deliveredWh)}
              unit={['度', 'kWh']}
              {...(found.prevDeliveredWh !== null && { today: found.deliveredWh, before: found.prevDeliveredWh, against })}
            />
            <Tile figure={CHARGED.billedWh} value={kwh(found.billedWh)} unit={['度', 'kWh']} to={billsOf(wholeOf(span))} />
            <Tile figure={USED.peakW} value={found.peakW === null ? null : kw(found.peakW)} unit={['kW', 'kW']} />
            <Tile figure={LOADS.limitW} value={found.limitW === null ? null : kw(found.limitW)} unit={['kW', 'kW']} />
          </Tiles>
          <Chart
            kind="bar"
            title={['充电量与计费电量', 'Energy delivered and billed']}
            figures={[USED.deliveredWh, CHARGED.billedWh]}
            label={['度', 'kWh']}
            by={['分组', 'Group']}
            categories={found.rows.map((one) => one.name)}
            series={[
              { name: USED.deliveredWh.name, values: found.rows.map((one) => one.deliveredWh) },
              { name: CHARGED.billedWh.name, values: found.rows.map((one) => one.billedWh) },
            ]}
            written={(value) => kwh(value)}
            // A charge gives its energy over hours and days: only what was billed has a list that sums to it.
            leads={(at, of) => (of === BILLED && found.rows[at] ? billsOf(partOf(found.rows[at].key, span)) : undefined)}
          />
          <div className="charging-parts">
            <Chart
              kind="share"
              title={['按时段类型（计费）', 'By period type (billed)']}
              figures={[CHARGED.billedWh]}
              label={['度', 'kWh']}
              by={['时段', 'Period']}
              categories={found.byKind.map(({ key }) => name(key))}
              series={[{ name: ['电量', 'Energy'], values: found.byKind.map(({ wh }) => wh) }]}
              written={(value) => kwh(value)}
            />
            <Chart
              kind="share"
              title={['交流与直流', 'AC and DC']}
              figures={[USED.deliveredWh]}
              label={['度', 'kWh']}
              by={['类型', 'Type']}
              categories={found.byCurrent.map(({ key }) => say(key === 'AC' ? ['交流', 'AC'] : ['直流', 'DC']))}
              series={[{ name: ['电量', 'Energy'], values: found.byCurrent.map(({ wh }) => wh) }]}
              written={(value) => kwh(value)}
            />
          </div>
          {times.data && (
            <Chart
              kind="line"
              title={['一天里的充电量', 'Energy by time of day']}
              figures={[USED.deliveredWh]}
              label={['度', 'kWh']}
              by={['时间', 'Time']}
              categories={times.data.day.map(({ half }) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`)}
              series={[{ name: ['电量', 'Energy'], values: times.data.day.map(({ wh }) => wh), filled: true }]}
              written={(value) => kwh(value)}
            />
          )}
        </>
      )}
    </div>
  )
}
