import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { FilterTree } from '../../../platform/web/tree/FilterTree.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { connector, type GunCode } from '../contract/connector.ts'
import { AdminStatus } from '../contract/pile.ts'
import { Guns } from './Guns.tsx'
import { Online } from './Online.tsx'
import { useStations } from './stations.tsx'
import './charging.css'

/** Stations, their piles and the guns of each: who stands where now. */
export default function ConnectorScreen() {
  const say = useText()
  const stations = useStations()
  const [chosen, setChosen] = useState<string>()
  const stationId = chosen ?? stations[0]?.stationId
  const { data: piles } = useQuery({
    ...asks(connector.ofPiles, { stationId: stationId ?? '' }),
    enabled: stationId !== undefined,
    refetchInterval: 10_000,
  })
  return (
    <div className="page charging-page">
      <PageHead
        purpose={[
          '各充电站的充电桩与充电枪：当前状态、车位和进行中的订单',
          'The piles and connectors of each station: state, bay and session in progress',
        ]}
      />
      <div className="charging-list">
        <FilterTree
          label={say(['充电站', 'Stations'])}
          filter={say(['搜索充电站', 'Find a station'])}
          chosen={stationId}
          onChoose={setChosen}
          nodes={stations.map((one) => ({ key: one.stationId, words: one.stationName }))}
        />
        <div className="charging-piles">
          {stationId !== undefined && can(connector.export.needs) && <ExportButton call={connector.export} criteria={{ stationId }} />}
          {piles?.length === 0 && <p className="faint">{say(['这个站还没有充电桩', 'No piles at this station yet'])}</p>}
          {piles?.map((pile) => (
            <section key={pile.equipmentId} className="charging-pile">
              <h3>
                {pile.equipmentName} <span className="faint">{pile.equipmentId}</span> <State dictionary={AdminStatus} value={pile.adminStatus} />{' '}
                <Online is={pile.online} />
              </h3>
              <GunsOf of={pile.guns} />
            </section>
          ))}
        </div>
      </div>
    </div>
  )
}

function GunsOf({ of }: { of: readonly Of<typeof GunCode>[] }) {
  const say = useText()
  if (of.length === 0) return <p className="faint">{say(['没有充电枪', 'No connectors'])}</p>
  return <Guns of={of} />
}
