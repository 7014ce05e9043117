import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { worksOn } from '../../fee/server/api.ts'
import { InterviewTarget } from '../contract/interview.ts'
import { ACCEPT_DAYS, REPLY_DAYS, Suggestion, suggestion, suggestionCan, SuggestionKind, suggestionSearch } from '../contract/suggestion.ts'
import { afterDays } from './clock.ts'
import { planSampled } from './closing.ts'
import { suggestionFigures } from './figures.ts'
import { openOrder, refusePark } from './opening.ts'
import type { By } from './row.ts'
import { sendToCustomer } from '../../message/server/api.ts'
import './tables.ts'

const ReasonNeeded = refusal('after-sale.decline-reason', 42140, '不受理须填写原因', 'Enter the reason for declining', 422)
/** The template that brings the answer. */
const TEMPLATE = 'after-sale.reply'

export const suggestions = listOver(Suggestion, 'afterSale.suggestion', suggestionSearch)
type Row = Of<typeof Suggestion>
type Which = Pick<Row, 'id'> & { version?: number }

export const calls = serve(suggestion, {
  query: ({ tx, input }) => page(tx, suggestions, input),
  async one({ tx, input: { id } }) {
    const found = await find(tx, suggestions, id)
    if (!found) throw NotFound()
    return found
  },
  export: exporting(suggestion.export, suggestions),
  summary: ({ tx, input, at }) => suggestionFigures(tx, input, at),
  async add({ tx, input, actor, at }) {
    await refusePark(tx, input.parkCode, actor.scope.parks)
    return addRow(tx, suggestions, { ...input, ...(await limitsFor(tx, input.kind, at)), createdName: actor.userName, createdAt: at, updatedAt: at })
  },
  async update({ tx, input: { id, version, reply, ...fields }, actor, at }) {
    const found = await lockRow(tx, suggestions, { id, version })
    if (reply !== undefined) return answer(tx, found, reply, actor, at, fields)
    if (suggestionCan.edit(found.state) === undefined) throw IllegalMove({ state: found.state })
    if (fields.parkCode !== undefined && fields.parkCode !== found.parkCode) await refusePark(tx, fields.parkCode, actor.scope.parks)
    const limits = fields.kind !== undefined && fields.kind !== found.kind ? await limitsFor(tx, fields.kind, found.createdAt) : {}
    return setRow(tx, suggestions, found, { ...fields, ...limits }, at)
  },
  async delete({ tx, input, at }) {
    const { found } = await held(tx, input, 'delete')
    await removeRow(tx, suggestions, found, at)
  },
  async accept({ tx, input, actor, at }) {
    const { found, state } = await held(tx, input, input.accept ? 'accept' : 'decline')
    if (!input.accept && !input.reason) throw ReasonNeeded()
    return setRow(tx, suggestions, found, { state, ...handled(actor), ...(input.accept ? { acceptedAt: at } : { reason: input.reason! }) }, at)
  },
  async reply({ tx, input, actor, at }) {
    return answer(tx, await lockRow(tx, suggestions, input), input.reply, actor, at)
  },
  async close({ tx, input, at }) {
    const { found, state } = await held(tx, input, 'close')
    const closed = await setRow(tx, suggestions, found, { state, result: input.result, closedAt: at }, at)
    await planSampled(tx, InterviewTarget.suggestion, closed, closed.kind === SuggestionKind.complaint, at)
    return closed
  },
  async convert({ tx, input, actor, at }) {
    const { found, state } = await held(tx, input, 'convert')
    const { content, contactName, phone, plateNo, parkCode, images, source } = found
    const title = input.title ?? content.slice(0, TITLE_MAX)
    const { type, level, assigneeId } = input
    const order = await openOrder(
      tx,
      { title, type, level, source, content, contactName, contact: phone, plateNo, parkCode, images, suggestionId: found.id, assigneeId },
      actor,
      at,
    )
    return setRow(tx, suggestions, found, { state, ...handled(actor), orderId: order.id, orderNo: order.orderNo }, at)
  },
})
const TITLE_MAX = 60

const handled = ({ userId, userName }: { userId: string; userName: string }) => ({ handlerId: userId as Row['handlerId'], handlerName: userName })
/** Locks a feedback, which may make that move. @throws IllegalMove, Stale */
async function held(tx: Tx, which: Which, move: keyof typeof suggestionCan): Promise<{ found: Row; state: Row['state'] }> {
  const found = await lockRow(tx, suggestions, which)
  const state = suggestionCan[move](found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  return { found, state }
}
async function limitsFor(tx: Tx, kind: Row['kind'], from: Instant): Promise<Pick<Row, 'acceptDueAt' | 'replyDueAt'>> {
  const works = await worksOn(tx)
  const days = kind === SuggestionKind.complaint ? REPLY_DAYS.complaint : REPLY_DAYS.other
  return { acceptDueAt: afterDays(from, ACCEPT_DAYS, works), replyDueAt: afterDays(from, days, works) }
}

/** The first answer counts for the time limit; another mends it, and is sent too. */
async function answer(tx: Tx, found: Row, reply: string, actor: By & { userId: string }, at: Instant, fields: Partial<Row> = {}): Promise<Row> {
  const state = suggestionCan.reply(found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  const phone = fields.phone ?? found.phone
  const vars = { no: found.suggestNo, reply }
  const told = await sendToCustomer(tx, { template: TEMPLATE, phone, name: found.contactName, vars, dedupe: `reply:${found.id}:${found.version}` })
  return setRow(
    tx,
    suggestions,
    found,
    { ...fields, state, reply, ...handled(actor), repliedAt: found.repliedAt ?? at, ...(told && { toldAt: at }) },
    at,
  )
}
