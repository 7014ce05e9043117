import { lazy, Suspense, useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Etc, etc, etcSearch, EtcStatus } from '../contract/etc.ts'
import { DEVICE_TOPIC } from '../contract/device.ts'
import { ChosenGate, ChosenPark } from '../../parking/web/api/names.tsx'
import { findPark, GATE, gateColumn, PARK, parkColumn } from './places.tsx'

// Only after an antenna was added.
const DeviceSecret = lazy(() => import('./api/DeviceSecret.tsx'))

type Row = Of<typeof Etc>
type Secret = Pick<Of<typeof etc.add.reply>, 'deviceNo' | 'secret'>
type Doing = { what: 'new' } | { what: 'edit' | 'status'; of: Row } | ({ what: 'secret' } & Secret)
const CHANGES = [etc.query]

/** ETC antennas of the lanes: which lane, which security module, in service or not. */
export default function EtcScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={[
          '车道的 ETC 天线：车道号、PSAM 号与是否在用',
          'ETC antennas of the lanes: lane number, PSAM number and whether they are in service',
        ]}
        query={etc.query}
        search={etcSearch}
        find={['deviceNo', findPark, 'status', 'laneNo', 'vendor']}
        columns={['deviceNo', 'laneNo', parkColumn(say), gateColumn(say), 'vendor', 'psamNo', 'status', 'reason', 'lastSeenAt', 'remark']}
        hidden={['remark', 'reason']}
        roomy={['vendor', 'lastSeenAt']}
        sum={{
          figures: [
            { text: ['在线', 'online'], leads: { status: [EtcStatus.online] } },
            { text: ['离线', 'offline'], leads: { status: [EtcStatus.offline] } },
            { text: ['停用', 'out of service'], leads: { status: [EtcStatus.disabled] } },
          ],
        }}
        live={DEVICE_TOPIC}
        add={{ call: etc.add, open: () => setDoing({ what: 'new' }) }}
        toolbar={<ImportButton call={etc.import} changes={CHANGES} template={etc.template} />}
        exports={etc.export}
        actions={(row) => [
          { text: Label.edit, needs: etc.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          {
            text: row.status === EtcStatus.disabled ? Label.enable : Label.disable,
            needs: etc.updateStatus.needs,
            run: () => setDoing({ what: 'status', of: row }),
          },
        ]}
        empty={['还没有 ETC 天线，可逐台新增或用表格导入。', 'No ETC antennas yet: add them one by one or import a sheet.']}
      />
      {doing?.what === 'new' && <EtcForm onClose={close} onMade={(made) => setDoing({ what: 'secret', ...made })} />}
      {doing?.what === 'edit' && <EtcForm of={doing.of} onClose={close} />}
      {doing?.what === 'status' && <StatusForm of={doing.of} onClose={close} />}
      {doing?.what === 'secret' && (
        <Suspense>
          <DeviceSecret deviceNo={doing.deviceNo} secret={doing.secret} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const FIELDS = [
  'name',
  { name: 'laneNo', help: ['发行方为该车道编的号，平台内唯一', 'Lane number assigned by the issuer; unique on the platform'] },
  { name: 'psamNo', help: ['12 位十六进制，大写', '12 hexadecimal digits, upper case'] },
  { name: 'parkCode', label: PARK, control: <ChosenPark clears="gateCode" /> },
  { name: 'gateCode', label: GATE, control: <ChosenGate />, optional: true },
  { name: 'vendor', optional: true },
  { name: 'intervalSec', optional: true },
  { name: 'remark', optional: true },
] as const

function EtcForm({ of, onClose, onMade }: { of?: Row; onClose: () => void; onMade?: (made: Secret) => void }) {
  // The dialog closes after it saved; the secret, shown once, comes in its place.
  const made = useRef<Secret>(undefined)
  const common = { entity: Etc, changes: CHANGES, done: ['已保存', 'Saved'] } as const
  if (of) return <FormDialog {...common} fields={FIELDS} mode="edit" value={of} save={etc.update} onClose={onClose} />
  return (
    <FormDialog
      {...common}
      fields={['deviceNo', ...FIELDS]}
      mode="new"
      value={{ intervalSec: 60 }}
      save={etc.add}
      onSaved={(reply) => void (made.current = reply as Secret)}
      onClose={() => (made.current ? onMade!(made.current) : onClose())}
    />
  )
}

/** On and off line are what is heard of it; a person only puts it in or out of service. */
function StatusForm({ of, onClose }: { of: Row; onClose: () => void }) {
  const disabled = of.status === EtcStatus.disabled
  return (
    <FormDialog
      title={
        disabled
          ? [`启用 ${of.deviceNo}（车道 ${of.laneNo}）`, `Put ${of.deviceNo} (lane ${of.laneNo}) in service`]
          : [`停用 ${of.deviceNo}（车道 ${of.laneNo}）`, `Take ${of.deviceNo} (lane ${of.laneNo}) out of service`]
      }
      entity={Etc}
      fields={[
        {
          name: 'reason',
          help: disabled
            ? ['启用后恢复 ETC 扣费', 'ETC deductions resume']
            : ['停用后该车道不再 ETC 扣费，进行中的扣费随即结束', 'The lane stops deducting by ETC, and any deduction in progress ends'],
        },
      ]}
      mode="edit"
      value={{ ...of, reason: null }}
      also={{ id: of.id, version: of.version, status: disabled ? EtcStatus.online : EtcStatus.disabled }}
      save={etc.updateStatus}
      act={disabled ? ['确认启用', 'Put in service'] : ['确认停用', 'Take out of service']}
      done={disabled ? ['已启用', 'In service'] : ['已停用', 'Out of service']}
      changes={CHANGES}
      onClose={onClose}
    />
  )
}
