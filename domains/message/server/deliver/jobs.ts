import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '../../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf } from '../../../../platform/contract/time.ts'
import { SendState } from '../../contract/record.ts'
import { TaskState } from '../../contract/task.ts'
import { enterpriseOf, run } from '../../../../platform/server/database.ts'
import { type Task, task } from '../../../../platform/server/job/jobs.ts'
import { DELIVER, START, wake } from '../enqueue.ts'
import { startTask } from '../start.ts'
import { deliver, nextDue } from './deliver.ts'

/** One run is over in this time and asks for another: a job that never ends holds its connection for ever. */
const RUN_MS = 15_000
/** A wait for the channel's next slot up to this is done here; for a longer one the job comes back. */
const SHORT_MS = 1_200
const SLOT_MS = 250
const now = () => new Date().toISOString() as Instant

const bringOut = task(DELIVER, async ({ tx, house }) => {
  const enterprise = enterpriseOf(tx)
  const until = performance.now() + RUN_MS
  for (;;) {
    const done = await deliver(house, enterprise, now())
    const due = await house.reading(enterprise, (own) => nextDue(own, now()))
    if (!due) return
    if (performance.now() > until) return wake(tx)
    if (done > 0) continue
    if (msOf(due) - Date.now() > SHORT_MS) return wake(tx, due)
    await pause(SLOT_MS)
  }
})

const start = task<{ taskId: string }>(START, ({ tx, data, at }) => startTask(tx, data.taskId, at))

/** The sweep resumes what a crash left unfinished, and repeats a wake-up that was lost. Old counters are deleted. */
const COUNTERS_KEPT_DAYS = 7
const sweep = task(
  'message.sweep',
  async ({ tx, at }) => {
    const planned = await run<{ id: string }>(
      tx,
      { sql: `select id from message.task where enterprise_id = scope_enterprise() and state = ${TaskState.planned} and plan_at <= $1 limit 100` },
      [at],
    )
    for (const { id } of planned) await startTask(tx, id, at)
    const [due] = await run<{ yes: boolean }>(
      tx,
      {
        sql: `select exists (select from message.record where enterprise_id = scope_enterprise() and send_state in (${SendState.waiting}, ${SendState.sending}) and next_at <= $1) as yes`,
      },
      [at],
    )
    if (due!.yes) await wake(tx)
    await run(tx, { sql: 'delete from message.counter where enterprise_id = scope_enterprise() and day < $1' }, [
      dayOf(instantAt(msOf(at) - COUNTERS_KEPT_DAYS * DAY_MS)),
    ])
  },
  { every: '* * * * *' },
)

export const tasks: Task[] = [bringOut, start, sweep]
