import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Of } from '../../contract/field.ts'
import { type ScheduledExport, scheduled, ScheduledState, StoppedBy } from '../../contract/scheduled.ts'
import { asks, type Refusal } from '../ask.ts'
import { count } from '../format.ts'
import { plural } from '../../contract/plural.ts'
import { Label, useAct, useRemove } from '../form/remove.tsx'
import { Failed, Nothing, Waiting } from '../page/states.tsx'
import { useText } from '../text.ts'
import { State, Time } from '../value.tsx'
import { whenOf } from './ScheduleDialog.tsx'

const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx'))
type Row = Of<typeof ScheduledExport>
const CHANGES = [scheduled.queryPage, scheduled.runs]
const ALL = { limit: 100 }

/** One's own exports that come again: when, what became of the last, pause and delete. */
export default function ScheduledExports() {
  const say = useText()
  const list = useQuery(asks(scheduled.queryPage, ALL))
  const [editing, setEditing] = useState<Row>()
  return (
    <>
      <p className="soft">
        {say([
          '在任一列表的「导出」菜单中选择「定时导出」即可新增；每次按您当时的权限导出。',
          'Choose “Schedule this export” in the export menu of any list to add one; each run uses the permissions you have then.',
        ])}
      </p>
      {list.isPending && <Waiting lines={4} />}
      {list.isError && <Failed error={list.error as Refusal} retry={() => void list.refetch()} />}
      {list.data?.records.length === 0 && <Nothing>{say(['还没有定时导出。', 'No scheduled exports yet.'])}</Nothing>}
      <ul className="exports">
        {list.data?.records.map((row) => (
          <Line key={row.id} row={row} onEdit={() => setEditing(row)} />
        ))}
      </ul>
      {editing && (
        <Suspense>
          <ScheduleDialog of={editing} onClose={() => setEditing(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function Line({ row, onEdit }: { row: Row; onEdit: () => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  const remove = useRemove(CHANGES)
  const [open, setOpen] = useState(false)
  const { id, version, name, title, titleEn, state, stoppedBy, nextAt, lastAt } = row
  const active = state === ScheduledState.active
  return (
    <li>
      <div>
        <b>{name}</b> <State dictionary={ScheduledState} value={state} />
        <span className="push" />
        <Button
          size="small"
          onClick={() =>
            void act(active ? scheduled.pause : scheduled.resume, { id, version }, { done: active ? ['已暂停', 'Paused'] : ['已恢复', 'Resumed'] })
          }
        >
          {say(active ? ['暂停', 'Pause'] : ['恢复', 'Resume'])}
        </Button>
        <Button size="small" onClick={onEdit}>
          {say(Label.edit)}
        </Button>
        <Button
          size="small"
          danger
          onClick={() => void remove(scheduled.delete, { id, version }, name, { kind: 'platform.scheduled_export', key: id })}
        >
          {say(Label.delete)}
        </Button>
      </div>
      <div className="soft">
        <small>{say([title, titleEn])}</small>
        <small>{say(whenOf(row))}</small>
        {stoppedBy !== null && <small>{say(StoppedBy.entries[stoppedBy] as never)}</small>}
      </div>
      <div className="faint">
        {active && (
          <small>
            {say(['下次', 'Next'])} <Time at={nextAt} />
          </small>
        )}
        {lastAt && (
          <small>
            {say(['上次', 'Last'])} <Time at={lastAt} />
          </small>
        )}
        <Button size="small" type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {say(['执行记录', 'Past runs'])}
        </Button>
      </div>
      {open && <Runs id={id} />}
    </li>
  )
}

function Runs({ id }: { id: Row['id'] }) {
  const say = useText()
  const { data, isPending } = useQuery(asks(scheduled.runs, { id }))
  if (isPending) return <Waiting lines={2} />
  if (!data?.length) return <p className="faint">{say(['还没有执行过', 'Not run yet'])}</p>
  return (
    <ol className="export-runs">
      {data.map((run) => (
        <li key={run.dueAt}>
          <Time at={run.at} />{' '}
          {run.said !== null
            ? say([run.said, run.saidEn ?? ''])
            : run.rows === null
              ? say(['文件已过保留期', 'The file has expired'])
              : say([`${count(run.rows)} 行`, `${count(run.rows)} ${plural(run.rows, 'row')}`])}
        </li>
      ))}
    </ol>
  )
}
