import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, startOf } from '../../../platform/contract/time.ts'
import { post as enter } from '../../ledger/server/api.ts'
import { aYard, now, type Yard } from './testing.ts'

let yard: Yard
let guns: string[] = []
const DAY = '2026-03-10'
const at = (time: string, day = DAY) => `${day}T${time}:00+08:00`
const WHOLE = { timeFrom: at('00:00'), timeTo: `${DAY}T23:59:59+08:00` }
const PRICES = JSON.stringify({
  strategyId: '019d0000-0000-7000-8000-000000000000',
  versionNo: 1,
  periods: [],
  idleGraceMin: 15,
  occupyFenPerMin: 0,
  occupyCapFen: 0,
  quietFrom: '23:00',
  quietTo: '07:00',
  offers: [],
})
let numbers = 0
interface Made {
  day?: string
  from?: string
  to?: string
  wh?: number
  elecFen?: number
  serviceFen?: number
  discountFen?: number
  waivedFen?: number
  arrearsFen?: number
  partnerFen?: number
  status?: number
  plateNo?: string
}
/** A charge with its bill and what the ledger has of it, as the domain writes them. */
async function charged({
  day = DAY,
  from = '10:00',
  to = '11:00',
  wh = 10_000,
  elecFen = 600,
  serviceFen = 400,
  discountFen = 0,
  waivedFen = 0,
  arrearsFen = 0,
  partnerFen = 0,
  status = 5,
  plateNo = '鄂F12345',
}: Made = {}) {
  const orderNo = `CDT${String(++numbers).padStart(6, '0')}`
  await yard.sql(
    `insert into charging.charge (order_no, start_charge_seq, park_code, station_id, equipment_id, connector_id, start_mode, plate_no, status, start_time, end_time, energy_wh, elec_fen, service_fen, discount_fen, prices)
      values ($1, $1, 'P001', 'ST001', $2, $3, 1, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [orderNo, guns[0]!.split('-')[0], guns[0], plateNo, status, at(from, day), at(to, day), wh, elecFen, serviceFen, discountFen, PRICES],
  )
  if (status !== 5) return orderNo
  const payable = elecFen + serviceFen - discountFen
  const captured = payable - waivedFen - arrearsFen - partnerFen
  await bill(orderNo, {
    kind: 1,
    day,
    at: at(to, day),
    wh,
    elecFen,
    serviceFen,
    discountFen,
    payable,
    captured,
    waivedFen,
    arrearsFen,
    partnerFen,
    paidBy: partnerFen ? 4 : 1,
  })
  if (captured > 0)
    await ledger(
      orderNo,
      at(from, day),
      [
        { account: 'asset.channel', sub: 'wechat', debitFen: captured + 100 },
        { account: 'liability.charge-prepaid', sub: orderNo, creditFen: captured + 100 },
      ],
      'payment.received',
    )
  if (captured > 0) {
    // A debt passes through the account: it becomes one of the order's, and its bill takes it there.
    if (arrearsFen > 0)
      await ledger(
        orderNo,
        at(to, day),
        [
          { account: 'asset.arrears', debitFen: arrearsFen },
          { account: 'liability.charge-prepaid', sub: orderNo, creditFen: arrearsFen },
        ],
        'order.unpaid',
      )
    await ledger(
      orderNo,
      at(to, day),
      [
        { account: 'liability.charge-prepaid', sub: orderNo, debitFen: captured + arrearsFen },
        { account: 'income.charge-service', creditFen: captured + arrearsFen },
      ],
      'charge.billed',
    )
    await ledger(
      orderNo,
      at(to, day),
      [
        { account: 'liability.charge-prepaid', sub: orderNo, debitFen: 100 },
        { account: 'asset.channel', sub: 'wechat', creditFen: 100 },
      ],
      'refund.done',
    )
  }
  return orderNo
}
const bill = (orderNo: string, b: Record<string, any>) =>
  yard.sql(
    `insert into charging.bill (bill_no, order_no, park_code, station_id, kind, final_at, energy_wh, elec_fen, service_fen, adjust_fen, discount_fen, payable_fen, captured_fen, shortfall_fen, waived_fen, partner_fen, arrears_fen, paid_by, lines)
      values ($1, $2, 'P001', 'ST001', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      ...[
        `ZDT${++numbers}`,
        orderNo,
        b['kind'],
        b['at'],
        b['wh'] ?? 0,
        b['elecFen'] ?? 0,
        b['serviceFen'] ?? 0,
        b['adjustFen'] ?? 0,
        b['discountFen'] ?? 0,
        b['payable'],
        b['captured'] ?? 0,
      ],
      ...[
        b['payable'] - (b['captured'] ?? 0),
        b['waivedFen'] ?? 0,
        b['partnerFen'] ?? 0,
        b['arrearsFen'] ?? 0,
        b['paidBy'],
        JSON.stringify([{ kind: 3, wh: b['wh'] ?? 0 }]),
      ],
    ],
  )
const ledger = (orderNo: string, when: string, lines: object[], bizType: string) =>
  yard.server.house.writing(1, 'test', (tx) =>
    enter(tx, {
      bizType,
      bizNo: `B${++numbers}`,
      about: orderNo,
      eventId: `t:${numbers}`,
      at: when as never,
      parkCode: 'P001',
      business: 'charging',
      lines,
    } as never),
  )
const post = async (path: string, input: object) => (await yard.server.ask(yard.admin, 'POST', `/lbs/charging${path}`, input)).data
const get = async (path: string, input: object, service = 'charging') =>
  (await yard.server.ask(yard.admin, 'GET', `/lbs/${service}${path}`, input)).data

beforeAll(async () => {
  yard = await aYard()
  guns = (await yard.aPile(2)).connectorIds
  await charged()
  await charged({ from: '10:30', to: '12:00', wh: 20_001, elecFen: 1200, serviceFen: 800, discountFen: 300 })
  await charged({ from: '13:00', to: '13:10', waivedFen: 50 })
  await charged({ from: '14:00', to: '18:00', arrearsFen: 230 })
  await charged({ from: '15:00', to: '15:20', partnerFen: 1000, plateNo: '鄂F54321' })
  await charged({ from: '16:00', to: '16:05', status: 6 })
  const first = await charged({ day: '2026-03-09' })
  await bill(first, { kind: 3, at: at('20:00'), adjustFen: -200, payable: -200, paidBy: 5 })
}, 90_000)
afterAll(() => yard?.close())

const PARTS = ['discountFen', 'paidFen', 'waivedFen', 'arrearsFen', 'partnerFen'] as const
const isWhole = (one: any) => {
  expect(one.receivableFen).toBe(one.elecFen + one.serviceFen + one.occupyFen + one.adjustFen)
  expect(one.receivableFen).toBe(PARTS.reduce((sum, name) => sum + one[name], 0))
  expect(one.netFen).toBe(one.paidFen - one.refundFen)
}

describe('Income', () => {
  it('is receivable in its kinds and again in where it came from, in every row and in all', async () => {
    const { now: total, bars } = await post('/analysis/incomeQuery', { ...WHOLE, groupBy: 1 })
    isWhole(total)
    expect(total).toMatchObject({
      orders: 5,
      billedWh: 60_001,
      receivableFen: 6000,
      discountFen: 300,
      waivedFen: 50,
      arrearsFen: 230,
      partnerFen: 1000,
      paidFen: 4420,
      refundFen: 200,
      netFen: 4220,
    })
    expect(bars.length).toBeGreaterThan(3)
    bars.forEach(isWhole)
    for (const name of ['orders', 'receivableFen', 'refundFen', 'netFen', 'billedWh'])
      expect(
        bars.reduce((sum: number, one: any) => sum + one[name], 0),
        name,
      ).toBe(total[name])
  })
  it('is the sum of the bills behind it', async () => {
    const filter = { finalAtFrom: WHOLE.timeFrom, finalAtTo: WHOLE.timeTo }
    const [{ now: total }, sums, list] = await Promise.all([
      post('/analysis/incomeQuery', WHOLE),
      post('/finance/queryChargeOrderSum', filter),
      post('/finance/queryChargeOrder', { ...filter, limit: 100 }),
    ])
    expect(sums).toMatchObject(total)
    expect(sums.count).toBe(list.total)
    const kept = list.records.filter((one: any) => one.payableFen >= 0)
    expect(kept.reduce((sum: number, one: any) => sum + one.elecFen + one.serviceFen, 0)).toBe(total.receivableFen)
  })
  it('is compared with the span before, and says nothing where there was nothing', async () => {
    const { now: total, before, bars } = await post('/analysis/incomeQuery', { ...WHOLE, compare: 1 })
    expect(before.receivableFen).toBe(1000)
    expect(bars).toMatchObject([{ key: DAY, prevReceivableFen: 1000, ratio: Math.round(((total.receivableFen - 1000) * 1000) / 1000) }])
    const year = await post('/analysis/incomeQuery', { ...WHOLE, compare: 2 })
    expect(year.bars[0]).toMatchObject({ prevReceivableFen: null, ratio: null })
    const page = await post('/analysis/incomeQueryPage', { ...WHOLE, groupBy: 4, limit: 1 })
    expect(page).toMatchObject({ total: 1, records: [{ key: 'ST001', name: '东门充电站', receivableFen: total.receivableFen }] })
  })
  it('is not asked of more than a year, nor backwards', async () => {
    const ask = (timeFrom: string, timeTo: string) => yard.server.ask(yard.admin, 'POST', '/lbs/charging/analysis/incomeQuery', { timeFrom, timeTo })
    expect((await ask('2025-01-01', '2026-03-10')).code).toBe(41389)
    expect((await ask(WHOLE.timeTo, WHOLE.timeFrom)).code).toBe(41389)
    expect((await yard.server.ask(yard.operator, 'POST', '/lbs/charging/analysis/incomeQuery', WHOLE)).status).toBe(403)
  })
})

describe('Finance', () => {
  it('carries prepaid money from day to day, and closes at what the ledger has', async () => {
    const { records } = await post('/finance/queryFinance', { timeFrom: '2026-03-09', timeTo: '2026-03-10', limit: 100 })
    expect(records.map((one: any) => one.day)).toEqual(['2026-03-10', '2026-03-09'])
    for (const one of records) {
      expect(one.openFen + one.inFen - one.capturedFen - one.releasedFen).toBe(one.closeFen)
      expect(one.receivableFen).toBe(PARTS.reduce((sum, name) => sum + one[name], 0))
    }
    expect(records[0].openFen).toBe(records[1].closeFen)
    const [row] = await yard.sql<{ fen: number }>(
      `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where enterprise_id = 1 and account = 'liability.charge-prepaid'`,
    )
    expect(records[0].closeFen).toBe(Number(row!.fen))
    expect(records[0]).toMatchObject({ releasedFen: 400, capturedFen: 4420, inFen: 4820 })
  })
  it('sums all days, however few of them a page has; what stands is that of the newest', async () => {
    const asked = { timeFrom: '2026-03-09', timeTo: '2026-03-10' }
    const { records } = await post('/finance/queryFinance', { ...asked, limit: 100 })
    const { sums } = await post('/finance/queryFinance', { ...asked, limit: 1 })
    for (const name of ['inFen', 'capturedFen', 'releasedFen', 'receivableFen', 'paidFen'])
      expect([name, sums[name]]).toEqual([name, records.reduce((sum: number, one: any) => sum + one[name], 0)])
    expect(sums.closeFen).toBe(records[0].closeFen)
    expect(sums.inFen).toBeGreaterThan(records[0].inFen)
  })
  it('has what is given back after a bill as less captured and as sent back, and not as money that came', async () => {
    const day = '2026-03-14'
    const orderNo = await charged({ day })
    const prepaid = 'liability.charge-prepaid'
    await ledger(
      orderNo,
      at('20:00', day),
      [
        { account: 'income.charge-service', debitFen: 150 },
        { account: prepaid, sub: orderNo, creditFen: 150 },
      ],
      'charge.billed',
    )
    await ledger(
      orderNo,
      at('20:00', day),
      [
        { account: prepaid, sub: orderNo, debitFen: 150 },
        { account: 'asset.channel', sub: 'wechat', creditFen: 150 },
      ],
      'refund.done',
    )
    const { records } = await post('/finance/queryFinance', { timeFrom: day, timeTo: day, limit: 100 })
    expect(records).toMatchObject([{ openFen: 0, inFen: 1100, capturedFen: 850, releasedFen: 250, closeFen: 0 }])
  })
})

describe('Use', () => {
  it('says nothing yet of a charge that is only about to start: it may start or fail', async () => {
    const rate = async () => (await post('/analysis/operationsAnalysis', WHOLE)).records[0].startRate
    const before = await rate()
    const orderNo = await charged({ status: 1 })
    expect(await rate()).toBe(before)
    await yard.sql('delete from charging.charge where order_no = $1', [orderNo])
  })
  it('of a station is what its charges took of the time that its guns were in use', async () => {
    const { records } = await post('/analysis/operationsAnalysis', WHOLE)
    expect(records).toHaveLength(1)
    const [one] = records
    expect(one).toMatchObject({ connectors: 2, chargingMin: 60 + 90 + 10 + 240 + 20, sessions: 5, deliveredWh: 60_001, startRate: 833 })
    expect(one.timeUse).toBe(Math.round((one.chargingMin * 1000) / one.inUseMin))
    expect(one.avgMin).toBe(84)
  })
  it('by the hours of the week adds up to the same minutes, and by half hours to the same energy', async () => {
    const { week, durations, day } = await post('/analysis/queryTime', WHOLE)
    expect(week).toHaveLength(168)
    expect(week.reduce((sum: number, one: any) => sum + one.chargingMin, 0)).toBe(420)
    expect(week.find((one: any) => one.weekday === 2 && one.hour === 10)).toMatchObject({ chargingMin: 90, starts: 2 })
    expect(durations.map((one: any) => one.count)).toEqual([1, 1, 0, 2, 0, 1])
    expect(day).toHaveLength(48)
    expect(day.reduce((sum: number, one: any) => sum + one.wh, 0)).toBe(60_001)
  })
  it('has no length of a charge that has not ended, in the mean and among the durations', async () => {
    const orderNo = await charged({ from: '12:00', status: 2 })
    await yard.sql('update charging.charge set end_time = null where order_no = $1', [orderNo])
    const {
      records: [one],
    } = await post('/analysis/operationsAnalysis', WHOLE)
    expect([one.sessions, one.avgMin]).toEqual([6, 84])
    const { durations } = await post('/analysis/queryTime', WHOLE)
    expect(durations.map(({ count }: any) => count)).toEqual([1, 1, 0, 2, 0, 1])
    await yard.sql('delete from charging.charge where order_no = $1', [orderNo])
  })
  it('of energy is delivered as it happened, billed by its bills, and the same in all groups', async () => {
    for (const groupBy of [1, 2, 3, 4]) {
      const found = await post('/analysis/chargingCapacity', { ...WHOLE, groupBy })
      expect(found.deliveredWh, String(groupBy)).toBe(60_001)
      expect(found.rows.reduce((sum: number, one: any) => sum + one.deliveredWh, 0)).toBe(60_001)
      expect(found.rows.reduce((sum: number, one: any) => sum + one.billedWh, 0)).toBe(60_001)
      expect(found.byCurrent).toMatchObject([{ key: 'DC', wh: 60_001 }])
      expect(found.byKind).toMatchObject([{ key: '3', wh: 60_001 }])
      expect(found.peakW).toBeNull()
    }
    await yard.sql(
      `insert into charging.meter_sample (connector_id, park_code, at, received_at, power_w) select g, 'P001', t, t, w from (values ($1, $3::timestamptz, 60000), ($1, $4::timestamptz, 80000), ($2, $4::timestamptz, 30000)) x (g, t, w)`,
      [guns[0], guns[1], at('10:01'), at('10:02')],
    )
    expect((await post('/analysis/chargingCapacity', WHOLE)).peakW).toBe(100_000)
  })
  it('of a register that cannot be counts as nothing until a person has closed its charge', async () => {
    const day = '2026-03-12'
    const span = { timeFrom: at('00:00', day), timeTo: at('23:59', day) }
    await charged({ day, wh: 7_000 })
    const orderNo = await charged({ day, from: '12:00', to: '12:10', wh: 900_000, status: 7 })
    const seen = async () => [
      (await post('/analysis/chargingCapacity', span)).deliveredWh,
      (await post('/analysis/operationsAnalysis', span)).records[0].deliveredWh,
      (await post('/analysis/queryTime', span)).day.reduce((sum: number, one: any) => sum + one.wh, 0),
    ]
    expect(await seen()).toEqual([7_000, 7_000, 7_000])
    const listed = async () =>
      (await post('/pc/charge/recordList', { startTimeFrom: span.timeFrom, startTimeTo: span.timeTo, queryMode: 'sum' })).sums.energyWh
    expect(await listed()).toBe(7_000)
    await yard.sql('update charging.charge set status = 5, energy_wh = 5000 where order_no = $1', [orderNo])
    expect(await seen()).toEqual([12_000, 12_000, 12_000])
    expect(await listed()).toBe(12_000)
  })
  it('goes out as sheets, of the last month where no time is said', async () => {
    const sheets = [
      '/analysis/incomeQueryPageExport',
      '/analysis/operationsAnalysisExport',
      '/analysis/exportQueryTime',
      '/finance/queryFinanceExport',
    ]
    for (const path of sheets)
      for (const time of [WHOLE, {}]) {
        const answer = await yard.server.ask(yard.admin, 'POST', `/lbs/charging${path}`, { ...time, format: 'csv' })
        expect(answer.status, path).toBe(200)
      }
    const bills = await yard.server.ask(yard.admin, 'POST', '/lbs/charging/finance/queryChargeOrderExport', { format: 'csv' })
    expect(bills.status).toBe(200)
  })
})

/** A charge that goes on began so long ago: today, also soon after midnight. */
const LIVE_MIN = Math.min(30, Math.floor((Date.now() - Date.parse(startOf(dayOf(now())))) / 60_000))

describe('The wall', () => {
  it('shows every gun once, with the charge that holds it', async () => {
    const gun = guns[1]!
    await yard.sql(
      `insert into charging.charge (order_no, start_charge_seq, park_code, station_id, equipment_id, connector_id, start_mode, plate_no, status, claimed, start_time, energy_wh, prices)
      values ('CDLIVE', 'CDLIVE', 'P001', 'ST001', $1, $2, 1, '鄂F11111', 2, true, now() - $4 * interval '1 minute', 5000, $3)`,
      [gun.split('-')[0], gun, PRICES, LIVE_MIN],
    )
    await yard.sql(
      `insert into charging.connector_state (connector_id, park_code, status, status_raw, status_at) values ($1, 'P001', 3, 'Charging', now())`,
      [gun],
    )
    await yard.sql(`insert into charging.pile_state (equipment_id, park_code, online) values ($1, 'P001', true)`, [gun.split('-')[0]])
    const all = await get('/monitor/queryConnectorinfoList', { stationId: 'ST001' })
    expect(all).toHaveLength(2)
    expect(all.find((one: any) => one.connectorId === gun)).toMatchObject({
      status: 3,
      orderNo: 'CDLIVE',
      plateNo: '鄂F11111',
      minutes: LIVE_MIN,
      energyWh: 5000,
    })
    const counts = await get('/data/chargeCount', {})
    expect(counts.byStatus.reduce((sum: number, one: any) => sum + one.count, 0)).toBe(counts.connectors)
    expect(await get('/monitor/queryConnectorinfoList', { status: 3 })).toHaveLength(1)
    expect(await get('/monitor/queryConnectorinfo', { connectorId: gun })).toMatchObject({ orderNo: 'CDLIVE', curve: [], changes: [] })
    expect(await get('/monitor/queryChargeOrderId', { connectorId: gun })).toMatchObject({ orderNo: 'CDLIVE', open: 1 })
    expect(await get('/monitor/queryParkChargeOrderList', { parkCode: 'P001' })).toMatchObject([{ orderNo: 'CDLIVE' }])
    expect(await get('/monitor/queryEquipmentinfo', {})).toMatchObject([{ online: true, faults: 0 }])
    expect(await get('/monitor/queryNotifyRecord', { connectorId: gun })).toEqual([])
  })
})

describe('The map', () => {
  it('says where there is room, and what it costs', async () => {
    await yard.sql(
      `insert into charging.connector_state (connector_id, park_code, status, status_raw, status_at) values ($1, 'P001', 1, 'Available', now())`,
      [guns[0]],
    )
    const [place] = await get('/map/queryList', { keyword: '东门' })
    expect(place).toMatchObject({ stationId: 'ST001', fastFree: 1, fastTotal: 2, slowTotal: 0, state: 1 })
    expect(await get('/map/queryList', { keyword: '百分%' })).toEqual([])
    const near = await get('/map/queryMap', { west: 112, east: 113, south: 32, north: 33, zoom: 14 })
    expect(near).toMatchObject([{ stationId: 'ST001', kind: 1, free: 1, total: 2, state: 1 }])
    expect(await get('/map/queryMap', { west: 100, east: 101, south: 32, north: 33, zoom: 14 })).toEqual([])
    expect(await get('/map/queryMap', { zoom: 5 })).toMatchObject([{ count: 1 }])
    expect((await post('/map/queryMapDetails', { stationId: 'ST001' })).guns).toHaveLength(2)
    expect(await get('/deviceMap/getChargingPileGis', { parkCode: 'P001' }, 'device')).toMatchObject([{ approx: 1, worst: 3, gcjLng: 112.14 }])
  })
})

describe('The big screen', () => {
  it('counts today by the same sums', async () => {
    const [order, time, car] = await Promise.all([get('/data/chargeOrder', {}), get('/data/chargeTime', {}), get('/data/chargeCar', {})])
    const day = { timeFrom: now().slice(0, 10), timeTo: now() }
    expect(order.today.receivableFen).toBe((await post('/analysis/incomeQuery', day)).now.receivableFen)
    expect(order.hours).toHaveLength(24)
    expect(time.minutes).toBeGreaterThanOrEqual(LIVE_MIN)
    expect(car).toMatchObject({ cars: 1, fresh: 1, returning: 0, unknown: 0 })
    const lengths = async (where: object) => (await get('/data/chargeTime', where)).durations.reduce((all: number, { count }: any) => all + count, 0)
    expect(await lengths({ regionCode: '420607' })).toBe(await lengths({}))
    // What runs has no length yet.
    expect([await lengths({}), time.mean]).toEqual([0, null])
    await yard.sql(
      `insert into charging.charge (order_no, start_charge_seq, park_code, station_id, equipment_id, connector_id, start_mode, status, start_time, end_time, prices)
        select 'CDENDED', 'CDENDED', park_code, station_id, equipment_id, connector_id, start_mode, 5, $1, $1, prices from charging.charge where order_no = 'CDLIVE'`,
      [startOf(dayOf(now()))],
    )
    expect([await lengths({}), (await get('/data/chargeTime', {})).mean]).toEqual([1, 0])
    expect(await lengths({ regionCode: '110101' })).toBe(0)
  })
})

describe('Time in use', () => {
  it('counts a pile that was taken in use later from its first charge on', async () => {
    const day = '2026-03-16'
    const span = { timeFrom: at('00:00', day), timeTo: at('23:00', day) }
    const inUse = async () => (await post('/analysis/operationsAnalysis', span)).records[0].inUseMin
    const before = await inUse()
    const [equipmentId, connectorId] = ['EQLATE', 'EQLATE-1']
    await yard.sql(
      `insert into charging.equipment (equipment_id, equipment_name, station_id, park_code, equipment_type, power, admin_status) values ($1, $1, 'ST001', 'P001', 1, 120, 4)`,
      [equipmentId],
    )
    await yard.sql(
      `insert into charging.connector (connector_id, equipment_id, station_id, park_code, connector_type, voltage_upper, voltage_lower, current, power, ocpp_connector_no) values ($1, $2, 'ST001', 'P001', 4, 750, 200, 250, 120, 1)`,
      [connectorId, equipmentId],
    )
    expect(await inUse()).toBe(before)
    await yard.sql('update charging.equipment set admin_status = 1 where equipment_id = $1', [equipmentId])
    const known = guns
    guns = [connectorId]
    await charged({ day })
    guns = known
    expect(await inUse()).toBe(before + 13 * 60)
  })
})
