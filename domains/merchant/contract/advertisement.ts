import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  images,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pickSome,
  region,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'

export const AdSlot = dictionary('advertisement_slot', ['广告位', 'Advertisement place'], {
  home: [1, '首页', 'Home page'],
  paid: [2, '缴费成功页', 'After paying'],
  led: [3, 'LED', 'LED'],
  start: [4, '小程序启动', 'Mini program start'],
})
export const AdStatus = dictionary('advertisement_status', ['广告状态', 'Advertisement status'], {
  draft: [0, '草稿', 'Draft'],
  review: [1, '待审', 'Pending review', 'warning'],
  on: [2, '投放中', 'Running', 'success'],
  off: [3, '已下线', 'Offline', 'default'],
  rejected: [4, '驳回', 'Rejected', 'error'],
})
export const AdAct = dictionary('advertisement_act', ['广告操作', 'Advertisement action'], {
  submit: [1, '提交', 'Submit'],
  pass: [2, '通过', 'Approve'],
  reject: [3, '驳回', 'Reject'],
  takeOff: [4, '下线', 'Take offline'],
})
const { draft, review, on, off, rejected } = AdStatus
/** `change`: a visible change goes before the reviewer again. */
export const adCan = moves(AdStatus, {
  submit: { [draft]: review, [rejected]: review, [off]: review },
  pass: { [review]: on },
  reject: { [review]: rejected },
  takeOff: { [on]: off, [review]: draft },
  change: { [draft]: draft, [review]: review, [on]: review, [off]: off, [rejected]: rejected },
  delete: { [draft]: draft, [off]: off, [rejected]: rejected },
})

/** A picture or film shown to drivers, within its window only. */
export const Advertisement = entity(['广告', 'Advertisement'], {
  ...rowFields<'AdvertisementId'>(),
  name: text('名称', 'Name'),
  slot: among('广告位', 'Place', AdSlot),
  media: images('素材', 'Picture'),
  link: orNone(text('链接', 'Link', { max: 300, pattern: '^https?://' })),
  weight: whole('权重', 'Weight', { min: 1, max: 100 }),
  startAt: instant('开始时间', 'From'),
  endAt: instant('结束时间', 'Until'),
  regions: shaped('区域', 'Regions', listOf(region(), { max: 200 })),
  status: among('状态', 'Status', AdStatus),
  shows: whole('展示', 'Views', { min: 0 }),
  clicks: whole('点击', 'Clicks', { min: 0 }),
  authorName: text('提交人', 'Submitted by'),
  auditorName: orNone(text('审核人', 'Reviewed by')),
  verdict: orNone(text('审核意见', 'Review comment', { max: 200 })),
})
export const advertisementSearch = searchOf(
  Advertisement,
  { name: 'contains', slot: 'among', status: 'among', startAt: 'between' },
  { sort: ['createdAt'] },
)
const edit = { service: 'business', needs: 'merchant:advertisement:edit', writes: true } as const
const which = { id: Advertisement.properties.id, version: Advertisement.properties.version }
const FIELDS = ['link', 'weight', 'regions'] as const
export const advertisement = {
  find: call('merchant.advertisement.find', {
    service: 'business',
    post: '/advertisement/find',
    needs: 'merchant:advertisement:view',
    body: paged(advertisementSearch),
    reply: pageOf(Advertisement),
  }),
  add: call('merchant.advertisement.add', {
    ...edit,
    post: '/advertisement/add',
    does: ['新增广告', 'Added an advertisement'],
    body: pickSome(Advertisement, ['name', 'slot', 'media', 'startAt', 'endAt'], FIELDS),
    reply: Advertisement,
  }),
  /** Its fields, or one act. Passing and rejecting are for a person who neither made it nor changed it since it was last passed. */
  update: call('merchant.advertisement.update', {
    ...edit,
    post: '/advertisement/update',
    does: ['修改广告', 'Changed an advertisement'],
    body: message(which, {
      ...pickFields(),
      act: among('操作', 'Action', AdAct),
      verdict: text('审核意见', 'Review comment', { max: 200 }),
    }),
    reply: Advertisement,
  }),
  /** By somebody whose work it is not, who needs no right to edit for it. */
  audit: call('merchant.advertisement.audit', {
    service: 'business',
    post: '/advertisement/audit',
    needs: 'merchant:advertisement:audit',
    own: true,
    writes: true,
    does: ['审核广告', 'Reviewed an advertisement'],
    body: message({ ...which, act: among('操作', 'Action', AdAct) }, { verdict: text('审核意见', 'Review comment', { max: 200 }) }),
    reply: Advertisement,
  }),
  del: call('merchant.advertisement.del', {
    ...edit,
    get: '/advertisement/del',
    does: ['删除广告', 'Deleted an advertisement'],
    query: message({ id: Advertisement.properties.id }),
    reply: nothing,
  }),
  /** Returns the advertisement for the place whose code was scanned; nothing where none is on. */
  serve: call('merchant.advertisement.serve', {
    service: 'business',
    post: '/advertisement/serve',
    needs: 'public',
    own: true,
    writes: true,
    heavy: true,
    does: ['展示广告', 'Showed an advertisement'],
    body: message(
      { code: text('二维码', 'QR code', { max: 40 }), slot: Advertisement.properties.slot },
      { clicked: id<'AdvertisementId'>('点击的广告', 'Clicked') },
    ),
    reply: listOf(
      entity({
        id: Advertisement.properties.id,
        name: Advertisement.properties.name,
        media: Advertisement.properties.media,
        link: Advertisement.properties.link,
      }),
    ),
  }),
  /** A picture of an advertisement that is on now, by the address that `media` has where it is served. */
  picture: call('merchant.advertisement.picture', {
    service: 'business',
    get: '/advertisement/picture',
    needs: 'public',
    own: true,
    file: true,
    heavy: true,
    query: message({ code: text('二维码', 'QR code', { max: 40 }), fileName: text('文件名', 'File name', { max: 200 }) }),
    reply: nothing,
  }),
}
function pickFields() {
  const { name, slot, media, startAt, endAt, link, weight, regions } = Advertisement.properties
  return { name, slot, media, startAt, endAt, link, weight, regions }
}
