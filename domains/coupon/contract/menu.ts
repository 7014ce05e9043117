import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const seesParks = 'parking:park:view'
const merchants = 'merchant:merchant:view'
const rules = { code: 'edit', name: ['编辑积分规则', 'Edit points rules'], needs: 'coupon:points-rule:edit' } as const
const points = { code: 'points', name: ['开户、发放与积分车场', 'Accounts, grants, car parks'], needs: 'coupon:points:edit' } as const
const grants = { code: 'approve', name: ['审核积分发放与设置上限', 'Approve grants and set the limit'], needs: 'coupon:points:approve' } as const
const deal = { code: 'deal', name: ['兑换、发放与取消', 'Exchange, deliver, cancel'], needs: 'coupon:points-order:deal' } as const
const articles = { code: 'edit', name: ['编辑积分商品', 'Edit points articles'], needs: 'coupon:points-goods:edit' } as const
const templates = { code: 'edit', name: ['编辑券模板', 'Edit templates'], needs: 'coupon:template:edit' } as const
const goods = { code: 'edit', name: ['编辑券商品与补货', 'Edit articles and stock'], needs: 'coupon:goods:edit' } as const
const buy = { code: 'buy', name: ['售券与退券', 'Sell and take back'], needs: 'coupon:sold:buy' } as const
const send = { code: 'send', name: ['发放优惠券', 'Issue coupons'], needs: 'coupon:coupon:send' } as const
const withdraw = { code: 'withdraw', name: ['撤回优惠券', 'Withdraw coupons'], needs: 'coupon:coupon:withdraw' } as const
const recharge = { code: 'recharge', name: ['商户充值', 'Recharge merchants'], needs: 'merchant:account:recharge' } as const
const grant = { code: 'grant', name: ['授信管理', 'Grant and withdraw credit'], needs: 'merchant:credit:grant' } as const
const confirm = { code: 'confirm', name: ['确认对账单', 'Confirm statements'], needs: 'merchant:statement:confirm' } as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen(
    '/activity/integral/rules',
    'PointsRuleScreen',
    ['积分规则', 'Points rules'],
    ['coupon:points-rule:view', 'coupon:points:view', seesParks],
    [rules, points],
  ),
  screen('/activity/integral/list', 'PointsAccountScreen', ['积分账户', 'Points accounts'], ['coupon:points:view'], [points, grants, deal]),
  screen('/activity/integral/goods', 'PointsGoodsScreen', ['积分商品', 'Rewards'], ['coupon:points:view'], [articles, deal]),
  screen('/activity/coupon/config', 'CouponTemplateScreen', ['优惠券配置', 'Coupon templates'], ['coupon:template:view', seesParks], [templates]),
  screen('/activity/coupon/limit', 'CouponCreditScreen', ['商户授信', 'Merchant credit'], ['merchant:credit:view', merchants], [grant]),
  screen(
    '/activity/coupon/online',
    'CouponGoodsScreen',
    ['券商品', 'Coupons for sale'],
    ['coupon:goods:view', 'coupon:template:view', merchants],
    [goods],
  ),
  screen(
    '/activity/coupon/statistics',
    'CouponStatisticsScreen',
    ['优惠券统计', 'Coupon statistics'],
    ['coupon:coupon:view', 'coupon:use:view', merchants, seesParks],
  ),
  screen(
    '/activity/coupon/account',
    'CouponAccountScreen',
    ['商户往来账', 'Merchant ledger'],
    ['merchant:account:view', 'merchant:credit:view', 'merchant:statement:view', merchants],
    [confirm],
  ),
  screen(
    '/activity/coupon/bill',
    'CouponBillScreen',
    ['售券与核销', 'Coupon sales and uses'],
    ['coupon:sold:view', 'coupon:use:view', merchants, seesParks],
    [buy],
  ),
  screen(
    '/activity/coupon/send',
    'CouponSendScreen',
    ['优惠券发放', 'Issue coupons'],
    ['coupon:coupon:view', 'coupon:template:view', 'coupon:sold:view', merchants, seesParks],
    [send, withdraw],
  ),
  screen(
    '/activity/coupon/offlineRecharge',
    'OfflineRechargeScreen',
    ['线下充值', 'Offline recharge'],
    [merchants, 'coupon:goods:view'],
    [recharge, buy],
  ),
  screen(
    '/businessCenter/coupon/config',
    'CouponTemplateScreen',
    ['商户优惠券配置', 'Merchant coupon templates'],
    ['coupon:template:view', seesParks],
    [templates],
  ),
]
