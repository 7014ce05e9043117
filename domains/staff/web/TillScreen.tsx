import { useQuery } from '@tanstack/react-query'
import { Segmented, Table } from 'antd'
import type { ReactNode } from 'react'
import { useParams, useSearchParams } from 'react-router'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { cityDay, percent, yuan } from '../../../platform/web/format.ts'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { ParkSelect } from '../../parking/web/api/names.tsx'
import { COLLECTED } from '../contract/figures.ts'
import { till } from '../contract/till.ts'
import { Tills } from './Tills.tsx'
import './staff.css'

type Shown = 'people' | 'shifts'
const PURPOSE = [
  '收费员的收款：按人，或按收银班次；合计与现金账一致',
  'Collectors’ receipts by person or by cash shift; totals match the cash ledger',
] as const
const TOP = 20
const SHOWN = 500

/** Money that collectors took. */
export default function TillScreen() {
  const say = useText()
  const { id } = useParams()
  const [params, setParams] = useSearchParams()
  const shown: Shown = id || params.get('tab') === 'shifts' ? 'shifts' : 'people'
  const toolbar = (
    <Segmented<Shown>
      value={shown}
      onChange={(next) => setParams(next === 'shifts' ? { tab: next } : {})}
      options={[
        { value: 'people', label: say(['按人', 'By person']) },
        { value: 'shifts', label: say(['按收银班次', 'By cash shift']) },
      ]}
    />
  )
  if (shown === 'people') return <People toolbar={toolbar} />
  return <Tills purpose={PURPOSE} toolbar={toolbar} />
}

function People({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const today = cityDay()
  const from = (params.get('from') ?? `${today.slice(0, 7)}-01`) as Day
  const to = (params.get('to') ?? today) as Day
  const parkCode = params.get('parkCode') ?? undefined
  const set = (next: Record<string, string | undefined>) =>
    setParams(Object.fromEntries(Object.entries({ from, to, parkCode, ...next }).filter((one): one is [string, string] => !!one[1])))
  const { data, error, refetch } = useQuery(
    asks(till.people, { workDateFrom: from, workDateTo: to, limit: SHOWN, ...(parkCode && { parkCode }) }, { quiet: true }),
  )
  const rows = data?.records ?? []
  const sums = data?.sums ?? {}
  const sum = (name: string) => <Money fen={sums[name] ?? 0} />
  return (
    <div className="list">
      <PageHead purpose={PURPOSE} />
      <div className="roster-bar">
        {toolbar}
        <DateRange plain value={[from, to]} onChange={(days) => days && set({ from: days[0], to: days[1] })} />
        <ParkSelect value={parkCode} onChange={(parkCode) => set({ parkCode })} />
      </div>
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting />
      ) : rows.length === 0 ? (
        <Nothing>{say(['这些天没有收银班次', 'No cash shifts on these days'])}</Nothing>
      ) : (
        <>
          <Tiles label={['收费', 'Collection']}>
            {(['paidFen', 'cashFen', 'scanFen', 'refundFen', 'netFen'] as const).map((name) => (
              <Tile key={name} figure={COLLECTED[name]} within={{ from, to, parkCode }} value={sum(name)} />
            ))}
          </Tiles>
          <Chart
            label={['实收', 'Paid']}
            kind="rank"
            by={['收费员', 'Collector']}
            categories={rows.slice(0, TOP).map(({ name }) => name)}
            written={yuan}
            series={[
              { name: COLLECTED.cashFen.name, values: rows.slice(0, TOP).map(({ cashFen }) => cashFen) },
              { name: COLLECTED.scanFen.name, values: rows.slice(0, TOP).map(({ scanFen }) => scanFen) },
            ]}
          />
          <Collectors rows={rows} />
        </>
      )}
    </div>
  )
}

type Collected = Of<typeof till.people.reply>['records'][number]
function Collectors({ rows }: { rows: readonly Collected[] }) {
  const say = useText()
  const money = (name: 'receivableFen' | 'paidFen' | 'cashFen' | 'scanFen' | 'refundFen' | 'netFen', zh: string, en: string) => ({
    title: say([zh, en]),
    align: 'right' as const,
    sorter: (a: Collected, b: Collected) => a[name] - b[name],
    render: (_: unknown, row: Collected) => <Money fen={row[name]} />,
  })
  return (
    <Table
      size="small"
      rowKey={({ tollNo, name }) => `${tollNo} ${name}`}
      dataSource={rows}
      scroll={{ x: 'max-content' }}
      pagination={{ pageSize: 20, hideOnSinglePage: true }}
      columns={[
        { title: say(['工号', 'Staff number']), render: (_, { tollNo }) => tollNo ?? '--' },
        { title: say(['姓名', 'Name']), dataIndex: 'name' },
        { title: say(['收银班次', 'Cash shifts']), dataIndex: 'shifts', align: 'right' },
        { title: say(['笔数', 'Receipts']), dataIndex: 'orders', align: 'right' },
        money('receivableFen', '应收', 'Receivable'),
        money('paidFen', '实收', 'Paid'),
        money('cashFen', '现金', 'Cash'),
        money('scanFen', '扫码', 'QR code'),
        money('refundFen', '退款', 'Refunds'),
        money('netFen', '净收', 'Net'),
        { title: say(['实收率', 'Collection rate']), align: 'right', render: (_, { payRate }) => percent(payRate) },
      ]}
    />
  )
}
