import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { holdersOf, peopleWanted, personName, type Reachable } from '../../identity/server/api.ts'
import { ChannelStatus, ChannelType, type ChannelTypeCode } from '../contract/channel.ts'
import { ReadState, SendState } from '../contract/record.ts'
import { MessageKind } from '../contract/template.ts'
import { innerChannel } from './channel.ts'
import { addressOf, type Draft, enqueue, innerTopic, type Recipient, recordTopic, wake } from './enqueue.ts'
import { filled } from './liquid.ts'
import { templateNamed, type TemplateRow } from './template.ts'

export const NoAudience = refusal('message.no-audience', 40310, '请选择收件人', 'Choose recipients', 422)
export const NoTemplate = refusal(
  'message.no-template',
  40312,
  '没有已启用的模板 {code}，请在「消息模板」中启用',
  'No template {code} is in use: enable it under “Message templates”',
  422,
)
export const NoChannel = refusal(
  'message.no-channel',
  40313,
  '没有已启用的渠道可发送此类消息，请在「消息渠道」中启用',
  'No channel in use can send this type of message: enable one under “Message channels”',
  422,
)
/** Refusals for want of a setup, which the caller can do nothing about. */
export const UNSENDABLE: ReadonlySet<string> = new Set([NoTemplate().id, NoChannel().id])

/** People who can do the same thing are at most this many told at once. */
const RECEIVERS_MAX = 1_000

type Text = readonly [zh: string, en: string]
/** Receivers: one person, or everybody with a capability who sees the park in question (null: no park), except those in `not`. */
export type To = { custId: string } | { capability: string; parkCode: string | null; not?: readonly (string | null)[] }
/** Returns the named receiver, or everybody with a capability, also those whom the actor may not see. Other addresses are known only of those in sight. */
async function receiversOf(tx: Tx, to: To, type: ChannelTypeCode): Promise<Reachable[]> {
  const all =
    'custId' in to
      ? [{ id: to.custId, name: (await personName(tx, to.custId)) ?? '' }]
      : (await holdersOf(tx, to.capability, to.parkCode)).filter(({ id }) => !to.not?.includes(id))
  const some = all.slice(0, RECEIVERS_MAX)
  if (type === ChannelType.inner) return some.map((one) => ({ ...one, phone: null, email: null }))
  return peopleWanted(tx, { ids: some.map(({ id }) => id) })
}

/** A message inside the console, on commit, to one person or to all who may do something. Answers how many people get it. */
export async function sendInner(
  tx: Tx,
  {
    to,
    title,
    body = ['', ''],
    link = null,
    kind = MessageKind.notice,
    urgent = false,
    concerns,
    at = now(),
  }: { to: To; title: Text; body?: Text; link?: string | null; kind?: number; urgent?: boolean; concerns?: string; at?: Instant },
): Promise<number> {
  const people = await receiversOf(tx, to, ChannelType.inner)
  if (people.length === 0) return 0
  const channel = { id: await innerChannel(tx), type: ChannelType.inner }
  const texts = { title: title[0], titleEn: title[1], content: body[0], contentEn: body[1] }
  const drafts = people.map((person) => ({
    ...texts,
    to: recipientOf(ChannelType.inner, person),
    channel,
    kind,
    urgent,
    link,
    ...(concerns && { concerns }),
  }))
  return (await enqueue(tx, drafts, at)).made
}
/** Recalls unread messages inside the console about a task that is done, or is no longer to be done. */
export async function recall(tx: Tx, concerns: string, at: Instant): Promise<void> {
  const gone = await run<{ id: string; custId: string }>(tx, { sql: RECALL }, [concerns, at])
  await Promise.all(gone.map(({ id, custId }) => tell(tx, innerTopic, { person: custId, ids: [id] })))
  if (gone.length > 0) await tell(tx, recordTopic, { ids: gone.map(({ id }) => id) })
}
const RECALL = `update message.record set send_state = ${SendState.withdrawn}, finished_at = $2, updated_at = $2, version = version + 1
  where enterprise_id = scope_enterprise() and concerns = $1 and channel_type = ${ChannelType.inner} and send_state = ${SendState.sent} and read_state = ${ReadState.unread} returning id, cust_id`
/** Withdraws waiting messages to a customer that no longer hold. Those that have gone stay as they are, and the same may be sent again later. */
export async function withdrawFromCustomer(tx: Tx, concerns: string, at: Instant): Promise<void> {
  const gone = await run<{ id: string }>(tx, { sql: WITHDRAW }, [concerns, at])
  if (gone.length > 0) await tell(tx, recordTopic, { ids: gone.map(({ id }) => id) })
}
const WITHDRAW = `update message.record set send_state = ${SendState.withdrawn}, next_at = null, waits = null, finished_at = $2, updated_at = $2, version = version + 1
  where enterprise_id = scope_enterprise() and concerns = $1 and send_state = ${SendState.waiting} returning id`
const now = () => new Date().toISOString() as Instant

export interface Sending {
  /** The code of an enabled template. */
  template: string
  to: To | { address: string; name: string }
  vars: Record<string, string>
  /** The same again is told to nobody a second time. */
  dedupe?: string
  /** The subject, by which the message is withdrawn. */
  concerns?: string
  link?: string | null
  urgent?: boolean
  /** Told inside the console where nobody has made such a template. */
  otherwise?: { title: Text; body: Text; kind: number }
  at?: Instant
}
/**
 * Sends what a template says, through the first enabled channel of its kind, once the transaction is committed. Answers how many messages are new.
 * @throws NoTemplate without such a template and without `otherwise`; NoChannel; MissingVar
 */
export async function send(
  tx: Tx,
  { template: code, to, vars, dedupe, concerns, link = null, urgent = false, otherwise, at }: Sending,
): Promise<number> {
  const template = await templateNamed(tx, code)
  if (!template && otherwise && !('address' in to)) {
    const { title, body, kind } = otherwise
    return sendInner(tx, { to, title, body, kind, link, urgent, ...(at && { at }) })
  }
  if (!template) throw NoTemplate({ code })
  const channel = await channelFor(tx, template.channelType)
  const people =
    'address' in to
      ? [{ custId: null, ...to }]
      : (await receiversOf(tx, to, template.channelType)).map((one) => recipientOf(template.channelType, one))
  const drafts = people.map((one) => ({
    ...draftOf(template, channel, one, vars),
    urgent,
    link,
    ...(concerns && { concerns }),
    ...(dedupe && { dedupe: `${dedupe}:${one.custId ?? one.address}:${template.id}` }),
  }))
  const { made, waiting } = await enqueue(tx, drafts, at ?? now())
  // A caller with a clock of its own sends them too.
  if (waiting > 0 && at === undefined) await wake(tx)
  return made
}

export const recipientOf = (type: ChannelTypeCode, person: Reachable): Recipient => ({
  custId: person.id,
  name: person.name,
  address: addressOf(type, person),
})

/** @throws MissingVar, BreaksHeader */
export const draftOf = (template: TemplateRow, channel: Draft['channel'], to: Recipient, vars: Record<string, string>): Draft => {
  const values = { name: to.name, ...vars }
  return {
    ...filled(template, values),
    to,
    channel,
    kind: template.kind,
    urgent: false,
    link: null,
    templateId: template.id,
    templateCode: template.code,
    third: { templateId: template.thirdTemplateId, signName: template.signName, vars: values },
  }
}

/** The first enabled channel of a type. @throws NoChannel */
export async function channelFor(tx: Tx, type: ChannelTypeCode): Promise<Draft['channel']> {
  if (type === ChannelType.inner) return { id: await innerChannel(tx), type }
  const found = await tx
    .selectFrom('message.channel')
    .select(['id', 'type'])
    .where('type', '=', type)
    .where('status', '=', ChannelStatus.inUse)
    .where('deleted', '=', false)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  if (!found) throw NoChannel()
  return found
}
