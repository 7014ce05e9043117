import type { Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { setRow } from '../../../platform/server/row.ts'
import { OnJob, TollType } from '../../staff/contract/collector.ts'
import { KeptTask, Task, taskCan, taskSearch, TaskState } from '../contract/task.ts'
import './tables.ts'

export type KeptOf = Of<typeof KeptTask>
export const kept = listOver(KeptTask, 'inspection.task', taskSearch)
/** As they stand this moment: with the inspector and how far they are. */
export const taskLines = listOver(Task, 'inspection.taskLine', taskSearch)

const NoInspector = refusal(
  'inspection.no-inspector',
  42004,
  '工号 {tollNo} 不是在职的巡检员或充电运维，请重新选择',
  '{tollNo} is not an employed inspector or charging technician: choose another',
  422,
)

export interface Inspector {
  id: string
  tollNo: string
  name: string
  personId: string | null
}
/** Returns the inspector: an inspector or charging technician who works here. @throws NoInspector */
export async function inspectorOf(tx: Tx, tollNo: string): Promise<Inspector> {
  const [found] = await run<Inspector>(tx, { sql: INSPECTOR }, [tollNo])
  if (!found) throw NoInspector({ tollNo })
  return found
}
const INSPECTOR = `select id, toll_no, name, person_id from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1 and on_job = ${OnJob.employed}
  and toll_type in (${TollType.inspector}, ${TollType.charging})`

export function refuseBackwards(from: Instant, to: Instant): void {
  if (msOf(from) >= msOf(to)) throw BadInput({ zh: '计划完成须晚于计划开始', en: 'the planned end must be after the planned start' })
}
/** How many devices a task is about, with those that were looked at and went elsewhere. */
export async function dueOf(tx: Tx, taskId: string): Promise<number> {
  const [found] = await run<{ due: number }>(tx, { sql: DUE }, [taskId])
  return found!.due
}
const DUE = 'select count(*)::integer as due from inspection.about where enterprise_id = scope_enterprise() and task_id = $1'

/** The one way by which a task changes its state. A finished task keeps the number of its devices. @throws IllegalMove */
export async function moveTask(tx: Tx, found: KeptOf, move: keyof typeof taskCan, changes: Partial<KeptOf>, at: Instant): Promise<KeptOf> {
  const state = taskCan[move](found.state)
  if (state === undefined) throw IllegalMove({ state: found.state, taskNo: found.taskNo })
  const over = state === TaskState.done || state === TaskState.cancelled
  return setRow(tx, kept, found, { ...changes, state, dueCount: over ? await dueOf(tx, found.id) : null }, at)
}
