import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { asks } from '../../../platform/web/ask.ts'
import { NONE } from '../../../platform/web/format.ts'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { gate } from '../../parking/contract/gate.ts'
import { park } from '../../parking/contract/park.ts'
import './device.css'

/** Parks and gates by their names, read once and shared by all lists of the page. */
const NAMES_STALE_MS = 300_000
const names = { staleTime: NAMES_STALE_MS, gcTime: NAMES_STALE_MS }
const useParks = () => useQuery({ ...asks(park.queryList, {}, { quiet: true }), ...names }).data ?? []
const useGates = () => useQuery({ ...asks(gate.findParkGateList, {}, { quiet: true }), ...names }).data ?? []

export const PARK: Text = ['车场', 'Park']
export const GATE: Text = ['通道', 'Lane']
/** Where a device stands, by name; the code says it to whoever may not see the place. */
export const ParkName = ({ code }: { code: string | null }) => <Named code={code} name={useParks().find(({ parkCode }) => parkCode === code)?.name} />
export const GateName = ({ code }: { code: string | null }) => <Named code={code} name={useGates().find(({ gateCode }) => gateCode === code)?.name} />
function Named({ code, name }: { code: string | null; name: string | undefined }) {
  if (code === null) return <span className="faint">{NONE}</span>
  return <span title={code}>{name ?? code}</span>
}

interface Place {
  value: string
  label: string
}
interface PickProps {
  id?: string
  value?: string | null
  onChange?: (value: string | undefined) => void
}
/** By name or by code. What stands in the record and is not in the reader's lists shows its code. */
function PlaceSelect({ options, choose, value, ...props }: PickProps & { options: Place[]; choose: boolean }) {
  const say = useText()
  const fits = (typed: string, option?: Place) => `${option?.value} ${option?.label}`.toLowerCase().includes(typed.toLowerCase())
  return (
    <Select
      {...props}
      value={value ?? undefined}
      allowClear
      className="place"
      placeholder={say(choose ? ['请选择', 'Choose'] : ['全部', 'Any'])}
      options={options}
      showSearch={{ filterOption: fits }}
    />
  )
}

/** `choose`: in a form, whose gate goes with its park; without it any will do, in a search. */
export function ParkSelect({ choose = false, onChange, ...props }: PickProps & { choose?: boolean }) {
  const form = Form.useFormInstance()
  const options = useParks().map(({ parkCode, name }) => ({ value: parkCode, label: name }))
  const changed = (code: string | undefined) => {
    if (choose) form.setFieldValue('gateCode', undefined)
    onChange?.(code)
  }
  return <PlaceSelect {...props} choose={choose} options={options} onChange={changed} />
}

/** The gates of the park that the same form names; without one, in a search, those of all parks. */
export function GateSelect({ choose = false, ...props }: PickProps & { choose?: boolean }) {
  const parkCode = Form.useWatch('parkCode', Form.useFormInstance()) as string | null | undefined
  const own = useGates().filter((one) => (parkCode ? one.parkCode === parkCode : !choose))
  return <PlaceSelect {...props} choose={choose} options={own.map(({ gateCode, name }) => ({ value: gateCode, label: `${name} ${gateCode}` }))} />
}

/** How the lists search and show where a device stands. */
export const findPark = { name: 'parkCode', control: <ParkSelect />, label: PARK } as const
export const findGate = { name: 'gateCode', control: <GateSelect />, label: GATE } as const
export const parkColumn = (say: Say) =>
  ({ dataIndex: 'parkCode', title: say(PARK), ellipsis: true, width: 180, render: (code: string | null) => <ParkName code={code} /> }) as const
export const gateColumn = (say: Say) =>
  ({ dataIndex: 'gateCode', title: say(GATE), render: (code: string | null) => <GateName code={code} /> }) as const
