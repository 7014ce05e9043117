import type { Day, Fen, Of } from '../../../platform/contract/field.ts'
import { startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { ScrapYear } from '../contract/scrap.ts'
import { ScrapState } from '../contract/scrap.ts'

/** Returns the devices scrapped in a year of the city by month; months without any are included. */
export async function scrapYear(tx: Tx, year: number): Promise<Of<typeof ScrapYear>> {
  const span = [startOf(`${year}-01-01` as Day), startOf(`${year + 1}-01-01` as Day)]
  const [months, types] = await Promise.all([
    run<Month>(tx, { sql: MONTHS }, span),
    run<Of<typeof ScrapYear>['types'][number]>(tx, { sql: TYPES }, span),
  ])
  const of = (name: 'count' | 'originalFen' | 'residualFen') => months.reduce<number>((sum, month) => sum + month[name], 0)
  return {
    year,
    total: of('count'),
    originalFen: of('originalFen') as Fen,
    residualFen: of('residualFen') as Fen,
    months: months.map(({ month, count, originalFen }) => ({ month, count, originalFen })),
    types,
  }
}
type Month = Record<'month' | 'count', number> & Record<'originalFen' | 'residualFen', Fen>
const IN_YEAR = `s.enterprise_id = scope_enterprise() and s.state = ${ScrapState.approved} and s.done_at >= $1 and s.done_at < $2`
const MONTHS = `select m as month, count(s.id)::int as count, coalesce(sum(s.original_fen), 0)::bigint as original_fen, coalesce(sum(s.residual_fen), 0)::bigint as residual_fen
  from generate_series(1, 12) m left join inspection.scrap s on ${IN_YEAR} and extract(month from s.done_at at time zone 'Asia/Shanghai') = m group by m order by m`
const TYPES = `select s.device_type, count(*)::int as count from inspection.scrap s where ${IN_YEAR} group by s.device_type order by count desc, s.device_type`
