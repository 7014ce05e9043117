import { call } from '../../../platform/contract/call.ts'
import { entity, listOf, message, orNone, shaped, text, whole, yes } from '../../../platform/contract/field.ts'

/** One value of a dictionary. `fixed` values are the code's own closed lists: shown, never edited. */
export const DictionaryRow = entity({
  categoryEn: text('字典类型', 'Category'),
  item: text('类型名称', 'Category name'),
  ival: whole('编码', 'Code'),
  cval: text('中文', 'Chinese'),
  itemEn: text('英文', 'English'),
  tone: orNone(text('色调', 'Tone', { max: 16 })),
  fixed: yes('系统内置', 'Built in'),
})
/** A category with its values. An unknown one answers with the name 未配置字典类型 and no values. */
export const DictionaryGroup = entity({
  categoryEn: text('字典类型', 'Category'),
  item: text('类型名称', 'Category name'),
  itemEn: text('英文名称', 'English name'),
  systemDictionaryVOList: shaped('字典项', 'Values', listOf(DictionaryRow)),
})

/** Categories in one question. */
export const CATEGORIES_MAX = 200
export const dictionary = {
  list: call('system.dictionary.list', {
    service: 'basic',
    get: '/tDictionary/list',
    needs: 'signed-in',
    query: message({}, { categoryEn: shaped('字典类型', 'Categories', listOf(text('字典类型', 'Category', { max: 64 }), { max: CATEGORIES_MAX })) }),
    reply: listOf(DictionaryGroup),
  }),
}
