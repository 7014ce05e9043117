import type { Day, Instant } from '../../../../platform/contract/field.ts'
import { DAY_MS, dayBy, dayOf, instantAt, msOf, startOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { task } from '../../../../platform/server/job/jobs.ts'
import { post, type PostingLine } from '../../../ledger/server/api.ts'
import { PassStatus } from '../../contract/pass.ts'
import { dayAmount } from './calendar.ts'
import { Kind, type Period, periodsOf, State } from './period.ts'

interface Rest {
  fromAt: Instant
  endedAt: Instant | null
}

/**
 * Posts a pass's income through a day: its price becomes income by day amounts, the k-th on the k-th active day. A whole day rested and banked earns nothing, and free days
 * have no price. A day that was posted before is not posted again, so this may run late, twice, or today already.
 */
export async function earnThrough(tx: Tx, passId: string, through: Day): Promise<void> {
  const periods = (await periodsOf(tx, passId)).filter(({ state, kind }) => state === State.counts && kind !== Kind.free)
  const open = periods.filter(({ earnedDays, days }) => earnedDays < days)
  if (open.length === 0) return
  const [[last], rests] = await Promise.all([
    run<{ day: Day | null }>(tx, { sql: LAST }, [passId]),
    run<Rest>(tx, { sql: 'select from_at, ended_at from member.freeze where enterprise_id = scope_enterprise() and pass_id = $1 and bank' }, [
      passId,
    ]),
  ])
  const first = dayOf(open[0]!.startAt)
  for (let day = last!.day && last!.day >= first ? dayBy(last!.day, 1) : first; day <= through; day = dayBy(day, 1)) {
    if (rests.some((rest) => restedWhole(rest, day))) continue
    const period = open.find(({ startAt, earnedDays, days }) => dayOf(startAt) <= day && earnedDays < days)
    if (period) await earn(tx, period, day)
  }
}
const LAST = 'select max(day)::text as day from member.earning where enterprise_id = scope_enterprise() and pass_id = $1'
function restedWhole({ fromAt, endedAt }: Rest, day: Day): boolean {
  return msOf(fromAt) <= msOf(startOf(day)) && (endedAt === null || msOf(endedAt) >= msOf(startOf(dayBy(day, 1))))
}

async function earn(tx: Tx, period: Period, day: Day): Promise<void> {
  const seq = period.earnedDays + 1
  // A part that was refunded on its own is no income any more.
  const amountFen = Math.min(dayAmount(period.priceFen, period.days, seq), period.priceFen - period.earnedFen - period.refundFen)
  await run(tx, { sql: 'insert into member.earning (period_id, seq, pass_id, park_code, day, amount_fen) values ($1, $2, $3, $4, $5, $6)' }, [
    period.id,
    seq,
    period.passId,
    period.parkCode,
    day,
    amountFen,
  ])
  await run(
    tx,
    {
      sql: 'update member.period set earned_days = earned_days + 1, earned_fen = earned_fen + $2 where enterprise_id = scope_enterprise() and id = $1',
    },
    [period.id, amountFen],
  )
  period.earnedDays = seq
  period.earnedFen += amountFen
  await book(tx, period, amountFen, { bizType: 'pass.earned', eventId: `pass:${period.id}:${seq}`, at: instantAt(msOf(startOf(day)) + DAY_MS / 2) })
}
/** Closes a period from which nothing more will come: the rest of its price is earned now. */
export async function closePeriod(tx: Tx, period: Period, at: Instant): Promise<void> {
  const restFen = period.priceFen - period.earnedFen - period.refundFen
  await run(
    tx,
    { sql: 'update member.period set earned_days = days, earned_fen = earned_fen + $2 where enterprise_id = scope_enterprise() and id = $1' },
    [period.id, restFen],
  )
  await book(tx, period, restFen, { bizType: 'pass.closed', eventId: `pass:${period.id}:rest`, at })
}
/** Refunds a part of a period's price: income above the rest is reversed, and the days to come earn the rest. */
export async function refundPart(tx: Tx, period: Period, amountFen: number, refundId: string, at: Instant): Promise<Period> {
  const tooMuchFen = Math.max(0, period.earnedFen + period.refundFen + amountFen - period.priceFen)
  const sql =
    'update member.period set refund_fen = refund_fen + $2, earned_fen = earned_fen - $3 where enterprise_id = scope_enterprise() and id = $1 returning *'
  const [left] = await run<Period>(tx, { sql }, [period.id, amountFen, tooMuchFen])
  await book(tx, period, -tooMuchFen, { bizType: 'pass.unearned', eventId: `pass:${period.id}:${refundId}`, at })
  return left!
}
/** From the deferred money of a pass to income; less than nothing goes the other way. */
async function book(
  tx: Tx,
  { passId, parkCode, orderNo, id }: Period,
  amountFen: number,
  of: { bizType: string; eventId: string; at: Instant },
): Promise<void> {
  if (amountFen === 0) return
  const [debit, credit] = amountFen > 0 ? (['debitFen', 'creditFen'] as const) : (['creditFen', 'debitFen'] as const)
  await post(tx, {
    ...of,
    bizNo: orderNo ?? id,
    about: orderNo ?? id,
    parkCode,
    business: 'pass',
    lines: [
      { account: 'liability.pass', sub: passId, [debit]: Math.abs(amountFen) } as PostingLine,
      { account: 'income.pass', [credit]: Math.abs(amountFen) } as PostingLine,
    ],
  })
}

/** Passes that may have something to earn up to a day, and those that are over with something left. */
const EARNING = `select distinct pass_id as id from member.period where enterprise_id = scope_enterprise() and state = ${State.counts} and earned_days < days and start_at < $1`
const OVER = `select r.* from member.period r join member.pass p on p.enterprise_id = r.enterprise_id and p.id = r.pass_id
  where r.enterprise_id = scope_enterprise() and r.state = ${State.counts} and r.kind <> ${Kind.free} and r.earned_days < r.days and r.start_at < $1 and p.end_at <= $1 and p.state <> ${PassStatus.frozen}`

/** Earns yesterday's income, and the rest of passes that ended. */
export async function earnDay(tx: Tx, at: Instant): Promise<void> {
  const midnight = startOf(dayOf(at))
  const yesterday = dayBy(dayOf(at), -1)
  for (const { id } of await run<{ id: string }>(tx, { sql: EARNING }, [midnight])) await earnThrough(tx, id, yesterday)
  for (const period of await run<Period>(tx, { sql: OVER }, [midnight])) await closePeriod(tx, period, at)
}

/** Ten past midnight of the city. */
export const tasks = [task('member.earn', ({ tx, at }) => earnDay(tx, at), { every: '10 16 * * *' })]
