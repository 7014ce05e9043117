import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ParkName } from '../../parking/web/api/names.tsx'
import { person } from '../../identity/contract/person.ts'
import { can } from '../../../platform/web/person.ts'
import { toll } from '../contract/collector.ts'
import { workGroup } from '../contract/workGroup.ts'
import { workShift } from '../contract/workShift.ts'

interface PickProps<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
}
const byLabel = { optionFilterProp: 'label' } as const
const NONE: never[] = []
export const useGroups = () => useQuery(asks(workGroup.pick, {}, { quiet: true })).data ?? NONE
export const useShifts = () => useQuery(asks(workShift.pick, {}, { quiet: true })).data ?? NONE
export const usePlaces = () => useQuery(asks(workGroup.places, {}, { quiet: true })).data ?? NONE
export const useCollectors = () => useQuery(asks(toll.pick, {}, { quiet: true })).data ?? NONE

export function useParkColumn() {
  const say = useText()
  return {
    dataIndex: 'parkCode' as const,
    title: say(['车场', 'Car park']),
    render: (_: unknown, row: { parkCode: string | null }) => <ParkName code={row.parkCode} />,
  }
}
export function GroupSelect(props: PickProps<string>) {
  const say = useText()
  const options = useGroups().map(({ id, name }) => ({ value: id as string, label: name }))
  return (
    <Select
      {...props}
      {...(!props.id && { 'aria-label': say(['班组', 'Group']) })}
      allowClear
      className="group-select"
      placeholder={say(['班组', 'Group'])}
      options={options}
      showSearch={byLabel}
    />
  )
}
export const findGroup = { name: 'groupId', label: ['班组', 'Group'], control: <GroupSelect /> } as const

/** Somebody employed, by id or, with `byNo`, by staff number; with `signsIn` only people with an account. */
export function CollectorSelect({ byNo, signsIn, ...props }: PickProps<string> & { byNo?: boolean; signsIn?: boolean }) {
  const say = useText()
  const all = useCollectors().filter(({ hasAccount }) => hasAccount || !signsIn)
  return <Select {...props} allowClear placeholder={say(['请选择', 'Choose'])} options={optionsOf(all, byNo)} showSearch={byLabel} />
}
export function CollectorsSelect({ byNo, ...props }: PickProps<string[]> & { byNo?: boolean }) {
  const say = useText()
  return (
    <Select
      {...props}
      mode="multiple"
      allowClear
      placeholder={say(['请选择', 'Choose'])}
      options={optionsOf(useCollectors(), byNo)}
      showSearch={byLabel}
    />
  )
}
const optionsOf = (all: ReturnType<typeof useCollectors>, byNo?: boolean) =>
  all.map(({ id, tollNo, name }) => ({ value: byNo ? tollNo : (id as string), label: `${tollNo} ${name}` }))

/** An account of the console, for a person who may see accounts. */
export function AccountSelect(props: PickProps<string>) {
  const say = useText()
  const { data } = useQuery({ ...asks(person.queryPage, { limit: 500 }, { quiet: true }), enabled: can(person.queryPage.needs) })
  const options = (data?.records ?? []).map(({ id, username, name }) => ({ value: id as string, label: `${name} ${username}` }))
  return <Select {...props} allowClear placeholder={say(['请选择', 'Choose'])} options={options} showSearch={byLabel} />
}
export function ShiftSelect(props: PickProps<string>) {
  const say = useText()
  const options = useShifts().map(({ id, name }) => ({ value: id as string, label: name }))
  return <Select {...props} allowClear placeholder={say(['请选择', 'Choose'])} options={options} showSearch={byLabel} />
}
const ANY_PLACE: Text = ['按名称或编号选择', 'Choose by name or code']
/** A person planned without a place works there. */
export const OWN_PARK: Text = ['所属车场', 'Own car park']
/** Parks, districts and sections of streets. */
export function PlacesSelect({ empty = ANY_PLACE, ...props }: PickProps<string[]> & { empty?: Text }) {
  const say = useText()
  const places = usePlaces()
  return (
    <Select
      {...props}
      mode="multiple"
      allowClear
      {...(!props.id && { 'aria-label': say(['地点', 'Place']) })}
      placeholder={say(empty)}
      options={places.map(({ placeCode, name }) => ({ value: placeCode, label: `${name} ${placeCode}` }))}
      showSearch={byLabel}
    />
  )
}
