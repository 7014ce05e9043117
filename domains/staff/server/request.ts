import type { Instant, Of } from '../../../platform/contract/field.ts'
import { msOf, instantAt, DAY_MS, dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { CardKind } from '../contract/attendance.ts'
import { OnJob, TollType } from '../contract/collector.ts'
import { LeaveKind, Request, request, requestCan, RequestLine, requestSearch, RequestState, RequestType } from '../contract/request.ts'
import { CellState } from '../contract/roster.ts'
import { grant } from './granting.ts'
import { tellOf } from './requestNotice.ts'
import { cellHeld, type HeldCell, MonthClosed, notBegun } from './cellRow.ts'
import './tables.ts'

type Row = Of<typeof Request>
export const requests = listOver(Request, 'staff.request', requestSearch)
/** The people who may see a line: the applicant, the partner, the leader of the group; written in one text, since any of them is looked for. */
const seenSearch = { ...requestSearch, operators: { ...requestSearch.operators, seenBy: 'contains' } } as typeof requestSearch
const lines = listOver(RequestLine, 'staff.requestLine', seenSearch)
const NotYours = refusal('staff.not-your-cell', 41950, '只能为自己的班次申请', 'You can make requests for your own shifts only', 422)
const TooOften = refusal(
  'staff.cards-a-month',
  41951,
  '本月补卡已达 {most} 次',
  'You have already had missed punches granted {most:time} this month',
  422,
)
const OpenAlready = refusal('staff.request-open', 41952, '该班次已有待处理的申请', 'This shift already has an open request')
const NoPartner = refusal(
  'staff.no-partner',
  41953,
  '对方不存在、已离职，或班次不是对方的、已请假',
  'The partner does not exist or has left, or the shift is not theirs or is on leave',
  422,
)
const NotForYou = refusal('staff.not-for-you', 41954, '该申请应由对方答复', 'Only the partner can answer this request', 403)
const NotYourDecision = refusal(
  'staff.not-your-decision',
  41955,
  '申请人、对方不能审批；班组长审批本组成员，班组长的申请由督导审批',
  'The applicant and the partner cannot decide: leaders decide for their group, supervisors for leaders',
  403,
)
const OutOfWindow = refusal(
  'staff.card-window',
  41956,
  '补卡时间须在该班次的打卡时间内',
  'The time must be within the clocking window of this shift',
  422,
)
const NotTheirs = refusal(
  'staff.not-their-cell',
  41979,
  '没有在职收费员 {tollNo}，或该班次不是其班次，请重新选择',
  'No collector {tollNo} is employed, or the shift is not theirs: choose again',
  422,
)
const WhyRejected = refusal('staff.why-rejected', 41980, '驳回须填写意见', 'Enter the reason for rejecting', 422)
/** The most missed punches of a person in a month. */
const CARDS_A_MONTH = 3

export const calls = serve(request, {
  async query({ tx, input, actor }) {
    const me = await meOf(tx, actor)
    const seesAll = !me || me.tollType === TollType.supervisor
    return page(tx, lines, { ...input, ...(!seesAll && { seenBy: actor.userId }) })
  },
  async mine({ tx, actor, at }) {
    const me = await meOf(tx, actor)
    if (!me) return { tollNo: null, leads: true, cells: [] }
    return {
      tollNo: me.tollNo,
      leads: me.tollType === TollType.supervisor || me.leads,
      cells: await run(tx, { sql: MINE }, [me.id, dayOf(instantAt(msOf(at) - LATE_DAYS * DAY_MS)), dayOf(instantAt(msOf(at) + 62 * DAY_MS))]),
    }
  },
  async apply({ tx, input, actor, at }) {
    const me = await meOf(tx, actor)
    if (!me) throw NotYours()
    await apply(tx, { ...input, applicantId: me.id, refused: NotYours() }, actor, at)
  },
  async applyFor({ tx, input: { tollNo, ...input }, actor, at }) {
    const [who] = await run<{ id: string }>(tx, { sql: EMPLOYED }, [tollNo])
    if (!who) throw NotTheirs({ tollNo })
    await apply(tx, { ...input, applicantId: who.id, refused: NotTheirs({ tollNo }) }, actor, at)
  },
  async respond({ tx, input: { id, version, accept, opinion = null }, actor, at }) {
    const found = await lockRow(tx, requests, { id, version })
    const me = await meOf(tx, actor)
    if (!me || me.id !== found.toCollectorId) throw NotForYou()
    await move(tx, found, accept ? 'agree' : 'decline', { opinion, agreedById: actor.userId }, at)
    await tellOf(tx, found, accept ? 'agree' : 'decline', at)
  },
  async decide({ tx, input: { id, version, pass, opinion = null }, actor, at }) {
    const found = await lockRow(tx, requests, { id, version })
    await refuseDeciding(tx, found, actor)
    if (!pass && !opinion?.trim()) throw WhyRejected()
    await move(tx, found, pass ? 'grant' : 'reject', { opinion, decidedId: actor.userId, decidedName: actor.userName, decidedAt: at }, at)
    if (pass) await grant(tx, found, at)
    await tellOf(tx, found, pass ? 'grant' : 'reject', at)
  },
  async withdraw({ tx, input: { id, version }, actor, at }) {
    const found = await lockRow(tx, requests, { id, version })
    const me = await meOf(tx, actor)
    if (found.askedById !== actor.userId && me?.id !== found.applicantId) throw NotYours()
    await move(tx, found, 'withdraw', {}, at)
  },
})
const LATE_DAYS = 3
const MINE = `select id, work_date, shift_name, start_at, end_at, state from staff.cell where enterprise_id = scope_enterprise() and collector_id = $1 and shift_id is not null and work_date between $2 and $3 order by start_at`

async function move(tx: Tx, found: Row, by: keyof typeof requestCan, changes: Partial<Row>, at: Instant): Promise<void> {
  const state = requestCan[by](found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  await setRow(tx, requests, found, { ...changes, state }, at)
}
const meOf = async (tx: Tx, { userId }: Actor) =>
  (await run<{ id: string; tollNo: string; tollType: number; leads: boolean }>(tx, { sql: ME }, [userId]))[0]

const ME = `select c.id, c.toll_no, c.toll_type, exists (select from staff.work_group g where g.enterprise_id = c.enterprise_id and g.leader_id = c.id) as leads
  from staff.collector c where c.enterprise_id = scope_enterprise() and c.person_id = $1 and c.on_job = ${OnJob.employed}`
/** One person asks after the other: of two cards at once the second is counted with the first. */
const HOLD = 'select 1 from staff.collector where enterprise_id = scope_enterprise() and id = $1 for update'

const EMPLOYED = `select id from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1 and on_job = ${OnJob.employed}`

type Asked = Of<typeof request.apply.input>
/** Whose shift it has to be, and what is said where it is not. */
type AskedBy = Asked & { applicantId: string; refused: Error }
async function apply(tx: Tx, asked: AskedBy, actor: Actor, at: Instant): Promise<void> {
  const { type, cellId, applicantId, leaveKind = null, toTollNo, toCellId = null, cardKind = null, cardTime = null } = asked
  await run(tx, { sql: HOLD }, [applicantId])
  const cell = await cellHeld(tx, cellId)
  if (cell?.collectorId !== applicantId) throw asked.refused
  await refuseLate(cell, asked, at)
  if (cell.closed) throw MonthClosed()
  if (type === RequestType.card) await refuseCard(tx, cell, asked, at)
  const partner = type === RequestType.swap || type === RequestType.standIn ? await partnerOf(tx, applicantId, toTollNo) : null
  if (type === RequestType.swap) await theirs(tx, toCellId, partner!, at)
  const open = `select 1 from staff.request where enterprise_id = scope_enterprise() and cell_id = $1 and state in (${RequestState.partner}, ${RequestState.open})`
  if ((await run(tx, { sql: open }, [cellId])).length > 0) throw OpenAlready()
  const made = await addRow(tx, requests, {
    ...{ type, cellId, parkCode: cell.parkCode, applicantId: applicantId as Row['applicantId'], reason: asked.reason, images: asked.images ?? null },
    leaveKind: type === RequestType.leave ? (leaveKind ?? LeaveKind.personal) : null,
    toCollectorId: partner,
    toCellId: type === RequestType.swap ? toCellId : null,
    cardKind: type === RequestType.card ? cardKind : null,
    cardTime: type === RequestType.card ? cardTime : null,
    state: partner ? RequestState.partner : RequestState.open,
    ...{
      askedById: actor.userId,
      agreedById: null,
      opinion: null,
      decidedId: null,
      decidedName: null,
      decidedAt: null,
      createdAt: at,
      updatedAt: at,
    },
  })
  await tellOf(tx, made, 'apply', at)
}
/** A cell that has begun is not changed, except, for three days, for sick leave or a missed punch. */
async function refuseLate(cell: HeldCell, { type, leaveKind }: Asked, at: Instant): Promise<void> {
  const late = type === RequestType.card || (type === RequestType.leave && leaveKind === LeaveKind.sick)
  notBegun(cell, late ? instantAt(msOf(at) - LATE_DAYS * DAY_MS) : at)
  const isOff = cell.state === CellState.leave || cell.state === CellState.rest
  if (isOff) throw BadInput({ zh: '该班次已请假或为休息', en: 'the shift is on leave or a day off' })
}
async function refuseCard(tx: Tx, cell: HeldCell, { cardKind, cardTime }: Asked, at: Instant): Promise<void> {
  if (!cardKind || !cardTime) throw BadInput({ zh: '补卡须填写类型和时间', en: 'a missed punch needs a type and a time' })
  const inWindow = cardKind === CardKind.in ? cardTime >= cell.inFrom && cardTime < cell.endAt : cardTime > cell.startAt && cardTime <= cell.outTo
  if (!inWindow || msOf(cardTime) > msOf(at)) throw OutOfWindow()
  const [counted] = await run<{ n: number }>(tx, { sql: CARDS }, [cell.collectorId, cell.workDate])
  if (counted!.n >= CARDS_A_MONTH) throw TooOften({ most: CARDS_A_MONTH })
}
const CARDS = `select count(*)::int as n from staff.request r join staff.cell e on e.enterprise_id = r.enterprise_id and e.id = r.cell_id where r.enterprise_id = scope_enterprise() and r.applicant_id = $1
  and r.type = ${RequestType.card} and r.state in (${RequestState.open}, ${RequestState.granted}) and date_trunc('month', e.work_date) = date_trunc('month', $2::date)`
async function partnerOf(tx: Tx, me: string, tollNo: string | undefined): Promise<string> {
  const sql = `select id from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1 and on_job = ${OnJob.employed} and id <> $2`
  const [partner] = await run<{ id: string }>(tx, { sql }, [tollNo ?? null, me])
  if (!partner) throw NoPartner()
  return partner.id
}
async function theirs(tx: Tx, toCellId: string | null, partner: string, at: Instant): Promise<void> {
  const cell = toCellId ? await cellHeld(tx, toCellId) : undefined
  if (cell?.collectorId !== partner || cell.state === CellState.leave || cell.state === CellState.rest) throw NoPartner()
  notBegun(cell, at)
}

/** Neither of the two decides. A leader decides for the group, a supervisor for leaders too; who is no collector manages all. */
async function refuseDeciding(tx: Tx, found: Row, { userId }: Actor): Promise<void> {
  if (userId === found.askedById || userId === found.agreedById) throw NotYourDecision()
  const [may] = await run<{ may: boolean }>(tx, { sql: MAY }, [found.applicantId, found.toCollectorId, userId])
  if (!may?.may) throw NotYourDecision()
}
const MAY = `select a.person_id is distinct from $3 and not exists (select from staff.collector p where p.enterprise_id = a.enterprise_id and p.id = $2 and p.person_id = $3)
    and coalesce((select d.toll_type = ${TollType.supervisor} or (exists (select from staff.work_group g where g.enterprise_id = d.enterprise_id and g.id = a.group_id and g.leader_id = d.id)
        and not exists (select from staff.work_group l where l.enterprise_id = a.enterprise_id and l.leader_id = a.id))
      from staff.collector d where d.enterprise_id = a.enterprise_id and d.person_id = $3), true) as may
  from staff.collector a where a.enterprise_id = scope_enterprise() and a.id = $1`

/** Expires requests that nobody decided before their cell began; sick leave and missed punches have three days. */
export async function expire(tx: Tx, at: Instant): Promise<void> {
  await run(tx, { sql: EXPIRE }, [at])
}
const EXPIRE = `update staff.request r set state = ${RequestState.expired}, version = r.version + 1, updated_at = $1 from staff.cell e
  where r.enterprise_id = scope_enterprise() and e.enterprise_id = r.enterprise_id and e.id = r.cell_id and r.state in (${RequestState.partner}, ${RequestState.open})
    and e.start_at + case when r.type = ${RequestType.card} or r.leave_kind = ${LeaveKind.sick} then interval '${LATE_DAYS} days' else interval '0' end <= $1::timestamptz`
export const tasks = [task('staff.requests', ({ tx, at }) => expire(tx, at), { every: '*/5 * * * *' })]
