import type { Instant, Of } from '../../../platform/contract/field.ts'
import { PAGE_ROWS } from '../../../platform/contract/call.ts'
import { impliedColor, isPlate, normalizePlate } from '../../../platform/contract/plate.ts'
import { bothOf } from '../../../platform/contract/said.ts'
import { plainPhone } from '../../../platform/contract/sought.ts'
import { dayOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { phoneTyped } from '../../../platform/server/text/phone.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { faultsOf, importing, type RowContext } from '../../../platform/server/sheets/importing.ts'
import { ordinaryPlate } from '../../parking/server/api.ts'
import { begin as beginPayment, noticePayment } from '../../settlement/server/api.ts'
import { CHANNELS, PayMethod } from '../../settlement/contract/payment.ts'
import { type customer, CustomerStatus } from '../contract/customer.ts'
import { GroupStatus } from '../contract/group.ts'
import { PlanStatus } from '../contract/plan.ts'
import { AmountKind } from '../contract/amount.ts'
import { type BlackRow, type MemberRow, memberSheet, type RechargeRow, type WhiteRow } from '../contract/memberSheet.ts'
import { PassStatus, PassWindow } from '../contract/pass.ts'
import { BlackReason, ListType, WhiteReason } from '../contract/whiteBlack.ts'
import { amounts } from './amount.ts'
import { dayOfMonth, daysOn, midnight, monthsOn } from './sold/calendar.ts'
import { pageOfCustomers } from './customer.ts'
import { type Group } from './group.ts'
import { type CarOf, coverCars, keepCars, lockPass, refuseBay } from './sold/pass.ts'
import { refuseFull } from './sold/places.ts'
import { addPeriod, Kind, State } from './sold/period.ts'
import { type Plan, plansOf } from './plan.ts'
import { NotSold, openPassOrder, parksOf, refuseCars, refuseFarStart, Stopped } from './sold/sale.ts'
import { addAllToList, entries, lockPlates, type NewEntry, refuseOver, refuseSilence, withPhone } from './whiteBlack.ts'
import { Said } from '../contract/said.ts'
import { Decided } from './decided.ts'

const NoGroup = refusal('member.sheet-group', 41461, '没有月卡类型「{name}」', 'There is no pass type “{name}”', 422)
const NoPlan = refusal('member.sheet-plan', 41462, '月卡类型「{group}」没有套餐「{name}」', '“{group}” has no plan “{name}”', 422)
const NoPark = refusal(
  'member.sheet-park',
  41463,
  '没有车场「{name}」，或不在月卡类型的车场中',
  'There is no car park “{name}”, or the pass type does not cover it',
  422,
)
const NoReason = refusal('member.sheet-reason', 41464, '原因「{name}」不在可选项中：{zh}', '“{name}” is not a reason; choose one of: {en}', 422)
const NoPlate = refusal('member.sheet-plate', 41465, '请填写车牌', 'Enter a plate', 422)
const Clash = refusal(
  'member.sheet-clash',
  41469,
  '{plateNo} 与表中「{name}」的一行有效期重叠',
  '{plateNo} overlaps with the row of “{name}” in this sheet',
  422,
)
const Ended = refusal('member.sheet-dates', 41466, '结束应晚于开始', 'The end must be after the start', 422)
const FarEnd = refusal(
  'member.sheet-far',
  41498,
  '结束日期超过 {years} 年，请核对年份',
  'The end is more than {years:year} away: check the year',
  422,
)
const OtherName = refusal(
  'member.sheet-other-name',
  41499,
  '该手机号已是客户「{known}」，与本行姓名不同：请核对手机号，或先修改客户姓名',
  'This phone is already that of customer {known}, which is not the name here: check the number, or change the customer first',
)
const UsedUp = refusal('member.sheet-used-up', 41470, '已过期的月卡没有未消耗的实收', 'An expired pass has no unused payment: leave Paid empty', 422)

type Row = Of<typeof MemberRow>
interface Known {
  groups: ReadonlyMap<string, Group>
  plans: ReadonlyMap<string, Plan>
  parks: ReadonlyMap<string, string>
  group: Group | undefined
  parkCode: string | undefined
  /** Rows that are in each other's way: both are named. */
  clashes: ReadonlyMap<Row, { name: string; plateNo: string }>
}
/** A park by its name or its code. */
async function parksByName(tx: Tx): Promise<Map<string, string>> {
  const rows = await run<{ parkCode: string; name: string }>(
    tx,
    { sql: 'select park_code, name from parking.park where enterprise_id = scope_enterprise() and not deleted' },
    [],
  )
  return new Map(
    rows.flatMap(({ parkCode, name }) => [
      [name, parkCode],
      [parkCode, parkCode],
    ]),
  )
}
async function prepare({ tx, rows, input }: { tx: Tx; rows: readonly Row[]; input: { groupId?: string; parkCode?: string } }): Promise<Known> {
  const groups = await run<Group>(tx, { sql: 'select * from member.card_group where enterprise_id = scope_enterprise()' }, [])
  const plans = await plansOf(
    tx,
    groups.flatMap(({ carFeesIds }) => carFeesIds),
  )
  const group = groups.find(({ id }) => id === input.groupId)
  if (input.groupId && !group) throw NotFound()
  return {
    groups: new Map(groups.map((one) => [one.name, one])),
    plans: new Map(plans.map((one) => [one.id, one])),
    parks: await parksByName(tx),
    group,
    parkCode: input.parkCode,
    clashes: clashesIn(rows),
  }
}

/** The same car twice in one time, of one kind of pass. A pass that begins before the longest so far has ended clashes with it, and it with that pass. */
function clashesIn(rows: readonly Row[]): Map<Row, { name: string; plateNo: string }> {
  const clashes = new Map<Row, { name: string; plateNo: string }>()
  for (const [key, passes] of passesByCar(rows)) {
    const plateNo = key.split(' ').at(-1)!
    const inOrder = [...passes.values()].sort((a, b) => (a[0]!.startAt < b[0]!.startAt ? -1 : 1))
    let longest = inOrder[0]
    for (const pass of inOrder.slice(1)) {
      if (pass[0]!.startAt <= longest![0]!.endAt) {
        for (const row of pass) clashes.set(row, { name: longest![0]!.name, plateNo })
        for (const row of longest!) clashes.set(row, { name: pass[0]!.name, plateNo })
      }
      if (pass[0]!.endAt > longest![0]!.endAt) longest = pass
    }
  }
  return clashes
}
/** Of each kind of pass and car the passes, each with the rows that say it: written twice it is one pass. */
function passesByCar(rows: readonly Row[]): Map<string, Map<string, Row[]>> {
  const cars = new Map<string, Map<string, Row[]>>()
  for (const row of rows)
    for (const plateNo of splitPlates(row.plateNo)) {
      const car = `${row.groupName} ${plateNo}`
      const passes = cars.get(car) ?? new Map<string, Row[]>()
      const pass = `${plainPhone(row.phone)} ${row.startAt} ${row.endAt}`
      cars.set(car, passes.set(pass, passes.get(pass) ?? []))
      passes.get(pass)!.push(row)
    }
  return cars
}
/** Several stand in a cell, by commas or by gaps; a gap may as well be within one, 鄂F M000K. */
const splitPlates = (cells: readonly string[]): string[] => cells.flatMap((one) => one.split(/[,，、;；\n]+/)).flatMap(gapped)
function gapped(typed: string): string[] {
  const whole = normalizePlate(typed)
  if (whole === '' || isPlate(whole)) return whole === '' ? [] : [whole]
  const words = typed.split(/\s/).filter(Boolean)
  const byProvince = words.join(' ').split(BEFORE_PROVINCE).map(normalizePlate)
  return byProvince.every(isPlate) ? byProvince : words.map(normalizePlate)
}
const BEFORE_PROVINCE = / (?=\p{Script=Han})/u

/** A row is a pass that runs already: its customer by the number, its cars, its place, and what is not used up yet of its price. */
async function memberRow({ tx, row, known, actor, at }: RowContext<Row, Known>): Promise<'added' | 'same'> {
  const group = known.groups.get(row.groupName) ?? known.group
  if (!group) throw NoGroup({ name: row.groupName })
  const clash = known.clashes.get(row)
  if (clash) throw Clash(clash)
  const plan = planIn(known, group, row.carFeesName)
  // People write the last day; the end is the midnight after it.
  const [startAt, endAt] = [startOf(row.startAt), daysOn(startOf(row.endAt), 1)]
  if (Date.parse(endAt) <= Date.parse(startAt)) throw Ended()
  if (row.paidFen && Date.parse(endAt) <= Date.parse(at)) throw UsedUp()
  const parkCodes = parksOf(group, plan)
  const asked = row.parkName ?? known.parkCode
  const parkCode = asked === undefined ? (parkCodes.includes(group.homePark) ? group.homePark : parkCodes[0]!) : known.parks.get(asked)
  if (parkCode === undefined || !parkCodes.includes(parkCode)) throw NoPark({ name: asked ?? '' })
  refuseFarStart(startAt, at)
  refuseFarEnd(endAt, at)
  const cars = platesIn(row)
  const memberId = await customerBy(tx, row, at)
  if (await isThere(tx, memberId, cars, startAt, endAt)) return 'same'
  await refuseSale(tx, { group, plan, cars: cars.length, seats: row.seats ?? 1, runs: Date.parse(endAt) > Date.parse(at) })
  await keepCars(tx, memberId, cars)
  await refuseBay(tx, { parkCode, seatCode: row.seatCode ?? null }, startAt, endAt)
  const pass = await tx
    .insertInto('member.pass')
    .values({
      memberId: memberId,
      groupId: group.id,
      carFeesId: plan?.id ?? null,
      parkCode,
      parkCodes,
      seatCode: row.seatCode ?? null,
      seats: row.seats ?? 1,
      timeWindow: plan?.timeWindow ?? PassWindow.always,
      startAt,
      endAt,
      anchorDay: dayOfMonth(startAt),
      state: PassStatus.valid,
      remark: row.remark ?? null,
      ...(plan && termsOf(plan)),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await coverCars(tx, { passId: pass.id, parkCodes, timeWindow: plan?.timeWindow ?? PassWindow.always, from: startAt, to: endAt }, cars)
  if (row.paidFen) await bookUnused(tx, pass.id, { paidFen: row.paidFen, from: later(startAt, midnight(at)), to: endAt, byName: actor.userName, at })
  return 'added'
}
/** Whose last day is later has mistaken the year. */
const LASTS_YEARS_MAX = 10
function refuseFarEnd(endAt: Instant, at: Instant): void {
  if (Date.parse(endAt) > Date.parse(monthsOn(at, LASTS_YEARS_MAX * 12, dayOfMonth(at)))) throw FarEnd({ years: LASTS_YEARS_MAX })
}
/** As at a counter: of a kind and a plan that are sold, with no more cars than it takes, and while there are places. One that is over takes none. */
async function refuseSale(
  tx: Tx,
  { group, plan, cars, seats, runs }: { group: Group; plan: Plan | undefined; cars: number; seats: number; runs: boolean },
): Promise<void> {
  refuseCars(cars, seats, group)
  if (!runs) return
  if (group.status !== GroupStatus.inUse || (plan && plan.status !== PlanStatus.onSale)) throw NotSold()
  await refuseFull(tx, group, plan, seats)
}
const later = (a: Instant, b: Instant): Instant => (Date.parse(a) > Date.parse(b) ? a : b)
const termsOf = ({ priceFen, periodUnit, periodCount, validType, graceDays, renewAheadDays, refundRule }: Plan) => ({
  priceFen,
  periodUnit,
  periodCount,
  validType,
  graceDays,
  renewAheadDays,
  refundRule,
})
function planIn(known: Known, group: Group, name: string | undefined): Plan | undefined {
  const plans = group.carFeesIds.map((id) => known.plans.get(id)!)
  if (name === undefined) return plans.find(({ id }) => id === group.defaultId)
  const found = plans.find((plan) => plan.name === name)
  if (!found) throw NoPlan({ group: group.name, name })
  return found
}
function platesIn({ plateNo, plateColor }: Row): CarOf[] {
  const typed = splitPlates(plateNo)
  if (typed.length === 0) throw NoPlate()
  return [...new Set(typed.map((one) => ordinaryPlate(one)))].map((one) => ({ plateNo: one, plateColor: plateColor ?? impliedColor(one) }))
}
async function customerBy(tx: Tx, { name, phone, kind, certNo, address }: Row, at: Instant): Promise<string> {
  const sql = `insert into member.customer (name, phone, kind, cert_no, address, created_at, updated_at) values ($1, $2, coalesce($3, 1), $4, $5, $6, $6)
    on conflict (enterprise_id, phone) where phone is not null do update set address = coalesce(member.customer.address, excluded.address) returning id, name, status`
  const [customer] = await run<{ id: string; name: string; status: number }>(tx, { sql }, [
    name,
    phoneTyped(phone),
    kind ?? null,
    certNo ?? null,
    address ?? null,
    at,
  ])
  const { id, name: known, status } = customer!
  if (![known, ...Object.values(bothOf(known))].some((one) => bare(one) === bare(name))) throw OtherName({ known })
  if (status === CustomerStatus.stopped) throw Stopped()
  return id
}
const bare = (name: string) => name.normalize('NFKC').replaceAll(/\s/g, '')
/** The same sheet once more changes nothing. */
async function isThere(tx: Tx, memberId: string, cars: readonly CarOf[], startAt: Instant, endAt: Instant): Promise<boolean> {
  const sql = `select 1 from member.pass p join member.pass_car x on x.enterprise_id = p.enterprise_id and x.pass_id = p.id
    where p.enterprise_id = scope_enterprise() and p.member_id = $1 and x.plate_no = any ($2) and p.start_at = $3 and p.end_at = $4 and p.state not in (${PassStatus.returned}, ${PassStatus.deleted}) limit 1`
  return (await run(tx, { sql }, [memberId, cars.map(({ plateNo }) => plateNo), startAt, endAt])).length > 0
}
/** Money that was taken before and is not used up: an order paid otherwise, earned day by day from now. */
async function bookUnused(
  tx: Tx,
  passId: string,
  { paidFen, from, to, byName, at }: { paidFen: number; from: Instant; to: Instant; byName: string; at: Instant },
): Promise<void> {
  const pass = await lockPass(tx, { id: passId })
  const order = await openPassOrder(tx, pass, paidFen, Said.broughtIn({ passNo: pass.passNo }), at)
  await addPeriod(tx, pass, { kind: Kind.broughtIn, from, to, order, byName, counts: true, at })
  const { attempt } = await beginPayment(tx, order.id, PayMethod.other, at)
  await noticePayment(tx, {
    payNo: attempt.payNo,
    channel: CHANNELS[PayMethod.other],
    tradeNo: `IMPORT-${order.orderNo}`,
    amountFen: paidFen,
    paidAt: at,
    at,
  })
}

const codeIn = (entries: Record<number, readonly [string, string, ...unknown[]]>, name: string): number => {
  const found = Object.entries(entries).find(([code, [zh, en]]) => name === code || name === zh || name.toLowerCase() === en.toLowerCase())
  if (!found)
    throw NoReason({
      name,
      zh: Object.values(entries)
        .map(([zh]) => zh)
        .join('、'),
      en: Object.values(entries)
        .map(([, en]) => en)
        .join(', '),
    })
  return Number(found[0])
}
type ListRow = Of<typeof WhiteRow> & Of<typeof BlackRow>
/** The plates of a whole sheet are held before its first row: two sheets at once are one after the other. */
const beforeList = async ({ tx, rows }: { tx: Tx; rows: readonly ListRow[] }): Promise<Map<string, string>> => {
  await lockPlates(
    tx,
    rows.map(({ plateNo }) => normalizePlate(plateNo)),
  )
  return parksByName(tx)
}
async function listRows(
  listType: 1 | 2,
  { tx, rows, known, at }: { tx: Tx; rows: readonly ListRow[]; known: Map<string, string>; at: Instant },
): Promise<('added' | 'same')[]> {
  const wanted = rows.map((row) => entryOf(listType, row, known))
  const values = [
    wanted.map(({ plateNo }) => plateNo),
    wanted.map(({ parkCodes }) => parkCodes?.[0] ?? null),
    wanted.map(({ startAt }) => startAt),
    listType,
  ]
  const there = new Set((await run<{ n: number }>(tx, { sql: SAME }, values)).map(({ n }) => n))
  const lacking = wanted.filter((_, n) => !there.has(n))
  for (const one of lacking) refuseOver(one, at)
  await addAllToList(tx, lacking)
  return wanted.map((_, n) => (there.has(n) ? 'same' : 'added'))
}
const SAME = `select (w.n - 1)::int as n from unnest($1::text[], $2::text[], $3::timestamptz[]) with ordinality w (plate_no, park_code, start_at, n)
  cross join lateral (select from member.list l where l.enterprise_id = scope_enterprise() and l.list_type = $4 and l.plate_no = w.plate_no and l.park_code is not distinct from w.park_code
    and l.start_at = w.start_at and l.released_at is null and l.decided = ${Decided.accepted} limit 1) there`
const reasonIn = (listType: 1 | 2, reason: string) => codeIn(listType === ListType.white ? WhiteReason.entries : BlackReason.entries, reason)
function parkIn(name: string | undefined, known: ReadonlyMap<string, string>): string | undefined {
  const parkCode = name === undefined ? undefined : known.get(name)
  if (name !== undefined && parkCode === undefined) throw NoPark({ name })
  return parkCode
}
const listFaults =
  (listType: 1 | 2) =>
  ({ row, known }: { row: ListRow; known: Map<string, string> }) =>
    faultsOf(
      () => ordinaryPlate(row.plateNo),
      () => refuseSilence({ listType, reasonType: reasonIn(listType, row.reason), remark: row.remark }),
      () => parkIn(row.parkName, known),
    )
function entryOf(listType: 1 | 2, { reason, parkName, endAt, plateNo, ...fields }: ListRow, known: Map<string, string>): NewEntry {
  const parkCode = parkIn(parkName, known)
  const reasonType = reasonIn(listType, reason)
  return {
    listType,
    plateNo: ordinaryPlate(plateNo),
    reasonType,
    ...withPhone(fields),
    endAt: endAt ?? null,
    ...(parkCode && { parkCodes: [parkCode] }),
  }
}

/** Which column a refusal is about. */
const LIST_COLUMNS = {
  'member.sheet-reason': 'reason',
  'member.sheet-park': 'parkName',
  'parking.not-a-plate': 'plateNo',
  'member.new-energy-color': 'plateColor',
  'platform.not-a-phone': 'phone',
  'member.list-over': 'endAt',
  'member.list-remark': 'remark',
} as const
const MEMBER_COLUMNS = {
  'member.sheet-group': 'groupName',
  'member.sheet-plan': 'carFeesName',
  'member.sheet-park': 'parkName',
  'member.sheet-plate': 'plateNo',
  'parking.not-a-plate': 'plateNo',
  'member.new-energy-color': 'plateColor',
  'member.too-many-cars': 'plateNo',
  'member.too-many-bays': 'seats',
  'member.sheet-dates': 'endAt',
  'member.start-far': 'startAt',
  'member.sheet-far': 'endAt',
  'member.sheet-used-up': 'paidFen',
  'member.sheet-other-name': 'phone',
  'platform.not-a-phone': 'phone',
} as const

export const calls = serve(memberSheet, {
  import: importing(memberSheet.import, { prepare, row: memberRow, columns: MEMBER_COLUMNS }),
  importWhite: importing(memberSheet.importWhite, {
    prepare: beforeList,
    faults: listFaults(ListType.white),
    together: (context) => listRows(ListType.white, context),
    columns: LIST_COLUMNS,
  }),
  importBlack: importing(memberSheet.importBlack, {
    prepare: beforeList,
    faults: listFaults(ListType.black),
    together: (context) => listRows(ListType.black, context),
    columns: LIST_COLUMNS,
  }),
  export: exporting(memberSheet.export, customersAsRows),
  exportWhite: exporting(memberSheet.exportWhite, { ...entries, only: `list_type = ${ListType.white}` }),
  exportBlack: exporting(memberSheet.exportBlack, { ...entries, only: `list_type = ${ListType.black}` }),
  exportAmount: exporting(memberSheet.exportAmount, amounts),
  recharges: ({ tx, input }) => rechargesOf(tx, input),
  exportRecharge: exporting(memberSheet.exportRecharge, ({ tx, input }) => rechargesOf(tx, { ...input, limit: Number.MAX_SAFE_INTEGER })),
  exportRechargeDetail: exporting(memberSheet.exportRechargeDetail, {
    ...amounts,
    only: `order_id is not null and kind <> ${AmountKind.givenBack} and paid_fen > 0`,
  }),
})

/** A row a pass, as the import reads it; customers without one have a row of their own. */
async function customersAsRows({ tx, input }: { tx: Tx; input: Of<typeof customer.queryPage.input> }) {
  const { records } = await pageOfCustomers(tx, input)
  const sql = `select h.member_id, h.group_name, h.car_fees_name, h.seats, h.seat_code, h.start_at, h.end_at, h.status, h.plates, h.remark, k.name as park_name,
      (select case when count(distinct x.plate_color) = 1 and bool_and(x.plate_color is not null) then min(x.plate_color) end from member.pass_car x where x.enterprise_id = h.enterprise_id and x.pass_id = h.id) as plate_color,
      (select nullif(sum(r.price_fen - r.refund_fen - r.earned_fen), 0)::bigint from member.period r where r.enterprise_id = h.enterprise_id and r.pass_id = h.id and r.state = ${State.counts}) as paid_fen
    from member.held h left join parking.park k on k.enterprise_id = h.enterprise_id and k.park_code = h.park_code
    where h.enterprise_id = scope_enterprise() and h.member_id = any ($1) and h.state not in (${PassStatus.returned}, ${PassStatus.deleted}) order by h.start_at`
  const held = await run<{ memberId: string; plates: string[]; status: number; startAt: Instant; endAt: Instant }>(tx, { sql }, [
    records.map(({ id }) => id),
  ])
  const of = Map.groupBy(held, ({ memberId }) => memberId)
  return {
    records: records.flatMap((one) =>
      (of.get(one.id) ?? [undefined]).map((pass) => ({
        ...one,
        ...pass,
        ...(pass && { passStatus: pass.status, startAt: dayOf(pass.startAt), endAt: dayOf(daysOn(pass.endAt, -1)) }),
        plateNo: (pass?.plates ?? one.plates).join('，'),
      })),
    ),
  }
}
async function rechargesOf(tx: Tx, input: Of<typeof memberSheet.recharges.input>): Promise<Of<typeof memberSheet.recharges.reply>> {
  const { current = 1, limit = PAGE_ROWS, dayFrom, dayTo, parkCode } = input
  const rows = await run<Of<typeof RechargeRow>>(tx, { sql: RECHARGES }, [dayFrom ?? null, dayTo ?? null, parkCode ?? null])
  const records = input.queryMode === 'total' || input.queryMode === 'sum' ? [] : rows.slice((current - 1) * limit, current * limit)
  return { records, total: rows.length, totalExact: true }
}
const RECHARGES = `select a.day::text || '|' || a.park_code || '|' || coalesce(a.group_id::text, '') || '|' || coalesce(a.car_fees_id::text, '') as id, a.day::text as day, a.park_code, a.group_name, a.car_fees_name,
    (count(*) filter (where a.kind <> ${AmountKind.givenBack}))::int as orders, coalesce(sum(a.paid_fen), 0)::bigint as paid_fen, coalesce(sum(a.refund_fen) filter (where a.kind = ${AmountKind.givenBack}), 0)::bigint as refund_fen,
    (coalesce(sum(a.paid_fen), 0) - coalesce(sum(a.refund_fen) filter (where a.kind = ${AmountKind.givenBack}), 0))::bigint as net_fen
  from (select p.*, (p.pay_time at time zone 'Asia/Shanghai')::date as day from member.payment p where p.enterprise_id = scope_enterprise() and p.pay_time is not null) a
  where ($1::date is null or a.day >= $1) and ($2::date is null or a.day <= $2) and ($3::text is null or a.park_code = $3)
  group by a.day, a.park_code, a.group_id, a.group_name, a.car_fees_id, a.car_fees_name order by a.day desc, a.park_code, a.group_name, a.car_fees_name`
