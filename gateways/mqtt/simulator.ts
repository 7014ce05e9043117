import { connect, type MqttClient } from 'mqtt'
import sharp from 'sharp'

/** A lane's camera and barrier as a maker would build it, over real MQTT. It keeps to spec and can misbehave in the ways that real ones do. */
export interface LaneOptions {
  sn: string
  secret: string
  /** `mqtt://127.0.0.1:8601` */
  url: string
  direction: 'in' | 'out'
  /** `http://127.0.0.1:8600`, for pictures. */
  http?: string
  /** The device's clock, ms. */
  now?: () => number
  /** A car drives through this long after the barrier has opened; null: when `pass()` is called. */
  passAfterMs?: number | null
  clientId?: string
  /** Its number of the last event that it kept while it was cut off; a real one counts on over its restarts. */
  countedTo?: number
  keepaliveS?: number
  /**
   * The antenna's answer about a deduction, at first and whenever it is asked again; undefined: it stays silent. Left out, every
   * card pays.
   */
  card?: (deductNo: string, amountFen: number | null) => Promise<Record<string, unknown> | undefined>
}
/** How it misbehaves. */
export interface Manners {
  /** Does nothing and says nothing when told to open. */
  deaf?: boolean
  /** Opens, but the answer is lost. */
  mute?: boolean
  /** Answers "busy". */
  busy?: boolean
  /** Answers everything twice. */
  stutter?: boolean
  /** The boom does not close behind the car: two pass. */
  tailgated?: boolean
}
export interface PlateSeen {
  plate: string
  color?: string
  confidence?: number
  image?: string
  direction?: 'in' | 'out'
  /** Default: the device's clock now. */
  ts?: number
  mid?: string
  offline?: boolean
  seq?: number
}
export interface Request {
  id: string
  method: string
  params: Record<string, unknown>
  ts: number
  ttl: number
  /** When it arrived, performance.now(). */
  at: number
}
export interface Lane {
  sn: string
  client: MqttClient
  manners: Manners
  requests: Request[]
  /** How often the boom has gone up. */
  opened: number
  barrier: 'open' | 'closed'
  display: string[]
  /** A dome: whether it looks for cars that stand where they may not. */
  capturing: boolean
  warnings: Record<string, unknown>[]
  /** Reports a plate; done when the platform has acknowledged it. While cut off it is kept, and sent later with `offline` and its number. */
  plate(seen: PlateSeen): Promise<string>
  event(body: Record<string, unknown>): Promise<string>
  telemetry(body: Record<string, unknown>): Promise<string>
  /** The next request of this method that has not been asked for yet. */
  next(method: string, withinMs?: number): Promise<Request>
  /** The car under the barrier drives on. */
  pass(): Promise<void>
  /** The network is gone; reports are kept. */
  cutOff(): void
  /** It is gone now, and how often it went. */
  away: boolean
  cuts: number
  /** It is back; what was kept is sent. */
  restore(): Promise<void>
  /** Draws the car and uploads it; the reference belongs into `image`. */
  picture(plate: string, color?: string): Promise<string>
  /** `force`: without a goodbye, so that the last will speaks. */
  close(force?: boolean): Promise<void>
}

const PASS_MS = 2_000
/** Distinguishes what a lane says after a restart from what it said before. */
const bootId = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`

/** A lane that is connected, subscribed and has said that it is on line. */
export async function lane(options: LaneOptions): Promise<Lane> {
  const self = new SimulatedLane(options)
  await self.start()
  return self
}

class SimulatedLane implements Lane {
  readonly sn: string
  readonly client: MqttClient
  manners: Manners = {}
  requests: Request[] = []
  opened = 0
  barrier: 'open' | 'closed' = 'closed'
  display: string[] = []
  capturing = true
  away = false
  cuts = 0
  warnings: Record<string, unknown>[] = []

  #options: LaneOptions
  #now: () => number
  #root: string
  #boot = bootId()
  #counter = 0
  #seq: number
  #kept: Record<string, unknown>[] = []
  #passing: NodeJS.Timeout | undefined
  /** Orders whose car has been let through: the barrier opens once for each. */
  #served = new Set<string>()
  #awaited: { method: string; got: (request: Request) => void }[] = []
  #unasked: Request[] = []

  constructor(options: LaneOptions) {
    this.#options = options
    this.sn = options.sn
    this.#now = options.now ?? Date.now
    this.#seq = options.countedTo ?? 0
    this.#root = `v1/devices/${options.sn}/`
    this.client = connecting(options, this.#root)
    this.client.on('message', (topic, payload, { retain }) => this.#hear(topic, payload, retain))
  }

  async start(): Promise<void> {
    await connectedOnce(this.client)
    await this.client.subscribeAsync([`${this.#root}rpc/request/+`, `${this.#root}warning`], { qos: 1 })
    const status = JSON.stringify({ online: true, ts: this.#now(), fw: 'sim-1.0' })
    await this.client.publishAsync(`${this.#root}status`, status, { qos: 1, retain: true })
  }

  event(body: Record<string, unknown>): Promise<string> {
    return this.#send('event', body)
  }
  telemetry(body: Record<string, unknown>): Promise<string> {
    return this.#send('telemetry', body)
  }
  plate({ color = 'blue', confidence = 0.97, direction = this.#options.direction, ...seen }: PlateSeen): Promise<string> {
    return this.#send('event', { type: 'plate', direction, color, confidence, ...seen })
  }
  async #send(kind: string, body: Record<string, unknown>): Promise<string> {
    const message = { ts: this.#now(), mid: `${this.#boot}-${++this.#counter}`, ...body }
    if (this.away) this.#kept.push({ ...message, offline: true, seq: ++this.#seq })
    else await this.client.publishAsync(`${this.#root}${kind}`, JSON.stringify(message), { qos: 1 })
    return message.mid as string
  }

  next(method: string, withinMs = 5_000): Promise<Request> {
    const at = this.#unasked.findIndex((request) => request.method === method)
    if (at >= 0) return Promise.resolve(this.#unasked.splice(at, 1)[0]!)
    return new Promise((resolve, reject) => {
      const one = { method, got: (request: Request) => (clearTimeout(timer), resolve(request)) }
      const timer = setTimeout(() => {
        this.#awaited.splice(this.#awaited.indexOf(one), 1)
        reject(new Error(`${this.sn} was not told ${method} within ${withinMs} ms.`))
      }, withinMs)
      this.#awaited.push(one)
    })
  }

  async pass(): Promise<void> {
    clearTimeout(this.#passing)
    if (this.barrier === 'closed') return
    if (this.manners.tailgated) await this.#send('event', { type: 'gate', state: 'opened', cause: 'timeout', cars: 2 })
    this.barrier = 'closed'
    await this.#send('telemetry', { gate: 'closed', loop1: 0, loop2: 0, temp: 31.5 })
    await this.#send('event', { type: 'gate', state: 'closed', cause: 'timeout', passed: true })
  }

  cutOff(): void {
    this.cuts++
    this.away = true
    this.client.options.reconnectPeriod = 0
    this.client.stream?.destroy()
  }
  async restore(): Promise<void> {
    this.client.options.reconnectPeriod = 500
    this.away = false
    // With its stores: what was on its way when the line went is sent again, as by a device. Without them it would be waited for without end.
    const { incomingStore, outgoingStore } = this.client
    this.client.reconnect({ incomingStore, outgoingStore })
    await connectedOnce(this.client)
    for (const message of this.#kept.splice(0)) await this.client.publishAsync(`${this.#root}event`, JSON.stringify(message), { qos: 1 })
  }

  async picture(plate: string, color = 'blue'): Promise<string> {
    const { http, secret } = this.#options
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(await drawn(plate, color, new Date(this.#now())))], { type: 'image/jpeg' }), `${this.sn}.jpg`)
    const answer = await fetch(`${http}/lbs/device/picture/upload`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${this.sn}:${secret}`).toString('base64')}` },
      body,
    })
    const envelope = (await answer.json()) as { message: string; data?: { ref: string } }
    if (!envelope.data) throw new Error(`${this.sn} could not upload its picture: ${answer.status} ${envelope.message}`)
    return envelope.data.ref
  }

  async close(force = false): Promise<void> {
    clearTimeout(this.#passing)
    if (force) this.client.stream?.destroy()
    await this.client.endAsync(force)
  }

  #hear(topic: string, payload: Buffer, retain: boolean): void {
    if (topic === `${this.#root}warning`) return void this.warnings.push(JSON.parse(payload.toString()))
    const id = topic.split('/rpc/request/')[1]
    if (!id || retain) return // a retained command is somebody's mistake
    const request: Request = { id, ...JSON.parse(payload.toString()), at: performance.now() }
    this.requests.push(request)
    const waiting = this.#awaited.findIndex(({ method }) => method === request.method)
    if (waiting >= 0) this.#awaited.splice(waiting, 1)[0]!.got(request)
    else this.#unasked.push(request)
    void this.#obey(request).catch(() => {})
  }

  async #obey({ id, method, params, ts, ttl }: Request): Promise<void> {
    if (Date.now() - ts > ttl || this.manners.deaf) return
    if (this.manners.busy) return this.#answer(id, 3, 'busy')
    switch (method) {
      case 'gate.open': {
        const order = params['orderId'] as string | undefined
        if (order && this.#served.has(order)) return this.#answer(id, 0, 'served already')
        if (order) this.#served.add(order)
        await this.#answer(id, 0)
        return this.#raise()
      }
      case 'gate.close':
        await this.#answer(id, 0)
        return this.pass()
      case 'gate.keepOpen':
        await this.#answer(id, 0)
        return this.#raise(true)
      case 'display.show':
        this.display = params['lines'] as string[]
        return this.#answer(id, 0)
      case 'voice.play':
        return this.#answer(id, 0)
      case 'whitelist.sync':
        return this.#answer(id, 0, 'ok', { version: params['version'] })
      case 'dome.start':
      case 'dome.stop':
        this.capturing = method === 'dome.start'
        await this.#answer(id, 0)
        return void (await this.#send('telemetry', { capturing: this.capturing ? 1 : 0 }))
      // An antenna takes the fee of the card, and says once more what it did when it is asked.
      case 'etc.deduct':
      case 'etc.query':
        await this.#answer(id, 0)
        return this.#charge(String(params['deductNo']), (params['amountFen'] as number | undefined) ?? null)
      default:
        return this.#answer(id, 1, 'unknown method')
    }
  }
  async #charge(deductNo: string, amountFen: number | null): Promise<void> {
    const paid = { result: 'ok', psamSeq: this.#psamSeqOf(deductNo), cardNo: '4201000000000001' }
    const said = this.#options.card ? await this.#options.card(deductNo, amountFen) : paid
    if (said) await this.#send('event', { type: 'etc', deductNo, ...said })
  }
  readonly #deducted = new Map<string, number>()
  #psamSeqOf(deductNo: string): number {
    const seq = this.#deducted.get(deductNo) ?? this.#deducted.size + 1
    this.#deducted.set(deductNo, seq)
    return seq
  }
  async #answer(id: string, code: number, msg = 'ok', data: object = {}): Promise<void> {
    if (this.manners.mute) return
    const text = JSON.stringify({ code, msg, data })
    await this.client.publishAsync(`${this.#root}rpc/response/${id}`, text, { qos: 1 })
    if (this.manners.stutter) await this.client.publishAsync(`${this.#root}rpc/response/${id}`, text, { qos: 1 })
  }
  async #raise(stay = false): Promise<void> {
    this.opened++
    this.barrier = 'open'
    await this.#send('event', { type: 'gate', state: 'opened', cause: 'command' })
    const { passAfterMs = PASS_MS } = this.#options
    if (stay || passAfterMs === null) return
    clearTimeout(this.#passing)
    this.#passing = setTimeout(() => void this.pass().catch(() => {}), passAfterMs)
  }
}

function connecting({ sn, secret, url, clientId = sn, keepaliveS = 60 }: LaneOptions, root: string): MqttClient {
  const client = connect(url, {
    clientId,
    username: sn,
    password: secret,
    clean: false,
    keepalive: keepaliveS,
    reconnectPeriod: 500,
    connectTimeout: 5_000,
    resubscribe: true,
    will: { topic: `${root}status`, payload: Buffer.from('{"online":false}'), qos: 1, retain: true },
  })
  client.on('error', () => {}) // refused or cut: it tries again by itself
  return client
}

const CONNECT_MS = 10_000
function connectedOnce(client: MqttClient): Promise<void> {
  if (client.connected) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The broker does not answer.')), CONNECT_MS)
    client.once('connect', () => (clearTimeout(timer), resolve()))
  })
}

const PAINT: Record<string, [plate: string, text: string]> = {
  blue: ['#1a4fa0', '#fff'],
  green: ['#3fae5a', '#111'],
  yellow: ['#f2b705', '#111'],
  white: ['#f4f4f4', '#111'],
  black: ['#1b1b1b', '#fff'],
}
const BODIES = ['#8a8f98', '#c9ccd1', '#2f3640', '#a3262a', '#20507a', '#e9e6df']

/** A car from the front with its plate, and the camera's stamp: enough to check by eye that event and picture belong together. */
export async function drawn(plate: string, color: string, at: Date): Promise<Buffer> {
  const [paint, ink] = PAINT[color] ?? PAINT['blue']!
  const body = BODIES[[...plate].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % BODIES.length]!
  const stamp = new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const safe = plate.replace(/[<&>]/g, '')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" font-family="Noto Sans CJK SC, sans-serif">
    <rect width="640" height="360" fill="#4a4e54"/><path d="M0 360 L220 120 H420 L640 360 Z" fill="#5d6268"/>
    <path d="M170 250 L215 150 Q320 130 425 150 L470 250 Z" fill="${body}"/><path d="M225 195 L242 160 Q320 146 398 160 L415 195 Z" fill="#20262c"/>
    <rect x="150" y="205" width="340" height="95" rx="18" fill="${body}"/><rect x="170" y="220" width="62" height="24" rx="10" fill="#fff8d8"/><rect x="408" y="220" width="62" height="24" rx="10" fill="#fff8d8"/>
    <rect x="240" y="252" width="160" height="38" rx="5" fill="${paint}" stroke="#fff" stroke-width="2"/>
    <text x="320" y="280" font-size="26" text-anchor="middle" fill="${ink}">${safe}</text>
    <text x="12" y="26" font-size="18" fill="#fff">${stamp} ${safe}</text></svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 70 }).toBuffer()
}
