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
import { park } from '../../../parking/contract/park.ts'
import { place } from '../../contract/place.ts'
import './places.css'

/** Names are read once and shared by the pages of all domains. */
const NAMES_STALE_MS = 300_000
export const namesKept = { staleTime: NAMES_STALE_MS, gcTime: NAMES_STALE_MS }
const NONE: never[] = []
const useChoices = () => useQuery({ ...asks(place.queryList, {}, { quiet: true }), ...namesKept })
/** Not known yet is not none: a screen that says there are none waits for the answer. */
export const useParksAreKnown = () => useChoices().data !== undefined
export const useParks = () => useChoices().data ?? NONE
/** A code is shown in a name's place only where no name is known, not while the names are on their way. */
export const useNamesWait = () => useChoices().isLoading

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
export const Nowhere = () => <span className="faint">{NOTHING}</span>
/** Several, in the order given. */
export function ParkNames({ codes }: { codes: readonly string[] }) {
  const say = useText()
  const names = new Map(useParks().map(({ parkCode, name }) => [parkCode, name]))
  const waits = useNamesWait()
  if (codes.length === 0) return <Nowhere />
  if (waits) return <NameWaits />
  return <span title={codes.join(' ')}>{codes.map((code) => names.get(code) ?? code).join(say(['、', ', ']))}</span>
}

export interface PickProps<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
  disabled?: boolean
}
interface Option {
  value: string
  label: string
}
/** Found by name or by code. A place of a record that is not in the reader's lists shows its code. */
export const byNameOrCode = {
  filterOption: (typed: string, option?: Option) => `${option?.value} ${option?.label}`.toLowerCase().includes(typed.toLowerCase()),
}
const parkOptions = (parks: ReturnType<typeof useParks>): Option[] => parks.map(({ parkCode, name }) => ({ value: parkCode, label: name }))

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
      options={parkOptions(useParks())}
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
      options={parkOptions(useParks())}
      showSearch={byNameOrCode}
    />
  )
}
/** The park of a form that also names something within it, in the field `clears`: another park has others. */
export function ChosenPark({ clears, onChange, ...props }: PickProps<string> & { clears: string }) {
  const form = Form.useFormInstance()
  const changed = (code: string | undefined) => {
    form.setFieldValue(clears, undefined)
    onChange?.(code)
  }
  return <ParkSelect {...props} empty={CHOOSE} onChange={changed} />
}
