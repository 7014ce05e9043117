import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { schedule } from '../contract/roster.ts'
import { type WorkShift, workShift, workShiftSearch, WorkShiftStatus } from '../contract/workShift.ts'
import './staff.css'

type Row = Of<typeof WorkShift>
const CHANGES = [workShift.query, workShift.pick, schedule.query]
const TERMS = ['workMin', 'restMin', 'lateGraceMin', 'earlyGraceMin', 'checkInFromMin', 'checkOutToMin'] as const
const hoursOf = ({ segments }: Pick<Row, 'segments'>, next: string) =>
  segments.map(({ from, to }) => `${from}–${to <= from ? next : ''}${to}`).join(' ')

/** Templates of a day's work, by which people are planned. */
export default function WorkShiftScreen() {
  const say = useText()
  const act = useAct(CHANGES)
  const remove = useRemove(CHANGES)
  const [doing, setDoing] = useState<Row | 'new'>()
  const turn = (row: Row) => {
    const on = row.status === WorkShiftStatus.enabled
    void act(
      workShift.update,
      { id: row.id, version: row.version, status: on ? WorkShiftStatus.disabled : WorkShiftStatus.enabled },
      { done: on ? ['已停用', 'Disabled'] : ['已启用', 'Enabled'] },
    )
  }
  return (
    <>
      <ListScreen
        purpose={['排班用的班次：时段、宽限与打卡窗口', 'Shifts used in rosters: hours, grace and clocking windows']}
        query={workShift.query}
        search={workShiftSearch}
        add={{ call: workShift.save, open: () => setDoing('new') }}
        find={['name', 'status']}
        columns={[
          {
            dataIndex: 'name',
            title: say(['名称', 'Name']),
            render: (_, row) => (
              <span className="shift-name" style={{ borderColor: row.color }}>
                {row.name}
              </span>
            ),
          },
          { dataIndex: 'segments', title: say(['时段', 'Hours']), render: (_, row) => hoursOf(row, say(['次日 ', 'next day '])) },
          ...TERMS,
          'status',
          'updatedAt',
        ]}
        hidden={['updatedAt']}
        roomy={['checkInFromMin', 'checkOutToMin', 'restMin']}
        actions={(row) => [
          { text: Label.edit, needs: workShift.update.needs, run: () => setDoing(row) },
          { text: row.status === WorkShiftStatus.enabled ? Label.disable : Label.enable, needs: workShift.update.needs, run: () => turn(row) },
          deleting(remove, workShift.delete, { id: row.id }, row.name),
        ]}
        empty={['还没有班次', 'No work shifts yet']}
      />
      {doing && <Form of={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Form({ of, onClose }: { of: Row | 'new'; onClose: () => void }) {
  const terms = [
    'name',
    { name: 'segments', control: <SegmentsInput />, help: ['止不晚于起的为次日', 'An end not later than the start falls on the next day'] },
    { name: 'restMin', optional: true },
    { name: 'lateGraceMin', optional: true },
    { name: 'earlyGraceMin', optional: true },
    { name: 'checkInFromMin', optional: true },
    { name: 'checkOutToMin', optional: true },
    { name: 'color', optional: true, help: ['如 #1677ff', 'For example #1677ff'] },
  ]
  if (of === 'new')
    return (
      <FormDialog
        title={['新增班次', 'New work shift']}
        entity={workShift.save.input as never}
        mode="new"
        value={
          {
            segments: [{ from: '08:00', to: '16:00' }],
            restMin: 0,
            lateGraceMin: 5,
            earlyGraceMin: 5,
            checkInFromMin: 30,
            checkOutToMin: 60,
            color: '#1677ff',
          } as never
        }
        save={workShift.save}
        changes={CHANGES}
        fields={terms as never}
        onClose={onClose}
      />
    )
  const applies = {
    name: 'applyFrom',
    optional: true,
    help: [
      '此日起未开始的排班随之更新；留空只用于新排的班',
      'Updates shifts from this day that have not started; leave empty to apply to new shifts only',
    ],
  }
  return (
    <FormDialog
      title={[`编辑班次 · ${of.name}`, `Edit work shift · ${of.name}`]}
      entity={workShift.update.input as never}
      mode="edit"
      value={of as never}
      save={workShift.update}
      changes={CHANGES}
      fields={[...terms, applies] as never}
      onClose={onClose}
    />
  )
}

interface Hours {
  from: string
  to: string
}
function SegmentsInput({ value = [], onChange, id }: { id?: string; value?: Hours[]; onChange?: (value: Hours[]) => void }) {
  const say = useText()
  const set = (at: number, change: Partial<Hours>) => onChange?.(value.map((one, n) => (n === at ? { ...one, ...change } : one)))
  return (
    <div className="segments">
      {value.map(({ from, to }, n) => (
        <span key={n}>
          <Input
            {...(n === 0 && { id })}
            aria-label={say(['自', 'From'])}
            value={from}
            maxLength={5}
            onChange={({ target }) => set(n, { from: target.value })}
          />
          –
          <Input aria-label={say(['至', 'To'])} value={to} maxLength={5} onChange={({ target }) => set(n, { to: target.value })} />
          {value.length > 1 && (
            <Button
              type="text"
              icon={<MinusCircleOutlined />}
              aria-label={say(['去掉', 'Remove'])}
              onClick={() => onChange?.(value.filter((_, at) => at !== n))}
            />
          )}
        </span>
      ))}
      {value.length < 4 && (
        <Button size="small" icon={<PlusOutlined />} onClick={() => onChange?.([...value, { from: value.at(-1)?.to ?? '08:00', to: '18:00' }])}>
          {say(['加时段', 'Add hours'])}
        </Button>
      )}
    </div>
  )
}
