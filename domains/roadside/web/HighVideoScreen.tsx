import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { NONE } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { type HighVideo, highVideo, VideoVerdict } from '../contract/highVideo.ts'
import { Cameras } from './Cameras.tsx'
import { CAMERA_CHANGES } from './changes.ts'
import { BerthChip } from './names.tsx'

type Row = Of<typeof HighVideo>

/** The cameras on their poles: is each heard of, does its clock go right, and does it see all its berths. */
export default function HighVideoScreen() {
  const say = useText()
  const [removing, setRemoving] = useState<Row>()
  return (
    <>
      <Cameras<Row>
        purpose={['高位视频是否在线、时钟是否准、泊位是否都看得到', 'Is each high-pole camera heard of, on time, and seeing all its berths']}
        call={highVideo.check}
        empty={['还没有高位视频。在泊位管理中绑定后显示在这里。', 'No high-pole cameras yet. Those bound to berths are shown here.']}
        columns={[
          { title: say(['检查结论', 'Verdict']), render: (_, row) => <State dictionary={VideoVerdict} value={row.verdict} /> },
          { title: say(['最近画面', 'Newest picture']), render: (_, row) => <Time at={row.lastFrameAt} /> },
          {
            title: say(['时钟偏差', 'Clock off']),
            align: 'right',
            render: (_, row) => (row.clockOffsetSec === null ? NONE : `${row.clockOffsetSec} s`),
          },
          { title: say(['绑定泊位', 'Berths']), align: 'right', dataIndex: 'seatsBound' },
          {
            title: say(['24 小时无取证', 'Blind for a day']),
            render: (_, { parkCode, blindSeats }) =>
              blindSeats.length === 0 ? NONE : blindSeats.map((seatCode) => <BerthChip key={seatCode} parkCode={parkCode} seatCode={seatCode} />),
          },
        ]}
        actions={(row) =>
          can(highVideo.deletePost.needs) && (
            <Button size="small" type="text" danger onClick={() => setRemoving(row)}>
              {say(['移除', 'Remove'])}
            </Button>
          )
        }
      />
      {removing && <Remove of={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

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
