import { allDictionaries } from '../../../../platform/contract/field.ts'
import { instantAt } from '../../../../platform/contract/time.ts'
import type { House } from '../../../../platform/server/domain.ts'
import { run } from '../../../../platform/server/database.ts'
import { EntryStatus } from '../../contract/dictionary.ts'

/** The tables belong to no enterprise; the server's own writes have the scope of none. */
export const NOBODYS = 0

/** Brings the closed lists of the code into the tables, so that people find every code in one place. An entry that a person has set up under the same code is replaced. */
export async function syncClosedLists(house: House): Promise<void> {
  const at = instantAt(Date.now())
  const lists = allDictionaries()
  const types = lists.map(({ name, label: [item, itemEn] }) => ({ category_en: name, item, item_en: itemEn }))
  const entries = lists.flatMap(({ name, entries }) =>
    Object.entries(entries).map(([ival, [cval, itemEn, tone]], sort) => ({
      category_en: name,
      ival: Number(ival),
      cval,
      item_en: itemEn,
      tone: tone ?? null,
      sort,
    })),
  )
  await house.writing(NOBODYS, 'system.closed-lists', async (tx) => {
    await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, 1))' }, ['system.closed-lists'])
    await run(tx, { sql: TYPES }, [JSON.stringify(types), at])
    await run(tx, { sql: ENTRIES }, [JSON.stringify(entries), at])
    await run(tx, { sql: GONE }, [JSON.stringify(entries)])
    await run(tx, { sql: GONE_TYPES }, [types.map((type) => type.category_en)])
  })
}
const TYPES = `insert into system.dictionary_type as known (category_en, item, item_en, fixed)
  select category_en, item, item_en, true from jsonb_to_recordset($1::jsonb) as t (category_en text, item text, item_en text)
  on conflict (category_en) do update set item = excluded.item, item_en = excluded.item_en, fixed = true, version = known.version + 1, updated_at = $2
  where (known.item, known.item_en, known.fixed) is distinct from (excluded.item, excluded.item_en, true)`
const ENTRIES = `insert into system.dictionary_row as known (category_en, ival, cval, item_en, tone, sort, fixed)
  select category_en, ival, cval, item_en, tone, sort, true from jsonb_to_recordset($1::jsonb) as e (category_en text, ival integer, cval text, item_en text, tone text, sort integer)
  on conflict (category_en, ival) do update set cval = excluded.cval, item_en = excluded.item_en, tone = excluded.tone, sort = excluded.sort, fixed = true, status = ${EntryStatus.inUse}, version = known.version + 1, updated_at = $2
  where (known.cval, known.item_en, known.tone, known.sort, known.fixed, known.status) is distinct from (excluded.cval, excluded.item_en, excluded.tone, excluded.sort, true, ${EntryStatus.inUse}::smallint)`
/** Deletes entries that an earlier release shipped and this one does not. */
const GONE = `delete from system.dictionary_row r where r.fixed
  and not exists (select from jsonb_to_recordset($1::jsonb) as e (category_en text, ival integer) where e.category_en = r.category_en and e.ival = r.ival)`
const GONE_TYPES = `delete from system.dictionary_type t where t.fixed and t.category_en <> all ($1)
  and not exists (select from system.dictionary_row r where r.category_en = t.category_en)`
