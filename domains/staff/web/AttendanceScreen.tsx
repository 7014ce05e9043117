import { useQuery } from '@tanstack/react-query'
import { Drawer, Segmented, Table } from 'antd'
import { type ReactNode, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS } from '../../../platform/contract/time.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { cityDay } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Failed } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Pictures, State, Time } from '../../../platform/web/value.tsx'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { attendance, ReportKind } from '../contract/attendance.ts'
import { request } from '../contract/request.ts'
import { Attendance, type Cell, cellSearch, isDue, schedule } from '../contract/roster.ts'
import { tracker } from '../contract/tracker.ts'
import { findGroup, useParkColumn } from './choices.tsx'
import { TrackLine } from './TrackLine.tsx'
import { Requests } from './Requests.tsx'

type Row = Of<typeof Cell>

type Shown = 'cells' | 'requests'
/** Attendance by clockings, and requests of collectors. */
export default function AttendanceScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const shown: Shown = params.get('tab') === 'requests' && can(request.query.needs) ? 'requests' : 'cells'
  const toolbar = can(request.query.needs) && (
    <Segmented<Shown>
      value={shown}
      onChange={(next) => setParams(next === 'requests' ? { tab: next } : {})}
      options={[
        { value: 'cells', label: say(['考勤', 'Attendance']) },
        { value: 'requests', label: say(['申请', 'Requests']) },
      ]}
    />
  )
  if (shown === 'requests') return <Requests toolbar={toolbar} />
  // Future days have no clocking yet: the page opens on the days that have.
  return params.size === 0 ? <Navigate to={`?${new URLSearchParams(lastDays())}`} replace /> : <Cells toolbar={toolbar} />
}
const LAST_DAYS = 7
const lastDays = () => ({ workDateFrom: cityDay(new Date(Date.now() - (LAST_DAYS - 1) * DAY_MS)), workDateTo: cityDay() })

/** Cells of the roster with what the cards say of them, and where somebody reported from. */
function Cells({ toolbar }: { toolbar: ReactNode }) {
  const park = useParkColumn()
  const [looking, setLooking] = useState<Row>()
  const [following, follow] = useState<Row>()
  const now = new Date().toISOString() as Instant
  return (
    <>
      <ListScreen
        purpose={['每个班次的签到、签退与考勤结果', 'Check-in, check-out and attendance of every shift']}
        query={schedule.cells}
        search={cellSearch}
        toolbar={toolbar}
        exports={schedule.export}
        find={['workDate', 'name', findGroup, 'attendance', 'state', 'tollNo', findPark, 'startAt', 'endAt']}
        columns={[
          'workDate',
          'tollNo',
          'name',
          park,
          'shiftName',
          'startAt',
          'endAt',
          'state',
          {
            dataIndex: 'attendance',
            render: (_, row) => (isDue(row, now) ? <State dictionary={Attendance} value={row.attendance} /> : '--'),
          },
          'checkInAt',
          'checkOutAt',
          'lateMin',
          'earlyMin',
          'workMin',
          'distM',
        ]}
        hidden={['distM', 'workMin']}
        roomy={['startAt', 'endAt', 'lateMin', 'earlyMin']}
        actions={(row) => [
          { text: ['上报地点', 'Reports'], needs: attendance.locations.needs, run: () => setLooking(row) },
          { text: ['轨迹', 'Track'], needs: tracker.line.needs, run: () => follow(row) },
        ]}
        empty={['还没有排班', 'No roster yet']}
      />
      {following && (
        <Drawer open size="large" onClose={() => follow(undefined)} title={`${following.name} ${following.tollNo} ${following.workDate}`}>
          <TrackLine tollNo={following.tollNo} workDate={following.workDate} />
        </Drawer>
      )}
      {looking && <Reports of={looking} onClose={() => setLooking(undefined)} />}
    </>
  )
}

const SHOWN = 200
/** From a few hours before the shift to a few behind it; looking is in the log. */
const AROUND_MS = 4 * 3_600_000
const moved = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString() as never
function Reports({ of, onClose }: { of: Row; onClose: () => void }) {
  const say = useText()
  const span = of.startAt && of.endAt ? { atFrom: moved(of.startAt, -AROUND_MS), atTo: moved(of.endAt, AROUND_MS) } : {}
  const { data, error, refetch } = useQuery(asks(attendance.locations, { tollNo: of.tollNo, ...span, limit: SHOWN }, { quiet: true }))
  const rows = data?.records ?? []
  const points = rows.flatMap(({ id, lng, lat, inFence, placeCode }) =>
    lng !== null && lat !== null
      ? [{ id: id as string, lng, lat, name: placeCode ?? '', tone: inFence ? ('success' as const) : ('warning' as const) }]
      : [],
  )
  return (
    <Drawer open size="large" onClose={onClose} title={`${of.name} ${of.tollNo} ${of.workDate}`}>
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : (
        <>
          {points.length > 0 && <PlaceMap label={['上报地点', 'Reports']} points={points} height={260} />}
          <Table
            size="small"
            rowKey="id"
            loading={!data}
            pagination={false}
            dataSource={rows}
            columns={[
              { title: say(['时间', 'Time']), render: (_, row) => <Time at={row.at} /> },
              { title: say(['类型', 'Type']), render: (_, row) => <State dictionary={ReportKind} value={row.kind} /> },
              { title: say(['地点', 'Place']), render: (_, row) => <ParkName code={row.placeCode} still /> },
              { title: say(['距离', 'Distance']), render: (_, row) => (row.distM === null ? '--' : `${row.distM} m`) },
              {
                title: say(['围栏', 'In geofence']),
                render: (_, row) => (row.inFence === null ? '--' : say(row.inFence ? ['在内', 'Yes'] : ['在外', 'No'])),
              },
              { title: say(['照片', 'Picture']), render: (_, row) => <Pictures addresses={row.image} /> },
            ]}
          />
        </>
      )}
    </Drawer>
  )
}
