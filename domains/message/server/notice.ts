import { on } from '../../../platform/server/events.ts'
import { peopleAmong } from '../../identity/server/api.ts'
import { notice } from '../../system/server/api.ts'
import { sendInner } from './sending.ts'

/** What the domain below everybody has to tell people, and cannot send itself: an alarm of a server, for example. */
export function sendNotices(): void {
  on(notice, 'message.inner', async ({ tx, data: { people = [], roles = [], capability, title, body, link } }) => {
    if (capability !== undefined) await sendInner(tx, { to: { capability }, title, body, link })
    for (const { id } of await peopleAmong(tx, { people, roles })) await sendInner(tx, { to: { custId: id }, title, body, link })
  })
}
