import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../../platform/web/ask.ts'
import { can } from '../../../../platform/web/person.ts'
import { associate } from '../../../fee/contract/associate.ts'

const TIES_MOST = 500
const TEMPORARY = 9
/** The rule by which a park charges temporary cars: its own, else the default of all parks. */
export function useRules(): (parkCode: string) => string | undefined {
  const ties =
    useQuery({ ...asks(associate.queryPage, { limit: TIES_MOST }, { quiet: true }), enabled: can(associate.queryPage.needs), staleTime: 60_000 }).data
      ?.records ?? []
  const whole = ties.filter((one) => !one.areaCode && !one.memberGroup && (one.carKind === null || one.carKind === TEMPORARY))
  return (parkCode) => (whole.find((one) => one.parkCode === parkCode) ?? whole.find((one) => one.parkCode === null))?.ruleName
}
