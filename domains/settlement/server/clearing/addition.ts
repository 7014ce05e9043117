import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../../platform/server/row.ts'
import {
  Addition,
  AdditionBar,
  type AdditionLine,
  additionSearch,
  AdditionState,
  CheckState,
  diffCan,
  DiffState,
  type liquidation,
  TWO_APPROVERS_FEN,
} from '../../contract/liquidation.ts'
import { OrderType } from '../../contract/order.ts'
import { methodOf } from '../../contract/payment.ts'
import { lockOrders } from '../hold.ts'
import { openOrder } from '../opening.ts'
import { NotPayable, noticePayment, takes } from '../receiving.ts'
import { ApprovedAlready, SelfApproval } from '../refund/refund.ts'
import { orderOf, type OrderRow } from '../row.ts'
import { added, lockDetail, openOver, refuseOfAnother } from './differences.ts'
import '../tables.ts'

type Row = Of<typeof Addition>
type Person = { userId: string; userName: string }
export const additions = listOver(Addition, 'settlement.addition', additionSearch, { sums: ['amountFen'] })
const NotOver = refusal(
  'settlement.not-over',
  40565,
  '流水号 {tradeNo} 不是待处理的长款，不能补单；请刷新差异列表',
  'Transaction {tradeNo} is not an unresolved surplus, so no order can be added. Refresh the list',
  422,
)
const AddedAlready = refusal(
  'settlement.added-already',
  40566,
  '流水号 {tradeNo} 已申请或已补单',
  'An order for transaction {tradeNo} has already been added or requested',
)

/** With what would keep the next yes from being said. */
export async function additionPage(tx: Tx, input: Of<typeof liquidation.additions.input>) {
  const found = await page(tx, additions, input)
  const waiting = found.records.filter(({ state }) => state === AdditionState.waiting).map(({ id }) => id)
  const barred = waiting.length > 0 ? await run<Pick<Of<typeof AdditionLine>, 'id' | 'bar'>>(tx, { sql: BARRED }, [waiting]) : []
  const bars = new Map(barred.map(({ id, bar }) => [id, bar]))
  return { ...found, records: found.records.map((one) => ({ ...one, bar: bars.get(one.id) ?? null })) }
}
const STILL_WANTED = takes('a.amount_fen')
const BARRED = `select a.id, case when t.state = ${CheckState.closed} then ${AdditionBar.dayClosed} when d.diff_state not in (${DiffState.unclaimed}, ${DiffState.claimed}) then ${AdditionBar.settled}
      when a.order_id is not null and not exists (select from settlement.order where enterprise_id = a.enterprise_id and id = a.order_id and ${STILL_WANTED}) then ${AdditionBar.orderOver} end as bar
  from settlement.addition a join settlement.check_detail d on d.enterprise_id = a.enterprise_id and d.id = a.detail_id
  left join settlement.check_total t on t.enterprise_id = a.enterprise_id and t.check_date = d.check_date and t.channel = d.channel
  where a.enterprise_id = scope_enterprise() and a.id = any ($1) and a.approvals + 1 >= a.approvals_needed`

export async function apply(
  tx: Tx,
  { tradeNo, stayId, orderNo, reason, evidence }: Of<typeof liquidation.additionApply.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Row> {
  const over = await openOver(tx, tradeNo)
  if (!over) throw NotOver({ tradeNo })
  refuseOfAnother(over, userId)
  const [waiting] = await run(tx, { sql: WAITING }, [over.channel, tradeNo])
  if (waiting) throw AddedAlready({ tradeNo })
  const of = await ofWhat(tx, stayId, orderNo)
  const amountFen = over.chanFen!
  return addRow(tx, additions, {
    additionNo: (await run<{ no: string }>(tx, { sql: `select platform.business_no('BD') as no` }, []))[0]!.no,
    detailId: over.id,
    checkDate: over.checkDate,
    channel: over.channel,
    tradeNo,
    amountFen,
    parkCode: of.parkCode,
    stayId: stayId ?? null,
    orderId: of.orderId,
    orderNo: orderNo ?? null,
    reason,
    evidence,
    applicantId: userId,
    applicantName: userName,
    approvalsNeeded: amountFen >= TWO_APPROVERS_FEN ? 2 : 1,
    createdAt: at,
    updatedAt: at,
  })
}
const WAITING = `select id from settlement.addition where enterprise_id = scope_enterprise() and channel = $1 and trade_no = $2 and state in (${AdditionState.waiting}, ${AdditionState.added})`

/** Money is added to an order that still wants it, or to a stay. */
async function ofWhat(
  tx: Tx,
  stayId: string | undefined,
  orderNo: string | undefined,
): Promise<{ parkCode: string; orderId: OrderRow['id'] | null }> {
  if ((stayId === undefined) === (orderNo === undefined)) throw BadInput({ zh: '请给出停车记录或订单号之一', en: 'give either a stay or an order' })
  const sql = orderNo
    ? 'select id as order_id, park_code from settlement.order where enterprise_id = scope_enterprise() and order_no = $1'
    : 'select null::uuid as order_id, park_code from settlement.order where enterprise_id = scope_enterprise() and stay_id = $1::uuid limit 1'
  const [found] = await run<{ orderId: OrderRow['id'] | null; parkCode: string }>(tx, { sql }, [orderNo ?? stayId])
  if (!found) throw NotFound()
  return found
}

/** The applicant does not decide, and nobody decides twice. The last approval makes the order and pays it with the channel's trade, booked today. */
export async function decideAddition(
  tx: Tx,
  { id, version, pass, verdict }: Of<typeof liquidation.additionDecide.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Row> {
  const found = await lockRow(tx, additions, { id, version })
  if (found.state !== AdditionState.waiting) throw IllegalMove({ state: found.state })
  if (found.applicantId === (userId as string)) throw SelfApproval()
  if (found.firstApproverId === (userId as string)) throw ApprovedAlready()
  const said = { verdict: verdict ?? found.verdict }
  if (!pass) return setRow(tx, additions, found, { ...said, state: AdditionState.rejected, ...person(found, userId, userName) }, at)
  const approvals = found.approvals + 1
  const last = approvals >= found.approvalsNeeded
  if (last && found.orderId) await lockOrders(tx, [found.orderId])
  // Meanwhile it may have been settled another way: then its money is booked.
  if (last && diffCan.settle((await lockDetail(tx, { id: found.detailId })).diffState) === undefined) throw NotOver({ tradeNo: found.tradeNo })
  const order = last ? await make(tx, found, at) : undefined
  const decided = await setRow(
    tx,
    additions,
    found,
    {
      ...said,
      ...person(found, userId, userName),
      approvals,
      ...(order && { state: AdditionState.added, orderId: order.id, orderNo: order.orderNo }),
    },
    at,
  )
  if (order)
    await added(tx, found.detailId, { settledId: found.applicantId, settledName: found.applicantName, decidedName: userName, note: found.reason }, at)
  return decided
}
const person = ({ firstApproverId }: Row, userId: string, userName: string) =>
  firstApproverId ? { secondApproverId: userId, secondApproverName: userName } : { firstApproverId: userId, firstApproverName: userName }

async function make(tx: Tx, { orderId, stayId, parkCode, amountFen, channel, tradeNo, reason }: Row, at: Instant): Promise<OrderRow> {
  const order = orderId ? await orderOf(tx, orderId) : await ofStay(tx, stayId!, { parkCode, amountFen, reason, at })
  const payNo = `${order.orderNo}-D${tradeNo.slice(-6)}`
  await run(tx, { sql: ATTEMPT }, [order.id, order.parkCode, payNo, methodOf(channel), channel, amountFen, at])
  if ((await noticePayment(tx, { payNo, channel, tradeNo, amountFen, paidAt: at, at })) !== 'paid') throw NotPayable()
  return orderOf(tx, order.id)
}
const ATTEMPT = `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, amount_fen, created_at) values ($1, $2, $3, $4, $5, $6, $7)`

/** Money of a stay that no order asked for any more. */
async function ofStay(
  tx: Tx,
  stayId: string,
  { parkCode, amountFen, reason, at }: { parkCode: string; amountFen: number; reason: string; at: Instant },
): Promise<OrderRow> {
  const [car] = await run<{ plateNo: string | null; plateColor: OrderRow['plateColor'] }>(tx, { sql: CAR }, [stayId])
  return openOrder(tx, {
    type: OrderType.temporaryParking,
    subject: reason,
    plateNo: car?.plateNo ?? null,
    plateColor: car?.plateColor ?? null,
    parkCode,
    receivableFen: amountFen,
    at,
  })
}
const CAR =
  'select plate_no, plate_color from settlement.order where enterprise_id = scope_enterprise() and stay_id = $1 order by created_at desc limit 1'
