import { type Answers, connectPile, type Json, PileError, type PileWire } from '../../gateways/ocpp/simulator.ts'

export interface PileTraits {
  id: string
  version: '1.6' | '2.0.1'
  ratedW: number
  /** Its clock is ahead of ours by this much. */
  driftMs: number
  /** It begins every transaction with a register of nought and tells the true one with its first sample. */
  placeholder: boolean
  /** Its register when it was switched on. */
  registerWh: number
  oddity?: Oddity | undefined
}
/**
 * Habits of real piles: reports each begin and end twice; reports its register by phases, in padded text; reports free while it
 * charges; its register jumps now and then, by more than its gun can give.
 */
export type Oddity = 'twice' | 'byLines' | 'free' | 'jumps'
export interface Town {
  url: string
  secret: string
  random: () => number
  /** Seconds of the town for one of ours. */
  speed: number
  /** How likely a pile has a fault where a car could have come. */
  faults: number
  going: () => boolean
}
/** How a pile was left when the town was last played: what it remembers by itself. */
export interface PileLeft {
  id: string
  /** Of its meter. */
  registerWh: number
  faulty: boolean
  running: { transaction: string; seqNo: number; tag: string; soc: number } | null
}
interface Car {
  tag: string
  soc: number
  capacityWh: number
  /** Full enough. */
  target: number
}
const SAMPLE_S = 30
const LINES = ['L1', 'L2', 'L3'] as const
/** As likely at a sample. */
const [SAYS_FREE, JUMPS] = [0.05, 0.002]
const JUMP_WH = 150_000
const STOP_CARD = 0.15
/** A car that stands there: some have more room in their battery. */
const aCar = (random: () => number) => ({ soc: 15 + random() * 50, capacityWh: 40_000 + random() * 45_000, target: 80 + random() * 20 })
const PLUGS_S = 5
const FAULT_S = 120
const LONG_FAULT_S = 4 * 3_600
/** Until the server has told how often it wants to hear of a pile. */
const HEARTBEAT_S = 60
const AGAIN_S = 5
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Full power up to four fifths, then less and less, as batteries take it. */
export const powerAt = (soc: number, ratedW: number) => Math.round(ratedW * (soc < 80 ? 1 : Math.max(0.06, 1 - (soc - 80) / 21)))

/** One pile of the town, with one gun: it starts, is plugged, charges, goes off line now and then and tells later what it kept. */
export class Pile {
  readonly traits: PileTraits
  readonly #town: Town
  #wire: PileWire | undefined
  #kept: { action: string; payload: object }[] = []
  #register: number
  #running: { transaction: string | number; car: Car; seqNo: number; startedOffline: boolean } | undefined
  #asked: { tag: string; startNo?: number } | undefined
  #stopAsked = false
  readonly counts = { charged: 0, refused: 0, offline: 0, faults: 0, deliveredWh: 0, problems: [] as string[] }

  #faulty: boolean
  #heartbeatS = HEARTBEAT_S
  /** It is away because the town wants it so. */
  #away = false
  #wake = () => {}

  constructor(traits: PileTraits, town: Town, left?: PileLeft) {
    this.traits = traits
    this.#town = town
    this.#register = left?.registerWh ?? traits.registerWh
    this.#faulty = left?.faulty ?? false
    if (!left?.running) return
    const { transaction, seqNo, tag, soc } = left.running
    this.#running = {
      transaction: this.#is16 ? Number(transaction) : transaction,
      seqNo,
      startedOffline: false,
      car: { ...aCar(town.random), tag, soc, target: 100 },
    }
  }
  /** The limits from the profiles that it was sent: for the running charge, and for any later one. */
  #limits: { charge?: number | undefined; any?: number | undefined } = {}
  #power = (car: Car) => Math.min(powerAt(car.soc, this.traits.ratedW), this.#limits.charge ?? this.#limits.any ?? Infinity)
  #limited(profile: Json) {
    const [schedule] = [profile.chargingSchedule].flat()
    const limit = schedule.chargingSchedulePeriod[0].limit * (schedule.chargingRateUnit === 'A' ? 230 : 1)
    if (profile.chargingProfilePurpose !== 'TxProfile') this.#limits.any = limit
    else if (String(profile.transactionId) === String(this.#running?.transaction)) this.#limits.charge = limit
    else return { status: 'Rejected' }
    return { status: 'Accepted' }
  }
  get #is16() {
    return this.traits.version === '1.6'
  }
  #now = () => new Date(Date.now() + this.traits.driftMs).toISOString()

  async connect(): Promise<void> {
    const { url, secret } = this.#town
    const wire = await connectPile({ url, id: this.traits.id, secret, protocols: [this.#is16 ? 'ocpp1.6' : 'ocpp2.0.1'], answers: this.#answers() })
    this.#away = false
    this.#wire = wire
    void wire.closed.then(() => {
      if (this.#wire !== wire) return
      this.#wire = undefined
      void this.#comesBack()
    })
    if (!this.#running) await this.#boot()
    void this.#beats(wire)
    await this.#status(this.#running ? 'Charging' : this.#faulty ? 'Faulted' : 'Available')
    for (let kept = this.#kept[0]; kept; kept = this.#kept[0]) {
      await this.#say(kept.action, kept.payload)
      this.#kept.shift()
    }
  }
  async #boot(): Promise<void> {
    const model = `K${this.traits.ratedW / 1000}`
    const firmware = '1.4.2'
    const { interval } = await this.#say(
      'BootNotification',
      this.#is16
        ? { chargePointVendor: 'Kerb', chargePointModel: model, firmwareVersion: firmware, chargePointSerialNumber: this.traits.id }
        : { reason: 'PowerUp', chargingStation: { model, vendorName: 'Kerb', firmwareVersion: firmware, serialNumber: this.traits.id } },
    )
    this.#heartbeatS = interval || HEARTBEAT_S
  }
  /** In our time, whatever the town's is: the server counts on it. */
  async #beats(wire: PileWire): Promise<void> {
    while (this.#wire === wire && this.#town.going()) {
      await pause(this.#heartbeatS * 1_000)
      if (this.#wire === wire) await wire.call('Heartbeat').catch(() => {})
    }
  }
  /** The line broke, the server was started again: it tries until it is let in. */
  async #comesBack(): Promise<void> {
    while (!this.#wire && !this.#away && this.#town.going()) {
      await pause((AGAIN_S + this.#town.random() * AGAIN_S) * 1_000)
      if (!this.#wire && !this.#away) await this.connect().catch(() => {})
    }
  }
  /** Its line breaks, which it did not want. */
  cut = () => this.#wire?.cut()
  async close(): Promise<void> {
    this.#away = true
    await this.#wire?.close()
  }

  /** Cars come, charge and go, for as long as the town goes on; first what was under way goes on. */
  async play(): Promise<void> {
    const { random, going, faults } = this.#town
    if (this.#running) await this.#tried(this.#goesOn(this.#running.car).then(() => this.#free()))
    else if (this.#faulty) await this.#tried(this.#fault(LONG_FAULT_S))
    while (going()) {
      await this.#idle(60 + random() * 600)
      if (!going()) break
      await this.#tried(random() < faults && !this.#asked ? this.#fault(FAULT_S) : this.#visit({ tag: '', ...aCar(random) }))
    }
  }
  #tried = (work: Promise<void>) => work.catch((error: Error) => void this.counts.problems.push(`${this.traits.id} ${error.message}`))
  /** Until somebody at a distance wants to begin, and no longer. */
  #idle = (seconds: number) =>
    this.#asked ? Promise.resolve() : Promise.race([this.#wait(seconds), new Promise<void>((resolve) => (this.#wake = resolve))])
  tags: readonly string[] = []

  async #visit(car: Car): Promise<void> {
    const { random } = this.#town
    await this.#status(this.#is16 ? 'Preparing' : 'Occupied')
    if (this.#asked) await this.#wait(PLUGS_S)
    else await this.#idle(20)
    const remote = this.#asked
    this.#asked = undefined
    const tag = remote?.tag ?? this.tags[Math.floor(random() * this.tags.length)]
    const offline = random() < 0.08
    if (tag !== undefined && (offline ? await this.#goAway() : remote || (await this.#mayCharge(tag))))
      await this.#charge({ ...car, tag }, remote?.startNo)
    else this.counts.refused++
    await this.#free()
  }
  async #free(): Promise<void> {
    if (!this.#wire) await this.connect()
    await this.#status('Available')
  }
  async #mayCharge(tag: string): Promise<boolean> {
    const answer = await this.#say('Authorize', this.#is16 ? { idTag: tag } : { idToken: { idToken: tag, type: 'ISO14443' } })
    return (answer.idTagInfo ?? answer.idTokenInfo)?.status === 'Accepted'
  }
  async #goAway(): Promise<true> {
    this.counts.offline++
    await this.close()
    return true
  }
  async #charge(car: Car, startNo?: number): Promise<void> {
    const shown = this.traits.placeholder ? 0 : this.#register
    const transaction = this.#is16 ? -1 : `${this.traits.id}-${Date.now()}`
    this.#running = { transaction, car, seqNo: 0, startedOffline: !this.#wire }
    this.#stopAsked = false
    const stamp = this.#now()
    const answer = this.#is16
      ? await this.#toldAgain('StartTransaction', { connectorId: 1, idTag: car.tag, meterStart: shown, timestamp: stamp })
      : await this.#event('Started', shown, 'Transaction.Begin', { startNo })
    if (this.#is16 && answer) this.#running.transaction = answer.transactionId as number
    const accepted = !answer || (answer.idTagInfo ?? answer.idTokenInfo ?? { status: 'Accepted' }).status === 'Accepted'
    if (accepted) return this.#goesOn(car)
    this.counts.refused++
    await this.#ends(car, 'DeAuthorized')
  }
  async #goesOn(car: Car): Promise<void> {
    const before = this.#register
    await this.#status('Charging')
    await this.#flow(car)
    this.counts.charged++
    this.counts.deliveredWh += this.#register - before
    if (car.soc >= car.target) await this.#status('SuspendedEV')
    await this.#ends(car, this.#stopAsked ? 'Remote' : 'Local')
  }
  async #ends(car: Car, reason: string): Promise<void> {
    const full = car.soc >= car.target
    if (this.#is16)
      await this.#toldAgain('StopTransaction', {
        transactionId: this.#running!.transaction,
        idTag: car.tag,
        meterStop: this.#register,
        timestamp: this.#now(),
        reason,
        transactionData: [this.#sample(car, 'Transaction.End')],
      })
    else await this.#event('Ended', this.#register, 'Transaction.End', { reason: full ? 'StoppedByEV' : reason })
    this.#running = undefined
    this.#limits.charge = undefined
    await this.#status(this.#is16 ? 'Finishing' : 'Occupied')
    await this.#wait(30 + this.#town.random() * 300)
  }
  /** Samples every half minute of the town, until the car has enough, somebody stops it, or the town ends. */
  async #flow(car: Car): Promise<void> {
    const { random, going } = this.#town
    const oddity = this.traits.oddity
    const stopsAt = random() < STOP_CARD ? car.soc + random() * 20 : 101
    while (car.soc < Math.min(car.target, stopsAt) && !this.#stopAsked && going()) {
      await this.#wait(SAMPLE_S)
      const wh = (this.#power(car) * SAMPLE_S) / 3_600
      // Energy over town time is reported over ours: no pile delivers more than its plate says.
      this.#register += Math.round(wh / this.#town.speed) || 1
      if (oddity === 'jumps' && random() < JUMPS) this.#register += JUMP_WH
      if (oddity === 'free' && random() < SAYS_FREE) await this.#status('Available')
      car.soc = Math.min(100, car.soc + (wh / car.capacityWh) * 100)
      if (this.#is16)
        await this.#tell('MeterValues', {
          connectorId: 1,
          transactionId: this.#running!.transaction,
          meterValue: [this.#sample(car, 'Sample.Periodic')],
        })
      else await this.#event('Updated', this.#register, 'Sample.Periodic', {})
    }
  }
  async #fault(seconds: number): Promise<void> {
    this.counts.faults++
    this.#faulty = true
    await this.#status('Faulted')
    await this.#wait(seconds)
    this.#faulty = false
    await this.#status('Available')
  }

  #sample(car: Car, context: string) {
    const power = this.#power(car)
    const one = (measurand: string, value: number | string, unit: string) =>
      this.#is16 ? { value: String(value), context, measurand, unit } : { value, context, measurand, unitOfMeasure: { unit } }
    return {
      timestamp: this.#now(),
      sampledValue: [
        ...this.#registerShown().map(([value, phase]) => ({ ...one('Energy.Active.Import.Register', value, 'Wh'), ...phase })),
        one('Power.Active.Import', power, 'W'),
        one('Voltage', 600, 'V'),
        one('Current.Import', Math.round(power / 60) / 10, 'A'),
        one('SoC', Math.round(car.soc), 'Percent'),
      ],
    }
  }
  #registerShown(): [value: number | string, phase: object][] {
    if (this.traits.oddity !== 'byLines' || !this.#is16) return [[this.#register, {}]]
    const line = Math.floor(this.#register / LINES.length)
    return LINES.map((phase, n) => [`  ${n > 0 ? line : this.#register - 2 * line} `, { phase }])
  }
  #event(
    eventType: 'Started' | 'Updated' | 'Ended',
    wh: number,
    context: string,
    { startNo, reason }: { startNo?: number | undefined; reason?: string },
  ) {
    const running = this.#running!
    const sample = this.#sample(running.car, context)
    if (eventType === 'Started')
      sample.sampledValue = [{ value: wh, context, measurand: 'Energy.Active.Import.Register', unitOfMeasure: { unit: 'Wh' } }]
    return this.#tell('TransactionEvent', {
      eventType,
      timestamp: this.#now(),
      triggerReason: eventType === 'Started' ? 'Authorized' : eventType === 'Ended' ? 'StopAuthorized' : 'MeterValuePeriodic',
      seqNo: running.seqNo++,
      offline: !this.#wire,
      evse: { id: 1, connectorId: 1 },
      ...(eventType === 'Started' && { idToken: { idToken: running.car.tag, type: 'ISO14443' } }),
      transactionInfo: {
        transactionId: running.transaction,
        ...(eventType !== 'Ended' && { chargingState: eventType === 'Started' ? 'EVConnected' : 'Charging' }),
        ...(reason && { stoppedReason: reason }),
        ...(startNo !== undefined && { remoteStartId: startNo }),
      },
      meterValue: [sample],
    })
  }
  async #status(raw: string): Promise<void> {
    if (!this.#wire) return
    const connectorStatus = { Available: 'Available', Faulted: 'Faulted' }[raw] ?? 'Occupied'
    await this.#say(
      'StatusNotification',
      this.#is16
        ? { connectorId: 1, status: raw, errorCode: raw === 'Faulted' ? 'HighTemperature' : 'NoError', timestamp: this.#now() }
        : { timestamp: this.#now(), connectorStatus, evseId: 1, connectorId: 1 },
    )
  }
  /** Said now, or kept and told when the line is back. */
  async #tell(action: string, payload: object): Promise<Json> {
    try {
      if (this.#wire) return await this.#say(action, payload)
    } catch (error) {
      if (error instanceof PileError) throw error
    }
    this.#kept.push({ action, payload })
    return undefined
  }
  /** Sends a message, and for a pile with that habit sends it once more as another message. */
  async #toldAgain(action: string, payload: object): Promise<Json> {
    const answer = await this.#tell(action, payload)
    return this.traits.oddity === 'twice' ? this.#tell(action, payload) : answer
  }
  #say = (action: string, payload: object) => this.#wire!.call(action, payload)
  #wait = (seconds: number) => pause((seconds * 1_000) / this.#town.speed)

  #answers(): Answers {
    const accept = () => ({ status: 'Accepted' })
    const settings: Record<string, string> = {
      HeartbeatInterval: '60',
      LocalPreAuthorize: 'true',
      LocalAuthorizeOffline: 'true',
      MeterValueSampleInterval: '60',
      StopTransactionOnInvalidId: 'true',
    }
    let listVersion = 0
    const start = (tag: string, startNo?: number) => {
      if (this.#running) return { status: 'Rejected' }
      this.#asked = { tag, ...(startNo !== undefined && { startNo }) }
      this.#wake()
      return { status: 'Accepted' }
    }
    const stop = () => ((this.#stopAsked = this.#running !== undefined), { status: this.#running ? 'Accepted' : 'Rejected' })
    return {
      RemoteStartTransaction: ({ idTag }) => start(idTag),
      RequestStartTransaction: ({ idToken, remoteStartId }) => start(idToken.idToken, remoteStartId),
      RemoteStopTransaction: stop,
      RequestStopTransaction: stop,
      UnlockConnector: () => ({ status: 'Unlocked' }),
      ChangeAvailability: accept,
      Reset: () => (setTimeout(() => void this.connect().catch(() => {}), 500), { status: 'Accepted' }),
      TriggerMessage: ({ requestedMessage }) => {
        if (requestedMessage === 'StatusNotification')
          setTimeout(() => void this.#status(this.#running ? 'Charging' : 'Available').catch(() => {}), 50)
        return { status: 'Accepted' }
      },
      GetConfiguration: ({ key }) => ({
        configurationKey: (key ?? Object.keys(settings))
          .filter((one: string) => one in settings)
          .map((one: string) => ({ key: one, readonly: false, value: settings[one] })),
      }),
      ChangeConfiguration: ({ key, value }) =>
        key in settings || key === 'AuthorizationKey' ? ((settings[key] = value), { status: 'Accepted' }) : { status: 'NotSupported' },
      GetVariables: ({ getVariableData }) => ({
        getVariableResult: getVariableData.map((one: Json) => ({ ...one, attributeStatus: 'UnknownVariable' })),
      }),
      SetVariables: ({ setVariableData }) => ({
        setVariableResult: setVariableData.map(({ component, variable }: Json) => ({ component, variable, attributeStatus: 'UnknownVariable' })),
      }),
      SendLocalList: ({ listVersion: v16, versionNumber }) => ((listVersion = v16 ?? versionNumber), { status: 'Accepted' }),
      GetLocalListVersion: () => (this.#is16 ? { listVersion } : { versionNumber: listVersion }),
      ReserveNow: accept,
      CancelReservation: accept,
      SetChargingProfile: ({ csChargingProfiles, chargingProfile }) => this.#limited(csChargingProfiles ?? chargingProfile),
      ClearChargingProfile: () => ((this.#limits = {}), accept()),
      GetTransactionStatus: () => ({ ongoingIndicator: this.#running !== undefined, messagesInQueue: this.#kept.length > 0 }),
    }
  }
}
