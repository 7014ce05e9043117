import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { asks } from '../../../platform/web/ask.ts'
import { useText } from '../../../platform/web/text.ts'
import { operator } from '../contract/operator.ts'
import { station } from '../contract/station.ts'

interface Picked {
  value?: string | undefined
  onChange?: (value: string | undefined) => void
  id?: string
}
export const useStations = () => useQuery(asks(station.list, {}, { quiet: true })).data ?? []
export function StationSelect(props: Picked) {
  const options = useStations().map(({ stationId, stationName }) => ({ value: stationId, label: `${stationName} ${stationId}` }))
  return (
    <Select<string | undefined>
      allowClear
      aria-label={useText()(['充电站', 'Station'])}
      showSearch={{ optionFilterProp: 'label' }}
      options={options}
      {...props}
    />
  )
}
export function StationsSelect(props: { value?: string[]; onChange?: (value: string[]) => void; id?: string }) {
  const options = useStations().map(({ stationId, stationName }) => ({ value: stationId, label: stationName }))
  return <Select mode="multiple" options={options} {...props} />
}
export const StationName = ({ id }: { id: string }) => (
  <span title={id}>{useStations().find(({ stationId }) => stationId === id)?.stationName ?? id}</span>
)
/** How many operators a picker shows: a district has a few. */
const OPERATORS = 200
export function OperatorSelect(props: Picked) {
  const { data } = useQuery(asks(operator.list, { limit: OPERATORS }, { quiet: true }))
  return (
    <Select
      allowClear
      options={(data?.records ?? []).map(({ operatorId, operatorName }) => ({ value: operatorId, label: operatorName }))}
      {...props}
    />
  )
}
