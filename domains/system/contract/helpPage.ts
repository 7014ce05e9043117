import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  attachments,
  dictionary,
  empty,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  ref,
  rich,
  text,
  upload,
  whole,
  yes,
} from '../../../platform/contract/field.ts'

export const HelpState = dictionary('help_page_state', ['文档状态', 'Page status'], {
  draft: [0, '草稿', 'Draft', 'default'],
  published: [1, '已发布', 'Published', 'success'],
})
/** A page of the help, in both languages; a page without words of its own is a chapter. */
export const HelpPage = entity(['帮助文档', 'Help page'], {
  id: id<'HelpPageId'>(),
  parentId: orNone(ref<'HelpPageId'>('上级', 'Parent')),
  title: text('标题', 'Title', { max: 100 }),
  titleEn: text('英文标题', 'English title', { max: 150 }),
  content: rich('正文', 'Text', { min: 0 }),
  contentEn: rich('英文正文', 'English text', { min: 0 }),
  /** The page of the console that it explains: the help opens there. */
  screen: orNone(text('对应页面', 'Linked page', { max: 120, pattern: '^/[\\w/-]*$' })),
  sort: whole('排序', 'Sort order', { min: 0, max: 99_999 }),
  state: among('状态', 'Status', HelpState),
  attachments: attachments('附件', 'Attachments'),
  authorName: text('作者', 'Author'),
  version: whole('版本', 'Version'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const helpSearch = searchOf(
  HelpPage,
  { title: 'contains', titleEn: 'contains', state: 'among', screen: 'startsWith', parentId: 'equals', authorName: 'equals' },
  { sort: ['updatedAt'] },
)
/** A page as it is read: its author is named to the people of the platform only. */
export const HelpRead = entity({ ...HelpPage.properties, authorName: orNone(text('作者', 'Author')) })
/** A line of the tree. */
export const HelpNode = entity({
  ...pick(HelpPage, 'id', 'parentId', 'title', 'titleEn', 'screen', 'sort', 'state').properties,
  hasText: yes('有正文', 'Has text'),
})

const WRITTEN = ['parentId', 'content', 'contentEn', 'screen', 'sort', 'state', 'attachments'] as const
const view = 'system:help:view'
const signedIn = { service: 'business', needs: 'signed-in', own: true } as const
const edit = { service: 'business', needs: 'system:help:edit', writes: true } as const
export const helpPage = {
  selectPage: call('system.document.select-page', {
    service: 'business',
    post: '/system/selectSystemDocumentInfoPage',
    needs: view,
    body: paged(helpSearch),
    reply: pageOf(HelpPage),
  }),
  /** Returns the pages that everybody reads: published ones in their order, and drafts too for people who write. */
  tree: call('system.helpPage.tree', { ...signedIn, forPrograms: true, get: '/system/documentTree', query: empty, reply: listOf(HelpNode) }),
  read: call('system.helpPage.read', { ...signedIn, forPrograms: true, get: '/system/documentInfo', query: pick(HelpPage, 'id'), reply: HelpRead }),
  add: call('system.document.add', {
    ...edit,
    post: '/system/addDocumentInfo',
    does: ['新增帮助文档', 'Added a help page'],
    body: pickSome(HelpPage, ['title', 'titleEn'], WRITTEN),
    reply: HelpPage,
  }),
  update: call('system.helpPage.update', {
    ...edit,
    post: '/system/updateDocumentInfo',
    own: true,
    does: ['修改帮助文档', 'Changed a help page'],
    body: pickSome(HelpPage, ['id', 'version'], ['title', 'titleEn', ...WRITTEN]),
    reply: HelpPage,
  }),
  delete: call('system.document.delete', {
    ...edit,
    post: '/system/deleteSystemDocumentInfo',
    does: ['删除帮助文档', 'Deleted a help page'],
    body: pick(HelpPage, 'id', 'version'),
    reply: nothing,
  }),
  /** Uploads a picture for the text or a file beside it; open to every reader of the help, of whatever enterprise. */
  uploadFile: call('system.document.upload-file', {
    ...edit,
    post: '/system/uploadFile',
    does: ['上传附件', 'Uploaded a file'],
    multipart: message({ file: upload('文件', 'File') }),
    reply: message({ url: text('地址', 'Address', { max: 300 }), fileName: text('文件名', 'File name', { max: 200 }) }),
  }),
  file: call('system.helpPage.file', {
    forPrograms: true,
    ...signedIn,
    get: '/system/documentFile',
    file: true,
    query: message({ fileName: text('文件名', 'File name', { max: 100 }) }),
    reply: nothing,
  }),
}
