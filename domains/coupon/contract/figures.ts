import { fen, whole } from '../../../platform/contract/field.ts'
import { figures, type Listed, type Meaning, NOW, type Within } from '../../../platform/contract/figure.ts'
import { account } from '../../merchant/contract/account.ts'
import { Merchant } from '../../merchant/contract/merchant.ts'
import { coupon, CouponState, CouponStatistics, Weighed } from './coupon.ts'
import { DetailKind, pointsAccount, pointsDetail, PointsSum } from './pointsAccount.ts'

type Text = readonly [zh: string, en: string]

const { issued, locked, used, givenBack, withdrawn, expired } = CouponState
const ISSUED: Text = ['按发放时间', 'by when the coupon was issued']
const COUPONS_LIST = '/activity/coupon/send'
const among = (counts: Text, states: readonly number[], sums?: string): Listed => ({
  ...{ counts, time: ISSUED },
  opens: {
    ...{ path: COUPONS_LIST, call: coupon.queryPage, ...(sums && { sums }) },
    filter: ({ from, to }) => ({ issuedAtFrom: from, issuedAtTo: to, ...(states.length > 0 && { state: states.join(',') }) }),
  },
})
const { issued: issuedOf, used: usedOf, faceFen, deductedFen } = CouponStatistics.properties
/** Coupons issued in a period, by their present state: each is in one state. */
export const COUPONS = figures(
  ['优惠券', 'Coupons:'],
  {
    issued: issuedOf,
    usable: whole('可用', 'Usable'),
    used: usedOf,
    gone: whole('已作废或过期', 'Withdrawn or expired'),
    faceFen,
    deductedFen,
  },
  {
    issued: among(['发放给车辆的优惠券，不论现在是什么状态', 'coupons that were issued to cars, whatever their status is now'], []),
    usable: among(
      [
        '至今还能用的优惠券，含为未付订单锁定的和退回的',
        'coupons that can still be used, those locked by an unpaid order and returned ones included',
      ],
      [issued, locked, givenBack],
    ),
    used: among(['至今已使用的优惠券，退回的不计', 'coupons that were used until now; returned ones are not counted'], [used]),
    gone: among(['至今已作废或已过期的优惠券', 'coupons that were withdrawn or have expired until now'], [withdrawn, expired]),
    faceFen: among(
      [
        '已使用的优惠券的面值；折扣券、减时券和全免券按实际抵扣',
        'face value of used coupons; percentage, time and free ones count what they deducted',
      ],
      [used],
    ),
    deductedFen: among(['已使用的优惠券实际抵扣的金额', 'what used coupons took off fees'], [used], 'takeFen'),
  },
)
const WOULD: Text = ['此刻离场的话', 'if the car left now']
/** The amount that a car would pay, and the discount of its coupons. */
export const CAR_COUPONS = figures(
  undefined,
  { amountFen: Weighed.properties.amountFen, bestFen: fen('最优优惠', 'Best discount') },
  {
    amountFen: { counts: ['未用券时应付的停车费', 'the parking fee before coupons'], time: WOULD },
    bestFen: {
      counts: ['选用的券合起来抵扣的金额，是所有组合里最多的', 'what the chosen coupons take off together: the most of all combinations'],
      time: WOULD,
    },
  },
)

const LEDGER = '/activity/coupon/account'
const ofMerchant = (counts: Text): Meaning => ({ counts, time: NOW })
/** Funds that a merchant can buy coupons with. */
export const MERCHANT_MONEY = figures(
  ['商户', 'Merchant'],
  { balanceFen: Merchant.properties.balanceFen, leftFen: fen('可用授信', 'Credit left'), usedFen: Merchant.properties.usedFen },
  {
    balanceFen: {
      ...ofMerchant(['商户预存的金额，发券冻结的已扣除', 'what the merchant paid in and has left; what is on hold for issued coupons is not in it']),
      opens: { path: LEDGER, call: account.balanceDetailPage, filter: () => ({}) },
    },
    leftFen: ofMerchant(['授信额度 − 已用授信', 'credit − credit used']),
    usedFen: ofMerchant(['已用、还没有归还的授信', 'credit that was used and not repaid yet']),
  },
)

const ACCOUNTS = '/activity/integral/list'
const moved = (counts: Text, kinds: readonly number[], sums?: string): Listed => ({
  ...{ counts, time: ['从开户至今', 'since the account was opened'] },
  opens: {
    ...{ path: ACCOUNTS, call: pointsDetail.pageQuery, ...(sums && { sums }) },
    filter: (_: Within) => ({ tab: 'details', kind: kinds.join(',') }),
  },
})
const held = (counts: Text, sums?: string): Listed => ({
  ...{ counts, time: NOW },
  opens: { path: ACCOUNTS, call: pointsAccount.pageQuery, filter: () => ({}), ...(sums && { sums }) },
})
/** Points of all accounts. */
export const POINTS = figures(
  ['积分', 'Points:'],
  { ...PointsSum.properties, debt: whole('欠额', 'Owed') },
  {
    accounts: held(['积分账户，并入其他账户的不计', 'points accounts; those merged into another are not counted']),
    earned: moved(['得到的积分，以后收回的也在内', 'points that were given, those clawed back later included'], [DetailKind.earned]),
    spent: moved(
      ['用掉的积分，含抵扣停车费和兑换商品；退回的已扣除', 'points that were used for fees and rewards, less those returned'],
      [DetailKind.spent, DetailKind.givenBack],
    ),
    expired: moved(['到期没有使用的积分', 'points that expired unused'], [DetailKind.expired]),
    clawed: moved(['付款退回后收回的积分', 'points that were taken back when a payment was refunded'], [DetailKind.clawed]),
    balance: held(['获得 − 使用 − 过期 − 收回，含支付中冻结的', 'earned − spent − expired − clawed back, those on hold included'], 'balance'),
    debt: held(
      ['该收回而余额不够的积分，以后获得时抵扣', 'points to claw back that the balance did not have; the next ones earned pay them'],
      'debt',
    ),
  },
)
