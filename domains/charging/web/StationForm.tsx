import { useQuery } from '@tanstack/react-query'
import { Button, Form } from 'antd'
import gcoord from 'gcoord'
import type { Of } from '../../../platform/contract/field.ts'
import { ask, asks } from '../../../platform/web/ask.ts'
import { FormDialog, useFill } from '../../../platform/web/FormDialog.tsx'
import { can } from '../../../platform/web/person.ts'
import { PlaceMap } from '../../../platform/web/PlaceMap.tsx'
import { Select } from '../../../platform/web/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { park } from '../../parking/contract/park.ts'
import { CHOOSE, ParkSelect } from '../../parking/web/api/names.tsx'
import { station, StationRow, StationStatus } from '../contract/station.ts'
import { strategy, StrategyStatus } from '../contract/strategy.ts'
import { OperatorSelect } from './stations.tsx'

type Row = Of<typeof StationRow>
export const OPERATOR: Text = ['运营商', 'Operator']
const CHANGES = [station.tableList, station.detail, station.list]
const HERE = 'here'
const MAP_PX = 260
const TABLES = 200
const toGcj = (place: readonly [number, number]) => gcoord.transform([...place] as [number, number], gcoord.WGS84, gcoord.GCJ02)
const toWgs = (place: readonly [number, number]) => gcoord.transform([...place] as [number, number], gcoord.GCJ02, gcoord.WGS84)
const rounded = (degrees: number) => Number(degrees.toFixed(6))

const WRITTEN = ['stationName', 'stationType', 'construction', 'stationStatus'] as const
const FACTS = ['serviceTel', 'stationTel', 'parkNums', 'busineHours', 'prepayFen', 'siteGuide', 'parkFee', 'pictures', 'remark'] as const
const fields = [
  ...WRITTEN,
  {
    name: 'strategyId' as const,
    label: ['价格表', 'Price table'] as Text,
    optional: true,
    control: <StrategySelect />,
    help: ['没有价格表的站不能充电', 'A station without one cannot charge'] as Text,
  },
  'regionCode' as const,
  'address' as const,
  'stationLng' as const,
  { name: 'stationLat' as const, under: <StationPlace /> },
  ...FACTS,
]

/** A station is named, priced and put on the map; a new one takes its place from the park that it is in. */
export function StationForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const shared = { entity: StationRow, save: station.save, done: ['已保存', 'Saved'] as const, changes: CHANGES, onClose }
  if (of)
    return (
      <FormDialog {...shared} title={[`编辑充电站 · ${of.stationName}`, `Edit station · ${of.stationName}`]} mode="edit" value={of} fields={fields} />
    )
  return (
    <FormDialog
      {...shared}
      title={['新增充电站', 'Add a station']}
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
        { name: 'parkCode', needed: true, control: <ParkSelect empty={CHOOSE} />, label: ['车场', 'Car park'], under: <OfPark /> },
        ...fields,
      ]}
    />
  )
}

/** The place and the address of the chosen park, at a press: nothing that was typed is lost unasked. */
function OfPark() {
  const say = useText()
  const fill = useFill()
  const parkCode = Form.useWatch<string | undefined>('parkCode', Form.useFormInstance())
  if (!parkCode || !can(park.queryDetail.needs)) return null
  const take = async () => {
    const { regionCode, address, lng, lat } = await ask(park.queryDetail, { parkCode })
    const [stationLng, stationLat] = lng === null || lat === null ? [] : toGcj([lng, lat]).map(rounded)
    fill({ regionCode, ...(address && { address }), ...(stationLng !== undefined && { stationLng, stationLat }) })
  }
  return (
    <Button type="link" size="small" onClick={() => void take().catch(() => {})}>
      {say(['填入该车场的区划、地址和位置', 'Fill in the region, address and location of this car park'])}
    </Button>
  )
}

/** Where the station is: a click puts both coordinates, and what is typed moves the point. */
function StationPlace() {
  const say = useText()
  const fill = useFill()
  const form = Form.useFormInstance()
  const lng = Form.useWatch<number | null | undefined>('stationLng', form)
  const lat = Form.useWatch<number | null | undefined>('stationLat', form)
  const name = say(['充电站位置', 'Station location'])
  const at = typeof lng === 'number' && typeof lat === 'number' ? toWgs([lng, lat]) : undefined
  const pick = (east: number, north: number) => {
    const [stationLng, stationLat] = toGcj([east, north]).map(rounded)
    fill({ stationLng, stationLat })
  }
  return (
    <PlaceMap
      label={['充电站位置，点击地图填入经纬度', 'Station location: click the map to fill in the coordinates']}
      points={at ? [{ id: HERE, name, lng: at[0]!, lat: at[1]!, tone: 'success' }] : []}
      chosen={HERE}
      height={MAP_PX}
      onPick={pick}
    />
  )
}

function StrategySelect(props: { id?: string; value?: string; onChange?: (id: string | undefined) => void }) {
  const say = useText()
  const wanted = { status: [StrategyStatus.published], limit: TABLES }
  const { data } = useQuery({ ...asks(strategy.query, wanted, { quiet: true }), enabled: can(strategy.query.needs) })
  const open = (data?.records ?? []).filter(({ effectiveTo, id }) => effectiveTo === null || (id as string) === props.value)
  return (
    <Select
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['请选择价格表', 'Choose a price table'])}
      options={open.map(({ id, name, versionNo }) => ({ value: id as string, label: say([`${name} 第${versionNo}版`, `${name} v${versionNo}`]) }))}
      {...(props as object)}
    />
  )
}
