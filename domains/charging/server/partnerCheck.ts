import type { CodeOf, Day, Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { BillKind } from '../contract/money.ts'
import { PlatformRole, PlatformStatus } from '../contract/platform.ts'
import { ChargeStatus } from '../contract/session.ts'
import { CheckState, DifferenceKind, DifferenceState, Direction, StatementState } from '../contract/statement.ts'
import { checkWanted } from './said.ts'

/** So many charges are one question: more would be a letter that some partner's door does not take. */
const PIECE = 200
/** Meters are told in hundredths of a kWh: so little is no difference. */
const SAME_WH = 10

/** A charge as a partner has it; nothing where it said no figure. */
export interface TheirCharge {
  startChargeSeq: string
  wh: number | null
  fen: number | null
}
interface OurCharge {
  startChargeSeq: string
  orderNo: string
  /** None: not billed yet. */
  finalAt: Instant | null
  wh: number
  fen: number
}

/** Asks a partner about its charges that were billed on a day; a day that was asked is not asked again. @returns how many there are */
export async function askDay(tx: Tx, platformId: string, day: Day, at: Instant): Promise<number> {
  const asked = await run<{ id: string; orderCount: number }>(tx, { sql: ASK }, [
    platformId,
    day,
    startOf(day),
    instantAt(msOf(startOf(day)) + DAY_MS),
    at,
  ])
  for (const { id } of asked) await announce(tx, checkWanted, { checkId: id })
  return asked.reduce((all, { orderCount }) => all + orderCount, 0)
}
const ASK = `with billed as (
    select b.order_no, b.energy_wh, b.elec_fen + b.service_fen as fen, (row_number() over (order by b.final_at, b.id) - 1) / ${PIECE} + 1 as piece
    from charging.partner_bill b where b.enterprise_id = scope_enterprise() and b.platform_id = $1 and b.kind = ${BillKind.charge} and b.final_at >= $3 and b.final_at < $4)
  insert into charging.partner_check (platform_id, day, piece, check_seq, order_nos, order_count, energy_wh, amount_fen, created_at)
  select $1, $2, b.piece, own.operator_id || right(regexp_replace(platform.business_no('DZ'), '\\D', '', 'g'), 18), array_agg(b.order_no), count(*), sum(b.energy_wh), sum(b.fen), $5
  from billed b join charging.platform own on own.enterprise_id = scope_enterprise() and own.built_in group by b.piece, own.operator_id
  on conflict (enterprise_id, platform_id, day, piece) do nothing returning id, order_count`

/** Every partner that we can reach is asked about the day before. */
export async function askYesterday(tx: Tx, at: Instant): Promise<void> {
  const yesterday = dayOf(instantAt(msOf(at) - DAY_MS))
  for (const { id } of await run<{ id: string }>(tx, { sql: REACHED }, [])) await askDay(tx, id, yesterday, at)
}
const REACHED = `select id from charging.platform where enterprise_id = scope_enterprise() and not deleted and not built_in and status = ${PlatformStatus.inUse}
  and role in (${PlatformRole.demand}, ${PlatformRole.both}) and base_url is not null and theirs is not null order by id`

export interface Check {
  id: string
  platformId: string
  checkSeq: string
  day: Day
  orderCount: number
  energyWh: number
  amountFen: number
}
/** A question with the charges that it names. */
export async function checkOf(
  tx: Tx,
  checkId: string,
): Promise<{ check: Check; charges: { startChargeSeq: string; wh: number; fen: number }[] } | undefined> {
  const [check] = await run<Check>(
    tx,
    {
      sql: 'select id, platform_id, check_seq, day, order_count, energy_wh, amount_fen from charging.partner_check where enterprise_id = scope_enterprise() and id = $1',
    },
    [checkId],
  )
  return check && { check, charges: await run(tx, { sql: OF_CHECK }, [checkId]) }
}
const OF_CHECK = `select b.start_charge_seq, b.energy_wh as wh, b.elec_fen + b.service_fen as fen from charging.partner_check k
    join charging.partner_bill b on b.enterprise_id = k.enterprise_id and b.order_no = any(k.order_nos) and b.kind = ${BillKind.charge}
  where k.enterprise_id = scope_enterprise() and k.id = $1 order by b.final_at, b.id`

/** What a partner answered: the charges that it does not agree to. */
export async function checkAnswered(tx: Tx, checkSeq: string, disputed: readonly TheirCharge[], at: Instant): Promise<void> {
  const [check] = await run<Check>(
    tx,
    { sql: 'select id, platform_id, day from charging.partner_check where enterprise_id = scope_enterprise() and check_seq = $1 for update' },
    [checkSeq],
  )
  if (!check) return
  const { platformId, day } = check
  const ours = await chargesNamed(
    tx,
    platformId,
    disputed.map(({ startChargeSeq }) => startChargeSeq),
  )
  for (const theirs of disputed)
    await keepDifference(tx, { platformId, direction: Direction.receivable, day }, ours.get(theirs.startChargeSeq), theirs, at)
  const state = disputed.length > 0 ? CheckState.differs : CheckState.agreed
  await run(
    tx,
    { sql: 'update charging.partner_check set state = $2, differences = $3, answered_at = $4 where enterprise_id = scope_enterprise() and id = $1' },
    [check.id, state, disputed.length, at],
  )
}

/** A partner does not agree to one bill, and says no more. */
export async function disputed(tx: Tx, platformId: string, startChargeSeq: string, at: Instant): Promise<void> {
  const ours = (await chargesNamed(tx, platformId, [startChargeSeq])).get(startChargeSeq)
  if (ours)
    await keepDifference(
      tx,
      { platformId, direction: Direction.receivable, day: dayOf(ours.finalAt ?? at) },
      ours,
      { startChargeSeq, wh: null, fen: null },
      at,
      DifferenceKind.state,
    )
}

/** What a partner says of a stretch of time, beside what we have: those that differ, and, once all of its charges are named, ours that it does not name. */
export async function compared(
  tx: Tx,
  { theirs, all, at, ...time }: Time & { theirs: readonly TheirCharge[]; all: number; at: Instant },
): Promise<OurCharge[]> {
  const { platformId, direction, from, to } = time
  const named = await chargesNamed(
    tx,
    platformId,
    theirs.map(({ startChargeSeq }) => startChargeSeq),
    direction,
  )
  const wrong: OurCharge[] = []
  for (const one of theirs) {
    const ours = named.get(one.startChargeSeq)
    if (ours && kindOf(ours, one) === undefined) continue
    wrong.push(ours ?? { startChargeSeq: one.startChargeSeq, orderNo: '', finalAt: null, wh: 0, fen: 0 })
    await keepDifference(tx, { platformId, direction, day: dayOf(ours?.finalAt ?? from) }, ours, one, at)
  }
  const whole = await wholeOf(tx, time, theirs, all, at)
  if (!whole) return wrong
  for (const ours of await run<OurCharge>(tx, { sql: direction === Direction.payable ? ROAMED_WITHIN : WITHIN }, [platformId, from, to])) {
    if (whole.has(ours.startChargeSeq)) continue
    wrong.push(ours)
    await keepDifference(tx, { platformId, direction, day: dayOf(ours.finalAt!) }, ours, undefined, at)
  }
  return wrong
}
interface Time {
  platformId: string
  /** Payable: charges of our drivers, which the partner has the stations of. */
  direction: CodeOf<typeof Direction>
  from: Instant
  to: Instant
}
/** All that a partner names of a time, page by page; nothing as long as pages are still to come. A page that is told again adds nothing. */
async function wholeOf(
  tx: Tx,
  { platformId, from, to }: Time,
  theirs: readonly TheirCharge[],
  all: number,
  at: Instant,
): Promise<Set<string> | undefined> {
  const seqs = theirs.map(({ startChargeSeq }) => startChargeSeq)
  if (seqs.length >= all) return new Set(seqs)
  await run(tx, { sql: HOLD }, [platformId])
  await run(tx, { sql: FORGET }, [platformId, instantAt(msOf(at) - DAY_MS)])
  await run(tx, { sql: PAGE }, [platformId, from, to, seqs, at])
  const named = await run<{ startChargeSeq: string }>(tx, { sql: PAGES }, [platformId, from, to])
  if (named.length < all) return undefined
  await run(tx, { sql: READ }, [platformId, from, to])
  return new Set(named.map(({ startChargeSeq }) => startChargeSeq))
}
/** Of two pages at once one sees the other. */
const HOLD = `select pg_advisory_xact_lock(hashtextextended('charging.partner_page ' || $1, scope_enterprise()))`
const FORGET = 'delete from charging.partner_page where enterprise_id = scope_enterprise() and platform_id = $1 and at < $2'
const PAGE = `insert into charging.partner_page (platform_id, from_at, to_at, start_charge_seq, at) select $1, $2, $3, s, $5 from unnest($4::text[]) s on conflict do nothing`
const OF_TIME = 'charging.partner_page where enterprise_id = scope_enterprise() and platform_id = $1 and from_at = $2 and to_at = $3'
const PAGES = `select start_charge_seq from ${OF_TIME}`
const READ = `delete from ${OF_TIME}`
const CHARGE = `c.start_charge_seq, c.order_no, b.final_at, coalesce(b.energy_wh, c.energy_wh) as wh, coalesce(b.elec_fen + b.service_fen, 0)::bigint as fen`
const WITHIN = `select ${CHARGE.replaceAll('c.', 'b.')} from charging.partner_bill b
  where b.enterprise_id = scope_enterprise() and b.platform_id = $1 and b.kind = ${BillKind.charge} and b.final_at >= $2 and b.final_at <= $3 order by b.final_at, b.id`
/** One that never began is none. */
const NAMED = `select ${CHARGE} from charging.charge c left join charging.bill b on b.enterprise_id = c.enterprise_id and b.order_no = c.order_no and b.kind = ${BillKind.charge}
  where c.enterprise_id = scope_enterprise() and c.platform_id = $1 and c.start_charge_seq = any($2) and c.status not in (${ChargeStatus.failed}, ${ChargeStatus.cancelled})`
/** Of a charge at a partner's what was agreed to since its bill counts too: it is what we owe for it. */
const ROAMED = `select r.start_charge_seq, r.order_no, b.final_at, b.energy_wh as wh, b.fen from charging.roaming r`
const ROAMED_BILLS = `(select order_no, max(energy_wh) as energy_wh, min(final_at) as final_at, sum(elec_fen + service_fen + adjust_fen)::bigint as fen from charging.roaming_bill
    where enterprise_id = scope_enterprise() and platform_id = $1 group by order_no) b on b.order_no = r.order_no`
const ROAMED_WITHIN = `${ROAMED} join ${ROAMED_BILLS} where r.enterprise_id = scope_enterprise() and r.platform_id = $1 and b.final_at >= $2 and b.final_at <= $3 order by b.final_at, r.order_no`
const ROAMED_NAMED = `${ROAMED.replace('b.energy_wh as wh, b.fen', 'coalesce(b.energy_wh, r.energy_wh) as wh, coalesce(b.fen, 0)::bigint as fen')} left join ${ROAMED_BILLS}
  where r.enterprise_id = scope_enterprise() and r.platform_id = $1 and r.start_charge_seq = any($2) and r.status not in (${ChargeStatus.failed}, ${ChargeStatus.cancelled})`
const chargesNamed = async (
  tx: Tx,
  platformId: string,
  seqs: readonly string[],
  direction: number = Direction.receivable,
): Promise<Map<string, OurCharge>> => {
  const sql = direction === Direction.payable ? ROAMED_NAMED : NAMED
  return new Map((await run<OurCharge>(tx, { sql }, [platformId, seqs])).map((one) => [one.startChargeSeq, one]))
}

/** In which way both differ; in none where they are the same. Money counts to the fen. */
export function kindOf(ours: OurCharge | undefined, theirs: TheirCharge | undefined): CodeOf<typeof DifferenceKind> | undefined {
  if (!ours) return DifferenceKind.missingHere
  if (!theirs || (!theirs.wh && !theirs.fen && (ours.wh > 0 || ours.fen > 0))) return DifferenceKind.missingThere
  if (ours.finalAt === null) return DifferenceKind.state
  if (theirs.fen !== null && theirs.fen !== ours.fen) return DifferenceKind.amount
  return theirs.wh !== null && Math.abs(theirs.wh - ours.wh) > SAME_WH ? DifferenceKind.energy : undefined
}

/** Told again it is the same difference, with the newest figures, which nobody has looked at yet. It belongs to the month of its day, or, where that is confirmed, to this month. */
export async function keepDifference(
  tx: Tx,
  { platformId, direction, day }: { platformId: string; direction: CodeOf<typeof Direction>; day: Day },
  ours: OurCharge | undefined,
  theirs: TheirCharge | undefined,
  at: Instant,
  kind = kindOf(ours, theirs) ?? DifferenceKind.state,
): Promise<void> {
  const [kept] = await run<{ month: string }>(tx, { sql: KEEP }, [
    ...[platformId, day, kind, theirs?.startChargeSeq ?? ours!.startChargeSeq, ours?.orderNo ?? null, ours?.wh ?? null, theirs?.wh ?? null],
    ...[ours?.fen ?? null, theirs?.fen ?? null, at, dayOf(at).slice(0, 7), direction],
  ])
  await followDifferences(tx, { platformId, direction, month: kept!.month }, at)
}
const STILL_OPEN = `state in (${DifferenceState.open}, ${DifferenceState.submitted})`
const CLOSED = `select from charging.statement s where s.enterprise_id = scope_enterprise() and s.platform_id = $1 and s.direction = $12 and s.month = left($2::text, 7) and s.state in (${StatementState.confirmed}, ${StatementState.settled})`
const KEEP = `insert into charging.partner_difference (platform_id, month, day, kind, start_charge_seq, order_no, our_wh, their_wh, our_fen, their_fen, created_at, updated_at, direction)
  values ($1, case when exists (${CLOSED}) then $11 else left($2::text, 7) end, $2::date, $3, $4, $5, $6, $7, $8, $9, $10, $10, $12)
  on conflict (enterprise_id, platform_id, start_charge_seq) where ${STILL_OPEN} do update set kind = excluded.kind, order_no = excluded.order_no, our_wh = excluded.our_wh,
    their_wh = excluded.their_wh, our_fen = excluded.our_fen, their_fen = excluded.their_fen, updated_at = excluded.updated_at, version = charging.partner_difference.version + 1,
    state = ${DifferenceState.open}, submitter_id = null, submitter_name = null
  returning month`

/** A statement that is out has differences as long as one is open. */
export const followDifferences = (
  tx: Tx,
  { platformId, direction, month }: { platformId: string; direction: CodeOf<typeof Direction>; month: string },
  at: Instant,
): Promise<unknown> => run(tx, { sql: FOLLOW }, [platformId, month, at, direction])
const FOLLOW = `update charging.statement s set state = found.state, version = s.version + 1, updated_at = $3 from (
    select case when exists (select from charging.partner_difference d where d.enterprise_id = scope_enterprise() and d.platform_id = $1 and d.direction = $4 and d.month = $2 and d.${STILL_OPEN})
      then ${StatementState.differing} else ${StatementState.sent} end as state) found
  where s.enterprise_id = scope_enterprise() and s.platform_id = $1 and s.direction = $4 and s.month = $2 and s.state in (${StatementState.sent}, ${StatementState.differing}) and s.state <> found.state`
