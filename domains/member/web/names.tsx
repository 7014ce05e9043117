import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ruleChoices } from './ruleChoices.ts'
import { useGates } from '../../parking/web/api/names.tsx'
import { CHOOSE } from '../../parking/web/api/names.tsx'
import { accessRule } from '../contract/accessRule.ts'
import { group } from '../contract/group.ts'
import { carFees } from '../contract/plan.ts'

interface PickProps<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
}
const NONE: never[] = []
const MOST = 500
const found = { optionFilterProp: 'label' } as const

export const useGroups = () => useQuery(asks(group.selectListByParkCode, {}, { quiet: true })).data ?? NONE
export const usePlans = () => useQuery(asks(carFees.queryPage, { limit: MOST }, { quiet: true })).data?.records ?? NONE

/** A kind of pass by its name. */
export function GroupSelect(props: PickProps<string>) {
  const say = useText()
  return (
    <Select
      {...props}
      {...found}
      showSearch
      allowClear
      placeholder={say(CHOOSE)}
      options={useGroups().map(({ id, name }) => ({ value: id as string, label: name }))}
    />
  )
}
export function GroupsSelect(props: PickProps<string[]>) {
  const say = useText()
  return (
    <Select
      {...props}
      {...found}
      mode="multiple"
      allowClear
      placeholder={say(['全部', 'All'])}
      options={useGroups().map(({ id, name }) => ({ value: id as string, label: name }))}
    />
  )
}
export function GatesSelect({ parkCode, ...props }: PickProps<string[]> & { parkCode: string | undefined }) {
  const say = useText()
  return (
    <Select
      {...props}
      {...found}
      mode="multiple"
      allowClear
      placeholder={say(['全部入口', 'All entrances'])}
      options={useGates(parkCode).map(({ gateCode, name }) => ({ value: gateCode, label: name }))}
    />
  )
}
export function PlansSelect(props: PickProps<string[]>) {
  const say = useText()
  return (
    <Select
      {...props}
      {...found}
      mode="multiple"
      placeholder={say(CHOOSE)}
      options={usePlans().map(({ id, name }) => ({ value: id as string, label: name }))}
    />
  )
}
export function PlanSelect({ among, ...props }: PickProps<string> & { among?: readonly string[] | undefined }) {
  const say = useText()
  const fits = usePlans().filter(({ id }) => !among || among.includes(id))
  return (
    <Select
      {...props}
      {...found}
      showSearch
      allowClear
      placeholder={say(CHOOSE)}
      options={fits.map(({ id, name }) => ({ value: id as string, label: name }))}
    />
  )
}
export function AccessRulesSelect({ parkCodes, ...props }: PickProps<string[]> & { parkCodes: readonly string[] }) {
  const say = useText()
  const rules = useQuery(asks(accessRule.queryPage, { limit: MOST }, { quiet: true })).data?.records ?? NONE
  const fits = rules.filter(({ parkCode }) => parkCodes.includes(parkCode))
  return (
    <Select
      {...props}
      {...found}
      mode="multiple"
      allowClear
      placeholder={say(['不限', 'None'])}
      options={fits.map(({ id, name }) => ({ value: id as string, label: name }))}
    />
  )
}
/** Published fee rules by their names. */
export function RuleSelect(props: PickProps<string>) {
  const say = useText()
  const rules = useQuery(asks(ruleChoices.call, ruleChoices.input, { quiet: true })).data?.records ?? NONE
  const one = new Map(rules.map(({ ruleId, name }) => [ruleId as string, name]))
  return (
    <Select
      {...props}
      {...found}
      showSearch
      allowClear
      placeholder={say(['按车场标准', 'The car park’s own'])}
      options={[...one].map(([value, label]) => ({ value, label }))}
    />
  )
}
