import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { useTickOfAll } from '../../../platform/web/list/Ticks.tsx'
import { DeviceType } from '../../device/contract/device.ts'
import { Cycle, ItemType, type PatrolRule, patrolRules, patrolRuleSearch } from '../contract/patrolRule.ts'
import { CHANGES } from './changes.ts'
import { DeviceTypesSelect, ParksSelect } from './choices.tsx'
import { ItemsInput } from './ItemsInput.tsx'

type Row = Of<typeof PatrolRule>
type Doing = { what: 'new'; of?: undefined } | { what: 'edit' | 'parks'; of: Row }
const SAVE: Text = ['保存', 'Save']
const TASKS = '/operation/maintain/rostering'

/** Patrol rules: the items to check, in which parks, how often. */
export default function PatrolRuleScreen() {
  const say = useText()
  const remove = useRemove(CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const { needs } = patrolRules.update
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={[
          '查什么、查哪些车场、多久一次；任务提前 7 天生成',
          'What to check, in which car parks and how often; tasks are created 7 days ahead',
        ]}
        query={patrolRules.query}
        search={patrolRuleSearch}
        exports={patrolRules.export}
        add={{ call: patrolRules.insert, open: () => setDoing({ what: 'new' }) }}
        find={['name', 'cycle']}
        columns={[
          'name',
          {
            dataIndex: 'deviceTypes',
            render: (_, row) => row.deviceTypes.map((one) => say(DeviceType.entries[one] as never as Text)).join(say(['、', ', '])),
          },
          'cycle',
          'times',
          { dataIndex: 'items', title: say(['检查项', 'Items']), render: (_, row) => row.items.map(({ name }) => name).join(say(['、', ', '])) },
          { dataIndex: 'parkCodes', title: say(['车场', 'Car parks']), align: 'right', render: (_, row) => row.parkCodes.length },
          {
            dataIndex: 'openTasks',
            title: say(['未完成任务', 'Open tasks']),
            align: 'right',
            render: (_, row) => <Link to={`${TASKS}?ruleId=${row.id}&state=0,1,3`}>{row.openTasks}</Link>,
          },
          'route',
          'createdAt',
        ]}
        hidden={['route', 'createdAt']}
        roomy={['times']}
        actions={(row) => [
          { text: ['车场', 'Car parks'], needs, run: () => setDoing({ what: 'parks', of: row }) },
          { text: Label.edit, needs, run: () => setDoing({ what: 'edit', of: row }) },
          deleting(remove, patrolRules.delete, { id: row.id, version: row.version }, row.name),
        ]}
        empty={['还没有规则：新增一条，任务会自动生成', 'No rules yet: add one, and tasks are created automatically']}
      />
      {doing?.what === 'parks' && <Parks of={doing.of} onClose={close} />}
      {doing && doing.what !== 'parks' && <Form of={doing.of} onClose={close} />}
    </>
  )
}

function Form({ of, onClose }: { of: Row | undefined; onClose: () => void }) {
  const say = useText()
  const fields = [
    'name',
    { name: 'deviceTypes', control: <DeviceTypesSelect /> },
    'cycle',
    { name: 'times', optional: true, help: ['一个周期内均分的次数', 'Number of patrols spread evenly over a period'] },
    { name: 'items', control: <ItemsInput /> },
    { name: 'route', optional: true },
  ]
  if (of)
    return (
      <FormDialog
        title={[`编辑规则 · ${of.name}`, `Edit rule · ${of.name}`]}
        entity={patrolRules.update.input as never}
        mode="edit"
        value={of as never}
        save={patrolRules.update}
        changes={CHANGES}
        fields={fields as never}
        onClose={onClose}
      />
    )
  const all = [
    ...fields,
    { name: 'parkCodes', control: <ParksSelect />, optional: true, help: ['也可以稍后在「车场」里设置', 'Can also be set later under “Car parks”'] },
  ]
  return (
    <FormDialog
      title={['新增巡检规则', 'New patrol rule']}
      entity={patrolRules.insert.input as never}
      mode="new"
      value={{ times: 1, cycle: Cycle.week, items: [{ name: say(['外观', 'Appearance']), type: ItemType.state }] } as never}
      save={patrolRules.insert}
      changes={CHANGES}
      fields={all as never}
      onClose={onClose}
    />
  )
}

/** The parks of a rule, with what stands there; before it is done it is said what becomes of the tasks. */
function Parks({ of, onClose }: { of: Row; onClose: () => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  const tickOfAll = useTickOfAll()
  const { data, error, refetch } = useQuery(asks(patrolRules.parks, { ruleId: of.id }, { quiet: true }))
  const [chosen, setChosen] = useState<string[]>()
  const ticked = chosen ?? (data ?? []).filter(({ checked }) => checked).map(({ parkCode }) => parkCode as string)
  const asked = { ruleId: of.id, version: of.version, parkCodes: ticked }
  const save = () =>
    void act(
      patrolRules.updateParks,
      { ...asked, dryRun: true },
      {
        answered: ({ created, cancelled, kept }) =>
          void act(patrolRules.updateParks, asked, {
            question: [
              `保存后新建 ${created} 个任务，取消 ${cancelled} 个未开始的，保留 ${kept} 个。继续？`,
              `Saving creates ${created} ${plural(created, 'task')}, cancels ${cancelled} not started and keeps ${kept}. Continue?`,
            ],
            act: SAVE,
            done: ['已保存', 'Saved'],
            answered: onClose,
          }),
      },
    )
  return (
    <Dialog
      changed={chosen !== undefined}
      title={say([`规则车场 · ${of.name}`, `Car parks · ${of.name}`])}
      okText={say(SAVE)}
      cancelText={say(['取消', 'Cancel'])}
      onOk={save}
      onClose={onClose}
      okButtonProps={{ disabled: !data }}
    >
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting />
      ) : (
        <Table
          size="small"
          rowKey="parkCode"
          dataSource={data}
          pagination={{ pageSize: 10, hideOnSinglePage: true }}
          rowSelection={{ ...tickOfAll, selectedRowKeys: ticked, preserveSelectedRowKeys: true, onChange: (keys) => setChosen(keys as string[]) }}
          columns={[
            { title: say(['车场', 'Car park']), render: (_, row) => `${row.name} ${row.parkCode}` },
            { title: say(['设备', 'Devices']), dataIndex: 'deviceCount', align: 'right' },
            { title: say(['未完成任务', 'Open tasks']), dataIndex: 'openTasks', align: 'right' },
          ]}
        />
      )}
    </Dialog>
  )
}
