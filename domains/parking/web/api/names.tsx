import { useQuery } from '@tanstack/react-query'
import { Form } from 'antd'
import { Link } from 'react-router'
import { asks } from '../../../../platform/web/ask.ts'
import { NONE as NOTHING } from '../../../../platform/web/format.ts'
import { can } from '../../../../platform/web/person.ts'
import { Label } from '../../../../platform/web/form/remove.tsx'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { NameWaits } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { gate, Direction } from '../../contract/gate.ts'
import { park } from '../../contract/park.ts'
import './names.css'

/** Parks and gates by their names, for the pages of every domain: read once and shared by all of them. */
const NAMES_STALE_MS = 300_000
const names = { staleTime: NAMES_STALE_MS, gcTime: NAMES_STALE_MS }
const NONE: never[] = []
/** Not known yet is not none: a screen that says there are none waits for the answer. */
export const useParksAreKnown = () => useQuery({ ...asks(park.queryList, {}, { quiet: true }), ...names }).data !== undefined
export const useParks = () => useQuery({ ...asks(park.queryList, {}, { quiet: true }), ...names }).data ?? NONE
/** A code is shown in a name's place only where no name is known, not while the names are on their way. */
export const useNamesWait = () => useQuery({ ...asks(park.queryList, {}, { quiet: true }), ...names }).isLoading
export const useGates = (parkCode?: string) => {
  const all = useQuery({ ...asks(gate.findParkGateList, {}, { quiet: true }), ...names }).data ?? NONE
  return parkCode === undefined ? all : all.filter((one) => one.parkCode === parkCode)
}
export const useAreas = (parkCode: string | undefined) =>
  useQuery({ ...asks(gate.findParkRegionList, { parkCode: parkCode ?? '' }, { quiet: true }), ...names, enabled: parkCode !== undefined }).data ??
  NONE

const PARKS = '/assetManage/parkingAndFacility/selfParking'
/** A park's name, which links to the park for a reader who may view it; a reader who may not see the park gets its code. */
export function ParkName({ code, still }: { code: string | null | undefined; still?: boolean }) {
  const name = useParks().find((one) => one.parkCode === code)?.name ?? code
  const waits = useNamesWait()
  if (!code) return <Nowhere />
  if (waits) return <NameWaits />
  if (still || !can(park.queryDetail.needs)) return <span title={code}>{name}</span>
  return (
    <Link to={`${PARKS}/${code}`} className="named" title={code} onClick={(event) => event.stopPropagation()}>
      {name}
    </Link>
  )
}
const Nowhere = () => <span className="faint">{NOTHING}</span>
/** Several, in the order given. */
export function ParkNames({ codes }: { codes: readonly string[] }) {
  const say = useText()
  const names = new Map(useParks().map(({ parkCode, name }) => [parkCode, name]))
  const waits = useNamesWait()
  if (codes.length === 0) return <Nowhere />
  if (waits) return <NameWaits />
  return <span title={codes.join(' ')}>{codes.map((code) => names.get(code) ?? code).join(say(['、', ', ']))}</span>
}
/** A lane by its name; the code says it where the name is not known. */
export function GateName({ code }: { code: string | null | undefined }) {
  const found = useGates().find((one) => one.gateCode === code)
  const waits = useQuery({ ...asks(gate.findParkGateList, {}, { quiet: true }), ...names }).isLoading
  if (!code) return <Nowhere />
  if (waits) return <NameWaits />
  return <span title={code}>{found?.name ?? code}</span>
}

interface PickProps<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
  disabled?: boolean
}
interface Place {
  value: string
  label: string
}
/** Found by name or by code. A place of a record that is not in the reader's lists shows its code. */
const byNameOrCode = {
  filterOption: (typed: string, option?: Place) => `${option?.value} ${option?.label}`.toLowerCase().includes(typed.toLowerCase()),
}
const parkPlaces = (parks: ReturnType<typeof useParks>): Place[] => parks.map(({ parkCode, name }) => ({ value: parkCode, label: name }))

/** The placeholder of a choice that has to be made; in a search, any will do. */
export const CHOOSE: Text = ['请选择', 'Choose']

/** `empty`: the meaning of no choice. */
export function ParkSelect({ empty = Label.any, ...props }: PickProps<string> & { empty?: Text }) {
  const say = useText()
  return (
    <Select
      {...props}
      {...(!props.id && { 'aria-label': say(['车场', 'Car park']) })}
      allowClear
      className="park-select"
      placeholder={say(empty)}
      options={parkPlaces(useParks())}
      showSearch={byNameOrCode}
    />
  )
}
/** The search for one park, in every list. */
export const findPark = {
  name: 'parkCode',
  label: ['车场', 'Car park'],
  control: <ParkSelect />,
  shown: (code: string) => <ParkName code={code} still />,
} as const
/** Any number of them. */
export function ParksSelect(props: PickProps<string[]>) {
  const say = useText()
  return (
    <Select
      {...props}
      mode="multiple"
      allowClear
      className="park-select"
      placeholder={say(['按名称或编号选择', 'Choose by name or code'])}
      options={parkPlaces(useParks())}
      showSearch={byNameOrCode}
    />
  )
}
type GatePickProps = PickProps<string> & { parkCode?: string | undefined; direction?: 1 | 2; empty?: Text }
/** `parkCode` left out: those of all parks, each with its park, because lanes are named alike everywhere. */
export function GateSelect({ parkCode, direction, empty = Label.any, ...props }: GatePickProps) {
  const say = useText()
  const parks = new Map(useParks().map((one) => [one.parkCode, one.name]))
  const fits = useGates(parkCode).filter((one) => !direction || one.direction === direction || one.direction === Direction.both)
  const isAlone = new Set(fits.map((one) => one.parkCode)).size <= 1
  const label = (one: (typeof fits)[number]) => (isAlone ? one.name : `${parks.get(one.parkCode) ?? one.parkCode} · ${one.name}`)
  return (
    <Select
      {...props}
      allowClear
      className="park-select"
      placeholder={say(empty)}
      options={fits.map((one) => ({ value: one.gateCode, label: label(one) }))}
      showSearch={byNameOrCode}
    />
  )
}
/** The park of a form that also names one of its gates, in the field `clears`: another park has other gates. */
export function ChosenPark({ clears, onChange, ...props }: PickProps<string> & { clears: string }) {
  const form = Form.useFormInstance()
  const changed = (code: string | undefined) => {
    form.setFieldValue(clears, undefined)
    onChange?.(code)
  }
  return <ParkSelect {...props} empty={CHOOSE} onChange={changed} />
}
/** The gates of the park that the same form names. */
export function ChosenGate({ direction, ...props }: PickProps<string> & { direction?: 1 | 2 }) {
  const parkCode = Form.useWatch('parkCode', Form.useFormInstance()) as string | null | undefined
  return <GateSelect {...props} {...(direction && { direction })} empty={CHOOSE} parkCode={parkCode ?? ''} />
}
export function AreaSelect({ parkCode, ...props }: PickProps<string> & { parkCode: string | undefined }) {
  const say = useText()
  const options = useAreas(parkCode).map(({ areaCode, name }) => ({ value: areaCode, label: name }))
  return <Select {...props} allowClear placeholder={say(['街道（场外）', 'The street'])} options={options} />
}
