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
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { CHARGED } from '../contract/figures.ts'
import { analysis } from '../contract/analysis.ts'
import { Compare } from '../contract/span.ts'
import { billsOf, chargeBillsOf, kwh, money, partOf, wholeOf } from './figures.ts'
import { SpanBar, useSpan } from './span.tsx'

const COLUMNS = ['receivableFen', 'discountFen', 'paidFen', 'waivedFen', 'arrearsFen', 'partnerFen', 'refundFen', 'netFen'] as const
/** What charging brought in, by the bills that became final. */
export default function IncomeAnalysisScreen() {
  const say = useText()
  const { span, set } = useSpan()
  const query = useQuery(asks(analysis.incomeQuery, span as never))
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  const { now, before, bars = [], best = [] } = query.data ?? {}
  const against: Text = span.compare === Compare.lastYear ? ['同比', 'vs last year'] : ['环比', 'vs previous period']
  const linkOf = (key: string) => billsOf(partOf(key, span))
  return (
    <div className="page charging-page">
      <PageHead
        purpose={[
          '按账单结算时间统计：应收 = 优惠 + 实收 + 减免 + 欠费 + 平台应收',
          'By billing time: receivable = discounts + paid + waived + arrears + partners',
        ]}
      />
      <SpanBar {...{ span, set }} />
      {!now ? (
        <Waiting lines={8} />
      ) : (
        <>
          <Tiles label={['收入', 'Income']}>
            {(['receivableFen', 'paidFen', 'refundFen', 'netFen'] as const).map((name) => (
              <Tile
                key={name}
                figure={CHARGED[name]}
                to={billsOf(wholeOf(span))}
                value={<Money fen={now[name]} />}
                {...(before && { today: now[name], before: before[name], against })}
              />
            ))}
            <Tile
              figure={CHARGED.orders}
              to={chargeBillsOf(wholeOf(span))}
              value={now.orders}
              {...(before && { today: now.orders, before: before.orders, against })}
            />
            <Tile
              figure={CHARGED.billedWh}
              to={billsOf(wholeOf(span))}
              value={kwh(now.billedWh)}
              unit={['度', 'kWh']}
              {...(before && { today: now.billedWh, before: before.billedWh, against })}
            />
          </Tiles>
          <Charts bars={bars} best={best} linkOf={linkOf} ofStation={(stationId) => billsOf({ ...wholeOf(span), stationId })} />
          <div className="charging-tools">
            {can(analysis.incomeQueryPageExport.needs) && <ExportButton call={analysis.incomeQueryPageExport} criteria={span} />}
          </div>
          <Rows rows={bars} linkOf={linkOf} compared={span.compare !== undefined} say={say} />
        </>
      )}
    </div>
  )
}

type Found = Of<typeof analysis.incomeQuery.reply>
function Charts({
  bars,
  best,
  linkOf,
  ofStation,
}: Pick<Found, 'bars' | 'best'> & { linkOf: (key: string) => string; ofStation: (stationId: string) => string }) {
  return (
    <div className="charging-parts">
      <Chart
        kind="stack"
        title={['应收构成', 'Receivable by item']}
        figures={[CHARGED.receivableFen]}
        label={['应收（元）', 'Receivable (yuan)']}
        by={['分组', 'Group']}
        categories={bars.map(({ name }) => name)}
        series={[
          { name: ['电费', 'Electricity'], values: bars.map((one) => one.elecFen) },
          { name: ['服务费', 'Service'], values: bars.map((one) => one.serviceFen) },
          { name: ['占位费', 'Idle fee'], values: bars.map((one) => one.occupyFen) },
        ]}
        written={money}
        leads={(at) => bars[at] && linkOf(bars[at].key)}
      />
      <Chart
        kind="rank"
        title={['站点前十', 'Top ten stations']}
        figures={[CHARGED.receivableFen]}
        label={['应收（元）', 'Receivable (yuan)']}
        by={['充电站', 'Station']}
        categories={best.map(({ name }) => name)}
        series={[{ name: ['应收', 'Receivable'], values: best.map((one) => one.receivableFen) }]}
        written={money}
        leads={(at) => best[at] && ofStation(best[at].stationId)}
      />
    </div>
  )
}

const HEADS: Record<(typeof COLUMNS)[number], Text> = {
  receivableFen: ['应收', 'Receivable'],
  discountFen: ['优惠', 'Discount'],
  paidFen: ['实收', 'Paid'],
  waivedFen: ['减免', 'Waived'],
  arrearsFen: ['欠费', 'Arrears'],
  partnerFen: ['平台应收', 'Partners'],
  refundFen: ['退款', 'Refunded'],
  netFen: ['净收', 'Net'],
}
function Rows({
  rows,
  linkOf,
  compared,
  say,
}: {
  rows: readonly ({ key: string; name: string; orders: number; billedWh: number; ratio: number | null } & Record<(typeof COLUMNS)[number], number>)[]
  linkOf: (key: string) => string
  compared: boolean
  say: ReturnType<typeof useText>
}) {
  return (
    <div className="charging-table">
      <table className="lines">
        <thead>
          <tr>
            <th>{say(['分组', 'Group'])}</th>
            <th className="right">{say(['订单', 'Sessions'])}</th>
            <th className="right">{say(['电量（度）', 'kWh'])}</th>
            {COLUMNS.map((name) => (
              <th key={name} className="right">
                {say(HEADS[name])}
              </th>
            ))}
            {compared && <th className="right">{say(['应收变化', 'Change'])}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <td>
                <Link to={linkOf(row.key)}>{row.name}</Link>
              </td>
              <td className="right">{row.orders}</td>
              <td className="right">{kwh(row.billedWh)}</td>
              {COLUMNS.map((name) => (
                <td key={name} className="right">
                  <Money fen={row[name]} />
                </td>
              ))}
              {compared && <td className="right">{percent(row.ratio)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
