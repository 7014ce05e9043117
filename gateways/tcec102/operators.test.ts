import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aYard, now, type Yard } from '../../domains/charging/server/testing.ts'
import { fetchFrom, fetchTask } from '../../domains/charging/server/roaming/fetch.ts'
import { tokenOfSomeoneWho } from '../../tests/support/roles.ts'
import { wireTime } from './codec.ts'
import { aPeer, type Peer } from './testing.ts'

/** A partner that has the stations, entered by HTTP both ways. */
let yard: Yard
const peers: Peer[] = []
beforeAll(async () => void (yard = await aYard()), 60_000)
afterAll(async () => {
  for (const one of peers) await one.close()
  await yard?.close()
})
const gunInfo = (ConnectorID: string, more = {}) => ({
  ConnectorID,
  ConnectorType: 4,
  VoltageUpperLimits: 750,
  VoltageLowerLimits: 200,
  Current: 250,
  Power: 60,
  NationalStandard: 2,
  ...more,
})
const stationInfo = (StationID: string, guns: object[], more = {}) => ({
  ...{
    StationID,
    OperatorID: 'MA9999999',
    EquipmentOwnerID: 'MA9999999',
    StationName: `站 ${StationID}`,
    CountryCode: 'CN',
    AreaCode: '420607',
    Address: '西路1号',
    ServiceTel: '4000000000',
    StationType: 1,
    StationStatus: 50,
  },
  ...{
    ParkNums: 8,
    StationLng: 112.14,
    StationLat: 32.04,
    Construction: 5,
    EquipmentInfos: [{ EquipmentID: `${StationID}-E`, EquipmentType: 1, Power: 120, ConnectorInfos: guns }],
    ...more,
  },
})
const stateInfo = (ConnectorID: string, Status: number, more = {}) => ({
  ConnectorStatusInfo: { ConnectorID, Status, ParkStatus: 10, LockStatus: 0, ...more },
})
async function anOperator(more: Parameters<typeof aPeer>[1] = {}): Promise<Peer> {
  const peer = await aPeer(yard, { role: 2, ...more })
  peers.push(peer)
  peer.answers['query_stations_info'] = {
    PageNo: 1,
    PageCount: 1,
    ItemSize: 1,
    StationInfos: [stationInfo('W1', [gunInfo('W1-1'), gunInfo('W1-2')])],
  }
  peer.answers['query_station_status'] = {
    Total: 1,
    StationStatusInfos: [{ StationID: 'W1', ConnectorStatusInfos: [stateInfo('W1-1', 1).ConnectorStatusInfo] }],
  }
  peer.answers['query_equip_business_policy'] = ({ EquipBizSeq, ConnectorID }) => ({
    ...{ EquipBizSeq, ConnectorID, SuccStat: 0, FailReason: 0, SumPeriod: 2 },
    PolicyInfos: [
      { StartTime: '000000', ElecPrice: 0.3, SevicePrice: 0.4 },
      { StartTime: '080000', ElecPrice: 0.6, SevicePrice: 0.4 },
    ],
  })
  return peer
}
const fetched = (peer: Peer, whole = true) => fetchFrom(yard.write, peer.platformId, { whole })
const gunsOf = (peer: Peer) => yard.sql<any>('select * from charging.partner_gun where platform_id = $1 order by connector_id', [peer.platformId])

describe('A partner’s stations', () => {
  it('are fetched page by page with states and prices, later only what changed, and what is gone is gone', async () => {
    const peer = await anOperator()
    const pages = [
      [stationInfo('W1', [gunInfo('W1-1'), gunInfo('W1-2')])],
      [stationInfo('W2', [gunInfo('W2-1', { Power: 7 })], { StationName: '西站', FutureField: { a: 1 } })],
    ]
    peer.answers['query_stations_info'] = ({ PageNo }) => ({ PageNo, PageCount: 2, ItemSize: 2, StationInfos: pages[PageNo - 1] })
    expect(await fetched(peer)).toEqual({ stations: 2, guns: 3, failure: null })
    const asked = () => peer.heard.filter(({ name }) => name === 'query_stations_info').map(({ data }) => data)
    expect(asked()).toEqual([1, 2].map((PageNo) => ({ LastQueryTime: '', PageNo, PageSize: 20 })))
    expect(await gunsOf(peer)).toMatchObject([
      {
        connectorId: 'W1-1',
        stationName: '站 W1',
        status: 1,
        parkStatus: 10,
        heardBy: 2,
        power: 60,
        servicePriceE4: 4000,
        elecPriceE4: expect.toBeOneOf([3000, 6000]),
      },
      { connectorId: 'W1-2', status: 0, statusAt: null, heardBy: null },
      { connectorId: 'W2-1', stationName: '西站', power: 7 },
    ])
    expect((await gunsOf(peer))[0].prices).toEqual([
      { from: '00:00', elecPriceE4: 3000, servicePriceE4: 4000 },
      { from: '08:00', elecPriceE4: 6000, servicePriceE4: 4000 },
    ])
    // The changes since then: one gun less. Unchanged stations are not named, and stay.
    peer.answers['query_stations_info'] = { PageNo: 1, PageCount: 1, ItemSize: 1, StationInfos: [stationInfo('W1', [gunInfo('W1-2')])] }
    await fetched(peer, false)
    // Its clock may be ten minutes behind ours.
    const behindMin = Math.round((Date.now() - Date.parse(`${asked().at(-1).LastQueryTime.replace(' ', 'T')}+08:00`)) / 60_000)
    expect(behindMin).toBe(10)
    expect((await gunsOf(peer)).map(({ connectorId }) => connectorId)).toEqual(['W1-2', 'W2-1'])
    // All of them, as once a day: what is not named is gone.
    await yard.sql(`update charging.partner_asked set whole_at = whole_at - interval '25 hours' where platform_id = $1`, [peer.platformId])
    await fetched(peer, false)
    expect(asked().at(-1).LastQueryTime).toBe('')
    expect((await gunsOf(peer)).map(({ connectorId }) => connectorId)).toEqual(['W1-2'])
    expect(peer.heard.filter(({ name }) => name === 'query_equip_business_policy').every(({ data }) => /^\d{27}$/.test(data.EquipBizSeq))).toBe(true)
  })
  it('stay as they were where nobody answers or the answer is none, and a price that cannot be read is no price', async () => {
    const peer = await anOperator()
    await fetched(peer)
    peer.refuse = { status: 503 }
    expect(await fetched(peer)).toMatchObject({ failure: 'HTTP 503' })
    peer.refuse = {}
    peer.answers['query_stations_info'] = { PageNo: 1, PageCount: 1, StationInfos: 'none' }
    expect(await fetched(peer)).toMatchObject({ failure: 'no StationInfos' })
    expect(await gunsOf(peer)).toHaveLength(2)
    peer.answers['query_stations_info'] = {
      PageCount: 1,
      StationInfos: [stationInfo('W1', [gunInfo('W1-1')]), { StationID: 'X' }, stationInfo('Y', [], { StationLng: 'far' }), null],
    }
    peer.answers['query_equip_business_policy'] = { SuccStat: 0, PolicyInfos: [{ StartTime: '000000', ElecPrice: 0.3, ServiceFee: 0.4 }] }
    expect(await fetched(peer)).toMatchObject({ stations: 1, guns: 1, failure: null })
    expect((await gunsOf(peer))[0]).toMatchObject({ connectorId: 'W1-1', prices: [], elecPriceE4: null, servicePriceE4: null })
    // In its own spelling.
    peer.answers['query_equip_business_policy'] = { SuccStat: 0, PolicyInfos: [{ StartTime: '000000', ElecPrice: '0.3000', ServicePrice: 0.4 }] }
    await fetched(peer)
    expect((await gunsOf(peer))[0]).toMatchObject({ elecPriceE4: 3000, servicePriceE4: 4000 })
  })
  it('that lie are kept as far as they can be read: a gun of two stations is the first one’s, what the database cannot keep is left out, and a price beyond all measure is none', async () => {
    const peer = await anOperator()
    const twin = stationInfo('W2', [gunInfo('W1-1'), gunInfo('W2-1\0'), gunInfo('W2-2', { ConnectorName: `${'a'.repeat(29)}🚗`, Power: -5 })], {
      StationName: '站\0\ud800',
    })
    peer.answers['query_stations_info'] = { PageCount: 1, StationInfos: [stationInfo('W1', [gunInfo('W1-1')]), twin] }
    const prices = (ElecPrice: unknown, more: unknown[] = []) =>
      (peer.answers['query_equip_business_policy'] = { SuccStat: 0, PolicyInfos: [{ StartTime: '000000', ElecPrice, SevicePrice: 0.4 }, ...more] })
    prices('999999999999.9999')
    expect(await fetched(peer)).toEqual({ stations: 2, guns: 2, failure: null })
    expect(await gunsOf(peer)).toMatchObject([
      { connectorId: 'W1-1', stationName: '站 W1', prices: [], elecPriceE4: null },
      { connectorId: 'W2-2', stationName: '站\ufffd', connectorName: `${'a'.repeat(29)}\ufffd`, power: 0 },
    ])
    for (const bad of [-0.1, 'NaN', 1e9, null]) {
      prices(bad)
      await fetched(peer)
      expect({ bad, prices: (await gunsOf(peer))[0].prices }).toEqual({ bad, prices: [] })
    }
    for (const more of [[null], Array.from({ length: 48 }, () => ({ StartTime: '010000', ElecPrice: 1, SevicePrice: 1 }))]) {
      prices(0.6, more)
      await fetched(peer)
      expect((await gunsOf(peer))[0].prices).toEqual([])
    }
    prices(0.6)
    await fetched(peer)
    expect((await gunsOf(peer))[0]).toMatchObject({ elecPriceE4: 6000 })
  })
  it('whose prices a partner does not tell are asked for in turn, and keep no others from theirs', async () => {
    const peer = await anOperator()
    const guns = Array.from({ length: 202 }, (_, n) => gunInfo(`W1-${String(n).padStart(3, '0')}`))
    peer.answers['query_stations_info'] = { PageCount: 1, StationInfos: [stationInfo('W1', guns)] }
    peer.answers['query_station_status'] = { StationStatusInfos: [] }
    // Of the first two hundred it tells none.
    let priceAsked = 0
    peer.answers['query_equip_business_policy'] = ({ ConnectorID }) => {
      priceAsked += 1
      return ConnectorID < 'W1-200' ? 4004 : { SuccStat: 0, PolicyInfos: [{ StartTime: '000000', ElecPrice: 0.6, SevicePrice: 0.4 }] }
    }
    await fetched(peer, false)
    await fetched(peer, false)
    // A price is good for hours.
    await fetched(peer, false)
    expect(priceAsked).toBe(202)
    expect((await gunsOf(peer)).filter(({ elecPriceE4 }) => elecPriceE4 !== null).map(({ connectorId }) => connectorId)).toEqual(['W1-200', 'W1-201'])
  })
  it('of those that are reached and in use are fetched by themselves; one that is silent holds up no other', async () => {
    const [dead, stopped, demand, alive] = [await anOperator(), await anOperator(), await anOperator({ role: 1 }), await anOperator({ role: 3 })]
    await dead.close()
    await yard.sql('update charging.platform set status = 2 where id = $1', [stopped.platformId])
    await fetchTask.alone!({ house: yard.server.house, enterprise: 1, data: {}, at: now() })
    expect(await gunsOf(alive)).toHaveLength(2)
    for (const one of [dead, stopped, demand]) expect(await gunsOf(one)).toHaveLength(0)
    expect(demand.heard).toEqual([])
  })
  it('are shown to whoever may see partners, fetched by whoever may edit them, and to nobody else', async () => {
    const peer = await anOperator()
    const owner = new pg.Client(yard.server.ownerUrl)
    await owner.connect()
    const [looker, stranger] = [
      await tokenOfSomeoneWho(yard.server, owner, ['PlatformScreen']),
      await tokenOfSomeoneWho(yard.server, owner, ['ChargingPileScreen']),
    ]
    await owner.end()
    const fetch = (token: string) => yard.server.ask(token, 'POST', '/lbs/charging/chargingPlatform/fetchStations', { platformId: peer.platformId })
    const list = (token: string) => yard.server.ask(token, 'POST', '/lbs/charging/chargingPlatform/guns', { platformId: peer.platformId })
    expect([(await fetch(looker)).status, (await fetch(stranger)).status, (await list(stranger)).status]).toEqual([403, 403, 403])
    expect(await fetch(yard.admin)).toMatchObject({ status: 200, data: { stations: 1, guns: 2, failure: null } })
    expect((await list(looker)).data).toMatchObject({
      total: 2,
      records: [{ connectorId: 'W1-1', stationName: '站 W1', platformName: peer.operatorId }, { connectorId: 'W1-2' }],
    })
  })
})

describe('What a partner with stations tells', () => {
  it('is a state of a gun: the newest stands, unknown guns are ignored, and whoever has no stations tells none', async () => {
    const [peer, demand] = [await anOperator(), await anOperator({ role: 1 })]
    await fetched(peer)
    expect(await peer.ask('notification_stationStatus', stateInfo('W1-2', 3))).toEqual({ Status: 0 })
    expect(await peer.ask('notification_stationStatus', stateInfo('W1-2', 3))).toEqual({ Status: 0 })
    expect(await peer.ask('notification_stationStatus', stateInfo('NONE', 3))).toEqual({ Status: 1 })
    expect((await gunsOf(peer))[1]).toMatchObject({ connectorId: 'W1-2', status: 3, heardBy: 1, parkStatus: 10 })
    for (const bad of [{}, { ConnectorStatusInfo: [] }, stateInfo('W1-2', 77), stateInfo('', 1)])
      expect(await peer.call('notification_stationStatus', bad)).toMatchObject({ ret: 4004 })
    await demand.ask('query_stations_info', {})
    expect(await demand.call('notification_stationStatus', stateInfo('W1-2', 1))).toMatchObject({ ret: 4003 })
    expect(await peer.call('query_stations_info', {})).toMatchObject({ ret: 4003 })
    // A word from before does not take the place of what was heard since.
    await yard.sql(`update charging.partner_connector set status_at = now() + interval '1 minute' where platform_id = $1`, [peer.platformId])
    expect(await peer.ask('notification_stationStatus', stateInfo('W1-2', 1))).toEqual({ Status: 0 })
    expect((await gunsOf(peer))[1]).toMatchObject({ status: 3 })
  })
  it('is heard by signature, token and time alone', async () => {
    const peer = await anOperator()
    await fetched(peer)
    for (const name of [
      'notification_stationStatus',
      'notification_start_charge_result',
      'notification_equip_charge_status',
      'notification_stop_charge_result',
      'notification_charge_order_info',
    ]) {
      expect(await peer.call(name, stateInfo('W1-1', 3), { token: null })).toMatchObject({ ret: 4002 })
      expect(await peer.call(name, stateInfo('W1-1', 3), { token: 'x'.repeat(43) })).toMatchObject({ ret: 4002 })
      expect(await peer.call(name, stateInfo('W1-1', 3), { sig: '0'.repeat(32) })).toMatchObject({ ret: 4001 })
      expect(
        await peer.call(name, stateInfo('W1-1', 3), {
          timeStamp: wireTime(new Date(Date.now() - 1_200_000).toISOString() as never).replaceAll(/\D/g, ''),
        }),
      ).toMatchObject({ ret: 4003 })
    }
    expect((await gunsOf(peer))[0]).toMatchObject({ status: 1, heardBy: 2 })
    // A charge of nobody's: the answer is no, and it is not an error to be tried again.
    expect(
      await peer.ask('notification_start_charge_result', {
        StartChargeSeq: peer.seq(),
        StartChargeSeqStat: 2,
        ConnectorID: 'W1-1',
        StartTime: '',
        SuccStat: 0,
      }),
    ).toMatchObject({ SuccStat: 1 })
    expect(await peer.ask('notification_equip_charge_status', { StartChargeSeq: peer.seq(), StartChargeSeqStat: 2, TotalPower: 1 })).toMatchObject({
      SuccStat: 1,
    })
    expect(await peer.ask('notification_stop_charge_result', { StartChargeSeq: peer.seq(), StartChargeSeqStat: 4, SuccStat: 0 })).toMatchObject({
      SuccStat: 1,
    })
    expect(await peer.call('notification_charge_order_info', { StartChargeSeq: peer.seq(), ConnectorID: 'W1-1' })).toMatchObject({ ret: 4004 })
  })
})
