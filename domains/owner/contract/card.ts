import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account as told,
  among,
  dictionary,
  entity,
  fen,
  id,
  listOf,
  message,
  moves,
  orNone,
  plate,
  rowFields,
  shaped,
  text,
  orSaid,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { ownerId, phone } from './account.ts'
import { Movement, MovementKind, payFen, type PurseId, Recharged } from './asset.ts'

export const CardStatus = dictionary('park_card_status', ['储值卡状态', 'Park card status'], {
  normal: [1, '正常', 'Normal', 'success'],
  frozen: [2, '冻结', 'Frozen', 'warning'],
  cancelled: [3, '停卡', 'Cancelled'],
  lost: [4, '挂失', 'Lost', 'error'],
})
export const CardAct = dictionary('park_card_act', ['操作', 'Act'], {
  details: [1, '资料', 'Details'],
  bind: [2, '绑定', 'Bind'],
  recharge: [3, '充值', 'Recharge'],
  freeze: [4, '冻结', 'Freeze'],
  unfreeze: [5, '解冻', 'Unfreeze'],
  lose: [6, '挂失', 'Report lost'],
  replace: [7, '补卡', 'Replace'],
  cancel: [8, '停卡', 'Cancel card'],
})
/** A lost card that is found again is unfrozen; one that is replaced gets a new number and keeps what is in it; one that was cancelled and gets money back is frozen until somebody has seen to that. */
export const cardCan = moves(CardStatus, {
  freeze: { 1: 2 },
  unfreeze: { 2: 1, 4: 1 },
  lose: { 1: 4, 2: 4 },
  replace: { 1: 1, 4: 1 },
  cancel: { 1: 3, 2: 3, 4: 3 },
  moneyBack: { 3: 2 },
})
export const CARD_PLATES_MAX = 5
const PARKS_MAX = 100

/** A card as it is kept; its money stands in its purse, its plates beside it. */
export const Card = entity(['储值卡', 'Park card'], {
  ...rowFields<'ParkCardId'>(),
  cardNo: text('卡号', 'Card number', { max: 20 }),
  formerNo: orNone(text('原卡号', 'Former number', { max: 20 })),
  purseId: id<PurseId>('钱包编号', 'Wallet'),
  ownerId: orNone(ownerId),
  holder: orSaid(text('持卡人', 'Holder', { max: 40 })),
  phone,
  parkCodes: shaped('适用车场', 'Car parks', listOf(text('车场编号', 'Car park code', { max: 16 }), { max: PARKS_MAX })),
  status: among('状态', 'Status', CardStatus),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
})
/** A card with stored value of its own, for named plates and parks. It is spent before its owner's account. */
export const ParkCard = entity({
  ...Card.properties,
  plates: told('车牌', 'Plates', { min: 0, max: 100 }),
  balanceFen: fen('余额', 'Balance', { min: 0 }),
  principalFen: fen('本金', 'Principal', { min: 0 }),
  bonusFen: fen('赠送', 'Bonus', { min: 0 }),
  frozenFen: fen('冻结', 'Frozen', { min: 0 }),
})
export const cardSearch = searchOf(
  ParkCard,
  { cardNo: 'equals', holder: 'contains', phone: 'startsWith', plates: 'contains', status: 'among', createdAt: 'between' },
  { sort: ['createdAt'] },
)
/** A movement of a card, with the stay's car and park. */
export const CardMovement = entity({ ...Movement.properties, stayId: orNone(id<'StayId'>('停车记录', 'Stay')) })

const { holder } = ParkCard.properties
const remark = text('备注', 'Remark', { max: 200 })
const plates = shaped('车牌', 'Plates', listOf(plate(), { max: CARD_PLATES_MAX }))
const parkCodes = ParkCard.properties.parkCodes
const payMethod = among('支付方式', 'Payment method', PayMethod)
const cardNo = ParkCard.properties.cardNo
const service = 'business'
const edit = { service, needs: 'owner:park-card:edit', writes: true } as const
const view = { service, needs: 'owner:park-card:view' } as const
const page = call('owner.park-card.page', { ...view, post: '/rechargeParkCard/page', body: paged(cardSearch), reply: pageOf(ParkCard) })
/** A card after a change, with its recharge if there was one. */
const Saved = message({ card: ParkCard, recharge: orNone(shaped('充值', 'Recharge', Recharged)) })
export const card = {
  page,
  /** At the counter, by any one of them. */
  query: call('owner.park-card.query', {
    ...view,
    post: '/rechargeParkCard/query',
    body: message({}, { cardNo, plateNo: plate(), phone }),
    reply: listOf(ParkCard),
  }),
  add: call('owner.park-card.add', {
    ...edit,
    post: '/rechargeParkCard/add',
    does: ['办理储值卡', 'Issued a park card'],
    body: message({ holder, phone }, { ownerId, plates, parkCodes, payFen, payMethod, remark }),
    reply: Saved,
  }),
  /** `act` says what; each act takes its own fields. */
  update: call('owner.park-card.update', {
    ...edit,
    post: '/rechargeParkCard/update',
    does: ['变更储值卡', 'Changed a park card'],
    body: message(
      { id: ParkCard.properties.id, version: ParkCard.properties.version, act: among('操作', 'Act', CardAct) },
      { holder, phone, ownerId, plates, parkCodes, payFen, payMethod, remark, reason: text('原因', 'Reason', { max: 200 }) },
    ),
    reply: Saved,
  }),
  detail: call('owner.park-card.detail', {
    ...view,
    post: '/rechargeParkCard/detail',
    body: message({ id: ParkCard.properties.id }, { kind: among('类型', 'Type', MovementKind) }),
    reply: listOf(CardMovement),
  }),
  excel: exportOf('owner.park-card.excel', {
    ...view,
    post: '/rechargeParkCard/excel',
    title: ['储值卡', 'Park cards'],
    query: page,
    columns: ['cardNo', 'holder', 'phone', 'plates', 'balanceFen', 'principalFen', 'bonusFen', 'frozenFen', 'status', 'createdAt', 'remark'],
  }),
}
