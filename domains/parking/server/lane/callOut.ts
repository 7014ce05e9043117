import { randomUUIDv7 } from 'node:crypto'
import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { instantOf, msOf } from '../../../../platform/contract/time.ts'
import { begunAt, run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { BadInput, NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { addRow, setRow } from '../../../../platform/server/row.ts'
import { phased, serve } from '../../../../platform/server/serve.ts'
import { isGenuine } from '../../../../platform/server/call/signature.ts'
import { ANSWER_TARGET_S, CallOut, callOut, callOutSearch, CallResult, CallSource, RING_MAX_S } from '../../contract/callOut.ts'
import { laneOf } from './lane.ts'
import '../tables.ts'

const NotGenuine = refusal('parking.call-notice', 40871, '签名无效或已过期', 'The signature is not valid or has expired', 401)
const NoSuchStay = refusal('parking.call-no-stay', 40872, '没有这条停车记录，请重新选择', 'There is no such stay: choose again', 422)

type Row = Of<typeof CallOut>
export const callOuts = listOver(CallOut, 'parking.callOut', callOutSearch)

let secret: string | undefined
/** Said once at start: CALL_CENTER_SECRET is what the call centre signs with; without one nothing it says is believed. */
export function hearCallCentre(env: Record<string, string | undefined> = process.env): void {
  secret = env['CALL_CENTER_SECRET'] || undefined
}
export const callCentreSignsWith = (given: string | undefined) => void (secret = given)

export const calls = serve(callOut, {
  search: ({ tx, input }) => page(tx, callOuts, input),
  async insert({ tx, input: { callId, gateCode, result, stayId, remark }, actor, at }) {
    const { gate } = await laneOf(tx, gateCode)
    if (stayId !== undefined) await refuseNoStay(tx, stayId)
    const done = { result, stayId: stayId ?? null, agent: actor.userName, ...(remark !== undefined && { remark }) }
    const known = callId === undefined ? undefined : await lockCall(tx, callId)
    if (known) return setRow(tx, callOuts, known, { ...done, agent: known.agent ?? actor.userName }, at)
    const { parkCode } = gate
    const taken = { parkCode, gateCode, callId: callId ?? `M-${randomUUIDv7()}`, source: CallSource.byHand, startAt: at, answerAt: at, endAt: at }
    return addRow(tx, callOuts, { ...NOTHING, ...taken, ...done })
  },
  async figures({ tx, input }) {
    const { gateCode = null, parkCode = null, startAtFrom = null, startAtTo = null } = input as Record<string, string | undefined>
    const [figures] = await run<Of<typeof callOut.figures.reply>>(tx, FIGURES, [gateCode, parkCode, startAtFrom, startAtTo])
    return figures!
  },
  notice: phased(async ({ input, at, asSteps, house }) => {
    if (!secret || !isGenuine(input, secret, msOf(at))) throw NotGenuine()
    const said = instantOf(input.at)
    if (!said) throw BadInput({ zh: '「时间」的格式不正确', en: '“Time” has the wrong format' })
    const write = asSteps((work) => house.writing(Number(input.centre.slice('kerbline-'.length)), callOut.notice.id, work))
    await write((tx) => hear(tx, { caller: null, agent: null, recordUrl: null, ...input, at: said }))
    return 'success'
  }),
})
const NOTHING = { caller: null, recordUrl: null, remark: null, stayId: null, result: null, agent: null }
const FIGURES = {
  sql: `select count(*)::int as calls, (count(*) filter (where answer_at is not null))::int as answered,
      (count(*) filter (where wait_sec <= ${ANSWER_TARGET_S}))::int as answered_in
    from parking.call_out where enterprise_id = scope_enterprise() and source = ${CallSource.centre} and ($1::text is null or gate_code = $1) and ($2::text is null or park_code = $2)
      and ($3::timestamptz is null or start_at >= $3) and ($4::timestamptz is null or start_at <= $4)`,
}

type Said = Of<typeof callOut.notice.input>
type Notice = Pick<Said, 'event' | 'callId' | 'gateCode'> & { at: Instant; caller: string | null; agent: string | null; recordUrl: string | null }
/** One call is one row, whatever is heard of it first: each event sets its own moment, and none of them takes another back. */
async function hear(tx: Tx, { event, callId, gateCode, at, caller, agent, recordUrl }: Notice): Promise<void> {
  const [gate] = await run<{ parkCode: string }>(tx, { sql: 'select park_code from parking.gate where gate_code = $1' }, [gateCode])
  if (!gate) throw NotFound({ gateCode })
  const [answerAt, endAt] = [event === 'answer' ? at : null, event === 'hangup' ? at : null]
  await run(tx, HEAR, [gate.parkCode, gateCode, callId, at, event === 'ring', answerAt, endAt, caller, agent, recordUrl, begunAt(tx)])
}
/** The ring says when a call began; what was heard before it only that it began no later. An answer that is heard late takes "not answered" back, a person's word it does not. */
const HEAR = {
  sql: `insert into parking.call_out as c (park_code, gate_code, call_id, source, start_at, answer_at, end_at, caller, agent, record_url, result)
    values ($1, $2, $3, ${CallSource.centre}, $4::timestamptz, $6::timestamptz, $7::timestamptz, $8, $9, $10, case when $7::timestamptz is not null then ${CallResult.unanswered} end)
    on conflict (enterprise_id, call_id) do update set
      start_at = case when $5::boolean then excluded.start_at else least(c.start_at, excluded.start_at) end,
      answer_at = coalesce(c.answer_at, excluded.answer_at), end_at = coalesce(c.end_at, excluded.end_at),
      caller = coalesce(c.caller, excluded.caller), agent = coalesce(c.agent, excluded.agent), record_url = coalesce(c.record_url, excluded.record_url),
      result = case
        when coalesce(c.answer_at, excluded.answer_at) is not null then nullif(c.result, ${CallResult.unanswered})
        when coalesce(c.end_at, excluded.end_at) is not null then coalesce(c.result, ${CallResult.unanswered})
        else c.result end,
      version = c.version + 1, updated_at = $11
    where (c.answer_at, c.end_at, c.caller, c.agent, c.record_url) is distinct from
        (coalesce(c.answer_at, excluded.answer_at), coalesce(c.end_at, excluded.end_at), coalesce(c.caller, excluded.caller), coalesce(c.agent, excluded.agent), coalesce(c.record_url, excluded.record_url))
      or $5::boolean and c.start_at <> excluded.start_at`,
}

/** What rang for a minute and nobody answered. */
export const giveUpCalls = async (tx: Tx, at: Instant): Promise<void> => void (await run(tx, GIVE_UP, [at]))
const GIVE_UP = {
  sql: `update parking.call_out set result = ${CallResult.unanswered}, version = version + 1, updated_at = $1::timestamptz
    where enterprise_id = scope_enterprise() and result is null and answer_at is null and start_at < $1::timestamptz - interval '${RING_MAX_S} seconds'`,
}

const lockCall = async (tx: Tx, callId: string): Promise<Row | undefined> =>
  (await tx.selectFrom('parking.callOut').selectAll().where('callId', '=', callId).forUpdate().executeTakeFirst()) as Row | undefined
async function refuseNoStay(tx: Tx, stayId: string): Promise<void> {
  const [found] = await run<object>(tx, { sql: 'select from parking.stay where id = $1' }, [stayId])
  if (!found) throw NoSuchStay()
}
