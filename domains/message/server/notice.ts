import type { Tx } from '../../../platform/server/database.ts'
import { on } from '../../../platform/server/events.ts'
import { Refusal } from '../../../platform/server/refusal.ts'
import { peopleAmong } from '../../identity/server/api.ts'
import { type Notice, notice } from '../../system/server/api.ts'
import { ChannelType } from '../contract/channel.ts'
import { send, sendInner, type To } from './sending.ts'
import { templateNamed } from './template.ts'

/** Sends notices for the domains below, which cannot send themselves: an alarm of a server, a password that was changed. */
export function sendNotices(): void {
  on(notice, 'message.inner', async ({ tx, data }) => {
    const { people = [], roles = [], capability, parkCode = null } = data
    if (capability !== undefined) await tellOne(tx, { capability, parkCode }, data)
    for (const { id } of await peopleAmong(tx, { people, roles })) await tellOne(tx, { custId: id }, data)
  })
}

type Told = Omit<Notice, 'people' | 'roles' | 'capability'>
/** Inside the console in any case, in the company's own words where its template is of the console; through the template's channel too where it is of another. */
export async function tellOne(tx: Tx, to: To, { title, body, link, kind, urgent = false, template: code, vars = {} }: Told): Promise<void> {
  const template = code ? await templateNamed(tx, code) : undefined
  const sent = template && (await send(tx, { template: template.code, to, vars: { ...vars }, link, urgent }).catch(lacking))
  if (sent === undefined || template!.channelType !== ChannelType.inner)
    await sendInner(tx, { to, title, body, link, urgent, ...(kind !== undefined && { kind }) })
}
/** A template that asks for what nobody says, or whose channel is closed, keeps nobody from hearing it in the console. */
const lacking = (error: unknown): undefined => {
  if (!(error instanceof Refusal)) throw error
}
