import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  empty,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  type Schema,
  shaped,
  text,
  treeOf,
  whole,
  yes,
} from '../../../platform/contract/field.ts'

/** A name that people read. It never becomes a path; a name that looks like one is refused all the same. */
const NAME = '^[^\\u0000-\\u001f\\u007f/\\\\]+$'
export const NAME_MAX = 100
const name = (zh: string, en: string) => text(zh, en, { max: NAME_MAX, pattern: NAME })
const bytes = (zh: string, en: string) => whole(zh, en, { max: Number.MAX_SAFE_INTEGER })
type FolderId = 'FolderId'
const remark = orNone(text('备注', 'Remark', { max: 500 }))

/** Folders within folders, no deeper than people can follow. */
export const DEPTH_MAX = 12
export const FOLDERS_MAX = 5_000
export const ANNEXES_MAX = 20
/** The most bytes of attachments, bin included, that one person may keep here. */
export const PERSON_BYTES_MAX = 1024 ** 3
/** Files in one tree; beyond that the lists show them by the page. */
export const TREE_FILES_MAX = 2_000

const Made = {
  authorId: orNone(text('创建人编号', 'Created by (id)')),
  authorName: text('创建人', 'Created by'),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
}
export const Folder = entity(['文件夹', 'Folder'], {
  id: id<FolderId>(),
  parentId: orNone(id<FolderId>('上级文件夹', 'Parent folder')),
  name: name('文件夹名称', 'Folder name'),
  remark,
  ...Made,
})
/** An attachment: one stored file, under the name that a person sees and downloads it by. */
export const Annexe = entity(['附件', 'Attachment'], {
  id: id<'AnnexeId'>(),
  name: name('附件名称', 'Attachment name'),
  fileName: text('存储名', 'Stored as', { max: 100 }),
  type: text('类型', 'Type', { max: 200 }),
  bytes: bytes('大小', 'Size'),
  authorName: text('上传人', 'Uploaded by'),
  createdAt: instant('上传时间', 'Uploaded at'),
})
/** A file as the screens show it: its name and its folder; its bytes are in its attachments. */
export const Document = entity(['文件', 'File'], {
  id: id<'DocumentId'>(),
  dirId: orNone(id<FolderId>('文件夹', 'Folder')),
  name: name('文件名称', 'File name'),
  remark,
  ...Made,
})
export const DocumentRow = entity({
  ...Document.properties,
  dirPath: text('位置', 'Location', { min: 0, max: 2000 }),
  annexes: shaped('附件', 'Attachments', listOf(Annexe)),
  bytes: bytes('大小', 'Size'),
})
export const documentSearch = searchOf(
  Document,
  { name: 'contains', authorName: 'equals', updatedAt: 'between' },
  { sort: ['updatedAt', 'name', 'createdAt'] },
)
/** A folder with those below it; `files` are its own, `allFiles` those below it too. */
export interface FolderNode {
  id: string
  parentId: string | null
  name: string
  remark: string | null
  authorName: string
  authorId: string | null
  version: number
  files: number
  allFiles: number
  children: FolderNode[]
}
const node = {
  id: id<FolderId>(),
  parentId: orNone(id<FolderId>('上级文件夹', 'Parent folder')),
  name: name('文件夹名称', 'Folder name'),
  remark,
  authorName: Made.authorName,
  authorId: Made.authorId,
  version: Made.version,
  files: whole('文件数', 'Files'),
  allFiles: whole('全部文件数', 'Files, all levels'),
}
export const FolderNodes: Schema<FolderNode[]> = treeOf(node)
/** Folders and files as one tree. `isFile` says which. */
export interface TreeNode {
  id: string
  name: string
  isFile: boolean
  children: TreeNode[]
}
const TreeNodes: Schema<TreeNode[]> = treeOf({ id: node.id, name: node.name, isFile: yes('是文件', 'Is a file') })

export const Usage = entity({
  used: bytes('已用', 'Used'),
  most: bytes('个人容量', 'Personal quota'),
  files: whole('我的附件数', 'My attachments'),
})

const dirId = id<FolderId>('文件夹', 'Folder')
const toDirId = orNone(id<FolderId>('目标文件夹', 'Target folder'))
const ids = shaped('文件', 'Files', listOf(Document.properties.id, { max: 200 }))
const binnedIds = shaped('已删除', 'Deleted', listOf(id<'BinnedId'>(), { max: 200 }))
/** The name that `system.file.upload` answered. */
const fileName = text('上传的文件', 'Uploaded file', { max: 200 })
const view = 'system:file:view'
const edit = 'system:file:edit'
const write = { service: 'basic', needs: edit, writes: true } as const
const read = { service: 'basic', needs: view } as const

export const document = {
  addAnnexe: call('system.file.add-annexe', {
    ...write,
    post: '/sysFile/addAnnexe',
    does: ['新增附件', 'Added an attachment'],
    body: message({ id: Document.properties.id, fileName }, { name: Annexe.properties.name }),
    reply: DocumentRow,
  }),
  addFile: call('system.file.add-file', {
    ...write,
    post: '/sysFile/addFile',
    does: ['新增文件', 'Added a file'],
    body: message(
      { name: Document.properties.name },
      {
        dirId: orNone(dirId),
        remark,
        annexes: shaped('附件', 'Attachments', listOf(message({ fileName }, { name: Annexe.properties.name }), { max: ANNEXES_MAX })),
      },
    ),
    reply: DocumentRow,
  }),
  addFolder: call('system.file.add-folder', {
    ...write,
    post: '/sysFile/addFolder',
    does: ['新增文件夹', 'Added a folder'],
    body: message({ name: Folder.properties.name }, { parentId: Folder.properties.parentId, remark }),
    reply: Folder,
  }),
  deleteAnnexes: call('system.file.delete-annexe-by-ids', {
    ...write,
    post: '/sysFile/deleteAnnexeByIds',
    does: ['删除附件', 'Deleted attachments'],
    body: message({ annexeIds: shaped('附件', 'Attachments', listOf(Annexe.properties.id, { max: 200 })) }),
    reply: nothing,
  }),
  deleteByIds: call('system.file.delete-by-ids', {
    ...write,
    post: '/sysFile/deleteByIds',
    does: ['批量删除文件', 'Deleted files'],
    form: message({ ids }),
    reply: nothing,
  }),
  getDirTree: call('system.file.get-dir-tree', { ...read, post: '/sysFile/getDirTree', body: empty, reply: FolderNodes }),
  getDirs: call('system.file.get-dirs', { ...read, post: '/sysFile/getDirs', body: message({}, { dirId: orNone(dirId) }), reply: listOf(Folder) }),
  /** The files of one folder; of the folders below it too with `deep`; of all without a folder. */
  getList: call('system.file.get-list', {
    ...read,
    post: '/sysFile/getList',
    body: paged(documentSearch, { dirId: orNone(dirId), deep: yes('含下级', 'Include subfolders') }),
    reply: pageOf(DocumentRow),
  }),
  getTree: call('system.file.get-tree', { ...read, post: '/sysFile/getTree', body: empty, reply: TreeNodes }),
  moveDir: call('system.file.move-dir-to-dir', {
    ...write,
    post: '/sysFile/moveDirToDir',
    does: ['移动文件夹', 'Moved a folder'],
    body: message({ dirId, toDirId }),
    reply: Folder,
  }),
  moveFiles: call('system.file.move-file-to-dir', {
    ...write,
    post: '/sysFile/moveFileToDir',
    does: ['移动文件', 'Moved a file'],
    body: message({ ids, toDirId }),
    reply: nothing,
  }),
  updateAnnexe: call('system.file.update-annexe', {
    ...write,
    post: '/sysFile/updateAnnexe',
    does: ['修改附件', 'Changed an attachment'],
    body: message({ annexeId: Annexe.properties.id, name: Annexe.properties.name }),
    reply: DocumentRow,
  }),
  updateFile: call('system.file.update-file', {
    ...write,
    post: '/sysFile/updateFile',
    does: ['修改文件', 'Changed a file'],
    body: message({ id: Document.properties.id, version: Document.properties.version }, { name: Document.properties.name, remark }),
    reply: DocumentRow,
  }),
  updateFolder: call('system.file.update-folder', {
    ...write,
    post: '/sysFile/updateFolder',
    does: ['修改文件夹', 'Changed a folder'],
    body: message({ dirId, version: Folder.properties.version }, { name: Folder.properties.name, remark }),
    reply: Folder,
  }),
  deleteFolder: call('system.file.delete-folder', {
    ...write,
    delete: '/sysFile/deleteFolder',
    does: ['删除文件夹', 'Deleted a folder'],
    query: message({ dirId }),
    reply: nothing,
  }),
  getInfo: call('system.file.get-info', {
    ...read,
    own: true,
    get: '/sysFile/getInfo',
    query: message({ id: Document.properties.id }),
    reply: DocumentRow,
  }),
  usage: call('system.file.get-usage', { ...read, own: true, get: '/sysFile/getUsage', query: message({}), reply: Usage }),
  /** Deletes files and folders in the bin for good, by their own ids, which frees their room at once. */
  purge: call('system.file.purge', {
    service: 'basic',
    needs: 'system:file:manage',
    writes: true,
    own: true,
    post: '/sysFile/purge',
    does: ['彻底删除文件', 'Permanently deleted files'],
    body: message({ binnedIds }),
    reply: nothing,
  }),
}
