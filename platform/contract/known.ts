import { call } from './call.ts'
import { account, among, dictionary, entity, fen, instant, listOf, message, orNone, personal, shaped, text, yes } from './field.ts'
import { FIND_MIN } from './records.ts'

/** The kind of text that was typed; it decides which records are searched. */
export const SoughtKind = dictionary('sought_kind', ['查询类型', 'Search type'], {
  plate: [1, '车牌', 'Plate'],
  phone: [2, '手机号', 'Phone'],
  code: [3, '编号', 'Number or code'],
})
/** One record that has to do with it. `path` is where the console shows it; none: this line is all there is of it. */
export const Fact = entity({
  key: text('编号', 'Key', { max: 200 }),
  title: account('名称', 'Title', { max: 200 }),
  zh: account('中文说明', 'Description (Chinese)', { max: 400 }),
  en: account('英文说明', 'In English', { max: 600 }),
  phone: orNone(personal('phone', text('手机号', 'Phone', { max: 64 }))),
  at: orNone(instant('时间', 'When')),
  amountFen: orNone(fen('金额', 'Amount')),
  path: orNone(text('地址', 'Address', { max: 400 })),
})
export const Facts = entity({
  source: text('来源', 'Source', { max: 64 }),
  sourceZh: text('来源名称', 'Source in Chinese'),
  sourceEn: text('来源英文名称', 'Source in English'),
  facts: shaped('记录', 'Records', listOf(Fact)),
  /** There are older ones. */
  more: yes('还有更多', 'There are more'),
})
/** So many of one kind are a page; the rest are in its list. */
export const FACTS_MOST = 20
/** A longer text is not the number of any record. */
const WORDS_MOST = 64

export const known = {
  /** All that is known of one plate, telephone, order number, device or berth. Each kind of record asks for the capability of its own list. */
  show: call('platform.known.show', {
    forPrograms: true,
    service: 'basic',
    post: '/record/known',
    needs: 'signed-in',
    own: true,
    heavy: true,
    body: message({ words: text('关键词', 'Search for', { min: FIND_MIN, max: WORDS_MOST }) }),
    reply: message({
      kind: among('查询类型', 'Search type', SoughtKind),
      groups: shaped('记录', 'Records', listOf(Facts)),
    }),
  }),
}
