import { allDictionaries } from '../../../platform/contract/field.ts'
import { serve } from '../../../platform/server/serve.ts'
import { dictionary, type DictionaryGroup, type DictionaryRow } from '../contract/dictionary.ts'
import './tables.ts'

type Group = (typeof DictionaryGroup)['~unsafe']
type Value = (typeof DictionaryRow)['~unsafe']

/** What a category is called that nobody has set up. */
const UNKNOWN = '未配置字典类型'
const UNKNOWN_EN = 'This dictionary is not set up'

export const calls = serve(dictionary, {
  async list({ tx, input: { categoryEn } }) {
    const rows = await tx
      .selectFrom('system.dictionaryRow')
      .select(['categoryEn', 'item', 'categoryNameEn', 'ival', 'cval', 'itemEn', 'tone'])
      .$if(categoryEn !== undefined, (of) => of.where('categoryEn', 'in', categoryEn!.length ? categoryEn! : ['']))
      .orderBy('categoryEn')
      .orderBy('sort')
      .orderBy('ival')
      .execute()
    const groups = new Map<string, Group>(builtIn().map((group) => [group.categoryEn, group]))
    for (const { categoryNameEn, ...row } of rows) {
      const group = groups.get(row.categoryEn) ?? { categoryEn: row.categoryEn, item: row.item, itemEn: categoryNameEn, systemDictionaryVOList: [] }
      // The code's own values win: a row of the same code would say something that the server does not do.
      if (!group.systemDictionaryVOList.some(({ ival }) => ival === row.ival)) group.systemDictionaryVOList.push({ ...row, fixed: false })
      groups.set(row.categoryEn, group)
    }
    const wanted = categoryEn ?? [...groups.keys()].sort()
    return wanted.map((name) => groups.get(name) ?? { categoryEn: name, item: UNKNOWN, itemEn: UNKNOWN_EN, systemDictionaryVOList: [] })
  },
})

const builtIn = (): Group[] =>
  allDictionaries().map(({ name, label: [zh, en], entries }) => ({
    categoryEn: name,
    item: zh,
    itemEn: en,
    systemDictionaryVOList: Object.entries(entries).map(([ival, [cval, itemEn, tone]]): Value => ({
      categoryEn: name,
      item: zh,
      ival: Number(ival),
      cval,
      itemEn,
      tone: tone ?? null,
      fixed: true,
    })),
  }))
