import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, message, dictionary, entity, fen, orNone, plate, rowFields, text } from '../../../platform/contract/field.ts'

export const CardKind = dictionary('charging_card_kind', ['充电卡类型', 'Charging card type'], {
  personal: [1, '个人', 'Personal'],
  company: [2, '单位', 'Company'],
  staff: [3, '员工', 'Staff'],
})
export const CardStatus = dictionary('charging_card_status', ['充电卡状态', 'Card status'], {
  good: [1, '正常', 'Active', 'success'],
  disabled: [2, '停用', 'Disabled'],
  lost: [3, '挂失', 'Lost', 'error'],
})
/** A card's number as a person types or copies it: readers show it with marks between its bytes, in small letters, or with 0x before it. */
export const typedCard = text('卡号', 'Card number', { max: 40, pattern: '^[ :-]*[0-9A-Za-z][0-9A-Za-z :-]*$' })
/** The one form of a card's number: capitals and digits alone. `charging.card_key` says the same of what a pile reads. */
export const plainCard = (typed: string): string =>
  typed
    .replaceAll(/[\s:-]/g, '')
    .replace(/^0x(?=.)/i, '')
    .toUpperCase()
export const CARD_MAX = 20
/** A charging card; its number is the idTag that a pile reads. */
export const Card = entity(['充电卡', 'Charging card'], {
  ...rowFields<'ChargingCardId'>(),
  cardNo: text('卡号', 'Card number', { max: CARD_MAX, pattern: '^[0-9A-Za-z]+$' }),
  kind: among('类型', 'Type', CardKind),
  /** Whose stored value pays: of a personal card. */
  ownerId: orNone(text('车主编号', 'Owner', { max: 64 })),
  /** Who is billed by the month: of a company's card. */
  unit: orNone(text('单位名称', 'Company', { max: 64 })),
  creditFen: fen('授信额度', 'Credit limit', { min: 0 }),
  holderName: orNone(text('持卡人', 'Holder', { max: 32 })),
  plateNo: orNone(plate()),
  status: among('状态', 'Status', CardStatus),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
})
export const cardSearch = searchOf(
  entity(Card.label, { ...Card.properties, cardNo: typedCard }),
  { cardNo: 'startsWith', kind: 'among', status: 'among', unit: 'contains', plateNo: 'plate' },
  { sort: ['createdAt'] },
)

const { id, version, createdAt: _, updatedAt: __, cardNo: ___, kind, status, ...written } = Card.properties
const edit = { service: 'charging', needs: 'charging:card:edit', writes: true, own: true } as const
export const card = {
  query: call('charging.card.query', {
    service: 'charging',
    needs: 'charging:card:view',
    own: true,
    post: '/card/query',
    body: paged(cardSearch),
    reply: pageOf(Card),
  }),
  /** Without an id a new one; number and kind stay what they are. */
  save: call('charging.card.save', {
    ...edit,
    post: '/card/save',
    does: ['保存充电卡', 'Saved a charging card'],
    body: message({}, { id, version, cardNo: typedCard, kind, ...written }),
    reply: Card,
  }),
  updateStatus: call('charging.card.update-status', {
    ...edit,
    post: '/card/updateStatus',
    does: ['切换充电卡状态', 'Changed the status of a charging card'],
    body: message({ id, version, status }),
    reply: Card,
  }),
}
