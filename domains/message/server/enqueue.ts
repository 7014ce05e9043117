import type { Instant } from '../../../platform/contract/field.ts'
import { enterpriseOf, run, type Tx } from '../../../platform/server/database.ts'
import { addJob } from '../../../platform/server/job/jobs.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import type { Reachable } from '../../identity/server/api.ts'
import { ChannelType, type ChannelTypeCode } from '../contract/channel.ts'
import { MessageKind } from '../contract/template.ts'
import { SendState, WaitsFor } from '../contract/record.ts'
import type { Texts } from './liquid.ts'
import { ignoresQuiet, quietUntil, ruleOf } from './rule.ts'
import type { Third } from './tables.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'
import { spokenOf } from '../../../platform/contract/said.ts'

/** Only the person it is for hears of a message; the frame says which, the page asks for it. */
export const innerTopic = topic('message.inner', 'signed-in')
export const recordTopic = topic('message.record', 'message:record:view')
export const taskTopic = topic('message.task', 'message:task:view')

export interface Recipient {
  custId: string | null
  name: string
  address: string | null
}
export interface Draft extends Texts {
  to: Recipient
  channel: { id: string; type: ChannelTypeCode }
  kind: number
  urgent: boolean
  link: string | null
  taskId?: string
  templateId?: string
  templateCode?: string
  third?: Third
  /** The same again is not told again. */
  dedupe?: string
  /** The task that it asks its readers to do, `refund:…`: once that is done, unread copies are recalled. */
  concerns?: string
}

const PHONES: readonly ChannelTypeCode[] = [ChannelType.sms, ChannelType.voice]

/** Where a channel of that type finds a person; WeChat, mini program and push know them by the number that we know them by. */
export function addressOf(type: ChannelTypeCode, { id, phone, email }: Reachable): string | null {
  if (type === ChannelType.email) return email
  if (PHONES.includes(type)) return phone
  return type === ChannelType.webhook ? 'webhook' : id
}
/** Enough of an address to know it again. */
export function maskOf(type: ChannelTypeCode, address: string | null): string {
  if (!address || type === ChannelType.inner) return ''
  const [name = '', host] = address.split('@')
  if (host) return `${name.slice(0, 2)}***@${host}`
  return PHONES.includes(type) ? `${address.slice(0, 3)}****${address.slice(-4)}` : address.slice(0, 8)
}

interface Row {
  id: string
  custId: string | null
  channelType: ChannelTypeCode
  sendState: number
}
/** A message is kept in both languages: a sentence of the platform appears in each in its own language. */
const worded = <D extends Draft>({ title, titleEn, content, contentEn, ...draft }: D) => ({
  ...draft,
  ...spokenOf({ title, content, third: draft.third }, 0),
  ...spokenOf({ titleEn, contentEn }, 1),
})
/**
 * Makes records. Inside the console they have arrived; messages to the outside wait for their time and are sent by `deliver`.
 * A person who has unsubscribed gets none, except codes and urgent ones.
 * @returns how many are new, and how many of them will be brought out
 */
export async function enqueue(tx: Tx, drafts: readonly Draft[], at: Instant): Promise<{ made: number; waiting: number }> {
  if (drafts.length === 0) return { made: 0, waiting: 0 }
  const [rule, unwanted] = await Promise.all([ruleOf(tx), unwantedBy(tx, drafts)])
  const quiet = quietUntil(rule, at)
  const rows = drafts
    .map(worded)
    .map(({ to, channel, third = null, taskId = null, templateId = null, templateCode = null, dedupe = null, concerns = null, ...draft }) => {
      const unsubscribed = to.custId !== null && !draft.urgent && draft.kind !== MessageKind.code && unwanted.has(`${to.custId} ${draft.kind}`)
      const unreachable = channel.type !== ChannelType.inner && !to.address
      const sendState = unsubscribed
        ? SendState.unsubscribed
        : channel.type === ChannelType.inner
          ? SendState.sent
          : unreachable
            ? SendState.failed
            : SendState.waiting
      const held = sendState === SendState.waiting && quiet && !ignoresQuiet({ ...draft, channelType: channel.type })
      return {
        ...draft,
        third,
        task_id: taskId,
        template_id: templateId,
        template_code: templateCode,
        dedupe,
        concerns,
        first_channel_id: channel.id,
        channel_id: channel.id,
        channel_type: channel.type,
        cust_id: to.custId,
        to_name: to.name,
        address: to.address,
        to_shown: maskOf(channel.type, to.address),
        title_en: draft.titleEn,
        content_en: draft.contentEn,
        send_state: sendState,
        next_at: sendState === SendState.waiting ? (held ? quiet : at) : null,
        waits: held ? WaitsFor.quietHours : null,
        sent_at: sendState === SendState.sent ? at : null,
        finished_at: sendState === SendState.waiting ? null : at,
        error: unreachable ? NO_ADDRESS : null,
      }
    })
  const made = await run<Row>(tx, { sql: INSERT }, [JSON.stringify(rows), at])
  await Promise.all(
    made.flatMap(({ id, custId, sendState, channelType }) =>
      custId && sendState === SendState.sent && channelType === ChannelType.inner ? [tell(tx, innerTopic, { person: custId, ids: [id] })] : [],
    ),
  )
  if (made.length > 0) await tell(tx, recordTopic, { ids: made.map(({ id }) => id) })
  return { made: made.length, waiting: made.filter(({ sendState }) => sendState === SendState.waiting).length }
}
export const NO_ADDRESS = Said.noAddress

const FIELDS = `task_id uuid, template_id uuid, template_code text, first_channel_id uuid, channel_id uuid, channel_type smallint, kind smallint, urgent boolean, cust_id uuid, to_name text,
  address text, to_shown text, title text, title_en text, content text, content_en text, link text, third jsonb, dedupe text, concerns text, send_state smallint, next_at timestamptz, waits smallint,
  sent_at timestamptz, finished_at timestamptz, error text`
const NAMES = FIELDS.split(',')
  .map((field) => field.trim().split(' ')[0])
  .join(', ')
const INSERT = `insert into message.record (${NAMES}, created_at, updated_at) select ${NAMES}, $2::timestamptz, $2::timestamptz from jsonb_to_recordset($1::jsonb) as x (${FIELDS})
  on conflict (enterprise_id, dedupe) where dedupe is not null do nothing returning id, cust_id, channel_type, send_state`

async function unwantedBy(tx: Tx, drafts: readonly Draft[]): Promise<Set<string>> {
  const people = [...new Set(drafts.flatMap(({ to }) => to.custId ?? []))]
  const rows = await run<{ personId: string; kind: number }>(
    tx,
    { sql: 'select person_id, kind from message.unsubscribed where enterprise_id = scope_enterprise() and person_id = any($1)' },
    [people],
  )
  return new Set(rows.map(({ personId, kind }) => `${personId} ${kind}`))
}

// The tasks themselves stand in deliver/jobs.ts; here only what a transaction writes to ask for them.
export const DELIVER = 'message.deliver'
export const START = 'message.task-start'
const named = (name: string) => ({ name })
/** Sends waiting messages once this transaction is committed; with `runAt`, then. */
export const wake = (tx: Tx, runAt?: Instant): Promise<void> =>
  addJob(tx, named(DELIVER), {}, { key: `${DELIVER}:${enterpriseOf(tx)}${runAt ? ':later' : ''}`, ...(runAt && { runAt }) })
export const wakeTask = (tx: Tx, taskId: string, runAt: Instant): Promise<void> =>
  addJob(tx, named(START), { taskId }, { key: `${START}:${taskId}`, runAt })
