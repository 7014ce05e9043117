import { useQuery } from '@tanstack/react-query'
import { Form } from 'antd'
import { asks } from '../../../../platform/web/ask.ts'
import { Label } from '../../../../platform/web/form/remove.tsx'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { NameWaits } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { gate, Direction } from '../../../parking/contract/gate.ts'
import { byNameOrCode, CHOOSE, namesKept, Nowhere, type PickProps, useParks } from '../../../system/web/api/places.tsx'

/** Gates by their names, for the pages of devices, which stand at them, and of every domain above. */
const NONE: never[] = []
const useChoices = () => useQuery({ ...asks(gate.findParkGateList, {}, { quiet: true }), ...namesKept })
export const useGates = (parkCode?: string) => {
  const all = useChoices().data ?? NONE
  return parkCode === undefined ? all : all.filter((one) => one.parkCode === parkCode)
}

/** A lane by its name; the code says it where the name is not known. */
export function GateName({ code }: { code: string | null | undefined }) {
  const found = useGates().find((one) => one.gateCode === code)
  const waits = useChoices().isLoading
  if (!code) return <Nowhere />
  if (waits) return <NameWaits />
  return <span title={code}>{found?.name ?? code}</span>
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
/** The gates of the park that the same form names. */
export function ChosenGate({ direction, ...props }: PickProps<string> & { direction?: 1 | 2 }) {
  const parkCode = Form.useWatch('parkCode', Form.useFormInstance()) as string | null | undefined
  return <GateSelect {...props} {...(direction && { direction })} empty={CHOOSE} parkCode={parkCode ?? ''} />
}
