import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary as closedList,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'

/** An entry that is out of use is offered no more; records that hold its code still show its name. */
export const EntryStatus = closedList('dictionary_entry_status', ['字典项状态', 'Dictionary entry status'], {
  inUse: [1, '启用', 'In use', 'success'],
  outOfUse: [2, '停用', 'Out of use', 'warning'],
})
const categoryEn = text('类型编码', 'Type code', { max: 64, pattern: '^[A-Za-z][A-Za-z0-9_]*$' })
const cval = text('中文名称', 'Chinese name', { max: 64 })
const itemEn = text('英文名称', 'English name', { max: 64 })
const tone = orNone(text('色调', 'Tone', { max: 16, pattern: '^(success|warning|error|default)$' }))
const fixed = yes('系统内置', 'Built in')

/** One value of a dictionary as pages read it. `fixed` values are the code's own closed lists: shown, never edited. */
export const DictionaryRow = entity({
  categoryEn,
  item: text('类型名称', 'Type'),
  ival: whole('编码', 'Code'),
  cval,
  itemEn,
  tone,
  status: among('状态', 'Status', EntryStatus),
  fixed,
})
/** A type with its values. An unknown one answers with the name 未配置字典类型 and no values. */
export const DictionaryGroup = entity({
  categoryEn,
  item: text('类型名称', 'Type'),
  itemEn,
  systemDictionaryVOList: shaped('字典项', 'Entries', listOf(DictionaryRow)),
})

export const DictionaryType = entity(['字典类型', 'Dictionary type'], {
  id: id<'DictionaryTypeId'>(),
  categoryEn,
  item: text('类型名称', 'Type name', { max: 64 }),
  itemEn,
  fixed,
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
})
export const DictionaryNode = entity({ ...DictionaryType.properties, systemDictionaryVOList: shaped('字典项', 'Entries', listOf(DictionaryRow)) })

export const DictionaryEntry = entity(['字典项', 'Dictionary entry'], {
  id: id<'DictionaryEntryId'>(),
  categoryEn,
  item: text('类型名称', 'Type'),
  ival: whole('编码', 'Code'),
  cval,
  itemEn,
  tone,
  sort: whole('排序', 'Sort order', { min: 0, max: 99_999 }),
  status: among('状态', 'Status', EntryStatus),
  fixed,
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  updatedAt: instant('更新时间', 'Updated at'),
  /** Orders entries as people read them: people's own types first, type by type, each in its own order. */
  place: text('次序', 'Position', { max: 120 }),
})
const { place: _, ...shown } = DictionaryEntry.properties
/** An entry as it is read: its place is how the list is ordered, and nobody's business. */
export const DictionaryRecord = entity(shown)
export const dictionarySearch = searchOf(
  DictionaryEntry,
  { categoryEn: 'equals', item: 'contains', cval: 'contains', itemEn: 'contains', ival: 'equals', status: 'among', fixed: 'equals' },
  { sort: ['place'], ascending: true },
)

/** Types in one question. */
export const CATEGORIES_MAX = 200
const view = { service: 'basic', needs: 'system:dictionary:view' } as const
const edit = { service: 'basic', needs: 'system:dictionary:edit', writes: true } as const
export const dictionary = {
  list: call('system.dictionary.list', {
    forPrograms: true,
    service: 'basic',
    get: '/tDictionary/list',
    needs: 'signed-in',
    query: message({}, { categoryEn: shaped('字典类型', 'Types', listOf(text('字典类型', 'Type', { max: 64 }), { max: CATEGORIES_MAX })) }),
    reply: listOf(DictionaryGroup),
  }),
  tree: call('system.dictionary.tree', { ...view, get: '/tDictionary/tree', query: message({}), reply: listOf(DictionaryNode) }),
  select: call('system.dictionary.select', { ...view, post: '/tDictionary/select', body: paged(dictionarySearch), reply: pageOf(DictionaryRecord) }),
  /** Whether a type's code is taken or, with `cval`, a name within the type; `id` is the entry that is being edited. */
  checkName: call('system.dictionary.check-name', {
    ...view,
    get: '/tDictionary/checkName',
    query: message({ categoryEn }, { cval, id: DictionaryEntry.properties.id }),
    reply: message({ taken: yes('已被使用', 'In use') }),
  }),
  add: call('system.dictionary.add', {
    ...edit,
    post: '/tDictionary/add',
    does: ['新增字典项', 'Added a dictionary entry'],
    body: pickSome(DictionaryEntry, ['categoryEn', 'ival', 'cval', 'itemEn'], ['tone', 'sort', 'status', 'remark']),
    reply: DictionaryEntry,
  }),
  /** The code stays: records hold it. */
  update: call('system.dictionary.update', {
    ...edit,
    post: '/tDictionary/update',
    does: ['修改字典项', 'Changed a dictionary entry'],
    body: pickSome(DictionaryEntry, ['id', 'version'], ['cval', 'itemEn', 'tone', 'sort', 'status', 'remark']),
    reply: DictionaryEntry,
  }),
  delete: call('system.dictionary.delete', {
    ...edit,
    delete: '/tDictionary/delete',
    does: ['删除字典项', 'Deleted a dictionary entry'],
    query: pick(DictionaryEntry, 'id'),
    reply: nothing,
  }),
  addType: call('system.dictionary.add-type', {
    ...edit,
    post: '/tDictionary/addType',
    own: true,
    does: ['新增字典类型', 'Added a dictionary type'],
    body: pickSome(DictionaryType, ['categoryEn', 'item', 'itemEn'], ['remark']),
    reply: DictionaryType,
  }),
  updateType: call('system.dictionary.update-type', {
    ...edit,
    post: '/tDictionary/updateType',
    own: true,
    does: ['修改字典类型', 'Changed a dictionary type'],
    body: pickSome(DictionaryType, ['id', 'version'], ['item', 'itemEn', 'remark']),
    reply: DictionaryType,
  }),
  deleteType: call('system.dictionary.delete-type', {
    ...edit,
    delete: '/tDictionary/deleteType',
    own: true,
    does: ['删除字典类型', 'Deleted a dictionary type'],
    query: pick(DictionaryType, 'id'),
    reply: nothing,
  }),
}
