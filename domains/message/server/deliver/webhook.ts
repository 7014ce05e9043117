import { askOutside } from '../../../../platform/server/outside.ts'
import { answered, signature } from './gateway.ts'
import type { Outgoing, Said, Way } from './provider.ts'

/** A signed POST to an address of the receiver's choice. `x-delivery` names the delivery: heard again, it is the same. */
export const byWebhook = (way: Way, message: Outgoing): Promise<Said> => {
  const { key, kind, title, content, link, at, toName } = message
  const body = JSON.stringify({ id: key, kind, title, content, link, at, to: toName })
  return answered(() => askOutside(way.url ?? '', { headers: { ...signature(way.secret ?? '', body), 'x-delivery': key }, body }))
}
