import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { Link } from 'react-router'
import { asks } from '../../../platform/web/ask.ts'
import { useText } from '../../../platform/web/text.ts'
import { park } from '../../parking/contract/park.ts'

/** Parks by their names, read once and shared by all lists of the page. */
const NAMES_STALE_MS = 300_000
const NONE: never[] = []
const useParks = () => useQuery({ ...asks(park.queryList, {}, { quiet: true }), staleTime: NAMES_STALE_MS, gcTime: NAMES_STALE_MS }).data ?? NONE

const PARKS = '/assetManage/parkingAndFacility/selfParking'
/** A park by its name, leading to itself; the code where the name is not known. */
export function ParkName({ code }: { code: string }) {
  const name = useParks().find((one) => one.parkCode === code)?.name ?? code
  return (
    <Link to={`${PARKS}/${code}`} className="named" title={code} onClick={(event) => event.stopPropagation()}>
      {name}
    </Link>
  )
}

export function ParkSelect(props: { id?: string; value?: string; onChange?: (value: string | undefined) => void }) {
  const say = useText()
  const options = useParks().map(({ parkCode, name }) => ({ value: parkCode, label: name, code: parkCode }))
  const fits = (typed: string, option?: { code: string; label: string }) =>
    `${option?.code} ${option?.label}`.toLowerCase().includes(typed.toLowerCase())
  return (
    <Select {...props} allowClear className="park-select" placeholder={say(['全部', 'Any'])} options={options} showSearch={{ filterOption: fits }} />
  )
}
