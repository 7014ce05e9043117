import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, id, instant, nothing, orNone, pick, text, whole } from '../../../platform/contract/field.ts'
import { anyTemplate } from '../../../platform/contract/sheet.ts'

export const ExportState = dictionary('export_state', ['导出状态', 'Export status'], {
  waiting: [1, '排队中', 'Waiting', 'default'],
  beingWritten: [2, '导出中', 'Exporting', 'warning'],
  ready: [3, '已完成', 'Ready', 'success'],
  failed: [4, '失败', 'Failed', 'error'],
  cancelled: [5, '已取消', 'Cancelled', 'default'],
})

/** A list that is written to a file in the background. It stays here for seven days; the link to it is good until `linkUntil` and is its owner's alone. */
export const ExportFile = entity({
  id: id<'ExportId'>(),
  title: text('内容', 'Content'),
  titleEn: text('英文内容', 'Content in English'),
  name: text('文件名', 'File name', { max: 200 }),
  state: among('状态', 'Status', ExportState),
  rowsDone: whole('已写行数', 'Rows written', { min: 0 }),
  rowsTotal: orNone(whole('总行数', 'Total rows', { min: 0 })),
  bytes: orNone(whole('字节', 'Bytes', { unit: 'byte', min: 0, max: Number.MAX_SAFE_INTEGER })),
  linkUntil: orNone(instant('链接有效至', 'Link valid until')),
  createdAt: instant('开始时间', 'Started at'),
  finishedAt: orNone(instant('完成时间', 'Finished at')),
})
export const exportSearch = searchOf(ExportFile, { state: 'among' }, { sort: ['createdAt'] })
const one = pick(ExportFile, 'id')

const signedIn = { service: 'basic', needs: 'signed-in', own: true } as const
export const exportFile = {
  /** The signed-in person's own. */
  queryPage: call('system.export.query-page', { ...signedIn, post: '/sysExport/queryPage', body: paged(exportSearch), reply: pageOf(ExportFile) }),
  /** Makes the link good for another day. */
  renew: call('system.export.renew', {
    ...signedIn,
    post: '/sysExport/renew',
    writes: true,
    does: ['重新生成导出', 'Regenerated an export'],
    body: one,
    reply: nothing,
  }),
  cancel: call('system.export.cancel', {
    ...signedIn,
    post: '/sysExport/cancel',
    writes: true,
    does: ['取消导出', 'Cancelled an export'],
    body: one,
    reply: nothing,
  }),
  download: call('system.export.download', {
    ...signedIn,
    does: ['下载导出文件', 'Downloaded an export'],
    get: '/sysExport/download',
    file: true,
    query: one,
    reply: nothing,
  }),
  template: anyTemplate,
}
