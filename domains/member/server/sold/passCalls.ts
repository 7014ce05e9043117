import type { Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { BadInput, IllegalMove, NoPermission, NotFound } from '../../../../platform/server/refusal.ts'
import { phased, serve } from '../../../../platform/server/serve.ts'
import { PayMethod } from '../../../settlement/contract/payment.ts'
import { holdCredited, orderOf, startPayment } from '../../../settlement/server/api.ts'
import { DeferKind, FreezeCause, pass, PassStatus, seat } from '../../contract/pass.ts'
import { ListStatus, ListType } from '../../contract/whiteBlack.ts'
import { ordinaryPlate, plateTyped } from '../../../parking/server/api.ts'
import { freeze, thaw } from './freeze.ts'
import { takeGiveBackBack } from './givenBackByMistake.ts'
import { cancelWaiting } from './letGo.ts'
import { placesLeft } from './places.ts'
import { conflictsOf, dropHeld, type Held, lockPass, passOf, passRow, passShown, setPass } from './pass.ts'
import { State, waitingOrder } from './period.ts'
import { giveBack, partsOf } from './refund.ts'
import { confirmQuote, freeDaysLeft, giveDays, openRenewal, quoteOf, refuseIncomplete } from './renew.ts'
import { renewMany } from './renewMany.ts'
import { grant, offerOf, payAt, refuseCars, refuseMethod, reject, sell, takeCash } from './sale.ts'
import { Said } from '../../contract/said.ts'

const CONFIRMED = 1

export const seats = serve(seat, {
  query: ({ tx, input }) => passesBy(tx, input),
  async stop({ tx, input: { id, version, reason, bank = false, until = null }, actor, at }) {
    return shown(await freeze(tx, await lockPass(tx, { id, version }), { cause: FreezeCause.asked, bank, until, reason, byName: actor.userName, at }))
  },
  start: async ({ tx, input, at }) => shown(await thaw(tx, await lockPass(tx, input), at)),
  deferConfirm: phased(async (context) => {
    const { input, actor, at, write } = context
    const { id, version, kind, confirm, quoteNo, payMethod = PayMethod.cash } = input
    refuseIncomplete(input)
    if (kind === DeferKind.free && !actor.may.has(pass.freeDays.needs)) throw NoPermission()
    refuseMethod(payMethod)
    const done = await write(async (tx) => {
      const held = await lockPass(tx, { id, ...(confirm !== CONFIRMED && { version }) })
      if (confirm !== CONFIRMED) return { quote: await quoteOf(tx, held, input, at), order: undefined }
      const quote = await confirmQuote(tx, held, input, quoteNo, at)
      if (kind === DeferKind.free) {
        await giveDays(tx, held, quote, { reason: input.reason, byName: actor.userName, at })
        return { quote, order: undefined }
      }
      const order = await openRenewal(tx, held, quote, { byName: actor.userName, at })
      await takeCash(tx, order, payMethod, actor, at)
      return { quote, order }
    })
    if (!done.order) return { quote: done.quote }
    return { quote: done.quote, order: await payAt(context, { passId: id, order: done.order, payMethod }) }
  }),
  async delete({ tx, input, at }) {
    await holdCredited(tx, input.id)
    const held = await lockPass(tx, input)
    const over = [PassStatus.underReview, PassStatus.expired, PassStatus.returned, PassStatus.toPay] as number[]
    if (!over.includes(held.status)) throw IllegalMove({ status: held.status })
    await cancelWaiting(tx, held.id, Said.deleted, at)
    await dropHeld(tx, held.id, null)
    await setPass(tx, held, { state: PassStatus.deleted }, at)
  },
})

export const passes = serve(pass, {
  async quote({ tx, input, at }) {
    if (input.id !== undefined) return refundQuote(tx, input.id, at)
    const { groupId, carFeesId, periods = 1, plates = [], seats = 1, startAt } = input
    if (!groupId || !carFeesId) throw BadInput({ zh: '售卡报价须填月卡类型和套餐', en: 'a quote to sell needs a pass type and a plan' })
    const offer = await offerOf(tx, { groupId, carFeesId, periods, seats, ...(startAt && { startAt }) }, at)
    const cars = plates.map(({ plateNo, ...car }) => ({ ...car, plateNo: ordinaryPlate(plateNo) }))
    if (cars.length > 0) refuseCars(cars.length, seats, offer.group)
    const conflicts = await conflictsOf(tx, { ...offer, timeWindow: offer.plan.timeWindow, cars })
    const left = await placesLeft(tx, offer.group)
    return {
      payableFen: offer.payableFen as Fen,
      startAt: offer.from,
      endAt: offer.to,
      placesLeft: left,
      conflicts: conflicts.map(({ id: _, ...one }) => one),
      ...NO_REFUND,
    }
  },
  sell: phased(async (context) => {
    const { input, actor, at, write, request } = context
    refuseMethod(input.payMethod)
    const sold = await write(async (tx) => {
      const made = await sell(tx, input, actor, at)
      await takeCash(tx, made.order, input.payMethod, actor, at)
      return {
        ...made,
        warning: await blackWarning(
          tx,
          input.plates.map(({ plateNo }) => plateNo),
          request.language,
        ),
      }
    })
    return payAt(context, { passId: sold.pass.id, order: sold.order, payMethod: input.payMethod, warning: sold.warning })
  }),
  pay: phased(async (context) => {
    const {
      input: { id, payMethod },
      actor,
      at,
      write,
    } = context
    refuseMethod(payMethod)
    const order = await write(async (tx) => {
      await holdCredited(tx, id)
      await lockPass(tx, { id })
      const waits = await orderOf(tx, await waitingOrder(tx, id))
      await takeCash(tx, waits, payMethod, actor, at)
      return waits
    })
    const told = { passId: id, orderNo: order.orderNo, payableFen: order.payableFen, payUrl: null, expiresAt: null, warning: null }
    if (payMethod === PayMethod.cash) return told
    const { payUrl, expiresAt } = await startPayment(write, { orderId: order.id, payMethod, merchant: actor.enterprise, at })
    return { ...told, payUrl, expiresAt }
  }),
  async cancelOrder({ tx, input, at }) {
    await holdCredited(tx, input.id)
    const held = await lockPass(tx, input)
    await waitingOrder(tx, held.id)
    await cancelWaiting(tx, held.id, Said.byCustomer, at)
    return shown(await passOf(tx, held.id))
  },
  async orderState({ tx, input }) {
    const [of] = await run<{ state: number }>(tx, { sql: STATE_OF }, [input.orderNo])
    if (!of) throw NotFound()
    return { paid: of.state === State.counts || of.state === State.refunded, waits: of.state === State.waits }
  },
  async audit({ tx, input, actor, at }) {
    const held = await lockPass(tx, input)
    if (!input.pass) await reject(tx, held, input.verdict, at)
    const order = input.pass ? await grant(tx, held, input.verdict, actor, at) : undefined
    return {
      passId: held.id,
      orderNo: order?.orderNo ?? null,
      payableFen: (order?.payableFen ?? 0) as Fen,
      payUrl: null,
      expiresAt: null,
      warning: null,
    }
  },
  async refund({ tx, input, actor, at }) {
    await holdCredited(tx, input.id)
    return shown(await giveBack(tx, await lockPass(tx, input), input.reason, actor, at))
  },
  withdrawRefund: async ({ tx, input, actor, at }) => shown(await takeGiveBackBack(tx, input, actor, at)),
  async freeDays({ tx, input, at }) {
    const { id } = await passOf(tx, input.id)
    return { left: await freeDaysLeft(tx, id, at) }
  },
  renewMany: ({ tx, input, actor, at }) => renewMany(tx, input, actor, at),
})
const STATE_OF = `select r.state from settlement.order o join member.period r on r.enterprise_id = o.enterprise_id and r.order_id = o.id where o.enterprise_id = scope_enterprise() and o.order_no = $1`
const NO_REFUND = { refundFen: 0 as Fen, parts: [] }
const shown = (held: Held): Held => passShown(held)

async function refundQuote(tx: Tx, id: string, at: Instant) {
  const held = await passRow(tx, id)
  const parts = await partsOf(tx, held, at)
  const lines = parts.map(({ period, paidFen, openFen, usedDays, refundFen }) => ({
    orderNo: period.orderNo ?? '',
    startAt: period.startAt,
    endAt: period.endAt,
    paidFen: paidFen as Fen,
    refundingFen: openFen as Fen,
    days: period.days,
    usedDays,
    refundFen: refundFen as Fen,
  }))
  const refundFen = lines.reduce((sum, line) => sum + line.refundFen, 0) as Fen
  return { payableFen: 0 as Fen, startAt: held.startAt, endAt: held.endAt, placesLeft: null, conflicts: [], refundFen, parts: lines }
}
/** Being on the black list does not keep a car off a pass; it is said. */
export async function blackWarning(tx: Tx, plates: readonly string[], language: 'zh' | 'en'): Promise<string | null> {
  const black = await onBlackList(tx, plates)
  if (black.length === 0) return null
  return language === 'zh' ? `车辆在黑名单中：${black.join('、')}` : `On the black list: ${black.join(', ')}`
}
/** Those that are on the black list, now or later. */
export async function onBlackList(tx: Tx, plates: readonly string[]): Promise<string[]> {
  const sql = `select distinct plate_no from member.listed where enterprise_id = scope_enterprise() and plate_no = any ($1) and list_type = ${ListType.black} and status in (${ListStatus.inForce}, ${ListStatus.notYet})`
  const black = await run<{ plateNo: string }>(tx, { sql }, [plates.map((plateNo) => plateTyped(plateNo, true))])
  return black.map(({ plateNo }) => plateNo)
}

type Asked = Of<typeof seat.query.input>
const PAGE_ROWS = 100
async function passesBy(tx: Tx, { parkCode, seatCode, memberId, plateNo, status, current = 1, limit = PAGE_ROWS }: Asked): Promise<Held[]> {
  const plate = plateNo === undefined ? null : plateTyped(plateNo, true)
  const rows = await run<Held>(tx, { sql: BY }, [
    parkCode ?? null,
    seatCode ?? null,
    memberId ?? null,
    plate,
    status ?? null,
    limit,
    (current - 1) * limit,
  ])
  return rows.map(shown)
}
const BY = `select * from member.held h where h.enterprise_id = scope_enterprise() and ($1::text is null or $1 = any (h.park_codes)) and ($2::text is null or h.seat_code = $2)
  and ($3::uuid is null or h.member_id = $3) and ($4::text is null or exists (select from member.pass_car x where x.enterprise_id = h.enterprise_id and x.pass_id = h.id and x.plate_no = $4))
  and ($5::smallint[] is null or h.status = any ($5)) and h.state <> ${PassStatus.deleted} order by h.end_at desc, h.id desc limit $6 offset $7`
