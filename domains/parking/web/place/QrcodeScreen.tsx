import { PrinterOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { fileOrData } from '../../../../platform/web/ask.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { QrDialog } from '../../../../platform/web/draw/Qr.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { ImageUpload } from '../../../../platform/web/file/Upload.tsx'
import { type Qrcode, qrcode, qrcodeSearch } from '../../contract/qrcode.ts'
import { ParkName, ParkSelect } from '../api/names.tsx'

type Row = Of<typeof Qrcode>
type Doing = { of: Row; what: 'show' | 'address' | 'reissue' | 'photo' }
/** The address in the printed code, whatever it leads to later. */
const printed = ({ code }: Row) => `${location.origin}/q/${code}`

/** The codes that hang at parks, gates and bays. */
export default function QrcodeScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={['现场张贴的二维码：扫码缴费、换发与作废', 'QR codes posted on site: payment by scan, reissue and revocation']}
        query={qrcode.query}
        search={qrcodeSearch}
        exports={qrcode.export}
        find={[{ name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect /> }, 'target', 'targetCode', 'status']}
        columns={[
          'name',
          'target',
          'targetCode',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'versionNo',
          'oldestNo',
          'status',
          'scans',
          'photo',
          'landUrl',
          'shortCode',
          'updatedAt',
        ]}
        hidden={['oldestNo', 'shortCode', 'updatedAt']}
        toolbar={({ criteria }) => <PrintButton criteria={criteria} />}
        actions={(row) => [
          { text: ['查看', 'Show'], needs: qrcode.query.needs, run: () => setDoing({ of: row, what: 'show' }) },
          { text: ['现场照片', 'Site photo'], needs: qrcode.savePhoto.needs, run: () => setDoing({ of: row, what: 'photo' }) },
          { text: ['改地址', 'Change address'], needs: qrcode.updateQrUrl.needs, run: () => setDoing({ of: row, what: 'address' }) },
          { text: ['换发', 'Reissue'], needs: qrcode.updateQrUrl.needs, run: () => setDoing({ of: row, what: 'reissue' }) },
        ]}
      />
      {doing?.what === 'show' && (
        <QrDialog value={printed(doing.of)} title={[doing.of.name, doing.of.name]} fileName={doing.of.targetCode} onClose={close} />
      )}
      {doing?.what === 'address' && <AddressDialog of={doing.of} onClose={close} />}
      {doing?.what === 'photo' && <PhotoDialog of={doing.of} onClose={close} />}
      {doing?.what === 'reissue' && <ReissueDialog of={doing.of} onClose={close} />}
    </>
  )
}

const UPDATES = { entity: qrcode.updateQrUrl.input, mode: 'new' as const, save: qrcode.updateQrUrl, changes: [qrcode.query] }
const AddressDialog = ({ of, onClose }: { of: Row; onClose: () => void }) => (
  <FormDialog
    {...UPDATES}
    onClose={onClose}
    title={['修改跳转地址', 'Change the target address']}
    value={{ ids: [of.id], landUrl: of.landUrl }}
    act={['保存', 'Save']}
    done={['已保存', 'Saved']}
    fields={[
      {
        name: 'landUrl',
        help: [
          '留空则显示位置说明；可填本平台路径（以 / 开头），或系统参数中允许的 https 域名',
          'Leave empty to show the place; or enter a path of this platform (starting with /) or an https address on a host the system settings allow',
        ],
      },
    ]}
  />
)

const ReissueDialog = ({ of, onClose }: { of: Row; onClose: () => void }) => (
  <FormDialog
    {...UPDATES}
    onClose={onClose}
    title={[`换发 ${of.targetCode} 的二维码`, `Reissue the QR code of ${of.targetCode}`]}
    value={{ ids: [of.id], reissue: true, revokeOld: false }}
    act={['换发', 'Reissue']}
    done={['已换发，请张贴新码', 'Reissued; put up the new code']}
    fields={['revokeOld']}
  />
)

/** The picture is read as it is saved: a picture that shows anything else than this code is refused there. */
const PhotoDialog = ({ of, onClose }: { of: Row; onClose: () => void }) => (
  <FormDialog
    entity={qrcode.savePhoto.input}
    mode="new"
    save={qrcode.savePhoto}
    changes={[qrcode.query]}
    onClose={onClose}
    title={[`${of.name} 的现场照片`, `Site photo of ${of.name}`]}
    value={{ id: of.id, photo: of.photo ?? '' }}
    act={['识别并保存', 'Check and save']}
    done={['照片上正是此码，已保存', 'The photo shows this code; saved']}
    fields={[
      {
        name: 'photo',
        control: <ImageUpload max={1} />,
        help: [
          `须拍到现行第 ${of.versionNo} 版，二维码清晰完整`,
          `Must show the current edition ${of.versionNo}, with the QR code complete and sharp`,
        ],
      },
    ]}
  />
)

/** Sheets of A4 with the codes that the list's search finds, as a page that any browser prints. */
function PrintButton({ criteria }: { criteria: object }) {
  const say = useText()
  const [now, setNow] = useState(false)
  const run = async () => {
    setNow(true)
    await fileOrData(qrcode.export, { ...criteria, format: 'print' }).catch(() => undefined) // shown and noted by `ask`
    setNow(false)
  }
  return (
    <Button icon={<PrinterOutlined />} loading={now} onClick={() => void run()}>
      {say(['打印版', 'Print version'])}
    </Button>
  )
}
