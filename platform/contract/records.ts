import { call, paged, pageOf, searchOf } from './call.ts'
import { account, anything, empty, entity, id, instant, listOf, message, nothing, orNone, type Schema, shaped, text, whole } from './field.ts'

/** One change of a record, of which only what became different: fields by their names in the contract, links by what they lead to. */
export interface FieldChange {
  name: string
  before: unknown
  after: unknown
}
export interface LinkChange {
  label: readonly [zh: string, en: string]
  added: string[]
  removed: string[]
}
export const RecordChange = entity({
  id: id<'ChangeId'>(),
  at: instant('时间', 'When'),
  /** Nobody: a person of the platform changed what all enterprises read, and another enterprise looks. */
  authorName: orNone(text('操作人', 'Who')),
  via: text('操作', 'Through'),
  event: text('动作', 'Action'),
  reason: orNone(account('原因', 'Reason', { max: 500 })),
  requestId: orNone(text('请求号', 'Request')),
  fields: shaped<FieldChange[]>('字段', 'Fields', listOf(anything) as Schema<never>),
  links: shaped<LinkChange[]>('关联', 'Links', listOf(anything) as Schema<never>),
})

/** Something that a few typed signs led to. `path` is where the console shows it. */
export const Hit = entity({
  kind: text('类型', 'Type'),
  kindZh: text('类型', 'Type'),
  kindEn: text('类型', 'Type in English'),
  key: text('编号', 'Key', { max: 200 }),
  title: text('名称', 'Title', { max: 200 }),
  detail: text('说明', 'Detail', { min: 0, max: 300 }),
  path: text('地址', 'Address', { max: 400 }),
})
/** A deleted row that can still be brought back. */
export const Deleted = entity({
  id: id<'DeletedId'>(),
  kind: text('类型', 'Type', { max: 64 }),
  rowKey: text('编号', 'Key', { max: 200 }),
  title: text('名称', 'Name', { max: 200 }),
  at: instant('删除时间', 'Deleted'),
  authorName: text('删除人', 'Deleted by'),
})
/** For so long. */
export const BIN_DAYS = 30
export const deletedSearch = searchOf(Deleted, { kind: 'among', title: 'startsWith', at: 'between' }, { sort: ['at'] })
/** A kind of row that goes to the bin, in words. */
export const BinKind = entity({ kind: text('类型', 'Type', { max: 64 }), zh: text('名称', 'Name'), en: text('英文名称', 'English name') })

/** Fewer signs would find half the city. */
export const FIND_MIN = 2

const kind = text('类型', 'Type', { max: 64 })
const key = text('编号', 'Key', { max: 200 })

const signedIn = { service: 'basic', needs: 'signed-in', own: true } as const
const view = { service: 'basic', needs: 'system:bin:view', own: true } as const
/** Calls for a record of any kind. The domains declare the kinds; each kind needs the permission of its own list. */
export const records = {
  history: call('platform.record.history', {
    forPrograms: true,
    ...signedIn,
    post: '/record/history',
    body: message({ kind, key }),
    // `names` says what the ids among the values are called now.
    reply: message({
      changes: listOf(RecordChange),
      more: shaped<boolean>('还有更早的', 'Earlier ones exist', {}),
      names: shaped<Record<string, string>>('名称', 'Names', {}),
    }),
  }),
  find: call('platform.record.find', {
    forPrograms: true,
    ...signedIn,
    post: '/record/find',
    body: message({ words: text('关键词', 'Search for', { min: FIND_MIN, max: 40 }) }),
    reply: listOf(Hit),
  }),
}

/** The deeds of all calls in words; logs and histories store only the call's id. */
export const deeds = {
  all: call('platform.call.deeds', {
    forPrograms: true,
    ...signedIn,
    get: '/call/deeds',
    query: empty,
    reply: message({ deeds: shaped<Record<string, readonly [zh: string, en: string]>>('操作', 'Actions', {}) }),
  }),
}

export const bin = {
  query: call('platform.bin.query', { ...view, post: '/bin/query', body: paged(deletedSearch), reply: pageOf(Deleted) }),
  kinds: call('platform.bin.kinds', { ...view, get: '/bin/kinds', query: message({}), reply: listOf(BinKind) }),
  /** Users who may delete such a row may restore it. `lost`: ties that could not be restored, because their other end is gone. */
  restore: call('platform.bin.restore', {
    ...signedIn,
    post: '/bin/restore',
    writes: true,
    does: ['恢复', 'Restored'],
    body: message({ id: Deleted.properties.id }),
    reply: message({ lost: whole('未能恢复的关联', 'Links not restored') }),
  }),
  /** The same, by the row itself: undoing a deletion of a moment ago. */
  undo: call('platform.bin.undo', {
    ...signedIn,
    post: '/bin/undo',
    writes: true,
    does: ['撤销删除', 'Undid a deletion'],
    body: message({ kind, key }),
    reply: nothing,
  }),
}
