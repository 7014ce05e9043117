import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { News, news, newsCan, newsSearch } from '../contract/news.ts'
import './tables.ts'

type Row = Of<typeof News>
const newsTopic = topic('message.news', 'signed-in')
const all = listOver(News, 'message.news', newsSearch)
const COLUMNS = Object.keys(News.properties) as (keyof Row)[]
/** What people read on their first page; older news is in nobody's way. */
const SHOWN = 20

export const calls = serve(news, {
  page: ({ tx, input }) => page(tx, all, input),
  async add({ tx, input: { status = 0, ...input }, actor, at }) {
    if (status === 2) throw IllegalMove({ status })
    const made = await tx
      .insertInto('message.news')
      .values({ ...input, status, authorName: actor.userName, publishAt: status === 1 ? at : null, createdAt: at })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
    await tell(tx, newsTopic, { ids: [made.id] })
    return made
  },
  async update({ tx, input: { id, version, status, top, ...texts }, at }) {
    const found = await lockNews(tx, id)
    if (found.version !== version) throw Stale({ ...found })
    if (Object.keys(texts).length > 0 && newsCan.edit(found.status) === undefined) throw IllegalMove({ status: found.status })
    await tell(tx, newsTopic, { ids: [id] })
    return tx
      .updateTable('message.news')
      .set({ ...texts, ...(top !== undefined && { top }), ...moved(found, status, at), version: version + 1, updatedAt: at })
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
  },
  async detail({ tx, input }) {
    const found = await tx.selectFrom('message.news').select(COLUMNS).where('id', '=', input.id).executeTakeFirst()
    if (!found) throw NotFound()
    return found
  },
  published: ({ tx }) =>
    tx
      .selectFrom('message.news')
      .select(['id', 'title', 'content', 'type', 'top', 'publishAt', 'authorName'])
      .where('status', '=', 1)
      .orderBy('top', 'desc')
      .orderBy('publishAt', 'desc')
      .limit(SHOWN)
      .execute(),
})

/** Published again, it is new again. @throws IllegalMove */
function moved({ status: now }: Row, status: Row['status'] | undefined, at: Instant): { status?: Row['status']; publishAt?: Instant } {
  if (status === undefined || status === now) return {}
  const next = status === 1 ? newsCan.publish(now) : status === 2 ? newsCan.withdraw(now) : undefined
  if (next === undefined) throw IllegalMove({ status: now })
  return { status: next, ...(next === 1 && { publishAt: at }) }
}

async function lockNews(tx: Tx, id: Row['id']): Promise<Row> {
  const found = await tx.selectFrom('message.news').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!found) throw NotFound()
  return found
}
