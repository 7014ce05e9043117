import type { Instant, Of } from '../../../platform/contract/field.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { News, news, newsCan, newsSearch, NewsStatus } from '../contract/news.ts'
import './tables.ts'

type Row = Of<typeof News>
const newsTopic = topic('message.news', 'signed-in')
const all = listOver(News, 'message.news', newsSearch)
/** The most news on a person's first page; older news is left out. */
const SHOWN = 20

export const calls = serve(news, {
  page: ({ tx, input }) => page(tx, all, input),
  async add({ tx, input: { status = NewsStatus.draft, ...input }, actor, at }) {
    if (status === NewsStatus.withdrawn) throw IllegalMove({ status })
    const publishAt = status === NewsStatus.published ? at : null
    const made = await addRow(tx, all, { ...input, status, authorName: actor.userName, publishAt, createdAt: at })
    await tell(tx, newsTopic, { ids: [made.id] })
    return made
  },
  async update({ tx, input: { id, version, status, top, ...texts }, at }) {
    const found = await lockRow(tx, all, { id, version })
    if (Object.keys(texts).length > 0 && newsCan.edit(found.status) === undefined) throw IllegalMove({ status: found.status })
    await tell(tx, newsTopic, { ids: [id] })
    return setRow(tx, all, found, { ...texts, ...(top !== undefined && { top }), ...moved(found, status, at) }, at)
  },
  async detail({ tx, input }) {
    const found = await find(tx, all, input.id)
    if (!found) throw NotFound()
    return found
  },
  published: ({ tx }) =>
    tx
      .selectFrom('message.news')
      .select(['id', 'title', 'content', 'type', 'top', 'publishAt', 'authorName'])
      .where('status', '=', NewsStatus.published)
      .orderBy('top', 'desc')
      .orderBy('publishAt', 'desc')
      .limit(SHOWN)
      .execute(),
})

/** Published again, it is new again. @throws IllegalMove */
function moved({ status: now }: Row, status: Row['status'] | undefined, at: Instant): { status?: Row['status']; publishAt?: Instant } {
  if (status === undefined || status === now) return {}
  const next = status === NewsStatus.published ? newsCan.publish(now) : status === NewsStatus.withdrawn ? newsCan.withdraw(now) : undefined
  if (next === undefined) throw IllegalMove({ status: now })
  return { status: next, ...(next === NewsStatus.published && { publishAt: at }) }
}
