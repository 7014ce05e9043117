import { plural } from '../../../../platform/contract/plural.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { Act } from '../../../../platform/web/form/catalogued.tsx'
import { ask, newKey, saveAs } from '../../../../platform/web/ask.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { confirm } from '../../../../platform/web/page/hosts.tsx'
import { ImportButton } from '../../../../platform/web/sheet/ImportDialog.tsx'
import { ListScreen, type RowAction } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Device, device, DEVICE_TOPIC, deviceSearch, type DeviceStatus, DeviceType, DeviceUse, UseChange } from '../../contract/device.ts'
import { deviceSheet } from '../../contract/deviceSheet.ts'
import { ChosenGate, ChosenPark } from '../../../parking/web/api/names.tsx'
import { findGate, findPark, GATE, gateColumn, PARK, parkColumn } from '../places.tsx'
import { deviceDetail, Online } from './deviceDetail.tsx'

// Only after a device was made or its secret renewed.
const DeviceSecret = lazy(() => import('./DeviceSecret.tsx'))

type Row = Of<typeof DeviceStatus>
type Secret = Pick<Of<typeof device.insert.reply>, 'deviceNo' | 'secret'>
type Doing = { what: 'new' } | { what: 'use'; rows: readonly Row[] } | { what: 'edit'; of: Row } | ({ what: 'secret' } & Secret)
const CHANGES = [device.find, device.findOne, device.status]

interface DevicesProps {
  purpose: Text
  /** Of these kinds alone. */
  types?: Row['type'][]
  /** Further actions on a device, ahead of the others. */
  actions?: (row: Row) => RowAction[]
  toolbar?: ReactNode
}
/** The list of devices: whether they are online, and the secret that lets them in. */
export function Devices({ purpose, types, actions, toolbar }: DevicesProps) {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const remove = useRemove(CHANGES)
  const renew = useRenew(setDoing)
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={purpose}
        {...(types && { only: { type: types } })}
        query={device.find}
        search={deviceSearch}
        find={types ? ['deviceNo', findPark, 'useStatus', findGate] : ['deviceNo', findPark, 'type', findGate, 'useStatus']}
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
        add={{ call: device.insert, open: () => setDoing({ what: 'new' }) }}
        ticks
        toolbar={({ ticked }) => (
          <>
            <ImportButton call={deviceSheet.import} changes={CHANGES} />
            {toolbar}
            {ticked.length > 0 && <Ticked rows={ticked} onUse={(rows) => setDoing({ what: 'use', rows })} />}
          </>
        )}
        exports={deviceSheet.export}
        actions={(row) => [
          ...(actions?.(row) ?? []),
          { text: Label.edit, needs: device.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          { text: ['更换密钥', 'Renew secret'], needs: device.update.needs, run: () => void renew(row) },
          deleting(remove, device.deleteList, { ids: [row.id] }, `${row.deviceNo} ${row.name}`, { kind: 'device.device', key: row.id }),
        ]}
        detail={deviceDetail}
      />
      {doing?.what === 'new' && <NewDevice onClose={close} onMade={(made) => setDoing({ what: 'secret', ...made })} />}
      {doing?.what === 'edit' && <EditDevice of={doing.of} onClose={close} />}
      {doing?.what === 'use' && <UseDialog rows={doing.rows} onClose={close} />}
      {doing?.what === 'secret' && (
        <Suspense>
          <DeviceSecret deviceNo={doing.deviceNo} secret={doing.secret} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** The actions on the ticked devices. */
function Ticked({ rows, onUse }: { rows: readonly Row[]; onUse: (rows: readonly Row[]) => void }) {
  const say = useText()
  const cache = useQueryClient()
  const secrets = async () => {
    const sure = await confirm({
      title: say([
        `为 ${rows.length} 台设备下发新密钥？旧密钥立即失效。`,
        `Issue new secrets for ${rows.length} ${plural(rows.length, 'device')}? The old ones stop working immediately.`,
      ]),
      content: say(['密钥写入表格下载，只此一次。', 'The secrets are downloaded as a sheet, once only.']),
      okText: say(['下发并下载', 'Issue and download']),
      cancelText: say(['取消', 'Cancel']),
    })
    if (!sure) return
    const made = await ask(device.secrets, { ids: rows.map(({ id }) => id) }, { key: newKey() }).catch(() => undefined)
    await Promise.all(CHANGES.map(({ id }) => cache.invalidateQueries({ queryKey: [id] })))
    if (made) saveAs(new Blob(['\uFEFF', sheetOf(made)], { type: 'text/csv;charset=utf-8' }), 'device-secrets.csv')
  }
  return (
    <>
      {can(device.changeUse.needs) && <Button onClick={() => onUse(rows)}>{say(['变更使用状态', 'Change use status'])}</Button>}
      <Act text={['下发密钥', 'Issue secrets']} needs={device.secrets.needs} onClick={() => void secrets()} />
    </>
  )
}

/** No cell is read as a formula. */
const sheetOf = (made: readonly { deviceNo: string; name: string; secret: string }[]) =>
  [['deviceNo', 'name', 'secret'], ...made.map(({ deviceNo, name, secret }) => [deviceNo, name, secret])]
    .map((cells) => cells.map((cell) => `"${cell.replace(/^[=+\-@]/, "'$&").replaceAll('"', '""')}"`).join(','))
    .join('\r\n')

/** All of them or none, with the reason that the history shows. */
function UseDialog({ rows, onClose }: { rows: readonly Row[]; onClose: () => void }) {
  return (
    <FormDialog
      title={[`变更 ${rows.length} 台设备的使用状态`, `Change the use status of ${rows.length} ${plural(rows.length, 'device')}`]}
      entity={UseChange}
      fields={['to', 'reason']}
      mode="edit"
      value={{ to: DeviceUse.inUse }}
      also={{ ids: rows.map(({ id }) => id) }}
      save={device.changeUse}
      act={['确认变更', 'Change']}
      done={['已变更', 'Changed']}
      changes={CHANGES}
      onClose={onClose}
    />
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
        question: [
          `为 ${deviceNo} 更换密钥？设备须用新密钥重新连接。`,
          `Renew the secret of ${deviceNo}? The device must reconnect with the new one.`,
        ],
        act: ['更换密钥', 'Renew secret'],
        answered: ({ secret }) => secret && then({ what: 'secret', deviceNo, secret }),
      },
    )
}

const FIELDS = [
  'name',
  'type',
  {
    name: 'parkCode',
    label: PARK,
    control: <ChosenPark clears="gateCode" />,
    optional: true,
    help: ['设备所在车场', 'The car park where the device is'],
  },
  {
    name: 'gateCode',
    label: GATE,
    control: <ChosenGate />,
    optional: true,
    help: ['相机、道闸与屏幕所在通道；先选车场', 'The lane of a camera, barrier or sign; choose the car park first'],
  },
  { name: 'useStatus', optional: true },
  { name: 'intervalSec', optional: true, help: ['三个心跳周期无消息即离线', 'Offline after three heartbeats without a message'] },
  { name: 'remark', optional: true },
] as const

/** Where it stands, where that is known already. */
interface Place {
  parkCode: string
  gateCode: string
}
/** One more, and its secret that is shown once. */
export function AddDevice({ at, onClose }: { at: Place; onClose: () => void }) {
  const [made, setMade] = useState<Secret>()
  if (made === undefined) return <NewDevice at={at} onClose={onClose} onMade={setMade} />
  return (
    <Suspense>
      <DeviceSecret {...made} onClose={onClose} />
    </Suspense>
  )
}

function NewDevice({ at, onClose, onMade }: { at?: Place; onClose: () => void; onMade: (made: Secret) => void }) {
  // The dialog closes after it saved; the secret, shown once, comes in its place.
  const made = useRef<Secret>(undefined)
  return (
    <FormDialog
      entity={Device}
      fields={[{ name: 'deviceNo', help: ['设备连接时的用户名，如 PG-0001', 'The username the device connects with, such as PG-0001'] }, ...FIELDS]}
      mode="new"
      value={{ intervalSec: 60, useStatus: DeviceUse.inUse, ...(at && { ...at, type: DeviceType.barrier }) }}
      save={device.insert}
      done={['已新增', 'Added']}
      changes={CHANGES}
      onSaved={(reply) => void (made.current = reply as Secret)}
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
