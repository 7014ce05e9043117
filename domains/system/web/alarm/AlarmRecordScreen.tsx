import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { Act } from '../../../../platform/web/form/catalogued.tsx'
import { minutesOf } from '../../../../platform/web/format.ts'
import { type Event, Facts, Section, Timeline } from '../../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { type Say, type Text, useText } from '../../../../platform/web/text.ts'
import { Duration, State } from '../../../../platform/web/value.tsx'
import { alarmCan, AlarmEnding, AlarmRecord, alarmRecord, alarmRecordSearch, AlarmState } from '../../contract/alarmRecord.ts'
import { AlarmLevel } from '../../contract/alarmRule.ts'
import { performance } from '../../contract/performance.ts'
import { conditionOf } from './AlarmRuleScreen.tsx'
import { measured } from '../machine/figures.tsx'
import { MetricPanel } from '../machine/MetricPanel.tsx'

type Row = Of<typeof AlarmRecord>
const CHANGES = [alarmRecord.pageQuery, alarmRecord.getInfo, performance.queryCurrentNumInfo, performance.queryServerPerformanceInfo]
const SILENCE = 12
const NOT_NOW: Text = ['只有告警中的记录可以确认', 'Only raised alarms can be acknowledged']

/** Every alarm that was raised: an open one first needs somebody who acknowledges it. */
export default function AlarmRecordScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Row>()
  return (
    <>
      <ListScreen
        purpose={['服务器告警从触发、确认到恢复的全过程', 'Server alarms from raised through acknowledged to recovered']}
        query={alarmRecord.pageQuery}
        search={alarmRecordSearch}
        find={['state', 'level', 'raisedAt', 'metric', 'serverName', 'ruleName']}
        columns={[
          'raisedAt',
          'level',
          'state',
          'ruleName',
          'serverName',
          { dataIndex: 'metric', title: say(['条件', 'Condition']), render: (_, row) => conditionOf(row, say) },
          { dataIndex: 'value', render: (_, row) => measured(row.metric, row.value) },
          { dataIndex: 'mostValue', render: (_, row) => measured(row.metric, row.mostValue) },
          { key: 'lasted', title: say(['持续', 'Duration']), render: (_, row) => <Duration minutes={lasted(row)} /> },
          'recoveredAt',
          'acknowledgedBy',
          'told',
          'since',
          'acknowledgedAt',
          'note',
        ]}
        hidden={['value', 'told', 'since', 'acknowledgedAt', 'note', 'acknowledgedBy']}
        roomy={['metric', 'recoveredAt']}
        live="system.alarm-record"
        sum={{
          figures: [
            { text: ['告警中', 'Raised'], leads: { state: [AlarmState.raised] } },
            { text: ['已确认', 'Acknowledged'], leads: { state: [AlarmState.acknowledged] } },
            { text: ['紧急', 'Critical'], leads: { level: [AlarmLevel.critical] } },
          ],
        }}
        actions={(row) => [
          {
            text: ['确认', 'Acknowledge'],
            needs: alarmRecord.acknowledge.needs,
            run: () => setDoing(row),
            not: alarmCan.acknowledge(row.state) === undefined && NOT_NOW,
          },
        ]}
        detail={{
          call: alarmRecord.getInfo,
          head: (row) => (
            <>
              <b>{row.ruleName}</b> <State dictionary={AlarmState} value={row.state} />
            </>
          ),
          act: (row) =>
            alarmCan.acknowledge(row.state) !== undefined && (
              <Act text={['确认告警', 'Acknowledge']} needs={alarmRecord.acknowledge.needs} type="primary" onClick={() => setDoing(row)} />
            ),
          body: (row) => <Story of={row} />,
        }}
      />
      {doing && <Acknowledge of={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}
const lasted = ({ raisedAt, recoveredAt }: Row) => Math.max(1, minutesOf((recoveredAt ? Date.parse(recoveredAt) : Date.now()) - Date.parse(raisedAt)))

function Story({ of }: { of: Row }) {
  const say = useText()
  return (
    <>
      <Facts
        entity={AlarmRecord}
        of={of}
        show={[
          { label: ['级别', 'Level'], value: <State dictionary={AlarmLevel} value={of.level} /> },
          { label: ['条件', 'Condition'], value: conditionOf(of, say) },
          {
            label: ['服务器', 'Server'],
            value: can(performance.queryInfo.needs) ? (
              <Link to={`/appManage/server/performance?server=${of.serverId}`}>{of.serverName}</Link>
            ) : (
              of.serverName
            ),
          },
          { label: ['触发值', 'Value when raised'], value: measured(of.metric, of.value) },
          { label: ['最严重值', 'Worst value'], value: measured(of.metric, of.mostValue) },
          { label: ['最新值', 'Latest value'], value: measured(of.metric, of.lastValue) },
          { label: ['持续', 'Duration'], value: <Duration minutes={lasted(of)} /> },
          'seenAt',
          'note',
        ]}
      />
      {can(performance.queryInfo.needs) && of.metric !== SILENCE && (
        <Section title={['这项指标', 'This metric']}>
          <MetricPanel serverId={of.serverId} metric={of.metric} range={Date.now() - Date.parse(of.raisedAt) < SIX_HOURS_MS ? '6h' : '7d'} />
        </Section>
      )}
      <Section title={['经过', 'Timeline']}>
        <Timeline events={eventsOf(of, say)} />
      </Section>
    </>
  )
}
const SIX_HOURS_MS = 6 * 3_600_000

function eventsOf(of: Row, say: Say): Event[] {
  const silent: Text = ['在静默时间内，没有再次通知', 'Within the quiet time: not notified again']
  return [
    ...(of.recoveredAt
      ? [
          {
            at: of.recoveredAt,
            title: of.ending === null ? say(['已恢复', 'Recovered']) : say(AlarmEnding.entries[of.ending]),
            tone: 'success' as const,
          },
        ]
      : []),
    ...(of.acknowledgedAt
      ? [{ at: of.acknowledgedAt, title: say(['确认', 'Acknowledged']), by: of.acknowledgedBy, body: of.note, tone: 'default' as const }]
      : []),
    { at: of.raisedAt, title: say(['告警', 'Raised']), body: say(of.told ? ['已发送站内消息', 'Message sent'] : silent), tone: 'error' },
    { at: of.since, title: say(['开始越过阈值', 'Crossed the threshold']), tone: 'warning' },
  ]
}

const Acknowledge = ({ of, onClose }: { of: Row; onClose: () => void }) => (
  <FormDialog
    title={['确认告警', 'Acknowledge alarm']}
    entity={AlarmRecord}
    mode="new"
    value={{ id: of.id, version: of.version }}
    save={alarmRecord.acknowledge}
    changes={CHANGES}
    act={['确认告警', 'Acknowledge']}
    done={['已确认', 'Acknowledged']}
    fields={[{ name: 'note', optional: true, help: ['谁在处理、怎么处理；恢复后仍可查到', 'Who is handling it and how; kept in the record'] }]}
    onClose={onClose}
  />
)
