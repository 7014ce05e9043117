import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Interview, interview, InterviewResult, interviewSearch, InterviewTarget, KeptInterview, Solved, TRY_DAYS } from '../contract/interview.ts'
import { OrderState } from '../contract/workOrder.ts'
import { SuggestionState } from '../contract/suggestion.ts'
import { reopenOrder } from './handling.ts'
import { type By, lockOrder, type Order } from './row.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const NotClosed = refusal(
  'after-sale.interview-not-closed',
  42150,
  '关闭或办结后才能回访',
  'It is not closed yet: plan the interview after closing',
  422,
)
const Planned = refusal(
  'after-sale.interview-planned',
  42151,
  '该对象已有待回访记录，请直接处理那一条',
  'An interview about it is already planned: handle that one',
)
const OwnWork = refusal(
  'after-sale.interview-own',
  42152,
  '处理人不能回访自己处理的工单或反馈，请由另一人回访',
  'Handlers cannot interview about their own work: ask another person to do it',
  422,
)
const Done = refusal(
  'after-sale.interview-done',
  42153,
  '回访已完成，不能再修改；如需补充请新增回访',
  'The interview is completed and can no longer be changed: plan another one to add to it',
)
const Unsaid = refusal(
  'after-sale.interview-unsaid',
  42154,
  '回访成功须填写是否解决和评分',
  'For a completed interview, enter whether it was solved and the score',
  422,
)
const NothingToReopen = refusal(
  'after-sale.interview-no-reopen',
  42155,
  '只有回访结果为未解决的工单可以重开',
  'Only a work order reported as not solved can be reopened',
  422,
)
const InThePast = refusal(
  'after-sale.interview-past',
  42156,
  '计划时间已过，请选择以后的时间',
  'The planned time is in the past: choose a later one',
  422,
)

export const interviews = listOver(Interview, 'afterSale.interviewLine', interviewSearch)
const rows = listOver(KeptInterview, 'afterSale.interview', interviewSearch)
type Row = Of<typeof KeptInterview>
type Shown = Of<typeof Interview>
type Given = Of<typeof interview.update.input>

export const calls = serve(interview, {
  query: ({ tx, input }) => page(tx, interviews, input),
  async add({ tx, input, at }) {
    const parkCode = await refuseUnclosed(tx, input.targetType, input.targetId)
    if (input.planAt && msOf(input.planAt) < msOf(at) - LATE_MS) throw InThePast()
    await run(tx, { sql: IN_TURN }, [input.targetId])
    if ((await run(tx, { sql: WAITS }, [input.targetType, input.targetId])).length > 0) throw Planned()
    const { id } = await addRow(tx, rows, {
      ...input,
      planAt: input.planAt ?? at,
      parkCode: parkCode as Row['parkCode'],
      createdAt: at,
      updatedAt: at,
    })
    return shown(tx, id)
  },
  async update({ tx, input, actor, at }) {
    const found = await lockRow(tx, rows, input)
    if (found.result !== InterviewResult.waiting) throw Done()
    await told(tx, found, input, actor, at)
    return shown(tx, found.id)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, rows, input)
    if (found.result !== InterviewResult.waiting) throw IllegalMove({ result: found.result })
    await removeRow(tx, rows, found, at)
  },
})
/** A form takes a while to fill in. */
const LATE_MS = 10 * 60_000
const IN_TURN = `select pg_advisory_xact_lock(hashtextextended('after-sale interview ' || $1, scope_enterprise()))`
const WAITS = `select 1 from after_sale.interview where enterprise_id = scope_enterprise() and target_type = $1 and target_id = $2 and result = ${InterviewResult.waiting}`

async function shown(tx: Tx, id: string): Promise<Shown> {
  const found = await find(tx, interviews, id)
  if (!found) throw NotFound()
  return found
}

/** Returns the park of the interview's target. @throws NotFound, NotClosed */
async function refuseUnclosed(tx: Tx, type: Row['targetType'], id: string): Promise<string | null> {
  const [found] = await run<{ parkCode: string | null; state: number }>(tx, { sql: type === InterviewTarget.order ? ORDER : SUGGESTION }, [id])
  if (!found) throw NotFound()
  if (found.state !== (type === InterviewTarget.order ? OrderState.closed : SuggestionState.closed)) throw NotClosed()
  return found.parkCode
}
const ORDER = 'select park_code, state, assignee_id as handler_id from after_sale.work_order where enterprise_id = scope_enterprise() and id = $1'
const SUGGESTION = 'select park_code, state, handler_id from after_sale.suggestion where enterprise_id = scope_enterprise() and id = $1'

/** Records a follow-up's result, or another plan. With a result it is done; not reached on three days is one. */
async function told(
  tx: Tx,
  found: Row,
  { way, planAt, result, solved, score, content, reopen }: Given,
  actor: By & { userId: string },
  at: Instant,
): Promise<void> {
  const plan = { ...(way && { way }), ...(planAt && { planAt }) }
  if (result === undefined || result === InterviewResult.waiting)
    return void (await setRow(tx, rows, found, { ...plan, ...(content !== undefined && { content }) }, at))
  await refuseHandler(tx, found, actor.userId)
  const done = {
    ...plan,
    result,
    content: content ?? found.content,
    visitorId: actor.userId as Row['visitorId'],
    visitorName: actor.userName,
    doneAt: at,
  }
  if (result === InterviewResult.unreached)
    return void (await setRow(tx, rows, found, unreached(found, { ...plan, content: content ?? found.content }, done, at), at))
  if (result !== InterviewResult.asked) return void (await setRow(tx, rows, found, done, at))
  if (!solved || !score) throw Unsaid()
  if (reopen && (solved !== Solved.no || found.targetType !== InterviewTarget.order)) throw NothingToReopen()
  await setRow(tx, rows, found, { ...done, solved, score }, at)
  if (reopen) await again(tx, await lockOrder(tx, found.targetId), actor, at, content)
}

/** A day counts once, however often the telephone rang on it. */
function unreached(found: Row, plan: Partial<Row>, done: Partial<Row>, at: Instant): Partial<Row> {
  const today = dayOf(at)
  const attempts = found.triedOn === today ? found.attempts : found.attempts + 1
  return { ...(attempts < TRY_DAYS ? plan : done), attempts, triedOn: today }
}

/** @throws OwnWork */
async function refuseHandler(tx: Tx, found: Row, userId: string): Promise<void> {
  const [target] = await run<{ handlerId: string | null }>(tx, { sql: found.targetType === InterviewTarget.order ? ORDER : SUGGESTION }, [
    found.targetId,
  ])
  if (target?.handlerId === userId) throw OwnWork()
}
const again = (tx: Tx, order: Order, by: By, at: Instant, content: string | undefined) =>
  reopenOrder(tx, order, by, at, { opinion: content ? Said.unsolvedFor({ why: content }) : Said.unsolved })
