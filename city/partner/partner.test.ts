import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { began, connectorSaid, ended, startAnswered } from '../../domains/charging/server/api.ts'
import { finalise } from '../../domains/charging/server/bill.ts'
import { lockCharge } from '../../domains/charging/server/charge.ts'
import { aYard, now, type Yard } from '../../domains/charging/server/testing.ts'
import { allowOutside } from '../../platform/server/outside.ts'
import { answerSignature, decrypted, sealed, sequence } from '../../gateways/tcec102/codec.ts'
import { openSession } from '../../domains/owner/server/api.ts'
import { aGarage, type Garage } from '../../domains/owner/server/testing.ts'
import { newFour } from './child.ts'
import { type Habits, SandboxPartner } from './partner.ts'
import { type RunningPartner, startPartner } from './server.ts'

const GOOD: Habits = { silent: 0, busy: 0, stubborn: 0, disputes: 0, drivers: 0, stops: 0 }
const [GIVEN, OWN] = [newFour(), newFour()]

describe('A partner’s habits', () => {
  const stamp = sequence()
  /** Letters as the platform writes them, and the answer read as it reads them. */
  function aPartner(habits: Partial<Habits>) {
    const partner = new SandboxPartner({
      platform: 'http://nowhere',
      operatorId: 'MA27B2EB4',
      given: GIVEN,
      own: OWN,
      habits: { ...GOOD, ...habits },
    })
    const hear = (name: string, data: object, token = '') => {
      const answer = partner.hear(name, `Bearer ${token}`, sealed('MA5KERB01', data, stamp(), OWN))
      if (answer) expect(answer.Sig).toBe(answerSignature(answer, OWN))
      return answer && { ret: answer.Ret, data: JSON.parse(decrypted(answer.Data, OWN)!) }
    }
    const token = String(hear('query_token', { OperatorID: 'MA5KERB01', OperatorSecret: OWN.operatorSecret })!.data.AccessToken)
    return {
      partner,
      hear,
      order: () => hear('notification_charge_order_info', ORDER, token),
      check: (data: object) => hear('check_charge_orders', data, token),
    }
  }
  const ORDER = { StartChargeSeq: 'MA27B2EB4000000000000000001', ConnectorID: 'G1', TotalPower: 12.34, TotalMoney: 15.06 }
  const times = (count: number, work: () => { ret: number } | undefined) => Array.from({ length: count }, () => work()?.ret)

  it('are good ones: an order told twice is one, and nobody is heard without a token or by another key', () => {
    const { partner, hear, order } = aPartner({})
    expect(times(2, order)).toEqual([0, 0])
    expect(partner.counts).toMatchObject({ orders: 1, again: 1, orderFen: 1506, forged: 0 })
    expect(hear('notification_charge_order_info', ORDER, 'other')?.ret).toBe(4002)
    expect(partner.hear('query_token', undefined, sealed('MA5KERB01', {}, stamp(), GIVEN))?.Ret).toBe(4001)
    expect(hear('query_token', { OperatorID: 'MA5KERB01', OperatorSecret: 'wrong' })?.data).toMatchObject({ SuccStat: 1, FailReason: 2 })
  })
  it('are silence or a plea to come again at the first try, and a failure until a letter is dead', () => {
    expect(times(2, aPartner({ silent: 100 }).order)).toEqual([undefined, 0])
    expect(times(2, aPartner({ busy: 100 }).order)).toEqual([-1, 0])
    expect(times(7, aPartner({ stubborn: 100 }).order)).toEqual([500, 500, 500, 500, 500, 500, 0])
  })
  it('include a fen more on its own side: the day then differs by that order, whether or not the letter about it has come', () => {
    const check = { CheckOrderSeq: 'C', StartTime: '', EndTime: '', ChargeOrders: [ORDER, { ...ORDER, StartChargeSeq: 'unheard' }] }
    for (const [disputes, all] of [
      [0, []],
      [100, [ORDER.StartChargeSeq, 'unheard'].map((StartChargeSeq) => ({ StartChargeSeq, TotalPower: 12.34, TotalMoney: 15.07 }))],
    ] as const) {
      const { order, check: checked } = aPartner({ disputes })
      order()
      expect(checked(check)!.data).toMatchObject({ TotalDisputeOrder: all.length, DisputeOrders: all })
    }
  })
})

describe('A partner beside a server', () => {
  let yard: Yard
  let running: RunningPartner
  let platformId: string
  beforeAll(async () => {
    yard = await aYard()
    const call = async (path: string, body: object) => {
      const { code, message, data } = await yard.server.ask(yard.admin, 'POST', `/lbs/charging/chargingPlatform/${path}`, body)
      if (code !== 200) throw new Error(message)
      return data
    }
    const made = await call('add', { name: '伙伴', operatorId: 'MA27B2EB4', role: 1, openStations: ['ST001'], creditLimitFen: 1_000_000 })
    platformId = made.id
    const given = await call('rotateSecret', { id: made.id, version: made.version })
    const habits = { ...GOOD, busy: 100, drivers: 100, stops: 100 }
    running = await startPartner({
      ...{ port: 0, platform: yard.server.url, operatorId: 'MA27B2EB4', given, own: OWN, habits },
      everyMs: 50,
      stopsWithinMs: 50,
    })
    allowOutside([new URL(running.url).host])
    const moved = await call('update', { id: made.id, version: made.version + 1, baseUrl: `${running.url}/evcs/v1` })
    await call('saveSecret', { id: made.id, version: moved.version, ...OWN })
  }, 60_000)
  afterAll(async () => {
    await running?.stop()
    await yard?.close()
  })
  const until = <T>(work: () => T | Promise<T>) => vi.waitFor(work, { timeout: 20_000, interval: 50 })
  const says = (connectorId: string, status: 1 | 2, raw: string) =>
    yard.write((tx) => connectorSaid(tx, { connectorId, status, raw, at: now(), receivedAt: now() }))

  it('asks for the stations, begins for a driver who plugged in, ends it, gets the order; all of it though it is busy at first', async () => {
    const { connectorId, equipmentId } = await yard.aGun()
    await says(connectorId, 1, 'Available again')
    const { partner } = running
    await until(() => expect(partner.stations).toEqual(['ST001']))
    await until(() => expect(partner.counts.states).toBeGreaterThan(0))
    await says(connectorId, 2, 'Preparing')
    const orderNo = await until(async () => {
      const [found] = await yard.sql<any>('select order_no from charging.charge where connector_id = $1 and platform_id = $2', [
        connectorId,
        platformId,
      ])
      return found!.orderNo as string
    })
    await yard.write((tx) => startAnswered(tx, { orderNo, accepted: true, at: now() }))
    const idTag = (await yard.charge(orderNo)).token
    const at = new Date(Date.now() - 600_000).toISOString() as ReturnType<typeof now>
    const begun = { connectorId, transactionId: null, idTag, meterWh: 1_000, at, receivedAt: now(), offline: false }
    const { transactionId } = await yard.write((tx) => began(tx, begun))
    await until(() => expect({ ...partner.counts, problem: partner.problem }).toMatchObject({ stops: 1, problem: '' }))
    expect((await yard.charge(orderNo)).status).toBe(3)
    await yard.write((tx) => ended(tx, { equipmentId, transactionId, meterWh: 6_000, reason: 6, at: now(), receivedAt: now(), offline: false }))
    await yard.write(async (tx) => finalise(tx, await lockCharge(tx, orderNo), now()))
    const [bill] = await yard.bills(orderNo)
    await until(() => expect(partner.counts.orderFen).toBe(Number(bill.payableFen)))
    expect([...partner.orders.values()]).toEqual([{ power: 5, money: Number(bill.payableFen) / 100 }])
    expect(partner.counts).toMatchObject({ tokensAsked: 1, starts: 1, orders: 1, refused: 0, problems: 0 })
    expect(partner.counts.busy).toBeGreaterThan(0)
    // The message's state is stored a moment after its answer.
    await until(async () => {
      const letters = await yard.sql<any>('select tries, state from charging.partner_message where way = 2 and order_no = $1', [orderNo])
      expect(letters.map(({ tries, state }) => tries === 2 && state === 1)).toEqual(letters.map(() => true))
      expect(letters.length).toBeGreaterThan(1)
    })
  })
})

describe('A partner with stations beside a server', () => {
  let yard: Yard
  let garage: Garage
  let running: RunningPartner
  let platformId: string
  beforeAll(async () => {
    yard = await aYard()
    garage = await aGarage(yard)
    const call = async (path: string, body: object) =>
      (await yard.server.ask(yard.admin, 'POST', `/lbs/charging/chargingPlatform/${path}`, body)).data
    const made = await call('add', { name: '伙伴', operatorId: 'MA27B2EB4', role: 3 })
    platformId = made.id
    const given = await call('rotateSecret', { id: made.id, version: made.version })
    running = await startPartner({
      ...{ port: 0, platform: yard.server.url, operatorId: 'MA27B2EB4', given, own: OWN, habits: GOOD },
      everyMs: 50,
      stations: { speed: 1, traffic: 0 },
    })
    allowOutside([new URL(running.url).host])
    const moved = await call('update', { id: made.id, version: made.version + 1, baseUrl: `${running.url}/evcs/v1` })
    await call('saveSecret', { id: made.id, version: moved.version, ...OWN })
  }, 60_000)
  afterAll(async () => {
    await running?.stop()
    await yard?.close()
  })
  it('shows them, charges a driver of the platform, tells how far it is, and sends a bill that is agreed to', async () => {
    const until = <T>(work: () => T | Promise<T>) => vi.waitFor(work, { timeout: 20_000, interval: 50 })
    const fetched = await yard.server.ask(yard.admin, 'POST', '/lbs/charging/chargingPlatform/fetchStations', { platformId })
    expect(fetched.data).toEqual({ stations: 2, guns: 6, failure: null })
    const { ownerId } = await garage.anOwner()
    await garage.recharge(ownerId, 10_000)
    const token = await yard.write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))
    const mine = async (what: string, body: object = {}) => (await yard.server.ask(token, 'POST', `/lbs/charging/mine/${what}`, body)).data
    const [station] = await mine('stations', { keyword: 'HJ-WANHUI' })
    const { connectorId } = station.guns.find((one: any) => one.status === 2)
    const { id } = await mine('start', { platformId, connectorId, holdFen: 5_000 })
    const row = async () => (await yard.sql<any>('select * from charging.roaming where id = $1', [id]))[0]
    await until(async () => expect(await row()).toMatchObject({ status: 2, held: true }))
    await until(async () => expect((await row()).saidAt).not.toBeNull())
    await until(async () =>
      expect((await yard.sql<any>('select status, heard_by from charging.partner_connector where connector_id = $1', [connectorId]))[0]).toEqual({
        status: 3,
        heardBy: 1,
      }),
    )
    await mine('stop', { id })
    await until(async () => expect(await row()).toMatchObject({ status: 5, held: false, doubts: [] }))
    const { capturedFen, releasedFen, costFen } = await row()
    expect([capturedFen, releasedFen]).toEqual([costFen, 5_000 - costFen])
    expect(running.partner.own!.counts).toMatchObject({ begun: 1, ordered: 1, disputed: 0 })
    expect(running.partner.problem).toBe('')
    expect(await garage.differing()).toEqual([])
  })
})
