import type { Instant } from '../../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { peopleWanted } from '../../../identity/server/api.ts'
import { AttemptOutcome, SendState, WaitsFor } from '../../contract/record.ts'
import { ChannelStatus, ChannelType, type ChannelTypeCode } from '../../contract/channel.ts'
import { addressOf, innerTopic, maskOf, NO_ADDRESS, recordTopic } from '../enqueue.ts'
import { settleTasks } from '../progress.ts'
import type { RecordRow } from './deliver.ts'
import type { Said } from './provider.ts'

export interface Ended {
  record: RecordRow
  attemptId: string
  said: Said & { ms: number }
}

/** After 1, 5 and 30 minutes; then the backup channel, once. */
export const LADDER_MS = [1, 5, 30].map((minutes) => minutes * MINUTE_MS)

/**
 * Writes down what the providers said, and what follows from it: sent, tried again, handed to the backup, failed. The messages are held first, all of them and in one order:
 * a process that takes them after their lease locks a message before its tries, and skips locked ones.
 */
export async function finish(tx: Tx, ended: readonly Ended[], at: Instant): Promise<void> {
  const ids = ended.map(({ record }) => record.id)
  await run(tx, { sql: 'select from message.record where enterprise_id = scope_enterprise() and id = any($1) order by id for update' }, [ids])
  for (const { record, attemptId, said } of ended) {
    await run(
      tx,
      {
        sql: 'update message.attempt set outcome = $2, answer = $3, provider_no = $4, ms = $5, ended_at = $6 where enterprise_id = scope_enterprise() and id = $1',
      },
      [attemptId, AttemptOutcome[said.outcome], said.answer, said.providerNo ?? null, said.ms, at],
    )
    await setRecord(tx, record, await after(tx, record, said, at), at)
  }
  await settleTasks(tx, [...new Set(ended.flatMap(({ record }) => record.taskId ?? []))], at)
  await tell(tx, recordTopic, { ids })
}

interface Next {
  sendState: typeof SendState.waiting | typeof SendState.sent | typeof SendState.failed
  nextAt?: Instant
  waits?: number
  retries?: number
  sentAt?: Instant
  error?: string
  channelId?: string
  channelType?: number
  address?: string | null
  backup?: boolean
}
async function after(tx: Tx, record: RecordRow, said: Said, at: Instant): Promise<Next> {
  if (said.outcome === 'accepted') return { sendState: SendState.sent, sentAt: at }
  const wait = LADDER_MS[record.retries]
  if (said.outcome !== 'refused' && !record.backup && wait !== undefined) {
    const nextAt = instantAt(msOf(at) + Math.max(wait, said.waitMs ?? 0))
    return { sendState: SendState.waiting, nextAt, waits: WaitsFor.retry, retries: record.retries + 1, error: said.answer }
  }
  return (await toBackup(tx, record, at, said.answer)) ?? { sendState: SendState.failed, error: said.answer }
}

/** Once, and only where the backup is in use and knows the recipient. */
async function toBackup(tx: Tx, record: RecordRow, at: Instant, error: string): Promise<Next | undefined> {
  if (record.backup) return undefined
  const [backup] = await run<{ id: string; type: ChannelTypeCode }>(
    tx,
    {
      sql: `select b.id, b.type from message.channel c join message.channel b on b.enterprise_id = c.enterprise_id and b.id = c.backup_channel_id
        where c.enterprise_id = scope_enterprise() and c.id = $1 and b.status = ${ChannelStatus.inUse} and not b.deleted`,
    },
    [record.channelId],
  )
  if (!backup) return undefined
  const address = await addressAt(tx, record, backup.type)
  const to = { channelId: backup.id, channelType: backup.type, address, backup: true, error }
  if (backup.type === ChannelType.inner && record.custId) {
    await tell(tx, innerTopic, { person: record.custId, ids: [record.id] })
    return { ...to, sendState: SendState.sent, sentAt: at }
  }
  if (!address) return { sendState: SendState.failed, error: `${error}；${NO_ADDRESS}` }
  return { ...to, sendState: SendState.waiting, nextAt: at }
}
async function addressAt(tx: Tx, record: RecordRow, type: ChannelTypeCode): Promise<string | null> {
  if (!record.custId) return record.address
  const [person] = await peopleWanted(tx, { ids: [record.custId] })
  return person ? addressOf(type, person) : null
}

/** Writes a record only if the process that took it still has it. */
async function setRecord(tx: Tx, record: RecordRow, next: Next, at: Instant): Promise<void> {
  const { sendState, nextAt = null, waits = null, retries = record.retries, sentAt = null, error = null } = next
  const { channelId = record.channelId, channelType = record.channelType, address = record.address, backup = record.backup } = next
  await run(
    tx,
    {
      sql: `update message.record set send_state = $3::smallint, next_at = $4, waits = $5, retries = $6, sent_at = $7, error = $8, channel_id = $9, channel_type = $10, address = $11, backup = $12, to_shown = $13,
        finished_at = case when $3::smallint in (${SendState.sent}, ${SendState.failed}) then $14::timestamptz end, version = version + 1, updated_at = $14::timestamptz
        where enterprise_id = scope_enterprise() and id = $1 and send_state = ${SendState.sending} and next_at = $2`,
    },
    [
      record.id,
      record.nextAt,
      sendState,
      nextAt,
      waits,
      retries,
      sentAt,
      error,
      channelId,
      channelType,
      address,
      backup,
      maskOf(channelType as ChannelTypeCode, address),
      at,
    ],
  )
}
