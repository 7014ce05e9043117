import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { type Audience, type Progress, task, Task, taskCan, type TaskDetail, taskSearch } from '../contract/task.ts'
import { groupsOf, namesOf } from '../../identity/server/api.ts'
import { insideOf } from './channel.ts'
import { addressOf, innerTopic, taskTopic, wake, wakeTask } from './enqueue.ts'
import { refuseMissing } from './liquid.ts'
import { countsOf, NO_COUNTS } from './progress.ts'
import { resendFailed } from './resend.ts'
import { NoAudience } from './sending.ts'
import { peopleIn, startTask, type TaskRow } from './start.ts'
import { templateOf } from './template.ts'

const OtherType = refusal('message.other-type', 40316, '模板与渠道的类型不一致', 'Template and channel are of different kinds', 422)
const NotInUse = refusal('message.not-in-use', 40317, '模板和渠道都须启用', 'Template and channel must both be in use', 422)
const NothingFailed = refusal('message.nothing-failed', 40318, '没有失败的收件人', 'No recipient has failed')

const tasks = listOver(Task, 'message.task', taskSearch)
const COLUMNS = Object.keys(Task.properties) as (keyof TaskRow)[]

export const calls = serve(task, {
  async queryPage({ tx, input }) {
    const found = await page(tx, tasks, input)
    return { ...found, records: await withProgress(tx, found.records) }
  },
  async insert({ tx, input: { state = 0, ...input }, actor, at }) {
    await refuseUnfit(tx, { vars: {}, ...input }, state === 1)
    const { id } = await tx
      .insertInto('message.task')
      .values({
        ...input,
        audience: JSON.stringify(input.audience),
        vars: JSON.stringify(input.vars ?? {}),
        authorId: actor.userId,
        authorName: actor.userName,
        createdAt: at,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    if (state === 1) await submit(tx, await lockTask(tx, id), at)
    else if (state !== 0) throw IllegalMove({ state })
    return taskOf(tx, id)
  },
  async update({ tx, input: { id, version, state, ...changes }, at }) {
    const found = await lockTask(tx, id)
    if (found.version !== version) throw Stale({ ...found })
    if (Object.keys(changes).length > 0) {
      if (taskCan.edit(found.state) === undefined) throw IllegalMove({ state: found.state })
      await refuseUnfit(tx, { ...found, ...changes }, state === 1)
      await tx
        .updateTable('message.task')
        .set({
          ...changes,
          ...(changes.audience && { audience: JSON.stringify(changes.audience) }),
          ...(changes.vars && { vars: JSON.stringify(changes.vars) }),
          version: version + 1,
          updatedAt: at,
        } as never)
        .where('id', '=', id)
        .execute()
    }
    if (state === 1) await submit(tx, await lockTask(tx, id), at)
    else if (state === 5) await cancel(tx, await lockTask(tx, id), at)
    else if (state !== undefined) throw IllegalMove({ state })
    return taskOf(tx, id)
  },
  async resend({ tx, input, at }) {
    const found = await lockTask(tx, input.id)
    if (taskCan.resend(found.state) === undefined) throw IllegalMove({ state: found.state })
    const resent = await resendFailed(tx, { taskId: found.id }, at)
    if (resent === 0) throw NothingFailed()
    await tx
      .updateTable('message.task')
      .set({ state: 2, finishedAt: null, updatedAt: at, version: found.version + 1 } as never)
      .where('id', '=', found.id)
      .execute()
    await Promise.all([wake(tx), tell(tx, taskTopic, { ids: [found.id] })])
    return { resent }
  },
  detail: ({ tx, input }) => detailOf(tx, input.id),
  async audience({ tx, input }) {
    const [people, channel] = await Promise.all([peopleIn(tx, input.audience), input.channelId ? insideOf(tx, input.channelId) : undefined])
    const type = channel?.type ?? INNER
    const some = people.map((person) => ({
      custId: person.id as never,
      name: person.name,
      reachable: type === INNER || addressOf(type, person) !== null,
    }))
    return { total: people.length, reachable: some.filter(({ reachable }) => reachable).length, some: some.slice(0, SHOWN) }
  },
  groups: ({ tx }) => groupsOf(tx),
})
const SHOWN = 50
const INNER = 1

/** Its texts can be filled, its channel is of its template's kind, it is for somebody; to be submitted, both are in use. */
async function refuseUnfit(tx: Tx, of: Pick<TaskRow, 'templateId' | 'channelId' | 'audience' | 'vars'>, submitted: boolean): Promise<void> {
  const [template, channel] = await Promise.all([templateOf(tx, of.templateId), insideOf(tx, of.channelId)])
  if (template.channelType !== channel.type) throw OtherType()
  if (!isSomebody(of.audience)) throw NoAudience()
  if (!submitted) return
  if (template.state !== 1 || channel.status !== 1) throw NotInUse()
  refuseMissing(template, of.vars)
}
const isSomebody = ({ kind, custIds, roleIds, departmentIds }: Audience) =>
  kind === 4 || ({ 1: custIds, 2: roleIds, 3: departmentIds }[kind]?.length ?? 0) > 0

async function submit(tx: Tx, found: TaskRow, at: Instant): Promise<void> {
  const state = taskCan.submit(found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  await refuseUnfit(tx, found, true)
  const planAt = found.planAt && found.planAt > at ? found.planAt : at
  await tx
    .updateTable('message.task')
    .set({ state, planAt, updatedAt: at, version: found.version + 1 })
    .where('id', '=', found.id)
    .execute()
  await tell(tx, taskTopic, { ids: [found.id] })
  if (planAt === at) await startTask(tx, found.id, at)
  else await wakeTask(tx, found.id, planAt)
}

/** What has not left is taken back; what is with a provider at this moment goes its way. */
async function cancel(tx: Tx, found: TaskRow, at: Instant): Promise<void> {
  const state = taskCan.cancel(found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  await tx
    .updateTable('message.task')
    .set({ state, finishedAt: at, updatedAt: at, version: found.version + 1 })
    .where('id', '=', found.id)
    .execute()
  await run(
    tx,
    {
      sql: `update message.record set send_state = 4, next_at = null, waits = null, finished_at = $2, updated_at = $2, version = version + 1
        where enterprise_id = scope_enterprise() and task_id = $1 and send_state = 0`,
    },
    [found.id, at],
  )
  await Promise.all([tell(tx, taskTopic, { ids: [found.id] }), tell(tx, innerTopic, { ids: [found.id] })])
}

async function lockTask(tx: Tx, id: string): Promise<TaskRow> {
  const found = await tx
    .selectFrom('message.task')
    .select(COLUMNS)
    .where('id', '=', id as never)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw NotFound()
  return found
}
async function taskOf(tx: Tx, id: string): Promise<TaskRow> {
  const found = await tx
    .selectFrom('message.task')
    .select(COLUMNS)
    .where('id', '=', id as never)
    .executeTakeFirst()
  if (!found) throw NotFound()
  return found
}

type Shown = TaskRow & { templateName: string; channelName: string } & Of<typeof Progress>
async function withProgress(tx: Tx, rows: readonly TaskRow[]): Promise<Shown[]> {
  const [counts, names] = await Promise.all([
    countsOf(tx, rows.map(({ id }) => id)),
    run<{ id: string; name: string }>(
      tx,
      {
        sql: `select id, name from message.template where enterprise_id = scope_enterprise() and id = any($1)
          union all select id, name from message.channel where enterprise_id = scope_enterprise() and id = any($2)`,
      },
      [rows.map(({ templateId }) => templateId), rows.map(({ channelId }) => channelId)],
    ),
  ]) // prettier-ignore
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
        sql: `select min(next_at) filter (where send_state = 0) as next_at, count(*) filter (where waits = 2)::int as morning
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
  const names = kind === 1 ? await namesOf(tx, ids) : Object.values(await groupsOf(tx)).flat().filter(({ id }) => ids.includes(id)).map(({ name }) => name) // prettier-ignore
  const said = names.slice(0, NAMES_SHOWN).join('、') + (names.length > NAMES_SHOWN ? ` … ${names.length}` : '')
  return [said, keyword && `“${keyword}”`, capability].filter(Boolean).join(' · ').slice(0, 500)
}
