import { Form } from 'antd'
import { type ReactElement, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { WeekdaysSelect, weekdaysIn } from '../../../platform/web/time/weekdays.tsx'
import { CHOOSE, findPark, ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { AccessEffect, AccessRule, accessRule, accessRuleSearch, AccessStatus, OddEven } from '../contract/accessRule.ts'
import { RULE_CHANGES } from './changes.ts'
import { GatesSelect, GroupsSelect, useGroups } from './names.tsx'

type Row = Of<typeof AccessRule>

/** Which cars may come in when. */
export default function AccessRuleScreen() {
  const say = useText()
  const act = useAct(RULE_CHANGES)
  const remove = useRemove(RULE_CHANGES)
  const groups = useGroups()
  const [doing, setDoing] = useState<Row | 'new'>()
  const named = (ids: readonly string[]) =>
    ids.length ? ids.map((id) => groups.find((one) => one.id === id)?.name ?? '…').join(say(['、', ', '])) : say(['所有车辆', 'All cars'])
  const turn = (row: Row) => {
    const yes = row.status === AccessStatus.inForce ? AccessStatus.draft : AccessStatus.inForce
    void act(accessRule.updateYes, { id: row.id, version: row.version, yes }, { done: yes ? ['已启用', 'Enabled'] : ['已停用', 'Disabled'] })
  }
  return (
    <>
      <ListScreen
        purpose={[
          '按车场、通道、时段和月卡类型决定谁可以进：启用后在入口立即生效',
          'Who may enter by car park, lane, hours and pass type; an enabled rule works at the entrances at once',
        ]}
        query={accessRule.queryPage}
        search={accessRuleSearch}
        find={[findPark, 'effect', 'status', 'name']}
        columns={[
          'name',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'effect',
          'status',
          { dataIndex: 'memberGroups', render: (_, row) => named(row.memberGroups) },
          { dataIndex: 'dayMask', align: 'left', render: (_, row) => say(weekdaysIn(row.dayMask)) },
          {
            dataIndex: 'timeFrom',
            title: say(['时段', 'Hours']),
            render: (_, row) => (row.timeFrom === row.timeTo ? say(['全天', 'All day']) : `${row.timeFrom}–${row.timeTo}`),
          },
          'oddEven',
          'priority',
          'dateFrom',
          'dateTo',
          'remark',
        ]}
        hidden={['dateFrom', 'dateTo', 'remark']}
        roomy={['oddEven', 'priority']}
        add={{ call: accessRule.insert, open: () => setDoing('new') }}
        actions={(row) => [
          { text: row.status === AccessStatus.inForce ? Label.disable : Label.enable, needs: accessRule.updateYes.needs, run: () => turn(row) },
          { text: Label.edit, needs: accessRule.update.needs, run: () => setDoing(row) },
          {
            text: Label.delete,
            needs: accessRule.delete.needs,
            run: () => void remove(accessRule.delete, { id: row.id, version: row.version }, row.name),
            danger: true,
          },
        ]}
        empty={['没有准入规则：所有车辆按车场策略入场', 'No access rules: cars enter by the car park’s policy']}
      />
      {doing && <RuleForm of={doing === 'new' ? undefined : doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** The gates of the park that is chosen in the same form. */
function GatesOf({
  of,
  ...props
}: {
  of?: string | undefined
  id?: string
  value?: string[]
  onChange?: (value: string[] | undefined) => void
}): ReactElement {
  const chosen = Form.useWatch('parkCode') as string | undefined
  return <GatesSelect {...props} parkCode={of ?? chosen} />
}

function RuleForm({ of, onClose }: { of: Row | undefined; onClose: () => void }) {
  const fields = [
    'name',
    'effect',
    { name: 'gates', control: <GatesOf of={of?.parkCode} /> },
    { name: 'memberGroups', control: <GroupsSelect />, help: ['不选为所有车辆', 'Leave empty for all cars'] },
    { name: 'dayMask', control: <WeekdaysSelect /> },
    { name: 'timeFrom', help: ['如 08:00；起止相同为全天', 'For example 08:00; the same start and end is all day'] },
    'timeTo',
    'dateFrom',
    'dateTo',
    'oddEven',
    { name: 'priority', help: ['数值大的优先；相同时禁止优先', 'The higher number wins; a tie forbids'] },
    'remark',
  ] as const
  if (of)
    return (
      <FormDialog
        entity={AccessRule}
        mode="edit"
        value={of}
        save={accessRule.update}
        changes={RULE_CHANGES}
        done={['已保存', 'Saved']}
        fields={fields as never}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      entity={AccessRule}
      mode="new"
      value={{
        effect: AccessEffect.forbid,
        dayMask: 127,
        timeFrom: '00:00',
        timeTo: '00:00',
        oddEven: OddEven.any,
        priority: 0,
        gates: [],
        memberGroups: [],
      }}
      save={accessRule.insert}
      changes={RULE_CHANGES}
      done={['已新增，启用后生效', 'Added; it works once enabled']}
      fields={[{ name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect empty={CHOOSE} /> }, ...fields] as never}
      onClose={onClose}
    />
  )
}
