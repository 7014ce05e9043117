import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { began, connectorSaid, ended, meterSaid, pileSignedOut, startAnswered } from '../../domains/charging/server/api.ts'
import { finalise } from '../../domains/charging/server/bill.ts'
import { lockCharge } from '../../domains/charging/server/charge.ts'
import { vault } from '../../domains/charging/server/partner.ts'
import { askYesterday, checkAnswered } from '../../domains/charging/server/partnerCheck.ts'
import { makeStatements } from '../../domains/charging/server/statement.ts'
import { anotherWho, aYard, now, type Yard } from '../../domains/charging/server/testing.ts'
import { cityTime, instantAt, startOf } from '../../platform/contract/time.ts'
import { reading, run } from '../../platform/server/database.ts'
import type { Limits } from '../../platform/server/call/limits.ts'
import { stampOf } from './codec.ts'
import { partnerDoor } from './gateway.ts'
import { aPeer, KEY, type Peer } from './testing.ts'

/** Entered by HTTP as a partner does it, and heard by another server as a partner hears it. */
let yard: Yard
const peers: Peer[] = []
beforeAll(async () => void (yard = await aYard()), 60_000)
afterAll(async () => {
  for (const one of peers) await one.close()
  await yard?.close()
})
const peerOf = async (more: Parameters<typeof aPeer>[1] = {}) => {
  const made = await aPeer(yard, more)
  peers.push(made)
  return made
}
const until = <T>(work: () => T | Promise<T>) => vi.waitFor(work, { timeout: 15_000, interval: 50 })
const MINUTE = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString() as ReturnType<typeof now>
const plug = (connectorId: string, status: 1 | 2 | 3 | 0) =>
  yard.write((tx) => connectorSaid(tx, { connectorId, status, raw: `S${status}`, at: now(), receivedAt: now() }))

describe('The door', () => {
  it('lets the published example past its signature, and refuses it for its age; with one character changed it is a stranger’s', async () => {
    const secrets = { operatorSecret: KEY, dataSecret: KEY, dataSecretIv: KEY, sigSecret: KEY }
    await yard.sql(`insert into charging.platform (name, operator_id, role, ours) values ('样例', '123456789', 1, $1)`, [
      vault().locked(JSON.stringify(secrets)),
    ])
    const example = {
      OperatorID: '123456789',
      TimeStamp: '20180120165755',
      Seq: '0001',
      Data: 'mYvffpNoFf4E/ZTC1tOw41TC5OlkEobfAYCm5N8hEusaLUaUIqOrXtdbMrSck0DSmfM7mRuOGMoCQzH0nWPGuw==',
      Sig: 'D2D584A14F3F284445DF85D0E8C0697C',
    }
    const ask = async (body: unknown) =>
      (await (
        await fetch(`${yard.server.url}/evcs/v1/query_token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as object
    expect(await ask(example)).toMatchObject({ Ret: 4003 })
    const stranger = { Ret: 4001, Msg: 'the signature is not right', Data: '', Sig: '' }
    expect(await ask({ ...example, Seq: '0002' })).toEqual(stranger)
    expect(await ask({ ...example, OperatorID: '987654321' })).toEqual(stranger)
    for (const body of [{}, null, 'x', { ...example, Sig: undefined }, { ...example, TimeStamp: 'x' }])
      expect(await ask(body)).toMatchObject({ Ret: 4003 })
  })
  it('gives a token for the secret alone, and answers nothing without it', async () => {
    const peer = await peerOf()
    const token = (more: object) => peer.call('query_token', { OperatorID: peer.operatorId, OperatorSecret: 'wrong', ...more })
    expect(await token({})).toMatchObject({ ret: 0, signed: true, data: { SuccStat: 1, FailReason: 2, AccessToken: '' } })
    expect(await token({ OperatorID: 'OTHER0001' })).toMatchObject({ data: { SuccStat: 1, FailReason: 1 } })
    expect(await peer.call('query_stations_info', {})).toMatchObject({ ret: 4002, signed: true })
    expect(await peer.call('query_stations_info', {}, { token: 'x'.repeat(43) })).toMatchObject({ ret: 4002 })
    expect(await peer.ask('query_stations_info', {})).toMatchObject({ PageNo: 1 })
    expect(await peer.call('query_stations_info', {}, { sig: '0'.repeat(32) })).toMatchObject({ ret: 4001, signed: false })
    expect(await peer.call('query_stations_info', {}, { timeStamp: stampOf(Date.now() - 20 * MINUTE) })).toMatchObject({ ret: 4003 })
    expect(await peer.call('take_over', {})).toMatchObject({ ret: 4003 })
    const [kept] = await yard.sql<{ n: number }>(`select count(*)::int as n from charging.partner_message where platform_id = $1`, [peer.platformId])
    expect(kept!.n).toBe(0)
    await yard.sql('update charging.platform set status = 2 where id = $1', [peer.platformId])
    expect(await peer.call('query_stations_info', {})).toMatchObject({ ret: 4001 })
  })
  it('hears an envelope once; who sends old ones, or calls without a token, takes nothing from the partner', async () => {
    const peer = await peerOf()
    await peer.ask('query_stations_info', {})
    const same = { timeStamp: stampOf(Date.now()), seq: '0001' }
    expect(await peer.call('query_stations_info', {}, same)).toMatchObject({ ret: 0 })
    expect(await peer.call('query_stations_info', {}, same)).toMatchObject({ ret: 4003, signed: true })
    // Some never count: what differs in anything is another word.
    expect(await peer.call('query_stations_info', { PageNo: 2 }, same)).toMatchObject({ ret: 0 })
    const asksForToken = () => peer.call('query_token', { OperatorID: peer.operatorId, OperatorSecret: peer.secret }, { ...same, seq: '0002' })
    expect(await asksForToken()).toMatchObject({ ret: 0 })
    expect(await asksForToken()).toMatchObject({ ret: 4003 })
    // Without a token it is not used up: the same is heard with one.
    const early = { ...same, seq: '0003' }
    expect(await peer.call('query_stations_info', {}, { ...early, token: null })).toMatchObject({ ret: 4002 })
    expect(await peer.call('query_stations_info', {}, early)).toMatchObject({ ret: 0 })
  })
  it('lets nobody who sends old envelopes, or none that is signed, take anything from what the partner may ask', async () => {
    const peer = await peerOf()
    await peer.ask('query_stations_info', {})
    let [asked, refused] = [0, 0]
    const full = () => {
      throw new Error('full')
    }
    const app = Fastify()
    partnerDoor(app, yard.server.house, {
      address() {},
      partner: () => void asked++,
      stranger: () => (++refused > 2 ? full() : undefined),
    } as unknown as Limits)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    const call = (more: object) => peer.call('query_stations_info', {}, { url, ...more })
    const old = { timeStamp: stampOf(Date.now() - 60 * MINUTE) }
    expect([await call(old), await call({ token: null }), await call(old), await call({ sig: '0'.repeat(32) })].map(({ ret }) => ret)).toEqual([
      4003, 4002, -1, -1,
    ])
    expect(asked).toBe(0)
    expect(await call({})).toMatchObject({ ret: 0 })
    expect([asked, refused]).toEqual([1, 4])
  })
  it('answers what cannot be kept as what it is, and counts a charge once however often it is named', async () => {
    const peer = await peerOf()
    await peer.ask('query_stations_info', {})
    expect(await peer.call('query_stations_info', { LastQueryTime: '0001-01-01 00:00:00' })).toMatchObject({ ret: 4004 })
    const check = (ChargeOrders: unknown[], more: object = {}) =>
      peer.call('check_charge_orders', {
        CheckOrderSeq: peer.seq(),
        StartTime: '2026-01-01 00:00:00',
        EndTime: '2026-01-02 00:00:00',
        OrderCount: ChargeOrders.length,
        ChargeOrders,
        ...more,
      })
    const charge = (StartChargeSeq: string, TotalMoney = 1) => ({ StartChargeSeq, TotalPower: 1, TotalMoney })
    expect(await check([charge('MP\0')])).toMatchObject({ ret: 4004 })
    expect(await check([charge('MP\ud800')])).toMatchObject({ ret: 4004 })
    expect(await check([], { StartTime: '0001-01-01 00:00:00', EndTime: '0001-01-02 00:00:00' })).toMatchObject({ ret: 4004 })
    const seq = peer.seq()
    expect((await check(Array.from({ length: 300 }, () => charge(seq)))).data).toMatchObject({ TotalDisputeOrder: 1 })
    expect((await check([charge(seq), charge(seq, 2), charge(peer.seq())])).data).toMatchObject({ TotalDisputeOrder: 2 })
  })
  it('shows the stations that are open to a partner, and of no other one anything', async () => {
    const [peer, other] = [await peerOf({ dialect: 2 }), await peerOf({ stations: [] })]
    const { connectorId } = await yard.aGun()
    const info = await peer.ask('query_stations_info', { LastQueryTime: '', PageNo: 1, PageSize: 10 })
    expect(info).toMatchObject({
      PageCount: 1,
      ItemSize: 1,
      StationInfos: [{ StationID: 'ST001', StationName: '东门充电站', OperatorID: 'MA0000001', BusinessHours: '00:00-24:00' }],
    })
    expect(info.StationInfos[0].EquipmentInfos.flatMap((one: any) => one.ConnectorInfos).map((one: any) => one.ConnectorID)).toContain(connectorId)
    expect((await peer.ask('query_stations_info', { LastQueryTime: '2099-01-01 00:00:00' })).StationInfos).toEqual([])
    expect(await peer.call('query_stations_info', { LastQueryTime: 'yesterday' })).toMatchObject({ ret: 4004 })
    const status = await peer.ask('query_station_status', { StationIDs: ['ST001', 'NONE'] })
    expect(status.Total).toBe(1)
    expect(status.StationStatusInfos[0].ConnectorStatusInfos).toContainEqual({ ConnectorID: connectorId, Status: 1, ParkStatus: 0, LockStatus: 0 })
    expect(await peer.call('query_station_status', { StationIDs: Array.from({ length: 51 }, (_, n) => `S${n}`) })).toMatchObject({ ret: 4004 })
    expect((await other.ask('query_stations_info', {})).StationInfos).toEqual([])
    expect((await other.ask('query_station_status', { StationIDs: ['ST001'] })).Total).toBe(0)
    expect(await other.call('query_station_stats', { StationID: 'ST001', StartTime: '2026-01-01', EndTime: '2026-01-02' })).toMatchObject({
      ret: 4004,
    })
    expect(await other.ask('query_start_charge', { StartChargeSeq: other.seq(), ConnectorID: connectorId, QRCode: '' })).toMatchObject({
      SuccStat: 1,
      FailReason: 1,
    })
  })
})

/** A partner's driver begins, and the pile takes it. */
async function started(peer: Peer, minutes = 10) {
  const gun = await yard.aGun()
  await plug(gun.connectorId, 2)
  const seq = peer.seq()
  const asked = await peer.ask('query_start_charge', { StartChargeSeq: seq, ConnectorID: gun.connectorId, QRCode: '' })
  expect(asked).toMatchObject({ StartChargeSeq: seq, StartChargeSeqStat: 1, SuccStat: 0 })
  const [{ orderNo, token }] = (await yard.sql<any>('select order_no, token from charging.charge where start_charge_seq = $1', [seq])) as [any]
  await yard.write((tx) => startAnswered(tx, { orderNo, accepted: true, at: now() }))
  const { transactionId } = await yard.write((tx) =>
    began(tx, {
      connectorId: gun.connectorId,
      transactionId: null,
      idTag: token,
      meterWh: 1_000,
      at: ago(minutes),
      receivedAt: now(),
      offline: false,
    }),
  )
  return { ...gun, seq, orderNo, transactionId }
}
const heardOf = (peer: Peer, name: string) => peer.heard.filter((one) => one.name === name).map(({ data }) => data)

describe('A charge of a partner', () => {
  it('is quoted, begun once, told of, stopped and billed as it was quoted', async () => {
    const peer = await peerOf()
    const { id } = (
      await yard.server.ask(yard.admin, 'POST', '/lbs/charging/chargingPlatformReduce/add', {
        ...{ platformId: peer.platformId, reduceType: 1, name: '九折', value: 900, startAt: ago(60), endAt: ago(-60) },
      })
    ).data
    expect(id).toBeDefined()
    const { connectorId, equipmentId, seq, orderNo, transactionId } = await started(peer)
    const policy = await peer.ask('query_equip_business_policy', { EquipBizSeq: peer.seq(), ConnectorID: connectorId })
    expect(policy).toMatchObject({
      SuccStat: 0,
      SumPeriod: 2,
      PolicyInfos: [
        { StartTime: '000000', ElecPrice: 0.3, SevicePrice: 0.36 },
        { StartTime: '080000', ElecPrice: 0.6, SevicePrice: 0.36 },
      ],
    })
    const again = await peer.ask('query_start_charge', { StartChargeSeq: seq, ConnectorID: connectorId, QRCode: '' })
    expect(again).toMatchObject({ StartChargeSeqStat: 2, SuccStat: 0 })
    expect(await yard.sql('select 1 from charging.charge where connector_id = $1', [connectorId])).toHaveLength(1)
    await yard.write((tx) =>
      meterSaid(tx, {
        connectorId,
        transactionId,
        samples: [{ at: ago(1), meterWh: 6_000, powerW: 30_000, soc: 55, currentMa: 80_500, voltageDv: 3_802 }],
        receivedAt: now(),
      }),
    )
    const progress = await peer.ask('query_equip_charge_status', { StartChargeSeq: seq })
    expect(progress).toMatchObject({ StartChargeSeqStat: 2, ConnectorID: connectorId, TotalPower: 5, Soc: 55, CurrentA: 80.5, VoltageA: 380.2 })
    expect(await peer.ask('query_stop_charge', { StartChargeSeq: seq, ConnectorID: connectorId })).toMatchObject({
      StartChargeSeqStat: 3,
      SuccStat: 0,
      FailReason: 0,
    })
    await yard.write((tx) => ended(tx, { equipmentId, transactionId, meterWh: 6_000, reason: 6, at: now(), receivedAt: now(), offline: false }))
    expect(await peer.ask('query_stop_charge', { StartChargeSeq: seq, ConnectorID: connectorId })).toMatchObject({
      StartChargeSeqStat: 4,
      SuccStat: 1,
      FailReason: 3,
    })
    await yard.write(async (tx) => finalise(tx, await lockCharge(tx, orderNo), now()))
    const [bill] = await yard.bills(orderNo)
    await until(() => expect(heardOf(peer, 'notification_charge_order_info')).toHaveLength(1))
    const [order] = heardOf(peer, 'notification_charge_order_info')
    expect(order).toMatchObject({
      StartChargeSeq: seq,
      TotalPower: 5,
      StopReason: 1,
      TotalElecMoney: Number(bill.elecFen) / 100,
      TotalSeviceMoney: Number(bill.serviceFen) / 100,
    })
    expect(order.ChargeDetails.every((one: any) => one.SevicePrice === 0.36)).toBe(true)
    expect(bill).toMatchObject({ paidBy: 4, serviceFen: 180, partnerFen: bill.payableFen })
    expect(heardOf(peer, 'notification_start_charge_result')).toMatchObject([{ StartChargeSeq: seq, StartChargeSeqStat: 2, SuccStat: 0 }])
    expect(heardOf(peer, 'notification_stop_charge_result')).toMatchObject([{ StartChargeSeq: seq, StartChargeSeqStat: 4, SuccStat: 0 }])
    expect(peer.heard.map(({ name }) => name).indexOf('notification_start_charge_result')).toBeLessThan(
      peer.heard.map(({ name }) => name).indexOf('notification_charge_order_info'),
    )
    const stats = await peer.ask('query_station_stats', { StationID: 'ST001', StartTime: '2026-01-01', EndTime: '2026-12-31' })
    expect(stats.StationStats.StationElectricity).toBeGreaterThanOrEqual(5)
  })
  it('of two requests by one number at once is one; another partner’s number is refused, and its charge is nobody else’s', async () => {
    const [peer, other] = [await peerOf(), await peerOf()]
    const { connectorId } = await yard.aGun()
    const seq = peer.seq()
    await peer.ask('query_stations_info', {})
    const both = await Promise.all([1, 2].map(() => peer.ask('query_start_charge', { StartChargeSeq: seq, ConnectorID: connectorId, QRCode: '' })))
    expect(both.map(({ SuccStat }) => SuccStat)).toEqual([0, 0])
    expect(await yard.sql('select 1 from charging.charge where connector_id = $1', [connectorId])).toHaveLength(1)
    expect(await peer.ask('query_start_charge', { StartChargeSeq: peer.seq(), ConnectorID: connectorId, QRCode: '' })).toMatchObject({
      SuccStat: 1,
      FailReason: 3,
    })
    await other.ask('query_stations_info', {})
    for (const name of ['query_start_charge', 'query_stop_charge', 'query_equip_charge_status'])
      expect(await other.call(name, { StartChargeSeq: seq, ConnectorID: connectorId, QRCode: '' })).toMatchObject({ ret: 4004 })
    expect(await other.ask('query_stop_charge', { StartChargeSeq: other.seq(), ConnectorID: connectorId })).toMatchObject({ SuccStat: 1 })
    expect(await peer.ask('query_stop_charge', { StartChargeSeq: seq, ConnectorID: connectorId })).toMatchObject({
      StartChargeSeqStat: 4,
      SuccStat: 0,
    })
    await until(() => expect(heardOf(peer, 'notification_start_charge_result')).toMatchObject([{ StartChargeSeq: seq, SuccStat: 1 }]))
  })
  it('stays within its platform’s credit, what runs counted in', async () => {
    const peer = await peerOf({ creditLimitFen: 5_000 })
    const [one, two] = [await yard.aGun(), await yard.aGun()]
    await peer.ask('query_stations_info', {})
    const start = (connectorId: string) => peer.ask('query_start_charge', { StartChargeSeq: peer.seq(), ConnectorID: connectorId, QRCode: '' })
    const both = await Promise.all([start(one.connectorId), start(two.connectorId)])
    expect(both.map(({ FailReason }) => FailReason).sort()).toEqual([0, 4])
    const auth = async (connectorId: string) =>
      (await peer.ask('query_equip_auth', { EquipAuthSeq: peer.seq(), ConnectorID: connectorId })).FailReason
    const { connectorId } = await yard.aGun()
    expect(await auth(connectorId)).toBe(1)
    await plug(connectorId, 2)
    expect(await auth(connectorId)).toBe(2)
    await plug(connectorId, 0)
    expect(await peer.ask('query_start_charge', { StartChargeSeq: peer.seq(), ConnectorID: connectorId, QRCode: '' })).toMatchObject({ SuccStat: 1 })
  })
  it('is not begun where nothing answers, whether a car is plugged in or not', async () => {
    const peer = await peerOf()
    await peer.ask('query_stations_info', {})
    const { equipmentId, connectorId } = await yard.aGun()
    const auth = async () => (await peer.ask('query_equip_auth', { EquipAuthSeq: peer.seq(), ConnectorID: connectorId })).FailReason
    const start = () => peer.ask('query_start_charge', { StartChargeSeq: peer.seq(), ConnectorID: connectorId, QRCode: '' })
    expect(await auth()).toBe(1)
    await yard.sql('update charging.pile_state set online = false where equipment_id = $1', [equipmentId])
    expect(await auth()).toBe(2)
    expect(await start()).toMatchObject({ SuccStat: 1, FailReason: 2 })
    await yard.sql('update charging.pile_state set online = true where equipment_id = $1', [equipmentId])
    expect(await start()).toMatchObject({ SuccStat: 0 })
  })
})

describe('A letter', () => {
  it('tells a gun’s latest state, is tried again while nobody takes it, and a token that is over is asked for anew', async () => {
    const peer = await peerOf()
    const { connectorId } = await yard.aGun()
    peer.refuse = { status: 503 }
    await plug(connectorId, 2)
    const letters = () =>
      yard.sql<any>(`select state, tries, said, answer from charging.partner_message where platform_id = $1 and connector_id = $2 order by id`, [
        peer.platformId,
        connectorId,
      ])
    await until(async () => expect((await letters())[0]?.tries).toBeGreaterThan(0))
    expect((await letters())[0]).toMatchObject({ state: 0, answer: 'HTTP 503' })
    await plug(connectorId, 3)
    peer.refuse = {}
    // Theirs is another one now, as after a restart of their side.
    peer.tokensGiven += 1
    await until(() =>
      expect(heardOf(peer, 'notification_stationStatus').at(-1)).toMatchObject({ ConnectorStatusInfo: { ConnectorID: connectorId, Status: 3 } }),
    )
    await until(async () => expect(await letters()).toMatchObject([{ state: 1 }]))
    await yard.sql(`update charging.platform set open_stations = '{}' where id = $1`, [peer.platformId])
    await plug(connectorId, 2)
    await yard.server.house.writing(1, 'test', async () => {})
    expect(await letters()).toHaveLength(1)
  })
  it('tells what a gun is to people: faulty while a severe fault holds it, off line with its pile', async () => {
    const peer = await peerOf()
    const { connectorId, equipmentId } = await yard.aGun()
    const hears = async (Status: number) => {
      await until(() =>
        expect(heardOf(peer, 'notification_stationStatus').at(-1)).toMatchObject({ ConnectorStatusInfo: { ConnectorID: connectorId, Status } }),
      )
      const { StationStatusInfos } = await peer.ask('query_station_status', { StationIDs: ['ST001'] })
      expect(StationStatusInfos[0].ConnectorStatusInfos).toContainEqual({ ConnectorID: connectorId, Status, ParkStatus: 0, LockStatus: 0 })
    }
    const fault = (call: string, body: object) => yard.server.ask<any>(yard.admin, 'POST', `/lbs/charging/fault/${call}`, body)
    const { data: made } = await fault('insertFault', { connectorId, code: 'Screen', level: 3, source: 3 })
    await hears(255)
    await fault('updateFault', { id: made.id, version: made.version, state: 3 })
    await hears(1)
    await yard.write((tx) => pileSignedOut(tx, equipmentId, now()))
    await hears(0)
  })
  it('that answers by the wrong key is not believed, and after its last try it waits for a person', async () => {
    const peer = await peerOf()
    const { data } = await yard.server.ask(yard.admin, 'POST', '/lbs/charging/chargingPlatform/test', { id: peer.platformId })
    expect(data).toMatchObject({ ok: true, ret: 0 })
    await yard.sql('update charging.platform set theirs = $2 where id = $1', [
      peer.platformId,
      vault().locked(JSON.stringify({ operatorSecret: KEY, dataSecret: KEY, dataSecretIv: KEY, sigSecret: KEY })),
    ])
    expect((await yard.server.ask(yard.admin, 'POST', '/lbs/charging/chargingPlatform/test', { id: peer.platformId })).data).toMatchObject({
      ok: false,
      ret: 4001,
    })
    const { connectorId } = await yard.aGun()
    await plug(connectorId, 2)
    await until(async () => {
      await yard.sql(`update charging.partner_message set tries = 5 where platform_id = $1 and state = 0`, [peer.platformId])
      const sql = 'select state from charging.partner_message where platform_id = $1 and connector_id = $2'
      expect(await yard.sql<any>(sql, [peer.platformId, connectorId])).toEqual([{ state: 3 }])
    })
    const { data: shown } = await yard.server.ask(yard.admin, 'POST', '/lbs/charging/chargingPlatform/deadLetters', { platformId: peer.platformId })
    expect(shown.records.map((one: any) => one.connectorId)).toContain(connectorId)
  })
  it('that died with a state is sent again with the state of now, once; of a gun that is no longer open nothing is told', async () => {
    const peer = await peerOf()
    const { connectorId } = await yard.aGun()
    const sql = 'select id, state from charging.partner_message where platform_id = $1 and connector_id = $2 order by id'
    const letters = () => yard.sql<any>(sql, [peer.platformId, connectorId])
    const die = (n: number) =>
      until(async () => {
        await yard.sql(`update charging.partner_message set tries = 5 where platform_id = $1 and state = 0`, [peer.platformId])
        expect((await letters()).map(({ state }) => state)).toEqual(Array(n).fill(3))
      })
    peer.refuse = { status: 503 }
    for (const [n, status] of ([2, 3] as const).entries()) {
      await plug(connectorId, status)
      await die(n + 1)
    }
    await yard.sql('update charging.connector_state set status = 1 where connector_id = $1', [connectorId])
    peer.refuse = {}
    const again = async () => {
      const ids = (await letters()).filter(({ state }) => state === 3).map(({ id }) => id)
      return (await yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/chargingPlatform/replay', { ids })).data
    }
    expect(await again()).toEqual({ count: 1, superseded: 1 })
    await until(async () => expect((await letters()).map(({ state }) => state)).toEqual([4, 1]))
    expect(heardOf(peer, 'notification_stationStatus').at(-1)).toMatchObject({ ConnectorStatusInfo: { ConnectorID: connectorId, Status: 1 } })
    peer.refuse = { status: 503 }
    await plug(connectorId, 2)
    await until(async () => {
      await yard.sql(`update charging.partner_message set tries = 5 where platform_id = $1 and state = 0`, [peer.platformId])
      expect((await letters()).map(({ state }) => state)).toEqual([4, 1, 3])
    })
    await yard.sql(`update charging.platform set open_stations = '{}' where id = $1`, [peer.platformId])
    expect(await again()).toEqual({ count: 0, superseded: 1 })
  })
})

/** A partner's charge that is over and billed. */
async function billedFor(peer: Peer, at = now()) {
  const made = await started(peer)
  const { equipmentId, transactionId, orderNo } = made
  await yard.write((tx) => ended(tx, { equipmentId, transactionId, meterWh: 6_000, reason: 6, at: now(), receivedAt: now(), offline: false }))
  await yard.write(async (tx) => finalise(tx, await lockCharge(tx, orderNo), at))
  const [bill] = await yard.bills(orderNo)
  return { ...made, fen: Number(bill.payableFen), serviceFen: Number(bill.serviceFen) }
}
const DAY = 24 * 60 * MINUTE
/** In the month that is over. */
const LAST = instantAt(Date.parse(startOf(`${cityTime(now()).slice(0, 7)}-01` as never)) - 60 * MINUTE)
const ask = async (who: string, path: string, body: object) => yard.server.ask(who, 'POST', `/lbs/charging/statement/${path}`, body)
const SEEN = `select count(*)::int as n from charging.statement union all select count(*)::int from charging.partner_check union all select count(*)::int from charging.partner_difference`
describe('A day and a month of a partner', () => {
  it('is asked charge by charge; what the partner disputes is a difference, and the month is confirmed by another when none is open', async () => {
    const peer = await peerOf()
    await yard.sql('update charging.platform set split_permille = 100 where id = $1', [peer.platformId])
    const [good, wrong] = [await billedFor(peer, LAST), await billedFor(peer, LAST)]
    const theirs = (wrong.fen + 1) / 100
    peer.answers['check_charge_orders'] = { DisputeOrders: [{ StartChargeSeq: wrong.seq, TotalPower: 5, TotalMoney: theirs }] }
    await yard.write((tx) => askYesterday(tx, instantAt(Date.parse(LAST) + DAY)))
    await yard.write((tx) => askYesterday(tx, instantAt(Date.parse(LAST) + DAY)))
    await until(() => expect(heardOf(peer, 'check_charge_orders')).toHaveLength(1))
    const [asked] = heardOf(peer, 'check_charge_orders')
    // Asked by hand the day says why nothing more is sent: all of it was, or there is nothing.
    const askedOn = async (at: number) =>
      (await ask(yard.admin, 'check', { platformId: peer.platformId, day: cityTime(instantAt(at)).slice(0, 10) })).data
    expect(await askedOn(Date.parse(LAST))).toEqual({ count: 0, askedBefore: 2 })
    expect(await askedOn(Date.parse(LAST) - DAY)).toEqual({ count: 0, askedBefore: 0 })
    expect(asked).toMatchObject({ OrderCount: 2, TotalOrderPower: 10, TotalOrderMoney: (good.fen + wrong.fen) / 100 })
    expect(asked.CheckOrderSeq).toMatch(/^[0-9A-Z]{9}\d{18}$/)
    expect(asked.ChargeOrders).toContainEqual({ StartChargeSeq: good.seq, TotalPower: 5, TotalMoney: good.fen / 100 })
    const open = async () => (await ask(yard.admin, 'differences', { platformId: peer.platformId })).data.records
    await until(async () => expect(await open()).toHaveLength(1))
    const [difference] = await open()
    expect(difference).toMatchObject({
      kind: 4,
      startChargeSeq: wrong.seq,
      orderNo: wrong.orderNo,
      ourFen: wrong.fen,
      theirFen: wrong.fen + 1,
      state: 0,
    })
    expect((await ask(yard.admin, 'checks', { platformId: peer.platformId })).data.records).toMatchObject([
      { orderCount: 2, state: 2, differences: 1 },
    ])

    await yard.write((tx) => makeStatements(tx, difference.month, now()))
    const month = async () => (await ask(yard.admin, 'query', { platformId: peer.platformId })).data.records[0]
    const made = await month()
    const splitFen = Math.floor(((good.serviceFen + wrong.serviceFen) * 100 + 500) / 1000)
    expect(made).toMatchObject({ state: 0, orders: 2, energyWh: 10_000, splitFen, netFen: good.fen + wrong.fen - splitFen, openDifferences: 1 })
    // Their sums are of all parks: whoever has fewer sees none of them.
    const seen = (parks: readonly string[] | null) =>
      reading(yard.server.house.pool, { enterprise: 1, parks }, (tx) => run<{ n: number }>(tx, { sql: SEEN }, []))
    expect((await seen(null)).map(({ n }) => n > 0)).toEqual([true, true, true])
    expect((await seen(['P001'])).map(({ n }) => n)).toEqual([0, 0, 0])
    const key = async () => (({ id, version }) => ({ id, version }))(await month())
    expect((await ask(yard.admin, 'confirm', await key())).code).not.toBe(200)
    expect((await ask(yard.admin, 'send', await key())).data).toMatchObject({ state: 2 })
    const second = await anotherWho(yard, 'StatementScreen', 'charging:statement:edit')
    expect((await ask(second, 'confirm', await key())).message).toContain('1 笔差异')

    const { id, version } = difference
    expect((await ask(yard.admin, 'settleDifference', { id, version, closing: 2, reason: '按对方金额' })).data).toMatchObject({
      state: 3,
      closedAt: null,
    })
    expect((await ask(yard.admin, 'settleDifference', { id, version: version + 1, closing: 1, reason: '再次' })).code).not.toBe(200)
    // The submitter does not review the difference; until another person has, it is open and nothing is billed.
    expect((await ask(yard.admin, 'decideDifference', { id, version: version + 1, pass: true })).code).toBe(40506)
    expect([await month(), (await yard.bills(wrong.orderNo)).length]).toMatchObject([{ state: 2, openDifferences: 1 }, 1])
    const back = (await ask(second, 'decideDifference', { id, version: version + 1, pass: false, verdict: '请附对方账单' })).data
    expect(back).toMatchObject({ state: 0, submitterName: null, reason: '按对方金额；请附对方账单' })
    const again = (await ask(yard.admin, 'settleDifference', { id, version: back.version, closing: 2, reason: '账单已附' })).data
    // A claim of the partner in the meantime is another difference, which nobody has submitted.
    await yard.write((tx) => checkAnswered(tx, asked.CheckOrderSeq, [{ startChargeSeq: wrong.seq, wh: null, fen: wrong.fen + 1 }], now()))
    expect((await ask(second, 'decideDifference', { id, version: again.version, pass: true })).status).toBe(409)
    const [{ version: newest }] = (await ask(yard.admin, 'differences', { platformId: peer.platformId })).data.records
    await ask(yard.admin, 'settleDifference', { id, version: newest, closing: 2, reason: '按对方金额' })
    const yes = await Promise.all([1, 2].map(() => ask(second, 'decideDifference', { id, version: newest + 1, pass: true })))
    expect(yes.filter(({ data }) => data?.state === 2)).toHaveLength(1)
    expect((await yard.bills(wrong.orderNo)).map((one) => Number(one.payableFen))).toEqual([wrong.fen, 1])
    expect(await month()).toMatchObject({ state: 1, openDifferences: 0 })
    expect((await ask(yard.admin, 'confirm', await key())).message).toContain('发出人')
    const both = await Promise.all([1, 2].map(async () => ask(second, 'confirm', await key())))
    expect(both.filter(({ code }) => code === 200)).toHaveLength(1)
    expect((await ask(yard.admin, 'settle', { ...(await key()), tradeNo: 'B1' })).data).toMatchObject({ state: 4, tradeNo: 'B1' })
    const stands = async (account: string) =>
      Number(
        (
          await yard.sql<any>(`select coalesce(sum(debit_fen - credit_fen), 0)::bigint as fen from ledger.balance where account = $1 and sub = $2`, [
            account,
            `platform:${peer.platformId}`,
          ])
        )[0].fen,
      )
    // Today's adjustment belongs to the next statement: it goes on standing.
    expect([await stands('asset.partner'), await stands('liability.partner'), await stands('expense.partner-split')]).toEqual([1, 0, splitFen])
  })
  it('compares what a partner says of a time: a charge that it lacks, one that we lack, an energy and a state; told again they are the same', async () => {
    const peer = await peerOf()
    const [same, energy, missing] = [await billedFor(peer), await billedFor(peer), await billedFor(peer)]
    const unfinished = await started(peer)
    const stranger = peer.seq()
    const today = { StartTime: cityTime(now()).slice(0, 10), EndTime: cityTime(now()).slice(0, 10) }
    const charges = [
      { StartChargeSeq: same.seq, TotalPower: 5.01, TotalMoney: same.fen / 100 },
      { StartChargeSeq: energy.seq, TotalPower: '5.02', TotalMoney: energy.fen / 100 },
      { StartChargeSeq: stranger, TotalPower: 3, TotalMoney: 2 },
      { StartChargeSeq: unfinished.seq, TotalPower: 5, TotalMoney: 3 },
    ]
    const check = () => peer.ask('check_charge_orders', { CheckOrderSeq: peer.seq(), ...today, OrderCount: 4, ChargeOrders: charges })
    expect(await check()).toMatchObject({ TotalDisputeOrder: 4 })
    expect((await check()).DisputeOrders.map((one: any) => one.StartChargeSeq).sort()).toEqual(
      [energy.seq, missing.seq, stranger, unfinished.seq].sort(),
    )
    const kept = await yard.sql<any>('select start_charge_seq as seq, kind from charging.partner_difference where platform_id = $1', [
      peer.platformId,
    ])
    expect(new Map(kept.map(({ seq, kind }) => [seq, kind]))).toEqual(
      new Map([
        [energy.seq, 3],
        [missing.seq, 1],
        [stranger, 2],
        [unfinished.seq, 5],
      ]),
    )
    expect(kept).toHaveLength(4)
    for (const wrong of [{ EndTime: '2020-01-01' }, { StartTime: 'x' }, { ChargeOrders: [{}] }, { CheckOrderSeq: 'x' }])
      expect(await peer.call('check_charge_orders', { CheckOrderSeq: peer.seq(), ...today, ChargeOrders: [], ...wrong })).toMatchObject({ ret: 4004 })
    const [{ id, version }] = (await ask(yard.admin, 'differences', { platformId: peer.platformId, startChargeSeq: stranger })).data.records
    expect((await ask(yard.admin, 'settleDifference', { id, version, closing: 2, reason: '没有' })).message).toContain('我方没有该订单')
    const moved = (await ask(yard.admin, 'settleDifference', { id, version, closing: 3, reason: '下月再核' })).data
    expect(moved).toMatchObject({ state: 0, reason: '下月再核' })
    expect(moved.month > cityTime(now()).slice(0, 7)).toBe(true)
  })
  it('compares the pages of one time together: what is on another page lacks nowhere', async () => {
    const peer = await peerOf()
    const [first, second, missing] = [await billedFor(peer), await billedFor(peer), await billedFor(peer)]
    const today = { StartTime: cityTime(now()).slice(0, 10), EndTime: cityTime(now()).slice(0, 10) }
    const page = ({ seq, fen }: typeof first) => {
      const ChargeOrders = [{ StartChargeSeq: seq, TotalPower: 5.01, TotalMoney: fen / 100 }]
      return peer.ask('check_charge_orders', { CheckOrderSeq: peer.seq(), ...today, OrderCount: 2, ChargeOrders })
    }
    const kept = () => yard.sql<any>('select start_charge_seq as seq from charging.partner_difference where platform_id = $1', [peer.platformId])
    for (let told = 0; told < 2; told++) expect(await page(first)).toMatchObject({ TotalDisputeOrder: 0 })
    expect(await kept()).toEqual([])
    expect((await page(second)).DisputeOrders.map((one: any) => one.StartChargeSeq)).toEqual([missing.seq])
    expect(await page(second)).toMatchObject({ TotalDisputeOrder: 0 })
    expect(await kept()).toEqual([{ seq: missing.seq }])
  })
})
