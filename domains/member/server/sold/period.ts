import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { RechargeKind } from '../../../settlement/contract/recharge.ts'
import { describeRecharge, type OrderRow } from '../../../settlement/server/api.ts'
import { daysBetween } from './calendar.ts'
import type { PassRow } from './pass.ts'

/** A sold period of a pass, as its row has it. */
export interface Period {
  id: string
  passId: string
  parkCode: string
  kind: 1 | 2 | 3 | 4
  orderId: string | null
  orderNo: string | null
  startAt: Instant
  /** Its first day as it was sold: days that rest move `startAt` and leave this. */
  soldFrom: Instant
  endAt: Instant
  priceFen: number
  days: number
  earnedDays: number
  earnedFen: number
  refundFen: number
  state: 0 | 1 | 2 | 3
  refundId: string | null
}
/** Codes of `kind` and `state`. */
export const Kind = { opened: 1, renewed: 2, free: 3, broughtIn: 4 } as const
export const State = { waits: 0, counts: 1, refunded: 2, cancelled: 3 } as const

interface Sold {
  kind: 1 | 2 | 3 | 4
  from: Instant
  to: Instant
  order?: OrderRow | undefined
  reason?: string | undefined
  byName: string
  /** Counts from now on; else when its order is paid. */
  counts: boolean
  at: Instant
}
export async function addPeriod(
  tx: Tx,
  pass: Pick<PassRow, 'id' | 'memberId' | 'groupId' | 'carFeesId' | 'parkCode'>,
  { kind, from, to, order, reason, byName, counts, at }: Sold,
) {
  await run(tx, { sql: ADD }, [
    pass.id,
    pass.memberId,
    pass.groupId,
    pass.carFeesId,
    pass.parkCode,
    kind,
    order?.id ?? null,
    order?.orderNo ?? null,
    from,
    to,
    order?.receivableFen ?? 0,
    Math.max(1, daysBetween(from, to)),
    counts ? State.counts : State.waits,
    reason ?? null,
    byName,
    at,
  ])
  if (order) await describe(tx, pass.id, order.id, { kind, from, to })
}
/** Describes, for the report of advance payments, whose pass it is, for which cars, and until when. */
async function describe(tx: Tx, passId: string, orderId: string, { kind, from, to }: Pick<Sold, 'kind' | 'from' | 'to'>): Promise<void> {
  const [who] = await run<{ memberName: string; groupName: string | null; plates: string | null }>(tx, { sql: WHO }, [passId])
  await describeRecharge(tx, orderId, { ...who, bizType: SOLD_AS[kind], periodFrom: from, periodTo: to })
}
/** Free days have no order: no report tells of them. */
const SOLD_AS = {
  [Kind.opened]: RechargeKind.newPass,
  [Kind.renewed]: RechargeKind.renewal,
  [Kind.free]: RechargeKind.renewal,
  [Kind.broughtIn]: RechargeKind.broughtIn,
}
const WHO = `select left(c.name, 64) as member_name, left(g.name, 64) as group_name,
    (select left(string_agg(distinct x.plate_no, ',' order by x.plate_no), 200) from member.pass_car x where x.enterprise_id = p.enterprise_id and x.pass_id = p.id) as plates
  from member.pass p join member.customer c on c.enterprise_id = p.enterprise_id and c.id = p.member_id left join member.card_group g on g.enterprise_id = p.enterprise_id and g.id = p.group_id
  where p.enterprise_id = scope_enterprise() and p.id = $1`
/** The cars of a pass now, kept with what is sold: a plate that changes later is not on an earlier receipt. */
const PLATES_NOW = `(select coalesce(array_agg(distinct x.plate_no order by x.plate_no), '{}') from member.pass_car x where x.enterprise_id = scope_enterprise() and x.pass_id = $1
    and x.end_at = (select max(l.end_at) from member.pass_car l where l.enterprise_id = x.enterprise_id and l.pass_id = x.pass_id))`
const ADD = `insert into member.period (pass_id, member_id, group_id, car_fees_id, park_code, kind, order_id, order_no, start_at, sold_from, end_at, price_fen, days, state, reason, operator_name, at, paid_at, plates)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13::smallint, $14, $15, $16, case when $13::smallint = ${State.counts} then $16::timestamptz end, ${PLATES_NOW})`

export const periodsOf = (tx: Tx, passId: string): Promise<Period[]> =>
  run<Period>(tx, { sql: 'select * from member.period where enterprise_id = scope_enterprise() and pass_id = $1 order by start_at, id' }, [passId])
export const periodOfOrder = async (tx: Tx, orderId: string): Promise<Period | undefined> =>
  (await run<Period>(tx, { sql: 'select * from member.period where enterprise_id = scope_enterprise() and order_id = $1' }, [orderId]))[0]
const NothingWaits = refusal(
  'member.mine-nothing-waits',
  41472,
  '该月卡没有待支付的订单，请刷新列表',
  'This pass has no unpaid order: refresh the list',
)
/** The order of a pass that waits for its money. @throws NothingWaits */
export async function waitingOrder(tx: Tx, passId: string): Promise<string> {
  const waits = (await periodsOf(tx, passId)).find(({ state, orderId }) => state === State.waits && orderId !== null)
  if (!waits) throw NothingWaits()
  return waits.orderId!
}
/** @returns whether it was in the state that it moves from; told twice, it happens once. */
export const movePeriod = async (tx: Tx, id: string, from: Period['state'], to: Period['state'], at: Instant): Promise<boolean> =>
  (
    await run(
      tx,
      {
        sql: `update member.period set state = $3::smallint, paid_at = case when $3::smallint = ${State.counts} then $4 else paid_at end where enterprise_id = scope_enterprise() and id = $1 and state = $2 returning id`,
      },
      [id, from, to, at],
    )
  ).length > 0
