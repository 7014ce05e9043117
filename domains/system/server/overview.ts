import type { Day, Of } from '../../../platform/contract/field.ts'
import { dayOf, DAY_MS, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run } from '../../../platform/server/database.ts'
import { serve } from '../../../platform/server/serve.ts'
import { type Overview, overview } from '../contract/overview.ts'
import { SignInOutcome } from '../contract/log.ts'
import { consoleUse } from './questions.ts'
import './tables.ts'

type Summary = Of<typeof Overview>
const DAYS = 14
const BUSIEST = 8

export const calls = serve(overview, {
  async applicationOverview({ tx, at }) {
    const first = dayOf(instantAt(msOf(at) - (DAYS - 1) * DAY_MS))
    const since = startOf(first)
    const [answers, signIns, operations, busiest, [files]] = await Promise.all([
      consoleUse.ask(tx, { since }),
      run<{ day: Day; signIns: number; refused: number; people: number }>(
        tx,
        {
          sql: `select (at at time zone 'Asia/Shanghai')::date as day, (count(*) filter (where outcome = ${SignInOutcome.right}))::int sign_ins, (count(*) filter (where outcome <> ${SignInOutcome.right}))::int refused,
            (count(distinct person_id) filter (where outcome = ${SignInOutcome.right}))::int people from system.login_log where enterprise_id = scope_enterprise() and at >= $1 group by 1`,
        },
        [since],
      ),
      run<{ day: Day; operations: number }>(
        tx,
        {
          sql: `select (at at time zone 'Asia/Shanghai')::date as day, count(*)::int operations from system.operation
            where enterprise_id = scope_enterprise() and at >= $1 and author_id is not null group by 1`,
        },
        [since],
      ),
      run<Summary['busiest'][number]>(
        tx,
        {
          sql: `select author_name as name, count(*)::int operations from system.operation
            where enterprise_id = scope_enterprise() and at >= $1 and author_id is not null group by author_id, 1 order by 2 desc, 1 limit ${BUSIEST}`,
        },
        [since],
      ),
      run<{ files: number; fileBytes: number }>(
        tx,
        { sql: 'select count(*)::int files, coalesce(sum(bytes), 0)::bigint file_bytes from system.file where enterprise_id = scope_enterprise()' },
        [],
      ),
    ])
    const use = answers[0]?.answer ?? { people: 0, locked: 0, roles: 0, online: 0, opened: [] }
    const days = Array.from({ length: DAYS }, (_, place) => dayOf(instantAt(msOf(since) + place * DAY_MS))).map((day) => {
      const { signIns: times = 0, refused = 0, people = 0 } = signIns.find((one) => one.day === day) ?? {}
      return { day, signIns: times, refused, people, operations: operations.find((one) => one.day === day)?.operations ?? 0 }
    })
    return { ...use, days, busiest, ...files! }
  },
})
