import { useQuery } from '@tanstack/react-query'
import { Button, Table } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { PageHead } from '../../../platform/web/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, NoPermission } from '../../../platform/web/states.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { type HighVideo, highVideo, VideoVerdict } from '../contract/highVideo.ts'
import { CAMERA_CHANGES } from './changes.ts'
import { Live } from './Live.tsx'
import { BerthChip, DistrictName, DistrictSelect } from './names.tsx'

type Row = Of<typeof HighVideo>
const AGAIN_MS = 30_000

/** The cameras on their poles: is each heard of, does its clock go right, and does it see all its berths. */
export default function HighVideoScreen() {
  return can(highVideo.check.needs) ? <Cameras /> : <NoPermission />
}

function Cameras() {
  const say = useText()
  const [parkCode, setParkCode] = useState<string>()
  const [doing, setDoing] = useState<{ what: 'live' | 'remove'; of: Row }>()
  const { data, error, isPending } = useQuery({ ...asks(highVideo.check, parkCode ? { parkCode } : {}, { quiet: true }), refetchInterval: AGAIN_MS })
  return (
    <div className="list">
      <PageHead purpose={['高位视频是否在线、时钟是否准、泊位是否都看得到', 'Is each high-pole camera heard of, on time, and seeing all its berths']}>
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
        columns={columnsOf(say, setDoing)}
      />
      {doing?.what === 'live' && <Live deviceNo={doing.of.deviceNo} name={doing.of.name} onClose={() => setDoing(undefined)} />}
      {doing?.what === 'remove' && <Remove of={doing.of} onClose={() => setDoing(undefined)} />}
    </div>
  )
}

const columnsOf = (say: Say, act: (doing: { what: 'live' | 'remove'; of: Row }) => void) => [
  { title: say(['设备', 'Camera']), dataIndex: 'name' },
  { title: say(['设备编号', 'Device']), dataIndex: 'deviceNo' },
  { title: say(['片区', 'District']), render: (_: unknown, row: Row) => <DistrictName code={row.parkCode} /> },
  { title: say(['检查结论', 'Verdict']), render: (_: unknown, row: Row) => <State dictionary={VideoVerdict} value={row.verdict} /> },
  { title: say(['最近画面', 'Newest picture']), render: (_: unknown, row: Row) => <Time at={row.lastFrameAt} /> },
  {
    title: say(['时钟偏差', 'Clock off']),
    align: 'right' as const,
    render: (_: unknown, row: Row) => (row.clockOffsetSec === null ? '--' : `${row.clockOffsetSec} s`),
  },
  { title: say(['绑定泊位', 'Berths']), align: 'right' as const, dataIndex: 'seatsBound' },
  {
    title: say(['24 小时无取证', 'Blind for a day']),
    render: (_: unknown, row: Row) =>
      row.blindSeats.length === 0 ? '--' : row.blindSeats.map((seatCode) => <BerthChip key={seatCode} parkCode={row.parkCode} seatCode={seatCode} />),
  },
  {
    title: say(['操作', 'Actions']),
    render: (_: unknown, row: Row) => (
      <>
        {can(highVideo.playPost.needs) && (
          <Button size="small" type="text" disabled={!row.online} onClick={() => act({ what: 'live', of: row })}>
            {say(['实时画面', 'Live'])}
          </Button>
        )}
        {can(highVideo.deletePost.needs) && (
          <Button size="small" type="text" danger onClick={() => act({ what: 'remove', of: row })}>
            {say(['移除', 'Remove'])}
          </Button>
        )}
      </>
    ),
  },
]

function Remove({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`移除高位视频 · ${of.name}`, `Remove · ${of.name}`]}
      entity={highVideo.deletePost.input}
      mode="edit"
      value={{ deviceNo: of.deviceNo }}
      save={highVideo.deletePost}
      act={[`移除并解绑 ${of.seatsBound} 个泊位`, `Remove it from ${of.seatsBound} berths`]}
      done={['已移除，设备转为库存', 'Removed; the device is in stock now']}
      changes={CAMERA_CHANGES}
      fields={[{ name: 'reason', help: ['在停车辆只由它检测时不能移除', 'Not while it alone sees a car that is standing there'] }]}
      onClose={onClose}
    />
  )
}
