import type { Instant, Of } from '../../../platform/contract/field.ts'
import { type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { lockRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { peopleWanted, type Reachable } from '../../identity/server/api.ts'
import { type Audience, Task, taskCan, AudienceKind } from '../contract/task.ts'
import { TemplateState } from '../contract/template.ts'
import { ChannelStatus } from '../contract/channel.ts'
import { insideOf } from './channel.ts'
import { enqueue, taskTopic, wake } from './enqueue.ts'
import { settleTasks } from './progress.ts'
import { draftOf, recipientOf } from './sending.ts'
import { templateOf } from './template.ts'
import { Said } from '../contract/said.ts'

export type TaskRow = Of<typeof Task>
/** Made in pieces: one statement of fifty thousand rows would hold more memory than a server should give to one task. */
const CHUNK = 500
const rows = rowsOver(Task, 'message.task', ['state', 'planAt', 'templateId', 'channelId', 'audience', 'vars', 'urgent'])

/** Returns a task's receivers, as they stand now. */
export function peopleIn(tx: Tx, { kind, custIds, roleIds, departmentIds, capability, keyword }: Audience): Promise<Reachable[]> {
  if (kind === AudienceKind.people) return peopleWanted(tx, { ids: custIds ?? [] })
  if (kind === AudienceKind.roles) return peopleWanted(tx, { roleIds: roleIds ?? [] })
  if (kind === AudienceKind.departments) return peopleWanted(tx, { departmentIds: departmentIds ?? [] })
  const within = departmentIds?.length ? { departmentIds } : {}
  return peopleWanted(tx, { ...within, ...(capability && { capability }), ...(keyword && { keyword }) })
}

/**
 * Starts a planned task: its recipients are who they are now, one record each, and no change afterwards adds or removes one. Begun twice, it is begun once: the row is
 * held, and a record is made once for each (task, recipient, template).
 */
export async function startTask(tx: Tx, id: string, at: Instant): Promise<void> {
  const task = await lockRow(tx, rows, { id }).catch(() => undefined) // taken away meanwhile
  if (!task || taskCan.start(task.state) === undefined || (task.planAt && task.planAt > at)) return
  const [template, channel, people] = await Promise.all([
    templateOf(tx, task.templateId).catch(() => undefined),
    insideOf(tx, task.channelId),
    peopleIn(tx, task.audience),
  ])
  const failure =
    people.length === 0
      ? Said.nobody
      : !template || template.state !== TemplateState.inUse || channel.status !== ChannelStatus.inUse
        ? Said.disabled
        : null
  const state = failure ? taskCan.fail(task.state)! : taskCan.start(task.state)!
  await setRow(tx, rows, task, { state, total: people.length, startedAt: at, failure, ...(failure && { finishedAt: at }) }, at)
  await tell(tx, taskTopic, { ids: [task.id] })
  if (failure) return
  const drafts = people.map((person) => ({
    ...draftOf(template!, { id: channel.id, type: channel.type }, recipientOf(channel.type, person), task.vars),
    urgent: task.urgent,
    taskId: task.id,
    dedupe: `task:${task.id}:${person.id}:${task.templateId}`,
  }))
  let waiting = 0
  for (let from = 0; from < drafts.length; from += CHUNK) waiting += (await enqueue(tx, drafts.slice(from, from + CHUNK), at)).waiting
  if (waiting > 0) await wake(tx)
  else await settleTasks(tx, [task.id], at)
}
