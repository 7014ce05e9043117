import { useQuery } from '@tanstack/react-query'
import { Button, Input, Segmented, Table } from 'antd'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { cityDay, percent } from '../../../platform/web/format.ts'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { logCan, logSearch, LogState, type LogTotals, type WorkLog, workLog } from '../contract/workLog.ts'
import { findGroup, GroupSelect, useParkColumn } from './choices.tsx'
import { Hours } from './Hours.tsx'
import { LogHead, LogStory } from './LogStory.tsx'
import './staff.css'

type Row = Of<typeof WorkLog>
type Doing = { what: 'write' | 'submit' | 'review'; of: Row }
const CHANGES = [workLog.query, workLog.detail, workLog.totals, workLog.mine]
const PURPOSE = [
  '每个班次一份：系统统计、收费员填写、班组长点评；下班后 24 小时内提交',
  'One per shift: system figures, the collector’s notes, the leader’s rating; submit within 24 h of the shift’s end',
] as const
/** Of one's own logs as many as can still be written in, and more. */
const MINE = 20

/** Past work, log by log or by person. */
export default function WorkLogScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const sums = params.get('view') === 'sums'
  const toolbar = (
    <Segmented
      value={sums ? 'sums' : 'logs'}
      onChange={(view) => setParams(view === 'sums' ? { view } : {})}
      options={[
        { value: 'logs', label: say(['日志', 'Logs']) },
        { value: 'sums', label: say(['按人汇总', 'By person']) },
      ]}
    />
  )
  return sums && can(workLog.totals.needs) ? <Totals toolbar={toolbar} /> : <Logs toolbar={toolbar} />
}

function Logs({ toolbar }: { toolbar: ReactNode }) {
  const park = useParkColumn()
  const [doing, setDoing] = useState<Doing>()
  const mine = useQuery({ ...asks(workLog.mine, { limit: MINE }, { quiet: true }), enabled: can(workLog.mine.needs) })
  const own = new Set(mine.data?.records.map(({ id }) => id))
  const open = (state: Row['state']) => state === LogState.running || state === LogState.toSubmit
  return (
    <>
      <ListScreen
        purpose={PURPOSE}
        query={workLog.query}
        search={logSearch}
        exports={workLog.export}
        toolbar={toolbar}
        find={['workDate', 'name', 'state', findGroup, findPark, 'tollNo']}
        columns={[
          'workDate',
          'tollNo',
          'name',
          park,
          'shiftName',
          'openedAt',
          'outAt',
          'workMin',
          'state',
          'entries',
          'exits',
          'orders',
          'paidFen',
          'photos',
          'patrols',
          'walkM',
          'warnings',
          'score',
          'submittedAt',
          'reviewerName',
        ]}
        hidden={['outAt', 'photos', 'patrols', 'submittedAt', 'reviewerName']}
        roomy={['openedAt', 'entries', 'exits', 'walkM']}
        sum={{ totals: ['orders', 'paidFen', 'entries', 'exits', 'walkM'] }}
        actions={(row) => [
          ...(own.has(row.id) && open(row.state)
            ? [{ text: ['填写', 'Write'] as const, needs: workLog.write.needs, run: () => setDoing({ what: 'write', of: row }) }]
            : []),
          ...(own.has(row.id) && logCan.submit(row.state) !== undefined
            ? [{ text: ['提交', 'Submit'] as const, needs: workLog.submit.needs, run: () => setDoing({ what: 'submit', of: row }) }]
            : []),
          {
            text: ['点评', 'Rate'],
            needs: workLog.review.needs,
            run: () => setDoing({ what: 'review', of: row }),
            not: logCan.rate(row.state) === undefined && ['提交后才能点评', 'It can be rated once submitted'],
          },
        ]}
        detail={{
          call: workLog.detail,
          input: (id) => ({ id: id as never }),
          head: (one) => <LogHead of={one} />,
          body: (one) => <LogStory of={one} />,
        }}
        empty={['还没有工作日志：收费员签到后自动开启', 'No work logs yet: one opens at each check-in']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Dialog({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  const shared = { changes: CHANGES, onClose, mode: 'edit' as const, value: of as never }
  const day = `${of.name} ${of.workDate}`
  if (what === 'review')
    return (
      <FormDialog
        {...shared}
        title={[`点评 ${day}`, `Rate log ${day}`]}
        entity={workLog.review.input as never}
        save={workLog.review}
        act={['点评', 'Rate']}
        done={['已点评', 'Rated']}
        fields={
          [
            { name: 'score', help: ['1 最低，5 最高', '1 is lowest, 5 is highest'] },
            { name: 'verdict', optional: true, control: <Input.TextArea rows={3} /> },
          ] as never
        }
      />
    )
  const words = { name: 'content', control: <Input.TextArea rows={5} />, optional: what === 'write' } as const
  const save = what === 'write' ? workLog.write : workLog.submit
  return (
    <FormDialog
      {...shared}
      title={what === 'write' ? [`填写日志 ${of.workDate}`, `Write log ${of.workDate}`] : [`提交日志 ${of.workDate}`, `Submit log ${of.workDate}`]}
      entity={save.input as never}
      save={save}
      act={what === 'write' ? (['保存', 'Save'] as const) : ['提交', 'Submit']}
      done={what === 'write' ? ['已保存', 'Saved'] : ['已提交，不能再修改', 'Submitted: it can no longer be changed']}
      fields={[words, { name: 'images', optional: true }] as never}
    />
  )
}

const SHOWN = 500
function Totals({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const today = cityDay()
  const from = (params.get('from') ?? `${today.slice(0, 7)}-01`) as Day
  const to = (params.get('to') ?? today) as Day
  const [groupId, parkCode] = [params.get('groupId') ?? undefined, params.get('parkCode') ?? undefined]
  const set = (next: Record<string, string | undefined>) =>
    setParams(
      Object.fromEntries(Object.entries({ view: 'sums', from, to, groupId, parkCode, ...next }).filter((one): one is [string, string] => !!one[1])),
    )
  const asked = { workDateFrom: from, workDateTo: to, limit: SHOWN, ...(groupId && { groupId: groupId as never }), ...(parkCode && { parkCode }) }
  const { data, error, refetch } = useQuery(asks(workLog.totals, asked, { quiet: true }))
  return (
    <div className="list">
      <PageHead purpose={PURPOSE} />
      <div className="roster-bar">
        {toolbar}
        <DateRange plain value={[from, to]} onChange={(days) => days && set({ from: days[0], to: days[1] })} />
        <GroupSelect value={groupId} onChange={(groupId) => set({ groupId })} />
        <ParkSelect value={parkCode} onChange={(parkCode: string | undefined) => set({ parkCode })} />
        <span className="push" />
        <Button onClick={() => void refetch()}>{say(['刷新', 'Refresh'])}</Button>
      </div>
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting />
      ) : data.total === 0 ? (
        <Nothing>{say(['这些天没有工作日志', 'No work logs on these days'])}</Nothing>
      ) : (
        <People of={data.records} />
      )}
    </div>
  )
}
type Line = Of<typeof LogTotals>
function People({ of }: { of: readonly Line[] }) {
  const say = useText()
  const count = (
    name: 'logs' | 'submitted' | 'entries' | 'exits' | 'orders' | 'photos' | 'patrols' | 'walkM' | 'warnings',
    zh: string,
    en: string,
  ) => ({ title: say([zh, en]), dataIndex: name, align: 'right' as const, sorter: (a: Line, b: Line) => a[name] - b[name] })
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
        { title: say(['班组', 'Group']), render: (_, { groupName }) => groupName ?? '--' },
        count('logs', '日志', 'Logs'),
        count('submitted', '已提交', 'Submitted'),
        { title: say(['提交率', 'Submission rate']), align: 'right', render: (_, { submitRate }) => percent(submitRate) },
        {
          title: say(['平均评分', 'Average score']),
          align: 'right',
          render: (_, { scoreTenths }) => (scoreTenths === null ? '--' : (scoreTenths / 10).toFixed(1)),
        },
        { title: say(['工时', 'Worked']), align: 'right', render: (_, { workMin }) => <Hours minutes={workMin} /> },
        count('entries', '驶入', 'Entries'),
        count('exits', '驶出', 'Exits'),
        count('orders', '收费笔数', 'Receipts'),
        {
          title: say(['实收', 'Paid']),
          align: 'right',
          sorter: (a, b) => a.paidFen - b.paidFen,
          render: (_, { paidFen }) => <Money fen={paidFen} />,
        },
        count('photos', '照片', 'Pictures'),
        count('patrols', '巡查', 'Patrols'),
        count('walkM', '步行（米）', 'Walked (m)'),
        count('warnings', '预警', 'Warnings'),
      ]}
    />
  )
}
