import type { CodeOf, Instant } from '../../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { IllegalMove, Refusal, refusal } from '../../../../platform/server/refusal.ts'
import { holdCredited } from '../../../settlement/server/api.ts'
import { FreezeCause, PassStatus } from '../../contract/pass.ts'
import { dayOfMonth, daysOn, midnight } from './calendar.ts'
import { periodsOf, State } from './period.ts'
import { cancelWaiting } from './letGo.ts'
import { carsOf, coverCars, endCover, type Held, lockPass, type PassRow, refuseBay, setPass } from './pass.ts'
import { Said } from '../../contract/said.ts'

/** Limits of banked days: so many at once, so often in a year. */
const BANK_DAYS_MAX = 60
const BANK_TIMES_A_YEAR = 2
const YEAR_MS = 365 * DAY_MS
const TooOften = refusal(
  'member.freeze-too-often',
  41424,
  '一年内冻结顺延最多两次',
  'A pass can be frozen with days returned twice a year at most',
  422,
)
const TooLong = refusal('member.freeze-too-long', 41425, '冻结顺延一次最多 60 天', 'One freeze gives back 60 days at most', 422)
export const Waits = refusal('member.refund-waits', 41450, '有待支付的订单，请先取消或付款', 'The pass has an unpaid order: pay or cancel it first')
const UntilPast = refusal(
  'member.freeze-until',
  41426,
  '冻结至应晚于现在，请选择以后的时间',
  'Frozen until must be later than now: choose a later time',
  422,
)

interface Pause {
  /** Only what somebody asked for counts, and may be refused. */
  cause: CodeOf<typeof FreezeCause>
  bank: boolean
  until?: Instant | null
  reason: string
  byName: string
  at: Instant
}
/** A valid pass rests: its cover ends at once, a car that is inside pays from now. */
export async function freeze(tx: Tx, pass: PassRow, { cause, bank, until = null, reason, byName, at }: Pause): Promise<Held> {
  if (pass.status !== PassStatus.valid && pass.status !== PassStatus.notYet) throw IllegalMove({ status: pass.status })
  if (until !== null && msOf(until) <= msOf(at)) throw UntilPast()
  const asked = cause === FreezeCause.asked
  if (asked && (await periodsOf(tx, pass.id)).some(({ state }) => state === State.waits)) throw Waits()
  if (asked && bank) await refuseBank(tx, pass.id, until, at)
  await run(tx, { sql: PAUSE }, [pass.id, pass.parkCode, at, until, bank, reason, byName, cause])
  const cars = await carsOf(tx, pass.id)
  await run(tx, { sql: KEEP }, [pass.id, JSON.stringify(cars)])
  await endCover(tx, pass.id, at)
  return setPass(tx, pass, { state: PassStatus.frozen, frozenAt: at }, at)
}
const PAUSE =
  'insert into member.freeze (pass_id, park_code, from_at, until_at, bank, reason, by_name, cause) values ($1, $2, $3, $4, $5, $6, $7, $8)'
/** A pass that has not begun has no cover left to tell its cars by. */
const KEEP = 'update member.freeze set cars = $2::jsonb where enterprise_id = scope_enterprise() and pass_id = $1 and ended_at is null'

async function refuseBank(tx: Tx, passId: string, until: Instant | null, at: Instant): Promise<void> {
  if (until !== null && msOf(until) - msOf(at) > BANK_DAYS_MAX * DAY_MS) throw TooLong()
  const [before] = await run<{ n: number }>(tx, { sql: BANKED }, [passId, instantAt(msOf(at) - YEAR_MS)])
  if (before!.n >= BANK_TIMES_A_YEAR) throw TooOften()
}
const BANKED = `select count(*)::int as n from member.freeze where enterprise_id = scope_enterprise() and pass_id = $1 and bank and from_at > $2 and cause = ${FreezeCause.asked}`

/** Whole city days between two moments: those that began and ended while it rested. */
export function wholeDays(from: Instant, to: Instant): number {
  const first = midnight(instantAt(msOf(from) + DAY_MS - 1))
  return Math.max(0, Math.floor((msOf(midnight(to)) - msOf(first)) / DAY_MS))
}

/** Resumes a frozen pass: banked days are added at its end, and later periods begin so much later. @throws Overlaps */
export async function thaw(tx: Tx, pass: PassRow, at: Instant, all = false): Promise<Held> {
  if (pass.state !== PassStatus.frozen || (pass.refunding && !all)) throw IllegalMove({ status: pass.status })
  const [pause] = await run<{ id: string; fromAt: Instant; bank: boolean; cars: { plateNo: string; plateColor: null }[] }>(tx, { sql: OPEN }, [
    pass.id,
  ])
  // Days before it begins are none that it lost.
  const lostFrom = msOf(pass.startAt) > msOf(pause!.fromAt) ? pass.startAt : pause!.fromAt
  const rested = pause!.bank ? wholeDays(lostFrom, at) : 0
  const days = all ? rested : Math.min(rested, BANK_DAYS_MAX)
  await run(tx, { sql: 'update member.freeze set ended_at = $2, days = $3 where enterprise_id = scope_enterprise() and id = $1' }, [
    pause!.id,
    at,
    days,
  ])
  const endAt = daysOn(pass.endAt, days)
  if (days > 0) await run(tx, { sql: LATER }, [pass.id, at, days])
  const from = msOf(pass.startAt) > msOf(at) ? pass.startAt : at
  await refuseBay(tx, pass, pass.endAt, endAt)
  const moved = await setPass(
    tx,
    pass,
    { state: PassStatus.valid, frozenAt: null, refunding: false, endAt, ...(days > 0 && { anchorDay: dayOfMonth(endAt) }) },
    at,
  )
  await coverCars(tx, { passId: pass.id, parkCodes: pass.parkCodes, timeWindow: pass.timeWindow, from, to: endAt }, pause!.cars)
  return moved
}
const OPEN = 'select id, from_at, bank, cars from member.freeze where enterprise_id = scope_enterprise() and pass_id = $1 and ended_at is null'
const LATER = `update member.period set end_at = end_at + make_interval(days => $3::int), start_at = case when start_at > $2::timestamptz then start_at + make_interval(days => $3::int) else start_at end
  where enterprise_id = scope_enterprise() and pass_id = $1 and state = ${State.counts} and end_at > $2::timestamptz - make_interval(days => $3::int)`

/** All valid passes of a kind rest, banked; no customer wished it, so it does not count. Orders of them that wait for money are cancelled. */
export async function freezeGroup(tx: Tx, groupId: string, reason: string, byName: string, at: Instant): Promise<void> {
  for (const { id } of await run<{ id: string }>(tx, { sql: OF_GROUP }, [groupId])) {
    await holdCredited(tx, id)
    const pass = await lockPass(tx, { id })
    if (pass.status !== PassStatus.valid && pass.status !== PassStatus.notYet) continue
    await cancelWaiting(tx, pass.id, Said.groupStopped, at)
    await freeze(tx, await lockPass(tx, { id }), {
      cause: FreezeCause.group,
      bank: true,
      reason: reason === Said.groupStopped ? reason : Said.groupStoppedFor({ why: reason }),
      byName,
      at,
    })
  }
}
const OF_GROUP = `select id from member.pass where enterprise_id = scope_enterprise() and group_id = $1 and state = ${PassStatus.valid} and not refunding order by id`
/** Those that the kind put to rest go on; those that their holders did not. */
export async function thawGroup(tx: Tx, groupId: string, at: Instant): Promise<void> {
  const sql = `select p.id from member.pass p join member.freeze f on f.enterprise_id = p.enterprise_id and f.pass_id = p.id and f.ended_at is null
    where p.enterprise_id = scope_enterprise() and p.group_id = $1 and not p.refunding and f.cause = ${FreezeCause.group} order by p.id`
  await thawEach(tx, await run<{ id: string }>(tx, { sql }, [groupId]), at, true)
}

/** The passes that resume in one round; the rest in the next. */
const ROUND_MAX = 2_000
/** Every ten minutes: passes whose rest is over go on. */
export async function thawDue(tx: Tx, at: Instant): Promise<void> {
  const sql = `select f.pass_id as id from member.freeze f join member.pass p on p.enterprise_id = f.enterprise_id and p.id = f.pass_id
    where f.enterprise_id = scope_enterprise() and f.ended_at is null and f.until_at <= $1 and not p.refunding order by f.pass_id limit ${ROUND_MAX}`
  await thawEach(tx, await run<{ id: string }>(tx, { sql }, [at]), at)
}
/** Each by itself: one that another pass is in the way of stays at rest for a person. */
async function thawEach(tx: Tx, passes: readonly { id: string }[], at: Instant, all = false): Promise<void> {
  for (const { id } of passes) {
    await run(tx, { sql: 'savepoint one_pass' }, [])
    try {
      await thaw(tx, await lockPass(tx, { id }), at, all)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await run(tx, { sql: 'rollback to savepoint one_pass' }, [])
    }
    await run(tx, { sql: 'release savepoint one_pass' }, [])
  }
}
