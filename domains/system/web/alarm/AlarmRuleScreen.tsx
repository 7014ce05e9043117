import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Form, InputNumber } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { Facts, Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../../platform/web/form/remove.tsx'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { type Say, type Text, useText } from '../../../../platform/web/text.ts'
import { Duration, State, Time } from '../../../../platform/web/value.tsx'
import { alarmRecord } from '../../contract/alarmRecord.ts'
import { AlarmLevel, AlarmOp, AlarmRule, alarmRule, AlarmRuleDetail, alarmRuleSearch, OP_SIGNS } from '../../contract/alarmRule.ts'
import { Metric, type MetricCode, METRICS, performance } from '../../contract/performance.ts'
import { AlarmLines } from './AlarmLines.tsx'
import '../machine/servers.css'

type Row = Of<typeof AlarmRuleDetail>
const CHANGES = [alarmRule.pageQuery, alarmRule.getInfo, alarmRecord.pageQuery, performance.queryCurrentNumInfo]
const FRESH: Partial<Of<typeof AlarmRule>> = {
  metric: Metric.processor,
  op: AlarmOp.above,
  threshold: 90,
  forMin: 5,
  level: AlarmLevel.major,
  silenceMin: 30,
  enabled: true,
}

/** When a measure of a server is worth a person's attention, and whose. */
export default function AlarmRuleScreen() {
  const say = useText()
  const remove = useRemove(CHANGES)
  const act = useAct(CHANGES)
  const [doing, setDoing] = useState<{ of?: Row }>()
  const enable = ({ id, version, enabled }: Row) =>
    void act(
      alarmRule.update,
      { id, version, enabled: !enabled },
      { done: enabled ? ['已停用，未恢复的告警一并结束', 'Disabled; its open alarms are closed'] : ['已启用', 'Enabled'] },
    )
  return (
    <>
      <ListScreen
        purpose={[
          '指标越过阈值并持续一段时间即告警，回落 5 % 后恢复',
          'An alarm is raised when a metric stays beyond its threshold, and recovers once it is 5% back inside',
        ]}
        query={alarmRule.pageQuery}
        search={alarmRuleSearch}
        find={['name', 'metric', 'level', 'enabled']}
        columns={columnsOf(say)}
        hidden={['remark', 'updatedAt']}
        roomy={['silenceMin', 'lastRaisedAt']}
        live="system.alarm-record"
        toolbar={
          can(alarmRule.save.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setDoing({})}>
              {say(Label.add)}
            </Button>
          )
        }
        actions={(row) => [
          { text: Label.edit, needs: alarmRule.update.needs, run: () => setDoing({ of: row }) },
          { text: row.enabled ? Label.disable : Label.enable, needs: alarmRule.update.needs, run: () => enable(row) },
          deleting(remove, alarmRule.delete, { id: row.id, version: row.version }, row.name, { kind: 'system.alarm_rule', key: row.id }),
        ]}
        detail={{
          call: alarmRule.getInfo,
          head: (row) => (
            <>
              <b>{row.name}</b> <Enabled of={row} />
            </>
          ),
          act: (row) => can(alarmRule.update.needs) && <Button onClick={() => setDoing({ of: row })}>{say(Label.edit)}</Button>,
          body: (row) => <Rule of={row} />,
        }}
      />
      {doing && <RuleForm {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'name',
  { dataIndex: 'metric', title: say(['条件', 'Condition']), render: (_, row) => <b className="plain">{conditionOf(row, say)}</b> },
  {
    dataIndex: 'forMin',
    align: 'left',
    render: (_, row) => (row.forMin === 0 ? say(['立即', 'Immediately']) : <Duration minutes={row.forMin} />),
  },
  'level',
  { dataIndex: 'silenceMin', align: 'left', render: (_, row) => <Duration minutes={row.silenceMin} /> },
  { dataIndex: 'enabled', render: (_, row) => <Enabled of={row} /> },
  {
    dataIndex: 'open',
    render: (_, row) =>
      row.open > 0 ? (
        <Link to={`/appManage/server/alarmRecord?ruleId=${row.id}&state=0,2`} onClick={(event) => event.stopPropagation()}>
          {row.open}
        </Link>
      ) : (
        <span className="faint">0</span>
      ),
  },
  'lastRaisedAt',
  'remark',
  'updatedAt',
]

export const conditionOf = ({ metric, op, threshold }: Pick<Row, 'metric' | 'op' | 'threshold'>, say: Say) =>
  `${say(Metric.entries[metric])} ${OP_SIGNS[op]} ${threshold}${METRICS[metric].unit && ` ${METRICS[metric].unit}`}`

function Enabled({ of }: { of: Row }) {
  const say = useText()
  return <span className={`state ${of.enabled ? 'success' : 'default'}`}>{say(of.enabled ? ['启用', 'Enabled'] : ['停用', 'Disabled'])}</span>
}

function Rule({ of }: { of: Row }) {
  const say = useText()
  const { data: known } = useQuery(asks(alarmRule.receivers, {}, { quiet: true }))
  const { data: servers } = useQuery(asks(performance.queryServerInfo, {}, { quiet: true }))
  const named = (list: readonly { id: string; name: string }[] | undefined, ids: readonly string[]) =>
    ids.map((id) => list?.find((one) => one.id === id)?.name ?? id.slice(0, 8)).join(say(['、', ', ']))
  const told = [named(known?.roles, of.notifyRoles), named(known?.people, of.notifyPeople)].filter(Boolean).join(say(['、', ', ']))
  return (
    <>
      <Facts
        entity={AlarmRuleDetail}
        of={of}
        show={[
          { label: ['条件', 'Condition'], value: conditionOf(of, say) },
          { label: ['持续时间', 'Duration'], value: of.forMin === 0 ? say(['立即', 'Immediately']) : <Duration minutes={of.forMin} /> },
          { label: ['级别', 'Level'], value: <State dictionary={AlarmLevel} value={of.level} /> },
          { label: ['静默时间', 'Quiet time'], value: <Duration minutes={of.silenceMin} /> },
          { label: ['服务器', 'Servers'], value: of.serverIds.length === 0 ? say(['全部', 'All']) : named(servers, of.serverIds) },
          { label: ['通知', 'Notified'], value: told || say(['有权确认告警的人', 'Everybody who may acknowledge alarms']) },
          { label: ['最近告警', 'Last raised at'], value: <Time at={of.lastRaisedAt} /> },
          'updatedAt',
          'remark',
        ]}
      />
      {can(alarmRecord.pageQuery.needs) && (
        <Section
          title={['最近的告警', 'Latest alarms']}
          aside={<Link to={`/appManage/server/alarmRecord?ruleId=${of.id}`}>{say(['全部', 'All'])}</Link>}
        >
          <AlarmLines ruleId={of.id} />
        </Section>
      )}
    </>
  )
}

interface Picked {
  id?: string
  value?: string[]
  onChange?: (value: string[]) => void
}
const Several = ({ options, none, ...props }: Picked & { options: readonly { id: string; name: string }[]; none: Text }) => {
  const say = useText()
  return (
    <Select
      mode="multiple"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(none)}
      options={options.map(({ id, name }) => ({ value: id, label: name }))}
      {...(props as object)}
    />
  )
}
function ServersSelect(props: Picked) {
  const { data = [] } = useQuery(asks(performance.queryServerInfo, {}, { quiet: true }))
  return <Several {...props} options={data} none={['全部服务器', 'All servers']} />
}
function ReceiversSelect({ of, ...props }: Picked & { of: 'people' | 'roles' }) {
  const { data } = useQuery(asks(alarmRule.receivers, {}, { quiet: true }))
  return (
    <Several
      {...props}
      options={data?.[of] ?? []}
      none={of === 'roles' ? ['不选则通知有权确认告警的人', 'If empty, everybody who may acknowledge alarms'] : ['另外通知的人', 'Also notify']}
    />
  )
}

/** In the unit of the measure that the form has chosen, with what that measure is. */
function Threshold(props: { id?: string; value?: number; onChange?: (value: number | null) => void }) {
  const say = useText()
  const { unit, help } = METRICS[(Form.useWatch('metric') as MetricCode | undefined) ?? 1]
  return (
    <>
      <InputNumber<number> {...props} precision={0} suffix={unit} />
      <div className="faint">{say(help)}</div>
    </>
  )
}

function RuleForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const fields = [
    'name',
    'metric',
    'op',
    { name: 'threshold', control: <Threshold /> },
    { name: 'forMin', help: ['0 为立即告警；数据中断会重新计时', '0 raises it immediately; a gap in the data restarts the count'], optional: true },
    'level',
    { name: 'serverIds', control: <ServersSelect />, optional: true },
    { name: 'notifyRoles', control: <ReceiversSelect of="roles" />, optional: true },
    { name: 'notifyPeople', control: <ReceiversSelect of="people" />, optional: true },
    {
      name: 'silenceMin',
      help: ['同一服务器再次告警时，在此时间内只记录不通知', 'If raised again for the same server within this time, it is recorded without notice'],
      optional: true,
    },
    'enabled',
    'remark',
  ] as const
  return (
    <FormDialog
      entity={AlarmRule}
      mode={of ? 'edit' : 'new'}
      value={of ?? FRESH}
      save={(of ? alarmRule.update : alarmRule.save) as typeof alarmRule.save}
      changes={CHANGES}
      done={['已保存，下一分钟起生效', 'Saved; effective from the next minute']}
      fields={fields}
      onClose={onClose}
    />
  )
}
