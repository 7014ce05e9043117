import type { Instant, Of } from '../../../platform/contract/field.ts'
import { impliedColor, isPlate, normalizePlate } from '../../../platform/contract/plate.ts'
import { plainPhone } from '../../../platform/contract/sought.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { phoneTyped } from '../../../platform/server/text/phone.ts'
import { addRow, json, lockRow, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { sendInner } from '../../message/server/api.ts'
import { parkOf } from '../../parking/server/api.ts'
import type { OrderRow } from '../../settlement/server/api.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { Movement, NO_PARK } from '../contract/asset.ts'
import { Card, card, CardAct, cardCan, cardSearch, CardStatus, ParkCard } from '../contract/card.ts'
import { lockActive } from './owner.ts'
import { lockPurse, newCardPurse } from './purse.ts'
import { checkWay, openRecharge, payUrlOf, takeCash } from './recharge.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const NoPlate = refusal('owner.card-plate', 41550, '车牌 {plateNo} 不正确，请核对车牌', '{plateNo} is not a valid plate: check it', 422)
const NotEmpty = refusal('owner.card-not-empty', 41551, '卡内还有余额 ¥{left}，请先退款', 'The card still holds ¥{left}: refund it first')
const BeingRecharged = refusal(
  'owner.card-being-recharged',
  41553,
  '卡片有充值待支付，请先付款或取消该订单',
  'A recharge of the card is still to be paid: pay or cancel that order first',
)
const NeedsMethod = refusal('owner.card-pay-method', 41552, '充值需选择支付方式', 'Choose a payment method for the recharge', 422)

export const cards = listOver(Card, 'owner.card', cardSearch)
const shown = listOver(ParkCard, 'owner.parkCard', cardSearch, { sums: ['balanceFen', 'principalFen', 'bonusFen'] })
type CardRow = Of<typeof Card>
type Update = Of<typeof card.update.input>

export const calls = serve(card, {
  page: ({ tx, input }) => page(tx, shown, input),
  excel: exporting(card.excel, shown),
  query: ({ tx, input }) => byCounter(tx, input),
  detail: ({ tx, input }) => movementsOf(tx, input),
  add: phased(async ({ input, actor, at, write }) => {
    const { payFen, payMethod } = input
    if (payFen !== undefined) checkWay(payMethod ?? needed())
    const paid = { payMethod: payMethod!, actor, at }
    const { id, order } = await write(async (tx) => {
      const made = await issue(tx, input)
      return { id: made.id, order: payFen === undefined ? null : await takeCash(tx, await rechargeOf(tx, made, payFen, at), paid) }
    })
    const recharge = order && (await payUrlOf(write, order, paid))
    return { card: await write((tx) => cardOf(tx, id)), recharge }
  }),
  update: phased(async ({ input, actor, at, write }) => {
    const { payMethod, act } = input
    const paid = { payMethod: payMethod!, actor, at }
    if (act === CardAct.recharge) checkWay(payMethod ?? needed())
    const order = await write(async (tx) => {
      // Held before the card, as a merge of theirs holds it.
      if (act === CardAct.bind && input.ownerId) await lockActive(tx, input.ownerId)
      const made = await change(tx, await lockRow(tx, cards, input), input, at)
      return made && takeCash(tx, made, paid)
    })
    const recharge = order ? await payUrlOf(write, order, paid) : null
    return { card: await write((tx) => cardOf(tx, input.id)), recharge }
  }),
})
function needed(): never {
  throw NeedsMethod()
}
const cardOf = async (tx: Tx, id: string): Promise<Of<typeof ParkCard>> => (await find(tx, shown, id))!

async function issue(tx: Tx, { holder, phone, ownerId, plates = [], parkCodes = [], remark }: Of<typeof card.add.input>): Promise<CardRow> {
  if (ownerId) await lockActive(tx, ownerId)
  await checkParks(tx, parkCodes)
  const purseId = await newCardPurse(tx, ownerId ?? null)
  const made = await addRow(tx, cards, {
    holder,
    phone: phoneTyped(phone),
    ownerId: ownerId ?? null,
    purseId,
    parkCodes: json(parkCodes),
    remark: remark ?? null,
  })
  await setPlates(tx, made.id, plates)
  return made
}
/** Returns the parks that a card does not have yet: a form sends all of them. */
const newTo = (found: CardRow, parkCodes: readonly string[]) => parkCodes.filter((code) => !found.parkCodes.includes(code))
const checkParks = (tx: Tx, parkCodes: readonly string[]) => Promise.all(parkCodes.map((code) => parkOf(tx, code)))

async function setPlates(tx: Tx, cardId: string, typed: readonly string[]): Promise<void> {
  const plates = [...new Set(typed.map(normalizePlate))]
  for (const plateNo of plates) if (!isPlate(plateNo)) throw NoPlate({ plateNo })
  await run(tx, { sql: 'delete from owner.card_plate where enterprise_id = scope_enterprise() and card_id = $1' }, [cardId])
  await run(tx, { sql: PLATES }, [cardId, plates, plates.map((plateNo) => impliedColor(plateNo) ?? null)])
}
const PLATES = `with said as (update owner.card set plates = array_to_string($2::text[], ',') where enterprise_id = scope_enterprise() and id = $1)
  insert into owner.card_plate (card_id, slot, plate_no, plate_color) select $1, p.slot, p.plate_no, p.color from unnest($2::text[], $3::smallint[]) with ordinality p (plate_no, color, slot)`

/** A recharge of a card that is for one park only belongs to that park. */
const rechargeOf = (tx: Tx, { purseId, ownerId, cardNo, parkCodes }: CardRow, payFen: number, at: Instant): Promise<OrderRow> =>
  openRecharge(tx, {
    purseId,
    ownerId,
    payFen,
    subject: Said.cardRecharge({ cardNo }),
    parkCode: parkCodes.length === 1 ? parkCodes[0]! : NO_PARK,
    at,
  })

/** Carries out an act on a card. A recharge answers with the order that it opened. */
async function change(tx: Tx, found: CardRow, input: Update, at: Instant): Promise<OrderRow | undefined> {
  const { act, holder, phone, ownerId, plates, parkCodes, payFen, remark } = input
  if (act === CardAct.details) {
    if (parkCodes) await checkParks(tx, newTo(found, parkCodes))
    await setRow(
      tx,
      cards,
      usable(found),
      {
        ...(holder && { holder }),
        ...(phone && { phone: phoneTyped(phone) }),
        ...(parkCodes && { parkCodes: json(parkCodes) }),
        ...(remark !== undefined && { remark }),
      },
      at,
    )
  } else if (act === CardAct.bind) {
    if (parkCodes) await checkParks(tx, newTo(found, parkCodes))
    if (plates) await setPlates(tx, found.id, plates)
    await setRow(tx, cards, usable(found), { ...(ownerId && { ownerId }), ...(parkCodes && { parkCodes: json(parkCodes) }) }, at)
    if (ownerId)
      await run(tx, { sql: 'update owner.purse set owner_id = $2, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1' }, [
        found.purseId,
        ownerId,
        at,
      ])
  } else if (act === CardAct.recharge) {
    if (payFen === undefined) throw BadInput({ zh: '请填写充值金额', en: 'enter an amount' })
    return rechargeOf(tx, usable(found), payFen, at)
  } else await move(tx, found, act, at)
  return undefined
}
const usable = (found: CardRow): CardRow => {
  if (cardCan.freeze(found.status) === undefined) throw IllegalMove({ status: found.status })
  return found
}
const MOVES = {
  [CardAct.freeze]: 'freeze',
  [CardAct.unfreeze]: 'unfreeze',
  [CardAct.lose]: 'lose',
  [CardAct.replace]: 'replace',
  [CardAct.cancel]: 'cancel',
} as const
async function move(tx: Tx, found: CardRow, act: keyof typeof MOVES, at: Instant): Promise<void> {
  const status = cardCan[MOVES[act]](found.status)
  if (status === undefined) throw IllegalMove({ status: found.status })
  if (act === CardAct.cancel) await checkEmpty(tx, found)
  await setRow(tx, cards, found, { status, ...(act === CardAct.replace && { formerNo: found.cardNo, cardNo: await aNumber(tx) }) }, at)
}
/**
 * Returns money spent from cards: a card that has been cancelled meanwhile is frozen, so that nobody spends it, and the domain that keeps cards hears that its money is to be
 * paid out. Cards are locked before
 * their purses, as cancelling does.
 */
export async function reopenCards(tx: Tx, purseIds: readonly string[], { orderNo, parkCode }: OrderRow, at: Instant): Promise<void> {
  for (const { id } of await run<{ id: string }>(tx, { sql: OF_PURSES }, [purseIds])) {
    const found = await lockRow(tx, cards, { id })
    const status = cardCan.moneyBack(found.status)
    if (status === undefined) continue
    await setRow(tx, cards, found, { status }, at)
    await sendInner(tx, {
      to: { capability: card.update.needs as string, parkCode },
      title: [`已停卡的储值卡有款项退回：${found.cardNo}`, `Money came back to a cancelled card: ${found.cardNo}`],
      body: [
        `订单 ${orderNo} 的退款已退回该卡，卡片转为冻结；请联系持卡人退款后重新停卡`,
        `Order ${orderNo} was refunded to the card, which is frozen now: refund its holder, then cancel it again`,
      ],
      link: CARDS,
      at,
    })
  }
}
const OF_PURSES = 'select id from owner.card where enterprise_id = scope_enterprise() and purse_id = any($1) order by id for update'
const CARDS = `/operation/storedValueCard/list?status=${CardStatus.frozen}`
async function checkEmpty(tx: Tx, { purseId }: CardRow): Promise<void> {
  const { principalFen, bonusFen } = await lockPurse(tx, purseId)
  if (principalFen + bonusFen > 0) throw NotEmpty({ left: ((principalFen + bonusFen) / 100).toFixed(2) })
  if ((await run(tx, { sql: RECHARGES }, [purseId])).length > 0) throw BeingRecharged()
}
/** Recharges not paid yet: a later payment would go to a card that is gone. */
const RECHARGES = `select from owner.recharge r join settlement.order o on o.enterprise_id = r.enterprise_id and o.id = r.order_id and o.status in (${OrderStatus.unpaid}, ${OrderStatus.paying})
  where r.enterprise_id = scope_enterprise() and r.purse_id = $1 limit 1`
const aNumber = async (tx: Tx): Promise<string> =>
  (await run<{ no: string }>(tx, { sql: `select '88' || lpad(nextval('owner.card_number')::text, 8, '0') as no` }, []))[0]!.no

const COUNTER_MAX = 50
/** By number, former number, plate or telephone: whatever somebody at the counter has with them. */
async function byCounter(tx: Tx, { cardNo, plateNo, phone }: Of<typeof card.query.input>): Promise<Of<typeof ParkCard>[]> {
  if (!cardNo && !plateNo && !phone) throw BadInput({ zh: '请输入卡号、车牌或手机号', en: 'enter a card number, a plate or a phone number' })
  const found = await run<{ id: string }>(tx, { sql: COUNTER }, [
    cardNo ?? null,
    plateNo ? normalizePlate(plateNo) : null,
    phone === undefined ? null : plainPhone(phone),
  ])
  return Promise.all(found.map(({ id }) => cardOf(tx, id)))
}
const COUNTER = `select c.id from owner.card c where c.enterprise_id = scope_enterprise() and ($1::text is null or c.card_no = $1 or c.former_no = $1) and ($3::text is null or c.phone = $3)
  and ($2::text is null or exists (select from owner.card_plate n where n.enterprise_id = c.enterprise_id and n.card_id = c.id and n.plate_no = $2)) order by c.created_at desc limit ${COUNTER_MAX}`

const DETAIL_MAX = 500
async function movementsOf(tx: Tx, { id, kind }: Of<typeof card.detail.input>): Promise<Of<typeof card.detail.reply>> {
  const found = await find(tx, cards, id)
  if (!found) throw NotFound()
  return run(tx, { sql: DETAIL }, [found.purseId, kind ?? null])
}
/** Both have columns of the same names. */
const COLUMNS = columnsIn(Movement).replace(/\w+/g, 'm.$&')
const DETAIL = `select ${COLUMNS}, o.stay_id from owner.asset m left join settlement.order o on o.enterprise_id = m.enterprise_id and o.id = m.order_id
    where m.enterprise_id = scope_enterprise() and m.purse_id = $1 and ($2::smallint is null or m.kind = $2) order by m.seq desc limit ${DETAIL_MAX}`
