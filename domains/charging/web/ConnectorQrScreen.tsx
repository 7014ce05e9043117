import { useQuery } from '@tanstack/react-query'
import { PrinterOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { QrDialog, QrSheet } from '../../../platform/web/draw/Qr.tsx'
import { useText } from '../../../platform/web/text.ts'
import { connector, type GunCode } from '../contract/connector.ts'
import { StationSelect, useStations } from './stations.tsx'
import './charging.css'

type Row = Of<typeof GunCode>

/** The codes that hang at guns, to look at and to save for the printer. */
export default function ConnectorQrScreen() {
  const say = useText()
  const stations = useStations()
  const [address, setAddress] = useSearchParams()
  const chosen = address.get('stationId') ?? undefined
  const setChosen = (stationId: string | undefined) => setAddress(stationId === undefined ? {} : { stationId })
  const [sheet, setSheet] = useState(false)
  const [shown, setShown] = useState<Row>()
  const stationId = chosen ?? stations[0]?.stationId
  const { data: piles } = useQuery({ ...asks(connector.ofPiles, { stationId: stationId ?? '' }), enabled: stationId !== undefined })
  const guns = (piles ?? []).flatMap((pile) => pile.guns)
  const coded = guns.filter(({ qrCode }) => qrCode !== null)
  return (
    <div className="page charging-page">
      <PageHead
        purpose={[
          '贴在充电枪上的二维码：点击充电枪查看，可保存打印',
          'QR codes for the connectors: choose a connector to view its code and save it for printing',
        ]}
      />
      <div className="charging-tools">
        <StationSelect value={stationId} onChange={setChosen} />
        <Button icon={<PrinterOutlined />} disabled={coded.length === 0} onClick={() => setSheet(true)}>
          {say(['打印全站二维码', 'Print all QR codes'])}
        </Button>
      </div>
      {piles && guns.length === 0 && <p className="faint">{say(['这个站还没有充电枪', 'No connectors at this station yet'])}</p>}
      <div className="charging-guns">
        {guns.map((gun) => (
          <Button key={gun.connectorId} disabled={!gun.qrCode} onClick={() => setShown(gun)}>
            {gun.connectorName ?? gun.connectorId}
          </Button>
        ))}
      </div>
      {sheet && <Sheet of={coded} name={stations.find((one) => one.stationId === stationId)?.stationName ?? ''} onClose={() => setSheet(false)} />}
      {shown?.qrCode && (
        <QrDialog
          value={addressOf(shown)}
          title={[`充电枪 ${shown.connectorId}`, `Connector ${shown.connectorId}`]}
          caption={captionOf(shown)}
          fileName={shown.connectorId}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  )
}

const addressOf = ({ qrCode }: Row) => `${location.origin}/q/${qrCode}`
const captionOf = ({ connectorId, parkNo }: Row) => (parkNo ? `${connectorId} · ${parkNo}` : connectorId)
/** All codes of a station on one sheet, to cut out and stick on. */
const Sheet = ({ of, name, onClose }: { of: readonly Row[]; name: string; onClose: () => void }) => (
  <QrSheet
    title={[`${name} · 充电枪二维码`, `${name} · connector QR codes`]}
    of={of.map((gun) => ({ value: addressOf(gun), caption: captionOf(gun) }))}
    onClose={onClose}
  />
)
