import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { VerifyState } from '../../../owner/contract/car.ts'
import { GroupStatus } from '../../contract/group.ts'
import type { MyPass } from '../../contract/mine.ts'
import { PassStatus } from '../../contract/pass.ts'
import { State } from '../sold/period.ts'

type Mine = Of<typeof MyPass>
const NotRenewed = refusal(
  'member.mine-not-renewed',
  41476,
  '该月卡不能自助办理，请联系持有单位或车场',
  'This pass cannot be handled online: contact its holder or the car park',
  422,
)

/**
 * The passes of a driver: those of their telephone, and those that cover a plate that is verified as theirs and did so since. They do with it what costs money where it is their own, or
 * no car but theirs is on it; a company's pass is its company's.
 */
const MINE = `select p.id, p.version, p.pass_no, g.name as group_name, f.name as car_fees_name, p.seat_code, p.seats, p.time_window, p.start_at, p.end_at, p.refunding, p.rejected_for, p.price_fen, p.period_unit, p.period_count,
    case when p.state in (${PassStatus.underReview}, ${PassStatus.frozen}, ${PassStatus.toPay}, ${PassStatus.deleted}) then p.state when p.start_at > now() then ${PassStatus.notYet} when p.end_at <= now() then ${PassStatus.expired} else ${PassStatus.valid} end as status,
    greatest(0, ceil(extract(epoch from p.end_at - greatest(p.start_at, now())) / 86400))::int as days_left,
    coalesce((select array_agg(k.name order by k.name) from parking.park k where k.enterprise_id = p.enterprise_id and k.park_code = any (p.park_codes)), '{}') as park_names,
    case when o.own then c.plates else c.mine end as plates, case when o.own then 0 else cardinality(c.plates) - cardinality(c.mine) end as other_cars, o.own,
    coalesce(a.may and g.online and g.status = ${GroupStatus.inUse} and not p.refunding and p.state = ${PassStatus.valid} and w.order_no is null, false) as renewable, case when a.may then w.order_no end as waiting, case when a.may then w.price_fen end as waiting_fen
  from member.pass p left join member.card_group g on g.enterprise_id = p.enterprise_id and g.id = p.group_id left join member.car_fees f on f.enterprise_id = p.enterprise_id and f.id = p.car_fees_id
    cross join lateral (select p.member_id is not distinct from member.customer_of_driver() as own) o
    cross join lateral (select coalesce(array_agg(distinct x.plate_no), '{}') as plates, coalesce(array_agg(distinct x.plate_no) filter (where r.id is not null), '{}') as mine
      from member.pass_car x left join owner.car r on r.enterprise_id = x.enterprise_id and r.owner_id = $1 and r.verify_state = ${VerifyState.verified} and r.plate_no = x.plate_no
        and (x.plate_color is null or x.plate_color = r.plate_color) and x.end_at > r.bind_at
      where x.enterprise_id = p.enterprise_id and x.pass_id = p.id and x.end_at = (select max(l.end_at) from member.pass_car l where l.enterprise_id = p.enterprise_id and l.pass_id = p.id)) c
    cross join lateral (select o.own or c.plates = c.mine as may) a
    left join lateral (select r.order_no, r.price_fen from member.period r where r.enterprise_id = p.enterprise_id and r.pass_id = p.id and r.state = ${State.waits} and r.order_no is not null order by r.at desc limit 1) w on true
  where p.enterprise_id = scope_enterprise() and (p.state not in (${PassStatus.returned}, ${PassStatus.deleted}) or (o.own and p.rejected_for is not null and p.updated_at > now() - interval '30 days')) and p.end_at > now() - interval '1 year' and (o.own or cardinality(c.mine) > 0) and ($2::uuid is null or p.id = $2)
  order by p.end_at <= now(), p.end_at, p.id limit 50`
/** Of orders of passes, those of passes that are the driver's own or cover no car but theirs: the answer to `owner.passOrders`. */
export const ordersOf = async (tx: Tx, { ownerId, orderIds }: { ownerId: string; orderIds: readonly string[] }): Promise<string[]> =>
  (await run<{ orderId: string }>(tx, { sql: ORDERS }, [ownerId, orderIds])).map(({ orderId }) => orderId)
const ORDERS = `select distinct r.order_id from member.period r join member.pass p on p.enterprise_id = r.enterprise_id and p.id = r.pass_id
  where r.enterprise_id = scope_enterprise() and r.order_id = any($2) and (p.member_id is not distinct from member.customer_of_driver() or not exists (
    select from member.pass_car x left join owner.car c on c.enterprise_id = x.enterprise_id and c.owner_id = $1 and c.verify_state = ${VerifyState.verified} and c.plate_no = x.plate_no
        and (x.plate_color is null or x.plate_color = c.plate_color)
      where x.enterprise_id = p.enterprise_id and x.pass_id = p.id and c.id is null))`

export const myPasses = (tx: Tx, ownerId: string, id: string | null): Promise<Mine[]> => run<Mine>(tx, { sql: MINE }, [ownerId, id])

/** @throws NotFound for a pass that is not theirs to see */
export async function myPass(tx: Tx, ownerId: string, id: string): Promise<Mine> {
  const [found] = await myPasses(tx, ownerId, id)
  if (!found) throw NotFound()
  return found
}
/** A pass that the driver may spend money on. @throws NotFound, NotRenewed */
export async function renewablePass(tx: Tx, ownerId: string, id: string): Promise<Mine> {
  const found = await myPass(tx, ownerId, id)
  if (!found.renewable && found.waiting === null) throw NotRenewed()
  return found
}
