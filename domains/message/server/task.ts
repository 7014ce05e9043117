import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { type Audience, type Progress, task, Task, taskCan, type TaskDetail, taskSearch, AudienceKind, TaskState } from '../contract/task.ts'
import { SendState, WaitsFor } from '../contract/record.ts'
import { TemplateState } from '../contract/template.ts'
import { ChannelStatus, ChannelType } from '../contract/channel.ts'
import { groupsOf, namesOf } from '../../identity/server/api.ts'
import { insideOf } from './channel.ts'
import { addressOf, innerTopic, taskTopic, wake, wakeTask } from './enqueue.ts'
import { refuseMissing } from './liquid.ts'
import { countsOf, NO_COUNTS } from './progress.ts'
import { resendFailed } from './resend.ts'
import { NoAudience } from './sending.ts'
import { peopleIn, startTask, type TaskRow } from './start.ts'
import { templateOf } from './template.ts'

const OtherType = refusal(
  'message.other-type',
  40316,
  '模板与渠道的类型不一致，请选择同类渠道',
  'The template and channel types do not match: choose a channel of the same type',
  422,
)
const NotInUse = refusal('message.not-in-use', 40317, '模板和渠道都须启用', 'The template and the channel must both be in use', 422)
const NothingFailed = refusal('message.nothing-failed', 40318, '没有失败的收件人，无需重发', 'There are no failed recipients: nothing to resend')

export const tasks = listOver(Task, 'message.task', taskSearch)

export const calls = serve(task, {
  async queryPage({ tx, input }) {
    const found = await page(tx, tasks, input)
    return { ...found, records: await withProgress(tx, found.records) }
  },
  async insert({ tx, input: { state = TaskState.draft, ...input }, actor, at }) {
    await refuseUnfit(tx, { vars: {}, ...input }, state === TaskState.planned)
    const { id } = await addRow(tx, tasks, {
      ...input,
      audience: json(input.audience),
      vars: json(input.vars ?? {}),
      authorId: actor.userId,
      authorName: actor.userName,
      createdAt: at,
    })
    if (state === TaskState.planned) await submit(tx, await lockRow(tx, tasks, { id }), at)
    else if (state !== TaskState.draft) throw IllegalMove({ state })
    return taskOf(tx, id)
  },
  async update({ tx, input: { id, version, state, ...changes }, at }) {
    const found = await lockRow(tx, tasks, { id, version })
    if (Object.keys(changes).length > 0) {
      if (taskCan.edit(found.state) === undefined) throw IllegalMove({ state: found.state })
      await refuseUnfit(tx, { ...found, ...changes }, state === TaskState.planned)
      const { audience, vars, ...plain } = changes
      await setRow(tx, tasks, found, { ...plain, ...(audience && { audience: json(audience) }), ...(vars && { vars: json(vars) }) }, at)
    }
    if (state === TaskState.planned) await submit(tx, await lockRow(tx, tasks, { id }), at)
    else if (state === TaskState.cancelled) await cancel(tx, await lockRow(tx, tasks, { id }), at)
    else if (state !== undefined) throw IllegalMove({ state })
    return taskOf(tx, id)
  },
  async resend({ tx, input, at }) {
    const found = await lockRow(tx, tasks, { id: input.id })
    if (taskCan.resend(found.state) === undefined) throw IllegalMove({ state: found.state })
    const resent = await resendFailed(tx, { taskId: found.id }, at)
    if (resent === 0) throw NothingFailed()
    await setRow(tx, tasks, found, { state: TaskState.running, finishedAt: null }, at)
    await Promise.all([wake(tx), tell(tx, taskTopic, { ids: [found.id] })])
    return { resent }
  },
  detail: ({ tx, input }) => detailOf(tx, input.id),
  async audience({ tx, input }) {
    const [people, channel] = await Promise.all([peopleIn(tx, input.audience), input.channelId ? insideOf(tx, input.channelId) : undefined])
    const type = channel?.type ?? ChannelType.inner
    const some = people.map((person) => ({
      custId: person.id as Id<'PersonId'>,
      name: person.name,
      reachable: type === ChannelType.inner || addressOf(type, person) !== null,
    }))
    return { total: people.length, reachable: some.filter(({ reachable }) => reachable).length, some: some.slice(0, SHOWN) }
  },
  groups: ({ tx }) => groupsOf(tx),
})
const SHOWN = 50

/** Its texts can be filled, its channel is of its template's kind, it is for somebody; to be submitted, both are in use. */
async function refuseUnfit(tx: Tx, of: Pick<TaskRow, 'templateId' | 'channelId' | 'audience' | 'vars'>, submitted: boolean): Promise<void> {
  const [template, channel] = await Promise.all([templateOf(tx, of.templateId), insideOf(tx, of.channelId)])
  if (template.channelType !== channel.type) throw OtherType()
  if (!isSomebody(of.audience)) throw NoAudience()
  if (!submitted) return
  if (template.state !== TemplateState.inUse || channel.status !== ChannelStatus.inUse) throw NotInUse()
  refuseMissing(template, of.vars)
}
const isSomebody = ({ kind, custIds, roleIds, departmentIds }: Audience) =>
  kind === AudienceKind.query ||
  ({ [AudienceKind.people]: custIds, [AudienceKind.roles]: roleIds, [AudienceKind.departments]: departmentIds }[kind]?.length ?? 0) > 0

async function submit(tx: Tx, found: TaskRow, at: Instant): Promise<void> {
  const state = taskCan.submit(found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  await refuseUnfit(tx, found, true)
  const planAt = found.planAt && found.planAt > at ? found.planAt : at
  await setRow(tx, tasks, found, { state, planAt }, at)
  await tell(tx, taskTopic, { ids: [found.id] })
  if (planAt === at) await startTask(tx, found.id, at)
  else await wakeTask(tx, found.id, planAt)
}

/** Cancels messages that have not left; one that is with a provider at this moment is sent. */
async function cancel(tx: Tx, found: TaskRow, at: Instant): Promise<void> {
  const state = taskCan.cancel(found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  await setRow(tx, tasks, found, { state, finishedAt: at }, at)
  await run(
    tx,
    {
      sql: `update message.record set send_state = ${SendState.withdrawn}, next_at = null, waits = null, finished_at = $2, updated_at = $2, version = version + 1
        where enterprise_id = scope_enterprise() and task_id = $1 and send_state = ${SendState.waiting}`,
    },
    [found.id, at],
  )
  await Promise.all([tell(tx, taskTopic, { ids: [found.id] }), tell(tx, innerTopic, { ids: [found.id] })])
}

async function taskOf(tx: Tx, id: string): Promise<TaskRow> {
  const found = await find(tx, tasks, id)
  if (!found) throw NotFound()
  return found
}

type Shown = TaskRow & { templateName: string; channelName: string } & Of<typeof Progress>
async function withProgress(tx: Tx, rows: readonly TaskRow[]): Promise<Shown[]> {
  const [counts, names] = await Promise.all([
    countsOf(
      tx,
      rows.map(({ id }) => id),
    ),
    run<{ id: string; name: string }>(
      tx,
      {
        sql: `select id, name from message.template where enterprise_id = scope_enterprise() and id = any($1)
          union all select id, name from message.channel where enterprise_id = scope_enterprise() and id = any($2)`,
      },
      [rows.map(({ templateId }) => templateId), rows.map(({ channelId }) => channelId)],
    ),
  ])
  const nameOf = (id: string) => names.find((one) => one.id === id)?.name ?? ''
  return rows.map((row) => {
    const { taskId: _, ...count } = counts.find(({ taskId }) => taskId === row.id) ?? { taskId: '', ...NO_COUNTS }
    return { ...row, templateName: nameOf(row.templateId), channelName: nameOf(row.channelId), ...count }
  })
}

async function detailOf(tx: Tx, id: string): Promise<Of<typeof TaskDetail>> {
  const [row] = await withProgress(tx, [await taskOf(tx, id)])
  const [next, text] = await Promise.all([
    run<{ nextAt: Instant | null; morning: number }>(
      tx,
      {
        sql: `select min(next_at) filter (where send_state = ${SendState.waiting}) as next_at, count(*) filter (where waits = ${WaitsFor.quietHours})::int as morning
          from message.record where enterprise_id = scope_enterprise() and task_id = $1`,
      },
      [id],
    ),
    audienceText(tx, row!.audience),
  ])
  return { ...row!, audienceText: text, nextAt: next[0]!.nextAt, waitsForMorning: next[0]!.morning }
}

const NAMES_SHOWN = 10
/** In words: who was meant. */
async function audienceText(tx: Tx, { kind, custIds, roleIds, departmentIds, keyword, capability }: Audience): Promise<string> {
  const ids = { 1: custIds, 2: roleIds, 3: departmentIds, 4: departmentIds }[kind] ?? []
  const names =
    kind === AudienceKind.people
      ? await namesOf(tx, ids)
      : Object.values(await groupsOf(tx))
          .flat()
          .filter(({ id }) => ids.includes(id))
          .map(({ name }) => name)
  const said = names.slice(0, NAMES_SHOWN).join('、') + (names.length > NAMES_SHOWN ? ` … ${names.length}` : '')
  return [said, keyword && `“${keyword}”`, capability].filter(Boolean).join(' · ').slice(0, 500)
}
