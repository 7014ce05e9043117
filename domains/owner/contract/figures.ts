import { fen } from '../../../platform/contract/field.ts'
import { figures, type Listed, NOW, type Within } from '../../../platform/contract/figure.ts'
import { account, OwnerNow, OwnerStatus, UserCount } from './account.ts'
import { asset, AssetSum, MovementKind, PurseKind } from './asset.ts'
import { car, verification, VerifyState } from './car.ts'

type Text = readonly [zh: string, en: string]

const STORED = '/userCenter/carOwner/asset'
const HAPPENED: Text = ['按变动时间', 'by when it changed']
const at = ({ from, to }: Within) => ({ atFrom: `${from} 00:00:00`, atTo: `${to} 23:59:59` })
const moved = (counts: Text, kinds: readonly number[], sums?: string): Listed => ({
  ...{ counts, time: HAPPENED },
  opens: {
    path: STORED,
    call: asset.info,
    filter: (within) => ({ ...at(within), ...(kinds.length > 0 && { kind: kinds.join(',') }) }),
    ...(sums && { sums }),
  },
})
const stands = (counts: Text): Listed => ({ ...moved(counts, []), time: ['期末', 'at the end of the time'] })
const { recharged, given, spent, refunded, takenBack, frozen, unfrozen } = MovementKind
/** Stored value of all owners and cards: opening + recharged + bonus − spent − refunded − taken back = closing. */
export const STORED_VALUE = figures(
  ['储值', 'Stored value:'],
  {
    ...AssetSum.properties,
    closingFen: fen('期末余额（账户与停车卡）', 'Closing balance, accounts and cards'),
    principalFen: fen('本金余额', 'Principal balance'),
    bonusFen: fen('赠送余额', 'Bonus balance'),
    frozenFen: fen('冻结中', 'On hold'),
  },
  {
    openingFen: {
      ...moved(['所选时间之前的储值余额', 'stored value before the time asked for'], []),
      time: ['期初', 'at the beginning of the time'],
    },
    rechargedFen: moved(['车主充值付的金额，赠送的不计', 'what owners paid in, without bonuses'], [recharged], 'amountFen'),
    givenFen: moved(['充值赠送的金额', 'bonuses that came with recharges'], [given], 'amountFen'),
    spentFen: moved(['用储值支付的金额，退回储值的已扣除', 'what was paid with stored value, less what was returned to it'], [spent]),
    refundedFen: moved(['退给车主的储值', 'stored value that was paid back to owners'], [refunded]),
    takenBackFen: moved(['退款时收回的赠送金额', 'bonuses that were taken back when the recharge was refunded'], [takenBack]),
    closingFen: stands(['储值账户和停车卡的余额，含赠送和冻结的', 'balances of accounts and cards, bonuses and amounts on hold included']),
    principalFen: stands(['余额中车主付的部分', 'the part of the balance that owners paid']),
    bonusFen: stands(['余额中赠送的部分', 'the part of the balance that was given as a bonus']),
    frozenFen: {
      ...moved(
        ['余额中在退款审核、充电期间冻结的金额', 'the part of the balance on hold while a refund is reviewed or a car charges'],
        [frozen, unfrozen],
      ),
      time: NOW,
    },
  },
)

const OWNERS_LIST = '/userCenter/carOwner/info'
const CARS = '/userCenter/carOwner/binding'
const REVIEW = '/userCenter/carOwner/licensePlateReview'
const { waiting, verified, rejected, appealed } = VerifyState
const BOUND = [waiting, verified, rejected, appealed].join(',')
const here = { status: [OwnerStatus.normal, OwnerStatus.locked].join(',') }
/** Drivers with an account and their cars, as they are now. */
export const OWNERS = figures(undefined, OwnerNow.properties, {
  owners: {
    ...{
      counts: ['注册的车主，含锁定的；已注销、已并入他人的不计', 'registered owners, locked ones too; deleted and merged ones are not counted'],
      time: NOW,
    },
    opens: { path: OWNERS_LIST, call: account.info, filter: () => here },
  },
  cars: {
    ...{
      counts: ['车主绑定的车辆，不论是否已认证；已解绑的不计', 'cars that owners bound, verified or not; unbound ones are not counted'],
      time: NOW,
    },
    opens: { path: CARS, call: car.queryCar, filter: () => ({ verifyState: BOUND }) },
  },
  verified: {
    ...{ counts: ['绑定的车辆中车牌已认证的', 'bound cars whose plate is verified'], time: NOW },
    opens: { path: CARS, call: car.queryCar, filter: () => ({ verifyState: String(verified) }) },
  },
  waiting: {
    ...{ counts: ['等人审核的车牌，含申诉的', 'plates that wait for a decision, appeals included'], time: NOW },
    opens: { path: REVIEW, call: verification.query, filter: () => ({ verifyState: [waiting, appealed].join(',') }) },
  },
  storedFen: {
    ...{ counts: ['在册车主储值账户的余额，停车卡的不计', 'account balances of owners who are registered now; cards are not counted'], time: NOW },
    opens: { path: STORED, call: asset.info, filter: () => ({ latest: 'true', purseKind: String(PurseKind.account) }) },
  },
})
/** How many came in a time. */
export const OWNERS_OVER_TIME = figures(undefined, UserCount.properties, {
  added: {
    ...{
      counts: ['注册的车主，以后注销的也在内', 'owners who registered, those deleted since included'],
      time: ['按注册时间', 'by when the owner registered'],
    },
    opens: {
      path: OWNERS_LIST,
      call: account.info,
      filter: ({ from, to }) => ({ registeredAtFrom: `${from} 00:00:00`, registeredAtTo: `${to} 23:59:59` }),
    },
  },
  active: {
    ...{ counts: ['储值有变动的车主，每人算一次', 'owners whose stored value changed, each counted once'], time: HAPPENED },
    opens: { path: STORED, call: asset.info, filter: at },
  },
  bound: {
    ...{
      counts: ['新绑定的车辆，以后解绑的也在内', 'cars that were bound, those unbound since included'],
      time: ['按绑定时间', 'by when the car was bound'],
    },
    opens: { path: CARS, call: car.queryCar, filter: ({ from, to }) => ({ bindAtFrom: `${from} 00:00:00`, bindAtTo: `${to} 23:59:59` }) },
  },
})
