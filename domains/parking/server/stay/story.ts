import type { Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { actionOf } from '../../../../platform/contract/actions.ts'
import { type Change, historyOf } from '../../../../platform/server/record/audit.ts'
import { columnsIn } from '../../../../platform/contract/names.ts'
import { msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { onlyFields } from '../../../../platform/server/row.ts'
import { Quote, type QuoteOf } from '../../../fee/contract/quote.ts'
import { CommandState } from '../../../device/contract/command.ts'
import { commandsFor } from '../../../device/server/api.ts'
import { orderOf, type OrderRow, ordersOfStay, pointsOn } from '../../../settlement/server/api.ts'
import { heldBill } from '../../contract/heldBill.ts'
import {
  Decision,
  type DecisionRow,
  LaneOutcome,
  PassMode,
  type Segment,
  SessionStatus,
  stay as calls,
  type StayId,
  type Story,
  type StoryEvent,
  StoryEventKind,
  type StoryOrder,
} from '../../contract/stay.ts'
import { heldEvents } from '../bill/heldStory.ts'
import type { ParkRow } from '../lane/lane.ts'
import { explained, priceOf } from '../bill/pricing.ts'
import type { StayRecord } from './stayMoves.ts'
import { shown } from './shown.ts'
import { Direction } from '../../contract/gate.ts'

type Event = Of<typeof StoryEvent>
/** The longest chain of corrections: what an undone exit gives back follows all of them, and nobody makes more by hand. */
const CHAIN_MAX = 50

/** Everything about one stay, in the order in which it happened. @throws NotFound */
export async function storyOf(tx: Tx, id: Id<StayId>, at: Instant): Promise<Of<typeof Story>> {
  const stay = (await tx.selectFrom('parking.stay').selectAll().where('id', '=', id).executeTakeFirst()) as StayRecord | undefined
  if (!stay) throw NotFound()
  const earlier = await chainOf(tx, stay)
  const ids = [stay.id, ...earlier]
  const [park, names, decisions, segments, histories, orders, next, checks] = await Promise.all([
    tx.selectFrom('parking.park').selectAll().where('parkCode', '=', stay.parkCode).executeTakeFirstOrThrow(),
    gateNames(tx, [stay.entryGate, stay.exitGate]),
    run<DecisionRow>(
      tx,
      {
        sql: `select ${DECISION} from parking.decision where enterprise_id = scope_enterprise() and stay_id = any($1::uuid[]) order by received_at, id`,
      },
      [ids],
    ),
    run<Of<typeof Segment>>(
      tx,
      {
        sql: 'select area_code, gate_code, from_time as "from", to_time as "to" from parking.segment where enterprise_id = scope_enterprise() and stay_id = $1 order by from_time',
      },
      [id],
    ),
    historiesOf(tx, ids),
    Promise.all(ids.map((one) => ordersOfStay(tx, one))),
    run<{ id: Id<StayId> }>(tx, { sql: 'select id from parking.stay where enterprise_id = scope_enterprise() and corrected_from = $1' }, [id]),
    heldEvents(tx, ids),
  ])
  const [history] = histories as [Change[]]
  const own = itsOwn(orders, histories)
  // Its payment may belong to another car's order, in whose record it left.
  const others = stay.orderId && !own.some(({ id }) => id === (stay.orderId as string)) ? [await orderOf(tx, stay.orderId)] : []
  const bills = await withPoints(tx, [...own, ...others])
  const commands = await commandsFor(tx, [...decisions.map(({ id }) => id as string), ...bills.map(({ orderNo }) => orderNo)])
  const changes = history.map(({ id, at, authorName, via, event, before, after, reason }) => ({
    id,
    at,
    authorName,
    via,
    entity: 'parking.stay',
    event,
    before,
    after,
    reason,
  }))
  return {
    stay: shown(stay),
    parkName: park.name,
    entryGateName: names.get(stay.entryGate ?? '') ?? null,
    exitGateName: names.get(stay.exitGate ?? '') ?? null,
    events: [
      ...sightings(decisions),
      ...ofStay(stay, letOut(history)),
      ...bills.flatMap(ofOrder),
      ...openings(commands),
      ...checks,
      ...byPeople(history),
    ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    segments,
    decisions,
    quote: await quoteOf(tx, park as ParkRow, stay, decisions, at),
    orders: bills.map(shownOrder),
    history: changes,
    correctedTo: next[0]?.id ?? null,
    correctedFrom: stay.correctedFrom,
  }
}
const DECISION = columnsIn(Decision)

/** The records in whose place it stands, the newest first. */
export const chainOf = async (tx: Tx, { correctedFrom }: StayRecord): Promise<Id<StayId>[]> =>
  correctedFrom ? (await run<{ id: Id<StayId> }>(tx, { sql: CHAIN }, [correctedFrom])).map(({ id }) => id) : []
const CHAIN = `with recursive chain as (
    select id, corrected_from, 1 as place from parking.stay where enterprise_id = scope_enterprise() and id = $1
    union all select s.id, s.corrected_from, c.place + 1 from chain c join parking.stay s on s.enterprise_id = scope_enterprise() and s.id = c.corrected_from where c.place < ${CHAIN_MAX})
  select id from chain order by place`
/** Returns the history of each of these records, the newest first. */
export const historiesOf = (tx: Tx, ids: readonly Id<StayId>[]): Promise<Change[][]> =>
  Promise.all(ids.map((id) => historyOf(tx, 'parking.stay', id)))
/** A car that was inside stands at an exit. */
export const cameToExit = ({ before }: Change): boolean => before?.['exit_time'] === null

/** The orders of records that stand in one another's place, without those that were paid at an exit which was undone since: they are of the car that left. */
function itsOwn(orders: OrderRow[][], histories: Change[][]): OrderRow[] {
  let given = Infinity
  return orders.flatMap((all, n) => {
    const own = all.filter(({ payTime }) => payTime === null || msOf(payTime) < given)
    const undone = histories[n]!.some(({ event, via }) => event === 'insert' && via === calls.undoExit.id)
    const came =
      undone &&
      histories
        .slice(n + 1)
        .flat()
        .find(cameToExit)
    if (came) given = msOf(came.after!['exit_time'] as Instant)
    return own
  })
}
async function gateNames(tx: Tx, codes: (string | null)[]): Promise<Map<string, string>> {
  const rows = await run<{ gateCode: string; name: string }>(
    tx,
    { sql: 'select gate_code, name from parking.gate where enterprise_id = scope_enterprise() and gate_code = any($1)' },
    [codes.filter(Boolean)],
  )
  return new Map(rows.map(({ gateCode, name }) => [gateCode, name]))
}

/** The fee as it was asked for at the exit; of a car that is inside, as it would be now. */
async function quoteOf(tx: Tx, park: ParkRow, stay: StayRecord, decisions: DecisionRow[], at: Instant) {
  if (stay.status === SessionStatus.present) return explained(await priceOf(tx, park, stay, at))
  return decisions.findLast(({ quote }) => quote)?.quote ?? (stay.exitTime ? ((await priceOf(tx, park, stay, stay.exitTime))?.quote ?? null) : null)
}

/** The fee of a stay that has ended, as it was asked for, with a line for every part of it: for the domain that collects it later. */
export async function feeOfStay(tx: Tx, id: string): Promise<QuoteOf | null> {
  const sql =
    'select quote from parking.decision where enterprise_id = scope_enterprise() and stay_id = $1 and quote is not null order by received_at desc, id desc limit 1'
  const [last] = await run<{ quote: QuoteOf }>(tx, { sql }, [id])
  if (last) return onlyFields(Quote)(last.quote)
  const stay = (await tx
    .selectFrom('parking.stay')
    .selectAll()
    .where('id', '=', id as Id<StayId>)
    .executeTakeFirst()) as StayRecord | undefined
  if (!stay?.exitTime) return null
  const park = await tx.selectFrom('parking.park').selectAll().where('parkCode', '=', stay.parkCode).executeTakeFirst()
  return park ? ((await priceOf(tx, park as ParkRow, stay, stay.exitTime))?.quote ?? null) : null
}

/** The form of a dictionary's entries: a look may follow the words. */
type Words = readonly [zh: string, en: string, look?: unknown]
/** Its kind is told beside it: the words say what the kind does not. */
const event = (at: Instant, kind: Event['kind'], [zh, en]: Words, more: Partial<Event> = {}): Event => ({
  at,
  kind,
  zh,
  en,
  gateCode: null,
  image: null,
  by: null,
  ...more,
})

/** Tells what a camera read and the lane decided. A decision that a person made later is theirs: it has their time, and no second picture. */
function sightings(decisions: DecisionRow[]): Event[] {
  return decisions.map(({ at, receivedAt, direction, plateNo, outcome, checks, gateCode, image, by }) => {
    const decided = checks.findLast(({ hit }) => hit)
    const [zh, en] = LaneOutcome.entries[outcome]
    const [zhWhy, enWhy] = decided ? [`（${decided.zh}）`, ` (${decided.en})`] : ['', '']
    const words: Words = [`${plateNo}：${zh}${zhWhy}`, `${plateNo}: ${en}${enWhy}`]
    if (by !== null) return event(receivedAt, StoryEventKind.byPerson, words, { gateCode, by })
    return event(at, direction === Direction.entrance ? StoryEventKind.readEntrance : StoryEventKind.readExit, words, { gateCode, image })
  })
}
/** The barrier was told to open for a decision or for a payment; how that ended is the device's word. */
function openings(commands: Awaited<ReturnType<typeof commandsFor>>): Event[] {
  return commands
    .filter(({ method }) => method === 'gate.open')
    .map(({ createdAt, state, gateCode }) =>
      event(createdAt, StoryEventKind.command, CommandState.entries[state as keyof typeof CommandState.entries], { gateCode }),
    )
}
/** When a car that had stood at the exit was away: its exit time is when the camera saw it, and it may have paid since. Who was not waited for left at once. */
const letOut = (history: Awaited<ReturnType<typeof historyOf>>): Instant | undefined =>
  history.find(
    ({ authorId, before, after }) => authorId === null && statusIn(before) === SessionStatus.leaving && statusIn(after) === SessionStatus.left,
  )?.at
const statusIn = (row: unknown) => (row as Pick<StayRecord, 'status'> | null)?.status

function ofStay(stay: StayRecord, leftAt: Instant | undefined): Event[] {
  const events: Event[] = []
  const mode = (code: StayRecord['entryMode']): Words => (code ? PassMode.entries[code] : ['', ''])
  if (stay.entryTime)
    events.push(
      event(stay.entryTime, StoryEventKind.entered, mode(stay.entryMode), {
        gateCode: stay.entryGate,
        image: stay.entryImage,
        by: stay.operatorIn,
      }),
    )
  if (stay.status === SessionStatus.left && stay.exitTime)
    events.push(
      event(leftAt ?? stay.exitTime, StoryEventKind.left, mode(stay.exitMode), {
        gateCode: stay.exitGate,
        image: stay.exitImage,
        by: stay.operatorOut,
      }),
    )
  return events
}
type BillRow = OrderRow & { pointsFen: OrderRow['paidFen'] }
async function withPoints(tx: Tx, orders: readonly OrderRow[]): Promise<BillRow[]> {
  const points = await pointsOn(
    tx,
    orders.map(({ id }) => id),
  )
  return orders.map((order) => ({ ...order, pointsFen: points(order.id).paidFen }))
}
const yuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`
function ofOrder({ orderNo, createdAt, payableFen, payTime, paidFen, pointsFen, operatorName }: BillRow): Event[] {
  const made = event(createdAt, StoryEventKind.order, [`${orderNo}，应付 ${yuan(payableFen)}`, `${orderNo}, ${yuan(payableFen)} payable`])
  const [zh, en] = pointsFen ? [`（其中积分抵扣 ${yuan(pointsFen)}）`, ` (${yuan(pointsFen)} of it in points)`] : ['', '']
  return payTime && paidFen ? [made, event(payTime, StoryEventKind.payment, [yuan(paidFen) + zh, yuan(paidFen) + en], { by: operatorName })] : [made]
}
/** Tells what people did to the record, with their reasons; machines, and decisions on a held bill, are told of above. */
const byPeople = (history: Awaited<ReturnType<typeof historyOf>>): Event[] =>
  history
    .filter(({ authorId, via }) => authorId !== null && via !== heldBill.decide.id)
    .map(({ at, via, authorName, reason }) => {
      const [zh, en] = actionOf(via)
      return event(at, StoryEventKind.byPerson, reason ? [`${zh}：${reason}`, `${en}: ${reason}`] : [zh, en], { by: authorName })
    })

const shownOrder = ({
  id,
  orderNo,
  type,
  status,
  receivableFen,
  discountFen,
  payableFen,
  paidFen,
  pointsFen,
  refundFen,
  payMethod,
  tradeNo,
  payTime,
  operatorName,
}: BillRow): Of<typeof StoryOrder> => ({
  id: id,
  orderNo,
  type,
  status,
  receivableFen,
  discountFen,
  payableFen,
  paidFen,
  pointsFen,
  refundFen,
  payMethod,
  tradeNo,
  payTime,
  operator: operatorName,
})
