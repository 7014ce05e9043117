import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { CHOOSE } from '../../parking/web/api/names.tsx'
import { park } from '../../parking/contract/park.ts'
import { TollType, toll } from '../../staff/contract/collector.ts'
import { DeviceType } from '../../device/contract/device.ts'
import { patrolRules } from '../contract/patrolRule.ts'

interface PickProps<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
}
const byLabel = { optionFilterProp: 'label' } as const
const NONE: never[] = []
const RULES_SHOWN = 500

export function RuleSelect(props: PickProps<string>) {
  const say = useText()
  const rules = useQuery(asks(patrolRules.query, { limit: RULES_SHOWN }, { quiet: true })).data?.records ?? NONE
  return (
    <Select
      {...props}
      allowClear
      placeholder={say(CHOOSE)}
      options={rules.map(({ id, name }) => ({ value: id as string, label: name }))}
      showSearch={byLabel}
    />
  )
}
export const findRule = { name: 'ruleId', label: ['规则', 'Rule'], control: <RuleSelect /> } as const

/** Those who go on rounds: inspectors and charging technicians. */
export function InspectorSelect(props: PickProps<string>) {
  const say = useText()
  const all = useQuery(asks(toll.pick, {}, { quiet: true })).data ?? NONE
  const options = all
    .filter(({ tollType }) => tollType === TollType.inspector || tollType === TollType.charging)
    .map(({ tollNo, name }) => ({ value: tollNo, label: `${tollNo} ${name}` }))
  return <Select {...props} allowClear placeholder={say(CHOOSE)} options={options} showSearch={byLabel} />
}
/** Returns the reader's own staff number, if they go on rounds. */
export const useMyNumber = () => useQuery(asks(toll.pick, {}, { quiet: true })).data?.find((one) => one.mine)?.tollNo
export const findInspector = { name: 'tollNo', label: ['巡检员', 'Inspector'], control: <InspectorSelect /> } as const

export function ParksSelect(props: PickProps<string[]>) {
  const say = useText()
  const parks = useQuery(asks(park.queryList, {}, { quiet: true })).data ?? NONE
  return (
    <Select
      {...props}
      mode="multiple"
      allowClear
      placeholder={say(CHOOSE)}
      options={parks.map(({ parkCode, name }) => ({ value: parkCode, label: `${name} ${parkCode}` }))}
      showSearch={byLabel}
    />
  )
}

export function DeviceTypesSelect(props: PickProps<number[]>) {
  const say = useText()
  const options = Object.entries(DeviceType.entries).map(([code, words]) => ({ value: Number(code), label: say(words as never as Text) }))
  return <Select {...props} mode="multiple" allowClear placeholder={say(CHOOSE)} options={options} showSearch={byLabel} />
}
