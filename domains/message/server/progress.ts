import type { Instant } from '../../../platform/contract/field.ts'
import { SendState } from '../contract/record.ts'
import { TaskState } from '../contract/task.ts'
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
// A message that is unsubscribed or cancelled is no failure; one that failed or was over a cap did not reach anybody.
const SETTLE = `update message.task t set state = case when c.lost = 0 then ${TaskState.completed} when c.lost < c.all_of then ${TaskState.partlyFailed} else ${TaskState.failed} end, finished_at = $2::timestamptz, updated_at = $2::timestamptz, version = version + 1
  from (select r.task_id, count(*) as all_of, count(*) filter (where r.send_state in (${SendState.failed}, ${SendState.overCap})) as lost from message.record r
    where r.enterprise_id = scope_enterprise() and r.task_id = any($1) group by r.task_id having count(*) filter (where r.send_state in (${SendState.waiting}, ${SendState.sending})) = 0) c
  where t.enterprise_id = scope_enterprise() and t.id = c.task_id and t.state = ${TaskState.running}`

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
      sql: `select task_id, count(*) filter (where send_state = ${SendState.waiting})::int as waiting, count(*) filter (where send_state = ${SendState.sending})::int as sending, count(*) filter (where send_state = ${SendState.sent})::int as succeeded,
        count(*) filter (where send_state = ${SendState.failed})::int as failed, count(*) filter (where send_state = ${SendState.withdrawn})::int as withdrawn, count(*) filter (where send_state = ${SendState.overCap})::int as limited,
        count(*) filter (where send_state = ${SendState.unsubscribed})::int as unsubscribed
        from message.record where enterprise_id = scope_enterprise() and task_id = any($1) group by task_id`,
    },
    [ids],
  )
