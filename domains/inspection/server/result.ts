import { run } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { Conclusion, Result, result, resultSearch, ResultType } from '../contract/result.ts'
import { rangeOf } from './days.ts'
import './tables.ts'

const results = listOver(Result, 'inspection.result', resultSearch)

export const calls = serve(result, {
  query: ({ tx, input }) => page(tx, results, input),
  ranking({ tx, input, at }) {
    const { from, to, parkCode } = rangeOf(input, at)
    return run(tx, { sql: RANKING }, [from, to, parkCode])
  },
  export: exporting(result.export, results),
})
/** A device that was inspected twice counts once, and is wrong if it was wrong once. The rate is in permille. */
const RANKING = `with each as (select park_code, device_no, (count(*) filter (where conclusion = ${Conclusion.wrong}))::integer as wrong from inspection.result
    where enterprise_id = scope_enterprise() and result_type = ${ResultType.round} and conclusion in (${Conclusion.right}, ${Conclusion.wrong}) and at >= $1 and at < $2 and ($3::text is null or park_code = $3) group by park_code, device_no)
  select e.park_code, p.name as park_name, count(*)::integer as inspected, (count(*) filter (where e.wrong > 0))::integer as abnormal, platform.permille(count(*) filter (where e.wrong > 0), count(*)) as abnormal_rate
  from each e join parking.park p on p.enterprise_id = scope_enterprise() and p.park_code = e.park_code group by e.park_code, p.name order by abnormal_rate desc, abnormal desc, e.park_code limit 10`
