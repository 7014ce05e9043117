import { useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { cityDay, percent } from '../../../platform/web/format.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Panel } from '../../../platform/web/draw/Panel.tsx'
import { plural } from '../../../platform/contract/plural.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { attendance } from '../contract/attendance.ts'
import { Attendance, CAME, schedule } from '../contract/roster.ts'
import { ATTENDANCE } from '../contract/figures.ts'
import { GroupSelect } from './choices.tsx'
import { Hours } from './Hours.tsx'
import { shiftsOn } from './lists.ts'
import './staff.css'

const CHANGES = [attendance.statistics, schedule.cells]
const TASK_DAYS = 31
const DAY_MS = 86_400_000

/** How many were due and came, by day, by group and by person. */
export default function AttendanceStatisticsScreen() {
  const say = useText()
  const act = useAct(CHANGES)
  const [params, setParams] = useSearchParams()
  const [closing, setClosing] = useState(false)
  const today = cityDay()
  const from = (params.get('from') ?? `${today.slice(0, 7)}-01`) as Day
  const to = (params.get('to') ?? today) as Day
  const groupId = params.get('groupId') ?? undefined
  const range = { workDateFrom: from, workDateTo: to }
  const set = (next: Record<string, string | undefined>) => {
    const all = { from, to, groupId, ...next }
    setParams(Object.fromEntries(Object.entries(all).filter((one): one is [string, string] => !!one[1])))
  }
  const { data, error, refetch } = useQuery(asks(attendance.statistics, { ...range, ...(groupId && { groupId: groupId as never }) }, { quiet: true }))
  const list = (...attendance: number[]) => data && shiftsOn(from, to, data.at, { groupId, ...(attendance.length > 0 && { attendance }) })
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  const again = () =>
    void act(attendance.task, range, {
      answered: ({ done, total, locked }) =>
        toast('success', [
          `${total} 个班次：已计算 ${done}，已锁定 ${locked}`,
          `${total} ${plural(total, 'shift')}: ${done} recalculated, ${locked} closed`,
        ]),
    })
  return (
    <div className="list">
      <PageHead
        purpose={[
          '应到、实到、迟到、缺勤与出勤率；请假和还没有打卡的不计入出勤率',
          'Due, present, late, absent and the attendance rate; leave and shifts with no clock-in yet are left out of the rate',
        ]}
      />
      <div className="roster-bar">
        <DateRange plain value={[from, to]} onChange={(days) => days && set({ from: days[0], to: days[1] })} />
        <GroupSelect value={groupId} onChange={(groupId) => set({ groupId })} />
        <span className="push" />
        <Act
          text={['重新计算', 'Recalculate']}
          needs={attendance.task.needs}
          disabled={days > TASK_DAYS}
          title={days > TASK_DAYS ? say(['一次最多 31 天', 'At most 31 days at once']) : undefined}
          onClick={again}
        />
        <Act text={['锁定月份', 'Close month']} needs={attendance.closeMonth.needs} onClick={() => setClosing(true)} />
        <ExportButton
          call={attendance.export}
          criteria={{ month: from.slice(0, 7), ...(groupId && { groupId }) }}
          text={['导出月表', 'Export month']}
        />
      </div>
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting />
      ) : data.due === 0 ? (
        <Nothing>{say(['这些天没有已开始的班次', 'No shifts started on these days'])}</Nothing>
      ) : (
        <Attended of={data} list={list} />
      )}
      {closing && <ClosingMonth month={lastMonth(today)} onClose={() => setClosing(false)} />}
    </div>
  )
}
const lastMonth = (today: string) => new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 2, 1)).toISOString().slice(0, 7)

interface AttendedProps {
  of: Of<typeof attendance.statistics.reply>
  /** Where the shifts of these kinds are listed. */
  list: (...kinds: number[]) => string | undefined
}
function Attended({ of, list }: AttendedProps) {
  return (
    <>
      <Tiles label={['考勤', 'Attendance']}>
        <Tile figure={ATTENDANCE.due} value={of.due} to={list()} />
        <Tile figure={ATTENDANCE.present} value={of.present} to={list(...CAME)} />
        <Tile figure={ATTENDANCE.late} value={of.late} to={list(Attendance.late, Attendance.both)} tone={of.late > 0 && 'warning'} />
        <Tile figure={ATTENDANCE.absent} value={of.absent} to={list(Attendance.absent)} tone={of.absent > 0 && 'error'} />
        <Tile figure={ATTENDANCE.leave} value={of.leave} to={list(Attendance.leave)} />
        <Tile figure={ATTENDANCE.attendanceRate} value={percent(of.attendanceRate)} to={list(...CAME, Attendance.absent)} />
      </Tiles>
      <Panel title={['按日', 'By day']} figures={[ATTENDANCE.present, ATTENDANCE.absent, ATTENDANCE.leave]}>
        <Chart
          label={['班次', 'Shifts']}
          kind="stack"
          by={['日期', 'Day']}
          categories={of.days.map(({ workDate }) => workDate)}
          series={[
            { name: ATTENDANCE.present.name, values: of.days.map(({ present }) => present) },
            { name: ATTENDANCE.absent.name, tone: 'bad', values: of.days.map(({ absent }) => absent) },
            { name: ATTENDANCE.leave.name, tone: 'quiet', values: of.days.map(({ leave }) => leave) },
          ]}
        />
      </Panel>
      <Panel title={['按人', 'By person']}>
        <People of={of.people} />
      </Panel>
    </>
  )
}

function ClosingMonth({ month, onClose }: { month: string; onClose: () => void }) {
  return (
    <FormDialog
      title={['锁定考勤月份', 'Close attendance month']}
      entity={attendance.closeMonth.input}
      mode="new"
      value={{ month }}
      save={attendance.closeMonth}
      act={['锁定', 'Close']}
      done={['已锁定，考勤不再变化', 'Closed: its attendance no longer changes']}
      changes={CHANGES}
      fields={[{ name: 'month', help: ['如 2026-10；锁定后不可撤回', 'For example 2026-10; closing cannot be undone'] }]}
      onClose={onClose}
    />
  )
}

interface PersonRow {
  tollNo: string
  name: string
  due: number
  present: number
  late: number
  early: number
  absent: number
  leave: number
  attendanceRate: number | null
  workMin: number
}
function People({ of }: { of: readonly PersonRow[] }) {
  const say = useText()
  const count = (name: 'due' | 'present' | 'late' | 'early' | 'absent' | 'leave', zh: string, en: string) => ({
    title: say([zh, en]),
    dataIndex: name,
    align: 'right' as const,
    sorter: (a: PersonRow, b: PersonRow) => a[name] - b[name],
  })
  return (
    <Table
      size="small"
      rowKey="tollNo"
      dataSource={of}
      pagination={{ pageSize: 20, hideOnSinglePage: true }}
      columns={[
        { title: say(['工号', 'Staff number']), dataIndex: 'tollNo' },
        { title: say(['姓名', 'Name']), dataIndex: 'name' },
        count('due', '应到', 'Due'),
        count('present', '实到', 'Attended'),
        count('late', '迟到', 'Late'),
        count('early', '早退', 'Left early'),
        count('absent', '缺勤', 'Absent'),
        count('leave', '请假', 'On leave'),
        { title: say(['出勤率', 'Attendance rate']), align: 'right', render: (_, row) => percent(row.attendanceRate) },
        { title: say(['工时', 'Worked']), align: 'right', render: (_, row) => <Hours minutes={row.workMin} /> },
      ]}
    />
  )
}
