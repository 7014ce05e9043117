import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  edge,
  entity,
  fen,
  id,
  instant,
  message,
  orNone,
  plate,
  text,
  account as told,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { ownerId, phone } from './account.ts'

export const PurseKind = dictionary('purse_kind', ['钱包', 'Wallet'], { account: [1, '储值账户', 'Account'], card: [2, '储值卡', 'Park card'] })
export const MovementKind = dictionary('purse_movement_kind', ['变动类型', 'Transaction type'], {
  recharged: [1, '充值', 'Recharge', 'success'],
  given: [2, '赠送', 'Bonus', 'success'],
  spent: [3, '消费', 'Spent'],
  refunded: [4, '退款', 'Refund', 'warning'],
  frozen: [5, '冻结', 'On hold', 'warning'],
  unfrozen: [6, '解冻', 'Unfrozen'],
  takenBack: [7, '收回', 'Bonus taken back', 'warning'],
  merged: [8, '合并', 'Merged'],
})
export const RechargeState = dictionary('recharge_state', ['充值状态', 'Recharge status'], {
  waiting: [0, '待支付', 'To pay', 'warning'],
  paid: [1, '已到账', 'Paid', 'success'],
})
/** The park code for money that belongs to no one park. */
export const NO_PARK = 'ALL'
export type PurseId = 'PurseId'

/** A change of stored value, with what stood in its purse afterwards. */
export const Movement = entity(['储值收支明细', 'Stored value transaction'], {
  id: id<'MovementId'>(),
  purseId: id<PurseId>('钱包编号', 'Wallet'),
  purseKind: among('钱包', 'Wallet', PurseKind),
  ownerId: orNone(ownerId),
  holder: text('车主', 'Owner', { max: 40 }),
  phone,
  cardNo: orNone(text('卡号', 'Card number', { max: 20 })),
  kind: among('类型', 'Type', MovementKind),
  amountFen: fen('金额', 'Amount'),
  principalFen: fen('本金变动', 'Principal'),
  bonusFen: fen('赠送变动', 'Bonus'),
  frozenFen: fen('冻结变动', 'On hold'),
  balanceAfterFen: fen('变动后余额', 'Balance after'),
  principalAfterFen: fen('变动后本金', 'Principal after'),
  bonusAfterFen: fen('变动后赠送', 'Bonus after'),
  frozenAfterFen: fen('变动后冻结', 'On hold after'),
  bizNo: text('业务单号', 'Number', { max: 40 }),
  orderId: orNone(id<'OrderId'>('订单', 'Order')),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
  operatorName: orNone(text('经办人', 'Handled by')),
  remark: orNone(told('备注', 'Remark', { max: 200 })),
  latest: yes('最新', 'Latest'),
  at: instant('时间', 'Time'),
})
export const movementSearch = searchOf(
  Movement,
  {
    ownerId: 'equals',
    phone: 'startsWith',
    kind: 'among',
    purseKind: 'equals',
    plateNo: 'plate',
    parkCode: 'equals',
    latest: 'equals',
    payMethod: 'among',
    at: 'between',
  },
  { sort: ['at'] },
)

/** 期初 + 充值 + 赠送 − 消费 − 退款 − 收回 (+ 合并, nothing over all owners) = 期末. A refund of a spend is taken off the spending. */
export const AssetSum = entity({
  openingFen: fen('期初余额', 'Opening balance'),
  rechargedFen: fen('充值', 'Recharged'),
  givenFen: fen('赠送', 'Given'),
  spentFen: fen('消费', 'Spent'),
  refundedFen: fen('退款', 'Refunded'),
  takenBackFen: fen('收回', 'Deducted after a refund'),
  mergedFen: fen('合并', 'Merged'),
  closingFen: fen('期末', 'Closing'),
  principalFen: fen('期末本金', 'Closing principal'),
  bonusFen: fen('期末赠送', 'Closing bonus'),
  frozenFen: fen('现冻结', 'Currently on hold'),
  owners: whole('有余额车主', 'Owners with a balance'),
})
const view = { service: 'custom', needs: 'owner:asset:view' } as const
/** The result of a recharge: the number of its order, and where to pay it when it is not cash. */
export const Recharged = entity({
  orderNo: text('订单号', 'Order number', { max: 40 }),
  payUrl: orNone(text('支付地址', 'Payment link', { max: 500 })),
  bonusFen: fen('赠送', 'Bonus', { min: 0 }),
})
/** A slip of the finger is no recharge: nobody brings more at once. */
export const RECHARGE_MOST_FEN = 5_000_000
export const payFen = fen('充值金额', 'Amount', { min: 1, max: RECHARGE_MOST_FEN })
const info = call('owner.asset.asset-info', {
  ...view,
  post: '/assert/selectCarOwnerAssetInfo',
  body: paged(movementSearch),
  reply: pageOf(Movement),
})
export const asset = {
  info,
  export: exportOf('owner.asset.export', {
    ...view,
    own: true,
    post: '/assert/export',
    title: ['储值明细', 'Stored value'],
    query: info,
    columns: [
      'at',
      'kind',
      'purseKind',
      'holder',
      'phone',
      'cardNo',
      'amountFen',
      'principalFen',
      'bonusFen',
      'balanceAfterFen',
      'payMethod',
      'plateNo',
      'parkCode',
      parkName,
      'bizNo',
      'operatorName',
      'remark',
    ],
  }),
  sum: call('owner.asset.asset-sum', {
    ...view,
    post: '/assert/selectCarOwnerAssetSum',
    body: message(
      {},
      {
        ownerId,
        phone,
        purseKind: Movement.properties.purseKind,
        atFrom: edge(Movement.properties.at, 'first'),
        atTo: edge(Movement.properties.at, 'last'),
      },
    ),
    reply: AssetSum,
  }),
  /** At the counter: cash at once, any other way by the address that it answers. */
  recharge: call('owner.account.recharge', {
    service: 'custom',
    needs: 'owner:account:recharge',
    own: true,
    writes: true,
    post: '/owner/account/recharge',
    does: ['车主充值', 'Recharged an owner’s account'],
    body: message({ ownerId, payFen, payMethod: among('支付方式', 'Payment method', PayMethod) }),
    reply: Recharged,
  }),
}
