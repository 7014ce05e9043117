import type { Fen, Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { plural } from '../../../../platform/contract/plural.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { BadInput, IllegalMove, refusal, Stale } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { recall, sendInner } from '../../../message/server/api.ts'
import { lockOrders } from '../../../settlement/server/api.ts'
import { Cleared, clearedSearch, clearing, ClearingState, SECOND_PERSON_FEN } from '../../contract/clearing.ts'
import { HeldState } from '../../contract/heldBill.ts'
import { type CarKindCode, type Uncleared, PassMode, PayState, SessionStatus, type stay, type StayId } from '../../contract/stay.ts'
import { askedAt } from '../bill/asked.ts'
import { carsAsked, type CarToClear, keepCars } from '../clearedCar.ts'
import { endHold } from '../bill/holding.ts'
import { holdLane } from '../lane/lane.ts'
import { inGrace } from '../lane/leaving.ts'
import { cancelDue, restOf } from '../bill/money.ts'
import { parkOf } from '../place/park.ts'
import { clearLane } from '../lane/passing.ts'
import { parkTopic, stayTopic } from '../questions.ts'
import type { StayRecord } from './stayMoves.ts'

export const NothingToClear = refusal(
  'parking.nothing-to-clear',
  40804,
  '没有符合条件的在场车辆，请放宽时间或换车场',
  'No cars inside match these conditions: widen the time or choose another car park',
  422,
)
const TooLate = refusal(
  'parking.clearing-too-old',
  40805,
  '清场已超过 24 小时，不能撤销；请逐车恢复在场',
  'The clearing is more than 24 hours old and cannot be undone: restore the cars one by one',
)
const OwnClearing = refusal(
  'parking.clearing-own',
  40818,
  '申请人与审核人不能是同一人：请由另一位有审核清场权限的人处理',
  'Whoever requested a clearing cannot decide on it: somebody else with permission to approve clearings must',
)
const AllGone = refusal(
  'parking.clearing-all-gone',
  40820,
  '申请清场的车辆都已离场，没有可清的车：请驳回此申请',
  'All cars of this request have left, so there is none to clear: reject the request',
)
const NobodyDecides = refusal(
  'parking.clearing-nobody',
  40821,
  '放弃金额超过一个人可免的额度，而没有其他人可以审核：请管理员把「审核清场」授权给另一个人',
  'More is given up than one person may, and nobody else can decide on it: ask an administrator to grant “Approve clearings” to somebody else',
)
const NotYours = refusal(
  'parking.clearing-not-yours',
  40819,
  '只有申请人可以撤回：如不同意，请驳回',
  'Only whoever requested a clearing can withdraw it: reject it if you do not agree',
)

/** The size of one batch; with more cars inside, a person clears again. */
const BATCH_MAX = 2_000
const UNDO_HOURS = 24
/** The number of cars in one round trip. */
const AT_ONCE = 50

export interface Clearing {
  parkCode: string
  reason: string
  ids?: Id<StayId>[]
  enteredBefore?: Instant
  carKindIn?: CarKindCode
}
type Wanted = Omit<Clearing, 'reason'>
type Person = { userId: string; userName: string }
type ClearedRow = Of<typeof Cleared>
const clearings = listOver(Cleared, 'parking.clearing', clearedSearch)

export const calls = serve(clearing, {
  query: ({ tx, input }) => page(tx, clearings, input),
  async approve({ tx, input, actor, at }) {
    const found = await decidable(tx, input, actor)
    const wanted = { parkCode: found.parkCode, ids: await carsAsked(tx, found.id) }
    await because(tx, found.reason)
    const priced = await priceToClear(tx, wanted, at)
    const decided = { state: ClearingState.cleared, clearedAt: at, ...decidedBy(actor, input.verdict) }
    await recall(tx, concernsOf(found.id), at)
    return letGo(tx, wanted, priced, { reason: found.reason, by: found.clearedBy, at, none: AllGone }, (told) =>
      setRow(tx, clearings, found, { ...decided, ...told }, at),
    )
  },
  async reject({ tx, input, actor, at }) {
    const found = await decidable(tx, input, actor)
    await recall(tx, concernsOf(found.id), at)
    return setRow(tx, clearings, found, { state: ClearingState.rejected, ...decidedBy(actor, input.verdict) }, at)
  },
  async withdraw({ tx, input, actor, at }) {
    const found = await waiting(tx, input)
    if (found.applicantId !== (actor.userId as string)) throw NotYours()
    await recall(tx, concernsOf(found.id), at)
    return setRow(tx, clearings, found, { state: ClearingState.withdrawn }, at)
  },
})
const concernsOf = (id: string) => `clearing:${id}`
const decidedBy = ({ userId, userName }: Person, verdict?: string) => ({
  approverId: userId as ClearedRow['approverId'],
  approverName: userName,
  verdict: verdict ?? null,
})
async function waiting(tx: Tx, { id, version }: { id: ClearedRow['id']; version: number }): Promise<ClearedRow> {
  const found = await lockRow(tx, clearings, { id, version })
  if (found.state !== ClearingState.waiting) throw IllegalMove({ state: found.state })
  return found
}
async function decidable(tx: Tx, which: { id: ClearedRow['id']; version: number }, { userId }: Person): Promise<ClearedRow> {
  const found = await waiting(tx, which)
  if (found.applicantId === (userId as string)) throw OwnClearing()
  return found
}
/** The cars that a clearing is about. */
async function staysToClear(tx: Tx, { parkCode, ids, enteredBefore, carKindIn }: Wanted, lock: 'for no key update' | ''): Promise<StayRecord[]> {
  if (!ids?.length && !enteredBefore) throw BadInput({ zh: '请选择车辆或入场时间', en: 'choose cars or an entry time' })
  return run<StayRecord>(
    tx,
    {
      sql: `select * from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and status in (${SessionStatus.present}, ${SessionStatus.leaving}) and third_platform is null and ($2::uuid[] is null or id = any ($2))
        and ($3::timestamptz is null or seen_at < $3) and ($4::smallint is null or car_kind_in = $4) order by seen_at limit ${BATCH_MAX} ${lock}`,
    },
    [parkCode, ids?.length ? ids : null, enteredBefore ?? null, carKindIn ?? null],
  )
}

/** How many cars a clearing would touch, and what they would have to pay in all. */
export async function countToClear(tx: Tx, wanted: Wanted, at: Instant, actor: Person): Promise<Of<typeof stay.countToClear.reply>> {
  const priced = await priceToClear(tx, wanted, at)
  const told = toldOf(priced)
  const some = (what: 'free' | 'unpriced') => priced.filter((one) => one[what]).length
  return { ...told, free: some('free'), unpriced: some('unpriced'), waits: await waits(tx, told.amountFen, actor, at) }
}
/** Prices each car as if it left now: 0 for a car that its exit would let out free, the whole bill for one that a person checks first. */
async function priceToClear(tx: Tx, wanted: Wanted, at: Instant): Promise<CarToClear[]> {
  const [stays, park] = [await staysToClear(tx, wanted, ''), await parkOf(tx, wanted.parkCode)]
  const priced: CarToClear[] = []
  for (let from = 0; from < stays.length; from += AT_ONCE) {
    const some = stays.slice(from, from + AT_ONCE)
    for (const [n, { bill, free }] of (await Promise.all(some.map((stay) => askedAt(tx, park, stay, at)))).entries()) {
      const stay = some[n]!
      const dueFen = bill && !inGrace({ stay, at }) ? restOf(stay, bill) : 0
      priced.push({ stayId: stay.id, dueFen, free: Boolean(free), unpriced: !bill })
    }
  }
  return priced
}
/** Returns count and amount of a clearing: the same totals as its list. */
const toldOf = (cars: readonly CarToClear[]) => ({ count: cars.length, amountFen: cars.reduce((sum, { dueFen }) => sum + dueFen, 0) as Fen })
/**
 * Whether the amount is more than this person may still give up alone: their clearings within a day count with it, unless it was undone to the last car or somebody else
 * agreed.
 */
async function waits(tx: Tx, amountFen: number, { userId }: Person, at: Instant): Promise<boolean> {
  if (amountFen === 0) return false
  const [{ lately } = { lately: 0 }] = await run<{ lately: number }>(tx, LATELY, [userId, at])
  return amountFen + lately >= SECOND_PERSON_FEN
}
const LATELY = {
  sql: `select coalesce(sum(amount_fen), 0)::bigint as lately from parking.clearing c
    where enterprise_id = scope_enterprise() and applicant_id = $1 and cleared_at > $2::timestamptz - interval '24 hours' and approver_id is null
      and (reverted_at is null or exists (select from parking.stay s where s.enterprise_id = c.enterprise_id and s.clearing_id = c.id))`,
}

/**
 * Cars that are inside only on paper leave (清场): no fee, no arrears, listed, and undone as a whole within a day. Where that gives up more than one person may, it is asked for, and
 * another person decides.
 */
export async function clearField(tx: Tx, { reason, ...wanted }: Clearing, at: Instant, actor: Person): Promise<ClearedRow> {
  const { parkCode } = wanted
  await because(tx, reason)
  await oneAtATime(tx, actor)
  const priced = await priceToClear(tx, wanted, at)
  const told = toldOf(priced)
  const { userId, userName } = actor
  const asked = {
    parkCode,
    reason,
    applicantId: userId as ClearedRow['applicantId'],
    clearedBy: userName,
    appliedAt: at,
  }
  if (!(await waits(tx, told.amountFen, actor, at)))
    return letGo(tx, wanted, priced, { reason, by: userName, at, none: NothingToClear }, (cleared) =>
      addRow(tx, clearings, { ...asked, ...cleared, state: ClearingState.cleared, clearedAt: at }),
    )
  const made = await addRow(tx, clearings, { ...asked, ...told, state: ClearingState.waiting })
  await keepCars(tx, made, priced)
  if ((await tellApprovers(tx, made)) === 0) throw NobodyDecides()
  return made
}
/** Two clearings of one person at once would each count without the other. */
const oneAtATime = (tx: Tx, { userId }: Person) =>
  run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [`clearing by ${userId}`])
const yuan = (fen: number) => (fen / 100).toFixed(2)
const tellApprovers = (tx: Tx, { id, parkCode, count, amountFen, clearedBy, applicantId, reason, appliedAt }: ClearedRow) =>
  sendInner(tx, {
    to: { capability: clearing.approve.needs as string, parkCode, not: [applicantId] },
    title: [
      `待审核清场：${count} 辆，放弃 ¥${yuan(amountFen)}`,
      `Clearing to approve: ${count} ${plural(count, 'car')}, ¥${yuan(amountFen)} given up`,
    ],
    body: [`${clearedBy}：${reason}`, `${clearedBy}: ${reason}`],
    link: CLEARINGS,
    concerns: concernsOf(id),
    at: appliedAt,
  })
const CLEARINGS = '/operation/record/parking/present?clearings=1'

/** Lets these cars go; `write` keeps the clearing, of so many and of so much. */
async function letGo(
  tx: Tx,
  wanted: Wanted,
  priced: readonly CarToClear[],
  { reason, by, at, none }: { reason: string; by: string; at: Instant; none: () => Error },
  write: (told: ReturnType<typeof toldOf>) => Promise<ClearedRow>,
): Promise<ClearedRow> {
  const { parkCode } = wanted
  const held = await holdAhead(tx, wanted)
  const stays = await staysToClear(tx, wanted, 'for no key update')
  if (!stays.length) throw none()
  const ids = stays.map(({ id }) => id)
  const lanes = await lanesOf(tx, ids)
  // A fee was asked, or the car came to an exit, just before its lock: locked now, its order or lane would wait in the wrong sequence.
  if (lanes.some((lane) => !held.lanes.includes(lane)) || ordersOf(stays).some((order) => !held.orders.includes(order))) throw Stale()
  const here = new Set(ids)
  const cars = priced.filter(({ stayId }) => here.has(stayId))
  // A car that came to them in between is in no amount that anybody was told.
  if (cars.length < ids.length) throw Stale()
  for (const stay of stays) {
    if (stay.payState === PayState.toPay) await cancelDue(tx, stay, reason, at)
    if (stay.payState === PayState.checking) await endHold(tx, stay, by, at)
  }
  const made = await write(toldOf(cars))
  await keepCars(tx, made, cars)
  await run(tx, CLEAR, [made.id, at, by, ids])
  for (const gateCode of lanes) await clearLane(tx, { parkCode, gateCode })
  await tellAll(tx, parkCode, stays)
  return made
}
/** The lanes at which these cars stand, and their orders, are held before the stays, as an event and a payment do it. */
async function holdAhead(tx: Tx, wanted: Wanted): Promise<{ lanes: string[]; orders: string[] }> {
  const { parkCode } = wanted
  const seen = await staysToClear(tx, wanted, '')
  const lanes = await lanesOf(
    tx,
    seen.map(({ id }) => id),
  )
  for (const gateCode of lanes) await holdLane(tx, { parkCode, gateCode })
  const orders = ordersOf(seen)
  await lockOrders(tx, orders)
  return { lanes, orders }
}
const ordersOf = (stays: readonly StayRecord[]): string[] => stays.flatMap(({ payState, orderId }) => (payState === PayState.toPay && orderId) || [])
const lanesOf = async (tx: Tx, stays: readonly Id<StayId>[]): Promise<string[]> =>
  (await run<{ gateCode: string }>(tx, LANES_OF, [stays])).map(({ gateCode }) => gateCode)
const LANES_OF = {
  sql: 'select gate_code from parking.lane where enterprise_id = scope_enterprise() and stay_id = any ($1::uuid[]) order by gate_code',
}
// Payments stay as they are; unpaid amounts are no longer asked.
const CLEAR = {
  sql: `update parking.stay set status = ${SessionStatus.left}, exit_mode = ${PassMode.cleared}, exit_time = greatest($2::timestamptz, entry_time), duration_min = coalesce(extract(epoch from greatest($2::timestamptz, entry_time) - entry_time)::integer / 60, 0),
      receivable_fen = settled_fen, discount_fen = settled_fen - paid_fen, payable_fen = paid_fen, pay_state = case when paid_fen > 0 then ${PayState.paid} else ${PayState.free} end,
      clearing_id = $1, operator_out = $3, version = version + 1, updated_at = $2::timestamptz
    where id = any ($4::uuid[])`,
}

/** Everybody goes back inside, except who has come in again meanwhile, and on the street whose berth is taken again. */
export async function undoClearing(tx: Tx, { id, reason }: { id: Id<'ClearingId'>; reason: string }, at: Instant): Promise<Of<typeof Uncleared>> {
  const made = await lockRow(tx, clearings, { id })
  if (made.revertedAt || made.clearedAt === null) throw IllegalMove({ state: made.state })
  if (Date.parse(at) - Date.parse(made.clearedAt) > UNDO_HOURS * 3600_000) throw TooLate()
  await because(tx, reason)
  const stays = await run<StayRecord>(tx, UNDO, [id, at])
  await run(tx, HELD_AGAIN, [stays.map((stay) => stay.id), made.clearedAt, at])
  const undone = await setRow(tx, clearings, made, { revertedAt: at }, at)
  await tellAll(tx, made.parkCode, stays)
  const leftOut = await run<{ plateNo: string }>(tx, LEFT_OUT, [id])
  return { ...undone, restored: stays.length, leftOut: leftOut.map(({ plateNo }) => plateNo) }
}
const UNDO = {
  sql: `update parking.stay s set status = ${SessionStatus.present}, exit_mode = null, exit_gate = null, exit_image = null, exit_time = null, duration_min = null, operator_out = null, clearing_id = null,
      pay_state = case when paid_fen > 0 then ${PayState.paid} when settled_fen > 0 then ${PayState.free} else ${PayState.nothing} end, version = version + 1, updated_at = $2
    where s.enterprise_id = scope_enterprise() and s.clearing_id = $1 and s.status = ${SessionStatus.left} and s.entry_time is not null
      and not exists (select from parking.present p where p.enterprise_id = s.enterprise_id and p.park_code = s.park_code and (p.plate_no = s.plate_no or p.seat_code = s.seat_code))
    returning id`,
}
const LEFT_OUT = {
  sql: `select coalesce(plate_no, seat_code) as plate_no from parking.stay where enterprise_id = scope_enterprise() and clearing_id = $1 and coalesce(plate_no, seat_code) is not null order by seen_at, id limit 200`,
}
// The clearing had let them go unchecked: believed, that would price a car that is back at nothing.
const HELD_AGAIN = {
  sql: `with back as (
      update parking.held_bill set state = ${HeldState.waiting}, set_fen = null, decided_by = null, decided_at = null, version = version + 1, updated_at = $3::timestamptz
      where enterprise_id = scope_enterprise() and stay_id = any ($1::uuid[]) and state = ${HeldState.letGo} and decided_at = $2 returning stay_id)
    update parking.stay set pay_state = ${PayState.checking} where enterprise_id = scope_enterprise() and id in (select stay_id from back)`,
}

const tellAll = (tx: Tx, parkCode: string, stays: readonly { id: string }[]) =>
  Promise.all([tell(tx, stayTopic, { park: parkCode, ids: stays.map(({ id }) => id) }), tell(tx, parkTopic, { park: parkCode, ids: [parkCode] })])
