import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { Label } from '../../../platform/web/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { CHOOSE, findPark, ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { Station, station, type StationRow, stationRowSearch, StationStatus } from '../contract/station.ts'
import { GraveDanger, OperatorSelect } from './stations.tsx'

type Row = Of<typeof StationRow>
const OPERATOR: Text = ['运营商', 'Operator']
const CHANGES = [station.tableList, station.list]
const WRITTEN = ['stationName', 'stationType', 'construction', 'stationStatus', 'regionCode', 'address', 'stationLng', 'stationLat', 'serviceTel', 'stationTel', 'parkNums', 'busineHours', 'prepayFen', 'siteGuide', 'parkFee', 'pictures', 'remark'] as const // prettier-ignore

/** Places with piles: where they are, what is free there and what a kilowatt hour costs. */
export default function ChargingStationScreen() {
  const say = useText()
  const [doing, setDoing] = useState<{ of?: Row }>()
  return (
    <>
      <ListScreen
        purpose={['充电站的位置、开放状态、空闲充电枪数与价格', 'Charging stations: location, state, free connectors and prices']}
        query={station.tableList}
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
          'stationName', 'stationId', { dataIndex: 'stationStatus', render: (_, row) => <Standing of={row} /> },
          { dataIndex: 'freeConnectors', title: say(['空闲/总数', 'Free / total']), render: (_, row) => `${row.freeConnectors} / ${row.connectors}` },
          'strategyName', 'stationType', { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> }, 'address', 'limitW', 'prepayFen', 'operatorId', 'serviceTel', 'regionCode',
        ]} // prettier-ignore
        hidden={['limitW', 'prepayFen', 'operatorId', 'serviceTel', 'regionCode']}
        roomy={['stationType', 'address']}
        live="charging.gun"
        add={{ call: station.save, open: () => setDoing({}) }}
        actions={(row) => [{ text: Label.edit, needs: station.save.needs, run: () => setDoing({ of: row }) }]}
        empty={['还没有充电站。先登记运营商，再新增充电站和充电桩。', 'No stations yet: add an operator, then stations and piles.']}
      />
      {doing && <Save {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** A station may be in use and yet stopped. */
const Standing = ({ of: { stationStatus, dangerNo } }: { of: Row }) => (
  <>
    <State dictionary={StationStatus} value={stationStatus} /> {dangerNo && <GraveDanger dangerNo={dangerNo} />}
  </>
)

function Save({ of, onClose }: { of?: Row; onClose: () => void }) {
  const shared = { entity: Station, save: station.save, done: ['已保存', 'Saved'] as const, changes: CHANGES, onClose }
  if (of) return <FormDialog {...shared} mode="edit" value={of} fields={[...WRITTEN]} />
  return (
    <FormDialog
      {...shared}
      mode="new"
      value={{
        stationStatus: StationStatus.building,
        stationType: 1,
        construction: 255,
        parkNums: 0,
        busineHours: '00:00-24:00',
        prepayFen: 5000 as never,
      }}
      fields={[
        { name: 'stationId', needed: true, help: ['保存后不可修改', 'It cannot be changed later'] },
        { name: 'operatorId', needed: true, control: <OperatorSelect />, label: OPERATOR },
        { name: 'parkCode', needed: true, control: <ParkSelect empty={CHOOSE} />, label: ['车场', 'Car park'] },
        ...WRITTEN,
      ]}
    />
  )
}
