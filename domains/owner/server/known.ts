import type { Instant } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { account, OwnerStatus } from '../contract/account.ts'
import { car, VerifyState } from '../contract/car.ts'
import { card, CardStatus } from '../contract/card.ts'

interface OwnerRow {
  id: string
  nickname: string
  phone: string
  status: keyof typeof OwnerStatus.entries
  at: Instant
}
const OWNER = 'select a.id, a.nickname, a.phone, a.status, a.registered_at as at from owner.account a where a.enterprise_id = scope_enterprise()'
interface CarRow {
  id: string
  plateNo: string
  verifyState: keyof typeof VerifyState.entries
  phone: string
  nickname: string
  at: Instant
}
const CAR = `select c.id, c.plate_no, c.verify_state, c.bind_at as at, a.phone, a.nickname from owner.car c
  join owner.account a on a.enterprise_id = c.enterprise_id and a.id = c.owner_id where c.enterprise_id = scope_enterprise()`
interface CardRow {
  id: string
  cardNo: string
  holder: string
  phone: string
  status: keyof typeof CardStatus.entries
  at: Instant
}
const CARD = 'select k.id, k.card_no, k.holder, k.phone, k.status, k.created_at as at from owner.card k where k.enterprise_id = scope_enterprise()'

export const known: Source[] = [
  sourceOf<OwnerRow>()({
    name: 'owner.account',
    label: ['车主', 'Car owners'],
    needs: account.info.needs,
    by: {
      phone: { sql: `${OWNER} and a.phone = $1 and a.status in (${OwnerStatus.normal}, ${OwnerStatus.locked}) limit $2` },
      plate: {
        sql: `${OWNER} and a.id in (select c.owner_id from owner.car c where c.enterprise_id = scope_enterprise() and c.plate_no = $1) order by a.registered_at desc limit $2`,
      },
    },
    tell: ({ id, nickname, phone, status, at }) => {
      const [zh, en] = OwnerStatus.entries[status]
      return { key: id, title: nickname, zh, en, phone, at }
    },
  }),
  sourceOf<CarRow>()({
    name: 'owner.car',
    label: ['绑定车辆', 'Bound cars'],
    needs: car.queryCar.needs,
    by: {
      plate: { sql: `${CAR} and c.plate_no = $1 order by c.bind_at desc limit $2` },
      phone: { sql: `${CAR} and a.phone = $1 and a.status in (${OwnerStatus.normal}, ${OwnerStatus.locked}) order by c.bind_at desc limit $2` },
    },
    tell: ({ id, plateNo, verifyState, phone, nickname, at }) => {
      const [zh, en] = VerifyState.entries[verifyState]
      return { key: id, title: plateNo, zh: `${nickname}，${zh}`, en: `${nickname}, ${en}`, phone, at }
    },
  }),
  sourceOf<CardRow>()({
    name: 'owner.card',
    label: ['储值卡', 'Park cards'],
    needs: card.query.needs,
    by: {
      plate: {
        sql: `${CARD} and k.id in (select p.card_id from owner.card_plate p where p.enterprise_id = scope_enterprise() and p.plate_no = $1) order by k.created_at desc limit $2`,
      },
      phone: { sql: `${CARD} and k.phone = $1 order by k.created_at desc limit $2` },
      code: { sql: `${CARD} and k.card_no = $1 limit $2` },
    },
    tell: ({ id, cardNo, holder, phone, status, at }) => {
      const [zh, en] = CardStatus.entries[status]
      return { key: id, title: cardNo, zh: `${holder}，${zh}`, en: `${holder}, ${en}`, phone, at }
    },
  }),
]
