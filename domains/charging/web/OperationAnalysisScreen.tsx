import { lasting } from '../../../platform/contract/duration.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { percent } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Duration } from '../../../platform/web/value.tsx'
import { analysis } from '../contract/analysis.ts'
import { USED } from '../contract/figures.ts'
import { chargesOf, kwh, lengthsOf, wholeOf } from './figures.ts'
import { SpanBar, useSpan } from './span.tsx'

const WEEK: readonly Text[] = [
  ['一', 'Mon'],
  ['二', 'Tue'],
  ['三', 'Wed'],
  ['四', 'Thu'],
  ['五', 'Fri'],
  ['六', 'Sat'],
  ['日', 'Sun'],
]
const HEADS: readonly Text[] = [
  ['充电站', 'Station'],
  ['充电枪数', 'Connectors'],
  ['充电时长', 'Charging time'],
  ['时间利用率', 'Time utilisation'],
  ['功率利用率', 'Power utilisation'],
  ['次数', 'Sessions'],
  ['电量（度）', 'kWh'],
  ['单枪日均（度）', 'Daily kWh per connector'],
  ['平均时长（已结束）', 'Average duration (ended)'],
  ['启动成功率', 'Start success'],
  ['在线率', 'Online rate'],
]

/** How stations are used, and when. */
export default function OperationAnalysisScreen() {
  const say = useText()
  const { span, set } = useSpan()
  const used = useQuery(asks(analysis.operationsAnalysis, { ...span, limit: 100 } as never))
  const times = useQuery(asks(analysis.queryTime, span as never))
  const failed = [used, times].find(({ isError, data }) => isError && !data)
  if (failed) return <Failed error={failed.error as Refusal} retry={() => void failed.refetch()} />
  return (
    <div className="page charging-page">
      <PageHead
        purpose={['利用率按投用时间计算；点击站名查看充电订单', 'Utilisation is based on time in service; choose a station to see its sessions']}
      />
      <SpanBar {...{ span, set }} how={false} compare={false} />
      <div className="charging-tools">
        {can(analysis.operationsAnalysisExport.needs) && <ExportButton call={analysis.operationsAnalysisExport} criteria={span} />}
      </div>
      {!used.data ? (
        <Waiting lines={6} />
      ) : (
        <div className="charging-table">
          <table className="lines">
            <thead>
              <tr>
                {HEADS.map((head, at) => (
                  <th key={head[1]} className={at > 0 ? 'right' : undefined}>
                    {say(head)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {used.data.records.map((one) => (
                <tr key={one.stationId}>
                  <td>
                    <Link to={chargesOf({ ...wholeOf(span), stationId: one.stationId })}>{one.name}</Link>
                  </td>
                  <td className="right">{one.connectors}</td>
                  <td className="right">
                    <Duration minutes={one.chargingMin} />
                  </td>
                  <td className="right">{percent(one.timeUse)}</td>
                  <td className="right">{percent(one.powerUse)}</td>
                  <td className="right">{one.sessions}</td>
                  <td className="right">{kwh(one.deliveredWh)}</td>
                  <td className="right">{kwh(one.whPerDay)}</td>
                  <td className="right">
                    <Duration minutes={one.avgMin} />
                  </td>
                  <td className="right">{percent(one.startRate)}</td>
                  <td className="right">{percent(one.onlineRate)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!times.data ? <Waiting lines={8} /> : <Times of={times.data} span={span} />}
    </div>
  )
}

type Found = Of<typeof analysis.queryTime.reply>
function Times({ of, span }: { of: Found; span: ReturnType<typeof useSpan>['span'] }) {
  const say = useText()
  const most = Math.max(1, ...of.week.map(({ chargingMin }) => chargingMin))
  return (
    <>
      <section className="charging-week">
        <header className="charging-tools">
          <h2>{say(['一周里的充电时长', 'Charging time by weekday'])}</h2>
          {can(analysis.exportQueryTime.needs) && <ExportButton call={analysis.exportQueryTime} criteria={span} />}
        </header>
        <table>
          <thead>
            <tr>
              <th>{say(['星期', 'Day'])}</th>
              {Array.from({ length: 24 }, (_, hour) => (
                <th key={hour}>{hour}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEK.map((name, index) => (
              <tr key={name[1]}>
                <th>{say(name)}</th>
                {of.week
                  .filter(({ weekday }) => weekday === index + 1)
                  .map(({ hour, chargingMin, starts }) => (
                    <td
                      key={hour}
                      style={{ '--part': chargingMin / most } as never}
                      title={say([
                        `${lasting(chargingMin)[0]}，启动 ${starts} 次`,
                        `${lasting(chargingMin)[1]}, ${starts} ${plural(starts, 'start')}`,
                      ])}
                    >
                      {chargingMin || ''}
                    </td>
                  ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="charging-parts">
        <Chart
          kind="bar"
          title={['充电时长分布（已结束）', 'Durations of sessions that ended']}
          figures={[USED.ended]}
          label={['次数', 'Sessions']}
          by={['时长', 'Time']}
          categories={of.durations.map((one) => say(lengthsOf(one)))}
          series={[{ name: ['次数', 'Sessions'], values: of.durations.map(({ count }) => count) }]}
        />
        <Chart
          kind="line"
          title={['一天里的充电量', 'Energy by time of day']}
          figures={[USED.deliveredWh]}
          label={['度', 'kWh']}
          by={['时间', 'Time']}
          categories={of.day.map(({ half }) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`)}
          series={[{ name: ['电量', 'Energy'], values: of.day.map(({ wh }) => wh), filled: true }]}
          written={(value) => kwh(value)}
        />
      </div>
    </>
  )
}
