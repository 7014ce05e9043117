import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { dayOf, msOf } from '../../../platform/contract/time.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Calendar } from '../../../platform/web/time/Calendar.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { cityDay } from '../../../platform/web/format.ts'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { CHOOSE, findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { patrolRecord } from '../contract/patrolRecord.ts'
import { OPEN_STATES, scheduling, type Task, taskSearch, TaskSource, TaskState } from '../contract/task.ts'
import { CHANGES } from './changes.ts'
import './inspection.css'
import { findInspector, findRule, InspectorSelect, RuleSelect, useMyNumber } from './choices.tsx'
import { RoundForm } from './RoundForm.tsx'
import { goes } from './roundTasks.ts'

type Row = Of<typeof Task>
type Doing = { what: 'new'; day?: Day } | { what: 'change' | 'cancel' | 'again' | 'round'; of: Row }
const isOpen = ({ state }: Row) => (OPEN_STATES as readonly number[]).includes(state)
const EARLY: Text = ['还没到计划开始时间', 'Its planned start has not come yet']
const OVER: Text = ['任务已结束', 'The task has ended']

/** Tasks of inspectors through the parks: as a list, or as a month. */
export default function TaskScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const [doing, setDoing] = useState<Doing>()
  const month = params.get('month')
  const show = (as: string) => setParams(new URLSearchParams(as === 'month' ? { month: cityDay().slice(0, 7) } : ''))
  const turn = can(scheduling.query.needs) && (
    <Segmented
      value={month ? 'month' : 'list'}
      onChange={show}
      options={[
        { value: 'list', label: say(['列表', 'List']) },
        { value: 'month', label: say(['日历', 'Calendar']) },
      ]}
    />
  )
  return (
    <>
      {month ? (
        <Month month={month} turn={turn} onMonth={(next) => setParams({ month: next })} doing={setDoing} />
      ) : (
        <Tasks turn={turn} doing={setDoing} />
      )}
      {doing?.what === 'round' && <RoundForm of={doing.of} onClose={() => setDoing(undefined)} />}
      {doing && doing.what !== 'round' && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** The actions on a task: the inspector begins it; the planner changes, repeats, cancels or deletes it. */
function useActions(doing: (what: Doing) => void) {
  const remove = useRemove(CHANGES)
  const mine = useMyNumber()
  const { needs } = scheduling.update
  return (row: Row): RowAction[] => [
    ...(isOpen(row) && goes(row, { mine, all: can(needs) })
      ? [
          {
            text: ['开始巡检', 'Start patrol'] as Text,
            needs: patrolRecord.insert.needs,
            run: () => doing({ what: 'round', of: row }),
            not: msOf(row.planFrom) > Date.now() && EARLY,
          },
        ]
      : []),
    { text: ['调整', 'Change'], needs, run: () => doing({ what: 'change', of: row }), not: !isOpen(row) && OVER },
    {
      text: ['复检', 'Re-inspect'],
      needs,
      run: () => doing({ what: 'again', of: row }),
      not: row.abnormal === 0 && (['没有异常设备', 'No abnormal devices'] as Text),
    },
    { text: ['取消', 'Cancel'], needs, run: () => doing({ what: 'cancel', of: row }), danger: true, not: !isOpen(row) && OVER },
    ...(row.source === TaskSource.rule
      ? []
      : [
          {
            text: Label.delete,
            needs,
            run: () => void remove(scheduling.delete, { id: row.id, version: row.version }, row.taskNo),
            danger: true,
            not: row.startedAt !== null && (['已开始', 'Already started'] as Text),
          },
        ]),
  ]
}

function Tasks({ turn, doing }: { turn: ReactNode; doing: (what: Doing) => void }) {
  const actions = useActions(doing)
  return (
    <ListScreen
      purpose={[
        '谁在什么时间巡检哪个车场；逾期可补检，周期结束未开始为漏检',
        'Who patrols which car park and when; overdue tasks can still be done, those not started by the end of the period are missed',
      ]}
      query={scheduling.query}
      search={taskSearch}
      exports={scheduling.export}
      above={turn}
      add={{ call: scheduling.add, open: () => doing({ what: 'new' }) }}
      find={['state', 'planFrom', findPark, findInspector, 'taskNo', 'name', findRule, 'source', 'planTo']}
      sum={{
        figures: [
          { text: ['待执行', 'to do'], leads: { state: [TaskState.waiting] } },
          { text: ['逾期', 'overdue'], leads: { state: [TaskState.overdue] } },
          { text: ['漏检', 'missed'], leads: { state: [TaskState.missed] } },
        ],
      }}
      columns={[
        'taskNo',
        'name',
        'state',
        'parkName',
        'tollName',
        'planFrom',
        'planTo',
        'devicesDue',
        'devicesDone',
        'devicesSkipped',
        'abnormal',
        'source',
        'startedAt',
        'endedAt',
        'reason',
        'remark',
      ]}
      hidden={['startedAt', 'endedAt', 'reason', 'remark']}
      roomy={['source', 'devicesDue', 'devicesSkipped']}
      toolbar={<ImportButton call={scheduling.import} changes={CHANGES} />}
      actions={actions}
      empty={['没有任务：设置规则后自动生成，或手工新增', 'No tasks: set up a rule to create them, or add one']}
    />
  )
}

const MONTH_MOST = 500
function Month({ month, turn, onMonth, doing }: { month: string; turn: ReactNode; onMonth: (month: string) => void; doing: (what: Doing) => void }) {
  const say = useText()
  const [tollNo, setTollNo] = useState<string>()
  const range = { ...(tollNo && { tollNo }), planFromFrom: `${month}-01T00:00:00+08:00`, planFromTo: `${nextMonth(month)}-01T00:00:00+08:00` }
  const { data } = useQuery(asks(scheduling.query, { ...range, limit: MONTH_MOST } as never, { quiet: true }))
  const entries = (data?.records ?? []).map((row) => ({
    key: row.id as string,
    day: dayOf(row.planFrom),
    title: `${row.tollName ?? say(['待派', 'Unassigned'])} · ${row.parkName}`,
    tone: TONES[row.state],
    ...(can(scheduling.update.needs) && isOpen(row) && { onOpen: () => doing({ what: 'change', of: row }) }),
  }))
  return (
    <div className="list">
      <PageHead
        purpose={['按月查看谁在哪天巡检哪个车场；点空白处新增', 'Who patrols which car park on which day; click an empty area to add a task']}
      />
      <div className="inspection-bar">
        {turn}
        <InspectorSelect value={tollNo} onChange={setTollNo} />
      </div>
      <Calendar
        label={['巡检日历', 'Patrol calendar']}
        month={month}
        onMonth={onMonth}
        entries={entries as never}
        {...(can(scheduling.add.needs) && { onAdd: (day: Day) => doing({ what: 'new', day }) })}
      />
    </div>
  )
}
const nextMonth = (month: string) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString().slice(0, 7)
const { done, overdue, missed, begun } = TaskState
const TONES: Partial<Record<number, 'success' | 'warning' | 'error'>> = {
  [done]: 'success',
  [begun]: 'warning',
  [overdue]: 'error',
  [missed]: 'error',
}

function Dialog({ doing, onClose }: { doing: Exclude<Doing, { what: 'round' }>; onClose: () => void }) {
  if (doing.what === 'new') return <NewTask day={doing.day} onClose={onClose} />
  const { of, what } = doing
  if (what === 'again') return <Again of={of} onClose={onClose} />
  if (what === 'cancel') return <Cancel of={of} onClose={onClose} />
  return <Change of={of} onClose={onClose} />
}
const INSPECTOR = { name: 'tollNo', label: ['巡检员', 'Inspector'], control: <InspectorSelect />, optional: true }
const nameOf = ({ taskNo, parkName }: Row) => `${taskNo} ${parkName}`

function NewTask({ day, onClose }: { day: Day | undefined; onClose: () => void }) {
  const plan = day && { planFrom: `${day}T08:00:00+08:00`, planTo: `${day}T18:00:00+08:00` }
  const fields = [
    { name: 'ruleId', label: ['规则', 'Rule'], control: <RuleSelect />, help: ['检查项取自规则', 'Items come from the rule'] },
    { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect empty={CHOOSE} /> },
    INSPECTOR,
    'planFrom',
    'planTo',
    { name: 'remark', optional: true },
  ]
  return (
    <FormDialog
      title={['新增巡检任务', 'New patrol task']}
      entity={scheduling.add.input as never}
      mode="new"
      value={(plan ?? {}) as never}
      save={scheduling.add}
      changes={CHANGES}
      fields={fields as never}
      onClose={onClose}
    />
  )
}
function Again({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`复检 · ${nameOf(of)}`, `Look again · ${nameOf(of)}`]}
      entity={scheduling.add.input as never}
      mode="new"
      value={{ recheckOf: of.id, tollNo: of.tollNo ?? undefined } as never}
      save={scheduling.add}
      changes={CHANGES}
      fields={[INSPECTOR, 'planFrom', 'planTo', { name: 'remark', optional: true }] as never}
      onClose={onClose}
    />
  )
}
function Cancel({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`取消任务 · ${nameOf(of)}`, `Cancel task · ${nameOf(of)}`]}
      entity={scheduling.update.input as never}
      mode="new"
      value={{ id: of.id, version: of.version, state: TaskState.cancelled } as never}
      save={scheduling.update}
      act={['取消任务', 'Cancel task']}
      changes={CHANGES}
      done={['已取消', 'Cancelled']}
      fields={['reason'] as never}
      onClose={onClose}
    />
  )
}
function Change({ of, onClose }: { of: Row; onClose: () => void }) {
  const why = {
    name: 'reason',
    optional: of.startedAt === null,
    help: of.startedAt === null ? undefined : ['任务已开始，请说明原因', 'The task has started: enter a reason'],
  }
  return (
    <FormDialog
      title={[`调整任务 · ${nameOf(of)}`, `Change task · ${nameOf(of)}`]}
      entity={scheduling.update.input as never}
      mode="edit"
      value={of as never}
      save={scheduling.update}
      changes={CHANGES}
      fields={[INSPECTOR, 'planFrom', 'planTo', why, { name: 'remark', optional: true }] as never}
      onClose={onClose}
    />
  )
}
