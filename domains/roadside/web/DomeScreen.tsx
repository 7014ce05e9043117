import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Drawer, Table } from 'antd'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { lasting } from '../../../platform/contract/duration.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { dayOf, instantAt, startOf } from '../../../platform/contract/time.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { NONE, percent } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { Loaded } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { EVERY_DAY, WeekdaysSelect, weekdaysIn } from '../../../platform/web/time/weekdays.tsx'
import { UseStatus } from '../../parking/contract/park.ts'
import { type Dome, dome, Preset } from '../contract/dome.ts'
import { IllegalSource, IllegalType } from '../contract/illegalStop.ts'
import { PRESET_CHANGES } from './changes.ts'
import { Cameras } from './Cameras.tsx'
import { Capturing, isTurning, usePatrol } from './DomePatrol.tsx'

type Row = Of<typeof Dome>
type PresetRow = Of<typeof Preset>

/** The dome cameras: where each looks, its violations of today, and how many were confirmed. */
export default function DomeScreen() {
  const say = useText()
  const [looking, setLooking] = useState<Row>()
  const patrol = usePatrol()
  const go = useNavigate()
  return (
    <>
      <Cameras<Row>
        purpose={[
          '抓拍违停的球机：监控区域、禁停时段与近 30 天抓拍有效率',
          'Dome cameras that capture illegal stops: monitored zones, no-stopping hours and the share of captures of the last 30 days that held',
        ]}
        call={dome.list}
        empty={[
          '还没有球机。在设备管理中登记并设为球机后显示在这里。',
          'No dome cameras yet. Cameras registered as domes under devices are shown here.',
        ]}
        columns={[
          { title: say(['状态', 'Status']), render: (_, row) => <Online is={row.online} /> },
          { title: say(['抓拍', 'Capturing']), render: (_, row) => <Capturing of={row} /> },
          { title: say(['预置位', 'Presets']), align: 'right', dataIndex: 'presets' },
          { title: say(['今日抓拍', 'Captured today']), align: 'right', render: (_, row) => <Caught of={row} /> },
          {
            title: say(['近 30 天有效率', 'Valid rate, last 30 days']),
            align: 'right',
            render: (_, row) => (row.validPermille < 0 ? NONE : percent(row.validPermille)),
          },
        ]}
        waits={isTurning}
        actions={(row) => [
          ...patrol(row),
          { text: ['预置位', 'Presets'], run: () => setLooking(row) },
          { text: ['违停记录', 'Illegal stops'], run: () => void go(stopsOf(row)) },
        ]}
      />
      {looking && <Presets of={looking} onClose={() => setLooking(undefined)} />}
    </>
  )
}
function Online({ is }: { is: unknown }) {
  const say = useText()
  return <span className={is ? 'state success' : 'state error'}>{say(is ? ['在线', 'Online'] : ['离线', 'Offline'])}</span>
}
const stopsOf = ({ deviceNo }: Row, more: Record<string, string> = {}) =>
  `/operation/illegalStop?${new URLSearchParams({ deviceNo, source: String(IllegalSource.dome), ...more })}`
const Caught = ({ of }: { of: Row }) => <Link to={stopsOf(of, { firstAtFrom: startOf(dayOf(instantAt(Date.now()))) })}>{of.caughtToday}</Link>

/** Where one camera looks. A preset that is switched off catches nothing. */
function Presets({ of, onClose }: { of: Row; onClose: () => void }) {
  const say = useText()
  const remove = useRemove(PRESET_CHANGES)
  const [editing, setEditing] = useState<PresetRow | 'new'>()
  const presets = useQuery(asks(dome.presetList, { deviceNo: of.deviceNo }, { quiet: true }))
  const edits = can(dome.presetSave.needs)
  const columns = [
    { title: '#', dataIndex: 'presetNo', width: 56 },
    { title: say(['监控区域', 'Zone']), dataIndex: 'zone' },
    { title: say(['违停类型', 'Type']), render: (_: unknown, one: PresetRow) => <State dictionary={IllegalType} value={one.type} /> },
    { title: say(['停留', 'Time limit']), render: (_: unknown, one: PresetRow) => say(lasting(one.holdMin)) },
    {
      title: say(['禁停时段', 'No-stopping hours']),
      render: (_: unknown, one: PresetRow) =>
        `${say(weekdaysIn(one.dayMask))} ${one.timeFrom === one.timeTo ? say(['全天', 'all day']) : `${one.timeFrom}–${one.timeTo}`}`,
    },
    {
      title: say(['抓拍', 'Captures']),
      render: (_: unknown, one: PresetRow) => <Captures of={one} disabled={!edits} />,
    },
    {
      title: '',
      render: (_: unknown, one: PresetRow) =>
        edits && (
          <>
            <Button size="small" type="text" onClick={() => setEditing(one)}>
              {say(Label.edit)}
            </Button>
            <Button
              size="small"
              type="text"
              danger
              onClick={() =>
                void remove(dome.presetDelete, { id: one.id, version: one.version }, `${one.presetNo} ${one.zone}`, {
                  kind: 'roadside.preset',
                  key: one.id,
                })
              }
            >
              {say(Label.delete)}
            </Button>
          </>
        ),
    },
  ]
  return (
    <Drawer
      open
      size="large"
      title={say([`预置位 · ${of.name}`, `Presets · ${of.name}`])}
      onClose={onClose}
      extra={edits && <Button onClick={() => setEditing('new')}>{say(Label.add)}</Button>}
    >
      <Loaded of={presets} lines={3}>
        {(rows) => <Table rowKey="id" size="small" dataSource={rows} pagination={false} scroll={{ x: 'max-content' }} columns={columns} />}
      </Loaded>
      {editing && <PresetForm deviceNo={of.deviceNo} {...(editing !== 'new' && { of: editing })} onClose={() => setEditing(undefined)} />}
    </Drawer>
  )
}
/** Whether it catches, switched where it is seen. */
function Captures({ of, disabled }: { of: PresetRow; disabled: boolean }) {
  const say = useText()
  const act = useAct(PRESET_CHANGES)
  const { deviceNo, presetNo, version, zone, type, holdMin, dayMask, timeFrom, timeTo } = of
  const on = of.status === UseStatus.inUse
  const turned = { deviceNo, presetNo, version, zone, type, holdMin, dayMask, timeFrom, timeTo, status: on ? UseStatus.disabled : UseStatus.inUse }
  const turn = () =>
    void act(dome.presetSave, turned, {
      done: on
        ? [`预置位 ${presetNo} 已停用，不再抓拍`, `Preset ${presetNo} disabled: it catches nothing`]
        : [`预置位 ${presetNo} 已启用`, `Preset ${presetNo} enabled`],
    })
  return <Checkbox aria-label={say([`预置位 ${presetNo} 抓拍`, `Preset ${presetNo} captures`])} checked={on} disabled={disabled} onChange={turn} />
}

const NEW = { type: IllegalType.noStopping, holdMin: 3, dayMask: EVERY_DAY, timeFrom: '00:00', timeTo: '00:00', status: UseStatus.inUse }
function PresetForm({ deviceNo, of, onClose }: { deviceNo: string; of?: PresetRow; onClose: () => void }) {
  return (
    <FormDialog
      title={of ? [`预置位 ${of.presetNo}`, `Preset ${of.presetNo}`] : ['新增预置位', 'New preset']}
      entity={Preset}
      mode={of ? 'edit' : 'new'}
      value={of ?? { deviceNo, ...NEW }}
      save={dome.presetSave}
      done={['已保存', 'Saved']}
      changes={PRESET_CHANGES}
      fields={[
        ...(of ? [] : ['presetNo' as const]),
        'zone',
        'type',
        { name: 'holdMin', help: ['判为有效须有两张至少相隔这么久的图片', 'To be valid, a stop needs two pictures at least this far apart'] },
        { name: 'dayMask', control: <WeekdaysSelect /> },
        { name: 'timeFrom', label: ['禁停开始', 'No stopping from'], help: ['如 07:00', 'For example 07:00'] },
        {
          name: 'timeTo',
          label: ['禁停结束', 'No stopping until'],
          help: [
            '两个时间相同表示全天；早于起始时间表示到次日，按起始那天算',
            'Two equal times mean all day; earlier than From means the next day, counted as the day on which it began',
          ],
        },
        'status',
      ]}
      onClose={onClose}
    />
  )
}
