import { Link } from 'react-router'
import { count } from '../../../platform/web/format.ts'

const LISTS = {
  section: '/assetManage/roadParking/section',
  berth: '/assetManage/roadParking/berth',
  present: '/operation/record/roadParking/present',
} as const
/** A figure that opens the list it counts. */
export const Lead = ({ to, of, n }: { to: keyof typeof LISTS; of: { parkCode: string; sectionCode?: string }; n: number }) => {
  const query = new URLSearchParams({ parkCode: of.parkCode, ...(of.sectionCode && { sectionCode: of.sectionCode }) })
  return (
    <Link to={`${LISTS[to]}?${query}`} onClick={(event) => event.stopPropagation()}>
      {count(n)}
    </Link>
  )
}
