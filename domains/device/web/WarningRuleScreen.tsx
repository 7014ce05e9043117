import { lasting } from '../../../platform/contract/duration.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Form, InputNumber } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { Duration } from '../../../platform/web/value.tsx'
import { ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { WarningLevel, WarningType } from '../contract/device.ts'
import { message } from '../contract/message.ts'
import { LASTING, RuleStatus, THRESHOLDS, WarningRule, warningRule, type WarningRuleRow, warningRuleSearch } from '../contract/warningRule.ts'
import { findPark, PARK } from './places.tsx'

type Row = Of<typeof WarningRuleRow>
const CHANGES = [warningRule.query, message.warning]
const EVERYWHERE: Text = ['全部车场', 'All car parks']

/** When devices are worth a person's attention, and whose: a park's own rule, or the one of the enterprise. */
export default function WarningRuleScreen() {
  const say = useText()
  const remove = useRemove(CHANGES)
  const act = useAct(CHANGES)
  const [doing, setDoing] = useState<{ of?: Row }>()
  const turn = (row: Row) => {
    const off = row.status === RuleStatus.on
    void act(
      warningRule.statusChangePost,
      { id: row.id, status: off ? RuleStatus.off : RuleStatus.on },
      {
        ...(off && {
          question: [
            `停用「${row.name}」？此后不再预警；未恢复的 ${row.openCount} 条保留，直到恢复或处理。`,
            `Disable “${row.name}”? It raises no more warnings; ${row.openCount} ${plural(row.openCount, 'open warning')} will stay until recovered or handled.`,
          ] as const,
          act: ['确认停用', 'Disable'] as const,
        }),
        done: off ? ['已停用', 'Disabled'] : ['已启用', 'Enabled'],
      },
    )
  }
  return (
    <>
      <ListScreen
        purpose={[
          '哪些设备问题要预警、到什么程度、通知谁；车场自己的规则优先，没有规则时按平台默认',
          'Which device problems raise warnings, at what level, and who is notified. A car park’s own rule comes first; without a rule the platform’s defaults apply',
        ]}
        query={warningRule.query}
        search={warningRuleSearch}
        find={['name', 'type', findPark, 'level', 'status']}
        columns={[
          'name',
          'type',
          { dataIndex: 'parkCode', title: say(PARK), render: (_, row) => (row.parkCode ? <ParkName code={row.parkCode} /> : say(EVERYWHERE)) },
          { dataIndex: 'threshold', title: say(['条件', 'Condition']), align: 'left', render: (_, row) => conditionOf(row, say) },
          'level',
          { dataIndex: 'silenceMin', align: 'left', render: (_, row) => <Duration minutes={row.silenceMin} /> },
          'status',
          { dataIndex: 'openCount', render: (_, row) => <OpenOnes of={row} /> },
          'remark',
          'updatedAt',
        ]}
        hidden={['remark', 'updatedAt']}
        roomy={['silenceMin']}
        live="device.warning"
        add={{ call: warningRule.add, open: () => setDoing({}) }}
        exports={warningRule.export}
        history={{ kind: 'device.warning_rule', restore: warningRule.update, changes: CHANGES }}
        actions={(row) => [
          { text: Label.edit, needs: warningRule.update.needs, run: () => setDoing({ of: row }) },
          {
            text: row.status === RuleStatus.on ? Label.disable : Label.enable,
            needs: warningRule.statusChange.needs,
            run: () => turn(row),
            not: row.type === WarningType.paidButShut && ['关系到已付款的车，始终启用', 'It protects cars that have paid, so it is always on'],
          },
          deleting(remove, warningRule.delete, { id: row.id, version: row.version }, row.name),
        ]}
        empty={['还没有规则：全部设备按平台默认预警。', 'No rules yet: all devices use the platform’s default warnings.']}
      />
      {doing && <RuleForm {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function conditionOf({ type, threshold, durationSec }: Row, say: Say): string {
  const counted = THRESHOLDS[type]
  if (counted) return `${say(counted.label)} ${threshold ?? counted.usual} ${say(counted.unit)}`
  if (type === WarningType.offline && durationSec === null) return say(['三个心跳周期无消息', 'No message for three heartbeats'])
  if (durationSec) return say([`持续 ${lasting(durationSec, 'second')[0]}`, `Lasts ${lasting(durationSec, 'second')[1]}`])
  return say(['发生即预警', 'Immediately'])
}

function OpenOnes({ of }: { of: Row }) {
  if (of.openCount === 0) return <span className="faint">0</span>
  const park = of.parkCode ? `&parkCode=${of.parkCode}` : ''
  return (
    <Link to={`/appManage/device/warningRecord?type=${of.type}&state=0,1${park}`} onClick={(event) => event.stopPropagation()}>
      {of.openCount}
    </Link>
  )
}

interface Picked {
  id?: string
  value?: string[]
  onChange?: (value: string[]) => void
}
function ReceiversSelect({ of, ...props }: Picked & { of: 'people' | 'roles' }) {
  const say = useText()
  const { data } = useQuery(asks(warningRule.receivers, {}, { quiet: true }))
  const none: Text =
    of === 'roles'
      ? ['不选则紧急预警通知有权查看设备的人', 'If empty, critical warnings go to everyone with access to devices']
      : ['另外通知的人', 'Also notify these people']
  return (
    <Select
      mode="multiple"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(none)}
      options={(data?.[of] ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      {...(props as object)}
    />
  )
}

type Numbered = { id?: string; value?: number | null; onChange?: (value: number | null) => void }
/** Only the types that count something have a threshold; the field says what it counts. */
function Threshold(props: Numbered) {
  const say = useText()
  const counted = THRESHOLDS[Form.useWatch('type') as Row['type']]
  if (!counted) return <span className="faint">{say(['该类型发生即预警，没有阈值', 'No threshold: this type is raised immediately'])}</span>
  return <InputNumber<number> {...props} precision={0} prefix={say(counted.label)} suffix={say(counted.unit)} placeholder={String(counted.usual)} />
}
function LastsFor(props: Numbered) {
  const say = useText()
  const type = Form.useWatch('type') as Row['type']
  if (!LASTING.includes(type)) return <span className="faint">{say(['发生即预警', 'Raised immediately'])}</span>
  return (
    <InputNumber<number>
      {...props}
      precision={0}
      suffix={say(['秒', 's'])}
      placeholder={say(type === WarningType.offline ? ['三个心跳周期', 'Three heartbeats'] : ['立即', 'Immediately'])}
    />
  )
}

function RuleForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const fields = [
    'name',
    ...(of ? [] : (['type'] as const)),
    {
      name: 'parkCode',
      label: PARK,
      control: <ParkSelect empty={EVERYWHERE} />,
      optional: true,
      help: ['不选为全部车场；某车场另有规则时以其规则为准', 'If empty, all car parks; a car park’s own rule takes precedence'],
    },
    { name: 'threshold', control: <Threshold />, optional: true },
    { name: 'durationSec', control: <LastsFor />, optional: true },
    'level',
    { name: 'notifyRoles', control: <ReceiversSelect of="roles" />, optional: true },
    { name: 'notifyPeople', control: <ReceiversSelect of="people" />, optional: true },
    {
      name: 'silenceMin',
      help: [
        '同一设备同类预警再次发生时，在此时间内只记录不通知',
        'If the same device repeats the same warning within this time, it is recorded without notification',
      ],
      optional: true,
    },
    { name: 'remark', optional: true },
  ] as const
  return (
    <FormDialog
      entity={WarningRule}
      fields={fields}
      mode={of ? 'edit' : 'new'}
      value={of ?? { type: WarningType.offline, level: WarningLevel.major, silenceMin: 30, notifyPeople: [], notifyRoles: [] }}
      save={(of ? warningRule.update : warningRule.add) as typeof warningRule.add}
      changes={CHANGES}
      done={['已保存，立即生效', 'Saved; effective immediately']}
      onClose={onClose}
    />
  )
}
