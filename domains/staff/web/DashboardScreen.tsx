import { useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import { useSearchParams } from 'react-router'
import type { Day } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { cityDay } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Panel } from '../../../platform/web/draw/Panel.tsx'
import { PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Duration } from '../../../platform/web/value.tsx'
import { ParkSelect } from '../../parking/web/api/names.tsx'
import { attendance } from '../contract/attendance.ts'
import { dashboard } from '../contract/dashboard.ts'
import { ATTENDANCE, STAFF } from '../contract/figures.ts'
import { Attendance, CAME } from '../contract/roster.ts'
import { shiftsNow } from './lists.ts'
import './staff.css'

/** The interval at which it looks again: people come and go. */
const AGAIN_MS = 60_000
const BACK_DAYS = 13
const DAY_MS = 86_400_000

/** People at work now, and where; and those who should be and are not. */
export default function DashboardScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const parkCode = params.get('parkCode') ?? undefined
  const { data, error, refetch } = useQuery({ ...asks(dashboard.now, { ...(parkCode && { parkCode }) }, { quiet: true }), refetchInterval: AGAIN_MS })
  const today = cityDay()
  const from = new Date(Date.parse(today) - BACK_DAYS * DAY_MS).toISOString().slice(0, 10) as Day
  const list = (...attendance: number[]) => data && shiftsNow(data.at, { parkCode, ...(attendance.length > 0 && { attendance }) })
  if (error) return <Failed error={error as Refusal} retry={() => void refetch()} />
  if (!data) return <Waiting />
  const points = data.places.flatMap(({ placeCode, name, lng, lat, planned, onDuty }) =>
    lng === null || lat === null
      ? []
      : [{ id: placeCode, lng, lat, name: `${name} ${onDuty}/${planned}`, tone: onDuty < planned ? ('warning' as const) : ('success' as const) }],
  )
  return (
    <div className="list">
      <PageHead
        purpose={[
          '此刻的在岗情况：应到、实到、缺勤与各地点已签到人数',
          'On duty right now: due, present, absent, and staff checked in at each place',
        ]}
      />
      <div className="roster-bar">
        <ParkSelect value={parkCode} onChange={(parkCode) => setParams(parkCode ? { parkCode } : {})} />
      </div>
      <Tiles label={['今日人员', 'Staff today']}>
        <Tile figure={STAFF.employed} within={{ parkCode }} value={data.employed} />
        <Tile figure={ATTENDANCE.due} value={data.due} to={list()} />
        <Tile figure={ATTENDANCE.present} value={data.present} to={list(...CAME)} />
        <Tile figure={STAFF.checkedIn} value={data.onDuty} />
        <Tile figure={ATTENDANCE.absent} value={data.absent} to={list(Attendance.absent)} tone={data.absent > 0 && 'error'} />
        {data.warnings !== null && <Tile figure={STAFF.warnings} within={{ parkCode }} value={data.warnings} tone={data.warnings > 0 && 'error'} />}
        <Tile figure={ATTENDANCE.leave} value={data.leave} to={list(Attendance.leave)} />
      </Tiles>
      <Panel title={['各地点已签到 / 应在岗', 'Checked in / planned, by place']}>
        {points.length > 0 ? (
          <PlaceMap label={['在岗地图', 'On-duty map']} points={points} height={360} />
        ) : (
          <Nothing>{say(['此刻没有排班', 'Nobody is rostered right now'])}</Nothing>
        )}
      </Panel>
      <Panel title={['应到未到', 'Due, not present']}>
        <Table
          size="small"
          rowKey={({ tollNo, shiftName }) => `${tollNo} ${shiftName}`}
          dataSource={data.missing}
          pagination={{ pageSize: 10, hideOnSinglePage: true }}
          locale={{ emptyText: say(['应到的人都已签到', 'Everybody due has checked in']) }}
          columns={[
            { title: say(['工号', 'Staff number']), dataIndex: 'tollNo' },
            { title: say(['姓名', 'Name']), dataIndex: 'name' },
            { title: say(['电话', 'Phone']), render: (_, { phone }) => phone ?? '--' },
            { title: say(['班次', 'Work shift']), dataIndex: 'shiftName' },
            { title: say(['地点', 'Place']), dataIndex: 'placeName' },
            { title: say(['已迟到', 'Late by']), align: 'right', render: (_, { lateMin }) => <Duration minutes={lateMin} /> },
          ]}
        />
      </Panel>
      <Panel title={['近两周出勤', 'Attendance, last two weeks']} figures={[ATTENDANCE.present, ATTENDANCE.absent, ATTENDANCE.leave]}>
        <Fortnight from={from} to={today as Day} />
      </Panel>
    </div>
  )
}

function Fortnight({ from, to }: { from: Day; to: Day }) {
  const { data } = useQuery(asks(attendance.statistics, { workDateFrom: from, workDateTo: to }, { quiet: true }))
  if (!data) return <Waiting />
  return (
    <Chart
      label={['班次', 'Shifts']}
      kind="stack"
      by={['日期', 'Day']}
      categories={data.days.map(({ workDate }) => workDate)}
      series={[
        { name: ATTENDANCE.present.name, values: data.days.map(({ present }) => present) },
        { name: ATTENDANCE.absent.name, tone: 'bad', values: data.days.map(({ absent }) => absent) },
        { name: ATTENDANCE.leave.name, tone: 'quiet', values: data.days.map(({ leave }) => leave) },
      ]}
    />
  )
}
