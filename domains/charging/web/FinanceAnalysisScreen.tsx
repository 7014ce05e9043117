import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { Link, useSearchParams } from 'react-router'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { dayEnd, dayStart } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { CHARGED, PREPAID } from '../contract/figures.ts'
import { finance } from '../contract/finance.ts'
import { billSearch } from '../contract/money.ts'
import { billsOf, wholeOf } from './figures.ts'
import { SpanBar, useSpan } from './span.tsx'
import { StationName, StationSelect } from './stations.tsx'

/** Prepaid money from day to day, as the ledger has it, and the bills behind every figure. */
export default function FinanceAnalysisScreen() {
  const say = useText()
  const [address, setAddress] = useSearchParams()
  const view = address.get('view') === 'bills' ? 'bills' : 'days'
  return (
    <div className="page charging-page">
      <Segmented
        value={view}
        onChange={(value) => setAddress(value === 'bills' ? { view: 'bills' } : {})}
        options={[
          { value: 'days', label: say(['日报', 'By day']) },
          { value: 'bills', label: say(['账单', 'Bills']) },
        ]}
      />
      {view === 'bills' ? <Bills /> : <Days />}
    </div>
  )
}

const SUMS = ['receivableFen', 'discountFen', 'paidFen', 'waivedFen', 'arrearsFen', 'partnerFen', 'refundFen', 'netFen'] as const
const NAMES: Record<(typeof SUMS)[number], Text> = {
  receivableFen: ['应收', 'Receivable'],
  discountFen: ['优惠', 'Discount'],
  paidFen: ['实收', 'Paid'],
  waivedFen: ['减免', 'Waived'],
  arrearsFen: ['欠费', 'Arrears'],
  partnerFen: ['平台应收', 'Partners'],
  refundFen: ['退款', 'Refunded'],
  netFen: ['净收', 'Net'],
}
function Bills() {
  const say = useText()
  return (
    <ListScreen
      purpose={['每笔结算账单；合计与收入分析一致', 'All final bills; totals match the income analysis']}
      query={finance.queryChargeOrder}
      search={billSearch}
      find={['finalAt', { name: 'stationId', label: ['充电站', 'Station'], control: <StationSelect /> }, 'kind', 'orderNo', 'billNo']}
      columns={[
        'billNo',
        'orderNo',
        { dataIndex: 'stationId', title: say(['充电站', 'Station']), render: (_, row) => <StationName id={row.stationId} /> },
        'kind',
        'finalAt',
        'elecFen',
        'serviceFen',
        'occupyFen',
        'discountFen',
        'payableFen',
        'capturedFen',
        'waivedFen',
        'arrearsFen',
        'partnerFen',
        'paidBy',
        'adjustFen',
        'energyWh',
      ]}
      hidden={['occupyFen', 'waivedFen', 'adjustFen', 'energyWh']}
      roomy={['arrearsFen', 'partnerFen', 'elecFen', 'serviceFen']}
      exports={finance.queryChargeOrderExport}
      toolbar={(list) => <Sums criteria={list.criteria} />}
    />
  )
}
function Sums({ criteria }: { criteria: object }) {
  const say = useText()
  const { data } = useQuery(asks(finance.queryChargeOrderSum, criteria as never, { quiet: true }))
  if (!data) return null
  return (
    <span className="faint">
      {SUMS.map((name) => (
        <span key={name}>
          {say(NAMES[name])} <Money fen={data[name]} />{' '}
        </span>
      ))}
    </span>
  )
}

const COLUMNS = [
  'openFen',
  'inFen',
  'capturedFen',
  'releasedFen',
  'closeFen',
  'receivableFen',
  'discountFen',
  'paidFen',
  'waivedFen',
  'arrearsFen',
  'partnerFen',
  'refundFen',
] as const
const HEADS: Record<(typeof COLUMNS)[number], Text> = {
  openFen: ['期初预付', 'Opening prepayments'],
  inFen: ['收预付', 'Received'],
  capturedFen: ['结算', 'Captured'],
  releasedFen: ['退回', 'Released'],
  closeFen: ['期末预付', 'Closing prepayments'],
  receivableFen: NAMES.receivableFen,
  discountFen: NAMES.discountFen,
  paidFen: NAMES.paidFen,
  waivedFen: NAMES.waivedFen,
  arrearsFen: NAMES.arrearsFen,
  partnerFen: NAMES.partnerFen,
  refundFen: NAMES.refundFen,
}
const ROWS_MOST = 500
function Days() {
  const say = useText()
  const { span, set } = useSpan()
  const query = useQuery(asks(finance.queryFinance, { ...span, limit: ROWS_MOST } as never))
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  const rows = query.data?.records ?? []
  const sum = (name: string) => query.data && <Money fen={query.data.sums?.[name] ?? 0} />
  return (
    <>
      <PageHead
        purpose={[
          '期初 + 收 − 结算 − 退 = 期末，与总账「充电预付」一致',
          'Opening + received − captured − released = closing, matching charging prepayments in the ledger',
        ]}
      />
      <SpanBar {...{ span, set }} how={false} compare={false} />
      <Tiles label={['财务', 'Finance']}>
        {(['inFen', 'capturedFen', 'releasedFen', 'closeFen'] as const).map((name) => (
          <Tile key={name} figure={PREPAID[name]} value={sum(name)} to={false} />
        ))}
        <Tile figure={CHARGED.receivableFen} value={sum('receivableFen')} to={billsOf(wholeOf(span))} />
        <Tile figure={CHARGED.paidFen} value={sum('paidFen')} to={billsOf(wholeOf(span))} />
      </Tiles>
      <div className="charging-tools">
        {can(finance.queryFinanceExport.needs) && <ExportButton call={finance.queryFinanceExport} criteria={span} />}
      </div>
      {!query.data ? (
        <Waiting lines={8} />
      ) : rows.length === 0 ? (
        <Nothing />
      ) : (
        <div className="charging-table">
          <table className="lines">
            <thead>
              <tr>
                <th>{say(['日期', 'Day'])}</th>
                <th>{say(['充电站', 'Station'])}</th>
                {COLUMNS.map((name) => (
                  <th key={name} className="right">
                    {say(HEADS[name])}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.day} ${row.stationId}`}>
                  <td>
                    <Link to={billsOf({ from: dayStart(row.day), to: dayEnd(row.day), stationId: row.stationId })}>{row.day}</Link>
                  </td>
                  <td>{row.name}</td>
                  {COLUMNS.map((name) => (
                    <td key={name} className="right">
                      <Money fen={row[name]} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
