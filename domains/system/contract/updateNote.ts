import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  empty,
  entity,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  pick,
  pickSome,
  rich,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'

export const NoteState = dictionary('update_note_state', ['更新说明状态', 'Release note status'], {
  draft: [0, '草稿', 'Draft', 'default'],
  published: [1, '已发布', 'Published', 'success'],
  withdrawn: [2, '已撤回', 'Withdrawn', 'warning'],
})
export const noteCan = moves(NoteState, { publish: { 0: 1, 2: 1 }, withdraw: { 1: 2 } })

/** A release's changes of the console. */
export const UpdateNote = entity(['更新说明', 'Release note'], {
  id: id<'UpdateNoteId'>(),
  release: text('版本号', 'Release', { max: 20 }),
  title: text('标题', 'Title', { max: 100 }),
  titleEn: text('英文标题', 'English title', { max: 150 }),
  content: rich('内容', 'Text'),
  contentEn: rich('英文内容', 'English text', { min: 0 }),
  publishAt: instant('发布时间', 'Published at'),
  state: among('状态', 'Status', NoteState),
  authorName: text('作者', 'Author'),
  version: whole('版本', 'Version'),
  updatedAt: instant('更新时间', 'Updated at'),
})
/** `seen` counts the readers of one's own enterprise. */
export const UpdateNoteNow = entity({ ...UpdateNote.properties, seen: whole('已读人数', 'Read by') })
export const updateNoteSearch = searchOf(
  UpdateNote,
  { title: 'contains', release: 'equals', state: 'among', publishAt: 'between' },
  { sort: ['publishAt'] },
)
/** As many at once as a person reads. */
export const UNSEEN_MAX = 5
export const ReadNote = pick(UpdateNote, 'id', 'release', 'title', 'titleEn', 'content', 'contentEn', 'publishAt')

const view = { service: 'business', needs: 'system:update-info:view' } as const
const edit = { service: 'business', needs: 'system:update-info:edit', writes: true } as const
const signedIn = { service: 'business', needs: 'signed-in', own: true } as const
export const updateInfo = {
  selectPage: call('system.update-info.select-page', {
    ...view,
    post: '/system/selectSystemUpdateInfoPage',
    body: paged(updateNoteSearch),
    reply: pageOf(UpdateNoteNow),
  }),
  detail: call('system.update-info.detail', {
    ...view,
    get: '/system/systemUpdateInfo',
    own: true,
    query: pick(UpdateNote, 'id'),
    reply: UpdateNoteNow,
  }),
  add: call('system.update-info.add', {
    ...edit,
    post: '/system/addSystemUpdateInfo',
    does: ['新增更新说明', 'Added release notes'],
    body: pickSome(UpdateNote, ['release', 'title', 'titleEn', 'content'], ['contentEn', 'publishAt']),
    reply: UpdateNote,
  }),
  update: call('system.update-info.update', {
    ...edit,
    post: '/system/updateSystemUpdateInfo',
    does: ['修改更新说明', 'Changed release notes'],
    body: pickSome(UpdateNote, ['id', 'version'], ['release', 'title', 'titleEn', 'content', 'contentEn', 'publishAt']),
    reply: UpdateNote,
  }),
  /** Published at its time, at once when that is past; withdrawn it is shown to nobody. */
  move: call('system.update-info.move', {
    ...edit,
    post: '/system/updateSystemUpdateInfoState',
    own: true,
    does: ['变更更新说明状态', 'Changed a release note’s status'],
    body: pick(UpdateNote, 'id', 'version', 'state'),
    reply: UpdateNote,
  }),
  delete: call('system.update-info.delete', {
    ...edit,
    post: '/system/deleteSystemUpdateInfoPage',
    does: ['删除更新说明', 'Deleted release notes'],
    body: pick(UpdateNote, 'id', 'version'),
    reply: nothing,
  }),
  /** Published notes that I have not seen, the newest first; none when they are switched off, and none from before I first signed in. */
  unseen: call('system.update-info.unseen', { ...signedIn, get: '/system/unseenUpdateInfo', query: empty, reply: listOf(ReadNote) }),
  /** The last published ones, seen or not, for the help. */
  published: call('system.update-info.published', {
    ...signedIn,
    forPrograms: true,
    get: '/system/publishedUpdateInfo',
    query: empty,
    reply: listOf(ReadNote),
  }),
  seen: call('system.update-info.seen', {
    ...signedIn,
    post: '/system/seenUpdateInfo',
    writes: true,
    logged: false,
    does: ['看过更新说明', 'Viewed release notes'],
    body: message({ ids: shaped('说明', 'Notes', listOf(UpdateNote.properties.id, { max: 100 })) }),
    reply: nothing,
  }),
}
