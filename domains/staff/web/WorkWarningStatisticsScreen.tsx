import { useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import { Link, useSearchParams } from 'react-router'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { cityDay } from '../../../platform/web/format.ts'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import type { Criteria } from '../../../platform/web/list/listAt.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ParkSelect } from '../../parking/web/api/names.tsx'
import { type WarningTotals, WorkRule, workWarning, WarningState } from '../contract/workWarning.ts'
import { GroupSelect, useParkColumn } from './choices.tsx'
import { warningsOn } from './lists.ts'
import './staff.css'

type Line = Of<typeof WarningTotals>
const RULES = ['away', 'still', 'gathered', 'noCard', 'late', 'early', 'offline', 'unhandled'] as const
const SHOWN = 500

/** People by the rules they were warned about, without false alarms. */
export default function WorkWarningStatisticsScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const today = cityDay()
  const from = (params.get('from') ?? `${today.slice(0, 7)}-01`) as Day
  const to = (params.get('to') ?? today) as Day
  const [groupId, parkCode] = [params.get('groupId') ?? undefined, params.get('parkCode') ?? undefined]
  const set = (next: Record<string, string | undefined>) =>
    setParams(Object.fromEntries(Object.entries({ from, to, groupId, parkCode, ...next }).filter((one): one is [string, string] => !!one[1])))
  const asked = { dateFrom: from, dateTo: to, ...(groupId && { groupId: groupId as never }), ...(parkCode && { parkCode }) }
  const { data, error, refetch } = useQuery(asks(workWarning.totals, { ...asked, limit: SHOWN }, { quiet: true }))
  const list = (more: Criteria) => warningsOn(from, to, { groupId, parkCode, ...more })
  return (
    <div className="list">
      <PageHead
        purpose={['每人各类预警的次数，误报不计；点数字看明细', 'Warnings per person and rule, false alarms excluded; click a figure for its list']}
      />
      <div className="roster-bar">
        <DateRange plain value={[from, to]} onChange={(days) => days && set({ from: days[0], to: days[1] })} />
        <GroupSelect value={groupId} onChange={(groupId) => set({ groupId })} />
        <ParkSelect value={parkCode} onChange={(parkCode: string | undefined) => set({ parkCode })} />
        <span className="push" />
        <ExportButton call={workWarning.totalsExport} criteria={asked} />
      </div>
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting />
      ) : data.total === 0 ? (
        <Nothing>{say(['这些天没有预警', 'No warnings on these days'])}</Nothing>
      ) : (
        <>
          <Chart
            label={['预警', 'Warnings']}
            kind="rank"
            by={['规则', 'Rule']}
            categories={RULES.map((name) => say(WorkRule.entries[WorkRule[name]]))}
            series={[{ name: ['次数', 'Count'], values: RULES.map((name) => data.sums?.[name] ?? 0) }]}
            leads={(at) => list({ rule: WorkRule[RULES[at]!] })}
          />
          <People of={data.records} list={list} />
        </>
      )}
    </div>
  )
}
function People({ of, list }: { of: readonly Line[]; list: (more: Criteria) => string }) {
  const say = useText()
  const park = useParkColumn()
  return (
    <Table
      size="small"
      rowKey="tollNo"
      dataSource={of}
      pagination={{ pageSize: 20, hideOnSinglePage: true }}
      scroll={{ x: 'max-content' }}
      columns={[
        { title: say(['工号', 'Staff number']), dataIndex: 'tollNo' },
        { title: say(['姓名', 'Name']), dataIndex: 'name' },
        { title: park.title, render: (_, row) => park.render(undefined, row) },
        { title: say(['班组', 'Group']), render: (_, { groupName }) => groupName ?? '--' },
        {
          title: say(['合计', 'Total']),
          align: 'right',
          sorter: (a, b) => a.total - b.total,
          render: (_, { total, tollNo }) => <Link to={list({ tollNo })}>{total}</Link>,
        },
        {
          title: say(['未处理', 'Open']),
          align: 'right',
          sorter: (a, b) => a.open - b.open,
          render: (_, { open, tollNo }) => (open ? <Link to={list({ tollNo, state: WarningState.open })}>{open}</Link> : 0),
        },
        ...RULES.map((name) => ({
          title: say(WorkRule.entries[WorkRule[name]]),
          align: 'right' as const,
          sorter: (a: Line, b: Line) => a[name] - b[name],
          render: (_: unknown, row: Line) => (row[name] ? <Link to={list({ tollNo: row.tollNo, rule: WorkRule[name] })}>{row[name]}</Link> : 0),
        })),
      ]}
    />
  )
}
