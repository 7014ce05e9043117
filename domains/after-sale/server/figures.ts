import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { BadInput } from '../../../platform/server/refusal.ts'
import { InterviewResult } from '../contract/interview.ts'
import { SuggestionState, type SuggestionSummary } from '../contract/suggestion.ts'
import { OPEN_STATES, OrderState, type OrderSummary, RespondState, SlaState } from '../contract/workOrder.ts'

/** A year and a day: more days make no chart. */
const DAYS_MAX = 366
const DAYS = 30
interface Period {
  dateFrom?: Day | undefined
  dateTo?: Day | undefined
  parkCode?: string | undefined
}
/** Whole days of the city, today and the month before where nothing is said. */
function spanOf({ dateFrom, dateTo }: Period, at: Instant): { from: Instant; to: Instant; first: Day; last: Day } {
  const last = dateTo ?? dayOf(at)
  const first = dateFrom ?? dayOf(instantAt(msOf(startOf(last)) - (DAYS - 1) * DAY_MS))
  const days = (msOf(startOf(last)) - msOf(startOf(first))) / DAY_MS + 1
  if (days < 1 || days > DAYS_MAX) throw BadInput({ zh: `日期范围应为 1 至 ${DAYS_MAX} 天`, en: `choose 1 to ${DAYS_MAX} days` })
  return { from: startOf(first), to: instantAt(msOf(startOf(last)) + DAY_MS), first, last }
}

type Figures = Of<typeof OrderSummary>
/**
 * `all`: of everybody's orders; else of those in the person's list: those that they handle or took in. An order that waits now counts whenever it was opened; all rates are of
 * the period's orders, as its lists are.
 */
export async function orderFigures(
  tx: Tx,
  input: Period,
  { userId, all, handles }: { userId: string; all: boolean; handles: boolean },
  at: Instant,
): Promise<Figures> {
  const { from, to, first, last } = spanOf(input, at)
  const values = [from, to, input.parkCode ?? null, userId, all, handles]
  const [one, now, days] = await Promise.all([
    run<Counted>(tx, { sql: COUNTED }, values),
    run<Pick<Figures, 'createdToday' | 'pending' | 'mine' | 'overdue' | 'confirming'>>(tx, { sql: NOW }, [startOf(dayOf(at)), ...values.slice(2)]),
    run<Figures['days'][number]>(tx, { sql: BY_DAY }, [first, last, ...values.slice(2)]),
  ])
  const { total, responded, respondable, inTime, solvable, reopened, closed, happy, rated, states, types, levels, sources } = one[0]!
  return {
    ...now[0]!,
    total,
    rated,
    states: sharesOf(states),
    types: sharesOf(types),
    levels: sharesOf(levels),
    sources: sharesOf(sources),
    days,
    respondRate: permilleOf(responded, respondable),
    solveRate: permilleOf(inTime, solvable),
    reopenRate: permilleOf(reopened, closed),
    csat: permilleOf(happy, rated),
  }
}
type Shares = Record<string, number> | null
interface Counted extends Record<'total' | 'responded' | 'respondable' | 'inTime' | 'solvable' | 'reopened' | 'closed' | 'happy' | 'rated', number> {
  states: Shares
  types: Shares
  levels: Shares
  sources: Shares
}
const sharesOf = (of: Shares) =>
  Object.entries(of ?? {})
    .map(([code, count]) => ({ code: Number(code), count }))
    .sort((a, b) => a.code - b.code)
const mine = (place: number) => `($${place + 1}::boolean or case when $${place + 2}::boolean then assignee_id else creator_id end = $${place}::uuid)`
const inPark = (place: number) => `($${place}::text is null or park_code = $${place})`
const shares = (column: string) => `(select jsonb_object_agg(${column}, n) from (select ${column}, count(*) as n from own group by ${column}) q)`
const COUNTED = `with own as materialized (select state, type, level, source, respond_state, sla_state, solved_at, closed_at, reopens, score from after_sale.order_line
    where enterprise_id = scope_enterprise() and created_at >= $1 and created_at < $2 and ${inPark(3)} and ${mine(4)})
  select count(*)::int as total, (count(*) filter (where respond_state = ${RespondState.inTime}))::int as responded, (count(*) filter (where respond_state <> ${RespondState.pending}))::int as respondable,
    (count(*) filter (where solved_at is not null and sla_state <> ${SlaState.over}))::int as in_time, (count(*) filter (where solved_at is not null or sla_state = ${SlaState.over}))::int as solvable,
    (count(*) filter (where reopens > 0))::int as reopened, (count(*) filter (where closed_at is not null or reopens > 0))::int as closed,
    (count(*) filter (where score >= 4))::int as happy, count(score)::int as rated,
    ${shares('state')} as states, ${shares('type')} as types, ${shares('level')} as levels, ${shares('source')} as sources from own`
const OPEN = `state in (${OPEN_STATES.join(', ')})`
const NOW = `select (count(*) filter (where created_at >= $1))::int as created_today, (count(*) filter (where ${OPEN}))::int as pending,
    (count(*) filter (where ${OPEN} and assignee_id = $3::uuid))::int as mine, (count(*) filter (where ${OPEN} and sla_state = ${SlaState.over}))::int as overdue,
    (count(*) filter (where state = ${OrderState.solved}))::int as confirming
  from after_sale.order_line where enterprise_id = scope_enterprise() and (${OPEN} or state = ${OrderState.solved} or created_at >= $1) and ${inPark(2)} and ${mine(3)}`
const BY_DAY = `select d::date::text as day, coalesce(c.n, 0)::int as created, coalesce(s.n, 0)::int as solved from generate_series($1::date, $2::date, interval '1 day') d
    left join (select (created_at at time zone 'Asia/Shanghai')::date as day, count(*) as n from after_sale.work_order where enterprise_id = scope_enterprise()
      and created_at >= $1::date::timestamp at time zone 'Asia/Shanghai' and created_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai' and ${inPark(3)} and ${mine(4)} group by 1) c on c.day = d::date
    left join (select (solved_at at time zone 'Asia/Shanghai')::date as day, count(*) as n from after_sale.work_order where enterprise_id = scope_enterprise()
      and solved_at >= $1::date::timestamp at time zone 'Asia/Shanghai' and solved_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai' and ${inPark(3)} and ${mine(4)} group by 1) s on s.day = d::date
  order by d`

type Said = Of<typeof SuggestionSummary>
/** Feedback that was not answered in time counts as late once the limit is over. */
export async function suggestionFigures(tx: Tx, input: Period, at: Instant): Promise<Said> {
  const { from, to, first, last } = spanOf(input, at)
  const park = input.parkCode ?? null
  const [[one], [asked], parks, days] = await Promise.all([
    run<Suggested>(tx, { sql: SUGGESTED }, [from, to, park, at]),
    run<{ happy: number; rated: number }>(tx, { sql: ASKED }, [from, to, park]),
    run<Said['parks'][number]>(tx, { sql: PARKS }, [from, to, park]),
    run<Said['days'][number]>(tx, { sql: SAID_BY_DAY }, [first, last, park]),
  ])
  const { total, open, late, accepted, acceptable, replied, replyable, states, kinds, sources } = one!
  return {
    total,
    open,
    late,
    parks,
    days,
    states: sharesOf(states),
    kinds: sharesOf(kinds),
    sources: sharesOf(sources),
    acceptRate: permilleOf(accepted, acceptable),
    replyRate: permilleOf(replied, replyable),
    interviewCsat: permilleOf(asked!.happy, asked!.rated),
  }
}
interface Suggested extends Record<'total' | 'open' | 'late' | 'accepted' | 'acceptable' | 'replied' | 'replyable', number> {
  states: Shares
  kinds: Shares
  sources: Shares
}
const { waiting, accepted, replied } = SuggestionState
const SUGGESTED = `with own as materialized (select state, kind, source, accept_due_at, reply_due_at, accepted_at, replied_at from after_sale.suggestion
    where enterprise_id = scope_enterprise() and created_at >= $1 and created_at < $2 and ${inPark(3)})
  select count(*)::int as total, (count(*) filter (where state in (${waiting}, ${accepted}, ${replied})))::int as open,
    (count(*) filter (where state in (${waiting}, ${accepted}) and reply_due_at < $4))::int as late,
    (count(*) filter (where accepted_at <= accept_due_at))::int as accepted, (count(*) filter (where accepted_at is not null or (state = ${waiting} and accept_due_at < $4)))::int as acceptable,
    (count(*) filter (where replied_at <= reply_due_at))::int as replied, (count(*) filter (where replied_at is not null or (state in (${waiting}, ${accepted}) and reply_due_at < $4)))::int as replyable,
    ${shares('state')} as states, ${shares('kind')} as kinds, ${shares('source')} as sources from own`
const ASKED = `select (count(*) filter (where score >= 4))::int as happy, count(score)::int as rated from after_sale.interview
  where enterprise_id = scope_enterprise() and result = ${InterviewResult.asked} and done_at >= $1 and done_at < $2 and ${inPark(3)}`
const PARKS = `select park_code, count(*)::int as count from after_sale.suggestion where enterprise_id = scope_enterprise() and created_at >= $1 and created_at < $2 and ${inPark(3)} and park_code is not null
  group by park_code order by count(*) desc, park_code limit 10`
const SAID_BY_DAY = `select d::date::text as day, coalesce(c.n, 0)::int as count from generate_series($1::date, $2::date, interval '1 day') d
    left join (select (created_at at time zone 'Asia/Shanghai')::date as day, count(*) as n from after_sale.suggestion where enterprise_id = scope_enterprise()
      and created_at >= $1::date::timestamp at time zone 'Asia/Shanghai' and created_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai' and ${inPark(3)} group by 1) c on c.day = d::date order by d`
