import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { station, type StationRow, stationRowSearch, StationStatus } from '../contract/station.ts'
import { Opening } from './Opening.tsx'
import { OPERATOR, StationForm } from './StationForm.tsx'
import { priceLack } from './priceTables.ts'
import { GraveDanger, OperatorSelect } from './stations.tsx'

type Row = Of<typeof StationRow>

/** Places with piles: where they are, what is free there and what a kilowatt hour costs. */
export default function StationScreen() {
  const say = useText()
  const [doing, setDoing] = useState<{ of?: Row }>()
  return (
    <>
      <ListScreen
        purpose={['充电站的位置、开放状态、空闲充电枪数与价格', 'Charging stations: location, state, free connectors and prices']}
        query={station.tableList}
        exports={station.export}
        search={stationRowSearch}
        find={[
          'stationName',
          { name: 'operatorId', label: OPERATOR, control: <OperatorSelect empty={Label.any} /> },
          'stationStatus',
          'stationType',
          findPark,
          'regionCode',
          'stationId',
        ]}
        columns={[
          'stationName',
          'stationId',
          { dataIndex: 'stationStatus', render: (_, row) => <Standing of={row} /> },
          { dataIndex: 'freeConnectors', title: say(['空闲/总数', 'Free / total']), render: (_, row) => `${row.freeConnectors} / ${row.connectors}` },
          { dataIndex: 'strategyName', render: (_, row) => <PriceTable of={row} /> },
          'stationType',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'address',
          'limitW',
          'prepayFen',
          'operatorId',
          'serviceTel',
          'regionCode',
        ]}
        hidden={['limitW', 'prepayFen', 'operatorId', 'serviceTel', 'regionCode']}
        roomy={['stationType', 'address']}
        live="charging.gun"
        rowKey="stationId"
        detail={{
          call: station.detail,
          input: (stationId) => ({ stationId }),
          head: (row) => (
            <>
              {row.stationName} <State dictionary={StationStatus} value={row.stationStatus} />
            </>
          ),
          body: (row) => <Opening of={row} />,
        }}
        add={{ call: station.save, open: () => setDoing({}) }}
        actions={(row) => [{ text: Label.edit, needs: station.save.needs, run: () => setDoing({ of: row }) }]}
        empty={['还没有充电站。先登记运营商，再新增充电站和充电桩。', 'No stations yet: add an operator, then stations and piles.']}
      />
      {doing && <StationForm {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** Without a price in force nothing starts there. */
function PriceTable({ of }: { of: Row }) {
  const say = useText()
  const lack = priceLack(of)
  return lack ? <span className="state warning">{say(lack)}</span> : of.strategyName
}
/** A station may be in use and yet stopped. */
const Standing = ({ of: { stationStatus, dangerNo } }: { of: Row }) => (
  <>
    <State dictionary={StationStatus} value={stationStatus} /> {dangerNo && <GraveDanger dangerNo={dangerNo} />}
  </>
)
