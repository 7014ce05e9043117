import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Card, card, CardKind, cardSearch, CardStatus } from '../contract/card.ts'
import './tables.ts'

const cards = listOver(Card, 'charging.card', cardSearch)

export const calls = serve(card, {
  query: ({ tx, input }) => page(tx, cards, input),
  async save({ tx, input: { id, version, cardNo, kind, ...changes }, at }) {
    if (id) return setRow(tx, cards, await lockRow(tx, cards, { id, version }), changes, at)
    if (!cardNo || !kind) throw BadInput({ zh: '请填写卡号和类型', en: 'enter the card number and kind' })
    if (kind === CardKind.personal && !changes.ownerId) throw BadInput({ zh: '个人卡请选择车主', en: 'choose an owner for a personal card' })
    if (kind === CardKind.company && !changes.unit) throw BadInput({ zh: '单位卡请填写单位名称', en: 'enter the company name for a company card' })
    return addRow(tx, cards, { cardNo, kind, status: CardStatus.good, ...changes })
  },
  /** A lost card that was found is good again. */
  async updateStatus({ tx, input: { id, version, status }, at }) {
    const found = await lockRow(tx, cards, { id, version })
    if (found.status === status) throw IllegalMove({ status })
    return setRow(tx, cards, found, { status }, at)
  },
})
