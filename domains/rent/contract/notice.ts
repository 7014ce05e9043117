import { call, paged, pageOf, posted, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  attachments,
  day,
  dictionary,
  entity,
  id,
  instant,
  message,
  orNone,
  pick,
  rowFields,
  shaped,
  text,
} from '../../../platform/contract/field.ts'
import { TollType } from '../../roadside/contract/tollType.ts'
import { Project, type ProjectId, Terms, projectName } from './project.ts'

export const NoticeType = dictionary('rent_notice_type', ['公告类型', 'Notice type'], {
  letting: [1, '招租', 'Letting'],
  correction: [2, '更正', 'Correction'],
  award: [3, '中标公示', 'Award'],
  failed: [4, '流标', 'No award'],
  termination: [5, '终止', 'Termination'],
})
export const NoticeState = dictionary('rent_notice_state', ['公告状态', 'Notice status'], {
  draft: [0, '草稿', 'Draft'],
  published: [1, '已发布', 'Published', 'success'],
  withdrawn: [2, '撤回', 'Withdrawn', 'warning'],
})
/** Types of notices that a person writes: the procedure itself writes awards, failures and terminations. */
export const WrittenType = dictionary('rent_notice_written', ['公告类型', 'Notice type'], {
  letting: [1, '招租', 'Letting'],
  correction: [2, '更正', 'Correction'],
})
/** A public notice about a project. */
export const RentNotice = entity(['招租公告', 'Rental notice'], {
  ...rowFields<'RentNoticeId'>(),
  projectId: id<ProjectId>('项目', 'Project'),
  parkCode: Project.properties.parkCode,
  type: among('公告类型', 'Type', NoticeType),
  title: text('标题', 'Title', { max: 120 }),
  content: text('正文', 'Text', { max: 20_000 }),
  files: attachments('附件', 'Files'),
  terms: orNone(shaped('更正为', 'Corrected to', Terms)),
  termsWere: orNone(shaped('更正前', 'Before', Terms)),
  publishAt: orNone(instant('发布时间', 'Published at')),
  showTo: day('展示至', 'Shown until'),
  tollType: orNone(among('通知人员类型', 'Staff type notified', TollType)),
  tollNos: orNone(text('通知工号', 'Staff numbers notified', { max: 500 })),
  state: among('状态', 'Status', NoticeState),
  makerId: orNone(id<'PersonId'>('拟稿人编号', 'Written by (id)')),
  makerName: text('拟稿人', 'Written by'),
  publisherName: orNone(text('发布人', 'Published by')),
  withdrawnWhy: orNone(text('撤回原因', 'Reason for withdrawal', { max: 200 })),
})
export const NoticeLine = entity({ ...RentNotice.properties, projectNo: Project.properties.projectNo, projectName })
export const noticeSearch = searchOf(
  NoticeLine,
  {
    id: 'equals',
    projectId: 'equals',
    projectNo: 'equals',
    projectName: 'contains',
    type: 'among',
    state: 'among',
    title: 'contains',
    parkCode: 'equals',
    tollType: 'equals',
    tollNos: 'equals',
    publishAt: 'between',
    showTo: 'between',
  },
  { sort: ['createdAt'] },
)
const one = pick(RentNotice, 'id', 'version').properties
const more = pick(RentNotice, 'files', 'showTo', 'tollType', 'tollNos').properties
const edit = { service: 'business', needs: 'rent:notice:edit', writes: true } as const
const decide = { service: 'business', needs: 'rent:notice:publish', writes: true, own: true } as const
const del = call('rent.notice.del', {
  ...edit,
  get: '/rentNotices/del',
  does: ['删除公告草稿', 'Deleted a draft notice'],
  query: message(one),
  reply: message({}),
})
const type = among('公告类型', 'Type', WrittenType)
const view = { service: 'business', needs: 'rent:notice:view' } as const
export const notice = {
  /** `workDate`: on show that day. `tollNos`: told to the people with these numbers. */
  query: call('rent.notice.query', {
    ...view,
    post: '/rentNotices/query',
    body: paged(noticeSearch, { workDate: day('展示日期', 'Shown on') }),
    reply: pageOf(NoticeLine),
  }),
  one: call('rent.notice.one', { ...view, own: true, post: '/rentNotices/one', body: pick(RentNotice, 'id'), reply: NoticeLine }),
  add: call('rent.notice.add', {
    ...edit,
    post: '/rentNotices/add',
    does: ['拟写招租公告', 'Wrote a notice'],
    body: message({ ...pick(RentNotice, 'projectId', 'title', 'content').properties, type }, more),
    reply: RentNotice,
  }),
  update: call('rent.notice.update', {
    ...edit,
    post: '/rentNotices/update',
    does: ['修改公告草稿', 'Changed a draft notice'],
    body: message(one, { ...pick(RentNotice, 'title', 'content').properties, ...more }),
    reply: RentNotice,
  }),
  del,
  delPost: posted('rent.notice.del-post', del),
  /** By another than who wrote it; the first of a project announces it, and a correction of its terms holds from now on. */
  publish: call('rent.notice.publish', {
    ...decide,
    post: '/rentNotices/publish',
    does: ['发布公告', 'Published a notice'],
    body: message(one),
    reply: RentNotice,
  }),
  withdraw: call('rent.notice.withdraw', {
    ...decide,
    post: '/rentNotices/withdraw',
    does: ['撤回公告', 'Withdrew a notice'],
    body: message({ ...one, reason: text('撤回原因', 'Reason', { max: 200 }) }),
    reply: RentNotice,
  }),
}
