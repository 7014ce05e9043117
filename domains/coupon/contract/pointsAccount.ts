import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  orNone,
  permille,
  personal,
  plate,
  rowFields,
  shaped,
  text,
  whole,
  yes,
  orSaid,
} from '../../../platform/contract/field.ts'

export const PLATES_MAX = 5
const points = (zh: string, en: string) => whole(zh, en)
/** A driver's points. The balance = the rest of its batches + points set apart for payments under way − the debt; the batch that expires first is spent first. */
export const PointsAccount = entity(['积分账户', 'Points account'], {
  ...rowFields<'PointsAccountId'>(),
  phone: personal('phone', text('手机', 'Phone', { min: 5, max: 20, pattern: '^[0-9+ *-]*$' })),
  name: orSaid(text('姓名', 'Name')),
  plates: shaped('车牌', 'Plates', listOf(plate(), { max: PLATES_MAX })),
  balance: points('余额', 'Balance'),
  frozen: points('支付中冻结', 'On hold'),
  debt: points('欠积分', 'Points owed'),
  totalEarned: points('累计获得', 'Earned'),
  totalSpent: points('累计使用', 'Spent'),
  totalExpired: points('累计过期', 'Expired'),
  totalClawed: points('累计收回', 'Clawed back'),
  mergedInto: orNone(id<'PointsAccountId'>('已并入账户', 'Merged into')),
})
export const accountSearch = searchOf(PointsAccount, { phone: 'equals', name: 'contains', balance: 'between' }, { sort: ['createdAt'] })
export const DetailKind = dictionary('points_detail_kind', ['积分变动', 'Points transaction'], {
  earned: [1, '获得', 'Earned', 'success'],
  spent: [2, '使用', 'Spent'],
  expired: [3, '过期', 'Expired'],
  clawed: [4, '收回', 'Clawed back', 'warning'],
  givenBack: [5, '退回', 'Returned'],
  merged: [6, '合并', 'Merged'],
})
export const PointsDetail = entity(['积分明细', 'Points transaction'], {
  id: id<'PointsDetailId'>(),
  accountId: id<'PointsAccountId'>('账户', 'Account'),
  phone: PointsAccount.properties.phone,
  kind: among('类型', 'Type', DetailKind),
  points: points('积分', 'Points'),
  balanceAfter: points('变动后余额', 'Balance after'),
  bizNo: text('业务单号', 'Reference', { max: 60 }),
  expireAt: orNone(instant('到期时间', 'Expires at')),
  memo: orNone(text('说明', 'Memo', { max: 200 })),
  at: instant('时间', 'Time'),
})
export const detailSearch = searchOf(
  PointsDetail,
  { accountId: 'equals', phone: 'equals', kind: 'among', bizNo: 'equals', at: 'between' },
  { sort: ['at'] },
)
export const PointsPark = entity({
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  parkName: text('车场', 'Car park', { max: 64 }),
  earn: yes('停车得积分', 'Earns points'),
  spend: yes('可用积分', 'Takes points'),
  capPermille: permille('抵扣上限', 'Max share of fee'),
})
export const PointsSum = entity({
  accounts: whole('账户数', 'Accounts'),
  earned: points('累计获得', 'Earned'),
  spent: points('累计使用', 'Spent'),
  expired: points('累计过期', 'Expired'),
  clawed: points('累计收回', 'Clawed back'),
  balance: points('余额', 'Balance'),
  debt: points('欠积分', 'Points owed'),
})
const view = { service: 'business', needs: 'coupon:points:view' } as const
const edit = { service: 'business', needs: 'coupon:points:edit', writes: true, own: true } as const
export const pointsAccount = {
  pageQuery: call('coupon.points-account.page-query', {
    ...view,
    post: '/pointsAccount/pageQuery',
    body: paged(accountSearch),
    reply: pageOf(PointsAccount),
  }),
  statistics: call('coupon.points-account.statistics', {
    ...view,
    post: '/pointsAccount/queryPointsStatistics',
    body: message({}),
    reply: PointsSum,
  }),
  chargingParkCode: call('coupon.points-account.charging-park-code', {
    ...view,
    post: '/pointsAccount/chargingParkCode',
    body: message({}),
    reply: listOf(PointsPark),
  }),
  setParks: call('coupon.points-account.set-parks', {
    ...edit,
    post: '/pointsAccount/setParks',
    does: ['设置积分车场', 'Set points car parks'],
    body: message({
      parks: shaped(
        '车场',
        'Car parks',
        listOf(
          entity({
            parkCode: PointsPark.properties.parkCode,
            earn: PointsPark.properties.earn,
            spend: PointsPark.properties.spend,
            capPermille: PointsPark.properties.capPermille,
          }),
          { max: 2000 },
        ),
      ),
    }),
    reply: listOf(PointsPark),
  }),
  /** Opened at the counter, or changed: whose cars they are. */
  open: call('coupon.points-account.open', {
    ...edit,
    post: '/pointsAccount/open',
    does: ['开通积分账户', 'Opened a points account'],
    body: message({ phone: PointsAccount.properties.phone, name: PointsAccount.properties.name, plates: PointsAccount.properties.plates }),
    reply: PointsAccount,
  }),
  /** Points for an activity, by hand; more than one person may grant wait for another. */
  grant: call('coupon.points-account.grant', {
    ...edit,
    post: '/pointsAccount/grant',
    does: ['发放积分', 'Granted points'],
    body: message({
      accountId: PointsDetail.properties.accountId,
      points: whole('积分', 'Points', { min: 1, max: 1_000_000 }),
      reason: text('原因', 'Reason', { max: 200 }),
    }),
    reply: entity({ ...PointsAccount.properties, waits: yes('待审核', 'Waits for approval') }),
  }),
  /** Pays an order with points, a fen each, where the park's most allows the whole of it. */
  offset: call('coupon.points-account.offset', {
    ...edit,
    post: '/pointsAccount/offset',
    does: ['积分抵扣', 'Paid with points'],
    body: message({ accountId: PointsDetail.properties.accountId, orderId: id<'OrderId'>('订单', 'Order') }),
    reply: PointsAccount,
  }),
}
export const pointsDetail = {
  pageQuery: call('coupon.points-account-detail.page-query', {
    ...view,
    post: '/pointsAccountDetail/pageQuery',
    body: paged(detailSearch),
    reply: pageOf(PointsDetail),
  }),
}
