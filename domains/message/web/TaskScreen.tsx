import { plural } from '../../../platform/contract/plural.ts'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Radio } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { ask } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { NONE, time } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { SendState } from '../contract/record.ts'
import { task, TaskDetail, taskCan, taskSearch, TaskState, type TaskRow, AudienceKind } from '../contract/task.ts'
import { RECORD_CHANGES, TASK_CHANGES } from './changes.ts'
import { AudienceField, ChannelOfTemplate, ChannelSelect, TemplateSelect, VarName, VarsField } from './pickers.tsx'

type Row = Of<typeof TaskRow>
const COUNTED = [
  ['succeeded', 2],
  ['waiting', 0],
  ['sending', 1],
  ['failed', 3],
  ['limited', 5],
  ['unsubscribed', 6],
  ['withdrawn', 4],
] as const

/** One thing told to many: planned, followed to its end, and sent again to those whom it did not reach. */
export default function TaskScreen() {
  const say = useText()
  const [editing, setEditing] = useState<{ of?: Row }>()
  const { again, cancel } = useActs()
  return (
    <>
      <ListScreen
        purpose={['向多人群发同一条消息：按时发送，失败的自动重试', 'Send one message to many people: on time, with automatic retries']}
        query={task.queryPage}
        search={taskSearch}
        find={['name', 'state', 'createdAt', { name: 'channelId', control: <ChannelSelect /> }]}
        columns={columnsOf(say)}
        hidden={['startedAt', 'finishedAt', 'urgent', 'authorName']}
        roomy={['channelName', 'createdAt']}
        live="message.task"
        sum={{
          figures: [
            { text: ['执行中', 'running'], leads: { state: [TaskState.running] } },
            { text: ['有失败', 'with failures'], leads: { state: [TaskState.partlyFailed, TaskState.failed] } },
          ],
        }}
        toolbar={
          can(task.insert.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing({})}>
              {say(Label.add)}
            </Button>
          )
        }
        actions={(row) => actionsOf(row, { again: () => void again(row), edit: () => setEditing({ of: row }), cancel: () => void cancel(row) })}
        detail={{
          call: task.detail,
          head: (row) => (
            <>
              <b>{row.name}</b> <State dictionary={TaskState} value={row.state} />
            </>
          ),
          act: (row) =>
            taskCan.resend(row.state) !== undefined && can(task.resend.needs) ? (
              <Button type="primary" onClick={() => void again(row)}>
                {say([`重发失败的 ${row.failed} 条`, `Resend ${row.failed} failed`])}
              </Button>
            ) : (
              taskCan.cancel(row.state) !== undefined &&
              can(task.update.needs) && <Button onClick={() => void cancel(row)}>{say(['取消任务', 'Cancel task'])}</Button>
            ),
          body: (row) => <Story row={row} />,
        }}
      />
      {editing && <TaskForm {...editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

/** Acts on a task that are done at once, after a question. */
function useActs() {
  const act = useAct([...TASK_CHANGES, ...RECORD_CHANGES])
  const again = ({ id, name, failed }: Pick<Row, 'id' | 'name' | 'failed'>) =>
    act(
      task.resend,
      { id },
      {
        question: [`重发「${name}」失败的 ${failed} 条？`, `Resend the ${failed} ${plural(failed, 'failed message')} of “${name}”?`],
        act: [`重发 ${failed} 条`, `Resend ${failed}`],
        done: ['失败的已重新发送', 'Failed messages are being resent'],
      },
    )
  const cancel = ({ id, version, name }: Pick<Row, 'id' | 'version' | 'name'>) =>
    act(
      task.update,
      { id, version, state: TaskState.cancelled },
      {
        question: [`取消任务「${name}」？未发出的消息会撤回。`, `Cancel task “${name}”? Messages not yet sent are withdrawn.`],
        act: ['取消任务', 'Cancel task'],
        done: ['已取消', 'Cancelled'],
      },
    )
  return { again, cancel }
}

const columnsOf = (say: Say): Column<Row>[] => [
  'name',
  { dataIndex: 'templateName' },
  { dataIndex: 'channelName' },
  'state',
  {
    dataIndex: 'total',
    title: say(['进度', 'Progress']),
    align: 'left',
    render: (_, row) => <Bar row={row} />,
  },
  'planAt',
  'finishedAt',
  'authorName',
  'createdAt',
  'startedAt',
  'urgent',
]

/** Puts the actions that the task's state allows first. */
const actionsOf = (row: Row, does: Record<'again' | 'edit' | 'cancel', () => void>): RowAction[] =>
  everyAction(row, does).toSorted((a, b) => Number(Boolean(a.not)) - Number(Boolean(b.not)))
const everyAction = (row: Row, does: Record<'again' | 'edit' | 'cancel', () => void>): RowAction[] => [
  {
    text: ['重发失败', 'Resend failed'],
    needs: task.resend.needs,
    run: does.again,
    not: taskCan.resend(row.state) === undefined && ['没有失败的收件人，或仍在执行', 'No failed recipients, or still running'],
  },
  {
    text: Label.edit,
    needs: task.update.needs,
    run: does.edit,
    not: taskCan.edit(row.state) === undefined && ['只有草稿可以编辑', 'Only drafts can be edited'],
  },
  {
    text: ['取消任务', 'Cancel task'],
    needs: task.update.needs,
    run: does.cancel,
    not: taskCan.cancel(row.state) === undefined && ['任务已结束', 'The task has ended'],
    danger: true,
  },
]

/** How far it is: reached, lost, to come. */
function Bar({ row }: { row: Row }) {
  const say = useText()
  if (row.total === 0) return <span className="faint">--</span>
  const part = (n: number) => `${(n / row.total) * 100}%`
  const lost = row.failed + row.limited
  const over = row.total - row.waiting - row.sending
  return (
    <>
      <span>
        {say([`${over} / ${row.total}`, `${over} / ${row.total}`])}
        {lost > 0 && <span className="state error"> {say([`失败 ${lost}`, `${lost} failed`])}</span>}
      </span>
      <span className="message-bar" aria-hidden>
        <i style={{ width: part(row.succeeded) }} />
        <i className="bad" style={{ width: part(lost) }} />
      </span>
    </>
  )
}

function TaskForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const mode = of ? 'edit' : 'new'
  const fields = [
    'name' as const,
    { name: 'templateId' as const, control: <TemplateSelect />, label: ['模板', 'Template'] as const },
    { name: 'channelId' as const, control: <ChannelOfTemplate />, label: ['渠道', 'Channel'] as const },
    {
      name: 'audience' as const,
      control: <AudienceField />,
      help: ['收件人在任务开始时确定，之后不再变化', 'Recipients are fixed when the task starts and do not change afterwards'] as const,
    },
    { name: 'vars' as const, control: <VarsField />, optional: true },
    {
      name: 'planAt' as const,
      optional: true,
      help: [
        '不填则提交后立即开始；静默时段内的消息等到结束后发出',
        'If empty, it starts on submission; messages that fall into quiet hours are sent afterwards',
      ] as const,
    },
    {
      name: 'urgent' as const,
      optional: true,
      help: ['紧急消息不等静默时段，也不受退订影响', 'Urgent messages ignore quiet hours and unsubscriptions'] as const,
    },
    { name: 'state' as const, optional: true, label: ['提交方式', 'On saving'] as const, control: <Submit /> },
  ]
  const shared = {
    entity: TaskDetail,
    mode,
    changes: TASK_CHANGES,
    fields,
    onClose,
    sure: reachOf,
    act: ({ state }: { state?: number }) => (state === SUBMITTED ? SEND : KEEP),
    done: ['已保存', 'Saved'],
  } as const
  if (of) return <FormDialog {...shared} title={['编辑任务', 'Edit task']} value={{ ...of, state: TaskState.planned }} save={task.update} />
  return (
    <FormDialog
      {...shared}
      title={['新增任务', 'New task']}
      value={{ audience: { kind: AudienceKind.departments }, vars: {}, urgent: false, state: TaskState.planned }}
      save={task.insert}
    />
  )
}
const SUBMITTED = 1
const SEND: Text = ['发送', 'Send']
const KEEP: Text = ['存为草稿', 'Save as draft']
/** Before it is submitted: to how many it goes, and when. A draft goes to nobody. */
async function reachOf({ state, audience, channelId, planAt }: Partial<Pick<Of<typeof TaskDetail>, 'state' | 'audience' | 'channelId' | 'planAt'>>) {
  if (state !== SUBMITTED || !audience) return undefined
  const { total, reachable } = await ask(task.audience, { audience, ...(channelId && { channelId }) })
  const lost = total - reachable
  const [noneZh, noneEn] = lost > 0 ? [`（其中 ${lost} 人没有接收地址）`, ` (${lost} of them without an address)`] : ['', '']
  const [whenZh, whenEn] = planAt ? [`于 ${time(new Date(planAt))} `, ` at ${time(new Date(planAt))}`] : ['立即', ' now']
  return [`${whenZh}发送给 ${total} 人${noneZh}？`, `Send it to ${total} ${plural(total, 'person', 'people')}${noneEn}${whenEn}?`] as const
}
function Submit({ value, onChange }: { value?: number; onChange?: (value: number) => void }) {
  const say = useText()
  return (
    <Radio.Group
      value={value}
      onChange={({ target }) => onChange?.(target.value)}
      options={[
        { value: 1, label: say(['提交', 'Submit']) },
        { value: 0, label: say(['存为草稿', 'Save as draft']) },
      ]}
    />
  )
}

/** A query that asks for nothing finds them all. */
const isForAll = ({ kind, departmentIds = [] }: Row['audience']) => kind === BY_QUERY && departmentIds.length === 0
const BY_QUERY = 4

function Story({ row }: { row: Of<typeof TaskDetail> }) {
  const say = useText()
  return (
    <>
      {row.waitsForMorning > 0 && (
        <p className="state warning">
          {say([`${row.waitsForMorning} 条等静默时段结束后发出：`, `${row.waitsForMorning} held until quiet hours end: `])}
          <Time at={row.nextAt} />
        </p>
      )}
      {row.failure && <p className="state error">{row.failure}</p>}
      <Facts
        entity={TaskDetail}
        of={row}
        show={[
          'templateName',
          'channelName',
          { label: ['收件人', 'Audience'], value: row.audienceText || (isForAll(row.audience) ? say(['全部人员', 'Everyone']) : NONE) },
          'total',
          'urgent',
          'planAt',
          'startedAt',
          'finishedAt',
          'nextAt',
          'authorName',
          'createdAt',
        ]}
      />
      <Section
        title={['收件人', 'Recipients']}
        aside={<Link to={`/operation/message/record?view=all&taskId=${row.id}`}>{say(['全部记录', 'All records'])}</Link>}
      >
        <table className="lines">
          <tbody>
            {COUNTED.filter(([of]) => row[of] > 0).map(([of, state]) => (
              <tr key={of}>
                <td>
                  <State dictionary={SendState} value={state} />
                </td>
                <td>
                  <Link to={`/operation/message/record?view=all&taskId=${row.id}&sendState=${state}`}>{row[of]}</Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      {Object.keys(row.vars).length > 0 && (
        <Section title={['变量值', 'Variable values']}>
          <table className="lines">
            <tbody>
              {Object.entries(row.vars).map(([name, value]) => (
                <tr key={name}>
                  <td>
                    <VarName of={row.templateId} name={name} />
                  </td>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </>
  )
}
