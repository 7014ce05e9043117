import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, NoPermission, refusal } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { worksOn } from '../../fee/server/api.ts'
import { remedyOf } from '../../settlement/server/api.ts'
import { REOPEN_DAYS } from '../contract/level.ts'
import { Finding, Handling, OF_MONEY, orderCan, OrderEvent, OrderState, RemedyKind, workOrder } from '../contract/workOrder.ts'
import { handlersOf } from './assigning.ts'
import { withdrawFromCustomer } from '../../message/server/api.ts'
import { seesPark } from '../../identity/server/api.ts'
import { useCase } from './case.ts'
import { limitsOf } from './clock.ts'
import { closeOrder, ratingOf } from './closing.ts'
import { type By, limitsNow, lockOrder, moveOrder, type Order, setState } from './row.ts'
import { tellDispatchers, tellHandler } from './tell.ts'

const NotYours = refusal(
  'after-sale.not-yours',
  42110,
  '该工单由 {name} 处理，请联系其本人或主管',
  'This work order is with {name}: ask them or a supervisor',
  403,
)
const OpinionNeeded = refusal('after-sale.opinion-needed', 42111, '请填写处理意见', 'Enter what was done, or the reason', 422)
const RemedyNeeded = refusal(
  'after-sale.remedy-needed',
  42112,
  '退款与计费争议须认定不成立，或关联已通过的退款或减免',
  'For a refund or fee dispute, set the finding to not upheld, or link an approved refund or waiver',
  422,
)
const NoRemedy = refusal(
  'after-sale.no-remedy',
  42113,
  '没有这笔退款或减免，或尚未通过，请核对单号或等待审核',
  'This refund or waiver does not exist or is not approved yet: check the number, or wait for its approval',
  422,
)
const OtherOrder = refusal(
  'after-sale.remedy-of-another',
  42114,
  '该退款或减免属于订单 {orderNo}，不是工单所涉订单；请选本单所涉订单的退款或减免',
  'This refund or waiver belongs to order {orderNo}, not to the related order: choose one of the related order',
  422,
)
const UsedRemedy = refusal(
  'after-sale.remedy-used',
  42115,
  '该退款或减免已关联工单 {orderNo}，请查看该工单',
  'This refund or waiver is already linked to work order {orderNo}: see that work order',
)
export const TooLate = refusal(
  'after-sale.reopen-too-late',
  42116,
  '关闭已超过 15 天，不能重开，请新建工单',
  'It was closed more than 15 days ago and cannot be reopened: create a new work order',
)

type Given = Of<typeof workOrder.handle.input>
type Worker = Pick<Actor, 'userId' | 'userName' | 'may'>
const { start, wait, resume, solve, return: giveBack, close, reopen, cancel } = Handling
/** Steps of the handler; the others belong to the person who took the order in. A supervisor may do all. */
const OF_HANDLER: readonly number[] = [start, wait, resume, solve, giveBack]
const WITH_WORDS: readonly number[] = [wait, solve, giveBack, reopen, cancel]

/** One step of an order. @throws NotYours, OpinionNeeded, IllegalMove, Stale and what a step asks for */
export async function handleOrder(tx: Tx, given: Given, actor: Worker, at: Instant): Promise<Order> {
  const order = await lockOrder(tx, given.id, given.version)
  refuseOthers(order, given.event, actor)
  if (WITH_WORDS.includes(given.event) && !given.opinion) throw OpinionNeeded()
  const by: By = { userId: actor.userId, userName: actor.userName }
  const done = await step(tx, order, given, by, at)
  if (given.caseId) await useCase(tx, { caseId: given.caseId, orderId: order.id, by, at })
  return done
}

function refuseOthers(order: Order, event: number, { userId, may }: Worker): void {
  if (may.has(workOrder.delete.needs)) return
  if (OF_HANDLER.includes(event)) {
    if (order.assigneeId !== (userId as string)) throw order.assigneeName ? NotYours({ name: order.assigneeName }) : NoPermission()
  } else if (order.creatorId !== (userId as string)) throw NotYours({ name: order.creatorName })
}

async function step(tx: Tx, order: Order, given: Given, by: By, at: Instant): Promise<Order> {
  const said = { by, at, opinion: given.opinion, images: given.images }
  switch (given.event) {
    case start:
      return moveOrder(tx, order, 'start', { respondedAt: order.respondedAt ?? at }, said)
    case wait:
      return moveOrder(tx, order, 'wait', {}, said)
    case resume:
      return moveOrder(tx, order, 'resume', orderCan.resume(order.state) === undefined ? {} : await limitsNow(tx, order, at), said)
    case solve:
      return moveOrder(tx, order, 'solve', { solvedAt: at, ...(await foundOut(tx, order, given)) }, said)
    case giveBack: {
      const back = await moveOrder(tx, order, 'return', { assigneeId: null, assigneeName: null }, said)
      await tellDispatchers(tx, back, ['工单被退回，请重新分派', 'A work order was returned: reassign it'], { by: by.userId, at })
      return back
    }
    case close:
      return closeOrder(tx, order, by, at, said)
    case reopen:
      return reopenOrder(tx, order, by, at, said)
    case cancel:
      return moveOrder(tx, order, 'cancel', {}, said)
  }
}

/** Checks the finding of a dispute over money; other orders need none. @throws RemedyNeeded, NoRemedy, OtherOrder, UsedRemedy */
async function foundOut(tx: Tx, order: Order, { finding, remedyId }: Given): Promise<Partial<Order>> {
  if (!OF_MONEY.includes(order.type)) return {}
  if (orderCan.solve(order.state) === undefined) throw IllegalMove({ state: order.state })
  if (finding === Finding.unfounded) return { finding, remedyId: null, remedyKind: null, remedyNo: null, remedyFen: null }
  if (!remedyId) throw RemedyNeeded()
  const remedy = await remedyOf(tx, remedyId)
  if (!remedy?.good) throw NoRemedy()
  if (order.relatedNo && remedy.orderNo !== order.relatedNo) throw OtherOrder({ orderNo: remedy.orderNo })
  // Of two orders that name the same one at once, the second waits here and hears of the first.
  await run(tx, { sql: IN_TURN }, [remedyId])
  const [other] = await run<{ orderNo: string }>(tx, { sql: USED }, [remedyId, order.id])
  if (other) throw UsedRemedy({ orderNo: other.orderNo })
  const remedyKind = remedy.kind === 'refund' ? RemedyKind.refund : RemedyKind.waiver
  return {
    finding: Finding.upheld,
    remedyId: remedyId,
    remedyKind,
    remedyNo: remedy.no,
    remedyFen: remedy.amountFen as Fen,
    relatedNo: remedy.orderNo,
  }
}
const IN_TURN = `select pg_advisory_xact_lock(hashtextextended('after-sale remedy ' || $1, scope_enterprise()))`
const USED = 'select order_no from after_sale.work_order where enterprise_id = scope_enterprise() and remedy_id = $1 and id <> $2'

/** A new round, with time limits of its own, for its handler; where they cannot handle orders any more, for the people who assign. @throws TooLate, IllegalMove */
export async function reopenOrder(
  tx: Tx,
  order: Order,
  by: By,
  at: Instant,
  said: { opinion?: string | null | undefined; images?: string | null | undefined } = {},
): Promise<Order> {
  if (orderCan.reopen(order.state) === undefined) throw IllegalMove({ state: order.state })
  if (msOf(at) - msOf(order.closedAt!) > REOPEN_DAYS * DAY_MS) throw TooLate()
  const limits = limitsOf(order.level, at, [], await worksOn(tx))
  const anew = {
    ...limits,
    countedFrom: at,
    respondedAt: null,
    solvedAt: null,
    closedAt: null,
    warnedAt: null,
    escalatedAt: null,
    lateAt: null,
    invitedAt: null,
    reopens: order.reopens + 1,
  }
  // A customer who complains again is not asked for a rating before it is over.
  await withdrawFromCustomer(tx, ratingOf(order.id), at)
  const open = await moveOrder(tx, order, 'reopen', anew, { by, at, ...said })
  const done = { by: by.userId, at }
  if (!(await canHave(tx, order))) {
    await tellDispatchers(tx, open, ['工单已重开，请重新分派', 'A work order was reopened: reassign it'], done)
    return open
  }
  const given = await setState(tx, open, OrderState.assigned, OrderEvent.assign, {}, { by, at, whom: order.assigneeName })
  await tellHandler(tx, given, ['您的工单已重开', 'Your work order was reopened'], done)
  return given
}
const canHave = async (tx: Tx, { assigneeId, parkCode }: Order): Promise<boolean> =>
  assigneeId !== null && (await handlersOf(tx)).some(({ id }) => id === assigneeId) && seesPark(tx, assigneeId, parkCode)
