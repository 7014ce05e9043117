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
  orNone,
  pick,
  rich,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'

export const NewsStatus = dictionary('news_status', ['新闻状态', 'News status'], {
  draft: [0, '草稿', 'Draft', 'default'],
  published: [1, '已发布', 'Published', 'success'],
  withdrawn: [2, '撤回', 'Withdrawn', 'warning'],
})
export const NewsType = dictionary('news_type', ['新闻类型', 'News type'], {
  notice: [1, '公告', 'Notice'],
  campaign: [2, '活动', 'Campaign'],
  hint: [3, '提示', 'Tip'],
})
export const newsCan = moves(NewsStatus, { edit: { 0: 0, 2: 2 }, publish: { 0: 1, 2: 1 }, withdraw: { 1: 2 } })

/** Something that the enterprise tells all its people; it stands on their first page. `content` is rich text, cleaned on its way in. */
export const News = entity(['公告', 'Announcement'], {
  id: id<'NewsId'>(),
  title: text('标题', 'Title', { max: 100 }),
  content: rich('内容', 'Text', { min: 0 }),
  type: among('类型', 'Type', NewsType),
  top: yes('置顶', 'Pinned'),
  status: among('状态', 'Status', NewsStatus),
  publishAt: orNone(instant('发布时间', 'Published')),
  authorName: text('作者', 'Author', { min: 0 }),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created'),
  updatedAt: instant('更新时间', 'Updated'),
})
export const newsSearch = searchOf(News, { title: 'contains', type: 'among', status: 'among', createdAt: 'between' }, { sort: ['createdAt'] })

const { title, content, type, top, status, version } = News.properties

const view = { service: 'business', needs: 'message:news:view' } as const
const edit = { service: 'business', needs: 'message:news:edit', writes: true } as const
export const news = {
  page: call('message.news.page', { ...view, post: '/platformNews/getNewsByPage', body: paged(newsSearch), reply: pageOf(News) }),
  /** `status` 1 publishes it at once. */
  add: call('message.news.add', {
    ...edit,
    post: '/platformNews/addNews',
    does: ['新增公告', 'Added news'],
    body: message({ title }, { content, type, top, status }),
    reply: News,
  }),
  /** Texts change while it is not published; `status` 1 publishes, 2 withdraws; `top` at any time. */
  update: call('message.news.update', {
    ...edit,
    post: '/platformNews/updateNews',
    does: ['修改公告', 'Changed news'],
    body: message({ id: News.properties.id, version }, { title, content, type, top, status }),
    reply: News,
  }),
  detail: call('message.news.detail', { ...view, get: '/platformNews/detail', query: message({ id: News.properties.id }), reply: News, own: true }),
  /** Returns the news published for everybody: pinned ones first, then newest. */
  published: call('message.news.published', {
    forPrograms: true,
    service: 'business',
    get: '/platformNews/published',
    needs: 'signed-in',
    query: empty,
    reply: listOf(pick(News, 'id', 'title', 'content', 'type', 'top', 'publishAt', 'authorName')),
    own: true,
  }),
}
