import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomFrom } from '../../city/random.ts'
import { feedbackOn, openOrders, ordersOn } from '../../domains/after-sale/web/lists.ts'
import { suggestion, suggestionSearch } from '../../domains/after-sale/contract/suggestion.ts'
import { orderSearch as workSearch, SlaState, workOrder } from '../../domains/after-sale/contract/workOrder.ts'
import { analysis } from '../../domains/charging/contract/analysis.ts'
import { BILLS, DANGERS } from '../../domains/charging/contract/figures.ts'
import { danger, dangerSearch, DangerState, OPEN_DANGERS } from '../../domains/charging/contract/danger.ts'
import { data as wall } from '../../domains/charging/contract/data.ts'
import { finance } from '../../domains/charging/contract/finance.ts'
import { billSearch } from '../../domains/charging/contract/money.ts'
import { order as charge } from '../../domains/charging/contract/order.ts'
import { chargeSearch } from '../../domains/charging/contract/session.ts'
import { GroupBy } from '../../domains/charging/contract/span.ts'
import * as charging from '../../domains/charging/web/figures.ts'
import { coupon, couponSearch } from '../../domains/coupon/contract/coupon.ts'
import { COUPONS } from '../../domains/coupon/contract/figures.ts'
import { home } from '../../domains/dashboard/contract/home.ts'
import { UNPAID_EXITS } from '../../domains/dashboard/contract/figures.ts'
import { record, recordSearch } from '../../domains/message/contract/record.ts'
import { statistics } from '../../domains/message/contract/statistics.ts'
import { sentAt, sentOn } from '../../domains/message/web/lists.ts'
import { ORDERED } from '../../domains/settlement/contract/figures.ts'
import { order, orderSearch, OrderType } from '../../domains/settlement/contract/order.ts'
import { leaveUnpaid, openOrder } from '../../domains/settlement/server/api.ts'
import { WorkRule, warningSearch, workWarning } from '../../domains/staff/contract/workWarning.ts'
import { warningsOn } from '../../domains/staff/web/lists.ts'
import { addressOf, type Call, type Search } from '../../platform/contract/call.ts'
import type { Figure as Declared, Listed } from '../../platform/contract/figure.ts'
import { DAY_MS, instantAt } from '../../platform/contract/time.ts'
import { run } from '../../platform/server/database.ts'
import { cityDay, dayEnd, dayStart, time } from '../../platform/web/format.ts'
import { listAt } from '../../platform/web/list/listAt.ts'
import { criteriaIn } from '../../platform/web/list/useListAddress.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const HOUR_MS = 3_600_000
const DAYS = 60
const FAR = '2099-01-01T00:00:00.000Z'
/** Everything happened before this; figures of today do not change while they are looked at. */
const NOW = Date.now()
let server: TestServer
let admin: string

const sql = (text: string, values: unknown[] = []) => server.house.writing(1, 'test', (tx) => run<any>(tx, { sql: text }, values))
const put = (table: string, rows: object[]) =>
  server.house.writing(1, 'test', (tx) =>
    tx
      .insertInto(table as never)
      .values(rows as never)
      .execute(),
  )
const many = <T>(n: number, one: (n: number) => T) => Array.from({ length: n }, (_, at) => one(at))
const at = (ms: number) => new Date(Math.min(ms, NOW)).toISOString()
/** Of the last days; often today, and often within the last second of a day or an hour. */
function moment(): number {
  const ms = NOW - Math.floor(random.chance(0.2) ? random.next() * 12 * HOUR_MS : random.next() * DAYS * DAY_MS)
  const unit = random.oneOf([DAY_MS, HOUR_MS])
  const edge = Math.ceil((ms + 8 * HOUR_MS) / unit) * unit - 8 * HOUR_MS - 1 - random.below(1000)
  return random.chance(0.3) && edge < NOW ? edge : ms
}

beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  admin = await server.signIn('admin')
  await put(
    'parking.park',
    ['P001', 'P002'].map((parkCode) => ({ parkCode, name: parkCode, pType: 1, regionCode: '420607', totalBays: 100 })),
  )
  await charges()
  await others()
})
afterAll(() => server.close())

async function charges() {
  await sql(`insert into charging.operator (operator_id, operator_name, operator_tel1, own) values ('MA0000001', '东城充电', '02788880000', true)`)
  const guns = many(4, (n) => ({ stationId: `ST00${(n % 2) + 1}`, equipmentId: `EQ${n}`, connectorId: `EQ${n}-1`, parkCode: 'P001' }))
  for (const stationId of ['ST001', 'ST002'])
    await sql(
      `insert into charging.station (station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat)
        values ($1, $1, 'MA0000001', 'P001', '420607', '东门路1号', '4000000000', 50, 112.14, 32.04)`,
      [stationId],
    )
  await put(
    'charging.equipment',
    guns.map(({ stationId, equipmentId, parkCode }) => ({
      stationId,
      equipmentId,
      equipmentName: equipmentId,
      parkCode,
      equipmentType: 1,
      power: 120,
      adminStatus: 1,
    })),
  )
  await put(
    'charging.connector',
    guns.map((gun) => ({ ...gun, connectorType: 4, voltageUpper: 750, voltageLower: 200, current: 250, power: 120, ocppConnectorNo: 1 })),
  )
  const made = many(300, (n) => {
    const start = moment()
    const [elecFen, serviceFen] = [random.below(3000), 100 + random.below(3000)]
    const discountFen = random.chance(0.3) ? random.below(100) : 0
    const gun = random.oneOf(guns)
    const orderNo = `CD${String(n).padStart(6, '0')}`
    const of = { orderNo, parkCode: 'P001', stationId: gun.stationId }
    const end = start + random.below(4 * HOUR_MS)
    return { of, gun, elecFen, serviceFen, discountFen, end, start, wh: random.below(60_000), status: random.oneOf([1, 4, 5, 5, 5, 5, 6, 8]) }
  })
  await put(
    'charging.charge',
    made.map(({ of, gun, start, end, wh, status, elecFen, serviceFen, discountFen }) => ({
      ...of,
      ...gun,
      startChargeSeq: of.orderNo,
      startMode: 1,
      plateNo: '鄂F12345',
      status,
      startTime: at(start),
      endTime: status === 1 ? null : at(end),
      energyWh: wh,
      elecFen,
      serviceFen,
      discountFen,
      prices: '{}',
    })),
  )
  const bills = made.filter(({ status }) => status === 5).flatMap((one) => billsOf(one))
  await put(
    'charging.bill',
    bills.map((one, n) => ({ billNo: `ZD${n}`, ...one })),
  )
}
interface Charged {
  of: object
  end: number
  wh: number
  elecFen: number
  serviceFen: number
  discountFen: number
}
/** A charge's bill, often one for its bay, and now and then what was adjusted later, either way. */
function billsOf({ of, end, wh, elecFen, serviceFen, discountFen }: Charged) {
  const nothing = {
    energyWh: 0,
    elecFen: 0,
    serviceFen: 0,
    occupyFen: 0,
    adjustFen: 0,
    discountFen: 0,
    capturedFen: 0,
    shortfallFen: 0,
    waivedFen: 0,
    partnerFen: 0,
    arrearsFen: 0,
    paidBy: 1,
    lines: '[]',
  }
  const payableFen = elecFen + serviceFen - discountFen
  const [waivedFen, arrearsFen] = [random.chance(0.2) ? random.below(Math.min(50, payableFen)) : 0, 0]
  const bill = {
    ...of,
    ...nothing,
    kind: 1,
    finalAt: at(end),
    energyWh: wh,
    elecFen,
    serviceFen,
    discountFen,
    payableFen,
    capturedFen: payableFen - waivedFen,
    shortfallFen: waivedFen,
    waivedFen,
    arrearsFen,
  }
  const occupyFen = random.below(500)
  const bay = { ...of, ...nothing, kind: 2, finalAt: at(end + random.below(HOUR_MS)), occupyFen, payableFen: occupyFen, capturedFen: occupyFen }
  const adjustFen = random.below(400) - 200
  const later = {
    ...of,
    ...nothing,
    kind: 3,
    finalAt: at(end + random.below(3 * DAY_MS)),
    adjustFen,
    payableFen: adjustFen,
    shortfallFen: adjustFen,
    waivedFen: Math.max(0, adjustFen),
    paidBy: random.oneOf([1, 4]),
  }
  return [bill, ...(random.chance(0.3) ? [bay] : []), ...(random.chance(0.2) ? [later] : [])]
}

async function others() {
  await put(
    'charging.danger',
    many(200, () => {
      const [foundAt, state] = [at(moment()), random.below(5)]
      return {
        stationId: random.oneOf(['ST001', 'ST002']),
        parkCode: 'P001',
        level: 1 + random.below(4),
        kind: 1 + random.below(9),
        source: 3,
        state,
        foundAt,
        deadline: FAR,
        late: state === 4 || random.chance(0.3),
        closedAt: state === 3 ? at(NOW) : null,
      }
    }),
  )
  const channels = await sql(`insert into message.channel (name, type) values ('短信', 2), ('邮件', 3) returning id, type`)
  await put(
    'message.record',
    many(300, () => {
      const [channel, sendState] = [random.oneOf(channels), random.below(7)]
      return {
        firstChannelId: channel.id,
        channelId: channel.id,
        channelType: channel.type,
        kind: 1 + random.below(5),
        sendState,
        nextAt: sendState < 2 ? FAR : null,
        title: '通知',
        createdAt: at(moment()),
      }
    }),
  )
  await put(
    'after_sale.work_order',
    many(200, () => {
      const [created, state] = [moment(), random.oneOf([0, 5, 6, 7, 8])]
      const due = random.chance(0.4) ? at(created) : FAR
      return {
        title: '工单',
        type: random.oneOf([1, 2, 3, 5, 6]),
        source: 1,
        level: 1 + random.below(4),
        content: '内容',
        creatorName: '值班',
        state,
        countedFrom: at(created),
        respondDueAt: due,
        dueAt: due,
        warnAt: due,
        createdAt: at(created),
        ...(state === 5 && { solvedAt: at(NOW), closedAt: at(NOW) }),
        reopens: random.below(2),
      }
    }),
  )
  await put(
    'after_sale.suggestion',
    many(150, () => {
      const state = random.oneOf([0, 1, 4])
      return {
        kind: 1 + random.below(4),
        source: 1,
        content: '建议',
        state,
        acceptDueAt: FAR,
        replyDueAt: FAR,
        createdName: '值班',
        createdAt: at(moment()),
        ...(state === 1 && { acceptedAt: at(NOW) }),
        ...(state === 4 && { reason: '重复' }),
      }
    }),
  )
  const groups = await sql(`insert into staff.work_group (name, park_code) values ('一组', 'P001'), ('二组', 'P002') returning id`)
  await put(
    'staff.collector',
    many(6, (n) => ({ tollNo: `S00${n}`, name: `员工${n}`, tollType: 1, groupId: groups[n % 2].id, parkCode: `P00${(n % 2) + 1}` })),
  )
  const people = await sql('select id from staff.collector')
  await put(
    'staff.warning',
    many(250, () => {
      const [start, state] = [moment(), random.below(3)]
      return {
        rule: 1 + random.below(8),
        level: 1,
        collectorId: random.oneOf(people).id,
        parkCode: random.oneOf(['P001', 'P002']),
        startAt: at(start),
        endAt: at(start + HOUR_MS),
        state,
        ...(state > 0 && { opinion: '已核实', handlerName: '值班', handledAt: at(NOW) }),
      }
    }),
  )
  const [template] = await sql(
    `insert into coupon.template (name, type, value, valid_type, valid_days, total_qty) values ('两元券', 1, 200, 2, 30, 1000) returning id`,
  )
  await put(
    'coupon.coupon',
    many(200, (n) => {
      const [state, issued] = [random.oneOf([1, 3, 4, 5, 6]), moment()]
      return {
        couponNo: `YH${n}`,
        templateId: template.id,
        name: '两元券',
        type: 1,
        value: 200,
        plateNo: `鄂F${10_000 + n}`,
        state,
        validFrom: at(issued),
        validTo: FAR,
        issuedBy: '值班',
        issuedAt: at(issued),
      }
    }),
  )
  const { id: repaid } = await anOrder(true)
  await anOrder(true)
  await anOrder(false)
  await sql(`update settlement.order set status = 2, paid_fen = payable_fen where id = $1`, [repaid])
}
const anOrder = (owed: boolean) =>
  server.house.writing(1, 'test', async (tx) => {
    const made = await openOrder(tx, {
      type: 1,
      plateNo: '鄂F12345',
      plateColor: 0,
      parkCode: 'P001',
      receivableFen: 1200,
      discountFen: 0,
      at: instantAt(NOW),
    })
    return owed ? leaveUnpaid(tx, made.id, { at: instantAt(NOW) }) : made
  })

/** The lists that addresses open, each by the call and the criteria of its screen. */
const LISTS: Record<string, { search: Search<any>; call: Call<any, any>; sum?: Call<any, any> }> = {
  [BILLS]: { search: billSearch, call: finance.queryChargeOrder, sum: finance.queryChargeOrderSum },
  [charging.CHARGES]: { search: chargeSearch, call: charge.calls.recordList },
  [DANGERS]: { search: dangerSearch, call: danger.query },
  '/operation/message/record': { search: recordSearch, call: record.queryPage },
  '/operation/afterSale/order/all': { search: workSearch, call: workOrder.query },
  '/operation/afterSale/feedback': { search: suggestionSearch, call: suggestion.query },
  '/assetManage/person/alarm/record': { search: warningSearch, call: workWarning.query },
  '/activity/coupon/send': { search: couponSearch, call: coupon.queryPage },
  [ORDERED.paidFen.opens.path]: { search: orderSearch, call: order.list },
}
/** Which of a page's lists is shown. */
const VIEW = 'view'
async function ask<I, R>(call: Call<I, R>, input: object): Promise<any> {
  const answer = await server.ask(admin, call.method, addressOf(call), input)
  expect(answer.status, `${call.id} ${JSON.stringify(input)} ${answer.message}`).toBe(200)
  return answer.data
}
/** The total of the list that an address opens: its number of rows, or the sum of a field. */
async function listed(address: string, field?: string): Promise<number> {
  const { pathname, searchParams } = new URL(address, 'http://x')
  const { search, call, sum } = LISTS[pathname]!
  expect(
    [...searchParams.keys()].filter((name) => name !== VIEW && !(name in search.schema)),
    address,
  ).toEqual([])
  const criteria = criteriaIn<object>(searchParams, search.schema)
  if (field && sum) return (await ask(sum, criteria))[field]
  return field ? (await ask(call, { ...criteria, queryMode: 'sum' })).sums[field] : (await ask(call, { ...criteria, queryMode: 'total' })).total
}

/** A figure, the address of its list, and what of that list it is: the number of rows, or the sum of a field. */
type Figure = readonly [figure: number, address: string, field?: string]
const opened = ({ opens }: Declared<Listed>, within = { from: day(0), to: day(0) }) => listAt(opens.path, opens.filter(within))
const day = (back: number) => cityDay(new Date(NOW - back * DAY_MS))
function days() {
  const back = random.below(DAYS)
  return { from: day(back), to: day(random.below(back + 1)) }
}
/** Whole days mostly, as they are chosen; an address may say any moment. */
function span() {
  const { from, to } = days()
  const timeFrom = random.chance(0.8) ? dayStart(from) : `${from} 07:30:00`
  const timeTo = random.chance(0.8) || from === to ? dayEnd(to) : `${to} 16:45:10`
  return { timeFrom, timeTo, ...(random.chance(0.5) && { stationId: random.oneOf(['ST001', 'ST002']) }) }
}
const SUMS = ['receivableFen', 'paidFen', 'refundFen', 'netFen', 'billedWh'] as const
const some = <T>(list: readonly T[]): T[] => (list.length === 0 ? [] : [random.oneOf(list)])

const AREAS: Record<string, () => Promise<Figure[]>> = {
  async income() {
    const asked = { ...span(), groupBy: random.oneOf([GroupBy.hour, GroupBy.day, GroupBy.month, GroupBy.station]) }
    const whole = charging.wholeOf(asked)
    const { now, bars, best } = await ask(analysis.incomeQuery, asked)
    const parts = ['elecFen', 'serviceFen', 'occupyFen', ...SUMS] as const
    return [
      [now.orders, charging.chargeBillsOf(whole)],
      ...SUMS.map((name): Figure => [now[name], charging.billsOf(whole), name]),
      ...some<any>(bars).flatMap((bar) => parts.map((name): Figure => [bar[name], charging.billsOf(charging.partOf(bar.key, asked)), name])),
      ...some<any>(best).map((one): Figure => [one.receivableFen, charging.billsOf({ ...whole, stationId: one.stationId }), 'receivableFen']),
    ]
  },
  async energy() {
    const asked = { ...span(), groupBy: random.oneOf([GroupBy.day, GroupBy.month, GroupBy.station]) }
    const { billedWh, rows } = await ask(analysis.chargingCapacity, asked)
    const row = some<any>(rows).map((one): Figure => [one.billedWh, charging.billsOf(charging.partOf(one.key, asked)), 'billedWh'])
    return [[billedWh, charging.billsOf(charging.wholeOf(asked)), 'billedWh'], ...row]
  },
  async use() {
    const asked = span()
    const { records } = await ask(analysis.operationsAnalysis, { ...asked, limit: 100 })
    return records.map((one: any): Figure => [one.sessions, charging.chargesOf({ ...charging.wholeOf(asked), stationId: one.stationId })])
  },
  async wall() {
    const { today, month, hours, best } = await ask(wall.chargeOrder, {})
    const now = { from: dayStart(day(0)), to: dayEnd(day(0)) }
    const hour = random.oneOf<any>(hours)
    return [
      [today.orders, charging.chargeBillsOf(now)],
      [today.wh, charging.billsOf(now), 'billedWh'],
      [today.netFen, charging.billsOf(now), 'netFen'],
      [month.receivableFen, charging.billsOf({ ...now, from: dayStart(`${day(0).slice(0, 8)}01`) }), 'receivableFen'],
      [hour.orders, charging.startsOf(charging.hourOf(hour.at))],
      ...some<any>(best).map((one): Figure => [one.receivableFen, charging.billsOf({ ...now, stationId: one.stationId }), 'receivableFen']),
    ]
  },
  async dangers() {
    const asked = span()
    const whole = charging.wholeOf(asked)
    const filter = { foundAtFrom: asked.timeFrom, foundAtTo: asked.timeTo, stationId: asked.stationId }
    const [{ total, open, overdue, closedLate }, { rows, byKind, byDay }] = [
      await ask(danger.hiddenDangerCnt, filter),
      await ask(danger.hiddenDangerCount, filter),
    ]
    return [
      [total, charging.dangersOf(whole)],
      [open, charging.dangersOf(whole, { state: OPEN_DANGERS })],
      [overdue, charging.dangersOf(whole, { state: OPEN_DANGERS, late: true })],
      [closedLate, charging.dangersOf(whole, { state: DangerState.closed, late: true })],
      ...some<any>(rows).map(({ count, level, state }): Figure => [count, charging.dangersOf(whole, { level, state })]),
      ...some<any>(byKind).map(({ count, kind }): Figure => [count, charging.dangersOf(whole, { kind })]),
      ...some<any>(byDay).flatMap((one): Figure[] => [
        [one.found, charging.dangersOf(charging.partOf(one.day, asked))],
        [one.closed, charging.dangersOf(charging.partOf(one.day, asked), { state: DangerState.closed })],
      ]),
    ]
  },
  async messages() {
    const asked = days()
    const on = (criteria = {}) => sentOn(asked.from, asked.to, criteria)
    const [of, channels, kinds, points] = await Promise.all(
      [statistics.summary, statistics.channelPieChart, statistics.messageTypeCurve, statistics.timeCurve].map((call) =>
        ask(call as Call<any, any>, asked),
      ),
    )
    const hourly = points.length > 1 && Date.parse(points[1].at) - Date.parse(points[0].at) < DAY_MS
    return [
      [of.total, on()],
      [of.failed, on({ sendState: 3 })],
      [of.waiting, on({ sendState: '0,1' })],
      [of.limited, on({ sendState: 5 })],
      ...some<any>(channels).map((one): Figure => [one.failed, on({ channelId: one.channelId, sendState: '3,5' })]),
      ...some<any>(kinds).map((one): Figure => [one.total, sentOn(one.day, one.day, { kind: one.kind })]),
      ...some<any>(points.filter((one: any) => one.total > 0)).flatMap((one): Figure[] => [
        [one.total, sentAt(one.at, hourly)],
        [one.failed, sentAt(one.at, hourly, { sendState: '3,5' })],
      ]),
    ]
  },
  async afterSale() {
    const { from, to } = days()
    const asked = { dateFrom: from, dateTo: to }
    const [of, said] = [await ask(workOrder.summary, asked), await ask(suggestion.summary, asked)]
    const one = random.oneOf<any>(of.days)
    return [
      [of.createdToday, ordersOn(day(0), day(0), {})],
      [of.pending, openOrders()],
      [of.overdue, openOrders({ slaState: SlaState.over })],
      [one.created, ordersOn(one.day, one.day, {})],
      ...some<any>(of.types).map(({ code, count }): Figure => [count, ordersOn(from, to, { type: code })]),
      ...some<any>(of.states).map(({ code, count }): Figure => [count, ordersOn(from, to, { state: code })]),
      ...some<any>(said.kinds).map(({ code, count }): Figure => [count, feedbackOn(from, to, { kind: code })]),
      ...some<any>(said.states).map(({ code, count }): Figure => [count, feedbackOn(from, to, { state: code })]),
    ]
  },
  async warnings() {
    const { from, to } = days()
    const [group] = some<any>(await sql('select id from staff.work_group'))
    const who = { ...(random.chance(0.5) && { groupId: group.id }), ...(random.chance(0.5) && { parkCode: random.oneOf(['P001', 'P002']) }) }
    const { records, sums } = await ask(workWarning.totals, { dateFrom: from, dateTo: to, ...who, limit: 100 })
    const name = random.oneOf(['away', 'still', 'gathered', 'noCard', 'late', 'early', 'offline', 'unhandled'] as const)
    return [
      [sums[name], warningsOn(from, to, { ...who, rule: WorkRule[name] })],
      ...some<any>(records).flatMap(({ tollNo, total, open, ...row }): Figure[] => [
        [total, warningsOn(from, to, { ...who, tollNo })],
        [open, warningsOn(from, to, { ...who, tollNo, state: 0 })],
        [row[name], warningsOn(from, to, { ...who, tollNo, rule: WorkRule[name] })],
      ]),
    ]
  },
  async coupons() {
    const { from, to } = days()
    const of = await ask(coupon.queryStatistics, { issuedAtFrom: from, issuedAtTo: to })
    return [
      [of.issued, opened(COUPONS.issued, { from, to })],
      [of.live + of.locked, opened(COUPONS.usable, { from, to })],
      [of.used, opened(COUPONS.used, { from, to })],
      [of.withdrawn + of.expired, opened(COUPONS.gone, { from, to })],
      [of.deductedFen, opened(COUPONS.deductedFen, { from, to }), 'takeFen'],
    ]
  },
  async orders() {
    const of = await ask(home.escapes, {})
    const money = await ask(order.summary, { createdAtFrom: dayStart(day(0)), type: [OrderType.temporaryParking] })
    return [
      [of.orders.today, opened(UNPAID_EXITS.orders)],
      ...(['receivableFen', 'paidFen', 'discountFen', 'waivedFen', 'refundFen', 'arrearsFen'] as const).map((name): Figure => [
        money[name],
        opened(ORDERED[name]),
        name,
      ]),
    ]
  },
}

test('each figure is the sum of the list that it opens, for 200 random filters', async () => {
  const looked: Record<string, number> = {}
  for (let n = 0; n < 200; n++) {
    const [area, figuresOf] = random.oneOf(Object.entries(AREAS))
    for (const [figure, address, field] of await figuresOf()) {
      expect(await listed(address, field), `${area}: ${field ?? 'rows'} of ${address}, seed ${seed}`).toBe(figure)
      looked[area] = (looked[area] ?? 0) + Math.abs(figure)
    }
  }
  for (const area of Object.keys(AREAS)) expect(looked[area], `${area} had nothing to sum, seed ${seed}`).toBeGreaterThan(0)
}, 240_000)
test('a group of figures is of its hour, day, month or station, as far as it lies in the time asked for', () => {
  const asked = { timeFrom: '2026-02-10 07:30:00', timeTo: '2026-03-01 12:00:00', stationId: 'ST001' }
  const part = (key: string, groupBy?: number) => Object.values(charging.partOf(key, { ...asked, ...(groupBy && { groupBy }) }))
  expect(part('2026-02')).toEqual(['2026-02-10 07:30:00', '2026-02-28 23:59:59', 'ST001'])
  expect(part('2026-03')).toEqual(['2026-03-01 00:00:00', '2026-03-01 12:00:00', 'ST001'])
  expect(part('2026-02-11')).toEqual(['2026-02-11 00:00:00', '2026-02-11 23:59:59', 'ST001'])
  expect(part('2026-02-10 07:00')).toEqual(['2026-02-10 07:30:00', '2026-02-10 07:59:59', 'ST001'])
  expect(part('2026-02', GroupBy.station)).toEqual([asked.timeFrom, asked.timeTo, '2026-02'])
  expect(time(asked.timeFrom)).toBe(asked.timeFrom)
})
