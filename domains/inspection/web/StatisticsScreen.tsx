import { useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import { Link, useSearchParams } from 'react-router'
import type { Day } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { cityDay, percent } from '../../../platform/web/format.ts'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Panel } from '../../../platform/web/draw/Panel.tsx'
import { Loaded, Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Duration } from '../../../platform/web/value.tsx'
import { DeviceType } from '../../device/contract/device.ts'
import { ParkSelect } from '../../parking/web/api/names.tsx'
import { result } from '../contract/result.ts'
import { statistics } from '../contract/statistics.ts'
import { TaskState } from '../contract/task.ts'
import { PATROLS } from '../contract/figures.ts'
import './inspection.css'

const TASKS = '/operation/maintain/rostering'
const mean = (minutes: number | null) => (minutes === null ? '--' : <Duration minutes={minutes} />)
interface Asked {
  dateFrom: Day
  dateTo: Day
  parkCode?: string
}

/** How rounds are kept up, and what fails. */
export default function StatisticsScreen() {
  const [params, setParams] = useSearchParams()
  const today = cityDay()
  const asked: Asked = {
    dateFrom: (params.get('from') ?? `${today.slice(0, 7)}-01`) as Day,
    dateTo: (params.get('to') ?? today) as Day,
    ...(params.get('parkCode') && { parkCode: params.get('parkCode')! }),
  }
  const set = (next: Record<string, string | undefined>) => {
    const all = { from: asked.dateFrom, to: asked.dateTo, parkCode: asked.parkCode, ...next }
    setParams(Object.fromEntries(Object.entries(all).filter((one): one is [string, string] => !!one[1])))
  }
  return (
    <div className="list">
      <PageHead
        purpose={[
          '巡检完成情况与设备故障；待投用、库存与报废的设备不计入',
          'Patrol completion and device faults; devices not yet in use, in stock or scrapped are excluded',
        ]}
      />
      <div className="inspection-bar">
        <DateRange plain value={[asked.dateFrom, asked.dateTo]} onChange={(days) => days && set({ from: days[0], to: days[1] })} />
        <ParkSelect value={asked.parkCode} onChange={(parkCode?: string) => set({ parkCode })} />
      </div>
      <Rounds asked={asked} />
      <Failures asked={asked} />
      <Worst asked={asked} />
      <Ranking asked={asked} />
    </div>
  )
}

function Rounds({ asked }: { asked: Asked }) {
  const { data, error, refetch } = useQuery(asks(statistics.patrol, asked as never, { quiet: true }))
  if (error) return <Failed error={error as Refusal} retry={() => void refetch()} />
  if (!data) return <Waiting />
  const list = (state: number) =>
    `${TASKS}?state=${state}&planToFrom=${asked.dateFrom}&planToTo=${asked.dateTo}${asked.parkCode ? `&parkCode=${asked.parkCode}` : ''}`
  return (
    <>
      <Tiles label={['巡检', 'Patrols']}>
        <Tile figure={PATROLS.due} value={data.due} to={false} />
        <Tile figure={PATROLS.done} value={data.done} to={list(TaskState.done)} />
        <Tile figure={PATROLS.overdue} value={data.overdue} to={list(TaskState.overdue)} tone={data.overdue > 0 && 'warning'} />
        <Tile figure={PATROLS.missed} value={data.missed} to={list(TaskState.missed)} tone={data.missed > 0 && 'error'} />
        <Tile figure={PATROLS.patrolRate} value={percent(data.patrolRate)} to={list(TaskState.done)} />
        <Tile figure={PATROLS.onTimeRate} value={percent(data.onTimeRate)} to={list(TaskState.done)} />
        <Tile figure={PATROLS.missRate} value={percent(data.missRate)} to={list(TaskState.missed)} />
      </Tiles>
      {data.days.length > 0 && (
        <Panel title={['按日任务', 'Tasks by day']} figures={[PATROLS.due, PATROLS.done, PATROLS.missed]}>
          <Chart
            label={['任务', 'Tasks']}
            kind="stack"
            by={['日期', 'Day']}
            categories={data.days.map(({ day }) => day)}
            series={[
              { name: ['已完成', 'Completed'], values: data.days.map(({ done }) => done) },
              { name: ['漏检', 'Missed'], tone: 'bad', values: data.days.map(({ missed }) => missed) },
              { name: ['未完成', 'Not done'], tone: 'quiet', values: data.days.map(({ due, done, missed }) => due - done - missed) },
            ]}
          />
        </Panel>
      )}
    </>
  )
}

interface Row {
  devices: number
  deviceDays: number
  faultyDays: number
  failureRate: number | null
  faults: number
  faultMin: number
  mttrMin: number | null
  mtbfMin: number | null
}
function Failures({ asked }: { asked: Asked }) {
  const say = useText()
  const types = useQuery(asks(statistics.byType, asked as never, { quiet: true }))
  const parks = useQuery(asks(statistics.byPark, asked as never, { quiet: true }))
  return (
    <>
      <Panel title={['按设备类型', 'By device type']}>
        <Loaded of={types}>
          {({ rows }) => (
            <FailureTable rows={rows.map((row) => ({ ...row, key: String(row.type), name: say(DeviceType.entries[row.type] as never as Text) }))} />
          )}
        </Loaded>
      </Panel>
      <Panel title={['按车场', 'By car park']}>
        <Loaded of={parks}>
          {({ rows }) => (
            <FailureTable
              rows={rows.map((row) => ({ ...row, key: row.parkCode ?? '', name: row.parkName ?? say(['未安装在车场', 'Not in a car park']) }))}
            />
          )}
        </Loaded>
      </Panel>
    </>
  )
}
function FailureTable({ rows }: { rows: readonly (Row & { key: string; name: string })[] }) {
  const say = useText()
  const number = (dataIndex: keyof Row, title: Text) => ({ title: say(title), dataIndex, align: 'right' as const })
  return (
    <Table
      size="small"
      dataSource={rows as (Row & { key: string; name: string })[]}
      pagination={{ pageSize: 20, hideOnSinglePage: true }}
      scroll={{ x: 'max-content' }}
      columns={[
        { title: say(['名称', 'Name']), dataIndex: 'name' },
        number('devices', ['设备', 'Devices']),
        number('deviceDays', ['设备日', 'Device-days']),
        number('faultyDays', ['故障设备日', 'Faulty device-days']),
        { title: say(['故障率', 'Failure rate']), align: 'right', render: (_, row) => percent(row.failureRate) },
        number('faults', ['故障次数', 'Faults']),
        { title: say(['平均修复', 'MTTR']), align: 'right', render: (_, row) => mean(row.mttrMin) },
        { title: say(['平均无故障', 'MTBF']), align: 'right', render: (_, row) => mean(row.mtbfMin) },
      ]}
    />
  )
}

function Worst({ asked }: { asked: Asked }) {
  const say = useText()
  const worst = useQuery(asks(statistics.topN, asked as never, { quiet: true }))
  return (
    <Panel title={['故障最多的设备（前 10）', 'Devices with most faults (top 10)']}>
      <Loaded of={worst}>
        {(data) =>
          data.length === 0 ? (
            <Nothing>{say(['这些天没有故障', 'No faults on these days'])}</Nothing>
          ) : (
            <Table
              size="small"
              rowKey="deviceNo"
              dataSource={data}
              pagination={false}
              columns={[
                {
                  title: say(['设备', 'Device']),
                  render: (_, row) => (
                    <Link to={`/assetManage/parkingAndFacility/device?deviceNo=${row.deviceNo}`}>{`${row.name} ${row.deviceNo}`}</Link>
                  ),
                },
                { title: say(['类型', 'Type']), render: (_, row) => say(DeviceType.entries[row.type] as never as Text) },
                { title: say(['故障次数', 'Faults']), dataIndex: 'faults', align: 'right' },
                { title: say(['故障时长', 'Fault time']), align: 'right', render: (_, row) => <Duration minutes={row.faultMin} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

const RECORDS = '/operation/maintain/inspectionRecord'
function Ranking({ asked }: { asked: Asked }) {
  const say = useText()
  const ranking = useQuery(asks(result.ranking, asked as never, { quiet: true }))
  return (
    <Panel title={['每百台异常最多的车场（前 10）', 'Car parks with most abnormal devices per 100 (top 10)']}>
      <Loaded of={ranking}>
        {(data) =>
          data.length === 0 ? (
            <Nothing>{say(['这些天没有巡检', 'No patrols on these days'])}</Nothing>
          ) : (
            <Table
              size="small"
              rowKey="parkCode"
              dataSource={data}
              pagination={false}
              columns={[
                {
                  title: say(['车场', 'Car park']),
                  render: (_, row) => (
                    <Link to={`${RECORDS}?tab=results&parkCode=${row.parkCode}&atFrom=${asked.dateFrom}&atTo=${asked.dateTo}`}>{row.parkName}</Link>
                  ),
                },
                { title: say(['检查设备', 'Devices checked']), dataIndex: 'inspected', align: 'right' },
                { title: say(['异常设备', 'Abnormal devices']), dataIndex: 'abnormal', align: 'right' },
                { title: say(['每百台异常', 'Abnormal per 100']), align: 'right', render: (_, row) => row.abnormalRate / 10 },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}
