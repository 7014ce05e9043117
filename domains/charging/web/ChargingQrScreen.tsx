import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { PageHead } from '../../../platform/web/page.tsx'
import { QrDialog } from '../../../platform/web/Qr.tsx'
import { useText } from '../../../platform/web/text.ts'
import { connector, type GunCode } from '../contract/connector.ts'
import { StationSelect, useStations } from './stations.tsx'
import './charging.css'

type Row = Of<typeof GunCode>

/** The codes that hang at guns, to look at and to save for the printer. */
export default function ChargingQrScreen() {
  const say = useText()
  const stations = useStations()
  const [chosen, setChosen] = useState<string>()
  const [shown, setShown] = useState<Row>()
  const stationId = chosen ?? stations[0]?.stationId
  const { data: piles } = useQuery({ ...asks(connector.ofPiles, { stationId: stationId ?? '' }), enabled: stationId !== undefined })
  const guns = (piles ?? []).flatMap((pile) => pile.guns)
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
      </div>
      {piles && guns.length === 0 && <p className="faint">{say(['这个站还没有充电枪', 'No connectors at this station yet'])}</p>}
      <div className="charging-guns">
        {guns.map((gun) => (
          <Button key={gun.connectorId} disabled={!gun.qrCode} onClick={() => setShown(gun)}>
            {gun.connectorName ?? gun.connectorId}
          </Button>
        ))}
      </div>
      {shown?.qrCode && (
        <QrDialog
          value={`${location.origin}/q/${shown.qrCode}`}
          title={[`充电枪 ${shown.connectorId}`, `Connector ${shown.connectorId}`]}
          caption={shown.parkNo ? `${shown.connectorId} · ${shown.parkNo}` : shown.connectorId}
          fileName={shown.connectorId}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  )
}
