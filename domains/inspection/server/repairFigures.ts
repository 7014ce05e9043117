import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { BadInput } from '../../../platform/server/refusal.ts'
import { type MaintainStatistics, RepairState } from '../contract/repair.ts'

interface Period {
  dateFrom?: Day | undefined
  dateTo?: Day | undefined
  parkCode?: string | undefined
}
/** Five years: more is asked of nobody. */
const DAYS_MAX = 1_830
/** How many devices were given to be repaired in whole days of the city (this month up to today where nothing is said), how many were, how long it took and what it cost. */
export async function maintained(tx: Tx, { dateFrom, dateTo, parkCode = undefined }: Period, at: Instant): Promise<Of<typeof MaintainStatistics>> {
  const last = dateTo ?? dayOf(at)
  const first = dateFrom ?? (`${last.slice(0, 7)}-01` as Day)
  const [from, to] = [startOf(first), instantAt(msOf(startOf(last)) + DAY_MS)]
  const days = (msOf(to) - msOf(from)) / DAY_MS
  if (days < 1 || days > DAYS_MAX) throw BadInput({ zh: `日期范围应为 1 至 ${DAYS_MAX} 天`, en: `choose 1 to ${DAYS_MAX} days` })
  const [found] = await run<Of<typeof MaintainStatistics>>(tx, { sql: FIGURES }, [from, to, parkCode ?? null])
  return found!
}
const OPEN = `(${RepairState.unassigned}, ${RepairState.assigned}, ${RepairState.working}, ${RepairState.handedIn}, ${RepairState.returned})`
const DONE = `state = ${RepairState.done} and done_at >= $1 and done_at < $2`
const FIGURES = `select count(*) filter (where created_at >= $1 and created_at < $2)::int as opened, count(*) filter (where ${DONE})::int as done, count(*) filter (where state in ${OPEN})::int as open,
  coalesce(sum(repair_min) filter (where ${DONE}), 0)::int as minutes, coalesce(sum(cost_fen) filter (where ${DONE}), 0)::bigint as cost_fen
  from inspection.repair where enterprise_id = scope_enterprise() and ($3::text is null or park_code = $3) and (state in ${OPEN} or done_at >= $1 or (created_at >= $1 and created_at < $2))`
