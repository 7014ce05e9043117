import { lasting } from '../../../platform/contract/duration.ts'
import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { removeRow, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { remediesOf } from '../../settlement/server/api.ts'
import { Level, REMIND_MIN } from '../contract/level.ts'
import {
  type Before,
  Box,
  OPEN_STATES,
  orderCan,
  OrderEvent,
  OrderSource,
  OrderState,
  RemedyKind,
  SlaState,
  type Step,
  workOrder,
} from '../contract/workOrder.ts'
import { assignAll, handlersOf } from './assigning.ts'
import { casesOf } from './case.ts'
import { orderFigures } from './figures.ts'
import { handleOrder } from './handling.ts'
import { openOrder, refusePark, SaidWhom } from './opening.ts'
import { limitsNow, lockOrder, moveOrder, note, type Order, orderLines, orderOf, orders, ratedLines, type Shown, tellOrder } from './row.ts'
import { tellDispatchers, tellHandler, tellLeaders } from './tell.ts'
import { Said } from '../contract/said.ts'
import { paired } from '../../../platform/contract/said.ts'

const JustReminded = refusal(
  'after-sale.just-reminded',
  42105,
  '{wait}后才能再次催办',
  'A reminder was just sent: you can send another in {waitEn}',
  422,
)
const NobodyReminded = refusal(
  'after-sale.nobody-reminded',
  42157,
  '没有其他人可催：处理人或派单人就是您本人，或已不在岗，请改派',
  'Nobody else can be reminded: you are the one who handles or assigns it, or they are gone. Assign it to somebody else',
  422,
)
const NotForYou = refusal(
  'after-sale.change-not-yours',
  42106,
  '只有建单人和主管可以修改工单',
  'Only the creator or a supervisor can change a work order',
  403,
)

export const calls = serve(workOrder, {
  query: ({ tx, input, actor }) => list(tx, input, actor),
  summary: ({ tx, input, actor, at }) => orderFigures(tx, input, { userId: actor.userId, all: seesAll(actor), handles: handles(actor) }, at),
  async one({ tx, input: { id }, actor }) {
    const order = await seen(tx, id, actor)
    const [kept] = await run<{ invitedAt: Instant | null }>(tx, { sql: INVITED }, [id])
    return { ...order, invitedAt: kept!.invitedAt, cases: await casesOf(tx, id) }
  },
  async progress({ tx, input: { id }, actor }) {
    await seen(tx, id, actor)
    return run<Of<typeof Step>>(tx, { sql: STEPS }, [id])
  },
  async add({ tx, input, actor, at }) {
    if (BY_PEOPLE.includes(input.source) && !input.contact && !input.plateNo) throw SaidWhom()
    await refusePark(tx, input.parkCode, actor.scope.parks)
    return orderOf(tx, (await openOrder(tx, input, actor, at)).id)
  },
  async update({ tx, input, actor, at }) {
    const order = await lockOrder(tx, input.id, input.version)
    if (order.creatorId !== (actor.userId as string) && !seesAll(actor)) throw NotForYou()
    if (input.parkCode !== undefined && input.parkCode !== order.parkCode) await refusePark(tx, input.parkCode, actor.scope.parks)
    return orderOf(tx, (await change(tx, order, input, actor, at)).id)
  },
  assign: ({ tx, input, actor, at }) => assignAll(tx, input, actor, at),
  async handle({ tx, input, actor, at }) {
    if (input.opinion) await because(tx, input.opinion)
    return orderOf(tx, (await handleOrder(tx, input, actor, at)).id)
  },
  remind: ({ tx, input, actor, at }) => remind(tx, input.id, actor, at),
  remindPost: ({ tx, input, actor, at }) => remind(tx, input.id, actor, at),
  async delete({ tx, input, at }) {
    const order = await lockOrder(tx, input.id, input.version)
    if (orderCan.delete(order.state) === undefined) throw IllegalMove({ state: order.state })
    await removeRow(tx, orders, order, at)
    await tellOrder(tx, order)
  },
  async handlers({ tx }) {
    const people = await handlersOf(tx)
    const loads = await run<{ id: string; open: number; over: number }>(tx, { sql: LOADS }, [people.map(({ id }) => id)])
    return people.map(({ id, name }) => ({ open: 0, over: 0, ...loads.find((one) => one.id === id), id: id, name }))
  },
  before: ({ tx, input: { contact, plateNo } }) =>
    contact || plateNo ? run<Of<typeof Before>>(tx, { sql: BEFORE }, [contact ?? null, plateNo ?? null]) : Promise.resolve([]),
  async remedies({ tx, input: { id, relatedNo }, actor }) {
    const order = await seen(tx, id, actor)
    const no = order.relatedNo ?? relatedNo
    const found = no ? await remediesOf(tx, no) : []
    return found.map(({ id, kind, no, amountFen, good, appliedAt }) => ({
      id: id,
      kind: kind === 'refund' ? RemedyKind.refund : RemedyKind.waiver,
      no,
      amountFen: amountFen as Fen,
      good,
      appliedAt,
    }))
  },
})
/** Devices and rounds call nobody back. */
const BY_PEOPLE: readonly number[] = [OrderSource.telephone, OrderSource.miniProgram]
const INVITED = 'select invited_at from after_sale.work_order where enterprise_id = scope_enterprise() and id = $1'
const STEPS = `select id, at, event, "from", "to", who, whom, opinion, images, work_min from after_sale.step where enterprise_id = scope_enterprise() and order_id = $1 order by seq limit 1000`
const LOADS = `select assignee_id as id, count(*)::int as open, (count(*) filter (where sla_state = ${SlaState.over}))::int as over from after_sale.order_line
  where enterprise_id = scope_enterprise() and assignee_id = any ($1) and state in (${OPEN_STATES.join(', ')}) group by assignee_id`
const BEFORE = `select * from (
    (select id, true as is_order, order_no as no, title, state, created_at as at, assignee_name as handler from after_sale.work_order
      where enterprise_id = scope_enterprise() and (contact = $1 or plate_no = $2) order by created_at desc limit 20)
    union all (select id, false, suggest_no, left(content, 80), state, created_at, handler_name from after_sale.suggestion
      where enterprise_id = scope_enterprise() and (phone = $1 or plate_no = $2) order by created_at desc limit 20)) q order by at desc limit 20`

const handles = ({ may }: Pick<Actor, 'may'>) => may.has(workOrder.handle.needs)
const seesAll = ({ may }: Pick<Actor, 'may'>) => may.has(workOrder.delete.needs)
type Asked = Of<typeof workOrder.query.input>
type Narrow = Pick<Asked, 'state' | 'assigneeId' | 'creatorId' | 'slaState'>
/** Lists orders. A person who is no supervisor sees those that they handle or took in; the boxes hold what they took in and what they have to assign. */
function list(tx: Tx, { box, scored, ...asked }: Asked, actor: Actor) {
  const narrow = narrowOf(box, actor)
  const both = <T>(mine: T[] | undefined, theirs: T[] | undefined) => (mine && theirs ? theirs.filter((one) => mine.includes(one)) : (mine ?? theirs))
  const merged = Object.fromEntries(
    (['state', 'assigneeId', 'creatorId', 'slaState'] as const).flatMap((name) => {
      const values = both<unknown>(narrow[name], asked[name])
      return values ? [[name, values]] : []
    }),
  )
  return page(tx, scored ? ratedLines : orderLines, { ...asked, ...(!asked.orderByColumn && ORDERED[box ?? Box.all]), ...merged })
}
/** Unless another order is asked for: a person's own tasks are sorted by due time, and of everything the most pressing is first. */
const ORDERED: Partial<Record<number, Pick<Asked, 'orderByColumn' | 'isAsc'>>> = {
  [Box.todo]: { orderByColumn: 'dueAt', isAsc: true },
  [Box.all]: { orderByColumn: 'urgency,createdAt', isAsc: 'true,false' },
  [Box.unassigned]: { orderByColumn: 'urgency,createdAt', isAsc: 'true,false' },
}
function narrowOf(box: Asked['box'], actor: Actor): Narrow {
  const me = [actor.userId]
  const all = seesAll(actor)
  const chosen = box ?? Box.all
  if (chosen === Box.mine) return { creatorId: me }
  if (chosen === Box.todo) return { assigneeId: me, state: [...MY_QUEUE] }
  if (chosen === Box.done) return { assigneeId: me, state: [...DONE] }
  if (chosen === Box.unassigned) return { state: [...TO_ASSIGN], ...(!all && !actor.may.has(workOrder.assign.needs) && { creatorId: me }) }
  if (chosen === Box.overdue) return { state: [...OPEN_STATES], slaState: [SlaState.over], ...(!all && { assigneeId: me }) }
  if (all) return {}
  return handles(actor) ? { assigneeId: me } : { creatorId: me }
}
const { unassigned, assigned, working, waiting, solved, closed, returned, reopened, cancelled } = OrderState
const MY_QUEUE = [assigned, working, waiting] as const
const DONE = [solved, closed, cancelled] as const
const TO_ASSIGN = [unassigned, returned, reopened] as const

/** An order that is theirs, or was. @throws NotFound */
async function seen(tx: Tx, id: string, actor: Actor): Promise<Shown> {
  const order = await orderOf(tx, id)
  const mine = order.creatorId === (actor.userId as string) || order.assigneeId === (actor.userId as string)
  const toAssign = actor.may.has(workOrder.assign.needs) && (TO_ASSIGN as readonly number[]).includes(order.state)
  if (seesAll(actor) || mine || toAssign || (await run(tx, { sql: HAD }, [id, actor.userId])).length > 0) return order
  throw NotFound()
}
const HAD = 'select 1 from after_sale.step where enterprise_id = scope_enterprise() and who_id = $2 and order_id = $1 limit 1'

/** Another level has other time limits, from when the round began. */
async function change(tx: Tx, order: Order, { id: _, version: __, ...fields }: Of<typeof workOrder.update.input>, actor: Actor, at: Instant) {
  const level = fields.level ?? order.level
  const limits = level === order.level ? {} : await limitsNow(tx, order, at, level)
  const opinion = level === order.level ? null : Said.level({ from: paired(Level.entries[order.level]), to: paired(Level.entries[level]) })
  return moveOrder(tx, order, 'change', { ...fields, ...limits } as Partial<Order>, { by: actor, at, opinion })
}

/**
 * Reminds the handler or, while there is none, the people who assign; of an overdue order the supervisors too. Never the customer. @throws JustReminded, IllegalMove,
 * NobodyReminded where there is nobody but the sender
 */
async function remind(tx: Tx, id: string, actor: Actor, at: Instant): Promise<void> {
  const order = await lockOrder(tx, (await seen(tx, id, actor)).id)
  if (orderCan.remind(order.state) === undefined) throw IllegalMove({ state: order.state })
  const againMs = order.remindedAt ? msOf(order.remindedAt) + REMIND_MIN * MINUTE_MS - msOf(at) : 0
  const [wait, waitEn] = lasting(Math.ceil(againMs / MINUTE_MS))
  if (againMs > 0) throw JustReminded({ wait, waitEn })
  await setRow(tx, orders, order, { remindedAt: at }, at)
  await note(tx, order, OrderEvent.remind, null, { by: actor, at })
  const title = [`${actor.userName} 催办工单`, `${actor.userName} sent a reminder about a work order`] as const
  const reminded = { by: actor.userId, at }
  const told = await (order.assigneeId ? tellHandler : tellDispatchers)(tx, order, title, reminded)
  const isOverdue = msOf(order.dueAt) < msOf(at) && order.solvedAt === null
  const toldAbove = isOverdue ? await tellLeaders(tx, order, title, reminded) : 0
  if (told + toldAbove === 0) throw NobodyReminded()
}
