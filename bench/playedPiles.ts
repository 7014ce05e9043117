// Charge points on real sockets in a process of their own: told what to do over the channel of their parent, they play it and say what came of it.
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

export interface Plan {
  url: string
  secret: string
  count: number
  /** The first of them charge. */
  charging: number
  heartbeatS: number
  samplesS: number
}
/** Messages and answers of all piles since the beginning. */
export interface Said {
  /** Let in and started. */
  up: number
  charging: number
  sent: number
  answered: number
  refused: number
  /** Samples of charges that the server said it has. */
  samples: number
  /** The longest that a message waited on one and the same line. */
  slowestMs: number
}
export type Told = 'connect' | 'charge' | 'play' | 'rest' | 'count'

export const idOf = (n: number) => `PP${String(n).padStart(5, '0')}`
export const cardOf = (n: number) => `PLAYED${String(n).padStart(5, '0')}`

/** A pile that finds nobody comes again after up to so long, then up to twice as long, as the standard has it. */
const AGAIN_MS = 10_000
const AGAIN_MOST_MS = 30_000
const CONNECTING = 64
const STARTS_PER_S = 40
const TICK_MS = 100

interface Message {
  action: string
  payload: object
  /** Of a charge: told until it is answered, over as many lines as it takes. */
  kept: boolean
  answered?(reply: { transactionId?: number }): void
}

class Pile {
  readonly no: number
  readonly said: Said
  readonly plan: Plan
  up = false
  transactionId: number | undefined
  socket: WebSocket | undefined
  queue: Message[] = []
  waiting: { id: string; since: number } | undefined
  nextBeat = Infinity
  nextSample = Infinity
  register = 10_000
  tries = 0
  serial = 0

  constructor(no: number, plan: Plan, said: Said) {
    this.no = no
    this.plan = plan
    this.said = said
  }
  connect(): Promise<void> {
    const id = idOf(this.no)
    const socket = new WebSocket(`${this.plan.url}/ocpp/${id}`, ['ocpp1.6'], {
      headers: { authorization: `Basic ${btoa(`${id}:${this.plan.secret}`)}` },
      perMessageDeflate: false,
    })
    this.socket = socket
    socket.on('error', () => {})
    socket.on('message', (data) => this.heard(JSON.parse(String(data))))
    return new Promise((resolve) => {
      socket.once('open', () => {
        this.tries = 0
        this.queue = [this.boot(), this.status(), ...this.queue.filter(({ kept }) => kept)]
        this.next()
      })
      this.started = resolve
      socket.once('close', () => {
        if (this.up) this.said.up--
        this.up = false
        this.waiting = undefined
        resolve()
        const most = Math.min(AGAIN_MS * 2 ** this.tries++, AGAIN_MOST_MS)
        setTimeout(() => void this.connect(), Math.random() * most)
      })
    })
  }
  started: () => void = () => {}
  boot(): Message {
    return {
      action: 'BootNotification',
      payload: { chargePointVendor: 'Kerb', chargePointModel: 'K60', firmwareVersion: '1.0' },
      kept: false,
      answered: () => {
        this.up = true
        this.said.up++
        this.started()
      },
    }
  }
  status(): Message {
    const payload = {
      connectorId: 1,
      errorCode: 'NoError',
      status: this.transactionId ? 'Charging' : this.no < this.plan.charging ? 'Preparing' : 'Available',
      timestamp: now(),
    }
    return { action: 'StatusNotification', payload, kept: false }
  }
  charge(): Promise<void> {
    return new Promise((resolve) => {
      const payload = { connectorId: 1, idTag: cardOf(this.no), meterStart: this.register, timestamp: now() }
      this.say({
        action: 'StartTransaction',
        payload,
        kept: true,
        answered: ({ transactionId }) => {
          this.transactionId = transactionId
          this.said.charging++
          resolve()
        },
      })
    })
  }
  measured(): Message {
    const value = (measurand: string, unit: string, of: number) => ({ measurand, unit, value: String(of) })
    const sampledValue = [
      value('Energy.Active.Import.Register', 'Wh', (this.register += 250)),
      value('Power.Active.Import', 'W', 30_000),
      value('Current.Import', 'A', 80),
      value('Voltage', 'V', 380),
      value('SoC', 'Percent', 55),
    ]
    const payload = { connectorId: 1, transactionId: this.transactionId, meterValue: [{ timestamp: now(), sampledValue }] }
    return { action: 'MeterValues', payload, kept: true, answered: () => this.said.samples++ }
  }
  tick(at: number) {
    if (at >= this.nextBeat) {
      this.nextBeat = at + this.plan.heartbeatS * 1000
      if (this.up) this.say({ action: 'Heartbeat', payload: {}, kept: false })
    }
    if (at >= this.nextSample) {
      this.nextSample = at + this.plan.samplesS * 1000
      this.say(this.measured())
    }
  }
  say(message: Message) {
    this.queue.push(message)
    this.next()
  }
  next() {
    const [message] = this.queue
    if (!message || this.waiting || this.socket?.readyState !== WebSocket.OPEN) return
    this.waiting = { id: `${this.no}-${++this.serial}`, since: performance.now() }
    this.said.sent++
    this.socket.send(JSON.stringify([2, this.waiting.id, message.action, message.payload]))
  }
  heard([type, id, ...rest]: [number, string, ...any[]]) {
    if (type === 2) return this.socket!.send(JSON.stringify([3, id, ANSWERS[rest[0]] ?? { status: 'Accepted' }]))
    if (id !== this.waiting?.id) return
    const message = this.queue.shift()!
    this.said.slowestMs = Math.max(this.said.slowestMs, performance.now() - this.waiting.since)
    this.waiting = undefined
    if (type === 3) {
      this.said.answered++
      message.answered?.(rest[0])
    } else this.said.refused++
    this.next()
  }
}
const now = () => new Date().toISOString()
/** As whoever sets it up wants it: nothing is to be changed. */
const KEYS = {
  LocalPreAuthorize: 'false',
  AllowOfflineTxForUnknownId: 'false',
  AuthorizeRemoteTxRequests: 'false',
  LocalAuthorizeOffline: 'true',
  StopTransactionOnInvalidId: 'true',
  MeterValueSampleInterval: '30',
  ClockAlignedDataInterval: '1800',
  MeterValuesSampledData: 'Energy.Active.Import.Register,Power.Active.Import,Current.Import,Voltage,SoC,Temperature',
}
const ANSWERS: Record<string, object> = {
  GetConfiguration: { configurationKey: Object.entries(KEYS).map(([key, value]) => ({ key, value, readonly: false })) },
}

if (import.meta.main) played(JSON.parse(process.argv[2]!) as Plan)
function played(plan: Plan): void {
  const said: Said = { up: 0, charging: 0, sent: 0, answered: 0, refused: 0, samples: 0, slowestMs: 0 }
  const piles = Array.from({ length: plan.count }, (_, no) => new Pile(no, plan, said))
  const those = piles.slice(0, plan.charging)
  let timer: NodeJS.Timeout | undefined
  process.channel!.ref() // what it is told is all that keeps it running before the first of them is connected
  process.on('message', async (told: Told) => {
    if (told === 'connect') await connectAll(piles)
    if (told === 'charge') await Promise.all(those.map((one, n) => pause((n * 1_000) / STARTS_PER_S).then(() => one.charge())))
    if (told === 'play') timer = play(plan, piles, those)
    if (told === 'rest') clearInterval(timer)
    process.send!(said)
    if (told === 'count') said.slowestMs = 0
  })
}
async function connectAll(piles: readonly Pile[]): Promise<void> {
  const left = [...piles]
  const some = async () => {
    for (let one = left.shift(); one; one = left.shift()) await one.connect()
  }
  await Promise.all(Array.from({ length: CONNECTING }, some))
}
function play({ heartbeatS, samplesS }: Plan, piles: readonly Pile[], charging: readonly Pile[]): NodeJS.Timeout {
  const at = performance.now()
  for (const one of piles) one.nextBeat = at + Math.random() * heartbeatS * 1000
  for (const one of charging) one.nextSample = at + Math.random() * samplesS * 1000
  return setInterval(() => piles.forEach((one) => one.tick(performance.now())), TICK_MS)
}
