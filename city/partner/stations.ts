import { setTimeout as pause } from 'node:timers/promises'
import { CITY_OFFSET_MS } from '../../platform/contract/time.ts'
import type { Said } from './wire.ts'

export interface StationsOptions {
  operatorId: string
  /** Tells the platform, as a partner tells it; a letter that was not taken is told again. */
  tell(name: string, data: object): Promise<Said>
  now?: () => number
  /** So many seconds of a charge pass in one; a test has no evening. */
  speed?: number
  /** Of a hundred moments, in so many a car comes or goes. */
  traffic?: number
  everyMs?: number
}
interface Gun {
  id: string
  kw: number
  status: number
}
interface Line {
  fromMs: number
  toMs: number
  elec: number
  service: number
  wh: number
}
interface Session {
  seq: string
  gun: Gun
  startMs: number
  /** Where its clock stands: faster than ours where the sandbox is. */
  atMs: number
  stage: 1 | 2 | 3 | 4
  lines: Line[]
  /** The car is full then. */
  fullWh: number
  reason: number
  toldMs: number
}
const [FREE, PLUGGED, CHARGING] = [1, 2, 3]
const [STARTING, RUNS, STOPPING, ENDED] = [1, 2, 3, 4] as const
const [BY_PLATFORM, FULL] = [1, 2]
const HOUR_MS = 3_600_000
/** As a real one pushes about every fifty seconds; whoever looks at a demo does not wait so long. */
const PUSH_MS = 10_000
const EVERY_MS = 2_000
const PAGE = 100
/** Yuan for a kWh, from an hour of the day on. */
const PRICES = [
  { hour: 0, elec: 0.3462, service: 0.45 },
  { hour: 7, elec: 0.6518, service: 0.5 },
  { hour: 18, elec: 1.0265, service: 0.5 },
  { hour: 22, elec: 0.6518, service: 0.45 },
] as const
const SITES = [
  { id: 'HJ-WANHUI', name: '万汇广场超充站', address: '长虹路万汇广场 B2', lng: 112.1421, lat: 32.0398, kws: [120, 120, 60] },
  { id: 'HJ-EAST', name: '东津枢纽快充站', address: '东津新区高铁站 P3', lng: 112.2075, lat: 32.0442, kws: [60, 60, 7] },
] as const

const text = (ms: number) => new Date(ms + CITY_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
const hourOf = (ms: number) => new Date(ms + CITY_OFFSET_MS).getUTCHours()
const priceAt = (ms: number) => PRICES.findLast(({ hour }) => hour <= hourOf(ms))!
/** Hundredths of a kWh, and of a yuan. */
const power = (wh: number) => Math.round(wh / 10) / 100
const yuan = (kwh: number, price: number) => Math.round(kwh * price * 100) / 100
const sum = (all: readonly number[]) => Math.round(all.reduce((a, b) => a + b, 0) * 100) / 100

/** The partner's own stations: cars come and go, others' drivers charge here, and their platform is told of it. All of it in memory. */
export class SandboxStations {
  readonly #options: StationsOptions
  readonly #guns = new Map<string, Gun>()
  readonly #sessions = new Map<string, Session>()
  readonly #letters: { name: string; data: object }[] = []
  readonly counts = { asked: 0, begun: 0, pushed: 0, ordered: 0, disputed: 0 }
  #stopped = false

  constructor(options: StationsOptions) {
    this.#options = options
    // At every other gun somebody has plugged in.
    for (const { id, kws } of SITES)
      kws.forEach((kw, n) => this.#guns.set(`${id}-${n + 1}`, { id: `${id}-${n + 1}`, kw, status: n % 2 === 0 ? PLUGGED : FREE }))
  }
  stop = (): void => void (this.#stopped = true)
  #now = () => (this.#options.now ?? Date.now)()

  readonly answers: Record<string, (said: Said) => object> = {
    query_stations_info: ({ PageNo = 1, PageSize = 10, LastQueryTime = '' }) => {
      // They stand as they were built.
      const named = LastQueryTime === '' ? SITES : []
      const size = Math.min(Number(PageSize), PAGE)
      const from = (Number(PageNo) - 1) * size
      return {
        PageNo,
        PageCount: Math.ceil(named.length / size),
        ItemSize: named.length,
        StationInfos: named.slice(from, from + size).map((one) => this.#info(one)),
      }
    },
    query_station_status: ({ StationIDs }) => {
      const StationStatusInfos = SITES.filter(({ id }) => (StationIDs as string[]).includes(id)).map(({ id, kws }) => ({
        StationID: id,
        ConnectorStatusInfos: kws.map((_, n) => state(this.#guns.get(`${id}-${n + 1}`)!)),
      }))
      return { Total: StationStatusInfos.length, StationStatusInfos }
    },
    query_equip_auth: ({ EquipAuthSeq, ConnectorID }) => {
      this.counts.asked++
      const gun = this.#guns.get(String(ConnectorID))
      const FailReason = gun?.status === PLUGGED ? 0 : gun?.status === FREE ? 1 : 2
      return { EquipAuthSeq, ConnectorID, SuccStat: FailReason === 0 ? 0 : 1, FailReason }
    },
    query_equip_business_policy: ({ EquipBizSeq, ConnectorID }) => ({
      ...{ EquipBizSeq, ConnectorID, SuccStat: 0, FailReason: 0, SumPeriod: PRICES.length },
      PolicyInfos: PRICES.map(({ hour, elec, service }) => ({
        StartTime: `${String(hour).padStart(2, '0')}0000`,
        ElecPrice: elec,
        SevicePrice: service,
      })),
    }),
    query_start_charge: ({ StartChargeSeq, ConnectorID }) => this.#start(String(StartChargeSeq), String(ConnectorID)),
    query_stop_charge: ({ StartChargeSeq, ConnectorID }) => {
      const found = this.#sessions.get(String(StartChargeSeq))
      const over = found === undefined || found.stage === ENDED
      if (!over) Object.assign(found, { stage: STOPPING, reason: BY_PLATFORM })
      return { StartChargeSeq, ConnectorID, StartChargeSeqStat: found?.stage ?? 5, SuccStat: over ? 1 : 0, FailReason: !over ? 0 : found ? 3 : 1 }
    },
    query_equip_charge_status: ({ StartChargeSeq }) => {
      const found = this.#sessions.get(String(StartChargeSeq))
      return found ? course(found) : { StartChargeSeq, StartChargeSeqStat: 5, ConnectorStatus: 0 }
    },
  }
  #info({ id, name, address, lng, lat, kws }: (typeof SITES)[number]) {
    const OperatorID = this.#options.operatorId
    const gun = (kw: number, n: number) => ({
      ...{
        ConnectorID: `${id}-${n + 1}`,
        ConnectorName: `${n + 1}号枪`,
        ConnectorType: kw > 7 ? 4 : 3,
        VoltageUpperLimits: 750,
        VoltageLowerLimits: 200,
        Current: 250,
        Power: kw,
        NationalStandard: 2,
      },
    })
    return {
      ...{
        StationID: id,
        OperatorID,
        EquipmentOwnerID: OperatorID,
        StationName: name,
        CountryCode: 'CN',
        AreaCode: '420607',
        Address: address,
        ServiceTel: '4008800000',
        StationType: 1,
        StationStatus: 50,
      },
      ...{
        ParkNums: kws.length,
        StationLng: lng,
        StationLat: lat,
        Construction: 9,
        BusineHours: '00:00-24:00',
        ParkFee: '充电期间停车免费 2 小时',
        SupportOrder: 0,
      },
      EquipmentInfos: kws.map((kw, n) => ({
        EquipmentID: `${id}-E${n + 1}`,
        EquipmentName: `${n + 1}号桩`,
        EquipmentType: kw > 7 ? 1 : 2,
        Power: kw,
        ConnectorInfos: [gun(kw, n)],
      })),
    }
  }
  /** By its number it is one charge, however often it is asked for. */
  #start(seq: string, id: string): object {
    const known = this.#sessions.get(seq)
    const gun = this.#guns.get(id)
    const may = known !== undefined || gun?.status === PLUGGED
    if (!known && gun && may) {
      const startMs = this.#now()
      const fullWh = 8_000 + ((seq.charCodeAt(26) * 977) % 20) * 1_000
      this.#sessions.set(seq, { seq, gun, startMs, atMs: startMs, stage: STARTING, lines: [], fullWh, reason: FULL, toldMs: 0 })
      this.#become(gun, CHARGING)
    }
    return {
      StartChargeSeq: seq,
      StartChargeSeqStat: this.#sessions.get(seq)?.stage ?? 5,
      ConnectorID: id,
      SuccStat: may ? 0 : 1,
      FailReason: may ? 0 : gun ? 2 : 1,
    }
  }
  #become(gun: Gun, status: number): void {
    gun.status = status
    this.#letters.push({ name: 'notification_stationStatus', data: { ConnectorStatusInfo: state(gun) } })
  }

  /** Advances by one moment: charges go on, cars come and go, letters leave in their order. */
  async step(): Promise<void> {
    for (const one of this.#sessions.values()) this.#goOn(one)
    await this.#send()
  }
  #goOn(one: Session): void {
    if (one.stage === ENDED) return
    const { seq, gun } = one
    if (one.stage === STARTING) {
      one.stage = RUNS
      this.counts.begun++
      this.#letters.push({
        name: 'notification_start_charge_result',
        data: {
          StartChargeSeq: seq,
          StartChargeSeqStat: RUNS,
          ConnectorID: gun.id,
          StartTime: text(one.startMs),
          IdentCode: seq.slice(-4),
          SuccStat: 0,
          FailReason: 0,
        },
      })
    }
    this.#charge(one)
    if (one.stage === STOPPING || whOf(one) >= one.fullWh) return this.#end(one)
    if (this.#now() - one.toldMs < PUSH_MS) return
    one.toldMs = this.#now()
    this.counts.pushed++
    this.#letters.push({ name: 'notification_equip_charge_status', data: course(one) })
  }
  /** The current falls as the battery fills. */
  #charge(one: Session): void {
    const { gun, startMs, fullWh, lines } = one
    const toMs = startMs + (this.#now() - startMs) * (this.#options.speed ?? 1)
    while (one.atMs < toMs) {
      const price = priceAt(one.atMs)
      const nextHour = (Math.floor(one.atMs / HOUR_MS) + 1) * HOUR_MS
      const endMs = Math.min(toMs, nextHour)
      const part = whOf(one) / fullWh
      const wh = Math.min(fullWh - whOf(one), (gun.kw * 1_000 * (part > 0.8 ? 0.4 : 0.85) * (endMs - one.atMs)) / HOUR_MS)
      const last = lines.at(-1)
      if (last?.elec === price.elec && last.service === price.service) Object.assign(last, { toMs: endMs, wh: last.wh + wh })
      else lines.push({ fromMs: one.atMs, toMs: endMs, elec: price.elec, service: price.service, wh })
      one.atMs = endMs
      if (whOf(one) >= fullWh) return
    }
  }
  #end(one: Session): void {
    one.stage = ENDED
    const { seq, gun, startMs, atMs, reason } = one
    const lines = details(one)
    const [TotalPower, TotalElecMoney, TotalSeviceMoney] = [
      sum(lines.map((line) => line.DetailPower)),
      sum(lines.map((line) => line.DetailElecMoney)),
      sum(lines.map((line) => line.DetailSeviceMoney)),
    ]
    this.#letters.push({
      name: 'notification_stop_charge_result',
      data: { StartChargeSeq: seq, StartChargeSeqStat: ENDED, ConnectorID: gun.id, SuccStat: 0, FailReason: 0 },
    })
    this.#become(gun, PLUGGED)
    this.counts.ordered++
    this.#letters.push({
      name: 'notification_charge_order_info',
      data: {
        ...{
          StartChargeSeq: seq,
          ConnectorID: gun.id,
          StartTime: text(startMs),
          EndTime: text(atMs),
          TotalPower,
          TotalElecMoney,
          TotalSeviceMoney,
          TotalMoney: sum([TotalElecMoney, TotalSeviceMoney]),
        },
        ...{ StopReason: reason, SumPeriod: lines.length, ChargeDetails: lines },
      },
    })
  }
  /** The first that is not taken waits, and the others behind it. */
  async #send(): Promise<void> {
    for (;;) {
      const letter = this.#letters[0]
      if (!letter) return
      const answer = await this.#options.tell(letter.name, letter.data)
      if (letter.name === 'notification_charge_order_info' && Number(answer['ConfirmResult']) !== 0) this.counts.disputed++
      this.#letters.shift()
    }
  }
  /** A car comes or goes somewhere now and then. */
  #traffic(): void {
    const idle = [...this.#guns.values()].filter(({ status }) => status !== CHARGING)
    const gun = idle[Math.floor(Math.random() * idle.length)]
    if (gun && Math.random() * 100 < (this.#options.traffic ?? TRAFFIC)) this.#become(gun, gun.status === FREE ? PLUGGED : FREE)
  }
  async live(failed: (error: Error) => void): Promise<void> {
    while (!this.#stopped) {
      this.#traffic()
      await this.step().catch(failed)
      await pause(this.#options.everyMs ?? EVERY_MS, undefined, { ref: false })
    }
  }
}
const TRAFFIC = 2

const state = ({ id, status }: Gun) => ({ ConnectorID: id, Status: status, ParkStatus: status === FREE ? 10 : 50, LockStatus: 0 })
const whOf = ({ lines }: Session) => lines.reduce((all, { wh }) => all + wh, 0)
const details = ({ lines }: Session) =>
  lines.map(({ fromMs, toMs, elec, service, wh }) => ({
    ...{ DetailStartTime: text(fromMs), DetailEndTime: text(toMs), ElecPrice: elec, SevicePrice: service, DetailPower: power(wh) },
    ...{ DetailElecMoney: yuan(power(wh), elec), DetailSeviceMoney: yuan(power(wh), service) },
  }))
function course(one: Session): object {
  const lines = details(one)
  const [ElecMoney, SeviceMoney] = [sum(lines.map((line) => line.DetailElecMoney)), sum(lines.map((line) => line.DetailSeviceMoney))]
  return {
    ...{
      StartChargeSeq: one.seq,
      StartChargeSeqStat: one.stage,
      ConnectorID: one.gun.id,
      ConnectorStatus: one.gun.status,
      CurrentA: 120,
      VoltageA: 410,
    },
    ...{
      Soc: Math.min(100, 30 + Math.round((70 * whOf(one)) / one.fullWh)),
      StartTime: text(one.startMs),
      EndTime: text(one.atMs),
      TotalPower: sum(lines.map((line) => line.DetailPower)),
    },
    ...{ ElecMoney, SeviceMoney, TotalMoney: sum([ElecMoney, SeviceMoney]), SumPeriod: lines.length, ChargeDetails: lines },
  }
}
