import type { Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { ordinaryPlate } from '../../parking/server/api.ts'
import { Card, card, CARD_MAX, CardKind, cardSearch, CardStatus, plainCard } from '../contract/card.ts'
import { whoIs } from './questions.ts'
import './tables.ts'

const NoSuchOwner = refusal(
  'charging.no-such-owner',
  41316,
  '没有该车主，或其已锁定、注销，请从车主列表中选择',
  'There is no such owner, or their account is locked or deleted: choose one from the list',
  422,
)
const cards = listOver(Card, 'charging.card', cardSearch)

export const calls = serve(card, {
  query: ({ tx, input }) => page(tx, cards, input.cardNo === undefined ? input : { ...input, cardNo: plainCard(input.cardNo) }),
  async save({ tx, input: { id, version, cardNo, kind, ...typed }, at }) {
    const changes = { ...typed, ...(typed.plateNo && { plateNo: ordinaryPlate(typed.plateNo) }) }
    if (changes.ownerId) await refuseNobody(tx, changes.ownerId)
    if (id) return setRow(tx, cards, await lockRow(tx, cards, { id, version }), changes, at)
    if (!cardNo || !kind) throw BadInput({ zh: '请填写卡号和类型', en: 'enter the card number and type' })
    if (kind === CardKind.personal && !changes.ownerId) throw BadInput({ zh: '个人卡请选择车主', en: 'choose an owner for a personal card' })
    if (kind === CardKind.company && !changes.unit) throw BadInput({ zh: '单位卡请填写单位名称', en: 'enter the company name for a company card' })
    return addRow(tx, cards, { cardNo: cardTyped(cardNo), kind, status: CardStatus.good, ...changes })
  },
  /** A lost card that was found is good again. */
  async updateStatus({ tx, input: { id, version, status }, at }) {
    const found = await lockRow(tx, cards, { id, version })
    if (found.status === status) throw IllegalMove({ status })
    return setRow(tx, cards, found, { status }, at)
  },
})
/** A new card's number in its one form. @throws BadInput */
function cardTyped(typed: string): string {
  const plain = plainCard(typed)
  if (plain.length > CARD_MAX) throw BadInput({ zh: `卡号最多 ${CARD_MAX} 位`, en: `a card number has ${CARD_MAX} characters at most` })
  return plain
}
/** @throws NoSuchOwner */
async function refuseNobody(tx: Tx, ownerId: string): Promise<void> {
  const [found] = await whoIs.ask(tx, { ownerId })
  if (!found?.answer.active) throw NoSuchOwner()
}
