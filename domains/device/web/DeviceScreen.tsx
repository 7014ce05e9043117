import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useAct, useRemove } from '../../../platform/web/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Device, device, deviceSearch, type DeviceStatus } from '../contract/device.ts'
import { ChosenGate, ChosenPark, findGate, findPark, GATE, gateColumn, PARK, parkColumn } from './places.tsx'
import { DEVICE_TOPIC, deviceDetail, Online } from './deviceDetail.tsx'

// Only after a device was made or its secret renewed.
const OnceSecret = lazy(() => import('./OnceSecret.tsx'))

type Row = Of<typeof DeviceStatus>
type Doing = { what: 'new' } | { what: 'edit'; of: Row } | { what: 'secret'; secret: string }
const CHANGES = [device.find, device.findOne, device.status]

/** Devices of the parks: who they are, whether they are online, the secret that lets them in. */
export default function DeviceScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const remove = useRemove(CHANGES)
  const renew = useRenew(setDoing)
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={['相机、道闸与屏幕：身份、位置与在线状态', 'Cameras, barriers and signs: who they are, where they stand, whether they are online']}
        query={device.find}
        search={deviceSearch}
        find={['deviceNo', findPark, 'type', findGate, 'useStatus']}
        columns={[
          'deviceNo',
          { dataIndex: 'name', ellipsis: true, width: 160 },
          'type',
          parkColumn(say),
          gateColumn(say),
          { dataIndex: 'online', render: (_, row) => <Online of={row} /> },
          'lastSeenAt',
          'useStatus',
          'firmware',
          'ip',
          'intervalSec',
          'remark',
        ]}
        hidden={['firmware', 'ip', 'intervalSec', 'remark']}
        roomy={['name', 'lastSeenAt']}
        live={DEVICE_TOPIC}
        toolbar={
          can(device.insert.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setDoing({ what: 'new' })}>
              {say(Label.add)}
            </Button>
          )
        }
        actions={(row) => [
          { text: Label.edit, needs: device.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          { text: ['更换密钥', 'Renew secret'], needs: device.update.needs, run: () => void renew(row) },
          {
            text: Label.delete,
            needs: device.deleteList.needs,
            run: () => void remove(device.deleteList, { ids: [row.id] }, `${row.deviceNo} ${row.name}`),
            danger: true,
          },
        ]}
        detail={deviceDetail}
      />
      {doing?.what === 'new' && <NewDevice onClose={close} onMade={(secret) => setDoing({ what: 'secret', secret })} />}
      {doing?.what === 'edit' && <EditDevice of={doing.of} onClose={close} />}
      {doing?.what === 'secret' && (
        <Suspense>
          <OnceSecret secret={doing.secret} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** The old secret stops working at once, so it asks first. */
function useRenew(then: (doing: Doing) => void) {
  const act = useAct(CHANGES)
  return ({ id, version, deviceNo }: Row) =>
    act(
      device.update,
      { id, version, renewSecret: true },
      {
        question: [`为 ${deviceNo} 更换密钥？设备须用新密钥重新连接。`, `Renew the secret of ${deviceNo}? It has to connect again with the new one.`],
        act: ['更换密钥', 'Renew the secret'],
        answered: ({ secret }) => secret && then({ what: 'secret', secret }),
      },
    )
}

const FIELDS = [
  'name',
  'type',
  { name: 'parkCode', label: PARK, control: <ChosenPark />, optional: true, help: ['设备所在车场', 'The park where it stands'] },
  {
    name: 'gateCode',
    label: GATE,
    control: <ChosenGate />,
    optional: true,
    help: ['相机、道闸与屏幕所在通道；先选车场', 'The lane of a camera, barrier or sign; choose its park first'],
  },
  { name: 'useStatus', optional: true },
  { name: 'intervalSec', optional: true, help: ['三个心跳周期无消息即离线', 'Silent for three of these, it counts as offline'] },
  { name: 'remark', optional: true },
] as const

function NewDevice({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  // The dialog closes after it saved; what has to be shown once comes in its place.
  const made = useRef<string>(undefined)
  return (
    <FormDialog
      entity={Device}
      fields={[{ name: 'deviceNo', help: ['设备连接时的用户名，如 PG-0001', 'The name it signs in with, such as PG-0001'] }, ...FIELDS]}
      mode="new"
      value={{ intervalSec: 60, useStatus: 1 }}
      save={device.insert}
      done={['已新增', 'Added']}
      changes={CHANGES}
      onSaved={(reply) => void (made.current = (reply as { secret: string }).secret)}
      onClose={() => (made.current ? onMade(made.current) : onClose())}
    />
  )
}

function EditDevice({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      entity={Device}
      fields={FIELDS}
      mode="edit"
      value={of}
      save={device.update}
      done={['已保存', 'Saved']}
      changes={CHANGES}
      onClose={onClose}
    />
  )
}
