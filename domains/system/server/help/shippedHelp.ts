import type { Id } from '../../../../platform/contract/field.ts'
import type { House } from '../../../../platform/server/domain.ts'
import { run } from '../../../../platform/server/database.ts'
import { cleanRich } from '../../../../platform/server/text/rich.ts'
import { NOBODYS } from '../dictionary/closedLists.ts'
import { PAGES } from './helpPages.ts'

/** Remembered for ever: a page that an administrator has deleted does not come back with the next start. */
const SHIPPED = 'system.help-shipped'
const AUTHOR = 'Kerbline 泊城'

/** The help that comes with the product, once. From then on it belongs to those who run the place: they change it, add to it, throw it away. */
export async function shipHelp(house: House): Promise<void> {
  await house.writing(NOBODYS, 'system.help', async (tx) => {
    await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, 1))' }, [SHIPPED])
    const known = await run<{ value: string[] }>(tx, { sql: 'select value from platform.setting where name = $1' }, [SHIPPED])
    const shipped = new Set(known[0]?.value ?? [])
    const ids = new Map<string, Id<'HelpPageId'>>()
    for (const [sort, { key, within, title, screen, zh, en }] of PAGES.entries()) {
      if (shipped.has(key)) continue
      const row = {
        title: title[0],
        titleEn: title[1],
        content: cleanRich(zh),
        contentEn: cleanRich(en),
        screen: screen ?? null,
        parentId: within ? (ids.get(within) ?? null) : null,
        sort: (sort + 1) * 10,
        authorName: AUTHOR,
      }
      const made = await tx.insertInto('system.helpPage').values(row).returning('id').executeTakeFirstOrThrow()
      ids.set(key, made.id)
      shipped.add(key)
    }
    if (ids.size > 0)
      await run(
        tx,
        {
          sql: 'insert into platform.setting (name, value) values ($1, $2::jsonb) on conflict (name) do update set value = excluded.value, at = now()',
        },
        [SHIPPED, JSON.stringify([...shipped])],
      )
  })
}
