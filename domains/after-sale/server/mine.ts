import type { Instant, Of } from '../../../platform/contract/field.ts'
import { paired } from '../../../platform/contract/said.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type Refusal, refusal } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { APPEAL_DAYS } from '../../arrears/contract/appeal.ts'
import { isAppealed } from '../../arrears/server/api.ts'
import { NO_PARK } from '../../owner/contract/asset.ts'
import type { MyOrder } from '../../owner/contract/mine.ts'
import { myOrder, ownerOf } from '../../owner/server/api.ts'
import { OrderStatus, OrderType as BillType } from '../../settlement/contract/order.ts'
import { Level } from '../contract/level.ts'
import { mine, type MyObjection, type MyObjections, ObjectionReason } from '../contract/mine.ts'
import { Said } from '../contract/said.ts'
import { OrderEvent, OrderSource, OrderState, OrderType } from '../contract/workOrder.ts'
import { inTurn, openOrder } from './opening.ts'
import type { By } from './row.ts'

const OtherWay = refusal(
  'after-sale.objection-other-way',
  42160,
  '补缴请对所补缴的那笔账单提出异议，充值请在钱包中申请退款',
  'For arrears, object to the bill that was paid; for a top-up, request a refund in the wallet',
  422,
)
const NothingPaid = refusal(
  'after-sale.objection-nothing-paid',
  42161,
  '未支付或已全部退款的账单不能提出异议；欠费请申诉',
  'A bill that is unpaid or fully refunded cannot be objected to; appeal a debt instead',
  422,
)
const TooLate = refusal(
  'after-sale.objection-too-late',
  42162,
  '支付已超过 {days} 天，不能再提出异议；如有疑问请联系停车场',
  'It was paid more than {days:day} ago and can no longer be objected to: contact the car park if you disagree',
)
const SaidBefore = refusal(
  'after-sale.objected-before',
  42163,
  '这笔账单已提出过异议或申诉；如仍有疑问请联系停车场',
  'This bill was objected to or appealed before: contact the car park if you still disagree',
)
/** Money of these goes back by another bill, or by a request of its own. */
const ELSEWHERE: readonly number[] = [BillType.arrears, BillType.storedValue]
const PAID: readonly number[] = [OrderStatus.paid, OrderStatus.partlyRefunded, OrderStatus.waived]
const CUSTOMER: By = { userId: null, userName: Said.customer }

type Bill = Of<typeof MyOrder>
/** The driver's session checks whose a bill is; the house reads its work orders, which no driver may see. */
export const calls = serve(mine, {
  objections: phased(async ({ input: { orderNo }, actor, at, read, house }) => {
    const bill = await read((tx) => myOrder(tx, actor.userId, orderNo))
    return house.reading(actor.enterprise, (tx) => standing(tx, bill, at))
  }),
  object: phased(async ({ input: { orderNo, reason, content }, actor, at, read, asSteps, house }) => {
    const bill = await read((tx) => myOrder(tx, actor.userId, orderNo))
    const write = asSteps((work) => house.writing(actor.enterprise, mine.object.id, work))
    return write(async (tx) => {
      await inTurn(tx, keyOf(bill))
      const refused = await refusalOf(tx, bill, at)
      if (refused) throw refused
      const { phone, nickname } = await ownerOf(tx, actor.userId)
      const { plateNo, parkCode } = bill
      const what = { title: Said.objects({ reason: paired(ObjectionReason.entries[reason]) }), content }
      const whose = { contactName: nickname, contact: phone, plateNo, parkCode: parkCode === NO_PARK ? null : parkCode, relatedNo: orderNo }
      const kind = { type: OrderType.feeDispute, source: OrderSource.miniProgram, level: Level.middle }
      await openOrder(tx, { ...what, ...whose, ...kind, sourceKey: keyOf(bill) }, CUSTOMER, at)
      return standing(tx, bill, at)
    })
  }),
})

const keyOf = ({ orderNo }: Bill) => `after-sale.bill ${orderNo}`
async function standing(tx: Tx, bill: Bill, at: Instant): Promise<Of<typeof MyObjections>> {
  const objections = await run<Of<typeof MyObjection>>(tx, { sql: OBJECTIONS }, [keyOf(bill)])
  return { mayObject: (await refusalOf(tx, bill, at)) === undefined, objections }
}
const DECIDED = `o.state in (${OrderState.solved}, ${OrderState.closed})`
/** For a reopened one, the earlier decision counts no more. */
const OBJECTIONS = `select o.order_no as objection_no, o.content, o.state, o.created_at, o.solved_at,
    case when ${DECIDED} then o.finding end as finding, case when ${DECIDED} then o.remedy_fen end as remedy_fen, said.opinion as answer
  from after_sale.work_order o left join lateral (select s.opinion from after_sale.step s where s.enterprise_id = o.enterprise_id and s.order_id = o.id
      and s.event = case o.state when ${OrderState.waiting} then ${OrderEvent.wait} when ${OrderState.solved} then ${OrderEvent.solve}
        when ${OrderState.closed} then ${OrderEvent.solve} when ${OrderState.cancelled} then ${OrderEvent.cancel} end
      order by s.seq desc limit 1) said on true
  where o.enterprise_id = scope_enterprise() and o.source_key = $1 order by o.created_at desc, o.id desc limit 10`

/** Why a bill is not to be objected to; undefined where it is. One that was cancelled decided nothing. */
async function refusalOf(tx: Tx, bill: Bill, at: Instant): Promise<Refusal | undefined> {
  const { id, type, status, paidFen, refundFen, payTime, createdAt } = bill
  if (ELSEWHERE.includes(type)) return OtherWay()
  if (!PAID.includes(status) || paidFen <= refundFen) return NothingPaid()
  if (msOf(at) - msOf(payTime ?? createdAt) > APPEAL_DAYS * DAY_MS) return TooLate({ days: APPEAL_DAYS })
  const objected = (await run(tx, { sql: OBJECTED }, [keyOf(bill)])).length > 0
  return objected || (await isAppealed(tx, id)) ? SaidBefore() : undefined
}
const OBJECTED = `select id from after_sale.work_order where enterprise_id = scope_enterprise() and source_key = $1 and state <> ${OrderState.cancelled} limit 1`
