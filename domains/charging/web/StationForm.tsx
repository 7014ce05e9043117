import { useQuery } from '@tanstack/react-query'
import { Button, Form } from 'antd'
import gcoord from 'gcoord'
import { entity, type Of } from '../../../platform/contract/field.ts'
import { ask, asks } from '../../../platform/web/ask.ts'
import { FormDialog, useFill } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { can } from '../../../platform/web/person.ts'
import { intoEmpty } from '../../../platform/web/form/formParts.ts'
import { PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { park } from '../../parking/contract/park.ts'
import { CHOOSE, ParkSelect } from '../../parking/web/api/names.tsx'
import { Construction, station, StationRow, StationStatus, StationType, typedPlace } from '../contract/station.ts'
import { strategy, StrategyStatus } from '../contract/strategy.ts'
import { priceLack, tablesToChoose } from './priceTables.ts'
import { OperatorSelect } from './stations.tsx'

type Row = Of<typeof StationRow>
export const OPERATOR: Text = ['运营商', 'Operator']
const CHANGES = [station.tableList, station.detail, station.list]
const HERE = 'here'
const MAP_PX = 260
const TABLES = 200
const rounded = (degrees: number) => Number(degrees.toFixed(6))
/** A station with its place as people type it: in WGS-84, as of a pile or a car park. */
const Typed = entity({ ...StationRow.properties, ...typedPlace })
function typedOf(of: Row): Of<typeof Typed> {
  const [lng, lat] = gcoord.transform([of.stationLng, of.stationLat] as [number, number], gcoord.GCJ02, gcoord.WGS84)
  return { ...of, lng: rounded(lng), lat: rounded(lat) }
}

const WRITTEN = ['stationName', 'stationType', 'construction', 'stationStatus'] as const
const FACTS = ['serviceTel', 'stationTel', 'parkNums', 'busineHours', 'prepayFen', 'siteGuide', 'parkFee', 'pictures', 'remark'] as const
const NO_TABLE: Text = ['没有价格表的站不能充电', 'A station without one cannot charge']
const fieldsOf = (of?: Row) => [
  ...WRITTEN,
  {
    name: 'strategyId' as const,
    label: ['价格表', 'Price table'] as Text,
    optional: true,
    control: <StrategySelect />,
    help: (of && of.nextPriceAt !== null && priceLack(of)) || NO_TABLE,
  },
  'regionCode' as const,
  'address' as const,
  { name: 'lng' as const, needed: true as const },
  { name: 'lat' as const, needed: true as const, under: <StationPlace /> },
  ...FACTS,
]

/** A station is named, priced and put on the map; a new one takes its place from the park that it is in. */
export function StationForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const shared = { entity: Typed, save: station.save, done: ['已保存', 'Saved'] as const, changes: CHANGES, onClose }
  if (of)
    return (
      <FormDialog
        {...shared}
        title={[`编辑充电站 · ${of.stationName}`, `Edit station · ${of.stationName}`]}
        mode="edit"
        value={typedOf(of)}
        fields={fieldsOf(of)}
      />
    )
  return (
    <FormDialog
      {...shared}
      title={['新增充电站', 'Add a station']}
      mode="new"
      value={{
        stationStatus: StationStatus.building,
        stationType: StationType.public,
        construction: Construction.other,
        parkNums: 0,
        busineHours: '00:00-24:00',
        prepayFen: 5000 as never,
      }}
      fields={[
        { name: 'stationId', needed: true, help: ['保存后不可修改', 'It cannot be changed later'] },
        { name: 'operatorId', needed: true, control: <OperatorSelect />, label: OPERATOR },
        { name: 'parkCode', needed: true, control: <ParkSelect empty={CHOOSE} />, label: ['车场', 'Car park'], under: <OfPark /> },
        ...fieldsOf(),
      ]}
    />
  )
}

/** The place and the address of the chosen park, at a press, where nothing is typed yet. */
function OfPark() {
  const say = useText()
  const fill = useFill()
  const form = Form.useFormInstance()
  const parkCode = Form.useWatch<string | undefined>('parkCode', form)
  if (!parkCode || !can(park.queryDetail.needs)) return null
  const take = async () => {
    const { regionCode, address, lng, lat } = await ask(park.queryDetail, { parkCode })
    const offered = { regionCode, ...(address && { address }), ...(lng !== null && lat !== null && { lng, lat }) }
    const empty = intoEmpty(form.getFieldsValue(true) as Record<string, unknown>, offered)
    // Half of one place and half of another are none.
    const { lng: east, lat: north, ...rest } = empty
    fill(east !== undefined && north !== undefined ? empty : rest)
    if (Object.keys(empty).length < Object.keys(offered).length) toast('info', ['已填写的内容保持不变', 'What was filled in already is kept'])
  }
  return (
    <Form.Item label={null}>
      <Button type="link" size="small" onClick={() => void take().catch(() => {})}>
        {say(['用该车场的区划、地址和位置填入空白项', 'Fill empty fields with the region, address and location of this car park'])}
      </Button>
    </Form.Item>
  )
}

/** Where the station is: a click puts both coordinates, and what is typed moves the point. */
function StationPlace() {
  const say = useText()
  const fill = useFill()
  const form = Form.useFormInstance()
  const lng = Form.useWatch<number | null | undefined>('lng', form)
  const lat = Form.useWatch<number | null | undefined>('lat', form)
  const name = say(['充电站位置', 'Station location'])
  return (
    <PlaceMap
      label={['充电站位置，点击地图填入经纬度', 'Station location: click the map to fill in the coordinates']}
      points={typeof lng === 'number' && typeof lat === 'number' ? [{ id: HERE, name, lng, lat, tone: 'success' }] : []}
      chosen={HERE}
      height={MAP_PX}
      onPick={(east, north) => fill({ lng: rounded(east), lat: rounded(north) })}
    />
  )
}

function StrategySelect(props: { id?: string; value?: string; onChange?: (id: string | undefined) => void }) {
  const say = useText()
  const wanted = { status: [StrategyStatus.published], limit: TABLES }
  const { data } = useQuery({ ...asks(strategy.query, wanted, { quiet: true }), enabled: can(strategy.query.needs) })
  const offered = tablesToChoose(data?.records ?? [], props.value)
  return (
    <Select
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['请选择价格表', 'Choose a price table'])}
      options={offered.map(({ value, label }) => ({ value, label: say(label) }))}
      {...(props as object)}
    />
  )
}
