import { connect, type MqttClient } from 'mqtt'

/** A controller in an electric box as a maker would build it, over real MQTT: it switches circuits, measures them, keeps its plan and says what it does. */
export interface BoxOptions {
  sn: string
  secret: string
  /** `mqtt://127.0.0.1:8601` */
  url: string
  circuits: readonly { circuit: number; ratedW: number }[]
  /** Lamps with controllers of their own that it passes on. */
  singles?: readonly { lamp: string; circuit: number; ratedW: number; hours: number }[]
  /** The register to begin with, in kWh. */
  kwh?: number
  now?: () => number
  /** So often it measures, beside whenever something changes; null: only when it is told to. */
  everyMs?: number | null
  keepaliveS?: number
}
/** How it misbehaves. */
export interface BoxManners {
  /** Answers, and its contactor stays where it was. */
  welded?: boolean
  /** Does nothing and says nothing. */
  deaf?: boolean
  busy?: boolean
  /** Of its lamps so many in a thousand are out. */
  lossPermille?: number
  /** Single lamps that are broken. */
  broken?: readonly string[]
}
interface Lamp {
  on: 0 | 1
  dim: number
}
export interface LampBox {
  sn: string
  manners: BoxManners
  lamps: ReadonlyMap<number, Lamp>
  /** The version of the plan that it has. */
  plan: number
  lux: number
  /** Tells all that it measures. */
  measure(): Promise<void>
  alarm(code: string, circuit?: number): Promise<void>
  cleared(code: string, circuit?: number): Promise<void>
  /** Switched at the box, by a hand or by its own plan. */
  turn(circuit: number, dim: number): Promise<void>
  close(force?: boolean): Promise<void>
}

export async function lampBox(options: BoxOptions): Promise<LampBox> {
  const box = new SimulatedBox(options)
  await box.start()
  return box
}

const VOLTS = 230
const POWER_FACTOR = 0.96
class SimulatedBox implements LampBox {
  readonly sn: string
  manners: BoxManners = {}
  readonly lamps = new Map<number, Lamp>()
  plan = 0
  lux = 3
  #plan: Plan | undefined
  readonly #heldUntil = new Map<number, number>()
  #client: MqttClient
  #root: string
  #options: BoxOptions
  #now: () => number
  #kwh: number
  #usedAt: number
  #counter = 0
  #boot = Math.random().toString(36).slice(2, 8)
  #timer: NodeJS.Timeout | undefined

  constructor(options: BoxOptions) {
    this.#options = options
    this.sn = options.sn
    this.#now = options.now ?? Date.now
    this.#kwh = options.kwh ?? 0
    this.#usedAt = this.#now()
    this.#root = `v1/devices/${options.sn}/`
    for (const { circuit } of options.circuits) this.lamps.set(circuit, { on: 0, dim: 0 })
    const will = { topic: `${this.#root}status`, payload: Buffer.from('{"online":false}'), qos: 1 as const, retain: true }
    const { url, sn, secret, keepaliveS = 60 } = options
    this.#client = connect(url, { clientId: sn, username: sn, password: secret, clean: false, keepalive: keepaliveS, reconnectPeriod: 500, will })
    this.#client.on('error', () => {}) // refused or cut: it tries again by itself
    this.#client.on('message', (topic, payload, { retain }) => {
      const id = topic.split('/rpc/request/')[1]
      if (id && !retain) void this.#obey(id, JSON.parse(payload.toString()) as Told).catch(() => {})
    })
  }
  async start(): Promise<void> {
    if (!this.#client.connected)
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('The broker does not answer.')), CONNECT_MS)
        this.#client.once('connect', () => (clearTimeout(timer), resolve()))
      })
    await this.#client.subscribeAsync(`${this.#root}rpc/request/+`, { qos: 1 })
    await this.#client.publishAsync(`${this.#root}status`, JSON.stringify({ online: true, ts: this.#now(), fw: 'box-1.0' }), { qos: 1, retain: true })
    const { everyMs = 60_000 } = this.#options
    if (everyMs !== null) this.#timer = setInterval(() => void this.measure().catch(() => {}), everyMs)
  }

  async measure(): Promise<void> {
    this.#use()
    this.#follow()
    const circuits = this.#options.circuits.map(({ circuit, ratedW }) => {
      const { on, dim } = this.lamps.get(circuit)!
      const p = Math.round(on * ((ratedW * dim) / 100) * (1 - (this.manners.lossPermille ?? 0) / 1000) * 10) / 10
      return { circuit, on, dim, u: VOLTS, i: Math.round((p / VOLTS / POWER_FACTOR) * 100) / 100, p, pf: on ? POWER_FACTOR : 0 }
    })
    const lamps = this.#options.singles?.map((one) => this.#single(one))
    await this.#send('telemetry', { kwh: Math.round(this.#kwh * 100) / 100, lux: this.lux, circuits, ...(lamps && { lamps }) })
  }
  #single({ lamp, circuit, ratedW, hours }: NonNullable<BoxOptions['singles']>[number]) {
    const fault = this.manners.broken?.includes(lamp) ? 1 : 0
    const { on, dim } = fault ? { on: 0, dim: 0 } : this.lamps.get(circuit)!
    return { lamp, on, dim, fault, p: (ratedW * dim) / 100, hours }
  }
  alarm(code: string, circuit?: number): Promise<void> {
    return this.#send('event', { type: 'alarm', code, level: 2, ...(circuit !== undefined && { circuit }) })
  }
  cleared(code: string, circuit?: number): Promise<void> {
    return this.#send('event', { type: 'alarmCleared', code, ...(circuit !== undefined && { circuit }) })
  }
  async turn(circuit: number, dim: number): Promise<void> {
    this.#use()
    this.lamps.set(circuit, { on: dim > 0 ? 1 : 0, dim })
    this.#heldUntil.set(circuit, Infinity)
    await this.measure()
  }
  async close(force = false): Promise<void> {
    clearInterval(this.#timer)
    if (force) this.#client.stream?.destroy()
    await this.#client.endAsync(force)
  }

  /** Adds the lamps' energy since it was counted last. */
  #use(): void {
    const now = this.#now()
    const watts = this.#options.circuits.reduce((sum, { circuit, ratedW }) => sum + (ratedW * this.lamps.get(circuit)!.dim) / 100, 0)
    this.#kwh += (watts * Math.max(0, now - this.#usedAt)) / 3_600_000_000
    this.#usedAt = now
  }
  async #send(kind: 'telemetry' | 'event', body: object): Promise<void> {
    const message = { ts: this.#now(), mid: `${this.#boot}-${++this.#counter}`, ...body }
    await this.#client.publishAsync(`${this.#root}${kind}`, JSON.stringify(message), { qos: 1 })
  }
  async #obey(id: string, { method, params, ts, ttl }: Told): Promise<void> {
    if (Date.now() - ts > ttl || this.manners.deaf) return
    if (this.manners.busy) return this.#answer(id, 3, 'busy')
    if (method === 'lamp.plan') this.#take(params as unknown as Plan)
    else if (method === 'lamp.set') this.#set((params['circuits'] ?? []) as { circuit: number; on: 0 | 1; dim: number }[])
    else if (method !== 'lamp.read') return this.#answer(id, 1, 'unknown method')
    await this.#answer(id, 0)
    await this.measure()
  }
  #take(plan: Plan): void {
    this.#plan = plan
    this.plan = plan.version
  }
  #set(wishes: readonly { circuit: number; on: 0 | 1; dim: number; until?: number }[]): void {
    this.#use()
    if (this.manners.welded) return
    for (const { circuit, on, dim, until = Infinity } of wishes) {
      if (!this.lamps.has(circuit)) continue
      this.lamps.set(circuit, { on, dim: on ? dim : 0 })
      this.#heldUntil.set(circuit, until)
    }
  }
  /** Sets circuits that nobody holds by the plan. */
  #follow(): void {
    if (!this.#plan || this.manners.welded) return
    const now = this.#now()
    for (const circuit of this.lamps.keys()) {
      if ((this.#heldUntil.get(circuit) ?? 0) > now) continue
      const dim = plannedDim(this.#plan, circuit, now)
      if (dim !== undefined) this.lamps.set(circuit, { on: dim > 0 ? 1 : 0, dim })
    }
  }
  async #answer(id: string, code: number, msg = 'ok'): Promise<void> {
    await this.#client.publishAsync(`${this.#root}rpc/response/${id}`, JSON.stringify({ code, msg, data: {} }), { qos: 1 })
  }
}
const CONNECT_MS = 10_000

/** A plan as it comes over the wire: nights by the sun's minutes after noon, and what each circuit does in how many of them. */
interface Plan {
  version: number
  from: string
  sun: readonly (readonly [set: number, rise: number])[]
  circuits: readonly {
    circuit: number
    hold?: boolean
    runs?: readonly { nights: number; entries: readonly { at: string; on: number; dim: number }[] }[]
  }[]
}
const DAY_MS = 86_400_000
const MINUTES_A_DAY = 1_440
/** The city is eight hours ahead, and a night begins at its noon. */
const NOON_MS = 4 * 3_600_000
/** How bright a circuit is by its plan; undefined where the plan leaves it alone or has no such night. */
export function plannedDim({ from, sun, circuits }: Plan, circuit: number, now: number): number | undefined {
  const of = circuits.find((one) => one.circuit === circuit)
  const night = Math.floor((now - NOON_MS - Date.parse(from)) / DAY_MS)
  const edges = sun[night]
  if (!of?.runs || !edges) return undefined
  let left = night
  const run = of.runs.find(({ nights }) => (left -= nights) < 0)
  if (!run) return undefined
  const minutes = (now - NOON_MS - Date.parse(from)) / 60_000 - night * MINUTES_A_DAY
  const last = run.entries.findLast(({ at }) => minutesOf(at, edges) <= minutes)
  return last ? last.dim : 0
}
function minutesOf(at: string, [set, rise]: readonly [number, number]): number {
  const [, edge, shift = '0'] = /^(sunset|sunrise)([+-]\d+)?$/.exec(at) ?? []
  if (edge) return (edge === 'sunset' ? set : rise) + Number(shift)
  return (Number(at.slice(0, 2)) * 60 + Number(at.slice(3)) + MINUTES_A_DAY / 2) % MINUTES_A_DAY
}
interface Told {
  method: string
  params: Record<string, unknown>
  ts: number
  ttl: number
}
