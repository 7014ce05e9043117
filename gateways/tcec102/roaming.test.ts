import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adjustRoaming } from '../../domains/charging/server/roaming/bill.ts'
import { roamingBySeq } from '../../domains/charging/server/roaming/charge.ts'
import { makeStatements } from '../../domains/charging/server/statement.ts'
import { now } from '../../domains/charging/server/testing.ts'
import {
  yard,
  garage,
  openRoaming,
  closeRoaming,
  until,
  MINUTE,
  ago,
  anOperator,
  aDriver,
  starts,
  decide,
  row,
  began,
  course,
  bill,
  owed,
  rights,
} from './factory.ts'

beforeAll(openRoaming, 60_000)
afterAll(closeRoaming)

describe('A charge of our driver', () => {
  it('is found, quoted, begun with money set aside, followed, stopped and billed; the rest is free and the partner is owed all of it', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    const { data: near } = await driver.mine('stations', { keyword: gun, lng: 112.13, lat: 32.03 })
    expect(near).toMatchObject([
      {
        stationName: expect.stringContaining('站'),
        free: 2,
        metres: expect.any(Number),
        guns: [{ connectorId: gun, status: 2, elecPriceE4: 6000, servicePriceE4: 4000 }, {}],
      },
    ])
    const { id, seq, data } = await starts(driver, there, { holdFen: 5_000 })
    expect(data).toMatchObject({ status: 1, holdFen: 5000, held: true, connectorId: gun })
    expect(seq).toMatch(/^\d{27}$/)
    expect(peer.heard.slice(-3).map(({ name }) => name)).toEqual(['query_equip_auth', 'query_equip_business_policy', 'query_start_charge'])
    expect(await driver.stands()).toMatchObject({ principalFen: 10_000, frozenFen: 5_000 })
    expect(await peer.ask('notification_start_charge_result', began(seq, gun))).toEqual({ StartChargeSeq: seq, SuccStat: 0, FailReason: 0 })
    expect(await peer.ask('notification_equip_charge_status', course(seq, gun, 5))).toEqual({ StartChargeSeq: seq, SuccStat: 0 })
    // Two at once, and one from before: the newest stands.
    await Promise.all([8, 7, 6].map((kwh) => peer.ask('notification_equip_charge_status', course(seq, gun, kwh))))
    expect((await driver.mine('charges')).data[0]).toMatchObject({ id, status: 2, energyWh: 8000, costFen: 800, soc: 50 })
    expect((await driver.mine('stop', { id })).data).toMatchObject({ status: 3 })
    expect(
      await peer.ask('notification_stop_charge_result', { StartChargeSeq: seq, StartChargeSeqStat: 4, ConnectorID: gun, SuccStat: 0 }),
    ).toMatchObject({ SuccStat: 0 })
    expect(await peer.ask('notification_equip_charge_status', course(seq, gun, 99))).toMatchObject({ SuccStat: 0 })
    const twice = await Promise.all([1, 2].map(() => peer.ask('notification_charge_order_info', bill(seq, gun, 9.5))))
    expect(twice).toEqual([1, 2].map(() => ({ StartChargeSeq: seq, ConnectorID: gun, ConfirmResult: 0 })))
    expect(await row(id)).toMatchObject({
      status: 5,
      energyWh: 9500,
      costFen: 950,
      capturedFen: 950,
      releasedFen: 4050,
      held: false,
      shortfallFen: 0,
      doubts: [],
      stopReason: 2,
    })
    expect(await driver.stands()).toEqual({ principalFen: 9_050, bonusFen: 0, frozenFen: 0 })
    expect(await owed(there)).toBe(950)
    expect(await yard.sql('select from charging.roaming_bill where order_no = $1', [data.orderNo])).toHaveLength(1)
    expect(await yard.prepaid(data.orderNo)).toBe(0)
    const story = (await yard.server.ask(yard.admin, 'POST', '/lbs/charging/roaming/detail', { id })).data
    expect(story.letters.map((one: any) => one.interface)).toEqual(
      expect.arrayContaining(['query_start_charge', 'notification_start_charge_result', 'query_stop_charge', 'notification_charge_order_info']),
    )
    expect(story.entries.map((one: any) => [one.account, one.debitFen, one.creditFen])).toEqual([
      ['liability.charge-prepaid', 950, 0],
      ['liability.partner', 0, 950],
    ])
    await rights()
  })
  it('is another driver’s to see or stop as little as another partner’s to tell of', async () => {
    const [there, other, driver, stranger] = [await anOperator(), await anOperator(), await aDriver(), await aDriver()]
    const { id, seq } = await starts(driver, there)
    expect((await stranger.mine('charges')).data).toEqual([])
    expect(await stranger.mine('stop', { id })).toMatchObject({ status: 404 })
    expect(await other.peer.ask('notification_start_charge_result', began(seq, there.gun))).toMatchObject({ SuccStat: 1 })
    expect(await other.peer.ask('notification_charge_order_info', bill(seq, there.gun, 50))).toMatchObject({ ConfirmResult: 1 })
    expect(await row(id)).toMatchObject({ status: 1, held: true })
    // A charge that the partner claims and we do not know is a difference between the books.
    expect(
      await yard.sql<any>('select kind, direction, their_fen from charging.partner_difference where platform_id = $1', [other.peer.platformId]),
    ).toEqual([{ kind: 2, direction: 2, theirFen: 5000 }])
  })
  it('does not begin where the partner says no, gives no price or is silent, and keeps no money', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    const start = () => driver.mine('start', { platformId: peer.platformId, connectorId: gun })
    const when = async (name: string, answer: object) => {
      const before = peer.answers[name]
      peer.answers[name] = answer
      const said = await start()
      if (before) peer.answers[name] = before
      else delete peer.answers[name]
      return said
    }
    expect(await when('query_equip_auth', { SuccStat: 1, FailReason: 1 })).toMatchObject({ status: 422, code: 41349 })
    expect(await when('query_equip_auth', { SuccStat: 1, FailReason: 2 })).toMatchObject({ status: 422, code: 41369 })
    expect(await when('query_equip_business_policy', { SuccStat: 0, PolicyInfos: [] })).toMatchObject({ status: 422, code: 41339 })
    expect(
      await when('query_equip_business_policy', { SuccStat: 0, PolicyInfos: [{ StartTime: '000000', ElecPrice: 0.6, Fee: 0.4 }] }),
    ).toMatchObject({ code: 41339 })
    expect(await when('query_start_charge', { SuccStat: 1, FailReason: 2 })).toMatchObject({
      status: 200,
      data: { status: 6, held: false, why: { zh: '对方拒绝启动', en: 'The partner platform refused to start' } },
    })
    // The partner's text beside its code is for the console; the driver is told in their own words.
    expect(await when('query_start_charge', () => 4004)).toMatchObject({
      status: 200,
      data: { status: 6, why: { zh: expect.stringContaining('换一把充电枪'), en: expect.stringContaining('another connector') } },
    })
    expect(await yard.sql<any>('select fail_reason from charging.roaming order by created_at desc limit 1')).toMatchObject([
      { failReason: expect.stringContaining('said') },
    ])
    expect(await when('query_equip_auth', () => 4004)).toMatchObject({ status: 422, code: 41369, message: expect.not.stringContaining('said') })
    peer.refuse = { status: 503 }
    expect(await start()).toMatchObject({ status: 503, code: 41348 })
    peer.refuse = {}
    expect(await driver.mine('start', { platformId: peer.platformId, connectorId: 'NONE' })).toMatchObject({ status: 404, code: 41344 })
    const poor = await aDriver(499)
    expect(await poor.mine('start', { platformId: peer.platformId, connectorId: gun })).toMatchObject({ status: 422, code: 41310 })
    await yard.sql('update charging.platform set status = 2 where id = $1', [peer.platformId])
    expect(await start()).toMatchObject({ status: 404 })
    expect(await driver.stands()).toEqual({ principalFen: 10_000, bonusFen: 0, frozenFen: 0 })
    await rights()
  })
  it('of two who start at one gun one charges; the other’s money is free', async () => {
    const [there, a, b] = [await anOperator(), await aDriver(), await aDriver()]
    const both = await Promise.all([a, b].map((one) => one.mine('start', { platformId: there.peer.platformId, connectorId: there.gun })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect([(await a.stands()).frozenFen, (await b.stands()).frozenFen].sort()).toEqual([0, 10_000])
  })
  it('that began after it was given up takes its gun from the one that came after it', async () => {
    const [there, a, b, c] = [await anOperator(), await aDriver(), await aDriver(), await aDriver()]
    const { peer, gun } = there
    const first = await starts(a, there)
    await peer.ask('notification_start_charge_result', { ...began(first.seq, gun), StartChargeSeqStat: 4, SuccStat: 1, FailReason: 5 })
    const second = await starts(b, there)
    await peer.ask('notification_start_charge_result', { ...began(second.seq, gun) })
    expect(await peer.ask('notification_start_charge_result', began(first.seq, gun))).toMatchObject({ SuccStat: 0 })
    expect([(await row(first.id)).status, (await row(second.id)).status]).toEqual([2, 4])
    expect(await peer.ask('notification_charge_order_info', bill(second.seq, gun, 1))).toMatchObject({ ConfirmResult: 0 })
    // One that has not begun by then never does.
    await peer.ask('notification_charge_order_info', bill(first.seq, gun, 1))
    const third = await starts(c, there)
    await peer.ask('notification_start_charge_result', { ...began(third.seq, gun), StartChargeSeqStat: 4, SuccStat: 1, FailReason: 5 })
    const fourth = await starts(b, there)
    await peer.ask('notification_equip_charge_status', course(third.seq, gun, 1))
    expect([await row(third.id), await row(fourth.id)]).toMatchObject([
      { status: 2, held: true },
      { status: 6, held: false },
    ])
    expect([(await b.stands()).frozenFen, (await c.stands()).frozenFen]).toEqual([0, 10_000])
    await rights()
  })
  it('is billed before its start was told, and what is told afterwards changes nothing', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    const { id, seq } = await starts(driver, there)
    expect(await peer.ask('notification_charge_order_info', bill(seq, gun, 3))).toMatchObject({ ConfirmResult: 0 })
    for (const [name, data] of [
      ['notification_start_charge_result', began(seq, gun)],
      ['notification_equip_charge_status', course(seq, gun, 2)],
      ['notification_stop_charge_result', { StartChargeSeq: seq, StartChargeSeqStat: 4, SuccStat: 0 }],
    ] as const)
      expect(await peer.ask(name, data)).toMatchObject({ SuccStat: 0 })
    expect(await row(id)).toMatchObject({ status: 5, capturedFen: 300, energyWh: 3000 })
    // The same bill again is agreed to, another one is not.
    expect(await peer.ask('notification_charge_order_info', bill(seq, gun, 3))).toMatchObject({ ConfirmResult: 0 })
    const others = [bill(seq, gun, 4), bill(seq, gun, 3, { TotalElecMoney: 1.81, TotalMoney: 3.01 }), bill(seq, gun, 3, { TotalPower: 3.02 })]
    for (const other of others) expect(await peer.ask('notification_charge_order_info', other)).toMatchObject({ ConfirmResult: 1 })
    expect(await driver.stands()).toMatchObject({ principalFen: 9_700, frozenFen: 0 })
    expect(await owed(there)).toBe(300)
  })
})

describe('A partner that lies', () => {
  it('about when neither keeps a charge from being looked after nor its money for ever', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    const { id, seq } = await starts(driver, there, { holdFen: 500 })
    await peer.ask('notification_start_charge_result', { ...began(seq, gun), StartTime: '9999-12-31 23:59:59' })
    const near = (at: unknown) => Math.abs(Date.parse(String(at)) - Date.now())
    expect(near((await row(id)).startTime)).toBeLessThan(MINUTE)
    await peer.ask('notification_equip_charge_status', course(seq, gun, 2, { StartChargeSeqStat: 4, EndTime: '9999-12-31 23:59:59' }))
    expect((await row(id)).status).toBe(4)
    expect(near((await row(id)).endTime)).toBeLessThan(MINUTE)
    const [late, last] = [await starts(driver, { ...there, gun: there.guns[1]! }, { holdFen: 500 }), there.guns[1]!]
    await peer.ask('notification_equip_charge_status', course(late.seq, last, 1, { StartTime: '1970-01-01 00:00:00' }))
    expect(near((await row(late.id)).startTime)).toBeLessThan(MINUTE)
  })
  it('about how much is asked again or stopped, and never read as nought', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    const { id, seq } = await starts(driver, there, { holdFen: 1_000 })
    await peer.ask('notification_start_charge_result', began(seq, gun))
    for (const TotalPower of [-5, 'NaN', null, 1e300, 999_999_999_999]) {
      await peer.ask('notification_equip_charge_status', course(seq, gun, 1, { TotalPower }))
      expect({ TotalPower, ...(await row(id)) }).toMatchObject({ TotalPower, status: 2, energyWh: 0 })
      const said = { TotalPower, StopReason: TotalPower }
      expect({ TotalPower, ...(await peer.call('notification_charge_order_info', bill(seq, gun, 1, said))) }).toMatchObject({ TotalPower, ret: 4004 })
    }
    // Money that it does not tell is billed all the same: what it must cost by now counts.
    await peer.ask('notification_equip_charge_status', course(seq, gun, 9.95, { ElecMoney: 0, SeviceMoney: undefined }))
    await until(async () => expect(await row(id)).toMatchObject({ status: 3, stopReason: 5 }))
    for (const StopReason of [-1, 0.5, 77, '2']) {
      expect(await peer.ask('notification_charge_order_info', bill(seq, gun, 5, { StopReason, TotalMoney: 6 }))).toMatchObject({ ConfirmResult: 1 })
      expect((await row(id)).stopReason).toBe(StopReason === '2' ? 2 : 5)
    }
    expect(await peer.call('notification_equip_charge_status', course(`${seq.slice(0, 26)}\0`, gun, 1))).toMatchObject({ ret: 4004 })
    expect(
      await peer.ask('notification_start_charge_result', { ...began('X', gun), SuccStat: 1, StartChargeSeqStat: 5, FailReasonMsg: 'a\0b' }),
    ).toMatchObject({ SuccStat: 1 })
  })
  it('of an end whose energy cannot be read keeps the money for its bill', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { id, seq } = await starts(driver, there)
    await there.peer.ask('notification_equip_charge_status', course(seq, there.gun, 2, { StartChargeSeqStat: 4, TotalPower: '2 kWh' }))
    expect(await row(id)).toMatchObject({ status: 4, held: true })
    await there.peer.ask('notification_charge_order_info', bill(seq, there.gun, 2))
    const never = await starts(driver, there)
    await there.peer.ask('notification_equip_charge_status', { StartChargeSeq: never.seq, StartChargeSeqStat: 4, TotalPower: 0 })
    expect(await row(never.id)).toMatchObject({ status: 6, held: false })
  })
  it('of a gun whose power nobody knows bills no more than any gun can give', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { id, seq } = await starts(driver, there)
    await yard.sql('update charging.roaming set power_kw = 0 where id = $1', [id])
    expect(await there.peer.ask('notification_charge_order_info', bill(seq, there.gun, 5_000))).toMatchObject({ ConfirmResult: 1 })
    expect(await row(id)).toMatchObject({ status: 7, doubts: [5] })
  })
})

describe('A partner that is stopped', () => {
  it('is asked for nothing new, tells how the charge ends that runs there, and is not deleted before', async () => {
    const [there, driver] = [await anOperator({ role: 3 }), await aDriver()]
    const { peer, gun, guns } = there
    const { id, seq } = await starts(driver, there)
    await peer.ask('notification_start_charge_result', began(seq, gun))
    const post = (path: string, body?: object) => yard.server.ask<any>(yard.admin, 'POST', `/lbs/charging/chargingPlatform/${path}`, body)
    const version = async () => (await yard.sql<any>('select version from charging.platform where id = $1', [peer.platformId]))[0].version
    await post('update', { id: peer.platformId, version: await version(), status: 2 })
    const asked = peer.heard.length
    expect(await driver.mine('start', { platformId: peer.platformId, connectorId: guns[1] })).toMatchObject({ status: 404, code: 41344 })
    expect(peer.heard).toHaveLength(asked)
    expect(await post(`delete?id=${peer.platformId}&version=${await version()}`)).toMatchObject({ code: 41377 })
    // Its token is void; a new one is for this only.
    expect(await peer.call('notification_equip_charge_status', course(seq, gun, 1))).toMatchObject({ ret: 4002 })
    const again = await peer.call('query_token', { OperatorID: peer.operatorId, OperatorSecret: peer.secret })
    const token = again.data.AccessToken
    expect(await peer.call('query_stations_info', {}, { token })).toMatchObject({ ret: 4003 })
    expect(await peer.call('query_start_charge', { StartChargeSeq: peer.seq(), ConnectorID: 'X' }, { token })).toMatchObject({ ret: 4003 })
    expect(await peer.call('notification_charge_order_info', bill(seq, gun, 3), { token })).toMatchObject({ ret: 0, data: { ConfirmResult: 0 } })
    expect(await row(id)).toMatchObject({ status: 5, capturedFen: 300 })
    // Now it has nothing to say any more.
    expect(await peer.call('notification_charge_order_info', bill(seq, gun, 3), { token })).toMatchObject({ ret: 4001 })
    expect(await post(`delete?id=${peer.platformId}&version=${await version()}`)).toMatchObject({ status: 200 })
  })
})

describe('A driver', () => {
  it('among ten thousand guns is shown the nearest stations, and of a big one the guns that can be had, or that are looked for', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { platformId } = there.peer
    await yard.sql(
      `insert into charging.partner_station (platform_id, station_id, station_name, operator_id, address, station_type, station_status, station_lng, station_lat, heard_at)
      select $1, 'B' || n, '大站' || n, 'MA9999999', '', 1, 50, 100 + n * 0.01, 40, now() from generate_series(1, 100) n`,
      [platformId],
    )
    await yard.sql(
      `insert into charging.partner_connector (platform_id, station_id, equipment_id, connector_id, connector_type, power, heard_at, status)
      select $1, 'B' || n, 'E', 'B' || n || '-' || lpad(g::text, 3, '0'), 4, 60, now(), case when g = 100 then 1 else 3 end from generate_series(1, 100) n, generate_series(1, 100) g`,
      [platformId],
    )
    const { data } = await driver.mine('stations', { keyword: '大站', lng: 100.5, lat: 40 })
    expect(data).toHaveLength(20)
    expect(data.map(({ metres }: any) => metres)).toEqual(data.map(({ metres }: any) => metres).toSorted((a: number, b: number) => a - b))
    expect(data.every(({ metres }: any) => metres < 12_000)).toBe(true)
    expect(data[0]).toMatchObject({ total: 100, free: 1 })
    expect(data[0].guns).toHaveLength(60)
    expect(data[0].guns.at(-1)).toMatchObject({ status: 1 })
    const {
      data: [one],
    } = await driver.mine('stations', { keyword: 'b7-09' })
    expect(one.guns.map(({ connectorId }: any) => connectorId)).toEqual(expect.arrayContaining(['B7-090', 'B7-099', 'B7-100']))
    // A sign of the pattern is a sign of the name.
    expect((await driver.mine('stations', { keyword: '大站%1' })).data).toEqual([])
  })
})

describe('A bill', () => {
  it('that is not what was quoted waits for a person, who settles it at what was agreed', async () => {
    const [there, driver] = [await anOperator({ dialect: 2 }), await aDriver()]
    const { peer, gun } = there
    const { id, seq } = await starts(driver, there)
    const wrong = {
      1: bill(seq, gun, 5, { TotalMoney: 5.01 }),
      2: bill(seq, gun, 5, { TotalPower: 6, TotalElecMoney: 3.6, TotalSeviceMoney: 2.4, TotalMoney: 6 }),
      3: bill(seq, gun, 5, {
        TotalElecMoney: 4,
        TotalMoney: 6,
        ChargeDetails: [{ ...bill(seq, gun, 5).ChargeDetails[0], ElecPrice: 0.8, DetailElecMoney: 4 }],
      }),
      4: bill(seq, gun, 5, { StartTime: ago(300) }),
      5: bill(seq, gun, 50),
      6: bill(seq, 'ANOTHER', 5),
    }
    for (const [doubt, data] of Object.entries(wrong)) {
      expect(await peer.ask('notification_charge_order_info', data)).toMatchObject({ ConfirmResult: 1 })
      expect({ doubt, ...(await row(id)) }).toMatchObject({ status: 7, held: true, doubts: [Number(doubt)] })
    }
    // A figure that cannot be read is an error of the letter, and no bill of nought; theirs is spelled otherwise.
    const { TotalSeviceMoney, ...without } = bill(seq, gun, 5)
    expect(await peer.call('notification_charge_order_info', { ...without, ServiceCharge: TotalSeviceMoney })).toMatchObject({ ret: 4004 })
    const theirs = bill(seq, gun, 8, { TotalMoney: 8.5 })
    const spelledSo = JSON.parse(JSON.stringify(theirs).replaceAll('Sevice', 'Service').replaceAll('TotalElecMoney', 'TotalElectMoney'))
    expect(await peer.ask('notification_charge_order_info', spelledSo)).toMatchObject({ ConfirmResult: 1 })
    const settle = (more: object) => yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/roaming/settle', { id, reason: '与对方商定', ...more })
    const { version } = await row(id)
    expect(await settle({ version, amountFen: 801 })).toMatchObject({ status: 422, code: 41346 })
    expect(await settle({ version: version - 1, amountFen: 700 })).toMatchObject({ status: 409 })
    // One person agrees to it, and nothing moves; another says yes.
    expect(await settle({ version, amountFen: 600 })).toMatchObject({ status: 200, data: { status: 7, capturedFen: 0, held: true, agreedFen: 600 } })
    expect(await settle({ version: version + 1, amountFen: 700 })).toMatchObject({ status: 409, code: 41336 })
    expect(await decide(yard.admin, id, { version: version + 1, pass: true })).toMatchObject({ status: 422, code: 40506 })
    expect(await decide(garage.second, id, { version: version + 1, pass: false, verdict: '应为 7 元' })).toMatchObject({
      data: { status: 7, agreedFen: null, agreedNote: '与对方商定；应为 7 元' },
    })
    expect(await decide(garage.second, id, { version: version + 2, pass: true })).toMatchObject({ status: 409, code: 41337 })
    await settle({ version: version + 2, amountFen: 650 })
    // Its partner bills it anew: what was agreed to was of another bill.
    await peer.ask('notification_charge_order_info', spelledSo)
    expect(await row(id)).toMatchObject({ status: 7, agreedFen: null, version: version + 4 })
    expect(await decide(garage.second, id, { version: version + 3, pass: true })).toMatchObject({ status: 409 })
    await settle({ version: version + 4, amountFen: 700 })
    const both = await Promise.all([1, 2].map(() => decide(garage.second, id, { version: version + 5, pass: true })))
    expect(both.filter(({ status }) => status === 200)).toMatchObject([{ data: { status: 5, capturedFen: 700, releasedFen: 9300, held: false } }])
    expect(await settle({ version: (await row(id)).version, amountFen: 700 })).toMatchObject({ status: 409 })
    expect(await owed(there)).toBe(700)
    expect(await driver.stands()).toEqual({ principalFen: 9_300, bonusFen: 0, frozenFen: 0 })
    await rights()
  })
  it('that was put right in the meantime is settled at once', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { seq, id } = await starts(driver, there)
    await there.peer.ask('notification_charge_order_info', bill(seq, there.gun, 5, { TotalMoney: 6 }))
    expect(await there.peer.ask('notification_charge_order_info', bill(seq, there.gun, 5))).toMatchObject({ ConfirmResult: 0 })
    expect(await row(id)).toMatchObject({ status: 5, capturedFen: 500, doubts: [] })
  })
  it('over what was set aside takes what is free by now, else is a debt that keeps its driver from the next charge', async () => {
    const [there, rich, poor] = [await anOperator(), await aDriver(), await aDriver(600)]
    const first = await starts(rich, there, { holdFen: 500 })
    await there.peer.ask('notification_charge_order_info', bill(first.seq, there.gun, 9))
    expect(await rich.stands()).toEqual({ principalFen: 9_100, bonusFen: 0, frozenFen: 0 })
    // All of it was set aside in the end: what is held is taken or released, what is owed taken or short.
    expect(await row(first.id)).toMatchObject({ holdFen: 900, capturedFen: 900, releasedFen: 0, shortfallFen: 0 })
    const second = await starts(poor, there, { holdFen: 600 })
    await there.peer.ask('notification_charge_order_info', bill(second.seq, there.gun, 9))
    expect(await row(second.id)).toMatchObject({ holdFen: 600, capturedFen: 600, shortfallFen: 300, status: 5 })
    expect(await poor.stands()).toEqual({ principalFen: 0, bonusFen: 0, frozenFen: 0 })
    expect(await owed(there)).toBe(1800)
    // Of one yuan and less nobody makes a debt.
    const short = await aDriver(600)
    const third = await starts(short, there, { holdFen: 600 })
    await there.peer.ask('notification_charge_order_info', bill(third.seq, there.gun, 7))
    expect(
      await yard.sql<any>('select captured_fen, waived_fen, arrears_fen from charging.roaming_bill where order_no = $1', [third.data.orderNo]),
    ).toEqual([{ capturedFen: 600, waivedFen: 100, arrearsFen: 0 }])
    await garage.recharge(short.ownerId, 5_000)
    await starts(short, there)
    await garage.recharge(poor.ownerId, 5_000)
    expect(await poor.mine('start', { platformId: there.peer.platformId, connectorId: there.gun })).toMatchObject({ status: 409, code: 41307 })
    await rights()
  })
})

describe('A month', () => {
  it('of our drivers there is owed as it was billed, compared by the partner, put right, and paid', async () => {
    const [there, driver] = [await anOperator({ role: 3 }), await aDriver()]
    const { peer, gun } = there
    const seqs: string[] = []
    for (const kwh of [4, 5]) {
      const { seq } = await starts(driver, there)
      await peer.ask('notification_charge_order_info', bill(seq, gun, kwh))
      seqs.push(seq)
    }
    const check = {
      CheckOrderSeq: peer.seq(),
      StartTime: `${ago(0).slice(0, 10)} 00:00:00`,
      EndTime: `${ago(0).slice(0, 10)} 23:59:59`,
      OrderCount: 2,
      TotalOrderPower: 9,
      TotalOrderMoney: 8,
    }
    const ours = { StartChargeSeq: seqs[0], TotalPower: 4, TotalMoney: 4 }
    const answer = await peer.ask('check_charge_orders', {
      ...check,
      ChargeOrders: [ours, { StartChargeSeq: seqs[1], TotalPower: 5, TotalMoney: 4 }],
    })
    expect(answer).toMatchObject({
      TotalDisputeOrder: 1,
      TotalDisputeMoney: 5,
      DisputeOrders: [{ StartChargeSeq: seqs[1], TotalPower: 5, TotalMoney: 5 }],
    })
    expect(await peer.ask('check_charge_orders', { ...check, CheckOrderSeq: peer.seq(), OrderCount: 1, ChargeOrders: [ours] })).toMatchObject({
      TotalDisputeOrder: 1,
    })
    const [difference] = await yard.sql<any>(
      'select id, version, direction, our_fen, their_fen from charging.partner_difference where platform_id = $1',
      [peer.platformId],
    )
    expect(difference).toMatchObject({ direction: 2, ourFen: 500 })
    await peer.ask('check_charge_orders', {
      ...check,
      CheckOrderSeq: peer.seq(),
      ChargeOrders: [ours, { StartChargeSeq: seqs[1], TotalPower: 5, TotalMoney: 4 }],
    })
    const post = (path: string, body: object, token = yard.admin) => yard.server.ask(token, 'POST', `/lbs/charging/statement/${path}`, body)
    const [{ version }] = (await yard.sql<any>('select version from charging.partner_difference where id = $1', [difference.id])) as [any]
    expect(await post('settleDifference', { id: difference.id, version, closing: 2, reason: '对方少收' })).toMatchObject({
      status: 200,
      data: { state: 3 },
    })
    expect(await owed(there)).toBe(900)
    expect(await post('decideDifference', { id: difference.id, version: version + 1, pass: true }, garage.second)).toMatchObject({
      status: 200,
      data: { state: 2 },
    })
    // A yuan less for the partner is a yuan more for the driver.
    expect(await owed(there)).toBe(800)
    expect(await driver.stands()).toEqual({ principalFen: 9_200, bonusFen: 0, frozenFen: 0 })
    const month = ago(0).slice(0, 7)
    await yard.write((tx) => makeStatements(tx, month, now()))
    const [made] = (await post('query', { platformId: peer.platformId })).data.records
    expect(made).toMatchObject({ direction: 2, orders: 2, elecFen: 540, serviceFen: 360, adjustFen: -100, netFen: 800, splitFen: 0 })
    const sent = (await post('send', { id: made.id, version: made.version })).data
    expect(await post('confirm', { id: made.id, version: sent.version })).toMatchObject({ code: 41393 })
    const confirmed = (await post('confirm', { id: made.id, version: sent.version }, garage.second)).data
    expect(await post('settle', { id: made.id, version: confirmed.version, tradeNo: 'B1' })).toMatchObject({ status: 200, data: { state: 4 } })
    expect(await owed(there)).toBe(0)
    await rights()
  })
  it('in which the partner is found to be owed more is ours to bear, never the driver’s', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { seq, id } = await starts(driver, there)
    await there.peer.ask('notification_charge_order_info', bill(seq, there.gun, 5))
    await yard.write(async (tx) => adjustRoaming(tx, (await roamingBySeq(tx, there.peer.platformId, seq))!, 200, '对账', now()))
    expect([await owed(there), (await driver.stands()).principalFen, (await row(id)).capturedFen]).toEqual([700, 9_500, 500])
    await rights()
  })
})
