import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { giveSecret } from '../../domains/charging/server/api.ts'
import { LoadEvent, LoadMode, LoadWhy } from '../../domains/charging/contract/load.ts'
import { PileMethod } from '../../domains/charging/contract/pileCommand.ts'
import { aYard, type Yard } from '../../domains/charging/server/testing.ts'
import { type Answers, connectPile, type Json, type PileWire, SILENT } from './simulator.ts'

/** A station's limit, shared among real sockets: what piles draw by what they were told never is more. */
let yard: Yard
const SECRET = 'demo-secret-of-piles'
const RATED_W = 120_000
const open: PileWire[] = []

beforeAll(async () => {
  yard = await aYard()
})
afterAll(async () => {
  for (const wire of open) wire.cut()
  await yard.close()
})

type Manner = 'plain' | 'slow' | 'dumb' | 'refuses'
/** A pile that draws what its profiles let it, all of it. */
class SimPile {
  limits: { charge?: number | undefined; any?: number | undefined } = {}
  running: string | number | undefined
  wire!: PileWire
  told: Json[] = []
  readonly no: number
  readonly equipmentId: string
  readonly connectorId: string
  readonly is16: boolean
  manner: Manner
  constructor(no: number, equipmentId: string, connectorId: string, is16: boolean, manner: Manner) {
    this.no = no
    this.equipmentId = equipmentId
    this.connectorId = connectorId
    this.is16 = is16
    this.manner = manner
  }
  drawsW = () => (this.running === undefined ? 0 : (this.limits.charge ?? this.limits.any ?? RATED_W))
  answers(): Answers {
    return {
      SetChargingProfile: async ({ csChargingProfiles, chargingProfile }) => {
        const profile = csChargingProfiles ?? chargingProfile
        this.told.push(profile)
        if (this.manner === 'refuses') return { status: 'Rejected' }
        const limit = [profile.chargingSchedule].flat()[0].chargingSchedulePeriod[0].limit
        if (profile.chargingProfilePurpose === 'TxProfile') {
          if (String(profile.transactionId) !== String(this.running)) return { status: 'Rejected' }
          this.limits.charge = limit
        } else this.limits.any = limit
        if (this.manner === 'dumb') return SILENT as never
        if (this.manner === 'slow') await new Promise((done) => setTimeout(done, 800))
        return { status: 'Accepted' }
      },
      ClearChargingProfile: () => ((this.limits = {}), { status: 'Accepted' }),
    }
  }
  async connect() {
    this.wire = await connectPile({
      url: `ws://127.0.0.1:${yard.server.ocppPort}`,
      id: `LD-${this.no}`,
      secret: SECRET,
      protocols: [this.is16 ? 'ocpp1.6' : 'ocpp2.0.1'],
      answers: this.answers(),
    })
    open.push(this.wire)
  }
  async begin() {
    const cardNo = await yard.aCard({ kind: 2, unit: `单位${this.no}`, creditFen: 1_000_000 })
    const timestamp = new Date().toISOString()
    if (this.is16) {
      // It draws from the moment that it is let: what it is told later must find it.
      this.running = 'asked'
      const { transactionId } = await this.wire.call('StartTransaction', { connectorId: 1, idTag: cardNo, meterStart: 0, timestamp })
      this.running = transactionId
    } else {
      this.running = `T-${this.no}-${Date.now()}`
      await this.wire.call('TransactionEvent', {
        eventType: 'Started',
        timestamp,
        triggerReason: 'Authorized',
        seqNo: 0,
        offline: false,
        evse: { id: 1, connectorId: 1 },
        idToken: { idToken: cardNo, type: 'ISO14443' },
        transactionInfo: { transactionId: this.running, chargingState: 'Charging' },
      })
    }
  }
  async end() {
    const transactionId = this.running
    const timestamp = new Date().toISOString()
    this.running = undefined
    this.limits.charge = undefined
    if (this.is16) await this.wire.call('StopTransaction', { transactionId, meterStop: 500, timestamp })
    else
      await this.wire.call('TransactionEvent', {
        eventType: 'Ended',
        timestamp,
        triggerReason: 'StopAuthorized',
        seqNo: 1,
        offline: false,
        evse: { id: 1, connectorId: 1 },
        transactionInfo: { transactionId, stoppedReason: 'Local' },
      })
  }
}
const post = (path: string, input: object) => yard.server.ask(yard.admin, 'POST', `/lbs/charging${path}`, input)
const get = (path: string, input: object) => yard.server.ask(yard.admin, 'GET', `/lbs/charging${path}`, input)
let piles = 0
/** Piles of a station of their own. */
async function aStation(manners: readonly Manner[]): Promise<{ stationId: string; all: SimPile[] }> {
  const stationId = `LD${++piles}`
  await yard.sql(
    `insert into charging.station (station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat) values ($1, $1, 'MA0000001', 'P001', '420607', '路', '4000000000', 50, 112.14, 32.04)`,
    [stationId],
  )
  await yard.sql(
    `insert into charging.station_price (station_id, park_code, strategy_id, from_at) select $1, 'P001', strategy_id, '2020-01-01' from charging.station_price where station_id = 'ST001'`,
    [stationId],
  )
  const all: SimPile[] = []
  for (const [place, manner] of manners.entries()) {
    const { equipmentId, connectorIds } = await yard.aPile()
    const one = new SimPile(++piles, equipmentId, connectorIds[0]!, place % 2 === 0, manner)
    await yard.sql('update charging.equipment set station_id = $2, charge_point_id = $3, protocol = $4, load_priority = $5 where equipment_id = $1', [
      equipmentId,
      stationId,
      `LD-${one.no}`,
      one.is16 ? 1 : 2,
      place % 10,
    ])
    await yard.sql('update charging.connector set station_id = $2, evse_id = $3 where equipment_id = $1', [
      equipmentId,
      stationId,
      one.is16 ? null : 1,
    ])
    await yard.write((tx) => giveSecret(tx, equipmentId, SECRET))
    await one.connect()
    all.push(one)
  }
  await vi.waitFor(
    async () =>
      expect(
        await yard.sql('select 1 from charging.pile_state s join charging.equipment e using (equipment_id) where e.station_id = $1 and s.online', [
          stationId,
        ]),
      ).toHaveLength(all.length),
    { timeout: 9_000 },
  )
  return { stationId, all }
}
const loadOf = async (stationId: string) => (await post('/load/query', { stationId })).data.records[0]
const save = (stationId: string, limitW: number | null, more: object = {}) =>
  post('/load/save', { stationId, mode: LoadMode.equal, fallbackW: 5_000, limitW, ...more })
const until = <T>(work: () => Promise<T>, timeout = 20_000) => vi.waitFor(work, { timeout, interval: 60 })
const drawn = (all: readonly SimPile[]) => all.reduce((sum, one) => sum + one.drawsW(), 0)

test(
  'forty guns, some silent and some slow: neither what they draw nor what is counted is ever over the limit, nor above what it was when the limit was cut',
  { timeout: 60_000 },
  async () => {
    const manners = Array.from({ length: 40 }, (_, place): Manner => (place % 7 === 3 ? 'slow' : 'plain'))
    const { stationId, all } = await aStation(manners)
    expect((await save(stationId, 1_000_000)).code).toBe(200)
    await until(async () => expect(await loadOf(stationId)).toMatchObject({ settled: true, heldW: 200_000 }))

    let allowedW = 1_000_000
    const over: string[] = []
    let watching = true
    const watch = (async () => {
      while (watching) {
        const now = drawn(all)
        const { heldW, limitW } = await loadOf(stationId)
        if (now > allowedW) over.push(`drawn ${now} of ${allowedW}`)
        if (heldW > allowedW) over.push(`counted ${heldW} of ${allowedW}`)
        // A limit that was cut is neared from above and not left again.
        allowedW = Math.max(limitW, Math.min(allowedW, heldW))
        await new Promise((done) => setTimeout(done, 20))
      }
    })()
    const quickly = setInterval(() => drawn(all) > allowedW && over.push(`drawn ${drawn(all)} of ${allowedW}`), 3)

    const cars = all.slice(0, 24)
    for (const one of cars) await one.begin()
    const begun = performance.now()
    // The share kept for sixteen more cars is taken off first; the rest is for the cars that charge.
    await until(async () =>
      expect(new Set((await loadOf(stationId)).guns.filter((gun: Json) => gun.orderNo).map((gun: Json) => gun.shareW))).toEqual(new Set([38_333])),
    )
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(drawn(all)).toBe(24 * 38_333)

    const [silent, dumb] = [cars[1]!, cars[2]!]
    silent.wire.cut()
    dumb.manner = 'dumb'
    await until(async () =>
      expect((await loadOf(stationId)).guns.find((gun: Json) => gun.connectorId === silent.connectorId)).toMatchObject({
        why: LoadWhy.silent,
        heldW: 38_333,
      }),
    )
    const cutAt = performance.now()
    expect((await save(stationId, 600_000)).code).toBe(200)
    await until(async () => expect((await loadOf(stationId)).heldW).toBeLessThanOrEqual(600_000))
    expect(performance.now() - cutAt).toBeLessThan(5_000)
    expect(drawn(all)).toBeLessThanOrEqual(600_000)

    for (const one of cars.slice(12)) await one.end()
    await until(async () =>
      expect((await loadOf(stationId)).guns.find((gun: Json) => gun.connectorId === cars[5]!.connectorId).shareW).toBeGreaterThan(30_000),
    )
    for (const one of all.slice(30)) await one.begin()
    await silent.connect()
    await until(async () =>
      expect((await loadOf(stationId)).guns.find((gun: Json) => gun.connectorId === silent.connectorId)).toMatchObject({
        online: true,
        askedW: null,
        why: LoadWhy.equal,
      }),
    )
    watching = false
    await watch
    clearInterval(quickly)
    expect(over).toEqual([])
    const { data } = await post('/load/history', { stationId, event: [LoadEvent.saved] })
    expect(data.records.map((one: Json) => [one.fromW, one.toW])).toEqual([
      [1_000_000, 600_000],
      [null, 1_000_000],
    ])
  },
)

test('a limit that cannot be kept is refused with what stands in its way, and one that is lifted clears the piles', async () => {
  const { stationId, all } = await aStation(['plain', 'plain'])
  expect(await save(stationId, 9_999)).toMatchObject({ code: 41312 })
  all[0]!.wire.cut()
  await until(async () => expect((await loadOf(stationId)).guns[0].online).toBe(false))
  // It never agreed to anything: it counts with its plate.
  expect((await save(stationId, 120_000)).message).toContain('125.0 kW')
  await all[0]!.connect()
  await until(async () => expect((await save(stationId, 120_000)).code).toBe(200))
  await until(async () => expect(await loadOf(stationId)).toMatchObject({ settled: true }))
  expect((await post('/chargingPile/setProfile', { connectorId: all[0]!.connectorId, limitW: 60_000, reason: '试' })).code).toBe(41313)
  expect((await save(stationId, null)).code).toBe(200)
  await until(async () => expect(await loadOf(stationId)).toMatchObject({ settled: true, limitW: null }))
  expect(all.map((one) => one.limits)).toEqual([{}, {}])
})

test('by priority and by arrival each has its turn; a pile that refuses counts in full; monitoring shows the share', async () => {
  const { stationId, all } = await aStation(['plain', 'plain', 'plain', 'refuses'])
  expect((await save(stationId, 300_000, { mode: LoadMode.arrival })).code).toBe(200)
  await until(async () => expect(await loadOf(stationId)).toMatchObject({ settled: true, heldW: 135_000 }))
  expect((await loadOf(stationId)).guns[3]).toMatchObject({ why: LoadWhy.unmanaged, heldW: RATED_W })
  for (const one of all.slice(0, 3)) await one.begin()
  const shares = async () => (await loadOf(stationId)).guns.slice(0, 3).map((gun: Json) => gun.shareW)
  await until(async () => expect(await shares()).toEqual([120_000, 55_000, 5_000]))
  expect((await save(stationId, 300_000, { mode: LoadMode.priority })).code).toBe(200)
  await until(async () => expect(await shares()).toEqual([5_000, 55_000, 120_000]))
  const live = (await get('/monitor/queryConnectorinfoList', { stationId })).data
  expect(live.map((gun: Json) => gun.shareW)).toEqual([5_000, 55_000, 120_000, null])
  const pile = (await get('/monitor/queryEquipmentinfo', { stationId })).data
  expect(pile.find((one: Json) => one.equipmentId === all[2]!.equipmentId).shareW).toBe(120_000)
  // Level 0, the charge's own profile in watts; what every car begins with is a default.
  expect(all[2]!.told.at(-1)).toMatchObject({ stackLevel: 0, chargingProfilePurpose: 'TxProfile', transactionId: all[2]!.running })
  expect(all[2]!.told[0]).toMatchObject({ stackLevel: 0, chargingProfilePurpose: 'TxDefaultProfile' })
  await all[2]!.end()
  await until(async () => expect(await shares()).toEqual([55_000, 120_000, 5_000]))
})

test('a pile that draws more than its share a minute after it agreed counts in full from then on; a pile that starts again is told once more', async () => {
  const { stationId, all } = await aStation(['plain', 'plain'])
  const [one, other] = all as [SimPile, SimPile]
  expect((await save(stationId, 130_000)).code).toBe(200)
  await one.begin()
  await until(async () => expect((await loadOf(stationId)).guns[0].shareW).toBe(120_000))
  await other.begin()
  await until(async () => expect((await loadOf(stationId)).guns.map((gun: Json) => gun.shareW)).toEqual([65_000, 65_000]))
  await yard.sql(`update charging.load_share set agreed_at = agreed_at - interval '2 minutes' where connector_id = $1`, [one.connectorId])
  const measured = (w: number) =>
    one.wire.call('MeterValues', {
      connectorId: 1,
      transactionId: one.running,
      meterValue: [{ timestamp: new Date().toISOString(), sampledValue: [{ value: String(w), measurand: 'Power.Active.Import', unit: 'W' }] }],
    })
  await measured(67_000)
  expect((await loadOf(stationId)).guns[0].why).toBe(LoadWhy.equal)
  await measured(90_000)
  await until(async () =>
    expect((await loadOf(stationId)).guns.map((gun: Json) => [gun.why, gun.heldW])).toEqual([
      [LoadWhy.ignores, 120_000],
      [LoadWhy.equal, 10_000],
    ]),
  )
  const before = one.told.length
  await one.wire.call('BootNotification', { chargePointVendor: 'Kerb', chargePointModel: 'K' })
  await until(async () => expect(one.told.length).toBeGreaterThan(before))
  await until(async () => expect((await loadOf(stationId)).guns.map((gun: Json) => gun.shareW)).toEqual([65_000, 65_000]))
  expect(await yard.sql('select 1 from charging.operate_log where equipment_id = $1 and action = $2', [one.equipmentId, 'setProfile'])).toEqual([])
  expect(
    (await yard.sql('select 1 from charging.pile_command where equipment_id = $1 and method = $2', [one.equipmentId, PileMethod.setProfile])).length,
  ).toBeGreaterThan(2)
})
