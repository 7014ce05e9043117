import { setTimeout as timer, clearTimeout as cancel } from 'node:timers'

export interface Sent {
  headers: Readonly<Record<string, string>>
  body: string
}
export interface Delivery {
  /** For the log. */
  name: string
  url: string
  /** Signed anew for every try. */
  make: () => Sent
  /** Whether the merchant took it. */
  isTaken: (status: number, body: string) => boolean
  /** Before each further try. */
  waitsMs: readonly number[]
}
/** Merchants have so long to answer. */
const ANSWER_MS = 5_000

/** Notices on their way to merchants, each repeated until it is taken or its ladder ends. */
export class Deliveries {
  readonly #log: (line: string) => void
  readonly #waiting = new Set<NodeJS.Timeout>()
  #isStopped = false
  /** `believed`: probes with a wrong signature that a merchant took for genuine. */
  readonly counts = { notices: 0, noticesFailed: 0, noticesGivenUp: 0, probes: 0, probesBelieved: 0 }

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  stop(): void {
    this.#isStopped = true
    for (const one of this.#waiting) cancel(one)
  }

  /** Does something later, unless the channel has stopped by then. */
  later(ms: number, work: () => void): void {
    if (this.#isStopped) return
    const one = timer(() => {
      this.#waiting.delete(one)
      work()
    }, ms)
    this.#waiting.add(one)
  }

  send(delivery: Delivery, tried = 0): void {
    this.counts.notices++
    void tryOnce(delivery).then((isTaken) => {
      if (isTaken) return
      this.counts.noticesFailed++
      const wait = delivery.waitsMs[tried]
      if (wait !== undefined) return this.later(wait, () => this.send(delivery, tried + 1))
      this.counts.noticesGivenUp++
      this.#log(`Notice of ${delivery.name} given up.`)
    })
  }

  /** A message with a wrong signature, sent once: whoever takes it does not check signatures. */
  probe(delivery: Delivery): void {
    this.counts.probes++
    void tryOnce(delivery).then((isTaken) => {
      if (!isTaken) return
      this.counts.probesBelieved++
      this.#log(`The merchant took a wrongly signed notice of ${delivery.name}.`)
    })
  }
}

const tryOnce = ({ url, make, isTaken }: Delivery): Promise<boolean> => {
  const { headers, body } = make()
  return fetch(url, { method: 'POST', headers: { ...headers }, body, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) }).then(
    async (answer) => isTaken(answer.status, await answer.text()),
    () => false,
  )
}
