import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { taskTopic } from './enqueue.ts'

/**
 * Ends running tasks whose every recipient is final. The task is held first, so that of two that finish the last recipients at once the second sees what the first did.
 */
export async function settleTasks(tx: Tx, ids: readonly string[], at: Instant): Promise<void> {
  if (ids.length === 0) return
  await run(tx, { sql: 'select id from message.task where enterprise_id = scope_enterprise() and id = any($1) order by id for update' }, [ids])
  await run(tx, { sql: SETTLE }, [ids, at])
  await tell(tx, taskTopic, { ids: [...ids] })
}
// 2 and 6 (it was not wanted) and 4 (taken back) are no failures; 3 and 5 did not reach anybody.
const SETTLE = `update message.task t set state = case when c.lost = 0 then 3 when c.lost < c.all_of then 4 else 6 end, finished_at = $2::timestamptz, updated_at = $2::timestamptz, version = version + 1
  from (select r.task_id, count(*) as all_of, count(*) filter (where r.send_state in (3, 5)) as lost from message.record r
    where r.enterprise_id = scope_enterprise() and r.task_id = any($1) group by r.task_id having count(*) filter (where r.send_state in (0, 1)) = 0) c
  where t.enterprise_id = scope_enterprise() and t.id = c.task_id and t.state = 2`

export interface Counts {
  taskId: string
  waiting: number
  sending: number
  succeeded: number
  failed: number
  withdrawn: number
  limited: number
  unsubscribed: number
}
export const NO_COUNTS = { waiting: 0, sending: 0, succeeded: 0, failed: 0, withdrawn: 0, limited: 0, unsubscribed: 0 }
export const countsOf = (tx: Tx, ids: readonly string[]): Promise<Counts[]> =>
  run<Counts>(
    tx,
    {
      sql: `select task_id, count(*) filter (where send_state = 0)::int as waiting, count(*) filter (where send_state = 1)::int as sending, count(*) filter (where send_state = 2)::int as succeeded,
        count(*) filter (where send_state = 3)::int as failed, count(*) filter (where send_state = 4)::int as withdrawn, count(*) filter (where send_state = 5)::int as limited,
        count(*) filter (where send_state = 6)::int as unsubscribed
        from message.record where enterprise_id = scope_enterprise() and task_id = any($1) group by task_id`,
    },
    [ids],
  )
