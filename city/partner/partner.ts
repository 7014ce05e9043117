import { hash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { SandboxStations } from './stations.ts'
import { type Four, isTheirs, opened, Refused, replied, type Reply, reply, type Request, request, type Said, stamped } from './wire.ts'

/** How often it does what partners do, of a hundred letters or drivers. */
export interface Habits {
  /** Answers nothing the first time. */
  silent: number
  /** Asks to come again the first time. */
  busy: number
  /** Fails until a letter is dead; sent again by a person it is taken. */
  stubborn: number
  /** Has a fen more on an order than it was told. */
  disputes: number
  /** Of the cars that are plugged in, so many are its drivers'. */
  drivers: number
  /** Of its drivers, so many end their charge by its app. */
  stops: number
}
export interface PartnerOptions {
  /** Where the platform's doors are. */
  platform: string
  operatorId: string
  /** The secrets that the platform gave it to call with, and those that it gave the platform. */
  given: Four
  own: Four
  habits: Habits
  /** It looks at the stations so often. */
  everyMs?: number
  /** It has stations as well, where the platform's drivers charge; so many seconds of theirs pass in one. */
  stations?: { speed: number; traffic?: number }
  /** A driver ends a charge so long after it began, at most. */
  stopsWithinMs?: number
}
/** `undefined`: it does not answer. */
export type Heard = Reply | undefined
interface Charge {
  connectorId: string
  /** Its driver ends it then; never where the car ends it. */
  stopAtMs?: number
}
interface Order {
  power: number
  money: number
}

const OK = 0
const [BUSY, SIGNATURE, TOKEN, ENVELOPE, INTERNAL] = [-1, 4001, 4002, 4003, 500]
const TOKEN_S = 7_200
/** The platform tries a letter so often before it is dead. */
const UNTIL_DEAD = 6
const PAGE = 100
/** Stations are asked for anew at every so manieth look. */
const STATIONS_EVERY = 30
const [FREE, PLUGGED] = [1, 2]
const LASTS_MS = 180_000
const EVERY_MS = 10_000
const STATUS_MOST = 50

/**
 * A platform with drivers, and stations too where it is given some, as it is seen from outside: it asks for tokens, stations, states and prices, begins and ends charges for its drivers, is told of states,
 * progress and orders, and checks them. It is busy, silent or broken now and then. All state is in memory: what was before its start it believes.
 */
export class SandboxPartner {
  readonly #options: PartnerOptions
  readonly #tokens = new Map<string, number>()
  readonly #tries = new Map<string, number>()
  readonly #guns = new Map<string, number>()
  readonly #charges = new Map<string, Charge>()
  readonly #orders = new Map<string, Order>()
  #stations: string[] = []
  #asked = ''
  #token: string | undefined
  #seq = 0
  #looks = 0
  #stopped = false
  /** Counts of its actions, for observers. */
  readonly counts = {
    tokensGiven: 0,
    tokensAsked: 0,
    states: 0,
    progress: 0,
    starts: 0,
    refused: 0,
    stops: 0,
    orders: 0,
    orderFen: 0,
    again: 0,
    disputed: 0,
    checks: 0,
    busy: 0,
    silent: 0,
    broken: 0,
    forged: 0,
    problems: 0,
  }
  /** The last thing that went wrong with what it asked. */
  problem = ''

  /** Where the platform's drivers charge. */
  readonly own: SandboxStations | undefined

  constructor(options: PartnerOptions) {
    this.#options = options
    const { stations, operatorId, everyMs } = options
    if (stations)
      this.own = new SandboxStations({ ...stations, operatorId, tell: (name, data) => this.#ask(name, data), ...(everyMs && { everyMs }) })
  }
  stop(): void {
    this.#stopped = true
    this.own?.stop()
  }
  get stations(): readonly string[] {
    return this.#stations
  }
  get orders(): ReadonlyMap<string, Order> {
    return this.#orders
  }

  /** Its door: one letter of the platform. */
  hear(name: string, authorization: string | undefined, letter: Request): Heard {
    const { own } = this.#options
    if (!isTheirs(letter, own)) return this.#say(SIGNATURE, 'the signature is not right', {}, 'forged')
    const said = opened(letter.Data, own)
    if (name === 'query_token') return this.#giveToken(said)
    const until = this.#tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '')
    if (until === undefined || until < Date.now()) return this.#say(TOKEN, 'the token is over', {})
    const asked = this.own?.answers[name]
    if (asked) return this.#say(OK, 'ok', asked(said))
    const answer = this.#answers[name]
    if (!answer) return this.#say(ENVELOPE, 'no such interface', {})
    const mood = this.#mood(`${name} ${keyOf(said)}`)
    return mood === 'silent' ? undefined : (mood ?? this.#say(OK, 'ok', answer(said)))
  }
  #say(ret: number, msg: string, data: object, what?: keyof SandboxPartner['counts']): Reply {
    if (what) this.counts[what]++
    return reply(ret, msg, data, this.#options.own)
  }
  #giveToken({ OperatorID, OperatorSecret }: Said): Reply {
    if (OperatorSecret !== this.#options.own.operatorSecret)
      return this.#say(OK, 'ok', { OperatorID, SuccStat: 1, AccessToken: '', TokenAvailableTime: 0, FailReason: 2 })
    const AccessToken = randomBytes(24).toString('hex')
    this.#tokens.set(AccessToken, Date.now() + TOKEN_S * 1_000)
    return this.#say(OK, 'ok', { OperatorID, SuccStat: 0, AccessToken, TokenAvailableTime: TOKEN_S, FailReason: 0 }, 'tokensGiven')
  }
  /** Nothing is wrong with most letters. The same letter is treated the same way, whenever it comes. */
  #mood(key: string): Reply | 'silent' | undefined {
    const tries = (this.#tries.get(key) ?? 0) + 1
    this.#tries.set(key, tries)
    const { silent, busy, stubborn } = this.#options.habits
    const luck = roll(key)
    if (luck < stubborn) return tries <= UNTIL_DEAD ? this.#say(INTERNAL, 'order service is down', {}, 'broken') : undefined
    if (tries > 1 || luck >= stubborn + silent + busy) return undefined
    if (luck >= stubborn + silent) return this.#say(BUSY, 'busy', {}, 'busy')
    this.counts.silent++
    return 'silent'
  }

  readonly #answers: Record<string, (said: Said) => object> = {
    notification_stationStatus: ({ ConnectorStatusInfo }) => {
      this.counts.states++
      this.#gunSaid(ConnectorStatusInfo as Said)
      return { Status: 0 }
    },
    notification_start_charge_result: ({ StartChargeSeq, SuccStat }) => {
      const charge = this.#charges.get(String(StartChargeSeq))
      if (charge && SuccStat === 0) this.#mayStop(String(StartChargeSeq), charge)
      else this.#charges.delete(String(StartChargeSeq))
      return taken
    },
    notification_equip_charge_status: () => {
      this.counts.progress++
      return taken
    },
    notification_stop_charge_result: ({ StartChargeSeq }) => {
      this.#charges.delete(String(StartChargeSeq))
      return taken
    },
    notification_charge_order_info: (order) => this.#orderSaid(order),
    check_charge_orders: (check) => this.#checked(check),
  }
  #orderSaid({ StartChargeSeq, ConnectorID, TotalPower, TotalMoney }: Said): object {
    const seq = String(StartChargeSeq)
    this.#charges.delete(seq)
    if (this.#orders.has(seq)) this.counts.again++
    else {
      this.counts.orders++
      this.counts.orderFen += fenOf(TotalMoney)
    }
    this.#orders.set(seq, this.#own(seq, TotalPower, TotalMoney))
    return { StartChargeSeq, ConnectorID, ConfirmResult: 0 }
  }
  /** Its own figures for a charge, whether or not the letter about its order has come: of some a fen more. */
  #own(seq: string, power: unknown, money: unknown): Order {
    const more = roll(`disputes ${seq}`) < this.#options.habits.disputes ? 1 : 0
    return { power: Number(power), money: (fenOf(money) + more) / 100 }
  }
  /** Charge by charge: where both say something else, its own figures. */
  #checked({ CheckOrderSeq, StartTime, EndTime, ChargeOrders }: Said): object {
    this.counts.checks++
    const DisputeOrders = (ChargeOrders as Said[]).flatMap(({ StartChargeSeq, TotalPower, TotalMoney }) => {
      const mine = this.#orders.get(String(StartChargeSeq)) ?? this.#own(String(StartChargeSeq), TotalPower, TotalMoney)
      const agrees = mine.power === TotalPower && mine.money === TotalMoney
      return agrees ? [] : [{ StartChargeSeq, TotalPower: mine.power, TotalMoney: mine.money }]
    })
    this.counts.disputed += DisputeOrders.length
    const sum = (of: 'TotalPower' | 'TotalMoney') => Math.round(DisputeOrders.reduce((all, one) => all + one[of], 0) * 100) / 100
    const totals = { TotalDisputeOrder: DisputeOrders.length, TotalDisputePower: sum('TotalPower'), TotalDisputeMoney: sum('TotalMoney') }
    return { CheckOrderSeq, StartTime, EndTime, ...totals, DisputeOrders }
  }

  /** A car that was plugged in where nothing stood before may be one of its drivers'. */
  #gunSaid({ ConnectorID, Status }: Said): void {
    const [id, status] = [String(ConnectorID), Number(Status)]
    const before = this.#guns.get(id)
    this.#guns.set(id, status)
    if (before === FREE && status === PLUGGED && Math.random() * 100 < this.#options.habits.drivers) void this.#try(() => this.#start(id))
  }
  #mayStop(seq: string, charge: Charge): void {
    const { habits, stopsWithinMs = LASTS_MS } = this.#options
    if (roll(`stops ${seq}`) < habits.stops) charge.stopAtMs = Date.now() + Math.random() * stopsWithinMs
  }
  /** Counts a failure; the next caller tries again. */
  #try(work: () => Promise<void>): Promise<void> {
    return work().catch((error: Error) => {
      this.counts.problems++
      this.problem = error.message
    })
  }

  async #start(ConnectorID: string): Promise<void> {
    const auth = await this.#ask('query_equip_auth', { EquipAuthSeq: this.#number(), ConnectorID })
    const prices = auth['SuccStat'] === 0 && (await this.#ask('query_equip_business_policy', { EquipBizSeq: this.#number(), ConnectorID }))
    if (!prices || !(Number(prices['SumPeriod']) > 0)) return void this.counts.refused++
    const StartChargeSeq = this.#number()
    this.#charges.set(StartChargeSeq, { connectorId: ConnectorID })
    const started = await this.#ask('query_start_charge', { StartChargeSeq, ConnectorID, QRCode: '' })
    if (started['SuccStat'] === 0) return void this.counts.starts++
    this.#charges.delete(StartChargeSeq)
    this.counts.refused++
  }
  async #stopCharge(StartChargeSeq: string, charge: Charge): Promise<void> {
    await this.#ask('query_equip_charge_status', { StartChargeSeq })
    await this.#ask('query_stop_charge', { StartChargeSeq, ConnectorID: charge.connectorId })
    delete charge.stopAtMs
    this.counts.stops++
  }

  /** Looks at the stations and sees its drivers' wishes through, until it is stopped. */
  async live(): Promise<void> {
    void this.own?.live((error) => {
      this.counts.problems++
      this.problem = error.message
    })
    while (!this.#stopped) {
      await this.#try(() => this.look())
      for (const [seq, charge] of this.#charges)
        if (charge.stopAtMs !== undefined && charge.stopAtMs <= Date.now()) await this.#try(() => this.#stopCharge(seq, charge))
      await pause(this.#options.everyMs ?? EVERY_MS, undefined, { ref: false })
    }
  }
  /** The stations now and then, and the states of their guns. */
  async look(): Promise<void> {
    if (this.#looks++ % STATIONS_EVERY === 0) await this.#lookAtStations()
    for (let from = 0; from < this.#stations.length; from += STATUS_MOST) {
      const StationIDs = this.#stations.slice(from, from + STATUS_MOST)
      const { StationStatusInfos } = await this.#ask('query_station_status', { StationIDs })
      for (const { ConnectorStatusInfos } of StationStatusInfos as Said[]) for (const one of ConnectorStatusInfos as Said[]) this.#gunSaid(one)
    }
  }
  /** Asks for the stations that changed since the last request; the first time for all of them. */
  async #lookAtStations(): Promise<void> {
    const since = this.#asked
    const now = stamped(Date.now()).replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3 $4:$5:$6')
    for (let PageNo = 1, pages = 1; PageNo <= pages; PageNo++) {
      const { PageCount, StationInfos } = await this.#ask('query_stations_info', { LastQueryTime: since, PageNo, PageSize: PAGE })
      pages = Number(PageCount)
      this.#stations = [...new Set([...this.#stations, ...(StationInfos as Said[]).map(({ StationID }) => String(StationID))])]
    }
    this.#asked = now
  }

  #number = () => `${this.#options.operatorId}${stamped(Date.now())}${String(++this.#seq % 10_000).padStart(4, '0')}`
  /** With a token; one that is over is asked for anew. */
  async #ask(name: string, data: object): Promise<Said> {
    this.#token ??= await this.#newToken()
    try {
      return await this.#call(name, data, this.#token)
    } catch (error) {
      if (!(error instanceof Refused) || error.ret !== TOKEN) throw error
      this.#token = await this.#newToken()
      return this.#call(name, data, this.#token)
    }
  }
  async #newToken(): Promise<string> {
    const { operatorId, given } = this.#options
    const { SuccStat, AccessToken } = await this.#call('query_token', { OperatorID: operatorId, OperatorSecret: given.operatorSecret })
    if (SuccStat !== 0) throw new Error('the platform gave no token')
    this.counts.tokensAsked++
    return String(AccessToken)
  }
  async #call(name: string, data: object, token?: string): Promise<Said> {
    const { platform, operatorId, given } = this.#options
    const answer = await fetch(`${platform}/evcs/v1/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(request(operatorId, data, this.#seq++, given)),
      signal: AbortSignal.timeout(ASKS_MS),
    })
    return replied((await answer.json()) as Reply, given)
  }
}
const ASKS_MS = 10_000
const taken = { SuccStat: 0, FailReason: 0 }
const fenOf = (yuan: unknown) => Math.round(Number(yuan) * 100)
/** The subject of a letter. */
const keyOf = ({ StartChargeSeq, CheckOrderSeq, ConnectorStatusInfo }: Said) =>
  String(StartChargeSeq ?? CheckOrderSeq ?? JSON.stringify(ConnectorStatusInfo))
/** 0 to 99, the same for the same text. */
const roll = (text: string) => parseInt(hash('sha256', text).slice(0, 8), 16) % 100
