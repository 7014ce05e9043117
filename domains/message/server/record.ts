import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { peopleWanted } from '../../identity/server/api.ts'
import {
  Attempt,
  mineSearch,
  MessageRecord,
  platSearch,
  record,
  recordCan,
  type RecordDetail,
  recordSearch,
  SendState,
  ReadState,
} from '../contract/record.ts'
import { MessageKind, TemplateState } from '../contract/template.ts'
import { ChannelType, ChannelStatus } from '../contract/channel.ts'
import { TaskState } from '../contract/task.ts'
import { insideOf } from './channel.ts'
import { enqueue, innerTopic, recordTopic, type Recipient, taskTopic, wake } from './enqueue.ts'
import { settleTasks } from './progress.ts'
import { resendFailed } from './resend.ts'
import { channelFor, draftOf, NoAudience, NoChannel, NoTemplate, recipientOf } from './sending.ts'
import { rowOf } from './rows.ts'
import { templateOf } from './template.ts'

type Row = Of<typeof MessageRecord>
const SaySomething = refusal('message.say-something', 40309, '请选择模板，或填写标题和内容', 'Choose a template, or enter a title and text', 422)
const OnlyInner = refusal('message.only-inner', 40311, '站外消息须使用模板', 'Messages sent outside the console need a template', 422)

/** The person's own messages that have arrived inside the console. */
const INBOX = `channel_type = ${ChannelType.inner} and send_state = ${SendState.sent} and not hidden and not deleted`
const mine = listOver(MessageRecord, 'message.record', { ...mineSearch, operators: { ...mineSearch.operators, custId: 'equals' } }, { only: INBOX })
const inner = listOver(MessageRecord, 'message.record', platSearch, { only: `channel_type = ${ChannelType.inner} and not deleted` })
const all = listOver(MessageRecord, 'message.record', recordSearch, { only: 'not deleted' })

export const calls = serve(record, {
  // `custId` is not believed: the session says whose messages these are.
  queryMessageRecord: ({ tx, input, actor }) => page(tx, mine, { ...input, custId: actor.userId }),
  queryPlatMessageRecord: async ({ tx, input }) => covered(await page(tx, inner, input)),
  queryPage: async ({ tx, input }) => covered(await page(tx, all, input)),

  async insert({ tx, input, at }) {
    const {
      custIds = [],
      addresses = [],
      templateId,
      channelId,
      title,
      content,
      kind = MessageKind.notice,
      urgent = false,
      link = null,
      vars = {},
    } = input
    if (custIds.length + addresses.length === 0) throw NoAudience()
    const template = templateId && (await templateOf(tx, templateId))
    if (template && template.state !== TemplateState.inUse) throw NoTemplate({ code: template.code })
    if (!template && !(title && content)) throw SaySomething()
    const channel = channelId ? await insideOf(tx, channelId) : await channelFor(tx, template ? template.channelType : ChannelType.inner)
    if ('status' in channel && channel.status !== ChannelStatus.inUse) throw NoChannel()
    if (template ? template.channelType !== channel.type : channel.type !== ChannelType.inner) throw template ? NoChannel() : OnlyInner()
    if (channel.type === ChannelType.inner && addresses.length > 0) throw NoAudience()
    const people = await peopleWanted(tx, { ids: custIds })
    const to: Recipient[] = [
      ...people.map((one) => recipientOf(channel.type, one)),
      ...[...new Set(addresses)].map((address) => ({ custId: null, name: '', address })),
    ]
    const by = { id: channel.id, type: channel.type }
    const own = { title: title ?? '', titleEn: title ?? '', content: content ?? '', contentEn: content ?? '', kind }
    const drafts = to.map((one) => ({ ...(template ? draftOf(template, by, one, vars) : { ...own, to: one, channel: by }), urgent, link }))
    const { made, waiting } = await enqueue(tx, drafts, at)
    if (waiting > 0) await wake(tx)
    return { sent: made, refused: custIds.length + addresses.length - made }
  },

  async update({ tx, input, at }) {
    const found = await lockRow(tx, all, input)
    if (input.sendState === undefined) return shown(found)
    const unread = found.sendState === SendState.sent && found.channelType === ChannelType.inner && found.readState === ReadState.unread
    if (input.sendState !== SendState.withdrawn || (recordCan.withdraw(found.sendState) === undefined && !unread))
      throw IllegalMove({ sendState: found.sendState })
    await run(
      tx,
      {
        sql: `update message.record set send_state = ${SendState.withdrawn}, next_at = null, waits = null, finished_at = $2, updated_at = $2, version = version + 1 where enterprise_id = scope_enterprise() and id = $1`,
      },
      [found.id, at],
    )
    if (found.taskId) await settleTasks(tx, [found.taskId], at)
    await tellOf(tx, found)
    return shown(await lockRecord(tx, input.id))
  },

  delete: ({ tx, input, actor, at }) => remove(tx, input.id, actor, at),
  async deleteMany({ tx, input, at }) {
    const gone = await run(
      tx,
      {
        sql: `update message.record set deleted = true, updated_at = $2, version = version + 1 where enterprise_id = scope_enterprise() and id = any($1) and not deleted and send_state not in (${SendState.waiting}, ${SendState.sending}) returning id`,
      },
      [input.ids, at],
    )
    await tell(tx, recordTopic, { ids: input.ids })
    return { deleted: gone.length }
  },

  async tagAll({ tx, actor, at }) {
    const read = await run<{ id: string }>(tx, { sql: READ_ALL }, [actor.userId, at])
    if (read.length > 0) await tell(tx, innerTopic, { person: actor.userId, ids: read.slice(0, TOLD_MOST).map(({ id }) => id) })
    return { read: read.length }
  },
  async tag({ tx, input, actor, at }) {
    const { numUpdatedRows } = await ownOf(tx, input.id, actor, at)
    if (numUpdatedRows > 0n) return tell(tx, innerTopic, { person: actor.userId, ids: [input.id] })
    // Read already is fine; another person's is not there.
    await mineOf(tx, input.id, actor)
  },
  async resend({ tx, input, at }) {
    const found = await lockRecord(tx, input.id)
    if (recordCan.resend(found.sendState) === undefined) throw IllegalMove({ sendState: found.sendState })
    await resendFailed(tx, { id: found.id }, at)
    if (found.taskId)
      await run(
        tx,
        {
          sql: `update message.task set state = ${TaskState.running}, finished_at = null, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and id = $1 and state in (${TaskState.partlyFailed}, ${TaskState.failed})`,
        },
        [found.taskId, at],
      )
    await Promise.all([wake(tx), tellOf(tx, found), tell(tx, taskTopic, { ids: found.taskId ? [found.taskId] : [] })])
    return shown(await lockRecord(tx, input.id))
  },

  detail: ({ tx, input }) => storyOf(tx, input.id),
  mine: ({ tx, input, actor }) => mineOf(tx, input.id, actor),
})

/** A code is for its receiver's eyes alone. */
const shown = <R extends Row>(row: R): R => (row.kind === MessageKind.code ? { ...row, content: COVER, contentEn: COVER } : row)
const COVER = '••••••'
const covered = <P extends { records: Row[] }>(found: P): P => ({ ...found, records: found.records.map(shown) })

const tellOf = (tx: Tx, { id, custId, channelType }: Row) =>
  Promise.all([
    tell(tx, recordTopic, { ids: [id] }),
    ...(custId && channelType === ChannelType.inner ? [tell(tx, innerTopic, { person: custId, ids: [id] })] : []),
  ])

/** The most ids in one event: a page that hears of this many reads everything again anyway. */
const TOLD_MOST = 100
const READ_ALL = `update message.record set read_state = ${ReadState.read}, read_at = $2
  where enterprise_id = scope_enterprise() and cust_id = $1 and channel_type = ${ChannelType.inner} and send_state = ${SendState.sent} and read_state = ${ReadState.unread} returning id`
const ownOf = (tx: Tx, id: string, actor: Actor, at: Instant) =>
  tx
    .updateTable('message.record')
    .set({ readState: ReadState.read, readAt: at })
    .where('enterpriseId', '=', actor.enterprise)
    .where('id', '=', id)
    .where('custId', '=', actor.userId)
    .where('channelType', '=', ChannelType.inner)
    .where('sendState', '=', SendState.sent)
    .where('readState', '=', ReadState.unread)
    .executeTakeFirst()
async function mineOf(tx: Tx, id: string, actor: Actor): Promise<Row> {
  const found = await tx
    .selectFrom('message.record')
    .select(all.columns)
    .where('id', '=', id)
    .where('custId', '=', actor.userId)
    .where('channelType', '=', ChannelType.inner)
    .where('sendState', '=', SendState.sent)
    .where('hidden', '=', false)
    .where('deleted', '=', false)
    .executeTakeFirst()
  if (!found) throw NotFound()
  return found
}

async function remove(tx: Tx, id: string, actor: Actor, at: Instant): Promise<void> {
  const own = await tx
    .updateTable('message.record')
    .set({ hidden: true, updatedAt: at })
    .where('id', '=', id)
    .where('custId', '=', actor.userId)
    .where('channelType', '=', ChannelType.inner)
    .where('sendState', '=', SendState.sent)
    .where('hidden', '=', false)
    .executeTakeFirst()
  if (own.numUpdatedRows > 0n) return tell(tx, innerTopic, { person: actor.userId, ids: [id] })
  if (!actor.may.has(record.deleteMany.needs)) throw NotFound()
  const found = await lockRecord(tx, id)
  if (found.sendState === SendState.waiting || found.sendState === SendState.sending) throw IllegalMove({ sendState: found.sendState })
  await tx.updateTable('message.record').set({ deleted: true, updatedAt: at }).where('id', '=', found.id).execute()
  await tell(tx, recordTopic, { ids: [id] })
}

const lockRecord = (tx: Tx, id: string) => lockRow(tx, all, { id })

async function storyOf(tx: Tx, id: string): Promise<Of<typeof RecordDetail>> {
  const found = await rowOf<Row>(tx, 'message.record', all.columns, id)
  const [channel, task, attempts] = await Promise.all([
    insideOf(tx, found.channelId),
    found.taskId ? tx.selectFrom('message.task').select('name').where('id', '=', found.taskId).executeTakeFirst() : undefined,
    tx
      .selectFrom('message.attempt')
      .select(Object.keys(Attempt.properties) as (keyof Of<typeof Attempt>)[])
      .where('recordId', '=', id)
      .orderBy('at')
      .orderBy('id')
      .limit(ATTEMPTS_SHOWN)
      .execute(),
  ])
  return { ...shown(found), channelName: channel.name, taskName: task?.name ?? null, attempts: attempts }
}
const ATTEMPTS_SHOWN = 100
