import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { asks } from '../../../../platform/web/ask.ts'
import { NONE as NOTHING } from '../../../../platform/web/format.ts'
import { can } from '../../../../platform/web/person.ts'
import { Label } from '../../../../platform/web/form/remove.tsx'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { NameWaits } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { ParkType } from '../../../parking/contract/park.ts'
import { useNamesWait, useParks } from '../../../parking/web/api/names.tsx'
import { section } from '../../contract/section.ts'
import '../roadside.css'

/** Districts and sections by their names: read once and shared by all pages. */
const STALE_MS = 300_000
const NONE: never[] = []
export const useDistricts = () => useParks().filter(({ pType }) => pType === ParkType.roadside)
export const useSections = (parkCode?: string) => {
  const all = useQuery({ ...asks(section.choices, {}, { quiet: true }), staleTime: STALE_MS, gcTime: STALE_MS }).data ?? NONE
  return parkCode === undefined ? all : all.filter((one) => one.parkCode === parkCode)
}

const DISTRICTS = '/assetManage/roadParking/district'
const BERTHS = '/assetManage/roadParking/berth'
const SECTIONS = '/assetManage/roadParking/section'
/** A district leads to itself, a section to its list, for a reader who may view it; the code says it where the name is not known. */
export function DistrictName({ code }: { code: string }) {
  const name = useParks().find((one) => one.parkCode === code)?.name ?? code
  if (useNamesWait()) return <NameWaits />
  return <Named to={`${DISTRICTS}/${encodeURIComponent(code)}`} name={name} code={code} />
}
/** A section that is switched off stands in no picker, and keeps its name. */
function useStopped(code: string | null): string | undefined {
  const asked = { sectionCode: code ?? '', limit: 1, queryMode: 'rows' } as const
  const { data } = useQuery({
    ...asks(section.find, asked, { quiet: true }),
    enabled: code !== null && can(section.find.needs),
    staleTime: STALE_MS,
    gcTime: STALE_MS,
  })
  return data?.records[0]?.name
}
export function SectionName({ code }: { code: string | null }) {
  const known = useSections().find((one) => one.sectionCode === code)
  const stopped = useStopped(known ? null : code)
  const name = known?.name ?? stopped ?? code
  const waits = useQuery({ ...asks(section.choices, {}, { quiet: true }), staleTime: STALE_MS, gcTime: STALE_MS }).isLoading
  if (!code) return <span className="faint">{NOTHING}</span>
  if (waits) return <NameWaits />
  if (!can(section.find.needs)) return <span title={code}>{name}</span>
  return <Named to={`${SECTIONS}/${encodeURIComponent(code)}`} name={name!} code={code} />
}
const Named = ({ to, name, code }: { to: string; name: string; code: string }) => (
  <Link to={to} className="named" title={code} onClick={(event) => event.stopPropagation()}>
    {name}
  </Link>
)
/** A berth looks the same wherever it stands, and leads to itself. */
export const BerthChip = ({ parkCode, seatCode }: { parkCode: string; seatCode: string }) => (
  <Link
    to={`${BERTHS}?parkCode=${encodeURIComponent(parkCode)}&seatCode=${encodeURIComponent(seatCode)}`}
    className="berth-chip"
    onClick={(event) => event.stopPropagation()}
  >
    {seatCode}
  </Link>
)

interface PickProps {
  id?: string
  value?: string | undefined
  onChange?: (value: string | undefined) => void
  disabled?: boolean
  empty?: Text
}
interface Place {
  value: string
  label: string
}
const byNameOrCode = {
  filterOption: (typed: string, option?: Place) => `${option?.value} ${option?.label}`.toLowerCase().includes(typed.toLowerCase()),
}
export function DistrictSelect({ empty = Label.any, ...props }: PickProps) {
  const say = useText()
  const options = useDistricts().map(({ parkCode, name }) => ({ value: parkCode, label: name }))
  return (
    <Select
      aria-label={say(['片区', 'District'])}
      {...props}
      allowClear
      className="park-select"
      placeholder={say(empty)}
      options={options}
      showSearch={byNameOrCode}
    />
  )
}
/** `parkCode` left out: those of all districts. */
export function SectionSelect({ parkCode, empty = Label.any, ...props }: PickProps & { parkCode?: string | undefined }) {
  const say = useText()
  const options = useSections(parkCode).map(({ sectionCode, name }) => ({ value: sectionCode, label: name }))
  return (
    <Select
      aria-label={say(['路段', 'Section'])}
      {...props}
      allowClear
      className="park-select"
      placeholder={say(empty)}
      options={options}
      showSearch={byNameOrCode}
    />
  )
}
