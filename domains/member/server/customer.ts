import type { Of } from '../../../platform/contract/field.ts'
import { PAGE_ROWS } from '../../../platform/contract/call.ts'
import { plainPhone } from '../../../platform/contract/sought.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { NoPermission, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { phoneTyped } from '../../../platform/server/text/phone.ts'
import { addRow, lockRow, onlyFields, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { startOf, dayOf } from '../../../platform/contract/time.ts'
import { ordinaryPlate } from '../../parking/server/api.ts'
import { business, Customer, customer, CustomerLine, customerSearch, MemberCar } from '../contract/customer.ts'
import { GroupStatus, MemberGroup } from '../contract/group.ts'
import { type Pass, PassStatus } from '../contract/pass.ts'
import { PlanStatus } from '../contract/plan.ts'
import { ListStatus } from '../contract/whiteBlack.ts'
import { historyOf } from './sold/history.ts'
import { placesLeft } from './sold/places.ts'
import { keepCars, passShown } from './sold/pass.ts'
import { blackWarning } from './sold/passCalls.ts'
import { Kind, State } from './sold/period.ts'
import { plansOf } from './plan.ts'
import { payAt, refuseMethod, sell, takeCash } from './sold/sale.ts'
import { MovementKind } from '../contract/amount.ts'
import './tables.ts'

type Line = Of<typeof CustomerLine>
export const customers = listOver(Customer, 'member.customer', customerSearch, { kept: true })
const lineShown = onlyFields(CustomerLine)
const carShown = onlyFields(MemberCar)
const groupShown = onlyFields(MemberGroup)
export const PhoneKnown = refusal(
  'member.phone-known',
  41451,
  '该手机号已有客户「{name}」，请在该客户下办理',
  'Customer {name} already has this number: use that customer',
)

export const calls = serve(customer, {
  queryPage: ({ tx, input }) => pageOfCustomers(tx, input),
  async queryStatistics({ tx, input, at }) {
    const [figures] = await run<Of<typeof customer.queryStatistics.reply>>(tx, { sql: FIGURES }, [at, input.parkCode ?? null])
    return figures!
  },
  async getMemberGroup({ tx, input }) {
    const sql = `select * from member.card_group where enterprise_id = scope_enterprise() and status = ${GroupStatus.inUse} and ($1::text is null or $1 = any (park_codes)) order by name`
    const found = (await run(tx, { sql }, [input.parkCode ?? null])).map((row) => groupShown(row as object))
    return Promise.all(
      found.map(async ({ id, name, type, parkCodes, homePark, maxCars, review, defaultId, carFeesIds, maxMembers }) => {
        const plans = (await plansOf(tx, carFeesIds)).filter(({ status }) => status === PlanStatus.onSale)
        return { id, name, type, parkCodes, homePark, maxCars, review, defaultId, plans, placesLeft: await placesLeft(tx, { id, maxMembers }) }
      }),
    )
  },
  detail: ({ tx, input }) => detailOf(tx, input.id),
  history: ({ tx, input }) => historyOf(tx, input.id),
  insert: phased(async (context) => {
    const { input, actor, at, write, request } = context
    const { cars = [], pass, ...typed } = input
    const fields = plain(typed)
    if (pass) refuseMethod(pass.payMethod)
    if (pass && !actor.may.has('member:pass:edit')) throw NoPermission()
    const made = await write(async (tx) => {
      await refusePhone(tx, fields.phone ?? null, null)
      const { id } = await addRow(tx, customers, fields)
      const plates = cars.map((car) => ({ ...car, plateNo: ordinaryPlate(car.plateNo) }))
      await keepCars(tx, id, plates)
      if (!pass) return { id, sold: undefined, warning: null }
      const sold = await sell(tx, { memberId: id, ...(pass as never as Omit<Parameters<typeof sell>[1], 'memberId'>) }, actor, at)
      await takeCash(tx, sold.order, pass.payMethod, actor, at)
      return {
        id,
        sold,
        warning: await blackWarning(
          tx,
          pass.plates.map(({ plateNo }) => plateNo),
          request.language,
        ),
      }
    })
    if (!made.sold) return { id: made.id, order: null }
    return {
      id: made.id,
      order: await payAt(context, { passId: made.sold.pass.id, order: made.sold.order, payMethod: pass!.payMethod, warning: made.warning }),
    }
  }),
  async update({ tx, input: { id, version, ...typed }, at }) {
    const changes = plain(typed)
    const found = await lockRow(tx, customers, { id, version })
    if (changes.phone) await refusePhone(tx, changes.phone, id)
    return setRow(tx, customers, found, changes, at)
  },
})
export const businessCalls = serve(business, {
  async todayAndTotal({ tx, input, at }) {
    const [today] = await run<Of<typeof business.todayAndTotal.reply>>(tx, { sql: TODAY }, [startOf(dayOf(at)), at, input.parkCode ?? null])
    return today!
  },
})

/** Owners are found by the number, so it is kept in one form however it was written. */
const plain = <T extends { phone?: string | null }>(typed: T): T => (typed.phone ? { ...typed, phone: phoneTyped(typed.phone) } : typed)
/** Of one number, one after the other. */
export const holdPhone = (tx: Tx, phone: string) =>
  run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [`customer ${phone}`])
/** One customer a number: owners are found by it. */
export async function refusePhone(tx: Tx, phone: string | null, except: string | null): Promise<void> {
  if (phone === null) return
  await holdPhone(tx, phone)
  const [other] = await run<{ id: string; name: string }>(
    tx,
    { sql: 'select id, name from member.customer where enterprise_id = scope_enterprise() and phone = $1 and id is distinct from $2::uuid' },
    [phone, except],
  )
  if (other) throw PhoneKnown({ name: other.name, id: other.id })
}

const GOOD = `p.state in (${PassStatus.valid}, ${PassStatus.frozen}) and p.end_at > now()`
/** A customer with what is theirs, of the parks that the reader sees. */
const LINE = `select c.*, coalesce(h.groups, '{}') as groups, coalesce(k.plates, '{}') as plates, coalesce(h.passes, 0) as passes, coalesce(h.refunding, false) as refunding, h.end_at,
    case when h.end_at is not null then greatest(0, ceil(extract(epoch from h.end_at - greatest(h.start_at, now())) / 86400))::int end as days_left
  from member.customer c
    left join lateral (select array_agg(distinct g.name) filter (where g.name is not null) as groups, count(*)::int as passes, bool_or(p.refunding) as refunding,
        coalesce(min(p.end_at) filter (where ${GOOD}), max(p.end_at)) as end_at, (array_agg(p.start_at order by p.end_at) filter (where ${GOOD}))[1] as start_at
      from member.pass p left join member.card_group g on g.enterprise_id = p.enterprise_id and g.id = p.group_id
      where p.enterprise_id = c.enterprise_id and p.member_id = c.id and p.state not in (${PassStatus.returned}, ${PassStatus.deleted})) h on true
    left join lateral (select array_agg(x.plate_no order by x.plate_no) as plates from member.car x where x.enterprise_id = c.enterprise_id and x.member_id = c.id and x.closed_at is null) k on true`
const STATUS = `case when p.state in (${PassStatus.underReview}, ${PassStatus.frozen}, ${PassStatus.returned}, ${PassStatus.deleted}, ${PassStatus.toPay}) then p.state when p.start_at > now() then ${PassStatus.notYet} when p.end_at <= now() then ${PassStatus.expired} else ${PassStatus.valid} end`
/** Conditions on cars and passes are evaluated once for all customers, and not for each. */
const WHERE = `c.enterprise_id = scope_enterprise() and ($1::text is null or c.name ^@ $1) and ($2::text is null or c.phone = $2) and ($3::smallint[] is null or c.kind = any ($3)) and ($4::smallint[] is null or c.status = any ($4))
  and ($5::text is null or c.id in (select x.member_id from platform.plate_ending e join member.car x on x.enterprise_id = e.enterprise_id and x.plate_no = e.plate_no
    where e.enterprise_id = scope_enterprise() and e.ending ^@ $5 and x.closed_at is null))
  and (($6::uuid is null and $7::text is null and $8::smallint is null and $9::timestamptz is null and $10::timestamptz is null) or c.id in (
    select p.member_id from member.pass p where p.enterprise_id = scope_enterprise() and p.state <> ${PassStatus.deleted} and ($6::uuid is null or p.group_id = $6) and ($7::text is null or $7 = any (p.park_codes))
      and ($8::smallint is null or ${STATUS} = $8) and ($9::timestamptz is null or p.end_at >= $9) and ($10::timestamptz is null or p.end_at <= $10)))
  and ($11::smallint is null or c.id in (select x.member_id from member.listed l join member.car x on x.enterprise_id = l.enterprise_id and x.plate_no = l.plate_no
    where l.enterprise_id = scope_enterprise() and l.status = ${ListStatus.inForce} and l.list_type = $11 and x.closed_at is null))`

/**
 * A person who sees some parks sees their customers: those with a pass or a car there, and those whom somebody of these parks added. Any other customer is found by the whole
 * number.
 */
const OURS = `((select scope_all_parks()) or c.added_in && (select scope_parks())::text[]
  or exists (select from member.pass p where p.enterprise_id = c.enterprise_id and p.member_id = c.id and p.state <> ${PassStatus.deleted})
  or exists (select from member.car x where x.enterprise_id = c.enterprise_id and x.member_id = c.id and x.closed_at is null))`
const SOUGHT = `${WHERE} and ($2::text is not null or ${OURS})`

type Criteria = Of<typeof customer.queryPage.input>
const valuesOf = ({ name, phone, kind, status, plateNo, groupId, parkCode, passStatus, endAtFrom, endAtTo, listType }: Criteria) => [
  name ?? null,
  phone === undefined ? null : plainPhone(phone),
  kind ?? null,
  status ?? null,
  plateNo === undefined ? null : plateNo.toUpperCase().replaceAll(/[\s·.-]/g, ''),
  groupId ?? null,
  parkCode ?? null,
  passStatus ?? null,
  endAtFrom ?? null,
  endAtTo ?? null,
  listType ?? null,
]
export async function pageOfCustomers(tx: Tx, input: Criteria): Promise<Of<typeof customer.queryPage.reply>> {
  const { current = 1, limit = PAGE_ROWS, isAsc = false, queryMode = 'page' } = input
  const values = valuesOf(input)
  const [counted] = await run<{ n: number }>(tx, { sql: `select count(*)::int as n from member.customer c where ${SOUGHT}` }, values)
  if (queryMode === 'total' || queryMode === 'sum') return { records: [], total: counted!.n, totalExact: true }
  const way = String(isAsc) === 'true' ? 'asc' : 'desc'
  const order = `order by c.created_at ${way}, c.id ${way}`
  const sql = `${LINE} where c.enterprise_id = scope_enterprise() and c.id = any (array(select c.id from member.customer c where ${SOUGHT} ${order} limit $12 offset $13)) ${order}`
  const rows = await run<Line>(tx, { sql }, [...values, limit, (current - 1) * limit])
  return { records: rows.map((row) => lineShown(row)), total: counted!.n, totalExact: true }
}

/** The reason of a rejected application stays visible for so long. */
const REJECTED = "rejected_for is not null and updated_at > now() - interval '90 days'"
async function detailOf(tx: Tx, id: string): Promise<Of<typeof customer.detail.reply>> {
  const [line] = await run<Line>(tx, { sql: `${LINE} where c.enterprise_id = scope_enterprise() and c.id = $1` }, [id])
  if (!line) throw NotFound()
  const [cars, held] = await Promise.all([
    carsOfCustomer(tx, id),
    run<Of<typeof Pass>>(
      tx,
      {
        sql: `select * from member.held where enterprise_id = scope_enterprise() and member_id = $1 and (state <> ${PassStatus.deleted} or ${REJECTED}) order by end_at desc`,
      },
      [id],
    ),
  ])
  return { ...lineShown(line), cars, held: held.map((row) => passShown(row)) }
}
/** Cars that are theirs now, then those that were. */
export const carsOfCustomer = async (tx: Tx, memberId: string): Promise<Of<typeof MemberCar>[]> =>
  (await run(tx, { sql: `${CARS} and x.member_id = $1 order by x.closed_at nulls first, x.created_at` }, [memberId])).map((row) =>
    carShown(row as object),
  )
/** A car is on the passes that cover it from now on, and on those that rest with it. */
export const CARS = `select x.*, array(select p.id from member.pass p where p.enterprise_id = x.enterprise_id and p.member_id = x.member_id and x.closed_at is null and p.state not in (${PassStatus.returned}, ${PassStatus.deleted})
      and (exists (select from member.pass_car y where y.enterprise_id = p.enterprise_id and y.pass_id = p.id and y.plate_no = x.plate_no and y.end_at > now())
        or exists (select from member.freeze f where f.enterprise_id = p.enterprise_id and f.pass_id = p.id and f.ended_at is null and f.cars @> jsonb_build_array(jsonb_build_object('plateNo', x.plate_no)))) order by p.id) as pass_ids
  from member.car x where x.enterprise_id = scope_enterprise()`

const OF_PARK = '($3::text is null or $3 = any (p.park_codes))'
const LIMITED = 'not (select scope_all_parks()) as limited'
const FIGURES = `select ${LIMITED}, (select count(*) from member.customer c where c.enterprise_id = scope_enterprise() and ${OURS}
      and ($2::text is null or exists (select from member.pass p where p.enterprise_id = c.enterprise_id and p.member_id = c.id and $2 = any (p.park_codes))))::int as customers,
    (count(*) filter (where p.state = ${PassStatus.valid} and p.start_at <= $1 and p.end_at > $1))::int as valid, (count(*) filter (where p.state = ${PassStatus.valid} and p.end_at > $1 and p.end_at <= $1::timestamptz + interval '7 days'))::int as ending,
    (count(*) filter (where p.state = ${PassStatus.valid} and p.end_at <= $1))::int as expired, (count(*) filter (where p.state = ${PassStatus.frozen}))::int as frozen, (count(*) filter (where p.state = ${PassStatus.underReview}))::int as under_review,
    (count(*) filter (where p.state = ${PassStatus.toPay}))::int as to_pay
  from member.pass p where p.enterprise_id = scope_enterprise() and ($2::text is null or $2 = any (p.park_codes))`
const MOVED = 'from member.movement m where m.enterprise_id = scope_enterprise() and ($3::text is null or m.park_code = $3)'
/** A sheet of passes books what was taken before it: that is deferred money of today, and no money of today. */
const NOT_IMPORTED = `not exists (select from settlement.payment y join member.period r on r.enterprise_id = y.enterprise_id and r.order_id = y.order_id
    where y.enterprise_id = m.enterprise_id and y.pay_no = m.biz_no and r.kind = ${Kind.broughtIn})`
const SOLD_TODAY = `from member.period r join member.pass p on p.enterprise_id = r.enterprise_id and p.id = r.pass_id where r.enterprise_id = scope_enterprise() and r.state in (${State.counts}, ${State.refunded}) and r.paid_at >= $1`
const TODAY = `select ${LIMITED}, (select count(*) ${SOLD_TODAY} and r.kind = ${Kind.opened} and ${OF_PARK})::int as sold, (select count(*) ${SOLD_TODAY} and r.kind = ${Kind.renewed} and ${OF_PARK})::int as renewed,
    (select count(*) from member.pass p where p.enterprise_id = scope_enterprise() and p.state = ${PassStatus.returned} and p.updated_at >= $1 and ${OF_PARK})::int as refunded,
    (select count(*) from member.pass p where p.enterprise_id = scope_enterprise() and p.state = ${PassStatus.valid} and p.end_at > $1 and p.end_at <= $2 and ${OF_PARK})::int as expired,
    (select coalesce(sum(case kind when ${MovementKind.recharged} then credit_fen when ${MovementKind.refunded} then -debit_fen else 0 end), 0) ${MOVED} and m.at >= $1 and ${NOT_IMPORTED})::bigint as net_fen,
    (select count(*) from member.customer c where c.enterprise_id = scope_enterprise() and ${OURS})::int as customers,
    (select count(*) from member.pass p where p.enterprise_id = scope_enterprise() and p.state in (${PassStatus.valid}, ${PassStatus.frozen}) and p.end_at > $2 and ${OF_PARK})::int as passes,
    (select count(*) from member.car x where x.enterprise_id = scope_enterprise() and x.closed_at is null)::int as cars,
    (select coalesce(sum(case kind when ${MovementKind.recharged} then credit_fen when ${MovementKind.refunded} then -debit_fen else 0 end), 0) ${MOVED})::bigint as total_net_fen,
    (select coalesce(sum(credit_fen - debit_fen), 0) ${MOVED})::bigint as deferred_fen`
