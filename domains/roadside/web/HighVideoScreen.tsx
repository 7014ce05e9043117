import { lasting } from '../../../platform/contract/duration.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { NONE } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { type HighVideo, highVideo, VideoVerdict } from '../contract/highVideo.ts'
import { Cameras } from './Cameras.tsx'
import { CAMERA_CHANGES } from './changes.ts'
import { BerthChip } from './api/names.tsx'

type Row = Of<typeof HighVideo>

/** The cameras on their poles: is each heard of, does its clock go right, and does it see all its berths. */
export default function HighVideoScreen() {
  const say = useText()
  const [removing, setRemoving] = useState<Row>()
  return (
    <>
      <Cameras<Row>
        purpose={['高位视频是否在线、时钟是否准确、泊位是否全部可见', 'Whether each high-pole camera is online, keeps time and sees all its berths']}
        call={highVideo.check}
        empty={['还没有高位视频。在「泊位管理」中绑定后显示在这里。', 'No high-pole cameras yet. Cameras bound under “Berths” are shown here.']}
        columns={[
          { title: say(['检查结论', 'Check result']), render: (_, row) => <State dictionary={VideoVerdict} value={row.verdict} /> },
          { title: say(['最近画面', 'Latest picture']), render: (_, row) => <Time at={row.lastFrameAt} /> },
          {
            title: say(['时钟偏差', 'Clock drift']),
            align: 'right',
            render: (_, row) => (row.clockOffsetSec === null ? NONE : say(lasting(row.clockOffsetSec, 'second'))),
          },
          { title: say(['绑定泊位', 'Berths']), align: 'right', dataIndex: 'seatsBound' },
          {
            title: say(['24 小时无取证', 'No evidence in 24 h']),
            render: (_, { parkCode, blindSeats }) =>
              blindSeats.length === 0 ? NONE : blindSeats.map((seatCode) => <BerthChip key={seatCode} parkCode={parkCode} seatCode={seatCode} />),
          },
        ]}
        actions={(row) => [{ text: ['移除', 'Remove'], needs: highVideo.deletePost.needs, danger: true, run: () => setRemoving(row) }]}
      />
      {removing && <Remove of={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

function Remove({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`移除高位视频 · ${of.name}`, `Remove high-pole camera · ${of.name}`]}
      entity={highVideo.deletePost.input}
      mode="edit"
      value={{ deviceNo: of.deviceNo }}
      save={highVideo.deletePost}
      act={[`移除并解绑 ${of.seatsBound} 个泊位`, `Remove and unbind ${of.seatsBound} ${plural(of.seatsBound, 'berth')}`]}
      done={['已移除，设备转为库存', 'Removed; the device is now in stock']}
      changes={CAMERA_CHANGES}
      fields={[{ name: 'reason', help: ['在停车辆只由它检测时不能移除', 'It cannot be removed while it alone detects a parked car'] }]}
      onClose={onClose}
    />
  )
}
