import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { asks } from '../../../platform/web/ask.ts'
import { NONE as NOTHING } from '../../../platform/web/format.ts'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { NameWaits } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { map } from '../contract/map.ts'
import { operator } from '../contract/operator.ts'
import { DANGERS } from '../contract/figures.ts'

const STALE_MS = 60_000
const NONE: never[] = []
/** The stations that the reader sees, by name; read once and shared by the pages. */
const useStationList = () => useQuery({ ...asks(map.queryList, {}, { quiet: true }), staleTime: STALE_MS })
export const useStations = () => useStationList().data ?? NONE

interface Picked {
  id?: string
  value?: string | undefined
  onChange?: (value: string | undefined) => void
}
const optionsOf = (all: ReturnType<typeof useStations>) =>
  all.map(({ stationId, stationName }) => ({ value: stationId, label: stationName, title: stationId }))
export function StationSelect({ choose, ...props }: Picked & { choose?: true }) {
  const say = useText()
  return (
    <Select
      allowClear
      aria-label={say(['充电站', 'Station'])}
      showSearch={{ optionFilterProp: 'label' }}
      style={{ minWidth: 160 }}
      placeholder={say(choose ? ['请选择充电站', 'Choose a station'] : ['全部充电站', 'All stations'])}
      options={optionsOf(useStations())}
      {...(props as object)}
    />
  )
}
/** `none`: what it means that none is chosen. */
interface Several {
  id?: string
  value?: string[]
  onChange?: (value: string[]) => void
  none?: Text
}
export function StationsSelect({ none = ['不选为全部', 'Leave empty for all'], ...props }: Several) {
  const say = useText()
  return (
    <Select
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(none)}
      options={optionsOf(useStations())}
      {...(props as object)}
    />
  )
}
export function StationName({ id }: { id: string | null | undefined }) {
  const { data, isLoading } = useStationList()
  if (!id) return <span className="faint">{NOTHING}</span>
  if (isLoading) return <NameWaits />
  return <span title={id}>{data?.find(({ stationId }) => stationId === id)?.stationName ?? id}</span>
}
/** What stopped a station leads to where it is put right. */
export function GraveDanger({ dangerNo }: { dangerNo: string }) {
  const say = useText()
  return (
    <Link
      to={listAt(DANGERS, { dangerNo })}
      className="state error"
      title={say(['整改闭环前，本站不能启动新的充电', 'No new sessions start here until it is closed'])}
    >
      {say([`重大隐患停用 ${dangerNo}`, `Stopped by hazard ${dangerNo}`])}
    </Link>
  )
}
export function StationNames({ ids, none = ['全部', 'All'] }: { ids: readonly string[]; none?: Text }) {
  const say = useText()
  const { data = NONE, isLoading } = useStationList()
  if (ids.length === 0) return say(none)
  if (isLoading) return <NameWaits />
  const all = new Map(data.map(({ stationId, stationName }) => [stationId, stationName]))
  return ids.map((id) => all.get(id) ?? id).join(say(['、', ', ']))
}
/** How many operators a picker shows: a district has a few. */
const OPERATORS = 200
export function OperatorSelect({ empty, ...props }: Picked & { empty?: Text }) {
  const say = useText()
  const { data } = useQuery(asks(operator.list, { limit: OPERATORS }, { quiet: true }))
  return (
    <Select
      allowClear
      placeholder={empty && say(empty)}
      options={(data?.records ?? []).map(({ operatorId, operatorName }) => ({ value: operatorId, label: operatorName }))}
      {...(props as object)}
    />
  )
}
