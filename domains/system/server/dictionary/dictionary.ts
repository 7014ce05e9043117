import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, removeRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { dictionary, DictionaryEntry, type DictionaryGroup, type DictionaryRow, dictionarySearch, DictionaryType } from '../../contract/dictionary.ts'
import '../tables.ts'
import { dictionaryTopic } from '../topics.ts'

type Value = Of<typeof DictionaryRow>
type Group = Of<typeof DictionaryGroup>
type Type = Of<typeof DictionaryType>

/** The name of a dictionary type that nobody has set up. */
const UNKNOWN = '未配置字典类型'
const UNKNOWN_EN = 'This dictionary is not set up'
const Fixed = refusal(
  'system.dictionary-fixed',
  40109,
  '系统内置字典由程序决定，不能修改；可另建字典类型',
  'Built-in dictionaries are fixed by the system and cannot be changed: add a type of your own',
)
const NoType = refusal(
  'system.dictionary-no-type',
  40110,
  '字典类型不存在：{categoryEn}；请核对编码',
  'Dictionary type {categoryEn} does not exist: check its code',
  404,
)
const Taken = refusal(
  'system.dictionary-taken',
  40111,
  '该类型下已有相同的编码或名称，请换一个',
  'This type already has an entry with this code or name: choose another one',
)
const TypeTaken = refusal(
  'system.dictionary-type-taken',
  40112,
  '类型编码已被使用，请换一个编码',
  'This type code is already in use: choose another one',
)
const HasEntries = refusal(
  'system.dictionary-has-entries',
  40113,
  '该类型下还有 {count} 个字典项，请先删除',
  'This type still has {count:entry|entries}: delete first',
)

const entries = listOver(DictionaryEntry, 'system.dictionaryEntry', dictionarySearch)
const rows = rowsOver(DictionaryEntry, 'system.dictionaryRow', ['categoryEn', 'fixed'])
const TYPE = Object.keys(DictionaryType.properties) as (keyof Type)[]
const types = rowsOver(DictionaryType, 'system.dictionaryType', TYPE)

export const calls = serve(dictionary, {
  async list({ tx, input: { categoryEn } }) {
    const groups = await groupsOf(tx, categoryEn)
    const known = new Map(groups.map((group) => [group.categoryEn, group]))
    const wanted = categoryEn ?? [...known.keys()]
    return wanted.map((name) => known.get(name) ?? { categoryEn: name, item: UNKNOWN, itemEn: UNKNOWN_EN, systemDictionaryVOList: [] })
  },
  async tree({ tx }) {
    const [all, groups] = await Promise.all([
      tx.selectFrom('system.dictionaryType').select(TYPE).orderBy('fixed').orderBy('categoryEn').execute(),
      groupsOf(tx),
    ])
    const values = new Map(groups.map(({ categoryEn, systemDictionaryVOList }) => [categoryEn, systemDictionaryVOList]))
    return all.map((type) => ({ ...type, systemDictionaryVOList: values.get(type.categoryEn) ?? [] }))
  },
  async select({ tx, input }) {
    const found = await page(tx, entries, input)
    return { ...found, records: found.records.map(({ place: _, ...shown }) => shown) }
  },
  async checkName({ tx, input: { categoryEn, cval, id } }) {
    if (cval === undefined) return { taken: (await typeOf(tx, categoryEn)) !== undefined }
    let asked = tx.selectFrom('system.dictionaryRow').select('id').where('categoryEn', '=', categoryEn).where('cval', '=', cval)
    if (id !== undefined) asked = asked.where('id', '!=', id)
    return { taken: (await asked.executeTakeFirst()) !== undefined }
  },

  async add({ tx, input }) {
    const type = await typeOf(tx, input.categoryEn)
    if (!type) throw NoType({ categoryEn: input.categoryEn })
    if (type.fixed) throw Fixed()
    await refuseTaken(tx, input)
    const { id } = await addRow(tx, rows, input)
    return changed(tx, id)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockEntry(tx, { id, version })
    if (changes.cval) await refuseTaken(tx, { categoryEn: found.categoryEn, cval: changes.cval, id })
    await setRow(tx, rows, found, changes, at)
    return changed(tx, id)
  },
  async delete({ tx, input, at }) {
    const found = await lockEntry(tx, input)
    await removeRow(tx, rows, found, at)
    await tell(tx, dictionaryTopic, { ids: [found.categoryEn] })
  },

  async addType({ tx, input }) {
    if (await typeOf(tx, input.categoryEn)) throw TypeTaken()
    const made = typeShown(await addRow(tx, types, input))
    await tell(tx, dictionaryTopic, { ids: [made.categoryEn] })
    return made
  },
  async updateType({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockType(tx, { id, version })
    const made = typeShown(await setRow(tx, types, found, changes, at))
    await tell(tx, dictionaryTopic, { ids: [found.categoryEn] })
    return made
  },
  async deleteType({ tx, input, at }) {
    const found = await lockType(tx, input)
    const { categoryEn } = found
    const [{ count } = { count: 0 }] = await run<{ count: number }>(
      tx,
      { sql: 'select count(*)::int from system.dictionary_row where category_en = $1' },
      [categoryEn],
    )
    if (count > 0) throw HasEntries({ count })
    await removeRow(tx, types, found, at)
    await tell(tx, dictionaryTopic, { ids: [categoryEn] })
  },
})

async function groupsOf(tx: Tx, only?: string[]): Promise<Group[]> {
  let asked = tx
    .selectFrom('system.dictionaryEntry')
    .select(['categoryEn', 'item', 'categoryNameEn', 'ival', 'cval', 'itemEn', 'tone', 'status', 'fixed'])
    .orderBy('categoryEn')
    .orderBy('sort')
    .orderBy('ival')
  if (only) asked = asked.where('categoryEn', 'in', only.length ? only : [''])
  const groups = new Map<string, Group>()
  for (const { categoryNameEn, ...row } of await asked.execute()) {
    const { categoryEn, item } = row
    const group = groups.get(categoryEn) ?? { categoryEn, item, itemEn: categoryNameEn, systemDictionaryVOList: [] }
    group.systemDictionaryVOList.push(row as Value)
    groups.set(categoryEn, group)
  }
  return [...groups.values()]
}

const typeOf = (tx: Tx, categoryEn: string) =>
  tx.selectFrom('system.dictionaryType').select(TYPE).where('categoryEn', '=', categoryEn).executeTakeFirst()

/** A person picks an entry by its name and a record holds its code: neither may stand twice in a type. */
async function refuseTaken(tx: Tx, { categoryEn, cval, ival, id }: { categoryEn: string; cval: string; ival?: number; id?: string }) {
  const rows = await tx
    .selectFrom('system.dictionaryRow')
    .select(['id', 'ival', 'cval'])
    .where('categoryEn', '=', categoryEn)
    .where((row) => row.or([row('cval', '=', cval), ...(ival === undefined ? [] : [row('ival', '=', ival)])]))
    .execute()
  if (rows.some((row) => row.id !== id)) throw Taken()
}

type Seen<Id> = { id: Id; version?: number }
async function lockEntry(tx: Tx, seen: Seen<Of<typeof DictionaryEntry>['id']>) {
  const found = await lockRow(tx, rows, seen)
  if (found.fixed) throw Fixed()
  return found
}
async function lockType(tx: Tx, seen: Seen<Type['id']>) {
  const found = await lockRow(tx, types, seen)
  if (found.fixed) throw Fixed()
  return found
}
const typeShown = onlyFields(DictionaryType)
/** The entry as it is now; pages that show it hear of it. */
async function changed(tx: Tx, id: string) {
  const made = (await find(tx, entries, id))!
  await tell(tx, dictionaryTopic, { ids: [made.categoryEn] })
  return made
}
