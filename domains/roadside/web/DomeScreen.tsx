import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Drawer, Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { PageHead } from '../../../platform/web/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useRemove } from '../../../platform/web/remove.tsx'
import { Failed, NoPermission } from '../../../platform/web/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { UseStatus } from '../../parking/contract/park.ts'
import { type Dome, dome, Preset } from '../contract/dome.ts'
import { highVideo } from '../contract/highVideo.ts'
import { IllegalType } from '../contract/illegalStop.ts'
import { PRESET_CHANGES } from './changes.ts'
import { Live } from './Live.tsx'
import { DistrictName, DistrictSelect } from './names.tsx'

type Row = Of<typeof Dome>
type PresetRow = Of<typeof Preset>
const AGAIN_MS = 30_000

/** The dome cameras: where each looks, what it caught today, and how much of it held. */
export default function DomeScreen() {
  return can(dome.list.needs) ? <Domes /> : <NoPermission />
}
function Domes() {
  const say = useText()
  const [parkCode, setParkCode] = useState<string>()
  const [doing, setDoing] = useState<{ what: 'live' | 'presets'; of: Row }>()
  const { data, error, isPending } = useQuery({ ...asks(dome.list, parkCode ? { parkCode } : {}, { quiet: true }), refetchInterval: AGAIN_MS })
  const columns = [
    { title: say(['球机', 'Camera']), dataIndex: 'name' },
    { title: say(['设备编号', 'Device']), dataIndex: 'deviceNo' },
    { title: say(['片区', 'District']), render: (_: unknown, row: Row) => <DistrictName code={row.parkCode} /> },
    {
      title: say(['状态', 'State']),
      render: (_: unknown, row: Row) => (
        <span className={row.online ? 'state success' : 'state error'}>{say(row.online ? ['在线', 'Online'] : ['离线', 'Offline'])}</span>
      ),
    },
    { title: say(['预置位', 'Presets']), align: 'right' as const, dataIndex: 'presets' },
    {
      title: say(['今日抓拍', 'Caught today']),
      align: 'right' as const,
      render: (_: unknown, row: Row) => <Link to={`/operation/illegalStop?deviceNo=${encodeURIComponent(row.deviceNo)}`}>{row.caughtToday}</Link>,
    },
    {
      title: say(['有效率', 'Held']),
      align: 'right' as const,
      render: (_: unknown, row: Row) => (row.validPermille < 0 ? '--' : `${row.validPermille / 10}%`),
    },
    {
      title: say(['操作', 'Actions']),
      render: (_: unknown, row: Row) => (
        <>
          {can(highVideo.playPost.needs) && (
            <Button size="small" type="text" disabled={!row.online} onClick={() => setDoing({ what: 'live', of: row })}>
              {say(['画面', 'Live'])}
            </Button>
          )}
          <Button size="small" type="text" onClick={() => setDoing({ what: 'presets', of: row })}>
            {say(['预置位', 'Presets'])}
          </Button>
        </>
      ),
    },
  ]
  return (
    <div className="list">
      <PageHead
        purpose={[
          '抓拍违停的球机：看哪里、什么时候禁停、抓拍是否有效',
          'Cameras that catch illegal stops: where they look, when stopping is forbidden, and what held',
        ]}
      >
        <DistrictSelect value={parkCode} onChange={setParkCode} />
      </PageHead>
      {error && <Failed error={error as Refusal} />}
      <Table<Row>
        rowKey="deviceNo"
        size="small"
        loading={isPending}
        dataSource={data ?? []}
        pagination={false}
        scroll={{ x: 'max-content' }}
        columns={columns}
      />
      {doing?.what === 'live' && <Live deviceNo={doing.of.deviceNo} name={doing.of.name} onClose={() => setDoing(undefined)} />}
      {doing?.what === 'presets' && <Presets of={doing.of} onClose={() => setDoing(undefined)} />}
    </div>
  )
}

/** Where one camera looks. A preset that is switched off catches nothing. */
function Presets({ of, onClose }: { of: Row; onClose: () => void }) {
  const say = useText()
  const remove = useRemove(PRESET_CHANGES)
  const [editing, setEditing] = useState<PresetRow | 'new'>()
  const { data } = useQuery(asks(dome.presetList, { deviceNo: of.deviceNo }))
  const edits = can(dome.presetSave.needs)
  const toggle = (one: PresetRow) => setEditing({ ...one, status: one.status === UseStatus.inUse ? UseStatus.disabled : UseStatus.inUse })
  const columns = [
    { title: '#', dataIndex: 'presetNo', width: 56 },
    { title: say(['监控区域', 'Zone']), dataIndex: 'zone' },
    { title: say(['违停类型', 'Kind']), render: (_: unknown, one: PresetRow) => <State dictionary={IllegalType} value={one.type} /> },
    { title: say(['停留', 'Stands']), render: (_: unknown, one: PresetRow) => say([`${one.holdMin} 分钟`, `${one.holdMin} min`]) },
    {
      title: say(['时段', 'Hours']),
      render: (_: unknown, one: PresetRow) => (one.timeFrom === one.timeTo ? say(['全天', 'All day']) : `${one.timeFrom}–${one.timeTo}`),
    },
    {
      title: say(['抓拍', 'Catches']),
      render: (_: unknown, one: PresetRow) => <Checkbox checked={one.status === UseStatus.inUse} disabled={!edits} onChange={() => toggle(one)} />,
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
      <Table<PresetRow> rowKey="id" size="small" dataSource={data ?? []} pagination={false} columns={columns} />
      {editing && <PresetForm deviceNo={of.deviceNo} {...(editing !== 'new' && { of: editing })} onClose={() => setEditing(undefined)} />}
    </Drawer>
  )
}
const NEW = { type: IllegalType.noStopping, holdMin: 3, dayMask: 127, timeFrom: '00:00', timeTo: '00:00', status: UseStatus.inUse }
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
        { name: 'holdMin', help: ['停留超过此时间才抓拍', 'A car is caught when it has stood this long'] },
        'timeFrom',
        { name: 'timeTo', help: ['两个时间相同表示全天', 'The same twice means all day'] },
        'status',
      ]}
      onClose={onClose}
    />
  )
}
