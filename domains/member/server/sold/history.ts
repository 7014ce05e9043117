import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { OrderStatus } from '../../../settlement/contract/order.ts'
import { RefundState } from '../../../settlement/contract/refund.ts'
import { HistoryKind, type HistoryLine } from '../../contract/customer.ts'
import { Kind, State } from './period.ts'

const EVENTS_MOST = 200
const PLATES = `array(select distinct x.plate_no from member.pass_car x where x.enterprise_id = p.enterprise_id and x.pass_id = p.id order by x.plate_no)`
/** Sales that count; an order that still waits for its money is shown on its pass. */
const SOLD = `select coalesce(r.paid_at, r.at) as at, r.kind, p.pass_no, g.name as group_name, r.plates, null::text as new_plate_no, r.start_at as from_at, r.end_at as to_at,
    r.order_no, case when r.kind in (${Kind.opened}, ${Kind.renewed}) then coalesce(o.paid_fen, r.price_fen) end as amount_fen, o.pay_method, r.park_code, r.reason, coalesce(o.operator_name, r.operator_name) as by_name
  from member.period r join member.pass p on p.enterprise_id = r.enterprise_id and p.id = r.pass_id left join member.card_group g on g.enterprise_id = r.enterprise_id and g.id = r.group_id
    left join settlement.order o on o.enterprise_id = r.enterprise_id and o.id = r.order_id and o.status <> ${OrderStatus.cancelled}
  where r.enterprise_id = scope_enterprise() and r.member_id = $1 and r.state in (${State.counts}, ${State.refunded})`
const REFUNDED = `select x.finished_at, ${HistoryKind.refunded}::smallint, p.pass_no, g.name, r.plates, null, r.start_at, r.end_at, x.refund_no, x.amount_fen, o.pay_method, r.park_code, x.reason, coalesce(x.second_approver_name, x.first_approver_name)
  from member.period r join member.pass p on p.enterprise_id = r.enterprise_id and p.id = r.pass_id join settlement.refund x on x.enterprise_id = r.enterprise_id and x.order_id = r.order_id and x.state = ${RefundState.done}
    join settlement.order o on o.enterprise_id = r.enterprise_id and o.id = r.order_id left join member.card_group g on g.enterprise_id = r.enterprise_id and g.id = r.group_id
  where r.enterprise_id = scope_enterprise() and r.member_id = $1`
const OF_FREEZE = `from member.pass p join member.freeze f on f.enterprise_id = p.enterprise_id and f.pass_id = p.id left join member.card_group g on g.enterprise_id = p.enterprise_id and g.id = p.group_id
  where p.enterprise_id = scope_enterprise() and p.member_id = $1`
const FROZEN = `select f.from_at, ${HistoryKind.frozen}::smallint, p.pass_no, g.name, ${PLATES}, null, null::timestamptz, f.until_at, null, null::bigint, null::smallint, f.park_code, f.reason, f.by_name ${OF_FREEZE}`
const RESTARTED = `select f.ended_at, ${HistoryKind.restarted}::smallint, p.pass_no, g.name, ${PLATES}, null, null::timestamptz, null::timestamptz, null, null::bigint, null::smallint, f.park_code, null, null ${OF_FREEZE} and f.ended_at is not null`
const NO_PAYMENT = `null::timestamptz, null::timestamptz, null, null::bigint, null::smallint, null, c.remark, null from member.car c where c.enterprise_id = scope_enterprise() and c.member_id = $1`
/** A car that took another's place is told by the other's change of plate. */
const ADDED = `select c.created_at, ${HistoryKind.carAdded}::smallint, null, null, array[c.plate_no], null, ${NO_PAYMENT}
  and not exists (select from member.car b where b.enterprise_id = c.enterprise_id and b.member_id = c.member_id and b.replaced_by = c.id)`
const CHANGED = `select c.closed_at, ${HistoryKind.plateChanged}::smallint, null, null, array[c.plate_no], (select n.plate_no from member.car n where n.enterprise_id = c.enterprise_id and n.id = c.replaced_by), ${NO_PAYMENT}
  and c.closed_at is not null and c.replaced_by is not null`
const REMOVED = `select c.closed_at, ${HistoryKind.carRemoved}::smallint, null, null, array[c.plate_no], null, ${NO_PAYMENT} and c.closed_at is not null and c.replaced_by is null`
const HISTORY = `select * from (${SOLD} union all ${REFUNDED} union all ${FROZEN} union all ${RESTARTED} union all ${ADDED} union all ${CHANGED} union all ${REMOVED}) h
  order by at desc limit ${EVENTS_MOST}`

/** All that happened to a customer's passes and cars, of the parks that the reader sees. */
export const historyOf = (tx: Tx, id: string): Promise<Of<typeof HistoryLine>[]> => run<Of<typeof HistoryLine>>(tx, { sql: HISTORY }, [id])
