import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { Channel, ChannelType, channel, type ChannelDetail, channelSearch, type ChannelTypeCode, NEEDED, ChannelStatus } from '../contract/channel.ts'
import { SendState } from '../contract/record.ts'
import { TaskState } from '../contract/task.ts'
import { sendBy } from './deliver/provider.ts'
import { rowOf } from './rows.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'
import { MessageKind } from '../contract/template.ts'

export type ChannelRow = Of<typeof Channel>
/** With what is never shown. */
export type ChannelInside = ChannelRow & { secret: string | null; freeAt: string }

const SecretAgain = refusal(
  'message.secret-again',
  40321,
  '接口地址、服务器、端口、加密或账号有改动，请重新填写密钥',
  'The address, server, port, encryption or account has changed: enter the secret again',
  422,
)
const Incomplete = refusal('message.channel-incomplete', 40301, '该渠道还需填写：{fields}', 'This channel still needs: {fields}', 422)
const Circle = refusal(
  'message.channel-circle',
  40302,
  '备用渠道形成了循环；请换一个备用渠道',
  'The backup channels form a loop: choose another backup',
  422,
)
const InUse = refusal(
  'message.channel-in-use',
  40303,
  '渠道正被任务、消息或其他渠道使用，不能删除或停用；请先改用其他渠道',
  'Tasks, messages or other channels use this channel, so it cannot be deleted or disabled: let them use another one first',
)
const OneInner = refusal('message.one-inner', 40304, '站内渠道只有一个，且不能删除', 'There is only one in-app channel, and it cannot be deleted')
const NoTest = refusal('message.no-test', 40305, '站内渠道无需测试', 'The in-app channel needs no test', 422)

const channels = listOver(Channel, 'message.channel', channelSearch, { only: 'not deleted' })
const inside = rowsOver(Channel, 'message.channel', [...channels.columns, 'secret', 'freeAt'], { only: 'not deleted' })

export const calls = serve(channel, {
  async queryPage({ tx, input, at }) {
    const found = await page(tx, channels, input)
    return { ...found, records: await withToday(tx, found.records, at) }
  },
  async insert({ tx, input }) {
    if (input.type === ChannelType.inner) throw OneInner()
    refuseIncomplete(input.type, input)
    const { id } = await addRow(tx, channels, { tls: false, ...input })
    await refuseCircle(tx)
    return channelOf(tx, id)
  },
  async update({ tx, input: { id, version, status, ...changes }, at }) {
    const found = await lockRow(tx, inside, { id, version })
    if (status === found.status) throw IllegalMove({ status })
    if (status === ChannelStatus.disabled && found.type === ChannelType.inner) throw OneInner()
    refuseIncomplete(found.type, { ...found, ...changes })
    refuseElsewhere(found, changes)
    await setRow(tx, inside, found, { ...changes, ...(status && { status }) }, at)
    await refuseCircle(tx)
    return channelOf(tx, id)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, inside, { id: input.id })
    if (found.type === ChannelType.inner) throw OneInner()
    const [used] = await run<{ yes: boolean }>(tx, { sql: IN_USE }, [input.id])
    if (used!.yes) throw InUse()
    await setRow(tx, inside, found, { deleted: true, status: ChannelStatus.disabled }, at)
  },
  list: async ({ tx, input }) => {
    let asked = tx
      .selectFrom('message.channel')
      .select(['id', 'name', 'type', 'status'])
      .where('deleted', '=', false)
      .orderBy('createdAt')
      .limit(CHOICES_MAX)
    if (input.type !== undefined) asked = asked.where('type', '=', input.type)
    if (input.status !== undefined) asked = asked.where('status', '=', input.status)
    return asked.execute()
  },
  detail: async ({ tx, input, at }) => (await withToday(tx, [await channelOf(tx, input.id)], at))[0]!,
  test: phased(async ({ input, at, actor, read }) => {
    const way = await read((tx) => insideOf(tx, input.id))
    if (way.type === ChannelType.inner) throw NoTest()
    const address = input.address ?? (way.type === ChannelType.webhook ? 'webhook' : '')
    if (!address) throw Incomplete({ fields: '接收地址 address' })
    const message = {
      key: `test-${crypto.randomUUID()}`,
      address,
      toName: actor.userName,
      kind: MessageKind.notice,
      title: '泊城消息测试',
      content: '这是一条测试消息。This is a test.',
      link: null,
      third: null,
      at,
    }
    const { outcome, answer, ms } = await sendBy(way, message)
    return { ok: outcome === 'accepted', answer, ms }
  }),
})
const CHOICES_MAX = 200

const IN_USE = `select exists (select from message.task where enterprise_id = scope_enterprise() and channel_id = $1 and state in (${TaskState.draft}, ${TaskState.planned}, ${TaskState.running}))
  or exists (select from message.channel where enterprise_id = scope_enterprise() and backup_channel_id = $1 and not deleted)
  or exists (select from message.record where enterprise_id = scope_enterprise() and channel_id = $1 and send_state in (${SendState.waiting}, ${SendState.sending})) as yes`

function refuseIncomplete(type: ChannelTypeCode, have: object) {
  const values = { ...have, ...((have as { hasSecret?: boolean }).hasSecret && !('secret' in have && have.secret) && { secret: 'kept' }) } as Record<
    string,
    unknown
  >
  const missing = NEEDED[type].filter((field) => !values[field])
  if (missing.length > 0)
    throw Incomplete({
      fields: missing.map((field) => (field === 'secret' ? '密钥 secret' : `${Channel.properties[field]['x-zh']} ${field}`)).join('、'),
    })
}

/** Where a channel's secret goes, and as whom it speaks. */
const WHERE_TO = ['url', 'host', 'port', 'tls', 'account'] as const
/** A secret goes only to the address that its author meant: another one could read it. @throws SecretAgain */
function refuseElsewhere(found: ChannelInside, changes: Partial<ChannelInside>) {
  if (!found.hasSecret || changes.secret !== undefined) return
  const moved = WHERE_TO.filter((field) => field in changes && (changes[field] ?? null) !== (found[field] ?? null))
  if (moved.length > 0) throw SecretAgain(moved)
}

/** From backup to backup one never comes back. All channels are held: two changes at once could close a circle that neither sees. */
async function refuseCircle(tx: Tx): Promise<void> {
  const all = await run<{ id: string; backupChannelId: string | null }>(
    tx,
    { sql: 'select id, backup_channel_id from message.channel where enterprise_id = scope_enterprise() order by id for update' },
    [],
  )
  const backupOf = new Map(all.map(({ id, backupChannelId }) => [id, backupChannelId]))
  for (const { id } of all) {
    const seen = new Set<string>()
    for (let at: string | null | undefined = id; at; at = backupOf.get(at)) {
      if (seen.has(at)) throw Circle()
      seen.add(at)
    }
  }
}

export const channelOf = (tx: Tx, id: string) => rowOf<ChannelRow>(tx, 'message.channel', channels.columns, id)
/** Also deleted channels: sent messages still name them. */
const everyChannel = rowsOver(Channel, 'message.channel', inside.columns)
export async function insideOf(tx: Tx, id: string): Promise<ChannelInside> {
  const found = await find(tx, everyChannel, id)
  if (!found) throw NotFound()
  return found
}

/** The channel inside the console, which every enterprise has from its first message on. */
export async function innerChannel(tx: Tx): Promise<string> {
  const known = () =>
    tx.selectFrom('message.channel').select('id').where('type', '=', ChannelType.inner).where('deleted', '=', false).executeTakeFirst()
  const there = await known()
  if (there) return there.id
  await run(
    tx,
    {
      sql: `insert into message.channel (name, type, rate_per_sec, day_cap) values ('${Said.inner}', ${ChannelType.inner}, 1000, 10000000) on conflict do nothing`,
    },
    [],
  )
  return (await known())!.id
}

async function withToday(tx: Tx, rows: readonly ChannelRow[], at: Instant): Promise<Of<typeof ChannelDetail>[]> {
  const ids = rows.map(({ id }) => id)
  const [names, counts] = await Promise.all([
    run<{ id: string; name: string }>(tx, { sql: 'select id, name from message.channel where enterprise_id = scope_enterprise() and id = any($1)' }, [
      rows.map(({ backupChannelId }) => backupChannelId).filter(Boolean),
    ]),
    run<{ channelId: string; sent: number; waiting: number; failed: number }>(
      tx,
      {
        sql: `select c.id as channel_id,
          (select count(*)::int from message.record r where r.enterprise_id = scope_enterprise() and r.channel_id = c.id and r.created_at >= $2 and r.send_state = ${SendState.sent}) as sent,
          (select count(*)::int from message.record r where r.enterprise_id = scope_enterprise() and r.channel_id = c.id and r.created_at >= $2 and r.send_state = ${SendState.failed}) as failed,
          (select count(*)::int from message.record r where r.enterprise_id = scope_enterprise() and r.channel_id = c.id and r.send_state in (${SendState.waiting}, ${SendState.sending})) as waiting
          from unnest($1::uuid[]) c (id)`,
      },
      [ids, `${dayOf(at)}T00:00:00+08:00`],
    ),
  ])
  return rows.map((row) => {
    const count = counts.find(({ channelId }) => channelId === row.id)
    return {
      ...row,
      backupName: names.find(({ id }) => id === row.backupChannelId)?.name ?? null,
      sentToday: count?.sent ?? 0,
      waiting: count?.waiting ?? 0,
      failedToday: count?.failed ?? 0,
    }
  })
}
