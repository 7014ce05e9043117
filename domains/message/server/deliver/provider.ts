import type { ChannelTypeCode } from '../../contract/channel.ts'
import type { Third } from '../tables.ts'
import { byGateway } from './gateway.ts'
import { byMail } from './mail.ts'
import { byWebhook } from './webhook.ts'
import { Said as Ours } from '../../contract/said.ts'
import { spokenOf } from '../../../../platform/contract/said.ts'

/** The facts about its channel that a provider needs. */
export interface Way {
  type: ChannelTypeCode
  url: string | null
  host: string | null
  port: number | null
  tls: boolean
  account: string | null
  sender: string | null
  secret: string | null
}
export interface Outgoing {
  /** The same for every try of one message: a provider sends it once. */
  key: string
  address: string
  toName: string
  kind: number
  title: string
  content: string
  link: string | null
  third: Third | null
  at: string
}
/** `accepted`: it is on its way. `refused`: another try would be refused too. `unknown`: it may have arrived. The rest is worth another try. */
export interface Said {
  outcome: 'accepted' | 'failed' | 'throttled' | 'refused' | 'unknown'
  answer: string
  providerNo?: string
  /** A throttled channel says when it wants to be asked again. */
  waitMs?: number
}
/** Sends a message over a channel; it answers within OUTSIDE_MS. */
export type Provider = (way: Way, message: Outgoing) => Promise<Said>

/** Messages inside the console leave through no provider. */
const providers: Partial<Record<ChannelTypeCode, Provider>> = {
  2: byGateway,
  3: byGateway,
  4: byGateway,
  5: byMail,
  6: byGateway,
  7: byGateway,
  8: byWebhook,
}

const ANSWER_MAX = 300
/** Never throws: a provider's error (an account that no header can hold) is a refusal of this one message, and does not touch others of the batch. */
export async function sendBy(way: Way, message: Outgoing): Promise<Said & { ms: number }> {
  const begun = performance.now()
  const said = await saidBy(way, message).catch(({ message: answer }: Error): Said => ({ outcome: 'refused', answer }))
  const { providerNo, ...rest } = said
  return { ...rest, ...(providerNo && { providerNo: plain(providerNo) }), answer: plain(said.answer), ms: Math.round(performance.now() - begun) }
}
/** A message to the outside is in the language of the city: nobody knows which one its reader has. */
const saidBy = async (way: Way, message: Outgoing): Promise<Said> =>
  providers[way.type]?.(way, spokenOf(message, 0)) ?? { outcome: 'refused', answer: Ours.noProvider }
/** Reduces a stranger's answer to one short line without control characters. */
const plain = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_MAX)
