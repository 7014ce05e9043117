import { isDeepStrictEqual } from 'node:util'
import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, removeRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { parkOf } from '../../parking/server/api.ts'
import { EarnestState } from '../contract/enrollment.ts'
import { BillState } from '../contract/lease.ts'
import { NoticeState } from '../contract/notice.ts'
import { BID_MAX_FEN, project, ProjectType, RentState } from '../contract/project.ts'
import { dayNumber, periodsOf, workdaysAfter } from './days.ts'
import { terminate } from './failing.ts'
import { type Corrected, draftCorrection } from './notices.ts'
import { lockProject, moveProject, numberOf, type Person, type ProjectRow, projects, setProject } from './row.ts'
import { dayOf } from '../../../platform/contract/time.ts'

const OutOfOrder = refusal(
  'rent.times-out-of-order',
  42411,
  '时间须依次为：报名开始、报名截止、竞价开始、竞价截止',
  'Times must be in this order: enrolment opens, enrolment closes, bidding opens, bidding closes',
  422,
)
const InThePast = refusal('rent.enrolment-over', 42412, '报名截止时间已过', 'Enrolment would already be closed: choose a later time', 422)
const NoStep = refusal('rent.no-step', 42413, '公开竞价须填写加价幅度', 'Open bidding needs a bid step', 422)
const ReserveLow = refusal(
  'rent.reserve-low',
  42414,
  '保留价不能低于起始价，请修改其中之一',
  'The reserve price cannot be below the starting price: change one of them',
  422,
)
const SayCorrection = refusal(
  'rent.say-correction',
  42415,
  '公告发布后只能更正：请填写更正说明',
  'Once announced it can only be corrected: enter what is corrected',
  422,
)
const TooSoon = refusal(
  'rent.correction-too-soon',
  42416,
  '更改价格或时间后，报名截止不得早于 {day}（{count} 个工作日后）',
  'After a price or time change, enrolment must stay open until at least {day} ({count:working day})',
  422,
)
const TooDear = refusal('rent.amount-too-large', 42417, '金额不能超过 100 亿元', 'Amounts cannot exceed ¥10 billion', 422)
const BeingCorrected = refusal(
  'rent.being-corrected',
  42423,
  '该项目已有待发布的更正「{title}」，请先发布或删除',
  'This project already has a correction to be published, “{title}”: publish or delete it first',
)
const KindFixed = refusal(
  'rent.kind-fixed',
  42418,
  '公告发布后不能更改出租方式和所属车场',
  'Once announced, the letting method and the car park cannot be changed',
  422,
)

/** Where nobody says otherwise: one alone is no auction. */
const BIDDERS_LEAST = 2

export const calls = serve(project, {
  query: ({ tx, input }) => page(tx, projects, input),
  async one({ tx, input }) {
    const found = await find(tx, projects, input.id)
    if (!found) throw NotFound()
    return found
  },
  async add({ tx, input: { files = [], ...input }, actor, at }) {
    await refuseWrong(tx, { stepFen: 0 as Fen, reserveFen: null, ...input }, at)
    const maker = { makerId: actor.userId, makerName: actor.userName, createdAt: at, updatedAt: at }
    const projectNo = await numberOf(tx, 'ZL')
    const minBidders = input.minBidders ?? (input.type === ProjectType.fixed ? 1 : BIDDERS_LEAST)
    return addRow(tx, projects, { ...input, minBidders, projectNo, endsAt: input.bidTo, files: json(files), ...maker })
  },
  update: ({ tx, input, actor, at }) => update(tx, input, actor, at),
  async del({ tx, input, at }) {
    const found = await lockProject(tx, input.id, input.version)
    if (found.state !== RentState.draft) throw IllegalMove({ state: found.state })
    await removeRow(tx, projects, found, at)
    return {}
  },
  async terminate({ tx, input: { id, version, reason }, actor, at }) {
    await because(tx, reason)
    return terminate(tx, await lockProject(tx, id, version), { reason, by: actor, at })
  },
})

type Reckoned = Pick<
  ProjectRow,
  'type' | 'parkCode' | 'enrollFrom' | 'enrollTo' | 'bidFrom' | 'bidTo' | 'stepFen' | 'reserveFen' | 'baseFen' | 'earnestFen'
>
async function refuseWrong(
  tx: Tx,
  { type, parkCode, enrollFrom, enrollTo, bidFrom, bidTo, stepFen, reserveFen, baseFen, earnestFen }: Reckoned,
  at: Instant,
): Promise<void> {
  await parkOf(tx, parkCode)
  const times = [enrollFrom, enrollTo, bidFrom, bidTo].map(msOf) as [number, number, number, number]
  if (times[0] >= times[1] || times[1] > times[2] || times[2] >= times[3]) throw OutOfOrder()
  if (times[1] <= msOf(at)) throw InThePast()
  if (type === ProjectType.open && stepFen <= 0) throw NoStep()
  if (reserveFen !== null && reserveFen < baseFen) throw ReserveLow()
  if (Math.max(baseFen, stepFen, earnestFen, reserveFen ?? 0) > BID_MAX_FEN) throw TooDear()
}

/** Terms that bidders rely on: a change of one extends their time. */
const RECKONED = [
  'baseFen',
  'stepFen',
  'reserveFen',
  'earnestFen',
  'minBidders',
  'leaseMonths',
  'enrollFrom',
  'enrollTo',
  'bidFrom',
  'bidTo',
] as const
const CORRECTED: readonly number[] = [RentState.announced, RentState.enrolling, RentState.closed]
async function update(tx: Tx, { id, version, correction, ...given }: Of<typeof project.update.input>, by: Person, at: Instant): Promise<ProjectRow> {
  const found = await lockProject(tx, id, version)
  const next = { ...found, ...given }
  if (found.state === RentState.draft) {
    await refuseWrong(tx, next, at)
    return setProject(tx, found, { ...given, ...(given.bidTo && { endsAt: given.bidTo }) }, at)
  }
  if (!CORRECTED.includes(found.state)) throw IllegalMove({ state: found.state })
  if (!correction) throw SayCorrection()
  if (next.type !== found.type || next.parkCode !== found.parkCode) throw KindFixed()
  const terms = changedIn(given, found)
  await refuseTerms(tx, found, terms, at)
  const [open] = await run<{ title: string }>(tx, { sql: CORRECTING }, [id])
  if (open) throw BeingCorrected({ title: open.title })
  await draftCorrection(tx, found, { title: `更正公告：${next.name}`, content: correction, terms, by, at })
  return found
}
const changedIn = (given: Corrected, found: ProjectRow): Corrected =>
  Object.fromEntries(Object.entries(given).filter(([field, value]) => !same(value, found[field as keyof ProjectRow])))
const CORRECTING = `select title from rent.notice where enterprise_id = scope_enterprise() and project_id = $1 and state = ${NoticeState.draft} and terms is not null`
/** Corrected before anybody bids, and with time for bidders who rely on it. @throws IllegalMove, TooSoon and what a new project would be refused for */
async function refuseTerms(tx: Tx, found: ProjectRow, terms: Corrected, at: Instant): Promise<boolean> {
  if (!CORRECTED.includes(found.state)) throw IllegalMove({ state: found.state })
  const next = { ...found, ...terms }
  const reckoned = RECKONED.some((field) => terms[field] !== undefined)
  if (!reckoned) return false
  await refuseWrong(tx, next, at)
  const { correction } = await periodsOf(tx)
  const day = await workdaysAfter(tx, at, correction)
  if (dayNumber(dayOf(next.enrollTo)) < dayNumber(day)) throw TooSoon({ day, count: correction })
  return true
}
/** A second person has published it: it holds. */
export async function correct(tx: Tx, found: ProjectRow, terms: Corrected, at: Instant): Promise<ProjectRow> {
  const set = { ...terms, ...(terms.bidTo && { endsAt: terms.bidTo }) }
  return (await refuseTerms(tx, found, terms, at)) ? moveProject(tx, found, 'reopen', set, at) : setProject(tx, found, set, at)
}
const same = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(a, b) || (typeof a === 'string' && typeof b === 'string' && Date.parse(a) === Date.parse(b))

/** Keeps a park from being deleted while it is being let, or earnest money or rent is open: the answer to `parking.parkHeld`. */
export async function heldBy(tx: Tx, { parkCode }: { parkCode: string }): Promise<{ zh: string; en: string } | undefined> {
  const [open] = await run<object>(tx, { sql: OPEN_IN }, [parkCode, OVER])
  return open && { zh: '有进行中的招租、未退的保证金或待付的租金', en: 'something of it is being let, or earnest money or rent is open' }
}
const OVER = [RentState.draft, RentState.done, RentState.failed, RentState.terminated]
const OPEN_IN = `select 1 from rent.project where enterprise_id = scope_enterprise() and park_code = $1 and state <> all ($2)
  union all select 1 from rent.enrollment where enterprise_id = scope_enterprise() and park_code = $1 and earnest_state in (${EarnestState.paid}, ${EarnestState.frozen})
  union all select 1 from rent.bill where enterprise_id = scope_enterprise() and park_code = $1 and state = ${BillState.toPay} limit 1`
