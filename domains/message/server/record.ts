import type { Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { holdersOf, personName } from '../../identity/server/api.ts'
import { InnerMessage, mineSearch, platSearch, record } from '../contract/record.ts'
import './tables.ts'

/** Only the person it is for hears of a message; the frame says which, the page asks for it. */
const innerTopic = topic('message.inner', 'signed-in')

const mine = listOver(InnerMessage, 'message.innerMessage', { ...mineSearch, operators: { ...mineSearch.operators, custId: 'equals' } })
const all = listOver(InnerMessage, 'message.innerMessage', platSearch)

export const calls = serve(record, {
  // Whoever is named in custId: the session says whose messages these are.
  queryMessageRecord: ({ tx, input, actor }) => page(tx, mine, { ...input, custId: actor.userId } as never),
  queryPlatMessageRecord: ({ tx, input }) => page(tx, all, input),

  async tag({ tx, input, actor, at }) {
    const { numUpdatedRows } = await tx
      .updateTable('message.innerMessage')
      .set({ readState: 1, readAt: at })
      .where('enterpriseId', '=', actor.enterprise)
      .where('id', '=', input.id)
      .where('custId', '=', actor.userId)
      .where('readState', '=', 0)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return tell(tx, innerTopic, { person: actor.userId, ids: [input.id] })
    // Read already is fine; another person's is not there.
    const there = await tx
      .selectFrom('message.innerMessage')
      .select('id')
      .where('enterpriseId', '=', actor.enterprise)
      .where('id', '=', input.id)
      .where('custId', '=', actor.userId)
      .executeTakeFirst()
    if (!there) throw NotFound()
  },
})

/** People who can do the same thing are at most this many told at once. */
const RECEIVERS_MAX = 1_000

type Text = readonly [zh: string, en: string]
export async function sendInner(
  tx: Tx,
  { to, title, body = ['', ''], link = null }: { to: { custId: string } | { capability: string }; title: Text; body?: Text; link?: string | null },
): Promise<number> {
  const receivers =
    'custId' in to ? [{ id: to.custId, name: (await personName(tx, to.custId)) ?? '' }] : (await holdersOf(tx, to.capability)).slice(0, RECEIVERS_MAX)
  if (receivers.length === 0) return 0
  const made = await tx
    .insertInto('message.innerMessage')
    .values(
      receivers.map(({ id, name }) => ({
        custId: id,
        toName: name,
        title: title[0],
        titleEn: title[1],
        content: body[0],
        contentEn: body[1],
        link,
        readAt: null,
      })),
    )
    .returning(['id', 'custId'])
    .execute()
  await Promise.all(made.map(({ id, custId }) => tell(tx, innerTopic, { person: custId, ids: [id] })))
  return made.length
}
