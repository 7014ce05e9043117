import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { Link } from 'react-router'
import { asks } from '../../../platform/web/ask.ts'
import { useText } from '../../../platform/web/text.ts'
import { region, type RegionNode } from '../../system/contract/region.ts'
import { gate } from '../contract/gate.ts'
import { park } from '../contract/park.ts'

/** Parks and gates by their names: read once and shared by all lists of the page. */
const NAMES_STALE_MS = 300_000
const names = { staleTime: NAMES_STALE_MS, gcTime: NAMES_STALE_MS }
const NONE: never[] = []
export const useParks = () => useQuery({ ...asks(park.queryList, {}, { quiet: true }), ...names }).data ?? NONE
export const useGates = (parkCode?: string) => {
  const all = useQuery({ ...asks(gate.findParkGateList, {}, { quiet: true }), ...names }).data ?? NONE
  return parkCode === undefined ? all : all.filter((one) => one.parkCode === parkCode)
}
export const useAreas = (parkCode: string | undefined) =>
  useQuery({ ...asks(gate.findParkRegionList, { parkCode: parkCode ?? '' }, { quiet: true }), ...names, enabled: parkCode !== undefined }).data ??
  NONE

const PARKS = '/assetManage/parkingAndFacility/selfParking'
/** A park leads to itself, wherever it stands. */
export function ParkName({ code, still }: { code: string; still?: boolean }) {
  const name = useParks().find((one) => one.parkCode === code)?.name ?? code
  if (still) return <>{name}</>
  return (
    <Link to={`${PARKS}/${code}`} className="named" title={code} onClick={(event) => event.stopPropagation()}>
      {name}
    </Link>
  )
}
/** A region by its name, with the code that papers name it by; the code alone where nobody knows it. */
export function RegionName({ code }: { code: string }) {
  const say = useText()
  const found = nodeOf(useQuery({ ...asks(region.tree, {}, { quiet: true }), ...names }).data ?? NONE, code)
  if (!found) return <>{code}</>
  return (
    <>
      {say([found.name, found.nameEn || found.name])} <code className="faint">{code}</code>
    </>
  )
}
function nodeOf(nodes: readonly RegionNode[], code: string): RegionNode | undefined {
  for (const node of nodes) {
    const found = node.code === code ? node : nodeOf(node.children, code)
    if (found) return found
  }
  return undefined
}
/** A lane by its name; the code says it where the name is not known. */
export function GateName({ code }: { code: string | null | undefined }) {
  const found = useGates().find((one) => one.gateCode === code)
  if (!code) return <span className="faint">--</span>
  return <span title={code}>{found?.name ?? code}</span>
}

interface PickProps<V> {
  id?: string
  value?: V
  onChange?: (value: V | undefined) => void
  disabled?: boolean
}
/** `choose`: one is wanted, in a form; without it any park will do, in a search. */
export function ParkSelect({ choose, ...props }: PickProps<string> & { choose?: boolean }) {
  const say = useText()
  const options = useParks().map(({ parkCode, name }) => ({ value: parkCode, label: name, code: parkCode }))
  return (
    <Select
      {...props}
      allowClear
      className="park-select"
      placeholder={say(choose ? ['请选择', 'Choose'] : ['全部', 'Any'])}
      options={options}
      showSearch={{ filterOption: (typed, option) => `${option?.code} ${option?.label}`.toLowerCase().includes(typed.toLowerCase()) }}
    />
  )
}
export function GateSelect({ parkCode, direction, ...props }: PickProps<string> & { parkCode?: string | undefined; direction?: 1 | 2 }) {
  const say = useText()
  const fits = useGates(parkCode).filter((one) => !direction || one.direction === direction || one.direction === 3)
  const options = fits.map(({ gateCode, name }) => ({ value: gateCode, label: name, code: gateCode }))
  return (
    <Select
      {...props}
      allowClear
      className="park-select"
      placeholder={say(['全部', 'Any'])}
      options={options}
      showSearch={{ filterOption: (typed, option) => `${option?.code} ${option?.label}`.toLowerCase().includes(typed.toLowerCase()) }}
    />
  )
}
export function AreaSelect({ parkCode, ...props }: PickProps<string> & { parkCode: string | undefined }) {
  const say = useText()
  const options = useAreas(parkCode).map(({ areaCode, name }) => ({ value: areaCode, label: name }))
  return <Select {...props} allowClear placeholder={say(['街道（场外）', 'The street'])} options={options} />
}
